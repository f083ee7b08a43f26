import {
  type Balance,
  type BalancePart,
  type BalanceTotals,
  type ListedBalance,
  MOST_PAYDAYS,
} from '#contract/balances.ts'
import { type BlockerCode, blockerCodes } from '#contract/payouts.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { containsFilter, idFilter } from '../../platform/http/list.ts'
import { pageWithTotals } from '../../platform/http/page-with-totals.ts'
import type { Access } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { entriesSetAside } from '../commissions/entry-status.ts'
import { partnerNameSql } from '../partner-directory/partner-names.ts'
import { blockerFacts, stoppingCodes } from './blocker-conditions.ts'
import { presentBlockers } from './blockers.ts'
import { eachPayment, heldByDay, type NextPayouts, readNextPayouts } from './forecast.ts'
import type { Reader } from './methods/method.ts'
import { getPayoutMethod } from './methods/registry.ts'
import {
  duesByPartner,
  findDueDays,
  judgementColumns,
  type PartnerBalance,
  partnerBalances,
  readBalances,
  sumColumns,
  sumsOfMany,
  type Who,
  withJudgement,
} from './partner-balances.ts'
import { getPayoutTerms, type PayoutTerms } from './payout-terms.ts'

type Parts = Pick<PartnerBalance, 'held' | 'due' | 'onHold' | 'inPayout' | 'paid'>

/** Returns balances by partner; the five parts add up to all entries of the partner. */
export async function getBalances(db: Queryable, account: AccountFacts, who: Who): Promise<Map<string, Parts>> {
  const rows = await readBalances(db, await getPayoutTerms(db, account), who)
  return new Map(
    rows.map(({ partnerId, held, due, onHold, inPayout, paid }) => [partnerId, { held, due, onHold, inPayout, paid }]),
  )
}

/** Returns due amounts in no payout yet, by partner; partners without a due amount are left out. */
export async function getDueAmounts(
  db: Queryable,
  accountId: string,
  partnerIds: string[],
): Promise<Map<string, number>> {
  const rows = await db.many<{ partnerId: string; due: number }>`
    select partner_id, due from ${duesByPartner(accountId, db.now, partnerIds)} d`
  return new Map(rows.map(({ partnerId, due }) => [partnerId, due]))
}

/** Returns everything not in a payout: held, due and on hold together. */
export async function getOpenBalance(db: Queryable, accountId: string, partnerId: string): Promise<number> {
  const { open } = await db.one<{ open: number }>`
    select coalesce(sum(t.amount) filter (where p.id is null), 0)::bigint as open
    from ${entriesSetAside} where t.account_id = ${accountId} and t.partner_id = ${partnerId}`
  return open
}

export async function getBalance(db: Queryable, { account, as, subjectId }: Access): Promise<Balance> {
  const terms = await getPayoutTerms(db, account)
  const [balance] = await readBalances(db, terms, [subjectId])
  const coming = await readNextPayouts(db, terms, [subjectId])
  return present(terms, balance!, coming.get(subjectId), as === 'owner' ? 'owner' : 'partner')
}

type BalanceQuery = ListQuery & {
  partnerId?: string[] | undefined
  blocked?: boolean | undefined
  nextYear?: boolean | undefined
  part?: string[] | undefined
  each?: 'payday' | undefined
  empty?: string[] | undefined
}

type Sums = Pick<BalanceTotals, 'held' | 'due' | 'onHold' | 'count'> & {
  partners: number
  blockedAmount: number
  blockedCount: number
  nextYearAmount: number
  nextYearCount: number
  parts?: BalanceTotals['paydays']
}

type Listed = PartnerBalance &
  NextPayouts &
  Pick<ListedBalance, 'payday' | 'amount'> &
  Omit<Sums, 'count' | 'parts' | 'held' | 'due' | 'onHold'>

/** The forecast of a partner who has none, in SQL. */
const noForecast = sql`(select null::uuid as partner_id, null::date as payday, null::bigint as amount, true as is_first,
  null::date[] as days, null::bigint[] as amounts, 0::bigint as rest, 0::bigint as blocked, null::integer as unapproved_year,
  false as waits_for_next_year where false)`

/**
 * Lists the balances of all partners, also of those without any entry; the totals cover all pages. With `each`, a partner
 * has a row for each payday. The balances of all are read once, for the rows and for the forecast, and only the rows of the
 * page are named and judged.
 */
export async function listBalances(db: Queryable, account: AccountFacts, query: BalanceQuery) {
  const terms = await getPayoutTerms(db, account)
  const byDay = query.each !== undefined
  const earners = query.empty?.join() === 'false'
  // the forecast of all is left out of a file's pages that need none of it
  const isForecast =
    byDay ||
    query.sort.endsWith('nextPayoutDate') ||
    query.blocked !== undefined ||
    query.nextYear !== undefined ||
    !query.uncounted
  // in order of paydays, a partner has one row of each
  const isUnique = !byDay || query.sort.endsWith('nextPayoutDate')
  const byAge = query.sort.endsWith('createdAt')
  // computed per partner only if at most a page of them is read
  const few = byAge && !isForecast
  // named and judged before the page is known, to choose by it
  const isJudged = query.part?.some((part) => part === 'ready' || part === 'blocked') ?? false
  const coming = isForecast
    ? eachPayment(db, terms, {
        due: sql`(select partner_id, due as amount from balances where due <> 0)`,
        held: sql`select * from held`,
      })
    : noForecast
  // partners themselves are read only for what their balances don't say
  const sums =
    earners && !query.search && !byAge
      ? sql`(select x.*, x.partner_id as id, null::timestamptz as created_at, null::text as searched from balances x)`
      : sql`(
          select x.*, n.id, n.created_at, ${partnerNameSql(sql`n`)} || ' ' || n.email as searched
          from partners n ${rawSql(earners ? '' : 'left')} join balances x on x.partner_id = n.id
          where n.account_id = ${account.id})`
  const ofAll = sql`(
    with held as materialized (${heldByDay(db.now, terms)}),
      balances as materialized (${sumsOfMany(account.id, db.now, undefined, sql`held`)})
    select ${isUnique ? sql`x.id` : sql`case when w.partners = 1 then x.id else md5(x.id::text || coalesce(f.payday::text, ''))::uuid end`} as id,
      x.id as partner_id, x.created_at, x.searched, coalesce(x.held, 0) as held, coalesce(x.due, 0) as due,
      coalesce(x.on_hold, 0) as on_hold, coalesce(x.in_payout, 0) as in_payout, coalesce(x.paid, 0) as paid,
      x.held_until, x.period_start, x.period_end, null::date as due_since,
      f.payday, coalesce(f.amount, 0) as amount, f.days, f.amounts, coalesce(f.rest, 0) as rest, f.unapproved_year, w.*
    from ${sums} x left join ${coming} f on f.partner_id = x.id and ${byDay ? sql`true` : sql`f.is_first`}
      cross join lateral (select coalesce(f.is_first, true) as is_first,
        coalesce(f.waits_for_next_year and ${byDay ? sql`f.payday is null` : sql`true`}, false) as waits) r
      cross join lateral (select r.is_first::integer as partners, coalesce(f.blocked > 0, false) as is_blocked,
        case when r.is_first then coalesce(f.blocked, 0) else 0 end as blocked_amount,
        (r.is_first and coalesce(f.blocked > 0, false))::integer as blocked_count,
        case when r.waits then f.rest else 0 end as next_year_amount, r.waits::integer as next_year_count) w)`
  const judged = sql`(select t.*, ${judgementColumns('j')} from ${ofAll} t ${withJudgement(terms, db.now)}) t`
  const each = sql`(
    select t.*, t.partner_name || ' ' || t.email as searched, 1 as partners, null::date as payday, 0 as amount, null::date[] as days,
      null::bigint[] as amounts, 0 as rest, null::integer as unapproved_year, 0 as blocked_amount, 0 as blocked_count,
      0 as next_year_amount, 0 as next_year_count
    from ${partnerBalances(terms, db.now, 'each', { earners })} t) t`
  const from = few ? each : isJudged ? judged : sql`${ofAll} t`
  const late = few || isJudged ? undefined : withJudgement(terms, db.now)
  const once = (value: Sql) => sql`case when t.partners = 1 then ${value} else 0 end`
  const { items, totals, ...rest } = await pageWithTotals<Listed, Sums>(
    db,
    query,
    {
      columns: sql`${sumColumns}, ${judgementColumns(late ? 'j' : 't')}, t.payday, t.amount, t.rest, t.unapproved_year, t.partners,
        t.blocked_amount, t.blocked_count, t.next_year_amount, t.next_year_count,
        (select coalesce(jsonb_agg(jsonb_build_object('date', d.date, 'amount', d.amount) order by d.date), '[]')
          from unnest(t.days, t.amounts) d (date, amount)) as paydays`,
      from,
      joins: late,
      scope: sql`true`,
      filters: [
        idFilter(sql`t.partner_id`, query.partnerId),
        query.blocked === undefined ? undefined : sql`t.is_blocked = ${query.blocked}`,
        query.nextYear === undefined ? undefined : sql`t.next_year_count = ${Number(query.nextYear)}`,
        query.part &&
          sql`(${joinSql(
            query.part.map((part) => partConditions(account.id)[part as BalancePart]),
            ' or ',
          )})`,
        query.empty && sql`(t.held = 0 and t.due = 0 and t.on_hold = 0)::text = any(${query.empty})`,
        containsFilter(sql`t.searched`, query.search),
      ],
      sorts: {
        due: { by: sql`t.due`, type: 'bigint' },
        nextPayoutDate: { by: sql`coalesce(t.payday, '9999-12-31'::date)`, type: 'date' },
      },
    },
    {
      from,
      once: !few,
      sums: {
        partners: sql`t.partners`,
        held: once(sql`t.held`),
        due: once(sql`t.due`),
        onHold: once(sql`t.on_hold`),
        blockedAmount: sql`t.blocked_amount`,
        blockedCount: sql`t.blocked_count`,
        nextYearAmount: sql`t.next_year_amount`,
        nextYearCount: sql`t.next_year_count`,
      },
      parts: byDay
        ? sql`select jsonb_agg(p order by p.date) from (
            select t.payday as date, count(*) as count, sum(t.amount) as amount from narrowed t group by t.payday) p`
        : undefined,
    },
  )
  const dueIds = few ? [] : items.flatMap(({ partnerId, due }) => (due > 0 ? [partnerId] : []))
  const days = await findDueDays(db, terms, [...new Set(dueIds)])
  const next = isForecast
    ? undefined
    : await readNextPayouts(
        db,
        terms,
        items.map(({ partnerId }) => partnerId),
      )
  return {
    ...rest,
    items: items.map((row) => {
      const coming = next ? (next.get(row.partnerId) ?? nothing) : row
      const dueSince = days.get(row.partnerId)?.dueSince ?? row.dueSince
      const [first] = coming.paydays
      const listed = next
        ? { payday: first?.date ?? null, amount: first?.amount ?? coming.rest }
        : { payday: row.payday, amount: row.amount }
      const paydays = coming.paydays.slice(0, MOST_PAYDAYS)
      // the row of what no payday pays says why
      const explained = listed.payday === null ? { ...coming, paydays: [] } : coming
      return {
        ...present(terms, { ...row, dueSince }, explained, 'owner'),
        paydays,
        nextPayoutDate: first?.date ?? null,
        ...listed,
      }
    }),
    totals: {
      count: totals.partners,
      held: totals.held,
      due: totals.due,
      onHold: totals.onHold,
      currency: account.defaultCurrency,
      blocked: { amount: totals.blockedAmount, count: totals.blockedCount },
      nextYear: { amount: totals.nextYearAmount, count: totals.nextYearCount },
      paydays: totals.parts ?? [],
    },
  }
}

/** The conditions of balances `t` that add to a part of the totals of payouts. */
function partConditions(accountId: string): Record<BalancePart, Sql> {
  const ready = sql`(not t.blockers && ${stoppingCodes()}::text[] and exists (select from payouts o
    where o.account_id = ${accountId} and o.partner_id = t.partner_id and o.status = 'gathering'))`
  return {
    ready: sql`(t.due > 0 and ${ready})`,
    blocked: sql`(t.due > 0 and not ${ready})`,
    overpaid: sql`t.due < 0`,
    held: sql`t.held <> 0`,
    'on-hold': sql`t.on_hold <> 0`,
  }
}

const nothing: NextPayouts = { paydays: [], rest: 0, unapprovedYear: null }

function present(terms: PayoutTerms, balance: PartnerBalance, coming: NextPayouts = nothing, reader: Reader): Balance {
  const facts = { ...blockerFacts(terms, balance), payYear: coming.unapprovedYear ?? terms.year }
  const codes = blockersOf(terms, balance, coming)
  return {
    ...balance,
    currency: terms.account.defaultCurrency,
    nextPayoutDate: coming.paydays[0]?.date ?? null,
    paydays: coming.paydays,
    blockers: presentBlockers(codes, facts, reader, getPayoutMethod(balance.method)),
  }
}

/** Returns the blockers of the due amount and, if nothing will be paid, also what stops the held one. */
function blockersOf(terms: PayoutTerms, { due, blockers }: PartnerBalance, coming: NextPayouts): BlockerCode[] {
  const { paydays, rest, unapprovedYear } = coming
  if (paydays.length > 0) return blockers
  const found = new Set(blockers)
  if (unapprovedYear !== null && unapprovedYear > terms.year) {
    found.add('not-approved-next-year')
    // approval for this year would pay nothing
    if (due <= 0) found.delete('not-approved-this-year')
  }
  if (due <= 0 && rest > 0 && rest < terms.account.minimumPayout) found.add('below-minimum')
  return blockerCodes.filter((code) => found.has(code))
}
