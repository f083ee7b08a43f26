import type { Balance, BalanceTotals } from '#contract/balances.ts'
import { type BlockerCode, blockerCodes } from '#contract/payouts.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { containsFilter, idFilter } from '../../platform/http/list.ts'
import { pageWithTotals } from '../../platform/http/page-with-totals.ts'
import type { Access } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { entriesSetAside } from '../commissions/entry-status.ts'
import { blockerFacts } from './blocker-conditions.ts'
import { presentBlockers } from './blockers.ts'
import { type NextPayouts, nextPayouts, readNextPayouts } from './forecast.ts'
import type { Reader } from './methods/method.ts'
import { getPayoutMethod } from './methods/registry.ts'
import {
  balanceColumns,
  duesByPartner,
  findDueDays,
  type PartnerBalance,
  partnerBalances,
  readBalances,
  type Who,
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
  empty?: string[] | undefined
}

type Blocked = { blockedAmount: number; blockedCount: number }
type Sums = Pick<BalanceTotals, 'held' | 'due' | 'onHold' | 'count'> & Blocked

/** Lists the balances of all partners, also of those without any entry; the totals cover all pages. */
export async function listBalances(db: Queryable, account: AccountFacts, query: BalanceQuery) {
  const terms = await getPayoutTerms(db, account)
  // computed per partner only if at most a page of them is read
  const few = query.sort.endsWith('createdAt')
  const byDay = query.sort.endsWith('nextPayoutDate')
  const earners = query.empty?.join() === 'false'
  // the forecast of all is left out of a file's pages that need none of it
  const isForecast = byDay || query.blocked !== undefined || !query.uncounted
  const coming = isForecast
    ? sql`left join ${nextPayouts(db, terms, 'all')} f on f.partner_id = b.partner_id`
    : sql`cross join (select null::date as next_payout_date, 0::bigint as blocked) f`
  const from = (who: 'each' | 'all') => sql`(
    select b.*, f.next_payout_date, coalesce(f.blocked, 0) as blocked_amount, coalesce(f.blocked > 0, false)::integer as blocked_count
    from ${partnerBalances(terms, db.now, who, { earners })} b ${coming}) t`
  const { items, totals, ...rest } = await pageWithTotals<PartnerBalance & Blocked, Sums>(
    db,
    query,
    {
      columns: sql`${balanceColumns}, t.blocked_amount, t.blocked_count`,
      from: from(few ? 'each' : 'all'),
      scope: sql`true`,
      filters: [
        idFilter(sql`t.partner_id`, query.partnerId),
        query.blocked === undefined ? undefined : sql`t.blocked_count = ${Number(query.blocked)}`,
        query.empty && sql`(t.held = 0 and t.due = 0 and t.on_hold = 0)::text = any(${query.empty})`,
        containsFilter(sql`t.partner_name || ' ' || t.email`, query.search),
      ],
      sorts: {
        due: { by: sql`t.due`, type: 'bigint' },
        nextPayoutDate: { by: sql`coalesce(t.next_payout_date, '9999-12-31'::date)`, type: 'date' },
      },
    },
    {
      from: from('all'),
      once: !few,
      sums: {
        held: sql`t.held`,
        due: sql`t.due`,
        onHold: sql`t.on_hold`,
        blockedAmount: sql`t.blocked_amount`,
        blockedCount: sql`t.blocked_count`,
      },
    },
  )
  const late = few ? [] : items.filter(({ due }) => due > 0)
  const lateIds = late.map(({ partnerId }) => partnerId)
  const days = await findDueDays(db, terms, lateIds)
  const dueSince = (balance: PartnerBalance) => days.get(balance.partnerId)?.dueSince ?? balance.dueSince
  const next = await readNextPayouts(
    db,
    terms,
    items.map(({ partnerId }) => partnerId),
  )
  const { blockedAmount, blockedCount, ...summed } = totals
  return {
    ...rest,
    items: items.map((balance) =>
      present(terms, { ...balance, dueSince: dueSince(balance) }, next.get(balance.partnerId), 'owner'),
    ),
    totals: {
      ...summed,
      currency: account.defaultCurrency,
      blocked: { amount: blockedAmount, count: blockedCount },
    },
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
