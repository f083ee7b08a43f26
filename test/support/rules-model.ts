/**
 * The pay of rules (terms.md, rules 11 to 19), a second time and as plainly as can be: from all facts at once, in whole
 * units of money, with nothing of the product imported.
 */
export type ModelRule = {
  products?: string[]
  code?: 'used' | 'not-used'
  payments?: number
  months?: number
  from?: number
  to?: number
  countries?: string[]
  /** Percent, or amounts, by layer. */
  rates?: number[]
  amounts?: number[]
}
export type ModelSale = {
  name: string
  date: string
  net: number
  gross: number
  lines: { id: string; product: string | null; amount: number }[]
  country: string | null
  code: boolean
  void: boolean
  refunds: { amount: number; lines: { id: string; amount: number }[]; counts: boolean }[]
}

const halfUp = (a: number, n: number, d: number) => Number((2n * BigInt(a) * BigInt(n) + BigInt(d)) / (2n * BigInt(d)))

/** The part of each weight in a total: what the first ones have together is rounded. */
function parts(total: number, weights: number[]) {
  const all = weights.reduce((a, b) => a + b, 0)
  const upTo = weights.map((_, at) =>
    halfUp(
      total,
      weights.slice(0, at + 1).reduce((a, b) => a + b, 0),
      all,
    ),
  )
  return upTo.map((sum, at) => sum - (upTo[at - 1] ?? 0))
}

function monthsAfter(date: string, months: number) {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10)
}

/** Returns what each layer keeps of each sale of one customer, by the name of the sale. */
export function remainingByLayer(rules: ModelRule[], otherwise: ModelRule, sales: ModelSale[], layers: number) {
  const placed = sales
    .filter((sale) => !sale.void && sale.net > 0)
    .sort((a, b) => (a.date + a.name < b.date + b.name ? -1 : 1))
  return new Map(
    sales.map((sale) => {
      const place = placed.indexOf(sale) + 1
      const kept = Array.from({ length: layers }, () => 0)
      if (sale.void || sale.net === 0) return [sale.name, kept]
      const given = sale.lines.filter((line) => line.amount > 0)
      const scaled = parts(
        sale.net,
        given.map((line) => line.amount),
      )
      const lines = given.map((line, at) => ({ ...line, net: scaled[at]! })).filter((line) => line.net > 0)
      if (lines.length === 0) lines.push({ id: '', product: null, amount: 0, net: sale.net })
      const taxes = parts(
        sale.gross - sale.net,
        lines.map((line) => line.net),
      )
      const grosses = lines.map((line, at) => line.net + taxes[at]!)
      const counted = sale.refunds.filter((refund) => refund.counts)
      const lost = Math.min(
        sale.gross,
        counted.reduce((sum, refund) => sum + refund.amount, 0),
      )
      const named = lines.map((line, at) =>
        Math.min(
          grosses[at]!,
          counted
            .flatMap((refund) => refund.lines)
            .reduce((sum, one) => (one.id === line.id ? sum + one.amount : sum), 0),
        ),
      )
      const rest = lost - named.reduce((a, b) => a + b, 0)
      const left = grosses.map((gross, at) => gross - named[at]!)
      const spread = rest > 0 ? parts(rest, left) : left.map(() => 0)
      const losses = named.map((amount, at) => amount + spread[at]!)

      const matches = (rule: ModelRule, product: string | null) =>
        (!rule.products || rule.products.includes(product ?? '')) &&
        (!rule.code || (rule.code === 'used') === sale.code) &&
        (!rule.payments || place <= rule.payments) &&
        (!rule.months || sale.date < monthsAfter(placed[0]!.date, rule.months)) &&
        sale.net >= (rule.from ?? 0) &&
        sale.net <= (rule.to ?? Number.MAX_SAFE_INTEGER) &&
        (!rule.countries || rule.countries.includes(sale.country ?? ''))
      const takes = lines.map((line) => rules.findIndex((rule) => matches(rule, line.product)))
      for (const taken of new Set(takes)) {
        const rule = rules[taken] ?? otherwise
        const own = lines.flatMap((_, at) => (takes[at] === taken ? [at] : []))
        const base = own.reduce((sum, at) => sum + lines[at]!.net, 0)
        const gross = own.reduce((sum, at) => sum + grosses[at]!, 0)
        const gone = own.reduce((sum, at) => sum + losses[at]!, 0)
        let free = base
        kept.forEach((_, layer) => {
          const whole = rule.amounts
            ? (rule.amounts[layer] ?? 0)
            : halfUp(base, (rule.rates?.[layer] ?? 0) * 10_000, 1_000_000)
          const earned = Math.min(whole, free)
          free -= earned
          kept[layer]! += earned - halfUp(earned, gone, gross)
        })
      }
      return [sale.name, kept]
    }),
  )
}
