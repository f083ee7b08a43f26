import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { clocks } from '../server/clocks.ts'
import { openDatabase } from '../server/platform/database/pool.ts'
import { fakeReceiver } from './fakes/receiver.ts'
import { ADMINISTRATOR, expectOk, getAdministratorToken, startApp, waitUntil } from './support/app.ts'
import { clickInAddress, visitLink } from './support/links.ts'
import { startPgBouncer, withoutPgBouncer } from './support/pgbouncer.ts'
import { asDatabaseOwner, freshDatabase } from './support/postgres.ts'
import { aSellingAccount } from './support/running.ts'
import { listSavedMails } from './support/saved-mails.ts'

const log = pino({ level: 'silent' })

// a wrong declaration must lose and double nothing either
for (const pooling of ['transaction', 'session'] as const)
  describe(`behind a real PgBouncer in transaction mode, with DATABASE_POOLING=${pooling}`, {
    skip: withoutPgBouncer,
  }, async () => {
    const direct = await freshDatabase()
    const bouncer = await startPgBouncer(asDatabaseOwner(direct).url, { poolSize: 2 })
    after(() => bouncer.close())
    const url = Object.assign(new URL(direct.url), { host: new URL(bouncer.url).host }).href
    const db = openDatabase({ url, pooling, directUrl: direct.url, log, patience: 6 })
    after(() => db.close())
    const receiver = await fakeReceiver()
    after(() => receiver.close())
    const app = await startApp({
      db,
      worker: true,
      config: { allowPrivateWebhookTargets: true, firstAdministrator: ADMINISTRATOR },
    })
    await getAdministratorToken(app)
    const account = await aSellingAccount(app)
    const webhook = { name: 'CRM', url: receiver.url, events: ['sale.created'] }
    expectOk(
      await app.api('POST', `/accounts/${account.id}/outgoing-webhooks`, { token: account.token, body: webhook }),
    )

    const push = (number: number) =>
      app.api('POST', '/push/sales', {
        token: account.apiKey,
        body: { externalId: `sale ${number}`, referralCode: account.code, email: 'buyer@mail.example', amount: 49_00 },
      })
    const countDelivered = () => new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).size

    test('fifty callers share two connections, and all follow-up work is done', async () => {
      const callers = await Promise.all(
        Array.from({ length: 50 }, async (_, number) => {
          const calls = [push(number), app.api('GET', `/accounts/${account.id}`, { token: account.token })]
          const led = await visitLink(app, account.blueprint.key, account.code)
          return { click: clickInAddress(led), statuses: (await Promise.all(calls)).map(({ status }) => status) }
        }),
      )
      for (const { click, statuses } of callers) {
        assert.ok(click)
        assert.deepEqual(statuses, [201, 200])
      }
      const { clicks } = await db.one<{ clicks: number }>`select count(*) as clicks from clicks`
      assert.equal(clicks, 50)
      await waitUntil(() => countDelivered() === 50, 60_000)
      await waitUntil(async () => (await listSavedMails(app)).length > 0)
    })

    test('calls are refused with a retry while it restarts, and work again afterwards', async () => {
      const before = countDelivered()
      await bouncer.stop()
      assert.equal((await push(50)).status, 503)
      await bouncer.start()
      await waitUntil(async () => (await push(50)).status === 201)
      await waitUntil(() => countDelivered() === before + 1)
    })

    test('every clock runs', async () => {
      const failed: string[] = []
      for (const [name, clock] of Object.entries(clocks))
        await clock.run(app.services).catch(({ message }: Error) => failed.push(`${name}: ${message}`))
      // which need a server of rates, absent here
      assert.deepEqual(
        failed.filter((line) => !/^(euro-rates|rates-for-new-sales)/.test(line)),
        [],
      )
    })
  })
