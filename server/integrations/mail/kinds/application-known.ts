import { dayInWords } from '../../../platform/format-values.ts'
import { standingForMail } from '../../../program/applications/applicant-mail.ts'
import type { Standing } from '../../../program/applications/apply.ts'
import { applicantKnown } from '../../../program/applications/signals.ts'
import { buildGreeting, toApplicant } from '../about/applicants.ts'
import { applicantMailPhrases } from '../applicant-text.ts'
import { defineMail, onSignal } from '../mail.ts'
import { accountFirst, formatAccountName } from '../message.ts'
import { findLanguage } from '../queries.ts'

const words = applicantMailPhrases.known

export const applicationKnown = defineMail({
  group: 'invitations',
  title: 'Applied before',
  description: 'Someone who is a partner already, or has applied before, applied again.',
  when: onSignal(applicantKnown, ({ applicationId: id }, { accountId }) => [{ id, accountId: accountId! }]),
  async read(services, { id, accountId }) {
    const applicant = await standingForMail(services.db, services, { accountId, applicationId: id })
    // may apply by now
    if (!applicant || applicant.standing.kind === 'new') return null
    const { to, isDisabled, language: ofPage, ...data } = applicant
    if (isDisabled) return 'later'
    return { to, language: await findLanguage(services.db, to, ofPage), data }
  },
  write: ({ accountName, firstName, standing, url }) => {
    const { subject, sentence } = wordsOf(standing, accountName)
    return {
      ...toApplicant(accountName),
      subject,
      preview: sentence,
      parts: [buildGreeting(firstName), sentence, applicantMailPhrases.ignore],
      ...(standing.kind === 'partner' && { button: { label: words.signIn, url } }),
    }
  },
  sample: {
    accountName: 'Northwind',
    firstName: 'Pia',
    lastName: 'Tern',
    standing: { kind: 'later', on: '2026-11-20' },
    url: 'https://partners.example.com/auth/sign-in',
  },
})

function wordsOf(standing: Standing, accountName: string | null): { subject: string; sentence: string } {
  const [account, first] = [formatAccountName(accountName), accountFirst(accountName)]
  switch (standing.kind) {
    case 'partner':
      return {
        subject: words.partner.subject({ account }),
        sentence: words.partner.text({ account }),
      }
    case 'waiting':
    case 'new':
      return {
        subject: words.waiting.subject({ account: first }),
        sentence: words.waiting.text({ account: first }),
      }
    case 'later':
      return {
        subject: words.later.subject({ account }),
        sentence: words.later.text({ account, day: dayInWords(standing.on) }),
      }
    case 'never':
      return {
        subject: applicantMailPhrases.rejected.subject({ account }),
        sentence: words.never({ account: first }),
      }
  }
}
