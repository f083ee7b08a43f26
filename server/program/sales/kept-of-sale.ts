import { raw, type Sql, sql } from '../../platform/database/sql.ts'

/** Up to here twice an amount times a rate is a bigint; beyond, numerics are as exact and take longer. */
const SMALL = raw('1000000000000')

/**
 * The commission that all layers of a sale `s` keep by these rates, less its refunds: `split` and `lostShare` in SQL, to the
 * unit. The rates, in parts per million and in their order, are of the layers that earn; zero is no layer.
 */
export function keptOf(ratesPpm: Sql[]): Sql {
  const amount = sql`s.account_amount`
  // half up per layer; the deeper one gets what is left of the sale, so that all up to each never have more than it
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
