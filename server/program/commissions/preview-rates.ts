import type { OtherRates, RatesEffect } from '#contract/sales.ts'
import { asUuid, NIL } from '../../platform/database/ids.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { join, raw, type Sql, sql } from '../../platform/database/sql.ts'
import { wrongField } from '../../platform/refusal.ts'
import { addDays, dayIn, firstOfMonth } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type CommissionTerms, commissionTermsOf } from './earnings.ts'
import { keptOf } from './kept-commission.ts'
import { toPpm } from './rates.ts'

/** The referrer and link of the month's sales, which decide the rates. */
type Referred = { partnerId: string; blueprintId: string | null }

/**
 * Returns the commission of the last whole month's sales at other rates, and at the current rates, so that the
 * difference is due to the change alone. Both are computed like a booking. Sales without rates are left out: those that
 * earn nothing, and those with a given commission.
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
    const those = sql`s.account_id = ${account.id} and s.sale_date between ${from} and ${to} and s.partner_id is not null
      and s.account_amount > 0 and s.status <> 'void' and s.credited and not s.past_limit and s.given_commission is null
      ${partnerId ? sql`and s.partner_id = ${partnerId}` : sql``}
      ${blueprintId ? sql`and s.blueprint_id = ${blueprintId}` : sql``}`
    const pairs = await tx.many<Referred>`select distinct s.partner_id, s.blueprint_id from sales s where ${those}`
    const referred = pairs.map((one) => ({
      ...one,
      ...{ id: keyOf(one), accountId: account.id, defaultRatesPpm: account.layerRatesPpm },
    }))
    const source = partnerId ? 'partner' : blueprintId ? 'link' : 'account'
    const before = await commissionTermsOf(tx, referred)
    const after =
      source === 'account'
        ? await commissionTermsOf(
            tx,
            referred.map((sale) => ({ ...sale, defaultRatesPpm: ratesPpm ?? account.layerRatesPpm })),
          )
        : await commissionTermsOf(tx, referred, { partnerId, blueprintId, ratesPpm })
    const compared = referred.flatMap((one) => {
      const [now, then] = [before, after].map((all) => all.get(one.id)!.terms) as [CommissionTerms, CommissionTerms]
      return [now, then].some((terms) => terms.source === source)
        ? [{ ...one, before: earningRates(now), after: earningRates(then) }]
        : []
    })
    return { currency: account.defaultCurrency, from, to, ...(await addedUp(tx, those, compared)) }
  })

/** The rates of the layers with an earning partner. */
const earningRates = ({ ratesPpm, line }: CommissionTerms) =>
  ratesPpm.filter((_, layer) => line[layer]?.earns && line[layer].partnerId)

type Compared = Referred & { before: number[]; after: number[] }

/** Summed in the database: there are as many amounts as sales, but few ways to split them. */
async function addedUp(tx: Transaction, those: Sql, compared: Compared[]) {
  const ways = [
    ...new Map(compared.flatMap(({ before, after }) => [before, after]).map((rates) => [rates.join(), rates])),
  ]
  const placeOf = new Map(ways.map(([key], place) => [key, place]))
  const layers = Array.from({ length: Math.max(1, ...ways.map(([, rates]) => rates.length)) }, (_, layer) => layer)
  const rateOf = (way: string) => layers.map((layer) => raw(`${way}.rate${layer}`))
  return tx.one<Pick<RatesEffect, 'sales' | 'paid' | 'wouldHavePaid'>>`
    with month as materialized (
      select s.partner_id, coalesce(s.blueprint_id, ${NIL}) as blueprint_id, s.account_amount, s.gross_amount, s.refunded_amount
      from sales s where ${those}
    ), ways as materialized (
      select * from unnest(${ways.map((_, place) => place)}::integer[],
        ${join(
          layers.map((layer) => sql`${ways.map(([, rates]) => rates[layer] ?? 0)}::bigint[]`),
          ', ',
        )}) as w (place, ${raw(layers.map((layer) => `rate${layer}`).join(', '))})
    ), pairs as materialized (
      select * from unnest(${compared.map((one) => one.partnerId)}::uuid[],
        ${compared.map((one) => one.blueprintId ?? NIL)}::uuid[], ${compared.map((one) => placeOf.get(one.before.join()))}::integer[],
        ${compared.map((one) => placeOf.get(one.after.join()))}::integer[]) as p (partner_id, blueprint_id, before, after)
    )
    select count(*) as sales, coalesce(sum(${keptOf(rateOf('a'))}), 0)::bigint as paid,
      coalesce(sum(${keptOf(rateOf('b'))}), 0)::bigint as would_have_paid
    from month s
      join pairs p on p.partner_id = s.partner_id and p.blueprint_id = s.blueprint_id
      join ways a on a.place = p.before
      join ways b on b.place = p.after`
}

const keyOf = ({ partnerId, blueprintId }: Referred) => `${partnerId} ${blueprintId}`

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
