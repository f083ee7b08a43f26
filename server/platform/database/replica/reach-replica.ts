import type { Logger } from 'pino'
import { type Config, configError } from '../../config/config.ts'
import { type DatabaseAddress, WAITS } from '../connection-settings.ts'
import { type Database, openDatabase, transactionOnce } from '../pool.ts'
import { refusalToServe } from '../serving-role.ts'
import { refusalOfAddress } from '../wrong-address.ts'
import { createReplica, type Replica } from './replica.ts'
import { catchUp, type Position } from './replica-state.ts'

type Options = {
  config: Pick<Config, 'databaseReplicaUrl' | 'databasePooling' | 'processRole'>
  primary: Database
  log: Logger
}

/**
 * Returns the replica of DATABASE_REPLICA_URL, if this process serves calls. One that is unavailable, behind or
 * promoted is not used until it follows. Refuses: another database, invalid credentials, a pooler in statement mode.
 */
export async function reachReplica({ config, primary, log }: Options): Promise<Replica | undefined> {
  const url = config.databaseReplicaUrl
  if (!url || config.processRole === 'worker') return undefined
  const replica = createReplica({
    primary,
    log,
    takeUp: (position) => openReplica({ url, pooling: config.databasePooling }, primary, position),
  })
  const { status, cause } = await replica.look()
  if (status === 'foreign')
    throw configError(
      'DATABASE_REPLICA_URL',
      'the address of another database than DATABASE_URL leads to',
      'that of a streaming replica of it',
    )
  const refusal = cause && refusalOfAddress('DATABASE_REPLICA_URL', url, cause)
  if (refusal) throw refusal
  return replica
}

/** Time-outs in milliseconds after which the primary is used. */
const GONE = { connectMs: 500, answerMs: WAITS.statement + 1000 }

/** Opens it with the primary's serving role; roles are replicated, so it exists once the replica follows. */
async function openReplica(given: DatabaseAddress, primary: Database, position: Position): Promise<Database> {
  const { log, clock } = primary
  const open = (address: DatabaseAddress) => openDatabase({ ...address, log, clock, gone: GONE })
  const opened = open(given)
  try {
    await transactionOnce(opened, (tx) => catchUp(tx, position))
  } catch (error) {
    await opened.close()
    throw error
  }
  const servedAs = servingUrl(primary.url, given.url)
  if (!servedAs) return opened
  const serving = { ...given, url: servedAs }
  const reason = await refusalToServe({ ...serving, log, clock })
  if (reason === null) {
    await opened.close()
    return open(serving)
  }
  log.warn(
    { reason },
    'the replica is read as the role of DATABASE_REPLICA_URL, because the serving role is turned away there',
  )
  return opened
}

/** Returns the replica's address with the credentials of the serving role, if the primary is served with it. */
function servingUrl(primaryUrl: string, url: string): string | null {
  const { searchParams } = new URL(primaryUrl)
  const [user, password] = [searchParams.get('user'), searchParams.get('password')]
  if (user === null || password === null) return null
  const address = new URL(url)
  address.searchParams.set('user', user)
  address.searchParams.set('password', password)
  return address.href
}
