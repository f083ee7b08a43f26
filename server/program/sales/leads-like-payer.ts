import type { SimilarLead } from '#contract/sales.ts'
import { rowsByKeySql } from '../../platform/database/by-key.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { paidOn } from '../leads/payment-time.ts'
import { leadsLikePayers } from '../leads/similar-leads.ts'

/** Returns the leads that may be the payer of a sale, which may already have a lead without a partner. */
export async function listLeadsSimilarToPayer(
  db: Queryable,
  account: AccountFacts,
  saleId: string,
): Promise<{ items: SimilarLead[] }> {
  return { items: (await leadsOfPayers(db, account, [saleId])).get(saleId) ?? [] }
}

/** Returns, by sale, the leads that may be the payers of these sales, in as many statements as for one. */
export async function leadsOfPayers(
  db: Queryable,
  account: AccountFacts,
  saleIds: string[],
): Promise<Map<string, SimilarLead[]>> {
  if (saleIds.length === 0) return new Map()
  const known = await db.many<Known>`
    select t.id as key, coalesce(t.shop_id, t.told_by_shop_id) as shop_id, t.customer_id, t.payer_email, t.sale_date,
      l.email as lead_email, l.phone_e164,
      trim(coalesce(l.first_name, '') || ' ' || coalesce(l.last_name, '')) as name, trim(coalesce(l.company, '')) as company
    from ${rowsByKeySql(sql`sales`, [account.id], saleIds)}
    left join leads l on l.account_id = ${account.id} and l.id = coalesce(t.lead_id, t.test_lead_id)`
  const payers = known.map(({ payerEmail, leadEmail, saleDate, ...payer }) => ({
    ...payer,
    emails: [...new Set([payerEmail, leadEmail].filter((email) => email !== null))],
    paid: paidOn(saleDate, account.timeZone, db.now),
  }))
  return leadsLikePayers(db, account.id, payers)
}

type Known = {
  key: string
  shopId: string | null
  customerId: string | null
  payerEmail: string | null
  saleDate: string
  leadEmail: string | null
  phoneE164: string | null
  name: string
  company: string
}
