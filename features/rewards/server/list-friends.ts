import type { LeadStatus } from '#contract/leads.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { containsFilter, listPage } from '#server/platform/http/list.ts'
import { dayIn } from '#server/platform/time/days.ts'
import type { Access } from '#server/program/access/access.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { rewardsOfPartners } from '#server/program/access/customer-groups.ts'
import { entryStatus, itsSaleAndPayout } from '#server/program/commissions/entry-status.ts'
import { findNoRewards } from '#server/program/leads/lead-facts.ts'
import { toReward } from '#server/program/payouts/payouts.ts'
import type { Friend, FriendRewards } from '../contract.ts'
import { rewardsSql } from './list-rewards.ts'

type Row = {
  id: string
  number: number
  joinedOn: string
  leadStatus: LeadStatus
  hasPaid: boolean
  wasRefunded: boolean
  isComing: boolean
  isGiven: boolean
  comesAt: string | null
}

/** Lists a customer's friends by number: nothing that tells who they are or what they bought. */
export async function listFriends(db: Queryable, { account, subjectId }: Access, query: ListQuery) {
  const { id: accountId } = account
  const sales = sql`sales where account_id = ${accountId} and lead_id = t.id and status <> 'void'`
  const { items, ...rest } = await listPage<Row>(db, query, {
    columns: sql`t.id, (
        select count(*) from leads o
        where o.account_id = ${accountId} and o.partner_id = t.partner_id and (o.created_at, o.id) <= (t.created_at, t.id)) as number,
      t.created_on as joined_on, t.status as lead_status,
      exists (select from ${sales} and amount > refunded_amount) as has_paid,
      exists (select from ${sales} and amount <= refunded_amount) as was_refunded, e.is_coming, e.is_given, e.comes_at`,
    from: sql`leads t`,
    joins: sql`cross join lateral (
      select coalesce(bool_or(x.status in ('held', 'due', 'in-payout')), false) as is_coming,
        coalesce(bool_or(x.status = 'paid'), false) as is_given,
        min(x.available_at) filter (where x.status in ('held', 'due')) as comes_at
      from (
        select t.available_at, ${entryStatus(db.now, [accountId])} as status
        from (
          select * from commission_entries where account_id = ${accountId} and lead_id = t.id
          union all
          select * from commission_entries where account_id = ${accountId} and sale_id = any(array(select id from ${sales}))
        ) t ${itsSaleAndPayout}
        where t.amount > 0 and t.partner_id = ${subjectId}) x) e`,
    scope: sql`t.account_id = ${accountId} and t.partner_id = ${subjectId}`,
    filters: [containsFilter(sql`t.created_on::text`, query.search)],
  })
  const refused = await findNoRewards(
    db,
    accountId,
    items.map(({ id }) => id),
  )
  const reasons = new Map(refused.map(({ leadId, reason }) => [leadId, reason]))
  return {
    items: items.map((row) => present(row, reasons.get(row.id) ?? null, dayIn(account.timeZone, db.now), account)),
    ...rest,
    rewards: await addUp(db, account, subjectId),
  }
}

type Reason = Friend['reason']

function present(row: Row, refused: Reason, today: string, { timeZone }: AccountFacts): Friend {
  const { number, joinedOn, isComing, isGiven, comesAt } = row
  const shown = { number, joinedOn, rewardOn: null, reason: null }
  const reason = refused ?? reasonOf(row)
  if (reason) return { ...shown, status: 'no-reward', reason }
  if (isComing) {
    const day = comesAt && dayIn(timeZone, new Date(comesAt))
    return { ...shown, status: 'reward-coming', rewardOn: day && day >= today ? day : null }
  }
  return { ...shown, status: isGiven ? 'reward-given' : row.hasPaid ? 'paid' : 'signed-up' }
}

function reasonOf({ leadStatus, hasPaid, wasRefunded, isComing, isGiven }: Row): Reason {
  if (leadStatus === 'rejected') return 'rejected'
  if (leadStatus === 'duplicate') return 'known'
  return wasRefunded && !hasPaid && !isComing && !isGiven ? 'refunded' : null
}

/** Adds up a customer's rewards, as they are given now; null for anyone else. */
async function addUp(db: Queryable, account: AccountFacts, partnerId: string): Promise<FriendRewards | null> {
  const reward = (await rewardsOfPartners(db, account.id, [partnerId])).get(partnerId)
  if (!reward) return null
  // what refunds took back of those given is no reward: the next ones make it up
  const rows = await db.many<{ isGiven: boolean; count: number; amount: number }>`
    select t.status = 'given' as is_given, count(*) filter (where t.amount > 0) as count, sum(t.amount)::bigint as amount
    from ${rewardsSql(account)} where t.partner_id = ${partnerId} group by 1 having sum(t.amount) > 0`
  const sumOf = (isGiven: boolean) => {
    const { count, amount } = rows.find((row) => row.isGiven === isGiven) ?? { count: 0, amount: 0 }
    return { count, units: toReward(reward, amount).units, amount }
  }
  const { as, unitName } = toReward(reward, 0)
  return { as, unitName, currency: account.defaultCurrency, given: sumOf(true), onTheirWay: sumOf(false) }
}
