import { countFirst } from '../../../platform/format-values.ts'
import { claimsForMail } from '../../../program/claims/open-claims.ts'
import { listSubjects, newsMail } from '../mail.ts'
import { accountFirst, listFirst, MOST_LINES, quoteText, toPartner } from '../message.ts'
import { claimInWords } from './claim-made.ts'

export const claimDecided = newsMail({
  group: 'leads',
  title: 'Claim decided',
  description: 'A partner’s claim of a missing sale was accepted or declined.',
  news: { 'claim.decided': ({ partnerId }) => ({ to: { partnerId } }) },
  async read(gathered) {
    const { db, account, origin } = gathered
    const claims = (await claimsForMail(db, account.id, listSubjects(gathered))).filter(({ state }) => state !== 'open')
    if (claims.length === 0) return null
    return {
      accountName: account.name,
      count: claims.length,
      claims: claims.slice(0, MOST_LINES).map(({ orderId, day, state, reason }) => ({
        orderId,
        day,
        accepted: state === 'accepted',
        reason: state === 'refused' ? reason : null,
      })),
      url: `${origin}/leads?claims=true`,
    }
  },
  write({ accountName, count, claims, url }) {
    const [first] = claims
    const decided = ({ accepted }: { accepted: boolean }) => (accepted ? 'accepted' : 'declined')
    const lines = claims.map((claim) => ({
      label: claimInWords(claim),
      value: claim.accepted ? 'Accepted' : 'Declined',
      note: quoteText(claim.reason) || null,
    }))
    return {
      ...toPartner(accountName),
      subject:
        count > 1
          ? `${countFirst(count)} of your claims were decided`
          : first!.accepted
            ? 'Your claim was accepted'
            : 'We couldn’t credit this sale',
      preview: lines.map(({ label, value }) => `${label}: ${value}`).join(', '),
      parts: [
        count === 1
          ? `${accountFirst(accountName)} ${decided(first!)} your claim of a missing sale.`
          : `${accountFirst(accountName)} decided on these claims of missing sales.`,
        ...listFirst(count, lines),
      ],
      button: { label: 'Open claims', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    count: 2,
    claims: [
      { orderId: 'A-1001', day: null, accepted: true, reason: null },
      { orderId: null, day: '2027-02-18', accepted: false, reason: 'This customer was referred by someone else.' },
    ],
    url: 'https://partners.example.com/leads?claims=true',
  },
})
