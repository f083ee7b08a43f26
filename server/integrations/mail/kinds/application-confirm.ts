import { confirmationForMail } from '../../../program/applications/applicant-mail.ts'
import { confirmationAsked } from '../../../program/applications/signals.ts'
import { buildGreeting, toApplicant } from '../about/applicants.ts'
import { defineMail, onSignal } from '../mail.ts'
import { formatAccountName } from '../message.ts'

export const applicationConfirm = defineMail({
  group: 'invitations',
  title: 'Application to confirm',
  description: 'An applicant is asked to confirm their email.',
  when: onSignal(confirmationAsked, ({ applicationId: id }, { accountId }) => [{ id, accountId: accountId! }]),
  async read(services, { id, accountId }) {
    const confirmation = await confirmationForMail(services.db, services, { accountId, applicationId: id })
    if (!confirmation) return null
    const { to, isDisabled, ...data } = confirmation
    return isDisabled ? 'later' : { to, data }
  },
  write: ({ accountName, firstName, url }) => ({
    ...toApplicant(accountName),
    subject: `Confirm your application to ${formatAccountName(accountName)}`,
    preview: 'One click, and your application is on its way.',
    parts: [
      buildGreeting(firstName),
      `You asked to become a partner of ${formatAccountName(accountName)}. Confirm your email to send your application.`,
      'The link works for 7 days. If you didn’t apply, you can ignore this email.',
    ],
    button: { label: 'Confirm application', url },
    showsLink: true,
  }),
  sample: {
    accountName: 'Northwind',
    firstName: 'Pia',
    url: 'https://partners.example.com/join/confirm#token=sample',
  },
})
