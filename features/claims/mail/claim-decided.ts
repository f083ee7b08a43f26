import { listSubjects, newsMail } from '#server/integrations/mail/mail.ts'
import {
  accountFirst,
  listFirst,
  MOST_LINES,
  quoteText,
  toPartner,
  toPlainLine,
} from '#server/integrations/mail/message.ts'
import { claimsForMail } from '../server/open-claims.ts'
import { claimInWords } from './claim-made.ts'
import { claimMailPhrases } from './text.ts'

type DecidedClaim = { orderId: string | null; day: string | null; accepted: boolean; reason: string | null }
/** `differ`: some were accepted, others declined. */
type Decided = { accountName: string | null; count: number; differ: boolean; claims: DecidedClaim[]; url: string }

const sample: Decided = {
  accountName: 'Northwind',
  count: 2,
  differ: true,
  claims: [
    { orderId: 'A-1001', day: null, accepted: true, reason: null },
    { orderId: null, day: '2027-02-18', accepted: false, reason: 'This customer was referred by someone else.' },
  ],
  url: 'https://partners.example.com/leads?claims=true',
}

export const claimDecided = newsMail({
  group: 'leads',
  title: 'Claim decided',
  description: 'A partner’s claim of a missing sale was accepted or declined.',
  news: { 'claim.decided': ({ partnerId }) => ({ to: { partnerId } }) },
  async read(gathered): Promise<Decided | null> {
    const { db, account, origin } = gathered
    const claims = (await claimsForMail(db, account.id, listSubjects(gathered))).filter(({ state }) => state !== 'open')
    if (claims.length === 0) return null
    return {
      accountName: account.name,
      count: claims.length,
      differ: new Set(claims.map(({ state }) => state)).size > 1,
      claims: claims.slice(0, MOST_LINES).map(({ orderId, day, state, reason }) => ({
        orderId,
        day,
        accepted: state === 'accepted',
        reason: state === 'refused' ? reason : null,
      })),
      url: `${origin}/leads?claims=true`,
    }
  },
  write(data) {
    const { accountName, count, claims, url } = data
    const [first] = claims
    const account = accountFirst(accountName)
    const words = claimMailPhrases
    return {
      ...toPartner(accountName),
      subject: count > 1 ? words.several.subject({ count }) : resultOf(first!).subject,
      preview: claims.map((claim) => resultOf(claim).preview({ claim: claimInWords(claim) })).join(', '),
      parts: [count === 1 ? resultOf(first!).text({ account }) : words.several.text({ account }), ...listClaims(data)],
      button: { label: words.open, url },
    }
  },
  editable: {
    // a mail about claims of both results keeps its usual text
    kind({ differ, claims }) {
      if (differ) return null
      return claims[0]?.accepted ? 'claim-accepted' : 'claim-declined'
    },
    values: ({ claims }) => ({
      claim: claims.map(claimInWords).join(', '),
      reason: [...new Set(claims.map(({ reason }) => toPlainLine(reason)))].filter(Boolean).join(' '),
    }),
    details: listClaims,
    sampleOf(kind) {
      const claims = sample.claims.filter(({ accepted }) => accepted === (kind === 'claim-accepted'))
      return { ...sample, count: claims.length, differ: false, claims }
    },
  },
  sample,
})

const resultOf = ({ accepted }: DecidedClaim) => (accepted ? claimMailPhrases.accepted : claimMailPhrases.declined)

function listClaims({ count, claims }: Decided) {
  return listFirst(
    count,
    claims.map((claim) => ({
      label: claimInWords(claim),
      value: resultOf(claim).result,
      note: quoteText(claim.reason) || null,
    })),
  )
}
