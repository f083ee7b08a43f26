import type { HostState } from '#contract/custom-domains.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'

export const hostTable = table('hosts', {
  accountId: c.uuid.fixed(),
  name: c.text().fixed(),
  state: c.text<HostState | 'given-up'>(),
  problem: c.text().null(),
  failures: c.smallint,
  countedOn: c.date.null(),
  changes: c.integer,
  checkedAt: c.instant.null(),
  provenAt: c.instant.null(),
  givenUpAt: c.instant.null(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

/** A host with the public id of its account. */
export type HostRow = RowOf<typeof hostTable> & { publicId: string }
export type PresentHost = HostRow & { state: HostState }

const hosts = sql`select ${hostTable.from('h')}, a.public_id from hosts h join accounts a on a.id = h.account_id`

/** The account's present host. */
export const presentHostRow = (db: Queryable, accountId: string) => db.maybe<PresentHost>`
  ${hosts} where h.account_id = ${accountId} and h.state <> 'given-up'`

/** The present hosts of these accounts. */
export const presentHostRows = (db: Queryable, accountIds: string[]) => db.many<PresentHost>`
  ${hosts} where h.account_id = any(${accountIds}::uuid[]) and h.state <> 'given-up'`

export const listReleasedHosts = (db: Queryable, accountId: string) => db.many<HostRow>`
  ${hosts} where h.account_id = ${accountId} and h.state = 'given-up' order by h.name`

/** Every account's claim to one of these names. */
export const hostRowsNamed = (db: Queryable, names: string[]) => db.many<HostRow>`
  ${hosts} where h.name = any(${names}::text[]) order by h.account_id, h.name`

type Key = Pick<HostRow, 'accountId' | 'name'>
type Changed = Partial<Omit<HostRow, keyof Key | 'changes' | 'publicId' | 'createdAt' | 'updatedAt'>>

export const insertHost = (tx: Transaction, { accountId, name }: Key) =>
  hostTable.insert(tx, { accountId, name, state: 'unproven', failures: 0, changes: 0 })

/** Writes these fields over those of the row, and counts the change. */
export function updateHost(tx: Transaction, row: HostRow, change: Changed) {
  const next = { ...row, ...change, changes: row.changes + 1 }
  return tx.run`
    update hosts set state = ${next.state}, problem = ${next.problem}, failures = ${next.failures},
      counted_on = ${next.countedOn}, changes = ${next.changes}, checked_at = ${next.checkedAt},
      proven_at = ${next.provenAt}, given_up_at = ${next.givenUpAt}, updated_at = ${tx.now}
    where account_id = ${row.accountId} and name = ${row.name}`
}

export const deleteHost = (tx: Transaction, { accountId, name }: Key) => tx.run`
  delete from hosts where account_id = ${accountId} and name = ${name}`

/** Changes the host of the addresses given to partners. Returns whether it was another one. */
export const setPortalHost = async (tx: Transaction, accountId: string, name: string | null) =>
  (await tx.run`
    update accounts set portal_host = ${name}, updated_at = ${tx.now}
    where id = ${accountId} and portal_host is distinct from ${name}`) > 0

/** Returns whether one of these public ids is another account's. */
export const isOtherAccount = (db: Queryable, accountId: string, publicIds: string[]) => db.value<boolean>`
  select exists (select from accounts where public_id = any(${publicIds}::text[]) and id <> ${accountId})`
