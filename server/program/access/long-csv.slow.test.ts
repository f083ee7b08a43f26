import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createCaller } from '../../../test/support/api.ts'
import { anAccount, startApp } from '../../../test/support/app.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'

// A long file that is read slowly, given up or interrupted.

const app = await startApp()
const { pool } = app.services.db
const account = await anAccount(app)
const owner = createCaller(app, account.token)
const home = `/accounts/${account.id}`
const ROWS = 20_000
const PAGES = ROWS / 500

// far more than the socket buffers between the two can store
await app.services.db.run`
  insert into leads (id, account_id, company, external_id, source, status, created_on, created_at, updated_at)
  select gen_random_uuid(), ${account.id}, repeat('😀', 800), 'n-' || n, 'api', 'new', '2026-01-05', moment, moment
  from generate_series(1, ${ROWS}::int) n, lateral (select '2026-01-05'::timestamptz + (n / 400) * interval '1 second' as moment) at`

let taken = 0
pool.on('acquire', () => taken++)

/**
 * Waits until five lists in a row use a constant number of connections, so that no one else uses any. Returns how many
 * others used.
 */
async function untilQuiet() {
  const begun = taken
  let rounds = 0
  let last = -1
  for (let same = 0; same < 3; rounds++) {
    const before = taken
    for (let times = 0; times < 5; times++) await owner.get(`${home}/leads?limit=100`)
    same = taken - before === last ? same + 1 : 0
    last = taken - before
  }
  assert.equal(pool.idleCount, pool.totalCount)
  return taken - begun - rounds * last
}

/** Returns the response of the file's call, still unread. */
async function askedFor(path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${account.token}` }
  const request = get(`${app.url}/api/v1${path}`, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  assert.equal(response.statusCode, 200)
  return response
}

test('a slow reader holds no database connection, and one who continues gets every row once', async () => {
  const response = await askedFor(`${home}/leads/csv?columns=externalId,company`)
  const pages = await untilQuiet()
  assert.ok(pages < PAGES, `${pages} pages read for nobody`)
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece)
  const { rows } = readCsv(String(Buffer.concat(pieces)))
  assert.equal(rows.length, ROWS)
  assert.equal(new Set(rows.map(({ externalId }) => externalId)).size, ROWS)
})

test('a reader who disconnects ends the query', async () => {
  const response = await askedFor(`${home}/leads/csv`)
  response.destroy()
  await once(response, 'close')
  const pages = await untilQuiet()
  assert.ok(pages < PAGES / 4, `${pages} pages read after nobody was there`)
})

test('an interrupted file cannot be mistaken for a complete one', async () => {
  const response = await askedFor(`${home}/leads/csv`)
  await untilQuiet()
  const db = asDatabaseOwner(app.services.db)
  await db.run`alter table leads rename to leads_away`
  try {
    let bytes = 0
    await assert.rejects(async () => {
      for await (const piece of response) bytes += piece.length
    })
    assert.ok(bytes > 0)
  } finally {
    await db.run`alter table leads_away rename to leads`
  }
})
