import { confirmationForMail } from '../../../program/applications/applicant-mail.ts'
import { confirmationAsked } from '../../../program/applications/signals.ts'
import { buildGreeting, toAddressee, toApplicant } from '../about/applicants.ts'
import { applicantMailPhrases } from '../applicant-text.ts'
import { defineMail, onSignal } from '../mail.ts'
import { formatAccountName } from '../message.ts'
import { findLanguage } from '../queries.ts'

const words = applicantMailPhrases.confirm

export const applicationConfirm = defineMail({
  group: 'invitations',
  title: 'Application to confirm',
  description: 'An applicant is asked to confirm their email.',
  when: onSignal(confirmationAsked, ({ applicationId: id }, { accountId }) => [{ id, accountId: accountId! }]),
  async read(services, { id, accountId }) {
    const confirmation = await confirmationForMail(services.db, services, { accountId, applicationId: id })
    if (!confirmation) return null
    const { to, isDisabled, language: ofPage, ...data } = confirmation
    if (isDisabled) return 'later'
    return {
      to,
      language: await findLanguage(services.db, to, ofPage),
      addressee: toAddressee({ email: to, ...data }),
      data,
    }
  },
  write: ({ accountName, firstName, url }) => ({
    ...toApplicant(accountName),
    subject: words.subject({ account: formatAccountName(accountName) }),
    preview: words.preview,
    parts: [buildGreeting(firstName), words.text({ account: formatAccountName(accountName) }), words.linkWorks],
    button: { label: words.button, url },
    showsLink: true,
  }),
  editable: { kind: () => 'application-confirm' },
  sample: {
    accountName: 'Northwind',
    firstName: 'Pia',
    lastName: 'Tern',
    url: 'https://partners.example.com/join/confirm#token=sample',
  },
})
