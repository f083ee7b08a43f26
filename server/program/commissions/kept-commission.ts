import { raw, type Sql, sql } from '../../platform/database/sql.ts'

/**
 * Largest amount for which twice the amount times a rate fits a bigint; beyond, numerics are equally exact and slower.
 */
const SMALL = raw('1000000000000')

/**
 * Returns the commission that all layers of a sale `s` keep at these rates, less its refunds: `split` and `lostShare`
 * in SQL, exact to the unit. The rates, in parts per million and in order, are those of the earning layers; zero means
 * no layer.
 */
export function keptOf(ratesPpm: Sql[]): Sql {
  const amount = sql`s.account_amount`
  // half up per layer; the deeper one gets the rest, so that the sum never exceeds the sale
  const shares = ratesPpm.map(
    (rate) => sql`
      case when ${amount} <= ${SMALL} then (2 * ${amount} * ${rate} + 1000000) / 2000000
        else div(2 * ${amount}::numeric * ${rate} + 1000000, 2000000)::bigint end`,
  )
  const upTo = shares.map((_, layer) => {
    const sum = shares.slice(0, layer + 1).reduce((all, one) => sql`${all} + ${one}`)
    return sql`least(${sum}, ${amount})`
  })
  const all = upTo.at(-1) ?? sql`0::bigint`
  const lost = upTo.map((sum, layer) => {
    const earned = layer === 0 ? sum : sql`(${sum} - ${upTo[layer - 1]!})`
    return sql`div(2 * ${earned}::numeric * s.refunded_amount + s.gross_amount, 2 * s.gross_amount::numeric)`
  })
  if (lost.length === 0) return all
  return sql`case when s.refunded_amount = 0 then ${all} else ${all} - ${lost.reduce((sum, one) => sql`${sum} - ${one}`)} end`
}
