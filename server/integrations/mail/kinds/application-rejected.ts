import type { RejectionReason } from '#contract/applications.ts'
import { rejectionForMail } from '../../../program/applications/applicant-mail.ts'
import { applicantRejected } from '../../../program/applications/signals.ts'
import { greeting, toApplicant } from '../about/applicants.ts'
import { mail, on } from '../mail.ts'
import { accountFirst, accountOf, quoted } from '../message.ts'

export const applicationRejected = mail({
  group: 'invitations',
  title: 'Application rejected',
  description: 'An application was rejected.',
  when: on(applicantRejected, ({ applicationId: id }, { accountId }) => [{ id, accountId: accountId! }]),
  async read({ db }, { id, accountId }) {
    const told = await rejectionForMail(db, { accountId, applicationId: id })
    if (!told) return null
    const { to, isDisabled, ...data } = told
    return isDisabled ? 'later' : { to, causedBy: accountId, data }
  },
  write: ({ accountName, firstName, code, words }) => ({
    ...toApplicant(accountName),
    subject: `Your application to ${accountOf(accountName)}`,
    preview: `${accountFirst(accountName)} has decided.`,
    parts: [
      greeting(firstName),
      `${accountFirst(accountName)} did not accept your application to become a partner.`,
      ...[because[code], quoted(words)].filter((part) => part !== ''),
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
