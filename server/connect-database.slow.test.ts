import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { startPgBouncer, withoutPgBouncer } from '../test/support/pgbouncer.ts'
import { createTestDatabase, emptyDatabase } from '../test/support/postgres.ts'
import { reachDatabase } from './connect-database.ts'
import { ConfigError } from './platform/config/config.ts'
import type { Pooling } from './platform/database/connection-settings.ts'
import { openDatabase, systemClock } from './platform/database/pool.ts'
import { createSecrets } from './platform/database/secrets.ts'
import { checkDatabaseRole } from './platform/database/serving-role.ts'

const secrets = createSecrets(Buffer.alloc(32))

async function aDatabase() {
  const database = await createTestDatabase()
  after(() => database.drop())
  return database.url
}

async function reach(databaseUrl: string, databaseDirectUrl: string | null = null) {
  const lines: { msg: string; reason?: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const databasePooling = databaseDirectUrl ? 'transaction' : 'session'
  const config = { databaseUrl, databaseDirectUrl, databasePooling } as const
  const addresses = await reachDatabase({ config, url: databaseUrl, clock: systemClock, log, secrets })
  return { addresses, lines }
}

async function refusalOf(...given: Parameters<typeof reach>) {
  try {
    await reach(...given)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.message
  }
  return assert.fail('taken')
}

test('without a pooler both addresses are the same', async () => {
  const url = await aDatabase()
  const { addresses } = await reach(url)
  assert.equal(addresses.url, addresses.directUrl)
  assert.equal(addresses.pooling, 'session')
  assert.equal(
    await refusalOf(url, await aDatabase()),
    'DATABASE_DIRECT_URL holds the address of another database than DATABASE_URL leads to; it should hold that of the same one.',
  )
})

describe('behind a real PgBouncer', { skip: withoutPgBouncer }, async () => {
  const url = await aDatabase()
  const bouncer = async (options: Parameters<typeof startPgBouncer>[1]) => {
    const started = await startPgBouncer(url, options)
    after(() => started.close())
    return started.url
  }
  const roleAt = async (url: string, pooling: Pooling = 'session') => {
    const db = openDatabase({ url, pooling, log: pino({ level: 'silent' }), max: 1 })
    try {
      return await checkDatabaseRole(db)
    } finally {
      await db.close()
    }
  }
  const serving = { role: `${new URL(url).pathname.slice(1)}_serving`, power: 'rows' }

  test('in transaction mode the database is reached at both addresses, with the serving role', async () => {
    const { addresses } = await reach(await bouncer({ poolSize: 2 }), url)
    assert.equal(addresses.pooling, 'transaction')
    assert.deepEqual(
      [await roleAt(addresses.url, 'transaction'), await roleAt(addresses.directUrl)],
      [serving, serving],
    )
  })

  test('in session mode one address is enough', async () => {
    const { addresses } = await reach(await bouncer({ mode: 'session' }))
    assert.equal(addresses.directUrl, addresses.url)
    assert.deepEqual(await roleAt(addresses.url), serving)
  })

  test('migrations through an undeclared pooler leave no lock that would block the next start', async () => {
    const empty = await emptyDatabase()
    const pooler = await startPgBouncer(empty, { poolSize: 3 })
    after(() => pooler.close())
    await reach(pooler.url)
    const client = new pg.Client({ connectionString: empty })
    await client.connect()
    const { rows } = await client.query(`
      select from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`)
    await client.end()
    assert.deepEqual(rows, [])
  })

  test('a role that the pooler rejects is named, and the configured one serves', async () => {
    const pooled = await bouncer({ asksForUsers: false })
    const { addresses, lines } = await reach(pooled, url)
    assert.deepEqual([addresses.url, addresses.directUrl], [pooled, url])
    const [line] = lines.flatMap(({ reason }) => reason ?? [])
    assert.match(line!, new RegExp(`^${serving.role} is turned away at DATABASE_URL .*auth_query or userlist\\.txt$`))
  })

  test('a serving role that an operator signs in as keeps the password they set', async () => {
    await reach(url)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`alter role ${serving.role} password 'by hand'`)
    const pooled = await bouncer({})
    const byHand = Object.assign(new URL(pooled), { username: serving.role, password: 'by hand' }).href
    for (let start = 0; start < 2; start++) {
      const { addresses } = await reach(byHand, url)
      assert.deepEqual([addresses.url, addresses.directUrl], [byHand, url])
      assert.deepEqual(await roleAt(addresses.url, 'transaction'), serving)
    }
    await client.end()
  })

  test('a pooler in statement mode is refused at the start, as is one for another database', async () => {
    const statements = await bouncer({ mode: 'statement' })
    for (const direct of [url, null])
      assert.match(
        await refusalOf(statements, direct),
        /^DATABASE_URL holds \d+ characters; .* statement pooling mode\.$/,
      )
    assert.equal(
      await refusalOf(await bouncer({}), await aDatabase()),
      'DATABASE_DIRECT_URL holds the address of another database than DATABASE_URL leads to; it should hold that of the same one.',
    )
  })

  test('a pooler’s error about a wrong password or database is reported at once, without waiting', async () => {
    const pooled = await bouncer({})
    const wrongPassword = Object.assign(new URL(pooled), { password: 'canary' }).href
    const wrongDatabase = Object.assign(new URL(pooled), { pathname: '/nowhere' }).href
    const refused = Promise.all([refusalOf(wrongPassword, url), refusalOf(wrongDatabase, url)])
    const [password, database] = await refused
    assert.match(password, /^DATABASE_URL holds \d+ characters; .* not: SASL authentication failed\.$/)
    assert.match(database, /^DATABASE_URL holds \d+ characters; .* not: database "nowhere" does not exist\.$/)
  })
})
