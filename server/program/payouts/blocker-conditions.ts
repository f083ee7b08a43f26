import { paydayFrom } from '#contract/paydays.ts'
import { type BlockerCode, blockerCodes } from '#contract/payouts.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import { dayIn } from '../../platform/time/days.ts'
import { paydayFromSql, RUN_AT } from '../access/paydays.ts'
import { mayPay } from '../access/payers.ts'
import { hasNotAccepted } from '../agreement/accepted.ts'
import { lacksDetails } from '../invoicing/details.ts'
import { personNameSql } from '../partner-directory/partner-names.ts'
import { appliesIn, balanceBlockers, COOL_OFF_HOURS, isHard, isNotChosen } from './blockers.ts'
import { isInGroups, nightlyMethods, possibleMethods, runningMethods } from './chosen-method.ts'
import type { BlockerFacts } from './methods/method.ts'
import { rewardMethodNames } from './methods/registry.ts'
import type { PayoutTerms } from './payout-terms.ts'
import { formCounts } from './tax-form-on-file.ts'
import { taxOfDue } from './taxes.ts'

/** The blockers that stop a payout, without those that only explain a balance. */
export const stoppingCodes = () => blockerCodes.filter((value) => isHard(value) && !balanceBlockers.includes(value))

/** Conditions in SQL by blocker. */
export type Conditions = Partial<Record<BlockerCode, Sql>>

/** The blockers of a partner `n` with the payout details `d` and the method `w`, independent of the due amount. */
const partnerConditions = (terms: PayoutTerms, now: Date): Conditions => {
  const conditions = payeeConditions(terms, now)
  // a reward needs nothing of its payee
  if (terms.customerGroups.length > 0)
    for (const code of ofPayee) if (conditions[code]) conditions[code] = sql`(${needsPayee} and ${conditions[code]})`
  return conditions
}

/** Whether the method `w` needs something of its payee. */
const needsPayee = sql`w.method <> all(${rewardMethodNames}::text[])`

/** The blockers about a payee's details and papers. */
const ofPayee = [
  'no-deposit-info',
  'deposit-info-changed-recently',
  'agreement-not-accepted',
  'tax-form-missing',
  'invoice-details-missing',
] as const satisfies BlockerCode[]

const payeeConditions = (terms: PayoutTerms, now: Date): Conditions => {
  const { account, requiredAgreement, invoicing } = terms
  const coolOff = sql`${now}::timestamptz - make_interval(hours => ${COOL_OFF_HOURS})`
  const conditions: Conditions = {
    'no-deposit-info': sql`(d.details_sealed is null and ${isNotChosen})`,
    'deposit-info-changed-recently': sql`(d.details_sealed is not null and d.changed_at > ${coolOff})`,
    'partner-disabled': sql`n.state = 'suspended'`,
    ...(requiredAgreement !== null && {
      'agreement-not-accepted': hasNotAccepted(account.id, sql`n.id`, requiredAgreement),
    }),
    ...(invoicing.taxForms === 'required' && {
      'tax-form-missing': sql`not ${formCounts(account.id, sql`n`, terms.year)}`,
    }),
    ...(invoicing.enabled && invoicing.required && { 'invoice-details-missing': lacksDetails(account.id, sql`n.id`) }),
  }
  for (const { name, blockers } of possibleMethods(terms))
    for (const blocker of blockers) {
      const own = sql`(w.method = ${name} and ${appliesIn(blocker, terms)})`
      const others = conditions[blocker.code]
      conditions[blocker.code] = others ? sql`(${others} or ${own})` : own
    }
  return conditions
}

/**
 * Every blocker of product.md, section 4, and those of the methods, of a partner `n` with details `d`, the method `w` and
 * the sums `x`.
 */
const conditionsOf = (terms: PayoutTerms, now: Date): Conditions => ({
  ...partnerConditions(terms, now),
  'not-approved-this-year': sql`(${terms.customerGroups.length > 0 ? needsPayee : sql`true`} and not (${terms.year}::integer = any(n.approved_payout_years)))`,
  'below-minimum': sql`(x.due > 0 and x.due < ${minimumSql(terms)})`,
  'negative-balance': sql`x.due < 0`,
  'on-hold-fraud': sql`x.held_until is not null`,
  ...(terms.limits.approvals === 2 && {
    'second-approval': sql`${payOf(terms)} > ${terms.limits.maxPerPayout}::bigint`,
  }),
  ...(isAutomatic(terms) && { 'adjusted-by-hand': sql`(x.due > 0 and ${adjustedBy(terms, now)} is not null)` }),
})

/** The least that partner `n` is paid: customers' rewards have no minimum. */
const minimumSql = ({ account, customerGroups }: PayoutTerms) =>
  customerGroups.length === 0
    ? sql`${account.minimumPayout}::bigint`
    : sql`case when ${isInGroups(customerGroups)} then 0 else ${account.minimumPayout}::bigint end`

/** The due amount of a partner `n` with the sums `x`, with its VAT: ceilings are compared with what leaves. */
const payOf = (terms: PayoutTerms) => sql`(x.due + ${taxOfDue(terms, sql`n.id`, sql`x.due`)})`

/** The person whose act an entry `h` is, like `personOf`. */
const actingUser = sql`case when h.actor like 'user:%' or h.actor like 'system:%' then split_part(h.actor, ':', 2)::uuid end`

/**
 * The name of a person without the right to pay who adjusted the due amount of partner `n`, or made a part of it due sooner
 * than the payout delay from that act; null unless automatic payouts would pay it, or the nightly run would give it.
 */
const adjustedBy = (terms: PayoutTerms, now: Date) => {
  const { account, ways } = terms
  const automatic = ways.filter((way) => way.automatic).map(({ method }) => method.name)
  const nightly = isGivenNightly(terms)
  return isAutomatic(terms)
    ? sql`(
    select coalesce(min(${personNameSql(sql`u`)}), 'someone else')
    from (
      select h.id, h.available_at, ${actingUser} as user_id from commission_entries h
      where h.account_id = ${account.id} and h.partner_id = n.id and h.sale_id is null and h.kind = 'adjustment'
      union all
      select h.id, h.available_at, y.user_id
      from early_entries y join commission_entries h on h.account_id = y.account_id and h.id = y.entry_id
      where y.account_id = ${account.id} and y.partner_id = n.id and (y.until is null or y.until > ${now})) h
      left join users u on u.id = h.user_id
    where (w.method = any(${automatic}::text[]) ${nightly ? sql`or ${nightly}` : sql``}) and h.user_id is not null and h.available_at <= ${now}
      and not exists (select from payout_entries b
        where b.account_id = ${account.id} and b.entry_id = h.id and b.live)
      and not exists (select from user_roles r
        where r.account_id = ${account.id} and r.user_id = h.user_id and ${mayPay(sql`r`)})
    having count(*) > 0)`
    : sql`null::text`
}

const isAutomatic = ({ ways, customerGroups }: PayoutTerms) =>
  [...ways, ...customerGroups].some(({ automatic }) => automatic)

/**
 * Judges a partner `n` with the details `d`, the method `w` and the sums `x`; each part in SQL, so that only the requested ones are
 * computed.
 */
export function judgeBlockers(terms: PayoutTerms, now: Date) {
  const conditions = conditionsOf(terms, now)
  const among = (codes: readonly BlockerCode[]) =>
    codes.flatMap((value) => (conditions[value] ? [[value, conditions[value]] as const] : []))
  const all = among(blockerCodes).map(([value, condition]) => sql`case when ${condition} then ${value}::text end`)
  const blocked = sql`coalesce(${joinSql(
    among(stoppingCodes()).map(([, condition]) => condition),
    ' or ',
  )}, false)`
  return {
    conditions,
    /** In the contract's order. */
    blockers: sql`array_remove(array[${joinSql(all, ', ')}], null)`,
    /** True if a blocker stops the due amount; not one that only explains the rest of the balance. */
    blocked,
    scheduledFor: scheduledFor(terms, conditions, blocked),
    adjustedBy: adjustedBy(terms, now),
  }
}

/** The next date of an automatic run; if `isCooling`, the first after the cool-off. */
const runDay = (terms: PayoutTerms, isCooling: Sql) => {
  const { account, nextRunDay } = terms
  const cooled = onPayday(
    terms,
    sql`greatest(${nextRunDay}::date,
    -- a run at the very moment it ends takes it
    ((d.changed_at + make_interval(hours => ${COOL_OFF_HOURS - RUN_AT}) - interval '1 millisecond') at time zone ${account.timeZone})::date + 1)`,
  )
  return sql`case when ${isCooling} then ${cooled} else ${nextRunDay}::date end`
}

/** Whether the run takes payouts of method `w`; null if it takes none. */
function runs(terms: PayoutTerms): Sql | null {
  const running = runningMethods(terms)
  return running.length > 0 ? sql`(w.method = any(${running}::text[]))` : null
}

/** Whether the nightly run approves the reward of partner `n` by method `w`; null if it approves none. */
function isGivenNightly(terms: PayoutTerms): Sql | null {
  const groups = terms.customerGroups.filter(({ automatic }) => automatic)
  return groups.length > 0
    ? sql`(${isInGroups(groups)} and n.erased_at is null and w.method = any(${nightlyMethods(terms)}::text[]))`
    : null
}

/** The first payday on or after this date: a date not before today. A run that is still to be made today counts. */
export function onPayday(terms: PayoutTerms, day: Sql): Sql {
  const { account, today, nextRunDay } = terms
  if (account.paydays.every === 'day') return day
  const run = runs(terms)
  const byPerson = sql`${paydayFrom(account.paydays, today)}::date`
  const first = run ? sql`case when ${run} then ${nextRunDay}::date else ${byPerson} end` : byPerson
  return sql`case when ${day} <= ${first} then ${first} else ${paydayFromSql(account.paydays, day)} end`
}

/** Whether nothing can be paid to a partner `n` with the details `d`, regardless of the year's approval. */
export const isStopped = (terms: PayoutTerms, now: Date) => {
  const conditions = Object.entries(partnerConditions(terms, now)) as [BlockerCode, Sql][]
  return sql`(${joinSql(
    conditions.filter(([value]) => isHard(value)).map(([, condition]) => condition),
    ' or ',
  )})`
}

/** The first date from which the due amount of a partner with the details `d` can be paid, without blockers. */
export function firstPayday(terms: PayoutTerms, now: Date): Sql {
  const today = sql`${terms.today}::date`
  const run = runs(terms)
  if (!run) return today
  const cooling = partnerConditions(terms, now)['deposit-info-changed-recently']!
  return sql`case when ${run} then ${runDay(terms, cooling)} else ${today} end`
}

/** The date of the automatic run that pays a due payout: after the cool-off of changed details, below the ceilings. */
const scheduledFor = (terms: PayoutTerms, conditions: Conditions, blocked: Sql) => {
  const {
    limits: { maxPerPayout },
    maxPerRun,
  } = terms
  const run = runs(terms)
  const nightly = isGivenNightly(terms)
  if (!run && !nightly) return sql`null::date`
  const pay = payOf(terms)
  const day = runDay(terms, conditions['deposit-info-changed-recently']!)
  return sql`case when ${nightly && run ? sql`(${run} or ${nightly})` : (run ?? nightly!)} and x.due > 0 and not ${blocked} and not ${conditions['adjusted-by-hand'] ?? sql`false`}
      and ${pay} <= coalesce(${maxPerPayout}::bigint, ${pay}) and ${pay} <= coalesce(${maxPerRun}::bigint, ${pay})
    then ${nightly ? sql`case when ${nightly} then ${terms.today}::date + 1 else ${day} end` : day} end`
}

/** Returns the values that this partner's blocker messages interpolate. */
export function blockerFacts(
  { account, year }: PayoutTerms,
  partner: Omit<BlockerFacts, 'year' | 'minimumPayout' | 'currency' | 'availableOn'> & {
    detailsChangedAt: string | null
  },
): BlockerFacts {
  const day = (at: string | null, hours = 0) =>
    at && dayIn(account.timeZone, new Date(Date.parse(at) + hours * 3_600_000))
  return {
    year,
    minimumPayout: account.minimumPayout,
    currency: account.defaultCurrency,
    heldUntil: day(partner.heldUntil),
    availableOn: day(partner.detailsChangedAt, COOL_OFF_HOURS),
    rejectedReason: partner.rejectedReason,
    adjustedBy: partner.adjustedBy ?? null,
    approvedFirstBy: partner.approvedFirstBy ?? null,
  }
}
