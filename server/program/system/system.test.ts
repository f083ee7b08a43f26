import assert from 'node:assert/strict'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import packageJson from '../../../package.json' with { type: 'json' }
import {
  anAccount,
  expectOk,
  getAdministratorToken,
  startApp,
  type TestApp,
  waitUntil,
} from '../../../test/support/app.ts'
import { aBackupFolder } from '../../../test/support/backups.ts'
import { pagesRead, vacuumTables } from '../../../test/support/plans.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { clocks } from '../../clocks.ts'
import { logMail } from '../../integrations/mail/log.ts'
import { providerEventQueue } from '../../integrations/payment-providers/queue.ts'
import { transaction } from '../../platform/database/pool.ts'
import { defineSignal, sendSignal } from '../../platform/events/emit-event.ts'
import { type Listener, relayOnce } from '../../platform/events/relay.ts'
import { PARKED } from '../../platform/jobs/queue.ts'
import { listParked, withoutData } from './parked.ts'

const noticed = defineSignal<{ n: number }>('test.noticed')

/** Refuses all events while `broken`, and records them. */
function listener() {
  const state = { broken: true, heard: [] as number[] }
  const listen: Listener = async (_tx, events) => {
    if (state.broken) throw new Error('no room for jane@harbor.example')
    state.heard.push(...events.map(({ data }) => data.n as number))
  }
  return { state, listen }
}

/** Refuses these events until they are parked. */
async function park({ services, clock }: TestApp, listen: Listener, ...numbers: number[]) {
  await transaction(services.db, async (tx) => {
    for (const n of numbers) await sendSignal(tx, null, noticed, { n })
  })
  for (let turn = 0; turn < 12; turn++) {
    await relayOnce(services, [listen])
    clock.advance(5 * 3_600_000)
  }
}

/** A job whose only try fails. */
async function parkJob({ services: { db, jobs } }: TestApp, message = 'planted') {
  await transaction(db, (tx) => jobs.add(tx, providerEventQueue, { eventId: 'of nobody' }, { retryLimit: 0 }))
  const [job] = await (await jobs.boss()).fetch(providerEventQueue.name)
  await (await jobs.boss()).fail(providerEventQueue.name, job!.id, { message })
}

async function asAdministrator(app: TestApp) {
  const call = async (method: string, path: string, headers?: Record<string, string>) =>
    app.api(method, `/admin/system${path}`, { token: await getAdministratorToken(app), ...(headers && { headers }) })
  const parked = async (query = '') => expectOk(await call('GET', `/parked${query}`)).body
  const retry = (id?: string) => call('POST', id ? `/parked/${id}/retry` : '/parked/retry')
  return { call, parked, retry, system: async () => expectOk(await call('GET', '')).body }
}

test('only an administrator reads the state of the install', async () => {
  const app = await startApp()
  const { call, system } = await asAdministrator(app)
  const started = app.clock.now().getTime()
  app.clock.advance(60_000)
  const { token } = await anAccount(app)
  const found = await system()
  assert.equal(found.version, packageJson.version)
  assert.ok(Date.parse(found.startedAt) <= started)
  assert.match(found.database.version, /^\d+\.\d+$/)
  assert.ok(found.database.bytes > 1_000_000)
  assert.ok(found.database.connections > 0 && found.database.connections < found.database.maxConnections)
  assert.match(found.database.role.name, /_serving$/)
  assert.equal(found.database.role.changesRowsOnly, true)
  assert.match(found.database.migration.name, /^\d{4}-/)
  assert.ok(found.storage.freeBytes > 0 && found.storage.freeBytes <= found.storage.totalBytes)
  assert.ok(found.queues.some(({ name }: { name: string }) => name === 'mail'))
  assert.ok(!found.queues.some(({ name }: { name: string }) => name === PARKED))
  assert.ok(!JSON.stringify(found).includes(app.services.config.dataDir), 'no path leaves')
  assert.ok(!JSON.stringify(found).includes('postgres://'), 'no address leaves')
  for (const path of ['', '/parked', '/parked/csv'])
    assert.equal((await app.api('GET', `/admin/system${path}`, { token })).status, 403)
  assert.equal((await call('GET', '/parked?kind=wish')).status, 422)
})

test('the state names a role that can do more than change rows', async () => {
  const app = await startApp({ db: asDatabaseOwner(await freshDatabase()) })
  const { system } = await asAdministrator(app)
  assert.equal((await system()).database.role.changesRowsOnly, false)
})

test('the state has the time of the last mail, a day’s failures, and the size of the outbox', async () => {
  const app = await startApp()
  const { db, config } = app.services
  const { system } = await asAdministrator(app)
  const outbox = join(config.dataDir, 'outbox')
  const before = await system()
  assert.deepEqual(before.mail, { server: null, lastSentAt: null, failures: 0 })
  await mkdir(outbox, { recursive: true })
  await writeFile(join(outbox, 'one.eml'), 'x'.repeat(1234))
  await logMail(db, { name: 'a', kind: 'test', email: 'a@b.example', accountId: null }, null, {
    state: 'failed',
    isTry: true,
  })
  app.clock.advance(25 * 3_600_000)
  const sentAt = app.clock.now()
  await logMail(db, { name: 'b', kind: 'test', email: 'a@b.example', accountId: null }, null, {
    state: 'sent',
    isTry: true,
  })
  await logMail(db, { name: 'c', kind: 'test', email: 'a@b.example', accountId: null }, null, {
    state: 'refused',
    isTry: true,
  })
  const { mail, storage } = await system()
  assert.equal(mail.failures, 1, 'the one of yesterday is over')
  assert.ok(Math.abs(Date.parse(mail.lastSentAt) - sentAt.getTime()) < 60_000)
  assert.equal(storage.outboxBytes - before.storage.outboxBytes, 1234)
  assert.equal(storage.outboxHasMore, false)
})

test('a very large outbox is measured only up to a limit', async () => {
  const app = await startApp()
  const { system } = await asAdministrator(app)
  const outbox = join(app.services.config.dataDir, 'outbox')
  await mkdir(outbox, { recursive: true })
  for (let n = 0; n <= 1000; n++) await writeFile(join(outbox, `${n}.eml`), 'x'.repeat(10))
  const { storage } = await system()
  assert.deepEqual([storage.outboxBytes, storage.outboxHasMore], [10_000, true])
})

test('a retried parked event is handled once, and is no longer parked', async () => {
  const app = await startApp()
  const { services } = app
  const { parked, retry, system } = await asAdministrator(app)
  const { state, listen } = listener()
  await park(app, listen, 1)
  assert.equal((await system()).events.parked, 1)
  const { items } = await parked()
  assert.deepEqual(
    items.map(({ id: _, createdAt: __, ...one }: Record<string, unknown>) => one),
    [{ kind: 'event', name: 'test.noticed', reason: 'no room for •••', attempts: 12, tries: 12, keptUntil: null }],
  )
  state.broken = false
  assert.equal(await relayOnce(services, [listen]), 0)
  const { id } = items[0]
  assert.equal((await retry(id)).status, 202)
  assert.equal(await relayOnce(services, [listen]), 1)
  assert.equal(await relayOnce(services, [listen]), 0)
  assert.deepEqual(state.heard, [1])
  assert.deepEqual((await parked()).items, [])

  const again = await retry(id)
  assert.equal(again.status, 409)
  assert.equal(again.body.error.reason, 'not_parked')
  const audited = await services.db.many`select subject_id from events where type = 'system.retried' and audited`
  assert.deepEqual(audited, [{ subjectId: id }])
})

test('a retried item that fails again has all its attempts', async () => {
  const app = await startApp()
  const { parked, retry } = await asAdministrator(app)
  const { listen } = listener()
  await park(app, listen, 1)
  const [{ id }] = (await parked()).items
  expectOk(await retry(id))
  await relayOnce(app.services, [listen])
  assert.deepEqual((await parked()).items, [])
  const [waiting] = await app.services.db.many`select tries from event_relays`
  assert.deepEqual(waiting, { tries: 1 })
})

test('a retried parked job is queued once, however often the retry is requested', async () => {
  const app = await startApp()
  const { jobs } = app.services
  const { call, parked, system } = await asAdministrator(app)
  await parkJob(app, 'invalid input syntax for type uuid: "of nobody"')
  const { items } = await parked('?kind=job')
  const [{ id, keptUntil, createdAt, ...job }] = items
  assert.deepEqual(job, {
    kind: 'job',
    name: 'provider-event',
    reason: 'invalid input syntax for type uuid: "•••"',
    attempts: 1,
    tries: 1,
  })
  assert.ok(Date.parse(keptUntil) > Date.parse(createdAt))
  const failed = ({ queues }: { queues: { name: string; failed: number }[] }) =>
    queues.find(({ name }) => name === 'provider-event')?.failed
  assert.equal(failed(await system()), 1)

  const retry = () => call('POST', `/parked/${id}/retry`, { 'idempotency-key': 'pressed-twice' })
  assert.deepEqual(expectOk(await retry()).body, { count: 1 })
  assert.equal((await retry()).headers.get('idempotency-replayed'), 'true')
  assert.equal((await (await jobs.boss()).fetch('provider-event', { batchSize: 10 })).length, 1)
  assert.equal(failed(await system()), 0)
  assert.equal((await call('POST', `/parked/${id}/retry`)).status, 409)
})

test('a page of very many parked jobs reads only those of the page', async () => {
  const { services } = await startApp()
  const owner = asDatabaseOwner(services.db)
  await owner.run`
    insert into pgboss.job (name, data, created_on, keep_until, source_name, source_retry_count, source_output)
    select ${PARKED}, '{}', now() - n * interval '1 second', now() + interval '14 days', 'provider-event', 100,
      jsonb_build_object('message', repeat('x', 300))
    from generate_series(1, 20000) n`
  await vacuumTables(owner, 'pgboss.job_common')
  const query: Parameters<typeof listParked>[1] = { sort: '-createdAt', limit: 50 }
  const first = await pagesRead(owner, (tx) => listParked(tx, query))
  assert.equal(first.answer.items.length, 50)
  assert.equal(first.answer.total, 20_000)
  const cursor = first.answer.nextCursor!
  const second = await pagesRead(owner, (tx) => listParked(tx, { ...query, cursor }))
  assert.ok(second.answer.items[0]!.createdAt < first.answer.items[49]!.createdAt)
  const oldest = await pagesRead(owner, (tx) => listParked(tx, { ...query, sort: 'createdAt' }))
  for (const [page] of [first.pages, second.pages, oldest.pages]) assert.ok(page! < 40, `${page}`)
  for (const [, count] of [first.pages, second.pages]) assert.ok(count! < 300, `${count}`)
})

test('all parked items are listed by page, newest first, and retried at once', async () => {
  const app = await startApp()
  const { services } = app
  const { call, parked, retry } = await asAdministrator(app)
  const { state, listen } = listener()
  await park(app, listen, 1, 2)
  await parkJob(app)
  const seen: string[] = []
  for (let cursor: string | null = '', turn = 0; cursor !== null && turn < 5; turn++) {
    const page = await parked(`?limit=1${cursor && `&cursor=${cursor}`}`)
    assert.equal(page.total, 3)
    seen.push(...page.items.map(({ id }: { id: string }) => id))
    cursor = page.nextCursor
  }
  assert.equal(new Set(seen).size, 3)
  assert.equal((await parked('?search=NOTICED')).items.length, 2)
  assert.match((await call('GET', '/parked/csv')).body, /test\.noticed/)
  assert.equal((await call('GET', '/parked?cursor=made-up')).status, 422)

  assert.deepEqual((await retry()).body, { count: 3 })
  for (const id of seen) assert.equal((await retry(id)).body.error.reason, 'not_parked')
  state.broken = false
  await relayOnce(services, [listen])
  assert.deepEqual(state.heard.toSorted(), [1, 2])
  assert.equal((await retry()).body.error.reason, 'nothing_parked')
})

test('a job without a worker is shown as waiting', async () => {
  const app = await startApp()
  const { db, jobs } = app.services
  const { system } = await asAdministrator(app)
  await transaction(db, (tx) => jobs.add(tx, providerEventQueue, { eventId: 'of nobody' }))
  await db.run`update pgboss.job set start_after = now() - interval '10 minutes' where name = 'provider-event'`
  const queue = await waitUntil(async () =>
    (await system()).queues.find(
      ({ name, waiting }: { name: string; waiting: number }) => name === 'provider-event' && waiting === 1,
    ),
  )
  assert.ok(queue.oldestSeconds >= 600 && queue.oldestSeconds < 700, String(queue.oldestSeconds))
})

test('an unknown and an invalid ID are not found', async () => {
  const app = await startApp()
  const { retry } = await asAdministrator(app)
  for (const id of ['01900000-0000-7000-8000-000000000000', 'nonsense', "' or true"])
    assert.equal((await retry(encodeURIComponent(id))).status, 404, id)
})

test('an error is shown without the addresses and values it quotes', () => {
  assert.equal(withoutData('550 5.1.1 <jane@harbor.example>: unknown'), '550 5.1.1 <•••>: unknown')
  assert.equal(
    withoutData('invalid input value for enum state: "Jane "the" Whitfield"'),
    'invalid input value for enum state: "•••"',
  )
  assert.equal(withoutData('violates unique constraint "sales_pkey"'), 'violates unique constraint "sales_pkey"')
})

test('a backup is made at once whatever the age of the newest, once however often it is requested', async () => {
  const folder = await aBackupFolder()
  const app = await startApp({ config: { backups: { folder, everyHours: 24, keep: 7 }, logLevel: 'silent' } })
  const { services } = app
  await services.db.run`insert into install (key_check) values ('') on conflict do nothing`
  const { call, system } = await asAdministrator(app)
  const { token } = await anAccount(app)
  assert.equal((await app.api('POST', '/admin/system/backups', { token })).status, 403)
  const backUpNow = (key?: string) => call('POST', '/backups', key ? { 'idempotency-key': key } : undefined)
  assert.deepEqual(await system().then(({ backups }) => backups), {
    ...{ everyHours: 24, count: 0, newestAt: null, newestBytes: null },
    ...{ isOverdue: true, isRunning: false, failingSince: null },
  })

  const first = await backUpNow('pressed-twice')
  assert.equal(first.status, 202)
  assert.equal(first.body.isRunning, true)
  assert.equal((await backUpNow('pressed-twice')).headers.get('idempotency-replayed'), 'true')
  const others = await Promise.all([backUpNow(), backUpNow()])
  for (const { status, body } of others) assert.deepEqual([status, body.error.reason], [409, 'backup_running'])
  /** Runs what is queued, as a worker does. */
  const run = async () => {
    const boss = await services.jobs.boss()
    const [job] = await boss.fetch<{ name: string; isAsked: boolean }>('clock')
    await clocks[job!.data.name]!.run(services, job!.data).then(
      () => boss.complete('clock', job!.id),
      () => boss.fail('clock', job!.id),
    )
    const { backups } = await system()
    assert.equal(backups.isRunning, false)
    return backups
  }
  const { newestAt, count } = await run()
  assert.equal(count, 1)

  // the newest is young
  app.clock.advance(60_000)
  assert.equal((await backUpNow()).status, 202)
  const newer = await run()
  assert.ok(newer.newestAt > newestAt)
  assert.equal((await readdir(folder)).filter((name) => name.endsWith('.zip')).length, 2)
  const audited = await services.db.many`select type from events where type = 'system.backup-requested' and audited`
  assert.equal(audited.length, 2)

  // a failed one is not retried at once, and the state says so
  await rm(folder, { recursive: true })
  assert.equal((await backUpNow()).status, 202)
  assert.ok((await run()).failingSince)
})

test('without BACKUP_DIR a backup is refused with what to set', async () => {
  const app = await startApp()
  const { status, body } = await (await asAdministrator(app)).call('POST', '/backups')
  assert.deepEqual([status, body.error.reason], [409, 'backup_folder_missing'])
  assert.ok(
    body.error.message.includes(
      `Set it to a folder, then restart the server: ${app.services.config.appUrl}/docs/backups`,
    ),
  )
})
