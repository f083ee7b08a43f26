import type { Transaction } from '../database/pool.ts'
import type { LeadFacts } from '../leads/lead-facts.ts'
import type { SaleToRecord } from './record-sale.ts'

/** What a fraud rule does with a sale's commission: hold it until a day, or book none at all (`credit: false`). */
export type Hold = { rule: string; until: string | null; credit: boolean }

/** A hold ends by itself after this long without a decision. */
const HELD_DAYS = 30

/**
 * Self-referral, the first rule: the customer's e-mail is the referring partner's own (product.md, sections 12 and 16).
 * One answer per sale, in their order; null where nothing is wrong, or the account allows it.
 */
export async function fraudHolds(
  tx: Transaction,
  sales: SaleToRecord[],
  leads: Map<string, LeadFacts>,
): Promise<(Hold | null)[]> {
  const watched = sales.some((sale) => sale.account.selfReferralPolicy !== 'allow')
  const partnerIds = [...new Set([...leads.values()].map((lead) => lead.partnerId).filter((id) => id !== null))]
  if (!watched || partnerIds.length === 0) return sales.map(() => null)
  const rows = await tx.many<{ id: string; emails: string[] }>`
    select p.id, array_remove(array[p.email, u.email], null) as emails
    from partners p left join users u on u.id = p.user_id where p.id = any(${partnerIds}::uuid[])`
  const emails = new Map(rows.map((row) => [row.id, row.emails]))
  return sales.map(({ account, leadId, payerEmail }) => {
    const lead = leadId ? leads.get(leadId) : undefined
    const own = (lead?.partnerId && emails.get(lead.partnerId)) || []
    const customer = [lead?.email, payerEmail?.toLowerCase()].filter(Boolean)
    if (!own.some((email) => customer.includes(email))) return null
    const until = new Date(tx.now.getTime() + HELD_DAYS * 86_400_000).toISOString()
    switch (account.selfReferralPolicy) {
      case 'hold':
        return { rule: 'self-referral', until, credit: true }
      case 'refuse':
        return { rule: 'self-referral', until: null, credit: false }
      case 'flag':
        return { rule: 'self-referral', until: null, credit: true }
      default:
        return null
    }
  })
}
