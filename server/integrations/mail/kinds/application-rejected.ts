import type { RejectionReason } from '#contract/applications.ts'
import { rejectionForMail } from '../../../program/applications/applicant-mail.ts'
import { applicantRejected } from '../../../program/applications/signals.ts'
import { buildGreeting, toAddressee, toApplicant } from '../about/applicants.ts'
import { applicantMailPhrases } from '../applicant-text.ts'
import { defineMail, onSignal } from '../mail.ts'
import { accountFirst, formatAccountName, quoteText, toPlainLine } from '../message.ts'
import { findLanguage } from '../queries.ts'

const phrases = applicantMailPhrases.rejected

export const applicationRejected = defineMail({
  group: 'invitations',
  title: 'Application rejected',
  description: 'An application was rejected.',
  when: onSignal(applicantRejected, ({ applicationId: id }, { accountId }) => [{ id, accountId: accountId! }]),
  async read({ db }, { id, accountId }) {
    const rejection = await rejectionForMail(db, { accountId, applicationId: id })
    if (!rejection) return null
    const { to, isDisabled, language: ofPage, ...data } = rejection
    if (isDisabled) return 'later'
    return {
      to,
      language: await findLanguage(db, to, ofPage),
      causedBy: accountId,
      addressee: toAddressee({ email: to, ...data }),
      data,
    }
  },
  write: ({ accountName, firstName, code, words }) => ({
    ...toApplicant(accountName),
    subject: phrases.subject({ account: formatAccountName(accountName) }),
    preview: phrases.preview({ account: accountFirst(accountName) }),
    parts: [buildGreeting(firstName), phrases.text, ...[because(code), quoteText(words)].filter((part) => part !== '')],
  }),
  editable: {
    kind: () => 'application-rejected',
    values: ({ code, words }) => ({ reason: [because(code), toPlainLine(words)].filter(Boolean).join(' ') }),
  },
  sample: {
    accountName: 'Northwind',
    firstName: 'Pia',
    lastName: 'Tern',
    code: 'incomplete',
    words: 'Please tell us more about your newsletter.',
  },
})

/** Words for an applicant by reason; none for some. */
const because = (code: RejectionReason) => (code === 'spam' || code === 'other' ? '' : phrases.reasons[code])
