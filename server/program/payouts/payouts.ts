import type { EventObject } from '#contract/events.ts'
import type { GroupReward } from '#contract/groups.ts'
import type {
  BlockerCode,
  Payout,
  PayoutDestination,
  PayoutMethod,
  PayoutNeed,
  PayoutPart,
  PayoutPayee,
  PayoutSums,
} from '#contract/payouts.ts'
import type { ListQuery, PayoutStatus } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { containsFilter, dayFilter, idFilter, valueFilter } from '../../platform/http/list.ts'
import { pageWithTotals } from '../../platform/http/page-with-totals.ts'
import { notFound } from '../../platform/refusal.ts'
import { storedTexts } from '../../platform/stored-texts.ts'
import type { Access } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { balancePartsSql } from '../commissions/entry-status.ts'
import { listEntries } from '../commissions/present-entries.ts'
import { entryReasons } from '../commissions/text.ts'
import { invoiceNumberSql } from '../invoicing/series.ts'
import { partnerNameSql, partnersFound, personNameSql, withExternalIds } from '../partner-directory/partner-names.ts'
import { withSales } from '../sales/entries-with-sales.ts'
import { blockerFacts, judgeBlockers } from './blocker-conditions.ts'
import { appliesIn, balanceBlockers, presentBlockers } from './blockers.ts'
import { hasMoneyLeft } from './cash-ledger.ts'
import { rewardSql, runningMethods, withMethod } from './chosen-method.ts'
import type { Reader } from './methods/method.ts'
import { connecting, getPayoutMethod, methods, rewardMethodNames } from './methods/registry.ts'
import { findNameChecks } from './name-checks.ts'
import { paidIn } from './paid-in-year.ts'
import { findDueDays, partnerDuesSql } from './partner-balances.ts'
import { readDue } from './payout-entries.ts'
import { needSql, needyStates } from './payout-needs.ts'
import { getPayoutTerms, type PayoutTerms } from './payout-terms.ts'
import { findLiveFiles, wasInFile } from './payouts-in-files.ts'
import { payoutReasons, wordForReader } from './reason-text.ts'
import { completedApprovals, type FirstApproval, firstApprovals, needsTwo, stillCounting } from './second-approval.ts'
import { taxOfDue } from './taxes.ts'

/** A payout as read: stored values once approved, before that computed from the ledger. */
export type PayoutRow = {
  id: string
  accountId: string
  partnerId: string
  partnerName: string
  amount: number
  taxAmount: number
  payAmount: number
  currency: string
  invoiceNumber: string | null
  status: PayoutStatus
  method: PayoutMethod
  blockers: BlockerCode[]
  periodStart: string | null
  periodEnd: string | null
  /** The action a person can take for it now. */
  need: PayoutNeed | null
  scheduledFor: string | null
  approvedAt: string | null
  approvedBy: string | null
  sentAt: string | null
  paidAt: string | null
  paidOn: string | null
  failureReason: string | null
  externalReference: string | null
  statementNumber: number
  detailsVersion: string | null
  /** The destination of its details; null without any, and if a person pays by other means. */
  destination: PayoutDestination | null
  /** The version of an unapproved payout's details, including removed ones. */
  seenVersion: string | null
  heldUntil: string | null
  detailsChangedAt: string | null
  rejectedReason: string | null
  /** The reward of a customer's group; stored once approved. */
  givenAs: GroupReward | null
  adjustedBy: string | null
  createdAt: string
  updatedAt: string
}

type Reading = {
  /** Only these partners'. */
  partnerIds?: string[] | undefined
  /** Partners whose unapproved payouts are needed, if known: approved ones are complete as stored. */
  gathering?: string[]
  /** Only those matching this condition on payouts `t`. */
  found?: Sql | undefined
  /** Only those in one of these states. */
  status?: string[] | undefined
  /** Only those that need a person. */
  needy?: boolean
  /** Only a few are read: each is computed in turn, instead of all at once. */
  few?: boolean
  /** The sums of unapproved ones, like `partnerDuesSql`, if the query has them already. */
  sums?: Sql
}

/** States of a payout computed from the ledger. */
const unapproved = ['open', 'due']

const areStored = (status: string[] | undefined) =>
  status !== undefined && !status.some((state) => unapproved.includes(state))

/**
 * Returns payouts as a table to select from. An unapproved one whose due entries do not sum above zero is left out. If
 * all unapproved ones are computed at once, their period is null.
 */
export function readPayouts(
  terms: PayoutTerms,
  now: Date,
  { partnerIds, gathering, found, status, needy, few, sums }: Reading = {},
): Sql {
  const { account } = terms
  const own = partnerIds ? sql`and o.partner_id = any(${partnerIds}::uuid[])` : sql``
  const approved = areStored(status)
  const stored = status?.map((state) => (unapproved.includes(state) ? 'gathering' : state))
  const some = needy ? (stored ?? needyStates).filter((state) => needyStates.includes(state)) : stored
  // a single status is compared by `=`, so that an index returns its payouts in order
  const those = !some ? sql`` : some.length === 1 ? sql`and o.status = ${some[0]}` : sql`and o.status = any(${some})`
  const each = sql`case when o.status = 'gathering' then o.partner_id end`
  const dues = sums ?? partnerDuesSql(terms, now, few ? each : (gathering ?? partnerIds ?? 'gathering'), found)
  const { conditions, blockers, blocked, scheduledFor, adjustedBy } = judgeBlockers(terms, now)
  const need =
    some?.some((state) => needyStates.includes(state)) === false
      ? sql`null::text`
      : needSql(terms, now, conditions, blocked)
  const tax = sql`case when o.status = 'gathering' then ${taxOfDue(terms, sql`o.partner_id`, sql`x.due`)} else o.tax_amount end`
  const ofGathering = (value: Sql) => sql`case when o.status = 'gathering' then ${value} end`
  // looked up one by one where each is judged: few of an account's partners have one, and a join would read all
  const joinToPayee = (table: string, alias: Sql, key: Sql) =>
    needy
      ? sql`left join lateral (select ${alias}.* from ${rawSql(table)} ${alias}
          where ${alias}.account_id = ${account.id} and ${key} = o.partner_id offset 0) ${alias} on true`
      : sql`left join ${rawSql(table)} ${alias} on ${alias}.account_id = o.account_id and ${key} = o.partner_id`
  // materialized because a planner without statistics of a table would compute it again for each payout; unneeded parts
  // are not joined
  return sql`(
    ${few || approved ? sql`` : sql`with x as materialized (${dues})`}
    select o.id, o.account_id, o.partner_id, ${partnerNameSql(sql`n`)} as partner_name,
      coalesce(o.amount, x.due, 0) as amount, ${tax} as tax_amount, coalesce(o.amount, x.due, 0) + ${tax} as pay_amount,
      o.currency, ${invoiceNumberSql(account.id, sql`o.id`)} as invoice_number,
      case when o.status <> 'gathering' then o.status when ${blocked} then 'open' else 'due' end as status,
      coalesce(o.method, w.method) as method,
      case when o.status = 'gathering' then ${blockers}
        ${afterFailure(terms)}
        else '{}' end as blockers,
      coalesce(o.period_start, x.period_start) as period_start, coalesce(o.period_end, x.period_end) as period_end,
      ${need} as need, ${partOfOwed(account.id)} as part, ${ofGathering(scheduledFor)} as scheduled_for, o.approved_at, o.sent_at, o.paid_at,
      o.paid_on, o.failure_reason,
      o.external_reference, ${personNameSql(sql`u`)} as approved_by,
      o.statement_number, case when o.status = 'gathering' then case when d.details_sealed is not null then d.version end
        else o.details_version end as details_version, d.version as seen_version, ${destination} as destination, x.held_until, d.changed_at as details_changed_at, d.rejected_reason,
      case when o.status = 'gathering' then ${rewardSql(terms)} else o.reward end as given_as, ${ofGathering(adjustedBy)} as adjusted_by, o.created_at, o.updated_at
    from payouts o
      ${joinToPayee('partners', sql`n`, sql`n.id`)}
      left join users u on u.id = o.approved_by
      ${joinToPayee('payout_settings', sql`d`, sql`d.partner_id`)}
      ${withMethod(terms)}
      ${approved ? notSummed : sql`left join ${few ? sql`lateral (${dues})` : sql``} x on x.partner_id = o.partner_id and o.status = 'gathering'`}
    where o.account_id = ${account.id} ${own} ${those} and (o.status <> 'gathering' or x.due > 0))`
}

/** The part of the totals that approved payout `o` adds to. */
const partOfOwed = (accountId: string) => sql`case
  when o.status in ('gathering', 'paid', 'canceled') then null
  when ${hasMoneyLeft(accountId)} then case when o.status = 'returned' then ${'being-returned' satisfies PayoutPart}::text end
  when o.status = 'returned' then null
  when o.status = 'awaiting-funding' then ${'awaiting-funding' satisfies PayoutPart}::text
  else ${'in-payout' satisfies PayoutPart}::text end`

/** The destination of the details that an approval fixed, else of the present ones. */
const destination = sql`case
  when coalesce(o.method, w.method) = any(${['manual', ...rewardMethodNames]}::text[]) then null
  when o.status <> 'gathering' then case when o.details_version is not null then jsonb_build_object(
    'kind', coalesce(o.payee_kind, 'us-bank'), 'country', case when o.payee_kind is null then 'US' else o.payee_country end,
    'currency', coalesce(o.payee_currency, 'usd'), 'hint', o.payee_hint) end
  when d.details_sealed is not null then jsonb_build_object(
    'kind', d.kind, 'country', d.country, 'currency', d.currency, 'hint', coalesce(d.hint, d.account_last4)) end`

/** Nulls for payouts that are complete as stored. */
const notSummed = sql`cross join (
  select null::bigint as due, null::timestamptz as held_until, null::date as period_start, null::date as period_end) x`

/** Blockers of the details that remain for a failed payout's method. */
const afterFailure = (terms: PayoutTerms) =>
  joinSql(
    methods.flatMap(({ name, blockers }) =>
      blockers
        .filter(({ ofDetails }) => ofDetails)
        .map(
          (blocker) => sql`
        when o.status = 'failed' and o.method = ${name} and ${appliesIn(blocker, terms)}
          then array[${blocker.code}::text]`,
        ),
    ),
    ' ',
  )

type PayoutQuery = ListQuery & {
  status?: string[] | undefined
  attention?: string[] | undefined
  part?: string[] | undefined
  givenAs?: string[] | undefined
  file?: string[] | undefined
  paidYear?: number | undefined
  paidFrom?: string | undefined
  paidTo?: string | undefined
  partnerId?: string[] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Lists all payouts of the account, or of one partner; the totals cover all pages. */
export async function listPayouts(
  db: Queryable,
  account: AccountFacts,
  query: PayoutQuery,
  { reader, partnerId }: { reader: Reader; partnerId?: string },
) {
  const terms = await getPayoutTerms(db, account)
  const { status, attention } = query
  const needy = attention !== undefined && !attention.includes('none')
  const partnerIds = partnerId === undefined ? undefined : [partnerId]
  // computed one by one only if at most a page of them is read
  const few = query.sort.endsWith('createdAt') && !needy
  const found = bySearch(account.id, query.search)
  const from = (few: boolean) => sql`${readPayouts(terms, db.now, { partnerIds, found, status, needy, few })} t`
  const { items, totals, ...rest } = await pageWithTotals<PayoutRow, Pick<PayoutSums, 'count' | 'amount'>>(
    db,
    query,
    {
      columns: sql`t.*`,
      from: from(few),
      scope: sql`true`,
      filters: [
        // stored states are filtered only once: a second filter would make the planner expect almost no rows
        areStored(status) ? undefined : valueFilter(sql`t.status`, status),
        byNeed(attention),
        valueFilter(sql`t.part`, query.part),
        valueFilter(sql`(t.given_as ->> 'as')`, query.givenAs),
        query.file && wasInFile(account.id, query.file),
        query.paidYear === undefined ? undefined : paidIn(query.paidYear, sql`t`),
        query.paidFrom === undefined ? undefined : sql`t.paid_on >= ${query.paidFrom}::date`,
        query.paidTo === undefined ? undefined : sql`t.paid_on <= ${query.paidTo}::date`,
        idFilter(sql`t.partner_id`, query.partnerId),
        ...dayFilter(sql`t.created_at`, account.timeZone, query.from, query.to),
        found,
      ],
      sorts: {
        amount: { by: sql`t.amount`, type: 'bigint' },
        scheduledFor: { by: sql`coalesce(t.scheduled_for, '9999-12-31'::date)`, type: 'date' },
        paidOn: { by: sql`coalesce(t.paid_on, '9999-12-31'::date)`, type: 'date' },
      },
    },
    // finished ones may be years of payouts, of which only the shown ones are computed
    {
      from: from(false),
      once: needy,
      wide: {
        keys: sql`t.amount`,
        from: sql`${readPayouts(terms, db.now, { partnerIds, few: true })} t`,
      },
      sums: { amount: sql`t.amount` },
    },
  )
  return {
    ...rest,
    items: await present(db, terms, await withPeriods(db, terms, items), reader),
    totals: { ...totals, currency: account.defaultCurrency },
  }
}

/** Returns unapproved payouts with the dates of their due entries. */
async function withPeriods(db: Queryable, terms: PayoutTerms, rows: PayoutRow[]): Promise<PayoutRow[]> {
  const without = rows.filter((row) => isUnapproved(row) && row.periodStart === null)
  const partnerIds = without.map(({ partnerId }) => partnerId)
  const days = await findDueDays(db, terms, partnerIds)
  return rows.map((row) => {
    const due = without.includes(row) ? days.get(row.partnerId) : undefined
    return due ? { ...row, periodStart: due.periodStart, periodEnd: due.periodEnd } : row
  })
}

/** A whole number, alone or as 'PO-13', 'po 13', '#13'. */
const NUMBER = /^(po|#)?[\s#-]*0*(\d{1,9})$/i

/**
 * Returns the search condition: a number matches exactly its payout; without a prefix it also searches the partners.
 */
function bySearch(accountId: string, search: string | undefined) {
  if (!search) return undefined
  const [, prefix, number] = NUMBER.exec(search) ?? []
  const numbered = number
    ? sql`t.statement_number = ${Number(number)}`
    : containsFilter(sql`'po-' || t.statement_number`, search)!
  return prefix && number ? numbered : sql`(${numbered} or t.partner_id in ${partnersFound(accountId, search)})`
}

const byNeed = (needs: string[] | undefined) =>
  needs &&
  sql`(t.need = any(${needs.filter((need) => need !== 'none')}) or (t.need is null and ${needs.includes('none')}))`

/** Returns one payout as this reader may see it. Refuses: `not_found` for an unapproved one whose amount is gone. */
export async function presentPayout(
  db: Queryable,
  account: AccountFacts,
  id: string,
  reader: Reader = 'owner',
): Promise<Payout> {
  const terms = await getPayoutTerms(db, account)
  const row = await readPayout(db, terms, id)
  if (!row) throw notFound()
  return (await present(db, terms, [row], reader))[0]!
}

/** Returns these payouts for events: without digits of bank accounts. */
export async function payoutsForEvents(
  db: Queryable,
  account: AccountFacts,
  ids: string[],
): Promise<EventObject<'payout.due'>[]> {
  const payouts = await withExternalIds(db, [account.id], await presentPayouts(db, account, ids))
  return payouts.map((one) => ({ ...one, destination: one.destination && { ...one.destination, hint: null } }))
}

/** Returns these payouts in the order of their numbers, as the account's owner sees them. */
export async function presentPayouts(db: Queryable, account: AccountFacts, ids: string[]): Promise<Payout[]> {
  const terms = await getPayoutTerms(db, account)
  return present(db, terms, await readThese(db, terms, ids), 'owner')
}

export const readPayout = async (db: Queryable, terms: PayoutTerms, id: string): Promise<PayoutRow | undefined> =>
  (await readThese(db, terms, [id]))[0]

/** Returns the existing ones among these, in the order of their numbers. */
export async function readThese(db: Queryable, terms: PayoutTerms, ids: string[]): Promise<PayoutRow[]> {
  const unapproved = await db.many<{ partnerId: string }>`
    select partner_id from payouts
    where id = any(${ids}::uuid[]) and account_id = ${terms.account.id} and status = 'gathering'`
  const gathering = unapproved.map(({ partnerId }) => partnerId)
  return db.many<PayoutRow>`
    select t.* from ${readPayouts(terms, db.now, { gathering })} t
    where t.id = any(${ids}::uuid[]) order by t.statement_number`
}

export const payoutReader = ({ as }: Pick<Access, 'as'>): Reader => (as === 'owner' ? 'owner' : 'partner')

const firstOf = (first: Shown | undefined) => (first ? { userId: first.userId, name: first.name, at: first.at } : null)

type AttemptRow = Payout['attempts'][number] & {
  payoutId: string
  payeeAmount: number | null
  payeeCurrency: string | null
  claimBy: string | null
}

/**
 * Returns the money as it arrived, by the attempt that left; null while it is not known. No attempt left if the payout
 * was paid by another method, unless a person found out that one did.
 */
function payeeOf(
  { currency, method, sentAt, paidAt }: PayoutRow,
  attempts: AttemptRow[],
  reader: Reader,
): PayoutPayee | null {
  if (sentAt === null && paidAt === null) return null
  const left = attempts.findLast(
    (one) =>
      (one.payeeAmount !== null || one.payeeCurrency !== null) && (one.method === method || one.state === 'decided'),
  )
  if (!left) return null
  const { payeeAmount: amount, payeeCurrency, rate } = left
  // in its own currency the account bears the fee, which is not the partner's affair
  const fee = reader === 'partner' && payeeCurrency === currency ? null : left.fee
  return { amount, currency: payeeCurrency, rate, fee, feeCurrency: fee === null ? null : currency }
}

/** Returns the first approvals of these unapproved payouts that count now, by payout. */
export async function findCountingApprovals(
  db: Queryable,
  { account }: PayoutTerms,
  rows: PayoutRow[],
): Promise<Map<string, FirstApproval>> {
  const firsts = await firstApprovals(
    db,
    account.id,
    rows.map(({ id }) => id),
  )
  if (firsts.size === 0) return firsts
  const those = rows.filter(({ id }) => firsts.has(id))
  const partnerIds = those.map(({ partnerId }) => partnerId)
  const dueTo = await readDue(db, account.id, partnerIds, db.now)
  const counted = those.flatMap(({ id, partnerId, taxAmount, seenVersion }) => {
    const first = stillCounting(firsts.get(id), { ...dueTo(partnerId), taxAmount, version: seenVersion })
    return first ? [[id, first] as const] : []
  })
  return new Map(counted)
}

/** Returns the first approvals to show: of unapproved payouts those that count, of others those that were completed. */
async function firstOnesOf(db: Queryable, terms: PayoutTerms, rows: PayoutRow[], reader: Reader) {
  if (reader !== 'owner' || !terms.limits.everTwo) return new Map<string, Shown>()
  const waiting = rows.filter((row) => isUnapproved(row) && needsTwo(terms, row.payAmount))
  const open = await findCountingApprovals(db, terms, waiting)
  const approved = rows.filter((row) => !isUnapproved(row)).map(({ id }) => id)
  return new Map<string, Shown>([...open, ...(await completedApprovals(db, terms.account.id, approved))])
}

type Shown = { userId: string; name: string; at: string }

async function present(db: Queryable, terms: PayoutTerms, rows: PayoutRow[], reader: Reader): Promise<Payout[]> {
  const firsts = await firstOnesOf(db, terms, rows, reader)
  const attempts = await db.many<AttemptRow>`
    select payout_id, id, coalesce(method, ${connecting.name}) as method, transfer_id,
      case when coalesce(method, ${connecting.name}) = ${connecting.name} then transfer_id end as wise_transfer_id,
      state, fee, rate, error, at, payee_amount, payee_currency, memo ->> 'claimBy' as claim_by
    from payout_attempts
    where account_id = ${terms.account.id} and payout_id = any(${rows.map((row) => row.id)}::uuid[]) order by number`
  const ids = rows.map(({ id }) => id)
  const nameChecks = await findNameChecks(db, terms.account.id, ids, reader)
  const files = await findLiveFiles(db, terms.account.id, ids)
  const attemptsOf = Map.groupBy(attempts, ({ payoutId }) => payoutId)
  return rows.map((row) => ({
    ...row,
    reward: row.givenAs && toReward(row.givenAs, row.amount),
    payee: payeeOf(row, attemptsOf.get(row.id) ?? [], reader),
    firstApproval: firstOf(firsts.get(row.id)),
    blockers: presentBlockers(
      row.blockers.filter((code) => !balanceBlockers.includes(code)),
      blockerFacts(terms, { ...row, approvedFirstBy: firsts.get(row.id)?.name ?? null }),
      reader,
      getPayoutMethod(row.method),
    ),
    get failureReason() {
      return row.failureReason && wordForReader(reader, () => sayReason(row.failureReason!))
    },
    claimBy: row.status === 'sent' ? (attemptsOf.get(row.id)?.at(-1)?.claimBy ?? null) : null,
    nameCheck: nameChecks.get(row.id) ?? null,
    paymentFile: files.get(row.id) ?? null,
    attempts: (attemptsOf.get(row.id) ?? []).map(presentAttempt),
  }))
}

/** Says why a payout waits, failed, came back or ended; what a provider or a person wrote stays as it is. */
export const sayReason = storedTexts(payoutReasons, entryReasons, ...methods.flatMap(({ reasons = [] }) => reasons))

/** Returns the reward of a payout of this amount. */
export const toReward = (given: GroupReward, amount: number): NonNullable<Payout['reward']> =>
  given.as === 'units'
    ? { as: given.as, units: Math.trunc(amount / given.unitValue), unitName: given.unitName }
    : { as: given.as, units: null, unitName: null }

const presentAttempt = ({ payoutId, payeeAmount, payeeCurrency, claimBy, ...shown }: AttemptRow) => shown

/** Lists the ledger entries that a payout pays; before approval those that are due. */
export async function listPayoutEntries(db: Queryable, access: Access, query: ListQuery) {
  const payout = await readPayout(db, await getPayoutTerms(db, access.account), access.subjectId)
  if (!payout) throw notFound()
  const { items, ...rest } = await listEntries(db, access, query, { scope: payoutEntriesSql(payout, db.now) })
  return { ...rest, items: await withSales(db, access, items) }
}

export const isUnapproved = ({ status }: Pick<Payout, 'status'>) => unapproved.includes(status)

/** The condition for a payout's entries among `entriesWithPayout`. */
export const payoutEntriesSql = (payout: Pick<Payout, 'id' | 'accountId' | 'partnerId' | 'status'>, now: Date) => {
  const { id, accountId, partnerId } = payout
  const its = isUnapproved(payout)
    ? balancePartsSql(now, accountId).due
    : sql`exists (
        select from payout_entries b join payouts o on o.account_id = b.account_id and o.id = b.payout_id
        where b.account_id = ${accountId} and b.entry_id = t.id and o.id = ${id} and b.approved_at = o.approved_at)`
  return sql`t.account_id = ${accountId} and t.partner_id = ${partnerId} and ${its}`
}

/** Counts the due payouts that no automatic run takes. */
export async function countByPerson(db: Queryable, account: AccountFacts): Promise<number> {
  const terms = await getPayoutTerms(db, account)
  const { count } = await db.one<{ count: number }>`
    select count(*) as count from ${readPayouts(terms, db.now)} t
    where t.status = 'due' and t.method <> all(${runningMethods(terms)}::text[])`
  return count
}

/** Counts the payouts that could be approved, and those that a blocker stops. */
export async function countUnapproved(db: Queryable, account: AccountFacts): Promise<{ due: number; blocked: number }> {
  const terms = await getPayoutTerms(db, account)
  return db.one`
    select count(*) filter (where t.status = 'due') as due, count(*) filter (where t.status = 'open') as blocked
    from ${readPayouts(terms, db.now)} t`
}
