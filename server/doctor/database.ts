import { inTheClear } from '../connect-database.ts'
import { eachHost } from '../platform/config/database-address.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { hostName, probeHosts, silenceInWords } from '../platform/database/failover/probe-hosts.ts'
import { pendingMigrations } from '../platform/database/migrate.ts'
import { missingTriggers } from '../platform/database/missing-triggers.ts'
import type { Database } from '../platform/database/pool.ts'
import {
  addressOfRole,
  checkDatabaseRole,
  findServingRole,
  refusalToServe,
  roleRefusal,
} from '../platform/database/serving-role.ts'
import { countInWords } from '../platform/format-values.ts'
import { silent } from '../platform/http/logger.ts'
import { OLDEST_VERSION } from '../prepare-database.ts'
import { type Check, type Finding, problemsOr, reportFault, reportOk, reportSkipped, reportWarning } from './check.ts'
import { inGigabytes } from './disk.ts'
import { NotToBeSeen, type Patient } from './patient.ts'
import { judgePooler } from './pooler.ts'

/** Milliseconds for opening: an embedded PostgreSQL may have to recover. */
const OPENING_MS = 60_000
/** Fewest connections; a process of the product uses 22 at most. */
const FEW_CONNECTIONS = 25

/** Checks whether it responds, is recent enough, and stores data durably. */
export const database: Check = {
  name: 'database',
  patience: OPENING_MS,
  async look(patient) {
    const db = await patient.openDatabase().catch((error: Error) => error)
    if (db instanceof NotToBeSeen) return reportSkipped(db.message)
    if (db instanceof Error) return unreachable(patient, db)
    const facts = await readFacts(db)
    const { version, bytes, left } = facts
    return problemsOr(
      reportOk(
        `PostgreSQL ${version} is running, stores ${inGigabytes(bytes)}, and has ${countInWords(left, 'connection')} left.`,
      ),
      judgeWriting(facts),
      judgeVersion(facts),
      judgeEncoding(facts),
      judgeDurability(facts),
      judgeConnections(facts),
      ...judgeTransport(patient),
      ...(await judgePooler(patient)),
      ...(await judgeHosts(patient)),
    )
  },
}

function unreachable({ config }: Patient, error: Error) {
  const { message } = error
  if (error instanceof StartRefusal) return reportFault(message, 'Correct it, then start the product again.')
  if (!config.databaseUrl)
    return reportFault(message, 'Check the disk, and that the folder belongs to the user who runs the product.')
  const { code } = error as { code?: string }
  return reportFault(
    `It doesn’t respond: ${message || code}`,
    'Start PostgreSQL, or correct host, port, user, password and name in DATABASE_URL.',
  )
}

type Facts = {
  standby: boolean
  readOnly: boolean
  version: string
  major: number
  encoding: string
  fsync: string
  fullPageWrites: string
  left: number
  bytes: number
}

const readFacts = (db: Database) => db.one<Facts>`
  select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only,
    current_setting('server_version') as version,
    current_setting('server_version_num')::int / 10000 as major,
    pg_encoding_to_char(d.encoding) as encoding, current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as left,
    pg_database_size(d.oid) as bytes
  from pg_database d where d.datname = current_database()`

function judgeWriting({ standby, readOnly }: Facts) {
  if (standby)
    return reportFault(
      'It is a standby, which is read-only.',
      'Point DATABASE_URL to the primary, list all hosts in it (a:5432,b:5432), or promote this one.',
    )
  if (!readOnly) return null
  return reportFault(
    'It accepts no writes: default_transaction_read_only is on for this role, database or server.',
    'Switch it off: alter role or alter database … reset default_transaction_read_only, or in postgresql.conf.',
  )
}

function judgeVersion({ version, major }: Facts) {
  if (major >= OLDEST_VERSION) return null
  return reportFault(
    `It is PostgreSQL ${version}; the product needs ${OLDEST_VERSION} or newer.`,
    'Upgrade it, or point DATABASE_URL to a newer one.',
  )
}

function judgeEncoding({ encoding }: Facts) {
  if (encoding === 'UTF8') return null
  return reportFault(
    `Its encoding is ${encoding}, which can’t store every name.`,
    "Make a database with encoding 'UTF8' and move the data there.",
  )
}

function judgeDurability({ fsync, fullPageWrites }: Facts) {
  const off = [fsync === 'off' && 'fsync', fullPageWrites === 'off' && 'full_page_writes'].filter(Boolean)
  if (off.length === 0) return null
  return reportFault(
    `${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off: booked amounts are lost if the machine fails.`,
    `Switch ${off.join(' and ')} on in postgresql.conf and restart PostgreSQL.`,
  )
}

function judgeConnections({ left }: Facts) {
  if (left >= FEW_CONNECTIONS) return null
  return reportWarning(
    `${countInWords(left, 'connection')} left; each process of the product takes up to 22.`,
    'Raise max_connections, or close other connections.',
  )
}

function judgeTransport({ config }: Patient): Finding[] {
  return inTheClear(config).map((variable) =>
    reportWarning(
      `${variable} leads to another machine without TLS: passwords and all data are sent unencrypted.`,
      'Add ?sslmode=verify-full, with &sslrootcert=FILE if you use your own authority; or ?sslmode=disable on a private network.',
    ),
  )
}

/** Judges several hosts: whether there is one for failover, and no former primary. */
async function judgeHosts({ config }: Patient): Promise<Finding[]> {
  const urls = eachHost(config.databaseDirectUrl ?? config.databaseUrl ?? '')
  if (urls.length === 1) return []
  const { primary, rivals, silent } = await probeHosts(urls)
  return [
    ...rivals.map((rival) =>
      reportFault(
        `${hostName(rival)} accepts writes as well as ${hostName(primary!)}, which was promoted later.`,
        'Stop it immediately, check what was written there, and make it a standby of the other.',
      ),
    ),
    ...silent.map((host) =>
      reportWarning(`${hostName(host)} ${silenceInWords(host)}`, 'Start it again, so that a failover is possible.'),
    ),
  ]
}

/** Checks whether the schema is this release's. */
export const schema: Check = {
  name: 'schema',
  patience: OPENING_MS,
  async look(patient) {
    const db = await reachable(patient)
    try {
      const pending = await pendingMigrations(db)
      if (pending.length === 0) return await judgeTriggers(db)
      return reportWarning(
        `It lacks ${countInWords(pending.length, 'migration')} of this release, from ${pending[0]} on.`,
        'The next start applies them; npx tributary migrate --backup FILE does so after a backup.',
      )
    } catch (error) {
      if (!(error instanceof StartRefusal)) throw error
      return reportFault('This release can’t use it.', error.message)
    }
  },
}

async function judgeTriggers(db: Database): Promise<Finding> {
  const missing = await missingTriggers(db)
  if (missing.length === 0) return reportOk('It is up to date.')
  return reportFault(
    `${countInWords(missing.length, 'trigger')} that protect booked amounts are missing or disabled: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ' …' : ''}.`,
    'Run npx tributary verify-ledger. Enable them again (alter table … enable trigger all); to get dropped ones back, restore a backup into an empty database.',
  )
}

/** Opens the database; its own check reports a failure. */
const reachable = (patient: Patient) =>
  patient.openDatabase().catch((error) => {
    throw error instanceof NotToBeSeen ? error : new NotToBeSeen('The database can’t be opened.')
  })

/** Checks whether the product's role has minimal rights. */
export const role: Check = {
  name: 'database role',
  patience: OPENING_MS,
  async look(patient) {
    const db = await patient.database()
    const { role, power } = await checkDatabaseRole(db)
    if (power === 'rows') return reportOk(`${role} can only read and write rows.`)
    const serving = await findServingRole(db)
    const url = serving && addressOfRole(db.url, serving, await patient.secrets())
    const turnedAway = url && (await refusalToServe({ url, pooling: 'session', log: silent, clock: patient.clock }))
    if (url && !turnedAway) return judgeOwner(patient, role, power)
    const refused = turnedAway ? `${serving.role} is refused: ${turnedAway}` : await whyNoRole(db)
    const why = refused.replace(/\.$/, '')
    return reportWarning(
      `The product serves as ${role}, a role that can disable the protection of the ledger; ${why}.`,
      'Let the owner create roles (createrole), or create the second role yourself, and start again. “PostgreSQL as a service” in docs/database.md has what each host needs.',
    )
  },
}

/** Returns why there is no serving role: as the host said at the last start, or for lack of a right. */
async function whyNoRole(db: Database) {
  const reason = await roleRefusal(db)
  return reason === null ? 'it can’t create another one' : `a role of its own was refused: ${reason}`
}

function judgeOwner({ config }: Patient, role: string, power: 'all' | 'schema'): Finding {
  if (power === 'schema' || !config.databaseUrl)
    return reportOk('The product serves as its own role, which can only read and write rows.')
  return reportWarning(
    `DATABASE_URL signs in as ${role}, a superuser, which is used only for the start.`,
    'Use an owner that can create roles instead: docs/database.md has the two statements.',
  )
}
