import { transaction } from '../../platform/database/pool.ts'
import { newToken } from '../../platform/database/secrets.ts'
import { INSTALL_HEADER, installProof } from '../../platform/http/install-proof.ts'
import { OutboundError } from '../../platform/http/outbound.ts'
import type { Services } from '../../platform/services.ts'
import { hostsChanged } from './host-map.ts'
import { type HostCheck, type HostVerdict, judgeRecord, lockHosts, noteFailure, noteSuccess } from './judge.ts'
import { deleteHost, isOtherAccount, listReleasedHosts, presentHostRow } from './queries.ts'
import { refuseOutdated, withRecord } from './record.ts'

/** Enough for a proxy to obtain its certificate, mostly. */
const PATIENCE_MS = 10_000

type Reach = Pick<Services, 'config' | 'db' | 'outbound' | 'secrets'>

/**
 * Checks the account's present host: its record and, if that is in place, whether it leads to this install. Returns the
 * record's result, or undefined without a host.
 */
export async function checkPresentHost(
  services: Reach,
  accountId: string,
  check: HostCheck = {},
): Promise<HostVerdict | undefined> {
  const { db } = services
  const present = await presentHostRow(db, accountId)
  if (!present) return undefined
  const { name } = present
  const judged = await withRecord(services, name, (record) =>
    transaction(db, async (tx) => {
      const claims = await lockHosts(tx, accountId, [name])
      const own = claims.find((row) => row.accountId === accountId)
      if (!own || own.state === 'given-up') return undefined
      refuseOutdated(record, claims)
      return judgeRecord(tx, own, claims, record, check)
    }),
  )
  if (judged === 'proven') await checkWhetherItAnswers(services, accountId, name, check)
  return judged
}

/** Asks at the account's present host, whose record is in place, whether it leads to this install. */
export async function checkWhetherItAnswers(
  services: Reach,
  accountId: string,
  name: string,
  check: HostCheck = {},
): Promise<void> {
  const { db } = services
  const host = await presentHostRow(db, accountId)
  if (host?.name !== name || host.state === 'unproven') return
  const problem = await whatIsWrong(services, name)
  await transaction(db, async (tx) => {
    const claims = await lockHosts(tx, accountId, [name])
    const own = claims.find((row) => row.accountId === accountId)
    // another check was faster, or the host was given up meanwhile
    if (own?.changes !== host.changes) return
    if (problem === null) await noteSuccess(tx, own, check)
    else await noteFailure(tx, own, problem, check)
  })
}

async function whatIsWrong({ config, outbound, secrets }: Reach, name: string): Promise<string | null> {
  const question = newToken()
  try {
    const { status, headers } = await outbound.userGiven(`https://${name}/health/live`, {
      headers: { [INSTALL_HEADER]: question },
      timeoutMs: PATIENCE_MS,
      maxBytes: 1000,
    })
    if (status === 200 && headers[INSTALL_HEADER] === installProof({ config, secrets }, name, question)) return null
    return `${name} is answered by another server, with status ${status}.`
  } catch (error) {
    if (error instanceof OutboundError) return error.message
    throw error
  }
}

/** Forgets names that the account gave up and that name another account by now. */
export async function deleteLostHosts(services: Reach, accountId: string): Promise<void> {
  for (const { name } of await listReleasedHosts(services.db, accountId))
    await withRecord(services, name, (record) =>
      transaction(services.db, async (tx) => {
        const claims = await lockHosts(tx, accountId, [name])
        refuseOutdated(record, claims)
        const own = claims.find((row) => row.accountId === accountId && row.state === 'given-up')
        const { named } = record
        if (!own || typeof named === 'string' || named.has(own.publicId)) return
        if (!(await isOtherAccount(tx, accountId, [...named]))) return
        await deleteHost(tx, own)
        await hostsChanged(tx, accountId)
      }),
    )
}
