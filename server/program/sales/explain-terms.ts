import type { Language } from '#contract/language.ts'
import { moneyInWords } from '#contract/money.ts'
import type { SaleTermsSummary } from '#contract/sales.ts'
import { simpleTerms } from '#contract/simple-terms.ts'
import type { LeadEvent, Terms, TermsRule } from '#contract/terms.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { wordFor } from '../access/access.ts'
import { getLimits } from '../terms/caps.ts'
import { type LeadCredit, leadRuleFacts } from '../terms/lead-terms.ts'
import { type Condition, failedCondition, type RuleFacts } from '../terms/match.ts'
import { type PlannedSale, planSale, type RulePart, ruleFacts, type SaleTerms } from '../terms/plan.ts'
import { fromPpm } from '../terms/rates.ts'
import { nameOfTerms } from '../terms/terms-state.ts'
import { salePhrases } from './text.ts'

const phrases = salePhrases.rule

/** A sale with its credit, as its earnings are planned. */
export type ExplainedSale = PlannedSale & {
  accountId: string
  referredAt: string | null
  credit: SaleTerms
  /** The terms themselves, unless the credit has them as percentages. */
  terms: Terms | null
}

type Reader = { currency: string; layer: number; seesAmounts: boolean; isPartner: boolean; language?: Language }

/**
 * Explains by which version and rules a layer of a sale earns, and why the rules above did not match. Null for a sale
 * credited before versions were stored, and for a given commission. Partners read no product, code or key.
 */
export async function explainTerms(
  db: Queryable,
  sale: ExplainedSale,
  reader: Reader,
): Promise<SaleTermsSummary | null> {
  const { credit, accountId, referredAt } = sale
  if (credit.number === undefined || credit.given || !referredAt) return null
  const version = await versionOf(db, accountId, credit.number, reader)
  const terms = sale.terms ?? simpleTerms(fromPpm(credit.ratesPpm!))
  return { ...version, ...wordFor(reader, () => partsInWords({ ...sale, terms }, reader)), referredAt }
}

/** A lead's credit for one event. */
export type ExplainedLead = { accountId: string; credit: LeadCredit }

/** Explains by which version and rule a lead pays a layer, and why the rules above did not match. */
export async function explainLeadPay(
  db: Queryable,
  { accountId, credit }: ExplainedLead,
  reader: Pick<Reader, 'layer' | 'isPartner' | 'language'> & { event: LeadEvent },
): Promise<SaleTermsSummary> {
  const { event, layer, isPartner } = reader
  const version = await versionOf(db, accountId, credit.number, { isPartner })
  const { rules } = await db.one<{ rules: TermsRule[] }>`
    select terms -> 'rules' as rules from terms_log where account_id = ${accountId} and number = ${credit.number}`
  const paying = rules[credit.rule!]!
  const flat = paying.layerAmounts![layer] ?? null
  const facts = leadRuleFacts(credit.lead)
  const above = rules.slice(0, credit.rule!).flatMap(({ on, when, name }, at) => {
    if (on !== event) return []
    const failed = failedCondition(when, facts, null)!
    const why = wordFor(reader, () => (failed === 'metadata' ? phrases.metadataOfLead : whyNotCountry(facts)))
    return [{ rule: at + 1, name, why }]
  })
  const part = { base: null, percent: null, flat, earned: flat ?? 0, lines: [], above }
  return {
    ...version,
    referredAt: credit.referredAt,
    place: null,
    parts: [{ rule: credit.rule! + 1, name: paying.name, ...part }],
    cap: null,
  }
}

/** Explains terms that are not saved. */
export const partsInWords = (sale: Omit<ExplainedSale, 'terms'> & { terms: Terms }, reader: Reader) => {
  const facts = ruleFacts(sale, sale.credit)
  const { lines, parts, planned } = planSale(sale, sale.credit, sale.terms)
  const partInWords = (part: RulePart) => {
    const own = part.lines.map((at) => lines[at]!.line)
    const [first] = own
    const hasProduct = Boolean(first && (first.productId ?? first.priceId ?? first.sku))
    const above = sale.terms.rules.slice(0, part.rule ?? sale.terms.rules.length)
    return {
      rule: part.rule === null ? null : part.rule + 1,
      name: part.name,
      lines: own.flatMap((line) => (line ? [line.name ?? phrases.unnamed] : [])),
      base: reader.seesAmounts ? part.base : null,
      percent: reader.seesAmounts && part.ratesPpm ? (part.ratesPpm[reader.layer] ?? 0) / 10_000 : null,
      flat: part.amounts?.[reader.layer] ?? null,
      earned: part.earned[reader.layer] ?? 0,
      above: above.flatMap((rule, at) => {
        if (rule.on !== 'sale') return []
        // a sale that keeps its rules may by now fit one above
        const failed = failedCondition(rule.when, facts, own[0] ?? null)
        if (!failed) return []
        return [{ rule: at + 1, name: rule.name, why: whyNot(rule, failed, facts, reader, hasProduct) }]
      }),
    }
  }
  // the figures of a cap are the referrer's own
  const seesCap = !reader.isPartner || reader.layer === 0
  const cap = seesCap ? capInWords(sale.terms, sale.credit, planned) : null
  return { place: sale.customerPlace, parts: parts.map(partInWords), cap }
}

/** Returns the cap of a sale, which is the referrer's whichever layer is explained. */
function capInWords(terms: Terms, { cap }: SaleTerms, planned: number) {
  if (!cap) return null
  const { kind, used, kept } = cap
  const limit = getLimits(terms)[kind]!
  return { kind, limit, used, planned, kept: Math.min(kept, planned) }
}

const whyNotCountry = ({ country }: Pick<RuleFacts, 'country'>) =>
  country === null ? phrases.noCountry : phrases.otherCountry

/** Returns why a rule did not match, in words without ids, keys or values. */
function whyNot(
  { when }: TermsRule,
  failed: Condition,
  { place, country }: RuleFacts,
  { currency, seesAmounts }: Reader,
  hasProduct: boolean,
): string {
  switch (failed) {
    case 'promotionCode':
      return when.promotionCode === 'used' ? phrases.noCode : phrases.code
    case 'firstPayments': {
      const first = String(when.firstPayments)
      return place === null ? phrases.paymentNotCounted({ first }) : phrases.payment({ place: String(place), first })
    }
    case 'firstMonths':
      return phrases.months({ count: when.firstMonths! })
    case 'amount': {
      if (!seesAmounts) return phrases.otherAmount
      const [from, to] = [when.amountFrom, when.amountTo].map((bound) =>
        bound === undefined ? null : moneyInWords(bound, currency),
      )
      if (from && to) return phrases.amountBetween({ from, to })
      return from ? phrases.amountFrom({ from }) : phrases.amountTo({ to: to! })
    }
    case 'countries':
      return whyNotCountry({ country })
    case 'metadata':
      return phrases.metadata
    case 'products':
      return hasProduct ? phrases.otherProduct : phrases.noProduct
  }
}

/** Returns the version at a place of the account's log. */
async function versionOf(db: Queryable, accountId: string, number: number, { isPartner }: Pick<Reader, 'isPartner'>) {
  const { subjectId, ...version } = await db.one<
    Pick<SaleTermsSummary, 'source' | 'appliesTo' | 'savedAt' | 'version'> & { subjectId: string }
  >`
    select l.subject as source, l.subject_id, l.applies_to, l.saved_at, (
      select count(*) from terms_log o
      where o.account_id = ${accountId} and o.subject_id = l.subject_id and o.number <= l.number) as version
    from terms_log l where l.account_id = ${accountId} and l.number = ${number}`
  return { ...version, sourceName: await nameOfTerms(db, accountId, subjectId, { toPartner: isPartner }) }
}
