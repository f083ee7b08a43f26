import { blockerPhrases } from '#contract/blocker-phrases.ts'
import { moneyInWords } from '#contract/money.ts'
import type { Blocker, BlockerCode } from '#contract/payouts.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { dayInWords } from '../../platform/format-values.ts'
import type { CustomerGroup } from '../access/customer-groups.ts'
import type { BlockerFacts, Method, MethodBlocker, Reader } from './methods/method.ts'
import { byHandMethod, methods } from './methods/registry.ts'
import type { PayoutTerms } from './payout-terms.ts'
import { wordForReader } from './reason-text.ts'

/** These explain a balance without blocking due amounts; below zero there is no payout anyway. */
export const balanceBlockers: readonly BlockerCode[] = ['on-hold-fraud', 'negative-balance', 'not-approved-next-year']
/** A method's blocker with this code. */
export const findMethodBlocker = (code: BlockerCode) =>
  methods.flatMap(({ blockers }) => blockers).find((one) => one.code === code)

/** The condition of a method's blocker in SQL, on a partner `n` with the payout details `d`. */
export function appliesIn({ when }: MethodBlocker, { ways, account, customerGroups }: PayoutTerms): Sql {
  const none = ways.length === 0
  if (when === 'details-rejected') return sql`(d.rejected_reason is not null)`
  if (when === 'nothing-on') return none ? sql`(${isNotChosen})` : sql`false`
  if (when === 'out-of-reach') return none ? sql`false` : sql`(d.details_sealed is not null and ${isNotChosen})`
  if (when === 'no-customer') return sql`not ${hasCustomer(account.id, customerGroups, sql`true`)}`
  if (when === 'customer-deleted' || when === 'customer-currency-differs')
    return hasCustomer(account.id, customerGroups, sql`k.problem = ${when}`)
  return when.currencyNotIn.includes(account.defaultCurrency) ? sql`false` : sql`true`
}

/** Whether partner `n` has a customer `k` like this at the connection of their group. */
const hasCustomer = (accountId: string, groups: CustomerGroup[], condition: Sql) => {
  const credits = groups.flatMap(({ id, reward }) => (reward.as === 'credit' ? [[id, reward.connectionId]] : []))
  return sql`exists (
    select from partner_customers k join unnest(${credits.map(([id]) => id!)}::uuid[], ${credits.map(([, id]) => id!)}::uuid[])
        as g (id, connection_id) on g.id = n.group_id and g.connection_id = k.connection_id
    where k.account_id = ${accountId} and k.partner_id = n.id and ${condition})`
}

/** The owner has not chosen to pay partner `n` by hand. */
export const isNotChosen = sql`n.payout_method is distinct from ${byHandMethod.name}`

/** Whether it only requires a person to approve the payout or put it into a file. */
export const needsPerson = (code: BlockerCode) => code === 'second-approval' || code === 'adjusted-by-hand'

/** Whether it also stops a person from approving. */
export const isHard = (code: BlockerCode) =>
  code !== 'deposit-info-changed-recently' && !needsPerson(code) && !findMethodBlocker(code)?.soft

/** Whether it concerns the payout method; it is ignored for payments by other means. */
export const isOfMethod = (code: BlockerCode) =>
  code === 'no-deposit-info' || code === 'below-minimum' || findMethodBlocker(code) !== undefined

/** Whether it waits for the partner: their tax form or payout details are missing, or the details were refused. */
export const isForPartner = (code: BlockerCode) =>
  code === 'no-deposit-info' || code === 'tax-form-missing' || findMethodBlocker(code)?.ofDetails === true

/** Whether it applies to a payout that was approved before, whose amount is fixed. */
export const outlastsApproval = (code: BlockerCode) =>
  isHard(code) &&
  code !== 'below-minimum' &&
  code !== 'agreement-not-accepted' &&
  code !== 'invoice-details-missing' &&
  !balanceBlockers.includes(code)

/** Hours without automatic approval after a change of payout details. */
export const COOL_OFF_HOURS = 72

/**
 * Describes the blockers for their reader: plainly for the owner, kindly for the partner (ui.md, section 6). A message is
 * worded when it is read, in the language of that moment.
 */
export const presentBlockers = (codes: BlockerCode[], facts: BlockerFacts, reader: Reader, method: Method): Blocker[] =>
  codes
    .filter((code) => reader === 'owner' || !needsPerson(code))
    .map((code) => {
      const say = wordsOf(code, reader, method)
      return {
        code,
        get message() {
          return wordForReader(reader, () => say(facts))
        },
      }
    })

function wordsOf(code: BlockerCode, reader: Reader, method: Method) {
  const own = method.blockers.find((blocker) => blocker.code === code)
  const found = own?.words[reader] ?? words[reader][code]
  if (!found) throw new Error(`there are no words for the blocker ${code}`)
  return found
}

/** Messages of blockers; a method adds its own. */
type Words = Partial<Record<BlockerCode, (facts: BlockerFacts) => string>>

const forBoth: Words = {
  'not-approved-this-year': ({ year }) => blockerPhrases.notApproved({ year: String(year) }),
  'not-approved-next-year': ({ payYear }) => blockerPhrases.notApproved({ year: String(payYear) }),
  'below-minimum': ({ minimumPayout, currency }) =>
    blockerPhrases.belowMinimum({ amount: moneyInWords(minimumPayout, currency) }),
  'negative-balance': () => blockerPhrases.negativeBalance,
  'deposit-info-changed-recently': ({ availableOn }) =>
    availableOn ? blockerPhrases.detailsChangedUntil({ day: dayInWords(availableOn) }) : blockerPhrases.detailsChanged,
}

const words: Record<Reader, Words> = {
  owner: {
    ...forBoth,
    'no-deposit-info': () => 'No payout details',
    'on-hold-fraud': ({ heldUntil }) =>
      `Commissions are on hold for possible fraud${heldUntil ? ` until ${dayInWords(heldUntil)}` : ''}: release or void them in Fraud review`,
    'partner-disabled': () => 'Partner is suspended',
    'agreement-not-accepted': () => 'Partner agreement not accepted',
    'tax-form-missing': ({ year }) => `No tax form for ${year}`,
    'invoice-details-missing': () => 'No invoice details',
    'adjusted-by-hand': ({ adjustedBy }) => `Adjusted by ${adjustedBy}`,
    'second-approval': ({ approvedFirstBy }) =>
      approvedFirstBy ? `Approved by ${approvedFirstBy}, needs one more` : 'Needs a second approval',
  },
  partner: {
    ...forBoth,
    'no-deposit-info': () => blockerPhrases.noDetails,
    'on-hold-fraud': ({ heldUntil }) =>
      heldUntil ? blockerPhrases.underReviewUntil({ day: dayInWords(heldUntil) }) : blockerPhrases.underReview,
    'partner-disabled': () => blockerPhrases.suspended,
    'agreement-not-accepted': () => blockerPhrases.agreement,
    'tax-form-missing': () => blockerPhrases.taxForm,
    'invoice-details-missing': () => blockerPhrases.invoiceDetails,
  },
}
