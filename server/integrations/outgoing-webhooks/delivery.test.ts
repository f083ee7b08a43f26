import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { publicEvents } from '#contract/events.ts'
import { fakeReceiver, type Reply } from '../../../test/fakes/receiver.ts'
import {
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  startApp,
  type TestAccount,
  waitUntil,
} from '../../../test/support/app.ts'
import { bankDetails } from '../../../test/support/payouts.ts'
import { listSavedMails } from '../../../test/support/saved-mails.ts'
import { newId } from '../../platform/database/ids.ts'
import { retention } from '../../retention.ts'
import { deliveriesTried } from './delivery-measures.ts'
import { createSettling } from './record-attempts.ts'

const config = { allowPrivateWebhookTargets: true, secretKey: randomBytes(32), logLevel: 'silent' as const }
const app = await startApp({ config, worker: true })
const { db } = app.services
const closing: (() => Promise<unknown>)[] = []
after(() => Promise.all(closing.map((close) => close())))

async function aReceiver(script?: Parameters<typeof fakeReceiver>[0]) {
  const receiver = await fakeReceiver(script)
  closing.push(receiver.close)
  return receiver
}

/** A webhook for all events, in a new account unless one is given. */
async function aWebhook(url: string, fields: object = {}, account?: TestAccount) {
  const its = account ?? (await anAccount(app))
  const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: its.token, body })
  const body = { name: 'CRM', url, events: ['*'], ...fields }
  const { body: webhook } = expectOk(await call('POST', `/accounts/${its.id}/outgoing-webhooks`, body))
  const path = `/outgoing-webhooks/${webhook.id}`
  return {
    account: its,
    id: webhook.id as string,
    secret: webhook.secret as string,
    path,
    call,
    addLead: async (more: object = {}) =>
      expectOk(await call('POST', `/accounts/${its.id}/leads`, { email: anEmail('lead'), ...more })).body,
    read: async () => (await row(webhook.id))!,
    deliveries: async (query = '') => expectOk(await call('GET', `${path}/deliveries${query}`)).body.items,
    /** Returns each delivery's state and tries from the database, oldest first. */
    states: () =>
      db.many<{ state: string; tries: number; code: number | null; waitMs: number | null }>`
        select state, tries, code, extract(epoch from next_at - ${db.now}::timestamptz) * 1000 as wait_ms
        from outgoing_deliveries where webhook_id = ${webhook.id} order by created_at, id`,
  }
}
const row = (id: string) => db.maybe<{ enabled: boolean; failures: number; disabledReason: string | null }>`
  select enabled, failures, disabled_reason from outgoing_webhooks where id = ${id}`

describe('what is delivered', () => {
  test('no digit of a partner’s bank account, whose change the activity shows to owners', async () => {
    const receiver = await aReceiver()
    const webhook = await aWebhook(receiver.url, { events: ['partner.payout-settings-updated'] })
    const partner = await aPartner(app, webhook.account, {}, { signIn: true })
    const path = `/partners/${partner.id}/payout-settings`
    expectOk(
      await app.api('POST', path, { token: partner.token, body: bankDetails({ accountNumber: '000123454321' }) }),
    )
    const [delivery] = await receiver.waitFor(1)
    assert.deepEqual(JSON.parse(delivery!.raw).data.changes, { kind: { old: null, new: 'us-bank' } })
    const [listed] = await webhook.deliveries()
    assert.equal(listed.requestBody, delivery!.raw)
    const shown = await webhook.call('GET', `/accounts/${webhook.account.id}/audit?subjectId=${partner.id}`)
    assert.match(JSON.stringify(expectOk(shown).body.items), /"accountLast4":\{"old":null,"new":"4321"\}/)
  })

  test('every kind of change is delivered signed, with the object as it was and what changed', async () => {
    const receiver = await aReceiver()
    const webhook = await aWebhook(receiver.url, { headers: { 'X-Api-Key': 'of the CRM' } })
    const lead = await webhook.addLead({ firstName: 'Lena' })
    expectOk(await webhook.call('PUT', `/leads/${lead.id}`, { firstName: 'Lea' }))
    expectOk(await webhook.call('DELETE', `/leads/${lead.id}`))
    const deliveries = await receiver.waitFor(3)
    const verifier = new Webhook(webhook.secret)
    const events = deliveries.map(({ raw, headers }) => verifier.verify(raw, headers as Record<string, string>)) as {
      id: string
      type: keyof typeof publicEvents
      accountId: string
      data: { object: { id: string; firstName: string }; changes?: object }
    }[]
    const byType = Object.fromEntries(events.map((event) => [event.type, event]))
    assert.deepEqual(Object.keys(byType).sort(), ['lead.created', 'lead.deleted', 'lead.updated'])
    assert.equal(byType['lead.created']!.data.object.firstName, 'Lena', 'as it was then')
    assert.deepEqual(byType['lead.updated']!.data.changes, { firstName: { old: 'Lena', new: 'Lea' } })
    assert.equal(byType['lead.deleted']!.data.object.id, lead.id)
    for (const { type, data, accountId } of events) {
      assert.ok(publicEvents[type].safeParse(data.object).success, type)
      assert.equal(accountId, webhook.account.id)
    }
    for (const { headers, method, raw } of deliveries) {
      assert.equal(method, 'POST')
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers['x-api-key'], 'of the CRM')
      assert.equal(headers['webhook-id'], JSON.parse(raw).id)
    }
    await waitUntil(() => deliveriesTried.get('delivered')! > 0)
  })

  test('only selected events are delivered, to enabled webhooks of the same account', async () => {
    const receiver = await aReceiver()
    const some = await aWebhook(`${receiver.url}/some`, { events: ['lead.deleted', 'lead.created'] })
    await aWebhook(`${receiver.url}/off`, { enabled: false }, some.account)
    await aWebhook(`${receiver.url}/other`)
    const lead = await some.addLead()
    expectOk(await some.call('PUT', `/leads/${lead.id}`, { firstName: 'Lea' }))
    expectOk(await some.call('DELETE', `/leads/${lead.id}`))
    await receiver.waitFor(2)
    const types = receiver.deliveries.map(({ path, body }) => `${path} ${body.type}`)
    assert.deepEqual(types.sort(), ['/some lead.created', '/some lead.deleted'])
    assert.equal((await some.states()).length, 2)
  })

  test('while a secret is being replaced both sign, and after a day only the new one', async () => {
    const receiver = await aReceiver()
    const webhook = await aWebhook(receiver.url)
    const { body } = expectOk(await webhook.call('POST', `${webhook.path}/secret`))
    assert.notEqual(body.secret, webhook.secret)
    await webhook.addLead()
    const [first] = await receiver.waitFor(1)
    const verify = (secret: string, { raw, headers }: typeof first & {}) =>
      new Webhook(secret).verify(raw, headers as Record<string, string>)
    assert.ok(verify(webhook.secret, first!) && verify(body.secret, first!))
    await db.run`
      update outgoing_webhooks set former_secret_until = ${new Date(app.clock.now().getTime() - 1)} where id = ${webhook.id}`
    await webhook.addLead()
    const [, second] = await receiver.waitFor(2)
    assert.ok(verify(body.secret, second!))
    assert.throws(() => verify(webhook.secret, second!))
  })

  test('a test event is sent on demand, to this webhook only, and logged', async () => {
    const receiver = await aReceiver([{ status: 201, body: 'x'.repeat(5000) }])
    const webhook = await aWebhook(receiver.url, { events: ['sale.created'] })
    const { status, body } = await webhook.call('POST', `${webhook.path}/test`)
    assert.equal(status, 202)
    assert.deepEqual([body.event, body.state, body.attempts], ['webhook.test', 'pending', 0])
    const [sent] = await receiver.waitFor(1)
    const [delivery] = await waitUntil(async () => {
      const found = await webhook.deliveries('?state=delivered&event=webhook.test')
      return found.length === 1 && found
    })
    assert.equal(delivery.id, body.id)
    assert.deepEqual([delivery.code, delivery.attempts, delivery.nextAttemptAt], [201, 1, null])
    assert.equal(delivery.requestBody, sent!.raw)
    assert.equal(delivery.responseBody, 'x'.repeat(1000))
    assert.ok(delivery.durationMs >= 0)
    const { body: read } = await webhook.call('GET', webhook.path)
    assert.ok(read.lastDeliveryAt)
  })
})

describe('failures', () => {
  test('a failed attempt is retried later with the same ID and body, and a success ends it', async () => {
    const receiver = await aReceiver([500, 503, 200])
    const webhook = await aWebhook(receiver.url)
    await webhook.addLead()
    for (const [tries, wait] of [5_000, 300_000].entries()) {
      await waitUntil(async () => (await webhook.states())[0]!.tries === tries + 1)
      const { state, waitMs } = (await webhook.states())[0]!
      assert.equal(state, 'retrying')
      assert.ok(Number(waitMs) > wait * 0.9 - 5000 && Number(waitMs) <= wait * 1.1, `${waitMs}`)
      assert.equal((await webhook.read()).failures, tries + 1)
      await dueNow(webhook.id)
    }
    await waitUntil(async () => (await webhook.states())[0]!.state === 'delivered')
    const [first, second, third] = receiver.deliveries
    assert.deepEqual([second!.raw, third!.raw], [first!.raw, first!.raw])
    assert.equal(third!.headers['webhook-id'], first!.headers['webhook-id'])
    assert.equal((await webhook.read()).failures, 0)
  })

  test('a receiver that asks for more time gets it', async () => {
    const receiver = await aReceiver([{ status: 429, headers: { 'retry-after': '7200' } }])
    const webhook = await aWebhook(receiver.url)
    await webhook.addLead()
    await waitUntil(async () => (await webhook.states())[0]!.tries === 1)
    const waitMs = Number((await webhook.states())[0]!.waitMs)
    assert.ok(waitMs > 7_190_000 && waitMs <= 7_200_000, `${waitMs}`)
  })

  test('redirects are not followed, and a 410 disables the webhook at once', async () => {
    const elsewhere = await aReceiver()
    const receiver = await aReceiver([{ status: 302, headers: { location: elsewhere.url } }, 410])
    const webhook = await aWebhook(receiver.url)
    await webhook.addLead()
    await waitUntil(async () => (await webhook.states())[0]!.code === 302)
    await dueNow(webhook.id)
    await waitUntil(async () => !(await webhook.read()).enabled)
    assert.equal((await webhook.states())[0]!.state, 'failed')
    assert.equal((await webhook.read()).disabledReason, 'The receiver returned 410 Gone.')
    assert.equal(elsewhere.calls.length, 0)
    await webhook.addLead()
    const { status, body } = await webhook.call('POST', `${webhook.path}/test`)
    assert.deepEqual([status, body.error.code], [409, 'invalid_state'])
    const [kept] = await waitUntil(async () => {
      const found = await webhook.deliveries()
      return found.length === 2 && found
    })
    // no event is lost: those that occurred meanwhile can be sent once it is on again
    assert.deepEqual([kept.state, kept.attempts, kept.responseBody], ['failed', 0, 'The webhook was turned off.'])
    assert.equal(receiver.calls.length, 2)
    expectOk(await webhook.call('PUT', webhook.path, { enabled: true }))
    expectOk(await webhook.call('POST', `${webhook.path}/deliveries/${kept.id}/retries`))
    await receiver.waitFor(3)
  })

  test('owners are mailed after 5, 10 and 15 consecutive failures; 20 disable the webhook; enabling it resets the count', async () => {
    const receiver = await aReceiver([500])
    const webhook = await aWebhook(receiver.url)
    for (let n = 0; n < 4; n++) await webhook.addLead()
    const failed = async (count: number) => {
      await waitUntil(async () => (await webhook.read()).failures >= count)
      await dueNow(webhook.id)
    }
    for (let count = 4; count <= 20; count += 4) await failed(count)
    await waitUntil(async () => !(await webhook.read()).enabled)
    assert.equal((await webhook.read()).disabledReason, 'The last 20 delivery attempts failed.')
    const mails = await waitUntil(async () => {
      const its = (await listSavedMails(app)).filter(({ to }) => to.includes(webhook.account.ownerEmail))
      const about = its.filter(({ subject }) => /webhook/i.test(subject))
      return about.length === 4 && about
    })
    const subjects = mails.map(({ subject }) => subject).sort()
    assert.deepEqual(subjects, [
      'Your webhook CRM is failing',
      'Your webhook CRM is failing',
      'Your webhook CRM is failing',
      'Your webhook CRM was turned off',
    ])
    const before = receiver.calls.length
    const { body } = expectOk(await webhook.call('PUT', webhook.path, { enabled: true }))
    assert.deepEqual([body.consecutiveFailures, body.disabledReason, body.enabled], [0, null, true])
    await dueNow(webhook.id)
    // the waiting deliveries are sent
    await waitUntil(() => receiver.calls.length > before)
  })

  test('one delivery, or all failures since, can be resent on demand', async () => {
    let reply: Reply = 400
    const receiver = await aReceiver(() => reply)
    const webhook = await aWebhook(receiver.url)
    const since = app.clock.now().toISOString()
    for (let n = 0; n < 3; n++) await webhook.addLead()
    await waitUntil(async () => (await webhook.states()).filter(({ tries }) => tries === 1).length === 3)
    await db.run`
      update outgoing_deliveries set state = 'failed', tries = 10, next_at = null where webhook_id = ${webhook.id}`
    reply = 200
    const [one] = await webhook.deliveries('?state=failed')
    expectOk(await webhook.call('POST', `${webhook.path}/deliveries/${one.id}/retries`))
    await waitUntil(async () => (await webhook.deliveries('?state=delivered')).length === 1)
    const { status, body } = await webhook.call('POST', `${webhook.path}/retries`, { since })
    assert.deepEqual([status, body], [202, { count: 2 }])
    await waitUntil(async () => (await webhook.deliveries('?state=delivered')).length === 3)
    assert.deepEqual(expectOk(await webhook.call('POST', `${webhook.path}/retries`, { since })).body, { count: 0 })
    for (const id of ['not-an-id', webhook.id])
      assert.equal((await webhook.call('POST', `${webhook.path}/deliveries/${id}/retries`)).status, 404)
  })

  test('connection failures are explained: no connection, a reset, a name without an address', async () => {
    const gone = await aReceiver()
    await gone.close()
    const broken = await aReceiver()
    broken.fail(() => true, 'reset-before', 100)
    for (const [url, words] of [
      [gone.url, /failed \(ECONNREFUSED\)/],
      [broken.url, /failed \(/],
      ['http://nowhere.invalid/', /can’t be found/],
    ] as const) {
      const webhook = await aWebhook(url)
      await webhook.addLead()
      const [delivery] = await waitUntil(async () => {
        const found = await webhook.deliveries('?state=retrying')
        return found.length === 1 && found
      })
      assert.equal(delivery.code, null)
      assert.match(delivery.responseBody, words)
    }
  })

  test('an endless response is read in part, and the log stores its first 1,000 characters', async () => {
    let written = 0
    const server = createServer((_, response) => {
      const chunk = Buffer.alloc(65_536, 'y\0')
      response.on('error', () => {})
      const write = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length
        if (!response.destroyed) response.once('drain', write)
      }
      response.writeHead(500)
      write()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    const webhook = await aWebhook(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await webhook.addLead()
    const [delivery] = await waitUntil(async () => {
      const found = await webhook.deliveries('?state=retrying')
      return found.length === 1 && found
    })
    assert.equal(delivery.responseBody, 'y\ufffd'.repeat(500))
    assert.ok(written < 20_000_000, `${written} bytes`)
  })
})

describe('concurrency and retention', () => {
  test('a receiver that hangs delays no other, and has at most four concurrent deliveries', async () => {
    const slow = await aReceiver()
    slow.fail(() => true, 'hang-before', 1000)
    const fast = await aReceiver()
    const hanging = await aWebhook(slow.url)
    const others = await Promise.all([1, 2, 3].map((n) => aWebhook(`${fast.url}/${n}`)))
    const neighbor = await aWebhook(`${fast.url}/beside`, {}, hanging.account)
    for (let n = 0; n < 8; n++) await hanging.addLead()
    await slow.waitForCalls(() => true, 4)
    const times: number[] = []
    for (let n = 0; n < 5; n++)
      for (const other of [...others, neighbor]) {
        const { calls } = fast
        const before = calls.length
        const at = performance.now()
        await other.addLead()
        await waitUntil(() => calls.length > before)
        times.push(performance.now() - at)
      }
    times.sort((one, other) => one - other)
    assert.ok(times[Math.floor(times.length * 0.95)]! < 2000, `${times.at(-1)} ms`)
    assert.equal(slow.calls.length, 4)
  })

  test('a failing receiver gets one delivery at a time until it recovers', async () => {
    const slow = await aReceiver()
    slow.fail(() => true, 'hang-before', 1)
    const webhook = await aWebhook(slow.url)
    await db.run`update outgoing_webhooks set failures = 1 where id = ${webhook.id}`
    for (let n = 0; n < 4; n++) await webhook.addLead()
    await slow.waitForCalls(() => true, 1)
    await sleep(700)
    assert.equal(slow.calls.length, 1)
    expectOk(await webhook.call('PUT', webhook.path, { url: `${slow.url}/well` }))
    await slow.waitFor(4)
  })

  test('a webhook that is turned off sends nothing again', async () => {
    const webhook = await aWebhook('http://127.0.0.1:9/', { enabled: false })
    const again = await webhook.call('POST', `${webhook.path}/retries`, { since: '2026-01-01T00:00:00.000Z' })
    assert.deepEqual([again.status, again.body.error.reason], [409, 'webhook_off'])
  })

  test('the end of an attempt counts once, even if reported twice', async () => {
    const webhook = await aWebhook('http://127.0.0.1:9/', { enabled: false })
    const id = newId()
    await db.run`
      insert into outgoing_deliveries (id, account_id, webhook_id, event_id, event, state, next_at, created_at)
      values (${id}, ${webhook.account.id}, ${webhook.id}, ${id}, 'webhook.test', 'pending', now(), now())`
    const settle = createSettling(db, () => 0.5)
    const outcome = { code: 500, durationMs: 1, answer: '' }
    const end = { id, accountId: webhook.account.id, webhookId: webhook.id, tries: 0, outcome }
    await settle(end)
    await settle(end)
    assert.deepEqual([(await webhook.states())[0]?.tries, (await webhook.read()).failures], [1, 1])
  })

  test('changing, disabling or deleting a webhook takes effect at once, even while its receiver hangs', async () => {
    const slow = await aReceiver()
    slow.fail(() => true, 'hang-before', 1000)
    const next = await aReceiver()
    const webhook = await aWebhook(slow.url)
    for (let n = 0; n < 6; n++) await webhook.addLead()
    await slow.waitForCalls(() => true, 4)
    expectOk(await webhook.call('PUT', webhook.path, { url: next.url }))
    for (let n = 0; n < 2; n++) await webhook.addLead()
    await next.waitFor(8, 10_000)
    assert.equal(slow.calls.length, 4)
    const distinct = new Set(next.deliveries.map(({ headers }) => headers['webhook-id']))
    assert.equal(distinct.size, 8, 'also the four that hung')
    assert.equal((await webhook.read()).failures, 0)
    expectOk(await webhook.call('DELETE', webhook.path))
    assert.equal((await webhook.call('GET', webhook.path)).status, 404)
    assert.equal((await webhook.call('GET', `${webhook.path}/deliveries`)).status, 404)
  })

  test('deliveries are deleted after 90 days, and with their webhook', async () => {
    const receiver = await aReceiver()
    const kept = await aWebhook(`${receiver.url}/kept`)
    const deleted = await aWebhook(`${receiver.url}/deleted`, {}, kept.account)
    await kept.addLead()
    await receiver.waitFor(2)
    await waitUntil(async () => (await deleted.states())[0]?.state === 'delivered')
    expectOk(await deleted.call('DELETE', deleted.path))
    await waitUntil(async () => {
      await retention.deletedWebhooks(app.services)
      return (await row(deleted.id)) === undefined
    })
    assert.equal((await kept.states()).length, 1)
    await retention.outgoingDeliveries({
      ...app.services,
      db: {
        ...db,
        get now() {
          return new Date(app.clock.now().getTime() + 91 * 86_400_000)
        },
      },
    })
    assert.equal((await kept.states()).length, 0)
    assert.ok(await row(kept.id))
  })
})

/** Makes every delivery that waits for its next try due. */
const dueNow = (webhookId: string) => db.run`
  update outgoing_deliveries set next_at = ${db.now} where webhook_id = ${webhookId} and next_at is not null`
