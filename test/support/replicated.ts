import { after } from 'node:test'
import { pino } from 'pino'
import { reachDatabase } from '../../server/connect-database.ts'
import { type Clock, openDatabase, systemClock } from '../../server/platform/database/pool.ts'
import { reachReplica } from '../../server/platform/database/replica/reach-replica.ts'
import { createSecrets } from '../../server/platform/database/secrets.ts'
import type { Addresses } from '../../server/prepare-database.ts'
import { type Primary, type Standby, startPrimary, startStandby } from './standby.ts'

/** Any key: the password of the serving role is derived from it. */
export const KEY = Buffer.alloc(32)

export type Replicated = {
  primary: Primary
  standby: Standby
  /** Addresses of the database for the product's role. */
  addresses: Addresses
}

/** A database at this release, and a standby of it. */
export async function startReplicated(): Promise<Replicated> {
  const primary = await startPrimary()
  const { url } = primary
  const addresses = await reachDatabase({
    config: { databaseUrl: url, databaseDirectUrl: null, databasePooling: 'session' },
    ...{ url, clock: systemClock, log: pino({ level: 'silent' }), secrets: createSecrets(KEY) },
  })
  return { primary, standby: await startStandby(primary), addresses }
}

/** Opens both as a serving process does, until the test ends. */
export async function openReplicated({ standby, addresses }: Replicated, clock: Clock = systemClock) {
  const log = pino({ level: 'silent' })
  const db = openDatabase({ ...addresses, log, clock, patience: 6 })
  const config = { databaseReplicaUrl: standby.url, databasePooling: 'session', processRole: 'all' } as const
  const replica = (await reachReplica({ config, primary: db, log }))!
  after(async () => {
    await replica.close()
    await db.close()
  })
  return { db, replica }
}
