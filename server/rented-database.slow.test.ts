import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { startHost } from '../test/support/hosted-postgres.ts'
import { startPgBouncer, withoutPgBouncer } from '../test/support/pgbouncer.ts'
import { createTestDatabase } from '../test/support/postgres.ts'
import { reachDatabase } from './connect-database.ts'
import { runChecks } from './doctor/check.ts'
import { role } from './doctor/database.ts'
import { meetPatient } from './doctor/patient.ts'
import { openDatabase, systemClock } from './platform/database/pool.ts'
import { createSecrets } from './platform/database/secrets.ts'
import { checkDatabaseRole } from './platform/database/serving-role.ts'

const key = randomBytes(32)
const secrets = createSecrets(key)

/** An empty database of an owner, as services sell it: its addresses for that owner and for the superuser. */
async function aRentedDatabase(options: string) {
  const { url: any, drop } = await createTestDatabase()
  const server = new pg.Client({ connectionString: any })
  await server.connect()
  const name = `rented_${process.pid}_${randomBytes(4).toString('hex')}`
  await server.query(`create role ${name} login password 'of the owner' ${options}`)
  await server.query(`create database ${name} owner ${name}`)
  after(async () => {
    await server.query(`drop database if exists ${name} with (force)`)
    await server.query(`drop role if exists ${name}_serving`)
    await server.query(`drop role if exists ${name}`)
    await server.end()
    await drop()
  })
  const url = Object.assign(new URL(any), { pathname: `/${name}`, username: name, password: 'of the owner' }).href
  return { name, url, superuserUrl: Object.assign(new URL(any), { pathname: `/${name}` }).href }
}

async function hosted(url: string, ways: Parameters<typeof startHost>[1]) {
  const host = await startHost(url, ways)
  after(() => host.close())
  return host
}

/** Starts on a database as often as a host would restart the product, and tells what each start said and served as. */
async function start(databaseUrl: string, databaseDirectUrl: string | null = null) {
  const logLines: { level: number; msg: string; role?: string; reason?: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => logLines.push(JSON.parse(line)) })
  const databasePooling = databaseDirectUrl ? 'transaction' : 'session'
  const config = { databaseUrl, databaseDirectUrl, databasePooling } as const
  const { url, pooling } = await reachDatabase({ config, url: databaseUrl, clock: systemClock, log, secrets })
  const db = openDatabase({ url, pooling, log, max: 1 })
  const served = await checkDatabaseRole(db).finally(() => db.close())
  return { served, warnings: logLines.filter(({ level }) => level >= 40) }
}

async function examined(url: string, more: Record<string, string> = {}) {
  const variables = { DATABASE_URL: url, SECRET_KEY: key.toString('base64'), ...more }
  const patient = meetPatient(variables, { clock: systemClock })
  try {
    return (await runChecks([role], patient)).map(({ state, finding }) => `${state}: ${finding}`).join('\n')
  } finally {
    await patient.leave()
  }
}

test('Neon, which takes passwords of roles as plain text only, gets the serving role, sent once', async () => {
  const { url, name } = await aRentedDatabase('createrole')
  const host = await hosted(url, { onlyPlainPasswords: true })
  for (let starts = 0; starts < 2; starts++)
    assert.deepEqual(await start(host.url), { served: { role: `${name}_serving`, power: 'rows' }, warnings: [] })
  assert.equal(host.statements.filter((text) => /role .* password '[^S]/.test(text)).length, 1)
  assert.match(await examined(host.url), /^ok: The product serves as its own role/)
})

test('PostgreSQL itself never sees the password as plain text, and Neon does for a role made by hand', async () => {
  const { url, name } = await aRentedDatabase('createrole')
  const itself = await hosted(url, {})
  await start(itself.url)
  assert.deepEqual(
    itself.statements.filter((text) => /role .* password '[^S]/.test(text)),
    [],
  )
  const neon = await hosted(url, { onlyPlainPasswords: true })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`alter role ${name}_serving password 'by hand'`)
  await client.end()
  assert.deepEqual(await start(neon.url), { served: { role: `${name}_serving`, power: 'rows' }, warnings: [] })
})

test('Supabase’s pooler, which wants the project after the role, gets it for the serving role too', async () => {
  const { url, name } = await aRentedDatabase('createrole')
  const serving = { served: { role: `${name}_serving`, power: 'rows' }, warnings: [] }
  const session = await hosted(url, { project: 'abcdefghijklmnopqrst' })
  for (let starts = 0; starts < 2; starts++) assert.deepEqual(await start(session.url), serving)
  assert.match(await examined(session.url), /^ok: The product serves as its own role/)
  // as a parameter, and beside an address without a project
  const { username } = new URL(session.url)
  const given = Object.assign(new URL(`${session.url}?user=${username}`), { username: '' }).href
  assert.deepEqual(await start(given), serving)
  assert.deepEqual(await start(session.url, url), serving)
})

test('Supabase’s transaction pooler works beside its session pooler', { skip: withoutPgBouncer }, async () => {
  const { url, name, superuserUrl } = await aRentedDatabase('createrole')
  const pooler = await startPgBouncer(superuserUrl)
  after(() => pooler.close())
  const pooled = Object.assign(new URL(url), { host: new URL(pooler.url).host }).href
  const project = 'abcdefghijklmnopqrst'
  const [transactions, sessions] = [await hosted(pooled, { project }), await hosted(url, { project })]
  assert.deepEqual(await start(transactions.url, sessions.url), {
    served: { role: `${name}_serving`, power: 'rows' },
    warnings: [],
  })
})

describe('a host that refuses a second role in its own words serves the owner, and one line says so', async () => {
  const { url, name } = await aRentedDatabase('createrole')
  const REFUSALS = [
    ['XX000', 'Tenant or user not found'],
    ['28000', 'role is not permitted to log in'],
    ['0A000', 'unsupported by this service'],
    ['08P01', 'no such user'],
    ['P0001', 'unknown user'],
    ['42501', 'must be a member of rds_password to alter passwords'],
  ] as const
  for (const at of ['the statement', 'the commit', 'the sign-in'] as const)
    for (const [code, message] of REFUSALS)
      test(`at ${at}: ${code} ${message}`, async () => {
        const host = await hosted(url, { refuses: { at, code, message } })
        const { served, warnings } = await start(host.url)
        assert.deepEqual(served, { role: name, power: 'schema' })
        assert.deepEqual(
          warnings.map(({ role, reason }) => ({ role, reason })),
          [{ role: name, reason: message }],
        )
        const words = at === 'the sign-in' ? `${name}_serving is refused` : 'a role of its own was refused'
        const seen = new RegExp(`^warning: The product serves as ${name}, .* of the ledger; ${words}: ${message}\\.$`)
        assert.match(await examined(host.url), seen)
      })

  test('an owner who may not create roles', async () => {
    const { url, name } = await aRentedDatabase('')
    const { served, warnings } = await start(url)
    assert.deepEqual(served, { role: name, power: 'schema' })
    assert.equal(warnings.length, 1)
    assert.equal(warnings[0]!.role, name)
    assert.match(await examined(url), /of the ledger; it can’t create another one\.$/)
  })
})

test('once the host allows a second role, the check has nothing left to say', async () => {
  const { url, name } = await aRentedDatabase('createrole')
  const host = await hosted(url, { refuses: { at: 'the statement', code: '0A000', message: 'unsupported here' } })
  await start(host.url)
  assert.match(await examined(url), /a role of its own was refused: unsupported here\.$/)
  assert.deepEqual((await start(url)).served, { role: `${name}_serving`, power: 'rows' })
  assert.match(await examined(url), /^ok: /)
})

test('a start that the host turns away ends with one sentence and an exit code, and at once', async () => {
  const { url } = await aRentedDatabase('createrole')
  const { url: pooled } = await hosted(url, { project: 'abcdefghijklmnopqrst' })
  const withoutProject = Object.assign(new URL(pooled), { username: new URL(url).username }).href
  const wrongPassword = Object.assign(new URL(url), { password: 'another' }).href
  for (const [address, words] of [
    [withoutProject, /Tenant or user not found/],
    [wrongPassword, /password authentication failed/],
  ] as const) {
    const env = { ...process.env, DATABASE_URL: address, SECRET_KEY: key.toString('base64'), PORT: '0' }
    const ended = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, ['server/start.js'], { env, timeout: 120_000 }, (error, stdout, stderr) =>
        resolve({ code: error?.code, stdout, stderr }),
      )
    })
    assert.equal(ended.code, 1)
    const lines = ended.stderr.trim().split('\n')
    assert.match(lines.at(-1)!, /^DATABASE_URL /)
    assert.match(lines.at(-1)!, words)
    assert.doesNotMatch(ended.stdout + ended.stderr, /\n\s+at |"stack"/)
    assert.doesNotMatch(ended.stderr, /of the owner/)
  }
})
