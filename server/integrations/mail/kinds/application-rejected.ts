import type { RejectionReason } from '#contract/joining.ts'
import { rejectionForMail } from '../../../program/joining/applicant-mail.ts'
import { applicantRejected } from '../../../program/joining/signals.ts'
import { greeting, toApplicant } from '../about/applicants.ts'
import { accountFirst, accountOf, said } from '../letter.ts'
import { mail, on } from '../mail.ts'

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
  write: ({ accountName, firstName, reason, message }) => ({
    ...toApplicant(accountName),
    subject: `Your application to ${accountOf(accountName)}`,
    preview: `${accountFirst(accountName)} has decided.`,
    parts: [
      greeting(firstName),
      `${accountFirst(accountName)} did not accept your application to become a partner.`,
      ...[because[reason], said(message, '')].filter((part) => part !== ''),
    ],
  }),
  sample: {
    accountName: 'Northwind',
    firstName: 'Pia',
    reason: 'incomplete',
    message: 'Please tell us more about your newsletter.',
  },
})

/** What an applicant reads of each reason; nothing of some. */
const because: Record<RejectionReason, string> = {
  'not-a-fit': 'The program is looking for other partners at the moment.',
  incomplete: 'It lacked something that is needed to decide.',
  region: 'The program doesn’t take partners in your region.',
  policy: 'It doesn’t agree with the program’s rules.',
  spam: '',
  other: '',
}
