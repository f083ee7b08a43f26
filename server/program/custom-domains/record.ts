import { tooBusy } from '../../platform/database/pool.ts'
import { type Outbound, OutboundError } from '../../platform/http/outbound.ts'
import type { Services } from '../../platform/services.ts'
import { type HostRow, hostRowsNamed } from './queries.ts'

const VALUE = 'tributary='

/** The TXT record that proves a host to be an account's. */
export const buildTxtRecord = (name: string, publicId: string) => ({
  name: `_tributary.${name}`,
  value: `${VALUE}${publicId}`,
})

/** The accounts, by their public ids, that the TXT record of a host names; a text: why it could not be read. */
export type Named = ReadonlySet<string> | string

/** The accounts that a host's TXT record names, and the host's owner before it was read. */
export type HostRecord = { name: string; named: Named; owner: string | undefined }

/** The host got another owner while the record was read. */
class Outdated extends Error {}
const TRIES = 3

/**
 * Reads a host's TXT record for `work`, which calls `refuseOutdated`; again if the host has changed owner meanwhile, so
 * that an outdated DNS response can't take it from its owner.
 */
export async function withRecord<T>(
  { db, outbound }: Pick<Services, 'db' | 'outbound'>,
  name: string,
  work: (record: HostRecord) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const owner = ownerAmong(await hostRowsNamed(db, [name]), name)
    try {
      return await work({ name, owner, named: await readRecord(outbound, name) })
    } catch (error) {
      if (!(error instanceof Outdated)) throw error
      if (tries === TRIES) throw tooBusy()
    }
  }
}

export function refuseOutdated({ name, owner }: HostRecord, claims: HostRow[]) {
  if (ownerAmong(claims, name) !== owner) throw new Outdated()
}

/** The account that has proven the name, and when. */
function ownerAmong(claims: HostRow[], name: string) {
  const owner = claims.find((row) => row.name === name && row.state !== 'unproven')
  return owner && `${owner.accountId} ${owner.provenAt}`
}

async function readRecord(outbound: Outbound, host: string): Promise<Named> {
  try {
    const texts = await outbound.texts(buildTxtRecord(host, '').name)
    return new Set(
      texts.map((text) => text.trim()).flatMap((text) => (text.startsWith(VALUE) ? [text.slice(VALUE.length)] : [])),
    )
  } catch (error) {
    if (error instanceof OutboundError) return error.message
    throw error
  }
}
