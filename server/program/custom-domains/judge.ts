import { linksChanged } from '../../platform/database/links-changed.ts'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import { Overtaken, type Transaction } from '../../platform/database/pool.ts'
import { sendSignal } from '../../platform/events/emit-event.ts'
import { hostsChanged } from './host-map.ts'
import { deleteHost, type HostRow, hostRowsNamed, setPortalHost, updateHost } from './queries.ts'
import type { HostRecord } from './record.ts'
import { hostFailed } from './signals.ts'

/** Daily checks in a row after which a ready host needs attention. */
export const MOST_FAILURES = 7

/** `today`: the account's date of a daily check, which alone counts failures, once a day. */
export type HostCheck = { today?: string | undefined }

const problems = {
  missing: 'No TXT record with this value was found.',
  taken: 'Another account has proven this domain, and its TXT record is still in place.',
  lost: 'The TXT record names another account now.',
}

/**
 * Locks these names, the account's claims and those of the names' other accounts until the transaction ends. Returns
 * every claim to the names. Call it before locking rows.
 */
export async function lockHosts(tx: Transaction, accountId: string, names: string[]): Promise<HostRow[]> {
  const claimants = async () => {
    const rows = await hostRowsNamed(tx, names)
    return { rows, ids: [...new Set([accountId, ...rows.map((row) => row.accountId)])].sort() }
  }
  const { ids } = await claimants()
  // of several accounts at once, and therefore in one place
  const keys = [...ids.map((id) => `hosts of account ${id}`), ...names.map((name) => `host ${name}`)]
  await lockKeys(
    tx,
    keys.map((name) => ({ accountId: null, name })),
  )
  const locked = await claimants()
  if (locked.ids.some((id) => !ids.includes(id))) throw new Overtaken('another account claimed this name meanwhile')
  return locked.rows
}

export type HostVerdict = 'missing' | 'taken' | 'proven'

/**
 * Decides by its TXT record whether a host is the account's, given all claims to its name. A proven one stays its
 * account's until the record names another account alone; one that was given up, until it names another at all.
 */
export async function judgeRecord(
  tx: Transaction,
  own: HostRow,
  claims: HostRow[],
  { named }: HostRecord,
  check: HostCheck,
): Promise<HostVerdict> {
  const fail = async (judged: HostVerdict, problem: string) => {
    await noteFailure(tx, own, problem, check)
    return judged
  }
  if (typeof named === 'string') return fail('missing', named)
  if (!named.has(own.publicId)) return fail('missing', problems.missing)
  if (own.state !== 'unproven') return 'proven'
  const owner = claims.find(
    ({ name, accountId, state }) => name === own.name && accountId !== own.accountId && state !== 'unproven',
  )
  if (owner && owner.state !== 'given-up' && named.has(owner.publicId)) return fail('taken', problems.taken)
  if (owner) await lose(tx, owner)
  const now = tx.now.toISOString()
  await updateHost(tx, own, { state: 'proven', problem: null, provenAt: now, checkedAt: now })
  await hostsChanged(tx, own.accountId)
  return 'proven'
}

/** Takes a host away from an account that no record names. */
async function lose(tx: Transaction, row: HostRow) {
  if (row.state === 'given-up') await deleteHost(tx, row)
  else await updateHost(tx, row, { state: 'unproven', problem: problems.lost, provenAt: null, failures: 0 })
  await hostsChanged(tx, row.accountId)
  if (row.state === 'ready' || row.state === 'attention') await turnAway(tx, row)
}

/** Addresses begin with APP_URL from now on, and the owner is notified. */
async function turnAway(tx: Transaction, { accountId, name }: HostRow) {
  await setLeadingHost(tx, accountId, null)
  await sendSignal(tx, accountId, hostFailed, { name })
}

/** The addresses given to partners begin with this host from now on; null: with APP_URL. */
export async function setLeadingHost(tx: Transaction, accountId: string, name: string | null) {
  if (await setPortalHost(tx, accountId, name)) await linksChanged(tx, accountId)
}

/** Records a check that failed. */
export async function noteFailure(tx: Transaction, row: HostRow, problem: string, { today }: HostCheck): Promise<void> {
  const wasReady = row.state === 'ready' || row.state === 'attention'
  const counts = wasReady && today !== undefined && (row.countedOn === null || row.countedOn < today)
  const failures = counts ? Math.min(row.failures + 1, MOST_FAILURES) : row.failures
  const isOver = failures === MOST_FAILURES && row.state === 'ready'
  await updateHost(tx, row, {
    problem: problem.slice(0, 500),
    checkedAt: tx.now.toISOString(),
    failures,
    ...(counts && { countedOn: today }),
    ...(isOver && { state: 'attention' }),
  })
  if (!isOver) return
  await hostsChanged(tx, row.accountId)
  await turnAway(tx, row)
}

/** Records a check that succeeded: addresses begin with this host. */
export async function noteSuccess(tx: Transaction, row: HostRow, { today }: HostCheck): Promise<void> {
  await updateHost(tx, row, {
    state: 'ready',
    problem: null,
    failures: 0,
    checkedAt: tx.now.toISOString(),
    countedOn: today ?? row.countedOn,
  })
  if (row.state !== 'ready') await hostsChanged(tx, row.accountId)
  await setLeadingHost(tx, row.accountId, row.name)
}
