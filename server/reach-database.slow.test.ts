import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { startPgBouncer, withoutPgBouncer } from '../test/support/pgbouncer.ts'
import { createTestDatabase } from '../test/support/postgres.ts'
import { ConfigError } from './platform/config/config.ts'
import { openDatabase, systemClock } from './platform/database/pool.ts'
import { createSecrets } from './platform/database/secrets.ts'
import { checkDatabaseRole } from './platform/database/serving-role.ts'
import { reachDatabase } from './reach-database.ts'

const secrets = createSecrets(Buffer.alloc(32))

async function aDatabase() {
  const database = await createTestDatabase()
  after(() => database.drop())
  return database.url
}

async function reach(databaseUrl: string, databaseDirectUrl: string | null = null) {
  const said: { msg: string; role?: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => said.push(JSON.parse(line)) })
  const config = { databaseUrl, databaseDirectUrl }
  const addresses = await reachDatabase({ config, url: databaseUrl, clock: systemClock, log, secrets })
  return { addresses, said }
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

test('without a pooler one address is both', async () => {
  const url = await aDatabase()
  const { addresses } = await reach(url)
  assert.deepEqual({ ...addresses, direct: undefined }, { ...addresses.direct, direct: undefined })
  assert.equal(addresses.pooling, 'none')
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
  const roleAt = async (address: Awaited<ReturnType<typeof reach>>['addresses']['direct']) => {
    const db = openDatabase({ ...address, log: pino({ level: 'silent' }), max: 1 })
    try {
      return await checkDatabaseRole(db)
    } finally {
      await db.close()
    }
  }
  const serving = { role: `${new URL(url).pathname.slice(1)}_serving`, power: 'rows' }

  test('in transaction mode the database is served by both addresses, as the serving role', async () => {
    const { addresses } = await reach(await bouncer({ poolSize: 2 }), url)
    assert.deepEqual([addresses.pooling, addresses.direct.pooling], ['transaction', 'none'])
    assert.deepEqual([await roleAt(addresses), await roleAt(addresses.direct)], [serving, serving])
  })

  test('in session mode one address will do', async () => {
    const { addresses } = await reach(await bouncer({ mode: 'session' }))
    assert.deepEqual([addresses.pooling, addresses.direct.pooling], ['session', 'session'])
    assert.deepEqual(await roleAt(addresses.direct), serving)
  })

  test('a role that the pooler turns away is named, and the one that was given serves', async () => {
    const pooled = await bouncer({ asksForUsers: false })
    const { addresses, said } = await reach(pooled, url)
    assert.deepEqual([addresses.url, addresses.direct.url], [pooled, url])
    const [line] = said.filter(({ msg }) => msg.includes('turned away'))
    assert.equal(line?.role, serving.role)
    assert.match(line.msg, /auth_query or userlist\.txt/)
  })

  test('the serving role that somebody signs in as by hand keeps the password they gave it', async () => {
    await reach(url)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`alter role ${serving.role} password 'by hand'`)
    const pooled = await bouncer({})
    const byHand = Object.assign(new URL(pooled), { username: serving.role, password: 'by hand' }).href
    for (let start = 0; start < 2; start++) {
      const { addresses } = await reach(byHand, url)
      assert.deepEqual([addresses.url, addresses.direct.url], [byHand, url])
      assert.deepEqual(await roleAt(addresses), serving)
    }
    await client.end()
  })

  const refusals: [what: string, given: () => Promise<Parameters<typeof reach>>, message: string][] = [
    [
      'a pooler in transaction mode without a way past it',
      async () => [await bouncer({}), null],
      'DATABASE_DIRECT_URL holds nothing; it should hold the address of PostgreSQL itself, because DATABASE_URL leads to a connection pooler in transaction mode.',
    ],
    [
      'a second address that leads to a pooler in transaction mode, too',
      async () => [url, await bouncer({})],
      'DATABASE_DIRECT_URL holds the address of a connection pooler in transaction mode; it should hold that of PostgreSQL itself.',
    ],
    [
      'a pooler in statement mode',
      async () => [await bouncer({ mode: 'statement' }), url],
      'DATABASE_URL holds the address of a connection pooler in statement mode, which knows no transactions; it should hold that of PostgreSQL itself, or of a pooler in transaction mode.',
    ],
    [
      'a pooler before another database',
      async () => [await bouncer({}), await aDatabase()],
      'DATABASE_DIRECT_URL holds the address of another database than DATABASE_URL leads to; it should hold that of the same one.',
    ],
  ]
  for (const [what, given, message] of refusals)
    test(`refused at the start: ${what}`, async () => {
      assert.equal(await refusalOf(...(await given())), message)
    })

  test('what a pooler says of a wrong password or database is told at once, and is not waited out', async () => {
    const pooled = await bouncer({})
    const wrongPassword = Object.assign(new URL(pooled), { password: 'canary' }).href
    const wrongDatabase = Object.assign(new URL(pooled), { pathname: '/nowhere' }).href
    const refused = Promise.all([refusalOf(wrongPassword, url), refusalOf(wrongDatabase, url)])
    const [password, database] = await refused
    assert.match(password, /^DATABASE_URL holds \d+ characters; .* not: SASL authentication failed\.$/)
    assert.match(database, /^DATABASE_URL holds \d+ characters; .* not: database "nowhere" does not exist\.$/)
  })
})
