import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { ESTIMATED_BYTES } from '#contract/data-transfer.ts'
import {
  anAccount,
  aPartner,
  expectOk,
  startApp,
  type TestAccount,
  turnableClock,
  waitUntil,
} from '../../../test/support/app.ts'
import { anArchivePath, exportArchive, readContents } from '../../../test/support/archives.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { exportAccount } from './export-account.ts'
import type { ExportManifest } from './manifest.ts'
import { firstLines, readTables, tableLines } from './rows.ts'

const clock = turnableClock()
const app = await startApp({ clock })
const { db } = app.services

const download = (id: string, token: string, signal?: AbortSignal) =>
  fetch(`${app.url}/api/v1/accounts/${id}/export`, {
    headers: { authorization: `Bearer ${token}` },
    ...(signal && { signal }),
  })

async function aSeller() {
  const account = await anAccount(app, { payoutDelay: 0 })
  const partner = await aPartner(app, account)
  const body = { partnerId: partner.id, email: 'a@shop.example' }
  const lead = expectOk(await app.api('POST', `/accounts/${account.id}/leads`, { token: account.token, body })).body
  const sell = async () =>
    expectOk(await app.api('POST', `/leads/${lead.id}/sales`, { token: account.token, body: { amount: 100_00 } }))
  await sell()
  return { account, lead, sell }
}

/** Clicks that barely compress, so that the export exceeds all buffers. */
async function visitMuch({ id }: TestAccount) {
  const addresses = Array.from({ length: 20_000 }, () => `/${newId()}/${newId()}/${newId()}`)
  await db.run`
    insert into clicks (id, account_id, day, landing_path, source, at)
    select gen_random_uuid(), ${id}, current_date, path, 'push', now() from unnest(${addresses}::text[]) path`
}

/** An export that has begun, but whose reader reads nothing yet. */
async function held(account: TestAccount) {
  const zip = new PassThrough({ highWaterMark: 1 })
  const begun = Promise.withResolvers<void>()
  const open = () => {
    begun.resolve()
    return zip
  }
  const done = exportAccount(db, system, account.id, { open })
  done.catch(begun.reject)
  await begun.promise
  return { zip, done }
}

const exportsRunning = async () => {
  const { count } = await asDatabaseOwner(db).one<{ count: number }>`
    select count(*) as count from pg_locks where locktype = 'advisory' and database = (
      select oid from pg_database where datname = current_database())`
  return count
}

test('the owner downloads a zip, which is recorded in the activity', async () => {
  const { account } = await aSeller()
  const answer = await download(account.id, account.token)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/zip')
  assert.match(
    answer.headers.get('content-disposition')!,
    /^attachment; filename="tributary-export-\d{4}-\d\d-\d\d\.zip"$/,
  )
  const bytes = Buffer.from(await answer.arrayBuffer())
  const estimated = Number(answer.headers.get(ESTIMATED_BYTES))
  assert.ok(estimated > 0)
  const path = await anArchivePath()
  await writeFile(path, bytes)
  const files = await readContents(path)
  const manifest: ExportManifest = JSON.parse(String(files.get('manifest.json')))
  assert.equal(manifest.account.id, account.id)
  assert.equal(manifest.owner?.email, account.ownerEmail)
  assert.equal(manifest.files['sales.csv']!.rows, 1)
  // the download ends a moment after its last byte has arrived
  const again = await waitUntil(() => exportArchive(db, account.id))
  assert.equal(manifest.ledgerDigest, again.manifest.ledgerDigest)
  const { body } = expectOk(await app.api('GET', `/accounts/${account.id}/audit`, { token: account.token }))
  const [byScript, byOwner] = body.items.filter(({ action }: { action: string }) => action === 'account.exported')
  assert.deepEqual([byScript.actor.type, byOwner.actor.name], ['system', 'Nora Wind'])
})

test('an account runs one export at a time, the server four; further requests are refused with the reason', async () => {
  const [one, two, three, ...others] = await Promise.all(Array.from({ length: 5 }, aSeller))
  assert.ok(one && two && three)
  const rest = await Promise.all(others.map(({ account }) => held(account)))
  const first = await held(one.account)
  const again = await download(one.account.id, one.account.token)
  assert.deepEqual([again.status, again.headers.get('retry-after')], [429, '30'])
  assert.equal((await again.json()).error.reason, 'export_running')
  const second = await held(two.account)
  const refused = await download(three.account.id, three.account.token)
  assert.deepEqual([refused.status, (await refused.json()).error.reason], [503, 'exports_busy'])
  const { body } = expectOk(await app.api('GET', `/accounts/${three.account.id}/audit`, { token: three.account.token }))
  assert.ok(!body.items.some(({ action }: { action: string }) => action === 'account.exported'))
  for (const { zip, done } of [first, second, ...rest]) {
    zip.resume()
    await done
  }
  const now = await download(three.account.id, three.account.token)
  assert.equal(now.status, 200)
  await now.arrayBuffer()
})

test('an export that is not being read gives way to another account', async () => {
  const accounts = await Promise.all(Array.from({ length: 5 }, aSeller))
  const stalled = await Promise.all(accounts.slice(1).map(({ account }) => held(account)))
  await waitUntil(() => stalled.every(({ zip }) => zip.writableNeedDrain))
  const ends = Promise.allSettled(stalled.map(({ done }) => done))
  const { id, token } = accounts[0]!.account
  const waiting = await download(id, token)
  clock.advance(21_000)
  const answer = await download(id, token)
  const bytes = answer.ok && (await answer.arrayBuffer()).byteLength
  for (const { zip } of stalled) zip.resume()
  assert.deepEqual([waiting.status, answer.status], [503, 200])
  assert.ok(bytes)
  assert.equal((await ends).filter(({ status }) => status === 'rejected').length, 1)
})

test('an export excludes later changes entirely, and does not block them', async () => {
  const { account, sell } = await aSeller()
  const before = await exportArchive(db, account.id)
  const { zip, done } = await held(account)
  await sell()
  const path = await anArchivePath()
  await Promise.all([pipeline(zip, createWriteStream(path)), done])
  const manifest = await done
  assert.equal(manifest.ledgerDigest, before.manifest.ledgerDigest)
  for (const file of ['sales.csv', 'commission_entries.csv', 'day_stats.csv', 'total_stats.csv', 'leads.csv'])
    assert.equal(manifest.files[file]!.sha256, before.manifest.files[file]!.sha256, file)
  assert.equal((await exportArchive(db, account.id)).manifest.files['sales.csv']!.rows, 2)
})

test('a person whose erasure has begun is in no export', async () => {
  const { account, lead } = await aSeller()
  expectOk(
    await app.api('POST', `/leads/${lead.id}/notes`, { token: account.token, body: { text: 'Call a@shop.example' } }),
  )
  expectOk(await app.api('POST', `/leads/${lead.id}/erase`, { token: account.token, body: {} }))
  const path = await anArchivePath()
  await writeFile(path, Buffer.from(await (await download(account.id, account.token)).arrayBuffer()))
  const files = [...(await readContents(path))]
  assert.deepEqual(
    files.flatMap(([name, content]) => (content.includes('a@shop.example') ? [name] : [])),
    [],
  )
})

test('events from before monthly partitions travel with their objects, unshown ones only as delivered', async () => {
  const { account } = await aSeller()
  const [sold, led] = [newId(), newId()]
  await db.run`
    insert into events (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data) values
      (${sold}, ${account.id}, ${db.now}, 'sale.created', 'public', false, 'system', 'sale', ${sold}, '{"object": {"is": "sold"}}'),
      (${led}, ${account.id}, ${db.now}, 'lead.created', 'public', false, 'system', 'lead', ${led}, '{"object": {"is": "led"}}')`
  const files = await readContents((await exportArchive(db, account.id)).path)
  const [shown, told] = [String(files.get('events.csv')), String(files.get('passing_events.csv'))]
  assert.deepEqual([shown.includes(sold), shown.includes(led)], [false, true])
  assert.match(told, /"sold"/)
  assert.match(told, /"led"/)
})

test('the export reads no more than the client consumes', async () => {
  const { account } = await aSeller()
  await visitMuch(account)
  const { zip, done } = await held(account)
  await waitUntil(
    () => asDatabaseOwner(db).maybe`
      select from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction' and query = 'fetch 500 from rows_of_clicks'
        and state_change < clock_timestamp() - interval '200 milliseconds'`,
  )
  zip.resume()
  assert.equal((await done).files['clicks.csv']!.rows, 20_000)
})

test('a client that disconnects ends the export, and leaves nothing in the database', async () => {
  const { account } = await aSeller()
  await visitMuch(account)
  const leaving = new AbortController()
  const answer = await download(account.id, account.token, leaving.signal)
  await answer.body!.getReader().read()
  assert.equal((await download(account.id, account.token)).status, 429)
  leaving.abort()
  await waitUntil(async () => (await exportsRunning()) === 0)
  const whole = await download(account.id, account.token)
  const bytes = (await whole.arrayBuffer()).byteLength
  const estimated = Number(whole.headers.get(ESTIMATED_BYTES))
  assert.ok(bytes > 1_000_000 && estimated > bytes * 0.8 && estimated < bytes * 1.25, `${estimated} of ${bytes}`)
})

test('an unknown account yields no zip', async () => {
  const open = () => assert.fail('nothing is opened')
  await assert.rejects(exportAccount(db, system, newId(), { open }), { code: 'not_found' })
})

test('large bodies are read a few at a time', async () => {
  const account = await anAccount(app)
  const body = { name: 'CRM', target: 'lead' }
  const hook = expectOk(
    await app.api('POST', `/accounts/${account.id}/incoming-webhooks`, { token: account.token, body }),
  ).body
  await db.run`
    insert into incoming_deliveries (id, account_id, webhook_id, state, payload, dedupe_key, created_at)
    select gen_random_uuid(), ${account.id}, ${hook.id}, 'ignored', ${JSON.stringify({ text: 'x'.repeat(250_000) })},
      decode(lpad(to_hex(n), 64, '0'), 'hex'), ${db.now}
    from generate_series(1, 40) n`
  await transaction(db, async (tx) => {
    const table = (await readTables(tx)).find(({ name }) => name === 'incoming_deliveries')!
    let rows = 0
    for await (const piece of tableLines(tx, account.id, table)) {
      assert.ok(piece.bytes.length < 5_000_000, `${piece.bytes.length} bytes at once`)
      rows += piece.rows
    }
    assert.equal(rows, 40)
    assert.ok((await firstLines(tx, account.id, table)).bytes.length < 5_000_000)
  })
})
