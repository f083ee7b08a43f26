import type { LeadEvent } from '#contract/terms.ts'
import { parseActor } from '../../platform/author.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { adjustBalance } from './adjustments.ts'
import { isJudged } from './entry-status.ts'
import { entryReasons } from './text.ts'

// Voiding a balance adds one adjustment of its sum; the entries stay. `voided_commissions` stores, for each earlier
// sale, and `voided_lead_pay` for each event of a lead, how much of its commission the partner keeps: the amount they
// had been paid. The rest is void for good: a refund subtracts nothing from them for it, and a failed refund gives
// nothing back.

/** The purpose of commissions, as rows of the ledger and of its own table of void ones name it. */
type Work = { table: Sql; keys: readonly string[] }
const sales: Work = { table: rawSql('voided_commissions'), keys: ['sale_id'] }
const leads: Work = { table: rawSql('voided_lead_pay'), keys: ['lead_id', 'paid_for'] }

const columnsOf = ({ keys }: Work) => rawSql(keys.join(', '))
const same = ({ keys }: Work, a: string, b: string) =>
  rawSql([...keys, 'partner_id'].map((key) => `${a}.${key} = ${b}.${key}`).join(' and '))

/** The amount a partner was paid for the work of `c`, here or by the previous program. */
const received = (work: Work, account: Sql) => sql`(
  (select coalesce(sum(e.amount), 0) from commission_entries e
    join payout_entries b on b.account_id = e.account_id and b.entry_id = e.id and b.live
    where e.account_id = ${account} and ${same(work, 'e', 'c')})
  ${
    work === sales
      ? sql`- (select coalesce(sum(e.amount), 0) from commission_entries e
    where e.account_id = ${account} and e.settles_sale_id = c.sale_id and e.partner_id = c.partner_id)`
      : sql``
  })`

/** How much of it partner `n` keeps, with the row `v` of a void one; null if it was never voided. */
const retainedSql = (work: Work, account: Sql) =>
  sql`case when n.void_reason is null then v.kept else least(v.kept, ${received(work, account)}) end`

/** The part of `worth` above `kept`. */
const above = (worth: Sql, kept: Sql) => sql`greatest(0, ${worth} - ${kept})`

/**
 * Stores how much of each commission a partner with a voided balance keeps: the amount they were paid, at most its worth.
 * Bonuses that are not final yet are void with it, and never judged again.
 */
export async function rememberVoided(tx: Transaction, accountId: string, partnerId: string) {
  await remember(tx, accountId, partnerId, { most: sql`worth`, keptBefore: () => sql`null` })
  await tx.run`
    update goal_awards set voided = true where account_id = ${accountId} and partner_id = ${partnerId} and ${isJudged}`
}

/**
 * Called when the partner is reinstated: entries returned by payouts meanwhile are void; paid ones remain theirs, and so
 * do those of an ended payout if it turns out to be paid.
 */
export async function rememberVoidedUntilNow(tx: Transaction, accountId: string, partnerId: string) {
  const keptBefore = (known: Sql) => sql`coalesce(${known}.kept_before, ${known}.kept)`
  await remember(tx, accountId, partnerId, { most: sql`null`, keptBefore })
  await tx.run`
    update payouts set was_void = true
    where account_id = ${accountId} and partner_id = ${partnerId} and status in ('gathering', 'canceled')`
}

type Remembered = { most: Sql; keptBefore: (known: Sql) => Sql }

async function remember(tx: Transaction, accountId: string, partnerId: string, { most, keptBefore }: Remembered) {
  const entries = sql`commission_entries t
      left join payout_entries b on b.account_id = t.account_id and b.entry_id = t.id and b.live
    where t.account_id = ${accountId} and t.partner_id = ${partnerId}`
  await tx.run`
    insert into voided_commissions (account_id, sale_id, partner_id, kept)
    select account_id, sale_id, ${partnerId}, least(${most}, received)
    from (
      select t.account_id, coalesce(t.sale_id, t.settles_sale_id) as sale_id, sum(t.amount) filter (where t.sale_id is not null) as worth,
        sum(case when t.sale_id is null then -t.amount when b.live then t.amount else 0 end) as received
      from ${entries} and (t.sale_id is not null or t.settles_sale_id is not null)
      group by 1, 2) s
    on conflict (account_id, sale_id, partner_id) do update
      set kept = least(voided_commissions.kept, excluded.kept), kept_before = ${keptBefore(rawSql('voided_commissions'))}`
  await tx.run`
    insert into voided_lead_pay (account_id, lead_id, paid_for, partner_id, kept)
    select account_id, lead_id, paid_for, ${partnerId}, least(${most}, received)
    from (
      select t.account_id, t.lead_id, t.paid_for, sum(t.amount) as worth, coalesce(sum(t.amount) filter (where b.live), 0) as received
      from ${entries} and t.lead_id is not null
      group by 1, 2, 3) s
    on conflict (account_id, lead_id, paid_for, partner_id) do update
      set kept = least(voided_lead_pay.kept, excluded.kept), kept_before = ${keptBefore(rawSql('voided_lead_pay'))}`
}

/** The effect of a change on a partner's commission. */
type Change = { accountId: string; partnerId: string; was: number; becomes: number; actor: string | null }
type OfSale = Change & { saleId: string }
type OfLead = Change & { leadId: string; paidFor: LeadEvent }

/** Reverses the part of these changes, already written, that falls on a void commission of a sale. */
export const saveVoidedSales = (tx: Transaction, changes: OfSale[]) =>
  saveVoid(tx, sales, changes, sql`${changes.map(({ saleId }) => saleId)}::uuid[]`)

/** Like `keepVoid`, of pay for leads. */
export const saveVoidedLeadPay = (tx: Transaction, changes: OfLead[]) =>
  saveVoid(
    tx,
    leads,
    changes,
    sql`${changes.map(({ leadId }) => leadId)}::uuid[], ${changes.map(({ paidFor }) => paidFor)}::text[]`,
  )

/** `given`: the keys of the changes, a list for each column. */
async function saveVoid(tx: Transaction, work: Work, changes: Change[], given: Sql) {
  if (changes.length === 0) return
  const column = <K extends keyof Change>(key: K) => changes.map((change) => change[key])
  const account = eachAccount(column('accountId'), sql`c.account_id`)
  const moved = await tx.many<Change & { amount: number; reason: string | null }>`
    select c.account_id, c.partner_id, c.actor, n.void_reason as reason,
      (${above(sql`c.was`, sql`k.kept`)} - ${above(sql`c.becomes`, sql`k.kept`)})::bigint as amount
    from unnest(${column('accountId')}::uuid[], ${given}, ${column('partnerId')}::uuid[],
        ${column('was')}::bigint[], ${column('becomes')}::bigint[], ${column('actor')}::text[])
        as c (account_id, ${columnsOf(work)}, partner_id, was, becomes, actor)
      join partners n on n.account_id = ${account} and n.id = c.partner_id
      left join ${work.table} v on v.account_id = ${account} and ${same(work, 'v', 'c')}
      cross join lateral (select ${retainedSql(work, account)} as kept) k
    where k.kept is not null`
  for (const { accountId: id, partnerId, amount, reason, actor } of moved)
    if (amount !== 0)
      await adjustBalance(tx, parseActor(actor), { id }, partnerId, {
        amount,
        reason: reason ?? entryReasons.partOfVoid,
      })
}

type PartVoid = { saleId: string; partnerId: string; worth: number; kept: number }

/** Returns the commissions of these sales that are void, at least in part, and how much of their worth is kept. */
export const voidOfSales = (tx: Transaction, accountId: string, saleIds: string[]) => tx.many<PartVoid>`
  select c.sale_id, c.partner_id, c.worth, k.kept
  from (select account_id, sale_id, partner_id, sum(amount)::bigint as worth from commission_entries
      where account_id = ${accountId} and sale_id = any(${saleIds}::uuid[]) group by 1, 2, 3) c
    join partners n on n.account_id = ${accountId} and n.id = c.partner_id
    left join ${sales.table} v on v.account_id = ${accountId} and ${same(sales, 'v', 'c')}
    cross join lateral (select (${retainedSql(sales, sql`${accountId}`)})::bigint as kept) k
  where k.kept is not null`

/** Returns the reasons of voided balances among these partners, by partner; they stay so until the transaction ends. */
export async function voidReasons(tx: Transaction, accountId: string, partnerIds: string[]) {
  const rows = await tx.many<{ id: string; reason: string | null }>`
    select id, void_reason as reason from partners
    where account_id = ${accountId} and id = any(${partnerIds}::uuid[]) order by id for share`
  return new Map(rows.flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason] as const])))
}

/**
 * Returns the amount that a payout returns to a voided balance, to be read before its entries are freed: their sum,
 * less the part that only pays a debt from a refund or rejection of these same entries, or from their own overpayment.
 */
export async function returnedToVoidedBalance(
  tx: Transaction,
  accountId: string,
  payout: { id: string; partnerId: string },
): Promise<number> {
  const onlyDebt = (work: Work) => sql`(
    select coalesce(sum(
      ${above(sql`least(v.kept, s.received)`, sql`s.worth`)}
      - ${above(sql`least(v.kept, s.received - c.freed)`, sql`s.worth`)}), 0)
    from (select account_id, ${columnsOf(work)}, partner_id, sum(amount) as freed from entries
        where ${rawSql(work.keys[0]!)} is not null group by account_id, ${columnsOf(work)}, partner_id) c
      left join ${work.table} v on v.account_id = ${accountId} and ${same(work, 'v', 'c')}
      cross join lateral (
        select ${received(work, sql`${accountId}`)} as received, (select sum(e.amount) from commission_entries e
          where e.account_id = ${accountId} and ${same(work, 'e', 'c')}) as worth) s)`
  // booked with an entry that subtracts it, unless that was voided, or made good at once by a third
  const onlyOverpaid = sql`(
    select least(coalesce(sum(c.amount), 0), greatest(0, -(
      select sum(e.amount) from commission_entries e
      where e.account_id = ${accountId} and e.partner_id = ${payout.partnerId} and not exists (
        select from payout_entries b where b.account_id = ${accountId} and b.entry_id = e.id and b.live))))
    from entries c join commission_entries o on o.account_id = ${accountId} and o.partner_id = ${payout.partnerId}
      and o.kind = 'adjustment' and o.amount = -c.amount and o.created_at = c.created_at and o.day = c.day
      and o.reason = c.reason and not exists (
        select from payout_entries b where b.account_id = ${accountId} and b.entry_id = o.id and b.live)
    where c.kind = 'adjustment' and c.amount > 0 and not exists (
      select from commission_entries g where g.account_id = ${accountId} and g.partner_id = ${payout.partnerId}
        and g.kind = 'adjustment' and g.amount = c.amount and g.created_at = c.created_at and g.reason <> c.reason))`
  const { amount } = await tx.one<{ amount: number }>`
    with entries as (
      select e.account_id, e.sale_id, e.lead_id, e.paid_for, e.partner_id, e.amount, e.kind, e.day, e.reason, e.created_at
      from payout_entries b join commission_entries e on e.account_id = b.account_id and e.id = b.entry_id
      where b.account_id = ${accountId} and b.payout_id = ${payout.id} and b.live)
    select (coalesce((select sum(amount) from entries), 0) - ${onlyDebt(sales)} - ${onlyDebt(leads)}
      - ${onlyOverpaid})::bigint as amount`
  return amount
}

/**
 * Changes how much of their void commissions a partner keeps by what these entries paid them although the balance had
 * been voided, once they are reinstated; or by what came back of it (`isBack`). Returns how much more they owe for
 * refunds and rejections of what they keep now.
 */
export async function adjustKeptVoid(
  tx: Transaction,
  {
    accountId,
    partnerId,
    entryIds,
    isBack,
  }: { accountId: string; partnerId: string; entryIds: string[]; isBack: boolean },
): Promise<number> {
  const becomes = isBack
    ? sql`greatest(v.kept - c.paid, least(v.kept, 0))`
    : sql`least(coalesce(v.kept_before, v.kept), v.kept + c.paid)`
  let owed = 0
  for (const work of [sales, leads]) {
    const changed = sql`(
      select v.account_id, ${rawSql(work.keys.map((key) => `v.${key}`).join(', '))}, v.partner_id, v.kept, ${becomes} as becomes
      from (select account_id, ${columnsOf(work)}, partner_id, sum(amount) as paid from commission_entries
          where account_id = ${accountId} and id = any(${entryIds}::uuid[]) and ${rawSql(work.keys[0]!)} is not null
          group by account_id, ${columnsOf(work)}, partner_id) c
        join ${work.table} v on v.account_id = ${accountId} and ${same(work, 'v', 'c')}
      where v.partner_id = ${partnerId})`
    owed += await tx.value<number>`
      select coalesce(sum(${above(sql`n.becomes`, sql`s.worth`)} - ${above(sql`n.kept`, sql`s.worth`)}), 0)::bigint
      from ${changed} n cross join lateral (
        select sum(e.amount) as worth from commission_entries e
        where e.account_id = ${accountId} and ${same(work, 'e', 'n')}) s`
    await tx.run`
      update ${work.table} v set kept = n.becomes from ${changed} n
      where v.account_id = ${accountId} and ${same(work, 'v', 'n')}`
  }
  return owed
}
