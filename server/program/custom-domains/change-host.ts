import type { Config } from '../../platform/config/config.ts'
import { Overtaken, type Queryable, type Transaction } from '../../platform/database/pool.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { hostsChanged } from './host-map.ts'
import { judgeRecord, lockHosts, setLeadingHost } from './judge.ts'
import { ownHost } from './present-host.ts'
import { deleteHost, type HostRow, insertHost, listReleasedHosts, presentHostRow, updateHost } from './queries.ts'
import { type HostRecord, refuseOutdated } from './record.ts'

/** Most names of an account that were given up and still lead to it. */
export const MOST_GIVEN_UP = 20

export const findHostName = async (db: Queryable, accountId: string) =>
  (await presentHostRow(db, accountId))?.name ?? null

/** Refuses: the host of the install itself. */
export function refuseOwnHost(config: Config, name: string | null | undefined) {
  if (name === ownHost(config)) throw wrongField('host', 'host_is_install')
}

/** The former name, and whether the record of a new one is in place. */
type Changed = { before: string | null; isProven: boolean }

/**
 * Gives the account another host, or none. Links with the former one keep working if it was proven. The new one is the
 * account's as soon as its record proves it. Call it before locking rows. Refuses: `duplicate` for a host that another
 * account has proven while both records are in place; `invalid_state` for one name too many.
 */
export async function changeHost(
  tx: Transaction,
  accountId: string,
  { name, record }: { name: string | null; record: HostRecord | undefined },
): Promise<Changed> {
  const before = await findHostName(tx, accountId)
  const names = [before, name].filter((one) => one !== null)
  const claims = await lockHosts(tx, accountId, names)
  if ((await findHostName(tx, accountId)) !== before) throw new Overtaken('the host was changed meanwhile')
  if (before === name) return { before, isProven: false }
  if (record) refuseOutdated(record, claims)
  const own = (one: string | null) => claims.find((row) => row.accountId === accountId && row.name === one)
  const present = own(before)
  if (present) await releaseHost(tx, present)
  await setLeadingHost(tx, accountId, null)
  await hostsChanged(tx, accountId)
  const claim = name === null ? undefined : await claimHost(tx, accountId, name, own(name))
  const judged = claim && record && (await judgeRecord(tx, claim, claims, record, {}))
  if (judged === 'taken') throw wrongField('host', 'host_taken')
  if ((await listReleasedHosts(tx, accountId)).length > MOST_GIVEN_UP)
    throw refusal('too_many_hosts', { max: MOST_GIVEN_UP })
  return { before, isProven: judged === 'proven' }
}

async function releaseHost(tx: Transaction, row: HostRow) {
  if (row.state === 'unproven') await deleteHost(tx, row)
  else await updateHost(tx, row, { state: 'given-up', givenUpAt: tx.now.toISOString(), failures: 0, problem: null })
}

/** Claims a name. A name that the account gave up earlier is still proven. */
async function claimHost(tx: Transaction, accountId: string, name: string, former: HostRow | undefined) {
  if (former) await updateHost(tx, former, { state: 'proven', givenUpAt: null, countedOn: null })
  else await insertHost(tx, { accountId, name })
  return presentHostRow(tx, accountId)
}
