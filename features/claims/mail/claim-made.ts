import { listSubjects, newsMail } from '#server/integrations/mail/mail.ts'
import { accountFirst, listFirst, MOST_LINES, nameOr, toTeam } from '#server/integrations/mail/message.ts'
import { countInWords, dayInWords } from '#server/platform/format-values.ts'
import { claimsForMail } from '../server/open-claims.ts'
import { claimMailPhrases } from './text.ts'

export const claimMade = newsMail({
  group: 'leads',
  title: 'Missing sale claimed',
  description: 'A partner says that a sale is missing.',
  news: { 'claim.made': () => ({ to: 'team' }) },
  async read(gathered) {
    const { db, account, origin } = gathered
    const claims = await claimsForMail(db, account.id, listSubjects(gathered))
    const open = claims.filter(({ state }) => state === 'open')
    if (open.length === 0) return null
    return {
      accountName: account.name,
      count: open.length,
      claims: open.slice(0, MOST_LINES).map(({ partnerName, orderId, day }) => ({ partnerName, orderId, day })),
      url: open.length === 1 ? `${origin}/claims/${open[0]!.id}` : `${origin}/claims?state=open`,
    }
  },
  write({ accountName, count, claims, url }) {
    const one = count === 1 ? nameOr(claims[0]?.partnerName, 'A partner') : null
    const lines = claims.map((claim) => ({ label: nameOr(claim.partnerName, 'A partner'), value: claimInWords(claim) }))
    return {
      ...toTeam(accountName),
      subject: one
        ? `${one} says that a sale is missing`
        : countInWords(count, 'claim of a missing sale', 'claims of missing sales'),
      preview: lines.map(({ label, value }) => (one ? value : label)).join(', '),
      parts: [
        `${accountFirst(accountName)} has ${one ? 'a new claim of a missing sale' : countInWords(count, 'new claim of a missing sale', 'new claims of missing sales')}.`,
        ...listFirst(count, lines),
      ],
      button: { label: one ? 'Open claim' : 'Open claims', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    count: 2,
    claims: [
      { partnerName: 'Pia Tern', orderId: 'A-1001', day: null },
      { partnerName: 'Sam Ortiz', orderId: null, day: '2027-02-18' },
    ],
    url: 'https://partners.example.com/claims?state=open',
  },
})

/** The sale that a claim names, without the customer's e-mail. */
export function claimInWords({ orderId, day }: { orderId: string | null; day: string | null }) {
  if (day) return claimMailPhrases.sale({ day: dayInWords(day) })
  const id = nameOr(orderId, '')
  return id ? claimMailPhrases.order({ id }) : claimMailPhrases.orderWithoutId
}
