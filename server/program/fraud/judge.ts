import type { FraudRule, FraudRules } from '#contract/fraud.ts'
import type { FraudFinding } from '#features/fraud-cases/contract.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { dayInWords } from '../../platform/format-values.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { bannedBy } from './banned-host.ts'
import { isDisposable } from './disposable.ts'
import { type FactsOfSale, factsOfSales, holdsByCases, isOn, ruleOfCase } from './facts.ts'
import { type CaseRow, newCase, openCaseReasons } from './fraud-cases.ts'
import { toFraudRules } from './rules.ts'

/** The findings in a sale, with their consequence by the account's rules. */
export type Hold = {
  /** The first rule among the strictest. */
  rule: FraudRule
  policy: 'flag' | 'hold' | 'refuse'
  /** The findings, in words for the owner. */
  reason: string
  /** End of the hold on the commission; null without one. */
  until: string | null
  /** The case that decides it, of several the last to end; null for a refusal, which is final. */
  caseId: string | null
  /** All cases that hold the commission. */
  heldBy: string[]
  /** The sale's own case, to be opened with it; null if nothing was found but open cases of its lead or partner. */
  opens: CaseRow | null
}

/** A sale to be judged, with the referrer's and the customer's e-mails. */
export type Suspect = {
  id: string
  accountId: string
  partnerId: string
  leadId: string | null
  referredAt: string
  saleDate: string
  shopId: string | null
  customerId: string | null
  leadEmail: string | null
  payerEmail: string | null
  /** It credits another partner than its customer's, by this click if any. */
  latestClick: 'order' | 'renewal' | null
  clickId: string | null
  /** Its lead came from a network of the referrer. */
  ownVisit: boolean
  /** Keyed hash of the card that paid. */
  cardHash: Buffer | null
  referrerEmails: string[]
  /** A customer referred it, so that no policy allows own purchases or those of people who paid before. */
  isByCustomer: boolean
  /** The sign that its lead is the referrer; null without one. */
  ownLead: string | null
}

type JudgedFinding = FraudFinding & { action: Hold['policy'] }
/** The sale is in the hands of an open case of its lead or partner. */
type Inherited = JudgedFinding & { caseId: string; until: string }

const MIN_CUSTOMERS = 4

/**
 * Judges sales by all rules, once, when their partner is known (product.md, sections 12 and 16). Returns the sales with
 * a finding, by id. One statement if a rule needs more than the sale itself.
 */
export async function judgeSales(
  tx: Transaction,
  accounts: Map<string, AccountFacts>,
  suspects: Suspect[],
): Promise<Map<string, Hold>> {
  const facts = await factsOfSales(
    tx,
    suspects.flatMap((suspect) => {
      const questions = buildQuestions(accounts.get(suspect.accountId)!, suspect)
      return questions ? [questions] : []
    }),
  )
  const holds = new Map<string, Hold>()
  for (const suspect of suspects) {
    const found = await findingsOf(accounts.get(suspect.accountId)!, suspect, facts.get(suspect.id))
    const hold = holdFor(tx, suspect, found)
    if (hold) holds.set(suspect.id, hold)
  }
  return holds
}

/** Returns the facts about a sale that the rules in force need; undefined if they need none. */
function buildQuestions(account: AccountFacts, suspect: Suspect) {
  const rules = toFraudRules(account)
  const { leadId, referredAt, saleDate, cardHash, referrerEmails, latestClick, isByCustomer } = suspect
  const questions = {
    card: cardHash !== null && referrerEmails.length > 0 && (isByCustomer || account.selfReferralPolicy !== 'allow'),
    click: leadId !== null && (isOn(rules.paidAds) || isOn(rules.bannedReferrer)),
    // that the customer has bought before is why its latest click counts
    earlier: isByCustomer || (isOn(rules.existingCustomer) && latestClick === null),
    refunds: isOn(rules.refundRate),
    cases: holdsByCases(rules),
  }
  if (!Object.values(questions).some(Boolean)) return undefined
  const since = addDays(saleDate, -90)
  return { ...suspect, ...questions, since, referredOn: dayIn(account.timeZone, new Date(referredAt)) }
}

async function findingsOf(
  account: AccountFacts,
  suspect: Suspect,
  facts: FactsOfSale | undefined,
): Promise<(JudgedFinding | Inherited)[]> {
  const rules = toFraudRules(account)
  const found: (JudgedFinding | Inherited)[] = []
  const add = (rule: FraudRule, action: Hold['policy'] | 'off' | 'allow', evidence: string | false | undefined) => {
    if (evidence && action !== 'off' && action !== 'allow') found.push({ rule, action, evidence, partnerId: null })
  }
  const own = selfReferral(suspect, facts)
  const policy = suspect.isByCustomer && own.isCertain ? 'refuse' : account.selfReferralPolicy
  add('self-referral', atMost(policy, own), own.evidence)
  if (await fromDisposable(rules, suspect))
    add('disposable-mail', rules.disposableMail.action, 'The customer’s email is a throwaway address.')
  if (!facts) return found
  add(
    'existing-customer',
    suspect.isByCustomer ? 'refuse' : rules.existingCustomer.action,
    facts.boughtOn !== null &&
      `The customer bought on ${dayInWords(facts.boughtOn)}, before the referral on ${dayInWords(dayIn(account.timeZone, new Date(suspect.referredAt)))}.`,
  )
  add(
    'paid-ads',
    rules.paidAds.action,
    facts.paidParameters !== null && `The visit came from an ad: its address has ${facts.paidParameters.join(', ')}.`,
  )
  const banned = facts.referrerHost === null ? undefined : bannedBy(rules.bannedReferrer.hosts, facts.referrerHost)
  add('banned-referrer', rules.bannedReferrer.action, banned && `The visit came from a banned site: ${banned}.`)
  const { customers, refunded } = facts
  add(
    'refund-rate',
    rules.refundRate.action,
    customers >= MIN_CUSTOMERS &&
      refunded * 100 >= customers * rules.refundRate.percent &&
      `${refunded} of the partner’s ${customers} customers of 90 days had a refund or lost a dispute.`,
  )
  for (const { id, leadId, heldUntil } of facts.openCases) {
    const [rule, key] = ruleOfCase({ leadId })
    if (!isOn(rules[key])) continue
    const evidence = leadId ? openCaseReasons.lead : openCaseReasons.partner
    found.push({ rule, action: 'hold', evidence, partnerId: null, caseId: id, until: heldUntil })
  }
  return found
}

function selfReferral(suspect: Suspect, facts: FactsOfSale | undefined) {
  const { referrerEmails, leadEmail, payerEmail, ownVisit, ownLead } = suspect
  const payer = payerEmail?.toLowerCase() ?? null
  const isLead = leadEmail !== null && referrerEmails.includes(leadEmail)
  const isPayer = payer !== null && referrerEmails.includes(payer)
  const ofPerson = [
    ...(isLead ? ['The lead’s email is the referring partner’s own.'] : []),
    ...(isPayer && !isLead ? ['The payer’s email is the referring partner’s own.'] : []),
    ...(ownLead ? [ownLead] : []),
    ...(facts?.ownCard ? ['The partner has paid with this card too.'] : []),
  ]
  const all = [...ofPerson, ...(ownVisit ? ['The visit came from a network the partner used that day.'] : [])]
  return { evidence: all.join(' '), isCertain: ofPerson.length > 0 }
}

/** Offices and families share a network: alone, it holds a commission at most. */
const atMost = (policy: AccountFacts['selfReferralPolicy'], { isCertain }: { isCertain: boolean }) =>
  policy === 'refuse' && !isCertain ? 'hold' : policy

const fromDisposable = async ({ disposableMail }: FraudRules, { leadEmail, payerEmail }: Suspect) => {
  if (!isOn(disposableMail)) return false
  for (const email of [leadEmail, payerEmail]) if (email && (await isDisposable(email))) return true
  return false
}

const STRICTNESS = ['flag', 'hold', 'refuse'] as const

/**
 * Returns the consequence of the findings: the strictest action counts. A case of the lead or partner holds the sale
 * beside its own, which knows its own findings only.
 */
function holdFor(tx: Transaction, suspect: Suspect, found: (JudgedFinding | Inherited)[]): Hold | undefined {
  const strictest = (some: JudgedFinding[]) =>
    STRICTNESS.findLast((action) => some.some((one) => one.action === action))
  const policy = strictest(found)
  if (!policy) return undefined
  const { rule } = found.find(({ action }) => action === policy)!
  const reason = [...new Set(found.map(({ evidence }) => evidence))].join(' ')
  const hold = { rule, policy, reason, until: null, caseId: null, heldBy: [], opens: null }
  if (policy === 'refuse') return hold
  const inherited = found.filter((one) => 'caseId' in one)
  const own = found.filter((one) => !('caseId' in one))
  const action = strictest(own) as 'flag' | 'hold' | undefined
  const opens =
    action === undefined
      ? null
      : newCase(tx, {
          accountId: suspect.accountId,
          saleId: suspect.id,
          partnerId: suspect.partnerId,
          findings: own.map(({ rule, evidence, partnerId }) => ({ rule, evidence, partnerId })),
          action,
        })
  const holding = [
    ...(opens?.heldUntil ? [{ caseId: opens.id, until: opens.heldUntil }] : []),
    ...inherited.map(({ caseId, until }) => ({ caseId, until })),
  ]
  const [last] = holding
  return {
    ...hold,
    opens,
    until: last?.until ?? null,
    caseId: last?.caseId ?? opens!.id,
    heldBy: holding.map(({ caseId }) => caseId),
  }
}
