import { confirmationForMail } from '../../../program/applications/applicant-mail.ts'
import { confirmationAsked } from '../../../program/applications/signals.ts'
import { greeting, toApplicant } from '../about/applicants.ts'
import { mail, on } from '../mail.ts'
import { accountOf } from '../message.ts'

export const applicationConfirm = mail({
  group: 'invitations',
  title: 'Application to confirm',
  description: 'An applicant is asked to confirm their email.',
  when: on(confirmationAsked, ({ applicationId: id }, { accountId }) => [{ id, accountId: accountId! }]),
  async read(services, { id, accountId }) {
    const asked = await confirmationForMail(services.db, services, { accountId, applicationId: id })
    if (!asked) return null
    const { to, isDisabled, ...data } = asked
    return isDisabled ? 'later' : { to, data }
  },
  write: ({ accountName, firstName, url }) => ({
    ...toApplicant(accountName),
    subject: `Confirm your application to ${accountOf(accountName)}`,
    preview: 'One click, and your application is on its way.',
    parts: [
      greeting(firstName),
      `You asked to become a partner of ${accountOf(accountName)}. Confirm your email to send your application.`,
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
