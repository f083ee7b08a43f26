import type { LeadMatchRule } from '#contract/leads.ts'
import type { MatchRule } from '#contract/sales.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { CodesPartner } from '../partner-directory/find-partner.ts'
import type { Attribution } from './find-credited-partner.ts'
import type { PayersLead } from './queries.ts'

// Whose sale a payment is: one decision for all doors, from facts that each of them has read under its locks.

/**
 * The door by which a payment comes: a provider reports it, an own system sends it by the API, which refuses unknown
 * references, or by a webhook, which uses the references it can.
 */
export type Door = 'provider' | 'api' | 'incoming-webhook'

/** The rules by which a payment names a partner; the others identify its payer. */
export const NAMING: readonly MatchRule[] = ['click', 'code', 'coupon']

/** An own system names its customers and partners itself, so that they go first, whichever of its doors it uses. */
type Source = 'provider' | 'own-system'
const sourceOf = (door: Door): Source => (door === 'provider' ? 'provider' : 'own-system')

/** The rules from the first to the last. */
const ORDER = {
  provider: ['click', 'lead-id', 'code', 'customer', 'external-id', 'coupon', 'email'],
  'own-system': ['lead-id', 'external-id', 'email', 'click', 'code', 'coupon'],
} as const
type Rule = (typeof ORDER)[Source][number]
type PayersRule = Exclude<Rule, 'click' | 'code' | 'coupon'>

/** The rules that know the payer, the best first: those after it are not asked. */
const PAYERS: Record<Source, readonly PayersRule[]> = {
  provider: ['customer', 'external-id', 'email'],
  'own-system': ['lead-id', 'external-id', 'email'],
}

/** A known lead beside a rule that names a partner. `isFirstCode`: the rule is a promotion code that goes first. */
type KnownLead = {
  from: Source
  rule: Rule
  isFirstCode: boolean
  hasPartner: boolean
  hasBought: boolean
  /** The rule that knows the payer; null if the lead is not found by it. */
  foundBy: PayersRule | null
  model: 'first-touch' | 'last-touch'
}

/**
 * The effect of a rule that names a partner on a payer who is a known lead without a partner or of someone else, by the
 * first line that fits. `moves`: the lead becomes theirs. `registers`: the payer is registered for them, as by a form.
 * Anything else: the lead stays as it is, for that reason.
 */
const FOR_KNOWN_LEADS: { when: Partial<KnownLead>; effect: 'moves' | 'registers' | MissedBecause }[] = [
  { when: { isFirstCode: true, hasBought: false }, effect: 'moves' },
  { when: { from: 'own-system', hasPartner: false, rule: 'click' }, effect: 'moves' },
  { when: { from: 'own-system', hasPartner: false, rule: 'code' }, effect: 'moves' },
  { when: { from: 'own-system', hasPartner: false, hasBought: false }, effect: 'moves' },
  { when: { hasPartner: false, hasBought: false, foundBy: 'email' }, effect: 'registers' },
  { when: { hasPartner: false }, effect: 'customer-without-partner' },
  { when: { hasBought: true }, effect: 'bought-before' },
  { when: { model: 'first-touch' }, effect: 'first-touch' },
  { when: {}, effect: 'registers' },
]

/**
 * Why a rule did not find the lead. `absent`: the payment has no value for it. `unknown`: the value matches nothing.
 * `expired`: the click was outside its window. `inactive`: its partner gets no new credit, or got none at that moment.
 * `referred-later`, `given-later`: the lead was referred, or the partner got the code, after the payment. `rejected`:
 * it found a lead that the account rejected. `test-mode`: a live payment would have been its partner's. `outranked`:
 * another rule came first. `paid-before`: the customer had paid before the referral. `renewal`: the first sale of its
 * subscription had named its partner, too. The others name why its partner was passed over for a lead already known.
 */
export type MissedBecause =
  | 'absent'
  | 'unknown'
  | 'expired'
  | 'inactive'
  | 'referred-later'
  | 'given-later'
  | 'rejected'
  | 'test-mode'
  | 'outranked'
  | 'bought-before'
  | 'paid-before'
  | 'first-touch'
  | 'customer-without-partner'
  | 'renewal'
/** `partnerId`: the partner the rule would have credited. `code`: the partner's, if one named them. */
export type TriedRule = { rule: MatchRule; outcome: MissedBecause; partnerId?: string | null; code?: string }

/**
 * The partner whom a returning customer's payment names, with what names them: the sale is theirs, the customer stays.
 * `isStated`: a person or a file says whose the sale is, so that neither what its subscription's first sale named nor the
 * setting by then counts.
 */
export type CreditTo = Pick<Attribution, 'partnerId' | 'blueprintId' | 'clickId' | 'linkId'> & {
  code?: string | undefined
  isStated?: true
}

/** A person or a file says whose a sale is. */
export const statedAs = (partnerId: string): CreditTo => ({
  partnerId,
  blueprintId: null,
  clickId: null,
  isStated: true,
})

/** A partner whom a payment names. */
export type Named = Omit<Attribution, 'matchedBy'> & { matchedBy: LeadMatchRule & MatchRule }

/** The partners of a payment's codes who are credited for it; if none, the reason. */
export type NamedByCodes = {
  earning: Pick<CodesPartner, 'id' | 'code'>[]
  missing: { outcome: MissedBecause; partner: Pick<CodesPartner, 'id' | 'code'> | undefined }
}

/** All that is known of a payment to say whose it is. */
export type MatchFacts = {
  /** The clicks within their windows, in the order given. `isGone`: its partner earns nothing any more. */
  clicks: { named: Named; isGone: boolean }[]
  /** The lead that the first click made. */
  clicksLead?: PayersLead | undefined
  /** Why there is no click; undefined where none can be given. */
  clickMissing?: MissedBecause | undefined
  /** A partner whom the account's own system names by themselves; they may be credited. */
  partner?: Named | undefined
  codes: NamedByCodes
  coupons: NamedByCodes
  /** The leads found by each rule, also one that was referred later. */
  leads: Partial<Record<PayersRule, PayersLead>>
  /** The other rules that were given a value. */
  unknown: readonly PayersRule[]
}

/**
 * The payment's lead, which `moveTo` is to get as its partner if set; or the attribution with which `captureLead` is to
 * create one. `isFirst`: the lead has no sale yet and is found by the payer's email or external ID alone. `creditTo`: the
 * partner whose sale it is instead of the lead's; `knownBy`: the rule that knows a customer found by who is named.
 */
export type PaymentMatch =
  | {
      leadId: string
      matchedBy: MatchRule
      moveTo?: string
      isFirst?: true
      creditTo?: CreditTo | undefined
      knownBy?: MatchRule
    }
  | { makeLead: Named }

/**
 * Whose a payment is; `match`: null if no rule matches, so the sale is stored without a lead. `rule`: the one that decided,
 * and `named`: the partner by whom it did. `tried`: the rules before it, in order, and those after it that name another partner. `partnerCode`: one
 * of its promotion codes is some partner's. `refused`: the field with an unknown value.
 */
export type Decision = {
  match: PaymentMatch | null
  rule: MatchRule | null
  named: Named | undefined
  tried: TriedRule[]
  partnerCode: boolean
  refused: 'leadId' | 'referralCode' | null
}

/**
 * Returns the rules in their order. With `code-first` the promotion code is before all others. For a returning customer
 * whose orders go to their latest click, those that name a partner come before those that identify the payer.
 */
export function getRuleOrder(
  { attributionOrder }: Pick<AccountFacts, 'attributionOrder'>,
  { door = 'provider', isReturning = false }: { door?: Door; isReturning?: boolean } = {},
): readonly Rule[] {
  const first = (rules: readonly Rule[], goesFirst: (rule: Rule) => boolean) =>
    rules.toSorted((a, b) => Number(goesFirst(b)) - Number(goesFirst(a)))
  const order = ORDER[sourceOf(door)]
  const rules = isReturning ? first(order, (rule) => NAMING.includes(rule)) : order
  return attributionOrder === 'code-first' ? first(rules, (rule) => rule === 'coupon') : rules
}

type Settings = Pick<AccountFacts, 'attributionModel' | 'attributionOrder' | 'returningCustomers'>
type FoundLead = PayersLead & { matchedBy: PayersRule }

/** A payment with its people. `bought`: who has bought before; `returning`: the same if only the sale is the named partner's. */
type Payment = {
  account: Settings
  door: Door
  facts: MatchFacts
  payer: FoundLead | undefined
  people: PayersLead[]
  bought: PayersLead | undefined
  returning: PayersLead | undefined
}

/** Why a rule does not decide. */
type Missed = Omit<TriedRule, 'rule'>
/** The answer of a rule: a lead, the payer's or one that is named; a partner; or why neither. */
type Answer = { lead: PayersLead; isPayers: boolean } | { named: Named; code?: string } | Missed

/** A rule that decides. `at`: its place. `partnerId`: who is credited. */
type Match = { is: PaymentMatch; rule: MatchRule; at: number; partnerId: string | null; named?: Named | undefined }
/** The effect of an answer. `waits`: a later rule may name a partner for the lead. */
type Result = { match?: Omit<Match, 'at'>; waits?: boolean; missed?: Missed }

/**
 * Says whose a payment is: asks the rules in their order until one decides, and the others for whom they name. Click, code
 * and promotion code name a partner; FOR_KNOWN_LEADS says what becomes of a known lead. The other rules find the payer's
 * lead, and never one that was referred after the payment. If orders of returning customers go to their latest click, a
 * customer who has bought stays, and the sale alone is the named partner's.
 */
export function decideMatch(account: Settings, door: Door, facts: MatchFacts): Decision {
  const payment = withPeople(account, door, facts)
  const order = getRuleOrder(account, { door, isReturning: payment.returning !== undefined })
  const partnerCode = facts.coupons.earning.length > 0 || facts.coupons.missing.partner !== undefined
  const tried: (TriedRule & { at: number })[] = []
  let decided: Match | undefined
  let waiting: Match | undefined
  for (const [at, rule] of order.entries()) {
    for (const answer of answersOf(payment, rule)) {
      const { match, waits, missed } = weigh(payment, rule, answer, Boolean(decided))
      if (missed) tried.push({ rule, ...missed, at })
      if (match && waits) waiting = { ...match, at }
      else if (match && !decided) decided = { ...match, at }
    }
    const refused = decided ? null : refusalOf(payment, rule)
    if (refused) return { match: null, rule: null, named: undefined, tried: [], partnerCode, refused }
  }
  const match = decided ?? waiting
  return {
    match: match?.is ?? null,
    rule: match?.rule ?? null,
    named: match?.named,
    tried: tried.filter((one) => !match || isTold(door, one, match)).map(({ at: _, ...one }) => one),
    partnerCode,
    refused: null,
  }
}

function withPeople(account: Settings, door: Door, facts: MatchFacts): Payment {
  const { clicksLead, leads } = facts
  const found = PAYERS[sourceOf(door)].map((matchedBy) => leads[matchedBy] && { ...leads[matchedBy], matchedBy })
  const payer = found.find((lead) => lead?.inTime)
  const people = [clicksLead, leads['lead-id'], payer].filter(
    (lead): lead is PayersLead => lead !== undefined && !lead.rejected,
  )
  const bought = people.find(({ hasSales }) => hasSales)
  const isReturning = account.returningCustomers === 'latest-click' && bought && isUnmoved(account, door, facts, bought)
  return {
    account,
    door,
    facts,
    payer,
    people,
    bought,
    returning: isReturning ? bought : undefined,
  }
}

/** Whether a customer stays as they are. An own system gives one without a partner their first, but by a promotion code. */
function isUnmoved(account: Settings, door: Door, { clicks, partner, codes, coupons }: MatchFacts, bought: PayersLead) {
  if (sourceOf(door) === 'provider' || bought.partnerId) return true
  const names: Partial<Record<Rule, boolean>> = {
    click: clicks.some(({ isGone }) => !isGone),
    code: partner !== undefined || codes.earning.length > 0,
    coupon: coupons.earning.length > 0,
  }
  return getRuleOrder(account, { door, isReturning: true }).find((rule) => names[rule]) === 'coupon'
}

function answersOf({ account, door, facts, payer, returning }: Payment, rule: Rule): Answer[] {
  if (rule === 'click') return clickAnswers(facts, returning !== undefined)
  if (rule === 'code' || rule === 'coupon') return codeAnswers(account, facts, rule)
  const payers = PAYERS[sourceOf(door)]
  const lead = facts.leads[rule]
  if (lead && !payers.includes(rule)) return [{ lead, isPayers: false }]
  if (payer?.matchedBy === rule) return [{ lead: payer, isPayers: true }]
  if (payer && payers.indexOf(rule) > payers.indexOf(payer.matchedBy)) return []
  if (lead) return [missedBy('referred-later', lead.partnerId)]
  return [missedBy(facts.unknown.includes(rule) ? 'unknown' : 'absent')]
}

function clickAnswers({ clicks, clicksLead, clickMissing }: MatchFacts, isReturning: boolean): Answer[] {
  const [click] = clicks
  const earning = isReturning ? clicks.find(({ isGone }) => !isGone) : click
  const others = clicks.slice(1).filter((other) => other !== earning)
  const outranked = others.map(({ named }) => missedBy('outranked', named.partnerId))
  if (clicksLead) return [{ lead: clicksLead, isPayers: false }, ...outranked]
  if (earning) return [{ named: earning.named }, ...outranked]
  if (click) return [missedBy('inactive', click.named.partnerId), ...outranked]
  return clickMissing ? [missedBy(clickMissing)] : []
}

function codeAnswers({ attributionModel: model }: Settings, facts: MatchFacts, rule: 'code' | 'coupon'): Answer[] {
  const { earning, missing } = rule === 'code' ? facts.codes : facts.coupons
  const [first, ...others] = earning
  const byCode = { blueprintId: null, clickId: null, model, matchedBy: rule }
  return [
    ...(rule === 'code' && facts.partner ? [{ named: facts.partner }] : []),
    first
      ? { named: { ...byCode, partnerId: first.id }, code: first.code }
      : missedBy(missing.outcome, missing.partner?.id, missing.partner?.code),
    ...others.map(({ id, code }) => missedBy('outranked', id, code)),
  ]
}

const missedBy = (outcome: MissedBecause, partnerId?: string | null, code?: string): Missed => ({
  outcome,
  ...(partnerId && { partnerId }),
  ...(code && { code }),
})

/** Says what becomes of an answer; after another rule has decided, only whom it would have credited. */
function weigh(payment: Payment, rule: Rule, answer: Answer, isDecided: boolean): Result {
  if ('outcome' in answer) return { missed: answer }
  if ('named' in answer) return claim(payment, rule, answer, isDecided)
  const { lead, isPayers } = answer
  const { leadId, partnerId, hasSales, rejected } = lead
  const isOwn = sourceOf(payment.door) === 'own-system'
  const waits = isOwn && isPayers && (rejected ? rule === 'email' : !partnerId)
  const missed = isOwn && rejected ? missedBy('rejected') : missedBy('outranked', partnerId)
  if (isDecided) return { missed }
  const isFirst = isPayers && rule !== 'customer' && !hasSales
  const is = { leadId, matchedBy: rule, ...(isFirst && ({ isFirst } as const)) }
  const match = { is, rule, partnerId }
  return waits && rejected ? { match, waits, missed } : { match, waits }
}

/** Gives a payment to the partner whom a rule names, unless the payer's lead stays with another. */
function claim(
  payment: Payment,
  rule: Rule,
  { named, code }: { named: Named; code?: string },
  isDecided: boolean,
): Result {
  const { account, door, payer, people, bought, returning } = payment
  const { partnerId, blueprintId, clickId, linkId } = named
  const outranked = { missed: missedBy('outranked', partnerId, code) }
  // a lead whose partner the system names by themselves is found by who the payer is
  const by: MatchRule = named.matchedBy === 'manual' && !returning ? (payer?.matchedBy ?? 'email') : rule
  const matched = (is: PaymentMatch, names?: Named) =>
    isDecided ? outranked : { match: { is, rule: by, partnerId, named: names } }
  if (returning) {
    const creditTo = { partnerId, blueprintId, clickId, linkId, code }
    const isOther = returning.partnerId !== partnerId
    const known = { leadId: returning.leadId, matchedBy: rule, knownBy: knownBy(payment) }
    return matched({ ...known, ...(isOther && { creditTo }) }, named)
  }
  const isFirstCode = rule === 'coupon' && account.attributionOrder === 'code-first'
  const lead = isFirstCode ? (bought ?? people[0]) : payer
  if (lead?.partnerId === partnerId) return matched({ leadId: lead.leadId, matchedBy: by })
  if (!lead || lead.rejected) return matched({ makeLead: named }, named)
  const effect = firstThatFits(FOR_KNOWN_LEADS, {
    from: sourceOf(door),
    rule,
    isFirstCode,
    hasPartner: lead.partnerId !== null,
    hasBought: lead.hasSales,
    foundBy: lead === payer ? payer.matchedBy : null,
    model: named.model,
  })
  if (effect === 'registers') return matched({ makeLead: named }, named)
  if (effect === 'moves') return matched({ leadId: lead.leadId, matchedBy: by, moveTo: partnerId }, named)
  const isPassed = isDecided && (sourceOf(door) === 'provider' || lead.partnerId !== null)
  return isPassed ? outranked : { missed: missedBy(effect, partnerId, code) }
}

/** Returns the effect of the first line that fits these facts, whatever it does not mention. */
function firstThatFits<Facts extends object, Effect>(
  lines: { when: Partial<Facts>; effect: Effect }[],
  facts: Facts,
): Effect {
  const known: Partial<Facts> = facts
  const fits = ({ when }: { when: Partial<Facts> }) =>
    Object.entries(when).every(([fact, value]) => known[fact as keyof Facts] === value)
  return lines.find(fits)!.effect
}

/** Returns the rule that knows a customer who has bought. */
function knownBy({ bought, payer, facts }: Payment): MatchRule {
  if (bought === payer) return payer!.matchedBy
  return bought === facts.leads['lead-id'] ? 'lead-id' : 'click'
}

/**
 * The effect of a person's or a file's word that a sale is a partner's on a known lead, by the first line that fits.
 * `theirs`: the lead is already. `moves`: it becomes theirs. `sale-alone`: the customer stays, the sale is theirs.
 * `of-another`: it can't be.
 */
const FOR_STATED_PARTNERS: { when: Partial<StatedBeside>; effect: 'theirs' | 'moves' | 'sale-alone' | 'of-another' }[] =
  [
    { when: { isTheirs: true }, effect: 'theirs' },
    { when: { hasPartner: false }, effect: 'moves' },
    { when: { hasBought: true, returningCustomers: 'latest-click' }, effect: 'sale-alone' },
    { when: {}, effect: 'of-another' },
  ]
type StatedBeside = Pick<Settings, 'returningCustomers'> & {
  isTheirs: boolean
  hasPartner: boolean
  hasBought: boolean
}

/** Returns the effect on a known lead of saying that a sale is this partner's. */
export const decideStated = (
  { returningCustomers }: Pick<Settings, 'returningCustomers'>,
  { partnerId, hasSales }: Pick<PayersLead, 'partnerId' | 'hasSales'>,
  statedId: string,
) =>
  firstThatFits(FOR_STATED_PARTNERS, {
    isTheirs: partnerId === statedId,
    hasPartner: partnerId !== null,
    hasBought: hasSales,
    returningCustomers,
  })

/** Returns the field of an own system with an unknown value, if the rules before it have not decided; the API alone must know its codes. */
function refusalOf({ door, facts, payer, returning }: Payment, rule: Rule): Decision['refused'] {
  if (door === 'provider') return null
  if (rule === 'lead-id' && facts.unknown.includes(rule) && !payer) return 'leadId'
  const isUnknown = rule === 'code' && facts.codes.missing.outcome === 'unknown'
  return isUnknown && door === 'api' && !returning ? 'referralCode' : null
}

/**
 * Whether a rule is told beside the one that decided: those before it, and later ones that name another partner; of an own
 * system's sale without credit also those with a value that failed.
 */
function isTold(door: Door, { at, rule, outcome, partnerId }: TriedRule & { at: number }, match: Match) {
  const isOther = partnerId !== match.partnerId
  const isEarlier = at < match.at
  if (sourceOf(door) === 'provider') return (isEarlier || Boolean(partnerId)) && (outcome !== 'outranked' || isOther)
  if (partnerId) return isEarlier || isOther
  return rule !== match.rule && (isEarlier || (!match.partnerId && outcome !== 'absent'))
}
