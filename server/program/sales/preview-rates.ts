import type { OtherRates, RatesEffect } from '#contract/sales.ts'
import { asUuid } from '../../platform/database/ids.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { wrongField } from '../../platform/refusal.ts'
import { addDays, dayIn, firstOfMonth } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { split, type Terms, termsOf } from '../commissions/earnings.ts'
import { toPpm } from '../commissions/rates.ts'
import { lostShare } from './sale-state.ts'

/** Sales that any rates split alike: as many of them as `count`. */
type Alike = {
  partnerId: string
  blueprintId: string | null
  accountAmount: number
  grossAmount: number
  refundedAmount: number
  count: number
}

/**
 * What the sales of the last whole month would have paid by other rates, beside what they pay by those that stand now, so
 * that the difference is the change's alone. Both are worked out as a sale is booked. What rates do not split is left out:
 * sales that earn nothing, and those whose commission came with them.
 */
export const previewRates = (
  db: Database | Transaction,
  account: AccountFacts,
  body: OtherRates,
): Promise<RatesEffect> =>
  transaction(db, async (tx) => {
    await checkSubject(tx, account.id, body)
    const { partnerId, blueprintId } = body
    const ratesPpm = body.commissionSettings && toPpm(body.commissionSettings)
    const to = addDays(firstOfMonth(dayIn(account.timeZone, tx.now)), -1)
    const from = firstOfMonth(to)
    const alike = await tx.many<Alike>`
      select partner_id, blueprint_id, account_amount, gross_amount, refunded_amount, count(*) as count
      from sales
      where account_id = ${account.id} and sale_date between ${from} and ${to} and partner_id is not null
        and account_amount > 0 and status <> 'void' and credited and not past_limit and given_commission is null
        ${partnerId ? sql`and partner_id = ${partnerId}` : sql``}
        ${blueprintId ? sql`and blueprint_id = ${blueprintId}` : sql``}
      group by partner_id, blueprint_id, account_amount, gross_amount, refunded_amount`
    const referred = [...new Map(alike.map((one) => [keyOf(one), one]))].map(([id, one]) => ({
      id,
      partnerId: one.partnerId,
      blueprintId: one.blueprintId,
      defaultRatesPpm: account.layerRatesPpm,
    }))
    const source = partnerId ? 'partner' : blueprintId ? 'link' : 'account'
    const before = await termsOf(tx, referred)
    const after =
      source === 'account'
        ? await termsOf(
            tx,
            referred.map((sale) => ({ ...sale, defaultRatesPpm: ratesPpm ?? account.layerRatesPpm })),
          )
        : await termsOf(tx, referred, { partnerId, blueprintId, ratesPpm })
    const effect = { sales: 0, paid: 0, wouldHavePaid: 0 }
    for (const some of alike) {
      const terms = [before, after].map((all) => all.get(keyOf(some))!.terms)
      if (!terms.some((one) => one.source === source)) continue
      const [now, then] = terms.map((one) => some.count * keptOf(some, one))
      effect.sales += some.count
      effect.paid += now!
      effect.wouldHavePaid += then!
    }
    return { currency: account.defaultCurrency, from, to, ...effect }
  })

const keyOf = ({ partnerId, blueprintId }: Pick<Alike, 'partnerId' | 'blueprintId'>) => `${partnerId} ${blueprintId}`

/** What all layers of one such sale have, less what its refunds take. */
const keptOf = (sale: Alike, terms: Terms) =>
  split(sale.accountAmount, terms).reduce(
    (sum, { amount }) => sum + amount - lostShare(amount, sale.refundedAmount, sale),
    0,
  )

async function checkSubject(tx: Transaction, accountId: string, { partnerId, blueprintId }: OtherRates) {
  if (
    partnerId &&
    !(await tx.maybe`select from partners where id = ${asUuid(partnerId)} and account_id = ${accountId}`)
  )
    throw wrongField('partnerId', 'unknown_partner_in_account')
  if (
    blueprintId &&
    !(await tx.maybe`select from link_blueprints where id = ${asUuid(blueprintId)} and account_id = ${accountId}`)
  )
    throw wrongField('blueprintId', 'unknown_link')
}
