import { dayInWords } from '../../../platform/format-values.ts'
import { standingForMail } from '../../../program/applications/applicant-mail.ts'
import type { Standing } from '../../../program/applications/apply.ts'
import { applicantKnown } from '../../../program/applications/signals.ts'
import { buildGreeting, toApplicant } from '../about/applicants.ts'
import { defineMail, onSignal } from '../mail.ts'
import { accountFirst, formatAccountName } from '../message.ts'

export const applicationKnown = defineMail({
  group: 'invitations',
  title: 'Applied before',
  description: 'Someone who is a partner already, or has applied before, applied again.',
  when: onSignal(applicantKnown, ({ applicationId: id }, { accountId }) => [{ id, accountId: accountId! }]),
  async read(services, { id, accountId }) {
    const applicant = await standingForMail(services.db, services, { accountId, applicationId: id })
    // may apply by now
    if (!applicant || applicant.standing.kind === 'new') return null
    const { to, isDisabled, ...data } = applicant
    return isDisabled ? 'later' : { to, data }
  },
  write: ({ accountName, firstName, standing, url }) => {
    const { subject, sentence } = wordsOf(standing, accountName)
    return {
      ...toApplicant(accountName),
      subject,
      preview: sentence,
      parts: [buildGreeting(firstName), sentence, 'If you didn’t apply, you can ignore this email.'],
      ...(standing.kind === 'partner' && { button: { label: 'Sign in', url } }),
    }
  },
  sample: {
    accountName: 'Northwind',
    firstName: 'Pia',
    standing: { kind: 'later', on: '2026-11-20' },
    url: 'https://partners.example.com/auth/sign-in',
  },
})

function wordsOf(standing: Standing, account: string | null): { subject: string; sentence: string } {
  switch (standing.kind) {
    case 'partner':
      return {
        subject: `You’re already a partner of ${formatAccountName(account)}`,
        sentence: `You’re already a partner of ${formatAccountName(account)}. Sign in with this email address.`,
      }
    case 'waiting':
    case 'new':
      return {
        subject: `${accountFirst(account)} has your application`,
        sentence: `${accountFirst(account)} has your application. You’ll get an email when a decision is made.`,
      }
    case 'later':
      return {
        subject: `You can apply to ${formatAccountName(account)} again later`,
        sentence: `You can apply to ${formatAccountName(account)} again on ${dayInWords(standing.on)}.`,
      }
    case 'never':
      return {
        subject: `Your application to ${formatAccountName(account)}`,
        sentence: `${accountFirst(account)} has already decided on your application and doesn’t accept another one.`,
      }
  }
}
