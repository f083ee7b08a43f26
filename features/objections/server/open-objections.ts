import type { Queryable } from '#server/platform/database/pool.ts'
import { countInWords } from '#server/platform/format-values.ts'
import type { Watched } from '#server/program/dashboard/dashboard.ts'

/** Objections that wait for the account. */
export const openObjections: Watched = {
  kind: 'open-objections',
  link: '/payouts?tab=invoices&objection=open',
  inWords: (count) => countInWords(count, 'objection to an invoice', 'objections to invoices'),
  count: (db: Queryable, accountId) => db.one<{ count: number; since: string | null }>`
    select count(*) as count, min(i.objected_at) as since from invoices i
    where i.account_id = ${accountId} and i.objected_at is not null and i.objection_closed_at is null and not exists (
      select from invoices c where c.account_id = ${accountId} and c.credits = i.id)`,
}

/** Returns the reasons of partners' objections to these invoices. */
export const reasonsOfObjections = (db: Queryable, accountId: string, ids: string[]) =>
  db.many<{
    id: string
    objection: string | null
  }>`select id, objection from invoices where account_id = ${accountId} and id = any(${ids}::uuid[])`
