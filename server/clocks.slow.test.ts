import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { anAccount, startApp, type TestAccount, type TestApp, waitUntil } from '../test/support/app.ts'
import { aPayee, bookDue } from '../test/support/payouts.ts'
import { asDatabaseOwner } from '../test/support/postgres.ts'
import { clocks } from './clocks.ts'
import { type Clocks, runOptions, setClocks } from './platform/jobs/clocks.ts'
import { failuresAlone } from './platform/jobs/each-alone.ts'
import { startWorker } from './queue-handlers.ts'

const yearly = { cron: '0 0 1 1 *', retryLimit: 0 }

/** Runs the product with these clocks, started by the test. */
async function withClocks(known: Clocks) {
  const app = await startApp()
  const worker = await startWorker(app.services, known)
  after(() => worker.stop())
  const boss = await app.services.jobs.boss()
  const strike = (name: string) => boss.send('clock', { name }, runOptions(name, known[name]!))
  return { app, strike }
}

const jobsOf = ({ services }: TestApp, name: string) =>
  services.db.many<{ state: string }>`
    select state::text as state from pgboss.job where name = 'clock' and singleton_key = ${name} order by created_on`

test('a clock that fails or hangs does not delay the others', async () => {
  const struck: string[] = []
  let letGo = () => {}
  const { app, strike } = await withClocks({
    failing: { ...yearly, run: () => Promise.reject(new Error('planted')) },
    hanging: { ...yearly, run: () => new Promise<void>((resolve) => (letGo = resolve)) },
    sound: { ...yearly, run: async () => struck.push('sound') },
  })
  for (const name of ['failing', 'hanging', 'sound']) await strike(name)
  await waitUntil(() => struck.length === 1)
  await waitUntil(async () => (await jobsOf(app, 'failing'))[0]?.state === 'failed')
  assert.deepEqual(await jobsOf(app, 'hanging'), [{ state: 'active' }])
  // its first run has struck before it has ended, and is not queued twice
  await waitUntil(async () => (await strike('sound')) !== null)
  await waitUntil(() => struck.length === 2)
  letGo()
})

test('a clock skips its runs while the previous one is still going', async () => {
  let runs = 0
  let letGo = () => {}
  const { strike } = await withClocks({
    slow: {
      ...yearly,
      run: () => {
        runs++
        return new Promise<void>((resolve) => (letGo = resolve))
      },
    },
  })
  assert.ok(await strike('slow'))
  await waitUntil(() => runs === 1)
  assert.equal(await strike('slow'), null)
  assert.equal(await strike('slow'), null)
  letGo()
  await waitUntil(async () => (await strike('slow')) !== null)
  await waitUntil(() => runs === 2)
  letGo()
})

test('one of several workers runs each tick, and another runs the next if it dies midway', async () => {
  let runs = 0
  const gate = Promise.withResolvers<void>()
  const shared = {
    ...yearly,
    run: () => {
      runs++
      return gate.promise
    },
  }
  const { app, strike } = await withClocks({ shared })
  const other = await startApp({ db: app.services.db })
  const worker = await startWorker(other.services, { shared })
  after(() => worker.stop())
  const struck = await Promise.all(Array.from({ length: 6 }, () => strike('shared')))
  assert.equal(struck.filter((id) => id !== null).length, 1)
  await waitUntil(() => runs === 1)
  gate.resolve()
  await waitUntil(async () => (await jobsOf(app, 'shared'))[0]?.state === 'completed')
  assert.equal(runs, 1)

  // it claims the next run before the others, and sends no further heartbeat
  const dying = await startApp({ db: app.services.db })
  const boss = await dying.services.jobs.boss()
  await waitUntil(async () => (await strike('shared')) && (await boss.fetch('clock')).length === 1)
  const before = runs
  assert.equal(await strike('shared'), null)
  await waitUntil(async () => (await strike('shared')) !== null, 60_000)
  await waitUntil(() => runs === before + 1)
})

test('a failed run awaiting its retry is not queued twice, and is never parked', async () => {
  const { app, strike } = await withClocks({
    failing: { ...yearly, retryLimit: 3, run: () => Promise.reject(new Error('planted')) },
  })
  await strike('failing')
  await waitUntil(async () => (await jobsOf(app, 'failing'))[0]?.state === 'retry')
  for (let minute = 0; minute < 5; minute++) assert.equal(await strike('failing'), null)
  assert.equal((await jobsOf(app, 'failing')).length, 1)
  const { parked } = await app.services.db.one<{ parked: number }>`
    select count(*) as parked from pgboss.job where name = 'parked'`
  assert.equal(parked, 0)
})

test('the clocks of an earlier release are stopped', async () => {
  const { services } = await startApp()
  const boss = await services.jobs.boss()
  await boss.createQueue('every-hour')
  await boss.schedule('every-hour', '0 * * * *')
  await setClocks(boss, { gone: { ...yearly, run: async () => {} } })
  await setClocks(boss, clocks)
  const set = await boss.getSchedules()
  assert.deepEqual(
    set.map(({ name, key }) => `${name} ${key}`).sort(),
    Object.keys(clocks)
      .map((key) => `clock ${key}`)
      .sort(),
  )
})

test('an unchanged clock is not rewritten, a changed one is', async () => {
  const { services } = await startApp()
  const boss = await services.jobs.boss()
  const rows = () =>
    services.db.many<{ key: string; xmin: string; cron: string; retryLimit: number }>`
      select key, xmin::text, cron, (options->>'retryLimit')::int as retry_limit from pgboss.schedule order by key`
  await setClocks(boss, clocks)
  const set = await rows()
  await setClocks(boss, clocks)
  assert.deepEqual(await rows(), set)

  const [first, second] = set.map(({ key }) => key) as [string, string]
  const other = { [first]: { ...clocks[first]!, cron: '5 5 5 5 *' }, [second]: { ...clocks[second]!, retryLimit: 7 } }
  await setClocks(boss, { ...clocks, ...other })
  const now = await rows()
  assert.equal(now[0]?.cron, '5 5 5 5 *')
  assert.equal(now[1]?.retryLimit, 7)
  assert.deepEqual(now.slice(2), set.slice(2))
})

test('every clock of the product runs on an empty install and on one with an account', async () => {
  const app = await startApp()
  for (const { run } of Object.values(clocks)) await run(app.services)
  await anAccount(app)
  for (const { run } of Object.values(clocks)) await run(app.services)
})

test('an account whose due payouts cannot be gathered is logged and counted, without affecting the others', async () => {
  const app = await startApp()
  const accounts = [await anAccount(app, { payoutDelay: 0 }), await anAccount(app, { payoutDelay: 0 })]
  const owed = async (account: TestAccount) => {
    const partner = await aPayee(app, account)
    await bookDue(app, account, partner, 30_00)
    return partner
  }
  const broken = await owed(accounts[0]!)
  const sound = await owed(accounts[1]!)
  await asDatabaseOwner(app.services.db).pool.query(`
    create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$;
    create trigger planted before insert on payouts for each row
      when (new.partner_id = '${broken.id}') execute function planted()`)
  const lines: object[] = []
  const log = { error: (line: object) => lines.push(line) }
  const before = failuresAlone.get('gather-payouts') ?? 0
  await clocks['gather-payouts']!.run({ ...app.services, log } as never)
  const payouts = await app.services.db.many<{ partnerId: string }>`select partner_id from payouts`
  assert.deepEqual(payouts, [{ partnerId: sound.id }])
  assert.deepEqual(
    lines.map((line) => (line as { accountId: string }).accountId),
    [accounts[0]!.id],
  )
  assert.equal(failuresAlone.get('gather-payouts'), before + 1)
  const metrics = await fetch(`${app.url}/metrics`)
  assert.match(await metrics.text(), /tributary_account_failures_total\{clock="gather-payouts"\} \d/)
})
