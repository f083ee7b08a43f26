import { simpleTerms } from '#contract/simple-terms.ts'
import type { Terms } from '#contract/terms.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { computeEarnings } from '../commissions/credit.ts'
import { type Referral, readSaleTerms } from '../commissions/earnings.ts'
import { Used } from '../terms/caps.ts'
import { logWithMove } from '../terms/in-force.ts'
import { underCaps } from '../terms/plan.ts'
import { fromPpm } from '../terms/rates.ts'

/** Earnings of a person who becomes a partner today, from customers referred today, by one way. */
export type Promised = {
  /** The link whose own terms these are; null for the account's. */
  linkName: string | null
  terms: Terms
  /** Returns what they earn of a new customer's first sale of this amount on this day, in the account's currency. */
  earnedOf(amount: number, saleDate: string): number
}

/**
 * Returns the commission of a new partner in this group, or the default one, under the terms in force, computed like a
 * booked sale. Links with their own terms follow the account's; equal terms appear once.
 */
export async function promisedCommission(
  tx: Transaction,
  { id: accountId }: AccountFacts,
  groupId: string | null,
): Promise<Promised[]> {
  const links = await tx.many<{ id: string; name: string }>`
    select id, name from link_blueprints
    where account_id = ${accountId} and enabled and archived_at is null order by created_at, id`
  const partnerId = newId()
  const ways = [{ id: null, name: null }, ...links].map((link) => ({
    id: newId(),
    accountId,
    partnerId,
    blueprintId: link.id,
    linkName: link.name,
    referredAt: tx.now.toISOString(),
  }))
  const referrals = await readSaleTerms(
    tx,
    ways,
    groupId === null ? undefined : logWithMove(accountId, { partnerId, groupId }),
  )
  const all = ways.map(({ id, linkName }) => promisedBy(linkName, { accountId, partnerId }, referrals.get(id)!))
  const seen = new Set<string>()
  return all.filter(({ terms }) => {
    const words = JSON.stringify(terms)
    return !seen.has(words) && seen.add(words)
  })
}

type Referrer = { accountId: string; partnerId: string }

function promisedBy(linkName: string | null, referrer: Referrer, { terms, version }: Referral): Promised {
  // no partner has this id yet, so that there is no line above
  const credit = { ...terms, line: [{ partnerId: referrer.partnerId, earns: true }] }
  return {
    linkName,
    terms: version ?? simpleTerms(fromPpm(terms.ratesPpm!)),
    earnedOf(amount, saleDate) {
      const sale = {
        amount,
        grossAmount: amount,
        accountAmount: amount,
        saleDate,
        lines: null,
        country: null,
        metadata: {},
        partnerCode: false,
        customerPlace: 1,
        customerSince: saleDate,
      }
      const capped = { ...sale, ...referrer, id: newId(), leadId: null, credit, terms: version }
      const kept = underCaps(capped, new Used(), 0)
      const [own] = computeEarnings({ ...sale, terms: kept, version, credited: true, pastLimit: false })
      return own?.earned ?? 0
    },
  }
}
