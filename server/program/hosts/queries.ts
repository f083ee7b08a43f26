import type { HostState } from '#contract/hosts.ts'
import type { Queryable } from '../../platform/database/pool.ts'
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
export type HostRow = RowOf<typeof hostTable>

/** The account's present host. */
export const presentHostRow = (db: Queryable, accountId: string) => db.maybe<
  HostRow & { state: HostState; publicId: string }
>`
  select ${hostTable.from('h')}, a.public_id from hosts h join accounts a on a.id = h.account_id
  where h.account_id = ${accountId} and h.state <> 'given-up'`
