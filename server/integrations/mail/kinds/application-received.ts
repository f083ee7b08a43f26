import { countInWords } from '../../../platform/format-values.ts'
import { waitingAmong } from '../../../program/applications/waiting.ts'
import { listSubjects, newsMail } from '../mail.ts'
import { accountFirst, listFirst, MOST_LINES, nameOr, toTeam } from '../message.ts'

export const applicationReceived = newsMail({
  group: 'applications',
  title: 'Application received',
  description: 'Someone applied to become a partner.',
  news: { 'application.received': () => ({ to: 'team' }) },
  async read(gathered) {
    const { db, account, origin } = gathered
    const waiting = await waitingAmong(db, account.id, listSubjects(gathered))
    if (waiting.length === 0) return null
    return {
      accountName: account.name,
      count: waiting.length,
      applicants: waiting.slice(0, MOST_LINES),
      url: `${origin}/partners?tab=applications&status=waiting`,
    }
  },
  write({ accountName, count, applicants, url }) {
    const one = count === 1 ? nameOr(applicants[0]?.name, 'Someone') : null
    const lines = applicants.map(({ name, recruiter, flagged }) => ({
      label: nameOr(name, 'Someone'),
      value: recruiter ? `Recruited by ${nameOr(recruiter, 'a partner')}` : 'From the program page',
      note: flagged ? 'flagged' : null,
    }))
    return {
      ...toTeam(accountName),
      subject: one ? `New application: ${one}` : countInWords(count, 'new application'),
      preview: lines.map(({ label, value }) => (one ? value : label)).join(', '),
      parts: [
        `${accountFirst(accountName)} has ${one ? 'a new application' : countInWords(count, 'new application')}.`,
        ...listFirst(count, lines),
      ],
      button: { label: one ? 'Open application' : 'Open applications', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    count: 2,
    applicants: [
      { name: 'Jane Doe', recruiter: 'Pia Tern', flagged: false },
      { name: 'Sam Ortiz', recruiter: null, flagged: true },
    ],
    url: 'https://partners.example.com/partners?tab=applications',
  },
})
