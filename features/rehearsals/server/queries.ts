import { asUuid } from '#server/platform/database/ids.ts'
import type { Database, Queryable, Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import type { Rehearsal } from '../contract.ts'

export type Steps = Rehearsal['steps']

export type RehearsalRow = {
  id: string
  accountId: string
  partnerId: string | null
  blueprintId: string | null
  amount: number
  steps: Steps
  createdAt: string
  finishedAt: string | null
}

type Place = Pick<RehearsalRow, 'id' | 'accountId'>

/** Inserts a rehearsal, and deletes all but the newest `kept` of the account's earlier ones. */
export const insertRehearsal = (
  tx: Transaction,
  row: Omit<RehearsalRow, 'createdAt' | 'finishedAt'>,
  kept: number,
) => tx.run`
  with old as (
    delete from rehearsals where account_id = ${row.accountId} and id in (
      select id from rehearsals where account_id = ${row.accountId} order by created_at desc, id desc offset ${kept})
  )
  insert into rehearsals (id, account_id, partner_id, blueprint_id, amount, steps, created_at)
  values (${row.id}, ${row.accountId}, ${row.partnerId}, ${row.blueprintId}, ${row.amount},
    ${JSON.stringify(row.steps)}::jsonb, ${tx.now})`

export const rehearsalById = (db: Queryable, { id, accountId }: Place) => db.maybe<RehearsalRow>`
  select * from rehearsals where id = ${asUuid(id)} and account_id = ${accountId}`

/** Saves the steps, unless the rehearsal has ended. */
export const saveSteps = (db: Queryable, { id, accountId }: Place, steps: Steps, finishedAt: Date | null) => db.run`
  update rehearsals set steps = ${JSON.stringify(steps)}::jsonb, finished_at = ${finishedAt}
  where id = ${id} and account_id = ${accountId} and finished_at is null`

/** Parses an id; null for any other text. */
const idOf = (given: string | null) => given && asUuid(given)

export const playedPartner = (db: Queryable, accountId: string, partnerId: string | null) => db.maybe<{
  id: string
  referralCode: string
}>`
  select id, referral_code from partners
  where account_id = ${accountId} and (id = ${idOf(partnerId)} or (${idOf(partnerId)}::uuid is null and state = 'active'))
  order by created_at, id limit 1`

export type PlayedLink = { id: string; key: string; name: string; destinationUrl: string; parameterName: string }

/** Finds the chosen link, else the newest enabled one. */
export const playedLink = (db: Queryable, accountId: string, blueprintId: string | null) => db.maybe<PlayedLink>`
  select id, key, name, destination_url, parameter_name from link_blueprints
  where account_id = ${accountId} and archived_at is null
    and (id = ${idOf(blueprintId)} or (${idOf(blueprintId)}::uuid is null and enabled))
  order by created_at desc, id desc limit 1`

export async function leadPartner(db: Queryable, accountId: string, leadId: string) {
  const { partnerId } = await db.one<{ partnerId: string | null }>`
    select partner_id from leads where id = ${leadId} and account_id = ${accountId}`
  return partnerId
}

/**
 * Returns the events that webhooks would get about these objects in this transaction, in order. `before`: an id that
 * this process created before all of them.
 */
export const eventsTold = (tx: Transaction, accountId: string, subjectIds: string[], before: string) => tx.many<{
  event: string
  object: string
}>`
  select type as event, (data -> 'object')::text as object from passing_events
  where id > ${before} and at = ${tx.now} and account_id = ${accountId} and kind = 'public' and subject_id = any(${subjectIds}::uuid[])
  order by id`

/** Counts the rows of the account that exist among these. */
export async function countLeft(db: Queryable, accountId: string, ids: string[]) {
  const these = sql`account_id = ${accountId} and id = any(${ids}::uuid[])`
  const { count } = await db.one<{ count: number }>`
      select (select count(*) from partners where ${these})
        + (select count(*) from clicks where ${these})
        + (select count(*) from leads where ${these})
        + (select count(*) from sales where ${these})
        + (select count(*) from commission_entries where ${these}) as count`
  return count
}

export const deleteOldRehearsals = (db: Database) =>
  db.run`delete from rehearsals where created_at < ${db.now}::timestamptz - interval '1 day'`
