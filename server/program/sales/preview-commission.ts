import type { CommissionPreview, PreviewedSale } from '#contract/sales.ts'
import { asUuid, newId } from '../../platform/database/ids.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { wrongField } from '../../platform/refusal.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { credit, earningsOf } from '../commissions/credit.ts'
import type { SaleTerms } from '../commissions/earnings.ts'
import { partnerNames } from '../partner-lookup/partner-names.ts'
import { inAccountCurrency, ratesFor } from './exchange-rates.ts'

/** Returns the commission by partner of a sale recorded now; writes nothing. */
export const previewCommission = (
  db: Database | Transaction,
  account: AccountFacts,
  sale: PreviewedSale,
): Promise<CommissionPreview> =>
  transaction(db, async (tx) => {
    const referrer = sale.leadId
      ? await tx.maybe<Referrer>`
          select partner_id, blueprint_id from leads where id = ${asUuid(sale.leadId)} and account_id = ${account.id}`
      : await tx.maybe<Referrer>`
          select id as partner_id, null::uuid as blueprint_id
          from partners where id = ${asUuid(sale.partnerId!)} and account_id = ${account.id}`
    if (!referrer) throw sale.leadId ? wrongField('leadId', 'unknown_lead_in_account') : unknownPartner()
    const currency = account.defaultCurrency
    const saleDate = sale.saleDate ?? dayIn(account.timeZone, tx.now)
    const from = sale.currency ?? currency
    const [rate] = await ratesFor(tx, [{ accountId: account.id, currency: from, accountCurrency: currency, saleDate }])
    const accountAmount = rate ? inAccountCurrency(sale.amount, from, currency, rate) : null
    const asked = { id: newId(), accountId: account.id, ...referrer, accountAmount }
    const unsuspected = {
      referredAt: null,
      leadEmail: null,
      payerEmail: null,
      subscriptionId: null,
      judged: true,
      credited: true,
    }
    const byRates = { amount: accountAmount ?? 0, givenCommission: null }
    const credits = await credit(tx, new Map([[account.id, account]]), [{ ...asked, ...unsuspected, ...byRates }])
    const credited = credits.get(asked.id)!
    const plan = earningsOf({ ...credited, accountAmount, pastLimit: false })
    const names = await partnerNames(
      tx,
      [account.id],
      plan.map((earning) => earning.partnerId),
    )
    const total = plan.reduce((sum, earning) => sum + earning.amount, 0)
    return {
      currency,
      accountAmount,
      entries: plan.map(({ ratePpm, layer, amount, ...earning }) => ({
        partnerId: earning.partnerId,
        displayName: names.get(earning.partnerId) ?? '',
        layer,
        rate: ratePpm / 10_000,
        amount,
      })),
      total,
      profit: accountAmount === null ? null : accountAmount - total,
      unearned: plan.length > 0 ? null : unearnedOf(referrer, credited.terms),
      dueOn: addDays(saleDate, account.payoutDelay),
    }
  })

function unearnedOf({ partnerId }: Referrer, terms: SaleTerms | null): CommissionPreview['unearned'] {
  if (!partnerId) return { why: 'no-partner', source: null }
  return terms?.ratesPpm.every((rate) => rate === 0) ? { why: 'zero-rates', source: terms.source } : null
}

type Referrer = { partnerId: string | null; blueprintId: string | null }

const unknownPartner = () => wrongField('partnerId', 'unknown_partner_in_account')
