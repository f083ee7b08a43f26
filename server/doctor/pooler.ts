import { areOneDatabase } from '../connect-database.ts'
import { Client } from '../platform/database/client.ts'
import { silent } from '../platform/http/logger.ts'
import { type Finding, reportFault, reportWarning } from './check.ts'
import type { Patient } from './patient.ts'

/** Judges whether each address leads to the kind of server that the variables declare, and both to one database. */
export async function judgePooler({ config }: Patient): Promise<Finding[]> {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl, databasePooling } = config
  if (!databaseUrl) return []
  const findings: Finding[] = []
  if (databaseDirectUrl && (await isTransactionPooler(databaseDirectUrl)))
    findings.push(
      reportFault(
        'DATABASE_DIRECT_URL leads to a connection pooler in transaction mode.',
        'Set it to the URL of PostgreSQL itself, not of the pooler.',
      ),
    )
  try {
    const isPooler = await isTransactionPooler(databaseUrl)
    if (isPooler && databasePooling === 'session') findings.push(undeclared('DATABASE_URL'))
    if (!isPooler && databasePooling === 'transaction')
      findings.push(
        reportWarning(
          'DATABASE_POOLING is “transaction”, but DATABASE_URL doesn’t lead to a connection pooler in transaction mode: every statement is planned each time.',
          'Remove DATABASE_POOLING.',
        ),
      )
    if (databaseDirectUrl && !(await isOneDatabase(databaseUrl, databaseDirectUrl)))
      findings.push(
        reportFault(
          'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases.',
          'Set it to the URL of the same database, not of the pooler.',
        ),
      )
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    findings.push(
      reportFault(
        `DATABASE_URL doesn’t respond, but DATABASE_DIRECT_URL does: ${message || code}`,
        'Start the pooler, or correct host, port, user, password and name in DATABASE_URL.',
      ),
    )
  }
  // its own check reports a replica that is unavailable
  const isReplicaPooled = databaseReplicaUrl && (await isTransactionPooler(databaseReplicaUrl).catch(() => false))
  if (isReplicaPooled && databasePooling === 'session') findings.push(undeclared('DATABASE_REPLICA_URL'))
  return findings
}

const undeclared = (variable: string) =>
  reportFault(
    `${variable} leads to a connection pooler in transaction mode, which DATABASE_POOLING doesn’t declare.`,
    'Set DATABASE_POOLING=transaction, and DATABASE_DIRECT_URL to the URL of PostgreSQL itself.',
  )

/** Compares with the settings of each transaction, which every server accepts. */
const isOneDatabase = (url: string, directUrl: string) =>
  areOneDatabase({ url, pooling: 'transaction' }, directUrl, silent)

/** Time-out in milliseconds, for connecting and for an answer. */
const PATIENCE_MS = 3000
/** Tries: other clients may prevent changing connections for a while, but not repeatedly. */
const TRIES = 10

/** Whether two clients share connections to PostgreSQL, or one changes between them. */
async function isTransactionPooler(url: string): Promise<boolean> {
  const [one, other] = [connectionTo(url), connectionTo(url)]
  try {
    await one.connect()
    const first = await backendOf(one)
    // a pooler invents the process id
    if (first === (one as { processID?: number | null }).processID) return false
    await other.connect()
    for (let tries = 0; tries < TRIES; tries++)
      if ((await backendOf(other)) === first || (await backendOf(one)) !== first) return true
    return false
  } finally {
    await Promise.allSettled([one.end(), other.end()])
  }
}

function connectionTo(url: string) {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })
  client.on('error', () => {})
  return client
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}
