import type { RejectionReason } from '#contract/applications.ts'
import { rejectionForMail } from '../../../program/applications/applicant-mail.ts'
import { applicantRejected } from '../../../program/applications/signals.ts'
import { buildGreeting, toApplicant } from '../about/applicants.ts'
import { defineMail, onSignal } from '../mail.ts'
import { accountFirst, formatAccountName, quoteText } from '../message.ts'

export const applicationRejected = defineMail({
  group: 'invitations',
  title: 'Application rejected',
  description: 'An application was rejected.',
  when: onSignal(applicantRejected, ({ applicationId: id }, { accountId }) => [{ id, accountId: accountId! }]),
  async read({ db }, { id, accountId }) {
    const rejection = await rejectionForMail(db, { accountId, applicationId: id })
    if (!rejection) return null
    const { to, isDisabled, ...data } = rejection
    return isDisabled ? 'later' : { to, causedBy: accountId, data }
  },
  write: ({ accountName, firstName, code, words }) => ({
    ...toApplicant(accountName),
    subject: `Your application to ${formatAccountName(accountName)}`,
    preview: `${accountFirst(accountName)} has decided.`,
    parts: [
      buildGreeting(firstName),
      'Thank you for applying. We can’t accept your application.',
      ...[because[code], quoteText(words)].filter((part) => part !== ''),
    ],
  }),
  sample: {
    accountName: 'Northwind',
    firstName: 'Pia',
    code: 'incomplete',
    words: 'Please tell us more about your newsletter.',
  },
})

/** Words for an applicant by reason; none for some. */
const because: Record<RejectionReason, string> = {
  'not-a-fit': 'The program is looking for a different kind of partner at the moment.',
  incomplete: 'The application was incomplete.',
  region: 'The program doesn’t take partners in your region.',
  policy: 'It doesn’t meet the program’s rules.',
  spam: '',
  other: '',
}
