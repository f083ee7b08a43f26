import { findPersonId } from '../../platform/author.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

// Entries that a person’s act makes due sooner than the payout delay from then, which automatic payouts leave to someone who
// may pay (`docs/decisions/0030-alone-nobody-cashes-out.md`). The person’s own rights are read when a payout is judged: roles change.

/** The entries of one act, and its person. */
type Hastened = { accountId: string; id: string; userId: string }

/** Notes which of these new entries their authors made due early. An adjustment always waits, so it needs no note. */
export const markEarly = (
  tx: Transaction,
  entries: { accountId: string; id: string; amount: number; kind: string; actor: string | null }[],
) =>
  note(
    tx,
    entries.flatMap(({ accountId, id, amount, kind, actor }) => {
      const userId = findPersonId(actor)
      return userId === null || amount < 0 || kind === 'adjustment' ? [] : [{ accountId, id, userId }]
    }),
  )

/** Notes the entries of sales and of cases that a person's release has made due early. */
export async function markReleasedEarly(
  tx: Transaction,
  accountId: string,
  { saleIds = [], caseIds = [] }: { saleIds?: string[]; caseIds?: string[] },
  actor: string | null,
) {
  const userId = findPersonId(actor)
  if (userId === null || saleIds.length + caseIds.length === 0) return
  const entries = await tx.many<{ id: string }>`
    select id from commission_entries
    where account_id = ${accountId} and amount > 0
      and (sale_id = any(${saleIds}::uuid[]) or won_sale_id = any(${saleIds}::uuid[])
        or held_by && ${caseIds}::uuid[])`
  await note(
    tx,
    entries.map(({ id }) => ({ accountId, id, userId })),
  )
}

async function note(tx: Transaction, given: Hastened[]) {
  if (given.length === 0) return
  const accountIds = given.map(({ accountId }) => accountId)
  await tx.run`
    insert into early_entries as y (account_id, partner_id, entry_id, user_id, until)
    -- of the list: with the column of a spread table Citus would send this to every machine
    select n.account_id, e.partner_id, e.id, n.user_id, a.until
    from unnest(${accountIds}::uuid[], ${given.map(({ id }) => id)}::uuid[], ${given.map(({ userId }) => userId)}::uuid[])
        as n (account_id, id, user_id)
      join (select id, ${delayedFrom(tx.now)} as until from accounts) a on a.id = n.account_id
      join commission_entries e on e.account_id = ${eachAccount(accountIds, sql`n.account_id`)} and e.id = n.id
    where e.available_at < a.until
    on conflict (account_id, partner_id, entry_id, user_id)
      do update set until = case when y.until is not null then greatest(y.until, excluded.until) end`
}

/** The start of today in the time zone of an account, plus its payout delay. */
const delayedFrom = (now: Date): Sql =>
  sql`(((${now}::timestamptz at time zone time_zone)::date + payout_delay)::timestamp at time zone time_zone)`
