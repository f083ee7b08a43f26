import { splitByShares, toProportion } from '#contract/money.ts'
import type { SaleLine } from '#contract/sales.ts'
import type { Pay, Terms, TermsSource } from '#contract/terms.ts'
import { type Capped, computeCap, haveCaps, type SaleCap, type Used, wholeUnits } from './caps.ts'
import { type CountedLine, countedLines, type LineAmounts, lostByLine, type RefundOfLines } from './lines.ts'
import { askedOfLead, dependsOnPlace, matchingRule, type RuleFacts } from './match.ts'
import { toPpm } from './rates.ts'

/** A sale's credit as stored with it: its version of the terms, and the facts at its booking. */
export type SaleTerms = {
  /**
   * Parts per million of the base, by layer: the whole terms, if they are nothing but percentages, and of a given
   * commission. Absent for other terms, which are read from the log by `number`.
   */
  ratesPpm?: number[]
  /** Owner of the terms; null for a sale of an earlier release that did not store it. */
  source: TermsSource | null
  /**
   * Place of the terms in the account's log, and the highest place it had; absent for a given commission, and for a sale
   * of an earlier release.
   */
  number?: number
  seen?: number
  /** The referrer and the partners above them, at most as many as the layers of the terms. */
  line: { partnerId: string | null; earns: boolean }[]
  /** Minor units of a whole unit, if the referrer is given these: they earn and lose whole ones. */
  unit?: number
  /** Facts of the lead that the rules need. */
  lead?: { country: string | null; metadata: Record<string, string> }
  /**
   * The rule that paid each line, by place: needed for an erased lead's sale, which has no metadata, and for one whose
   * commission was paid before its import. Null for `otherwise`.
   */
  matched?: (number | null)[]
  /** Set for terms with caps once the sale is booked. */
  cap?: SaleCap
  /** The rules depend on the sale's place among its customer's. */
  asksForPlace?: true
  /**
   * The commission that the previous program recorded for the referrer, from the net amount; replaces the first rate.
   */
  given?: {
    commission: number
    amount: number
    /** Commissions of further partners of the line, as given in the file. */
    others?: number[]
    /** The file has no amount of the sale, which is therefore the sum of the commissions. */
    isWhole?: true
  }
  /**
   * The account's days from sale to due date, and the time zone in which they begin; absent for a sale of an earlier
   * release.
   */
  payoutDelay?: number
  timeZone?: string
}

/** Facts of a sale that decide what it earns. */
export type PlannedSale = LineAmounts & {
  saleDate: string
  lines: SaleLine[] | null
  country: string | null
  partnerCode: boolean
  metadata: Record<string, string>
  customerPlace: number | null
  customerSince: string | null
}

/** The lines of a sale that one rule pays, or `otherwise`; all amounts in minor units. */
export type RulePart = {
  /** Place of the rule, from 0; null for `otherwise`. */
  rule: number | null
  name: string | null
  /** Places of its lines among those that count. */
  lines: number[]
  base: number
  gross: number
  ratesPpm: number[] | null
  /** Amounts by layer, in the account's currency. */
  amounts: number[] | null
  /** Earnings by layer; zero for one who may not earn. */
  earned: number[]
}

/** `planned`: earnings of the referrer before the caps. */
export type Plan = { lines: CountedLine[]; parts: RulePart[]; planned: number }

const PPM = 1_000_000

/**
 * Plans what a sale earns, by its own facts (terms.md, rules 11 to 14): each of its lines is paid by the first rule that
 * matches. `terms` are those of the credit; null if it has percentages alone.
 */
export function planSale(sale: PlannedSale, credit: SaleTerms, terms: Terms | null): Plan {
  const lines = countedLines(sale.lines, sale)
  const { rules = [] } = terms ?? {}
  const facts = ruleFacts(sale, credit)
  const matched =
    credit.matched?.length === lines.length
      ? credit.matched
      : lines.map(({ line }) => matchingRule(rules, 'sale', facts, line) ?? null)
  const paying = [...new Set(matched)].sort((a, b) => (a ?? rules.length) - (b ?? rules.length))
  const parts = paying.map((rule): RulePart => {
    const own = matched.flatMap((one, at) => (one === rule ? [at] : []))
    const sum = (key: 'base' | 'gross') => own.reduce((all, at) => all + lines[at]![key], 0)
    const base = sum('base')
    const paid = terms
      ? payOf(rule === null ? terms.otherwise : rules[rule]!)
      : { ratesPpm: credit.ratesPpm!, amounts: null }
    const wholes = paid.amounts ?? wholesOf(base, paid.ratesPpm!, credit)
    const name = rule === null ? null : rules[rule]!.name
    return { ...paid, rule, name, lines: own, base, gross: sum('gross'), earned: earnedBy(wholes, base, credit) }
  })
  const planned = sumOf(parts, 0)
  return { lines, parts: credit.cap ? capped(parts, planned, credit.cap.kept, credit.unit) : parts, planned }
}

/** Returns the rule that pays each line of a sale, by place. */
function rulesOfLines(sale: PlannedSale, credit: SaleTerms, terms: Terms) {
  const { lines, parts } = planSale(sale, credit, terms)
  return lines.map((_, at) => parts.find((part) => part.lines.includes(at))!.rule)
}

/** Returns the rule that pays each line of a sale, by place; null if no rule needs metadata. */
export const rulesByMetadata = (sale: PlannedSale, credit: SaleTerms, terms: Terms | null) =>
  terms && askedOfLead(terms).keys.length > 0 ? rulesOfLines(sale, credit, terms) : null

/** Returns the credit of a sale that other sales move to no other rule. */
export const withItsRules = (sale: PlannedSale, credit: SaleTerms | null, terms: Terms | null) =>
  credit && terms && dependsOnPlace(terms) ? { ...credit, matched: rulesOfLines(sale, credit, terms) } : credit

const sumOf = (parts: RulePart[], layer: number) => parts.reduce((sum, { earned }) => sum + (earned[layer] ?? 0), 0)

/** Reduces every layer in the proportion in which the cap reduces the referrer's, spread over the parts. */
function capped(parts: RulePart[], planned: number, kept: number, unit = 1): RulePart[] {
  if (kept >= planned) return parts
  const deepest = Math.max(...parts.map(({ earned }) => earned.length))
  const layers = Array.from({ length: deepest }, (_, layer) =>
    splitByShares(
      toProportion(sumOf(parts, layer) / unit, kept, planned),
      parts.map(({ earned }) => (earned[layer] ?? 0) / unit),
    ).map((units) => units * unit),
  )
  return parts.map((part, at) => ({ ...part, earned: part.earned.map((_, layer) => layers[layer]![at]!) }))
}

export const ruleFacts = (sale: PlannedSale, { lead }: SaleTerms): RuleFacts => ({
  saleDate: sale.saleDate,
  accountAmount: sale.accountAmount,
  country: sale.country ?? lead?.country ?? null,
  partnerCode: sale.partnerCode,
  metadata: { ...lead?.metadata, ...sale.metadata },
  place: sale.customerPlace,
  since: sale.customerSince,
})

const payOf = ({ layerRates, layerAmounts }: Pay) => ({
  ratesPpm: layerRates ? toPpm({ layerRates }) : null,
  amounts: layerAmounts ?? null,
})

/** Returns the amount of each layer before the layers above it took theirs. */
const wholesOf = (base: number, ratesPpm: number[], { given }: SaleTerms) =>
  ratesPpm.map((rate, layer) => {
    if (!given) return toProportion(base, rate, PPM)
    return toProportion(base, layer === 0 ? given.commission : (given.others?.[layer - 1] ?? 0), given.amount)
  })

/**
 * Returns the earnings by layer: never more than the base in sum, so the deeper layer gets what is left. A partner who
 * may not earn gets nothing, and nothing moves up. Of units only whole ones are earned.
 */
function earnedBy(wholes: number[], base: number, { line, unit = 1 }: Pick<SaleTerms, 'line' | 'unit'>): number[] {
  let left = base
  return wholes.map((whole, layer) => {
    const partner = line[layer]
    if (!partner?.earns || !partner.partnerId) return 0
    const amount = wholeUnits(Math.min(whole, left), unit)
    left -= amount
    return amount
  })
}

type CappedSale = PlannedSale & Capped & { credit: SaleTerms | null; terms: Terms | null }

/** Returns the credit of a sale with its cap, given what its referrer has earned of it so far. */
export function underCaps(sale: CappedSale, used: Used | undefined, own: number): SaleTerms | null {
  const { credit, terms } = sale
  if (!used || !credit || !terms || !haveCaps(terms)) return credit
  const { planned } = planSale(sale, credit, terms)
  const cap = computeCap(terms, credit, planned, used.byOthers(sale, own))
  return cap === credit.cap ? credit : { ...credit, cap }
}

/** Returns the part of an amount that is lost with `lost` of `gross`. Nothing is lost of a sale of zero. */
export const lostShare = (amount: number, lost: number, gross: number) =>
  lost === 0 ? 0 : toProportion(amount, lost, gross)

/** A layer of a sale: earned by its current facts, and kept after its losses. */
export type Layer = {
  partnerId: string
  layer: number
  /** Set if the sale is one part, paid in percent; in parts per million. */
  ratePpm: number | null
  /** Set if the sale is one part, paid as an amount. */
  flatAmount: number | null
  /** The name of the rule, if the sale is one part. */
  rule: string | null
  earned: number
  kept: number
}

/** Returns the layers of a plan, given the loss of each line. */
function layersOf({ parts }: Plan, { line, unit = 1 }: SaleTerms, losses: number[]): Layer[] {
  const only = parts.length === 1 ? parts[0] : undefined
  const lostOf = (part: RulePart) => part.lines.reduce((sum, at) => sum + losses[at]!, 0)
  return line.flatMap(({ partnerId }, layer) => {
    if (!partnerId) return []
    const shares = parts.map((part) => {
      const earned = part.earned[layer] ?? 0
      return { earned, kept: earned - lostShare(earned / unit, lostOf(part), part.gross) * unit }
    })
    const sum = (key: 'earned' | 'kept') => shares.reduce((all, share) => all + share[key], 0)
    return [
      {
        partnerId,
        layer,
        earned: sum('earned'),
        kept: sum('kept'),
        ratePpm: only?.ratesPpm ? (only.ratesPpm[layer] ?? 0) : null,
        flatAmount: only?.amounts?.[layer] || null,
        rule: only?.name ?? null,
      },
    ]
  })
}

/** Returns the layers of a sale with what they keep after these losses; `lost`: of its gross amount, in all. */
export function layersAfter(
  sale: Omit<PlannedSale, 'accountAmount'> & { accountAmount: number | null },
  credit: SaleTerms,
  terms: Terms | null,
  { refunds, lost }: { refunds: RefundOfLines[]; lost: number },
): Layer[] {
  const plan = planSale({ ...sale, accountAmount: sale.accountAmount ?? 0 }, credit, terms)
  return layersOf(plan, credit, lostByLine(plan.lines, refunds, lost))
}

/** Whether terms are nothing but percentages, which are stored with the credit itself. */
export const arePercentages = (terms: Terms) =>
  terms.rules.length === 0 && terms.otherwise.layerRates !== undefined && !haveCaps(terms)

/** Returns the number of layers that any rule pays. */
export const layerCount = ({ rules, otherwise }: Terms) =>
  Math.max(...[otherwise, ...rules].map((pay) => (pay.layerRates ?? pay.layerAmounts ?? []).length))
