import type { SimilarLead } from '#contract/sales.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { paidOn } from '../leads/payment-time.ts'
import { leadsLikePayer } from '../leads/similar-leads.ts'

/** Returns the leads that may be the payer of a sale, which may already have a lead without a partner. */
export async function listLeadsSimilarToPayer(
  db: Queryable,
  account: AccountFacts,
  saleId: string,
): Promise<{ items: SimilarLead[] }> {
  const { payerEmail, leadEmail, saleDate, ...known } = await db.one<Known>`
    select coalesce(s.shop_id, s.told_by_shop_id) as shop_id, s.customer_id, s.payer_email, s.sale_date,
      l.email as lead_email, l.phone_e164,
      trim(coalesce(l.first_name, '') || ' ' || coalesce(l.last_name, '')) as name, trim(coalesce(l.company, '')) as company
    from sales s left join leads l on l.account_id = s.account_id and l.id = coalesce(s.lead_id, s.test_lead_id)
    where s.account_id = ${account.id} and s.id = ${saleId}`
  const emails = [payerEmail, leadEmail].filter((email) => email !== null)
  const items = await leadsLikePayer(
    db,
    account.id,
    { ...known, emails: [...new Set(emails)] },
    paidOn(saleDate, account.timeZone, db.now),
  )
  return { items }
}

type Known = {
  shopId: string | null
  customerId: string | null
  payerEmail: string | null
  saleDate: string
  leadEmail: string | null
  phoneE164: string | null
  name: string
  company: string
}
