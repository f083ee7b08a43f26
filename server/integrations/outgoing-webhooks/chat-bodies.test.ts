import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { eventDescriptions, type PublicEvent } from '#contract/events.ts'
import { eventExamples } from '#contract/examples/events.ts'
import { webhookEvents } from '#contract/outgoing-webhooks.ts'
import { type ChatService, standInChat } from '../../../test/fakes/chat.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { buildBody, rehearsedBody } from './body.ts'

const services: ChatService[] = ['slack', 'teams', 'discord']
const origin = 'https://partners.example'
const closing: (() => Promise<unknown>)[] = []
after(() => Promise.all(closing.map((close) => close())))

async function aChannel(...[service, limits]: Parameters<typeof standInChat>) {
  const channel = await standInChat(service, limits)
  closing.push(channel.close)
  return channel
}

const messageIn = (format: ChatService, event: PublicEvent, object: object) =>
  buildBody(
    { eventId: 'e', event, at: '', accountId: 'a', webhookId: 'w', object: JSON.stringify(object), changes: null },
    { format, origin },
  )!

/** The paths of the owner's screens, as patterns. */
const root = fileURLToPath(new URL('../../../', import.meta.url))
const screens = globSync(['web/routes/router.tsx', 'features/*/web/feature.ts'], { cwd: root })
  .flatMap((file) => [
    ...readFileSync(`${root}${file}`, 'utf8').matchAll(/(?:ofAccount\(|path: )'([^']+)', (?:allow: ')?(?:team|both)/g),
  ])
  .map(([, path]) => new RegExp(`^${path!.replaceAll(/\$\w+/g, '[^/]+')}$`))

const HOSTILE =
  '<!channel> <@U1> @everyone *b* _i_ ~s~ `c` [x](http://evil.example) <http://evil.example|y> & \\ ||z|| # '

/** Replaces every text of an object except ids, dates and words of the interface. */
const spoiled = (value: unknown, by: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => spoiled(one, by))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, key.endsWith('urrency') ? one : spoiled(one, by)]),
    )
  return typeof value === 'string' && !/^[\w-]{36}$/.test(value) ? by : value
}

describe('every event in the body of each service', () => {
  for (const service of services)
    test(`${service} takes each, and shows what happened and a screen of the owner`, async () => {
      const channel = await aChannel(service)
      for (const event of webhookEvents)
        for (const object of [
          eventExamples[event],
          spoiled(eventExamples[event], HOSTILE),
          spoiled(eventExamples[event], `${'\u{1f600}*'.repeat(3000)}\n> quoted`),
        ]) {
          const before = channel.shown.length
          await fetch(channel.url, { method: 'POST', body: messageIn(service, event, object as object) })
          assert.deepEqual(channel.wrong, [], event)
          const message = channel.shown[before]
          assert.ok(message, `${event} was refused`)
          assert.ok(message.text.includes(eventDescriptions[event]), event)
          const { origin: host, pathname } = new URL(message.url!)
          assert.equal(host, origin)
          assert.ok(
            screens.some((path) => path.test(pathname)),
            `${event} leads to ${pathname}`,
          )
        }
    })

  test('a rehearsal is a message that says so, and leads to its webhook', async () => {
    const about = { id: 'e', at: '', accountId: 'a', webhookId: 'w', event: 'sale.created', object: '{}' }
    for (const format of services) {
      const channel = await aChannel(format)
      await fetch(channel.url, { method: 'POST', body: rehearsedBody(about, { format, origin }) })
      assert.deepEqual(channel.wrong, [])
      assert.match(channel.shown[0]!.text, /Rehearsal: A sale was recorded\./)
      assert.equal(channel.shown[0]!.url, `${origin}/integrations/outgoing-webhooks/w`)
    }
  })

  test('a message names the people and amounts of its event', () => {
    const { leadName, partnerName } = eventExamples['sale.created']
    const { content } = JSON.parse(messageIn('discord', 'sale.created', eventExamples['sale.created']))
    assert.equal(
      content,
      [
        '**A sale was recorded.**',
        `Amount\\: $499\\.00 · Customer\\: ${leadName} · Partner\\: ${partnerName} · Status\\: completed`,
        `[Open in Tributary](<${origin}/leads/${eventExamples['sale.created'].leadId}>)`,
      ].join('\n'),
    )
  })
})

describe('deliveries', async () => {
  const app = await startApp({
    config: { allowPrivateWebhookTargets: true, logLevel: 'silent' as const },
    worker: true,
  })

  async function aWebhook(format: string, url: string, events = ['lead.created', 'sale.created']) {
    const account = await anAccount(app)
    const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
    const { body } = expectOk(
      await call('POST', `/accounts/${account.id}/outgoing-webhooks`, { name: 'Us', url, format, events }),
    )
    assert.equal(body.format, format)
    const path = `/outgoing-webhooks/${body.id}`
    const deliveries = async (query = '') => expectOk(await call('GET', `${path}/deliveries${query}`)).body.items
    const delivered = (count: number) =>
      waitUntil(async () => {
        const items = await deliveries('?state=delivered')
        return items.length === count && items
      })
    const addLead = async (more: object = {}) =>
      expectOk(await call('POST', `/accounts/${account.id}/leads`, { email: anEmail('lead'), ...more })).body
    return { account, call, path, deliveries, delivered, addLead, secret: body.secret as string }
  }

  for (const service of services)
    test(`${service} gets a test and a sale as messages, signed, and the log shows what was sent`, async () => {
      const channel = await aChannel(service)
      const { account, call, path, delivered, addLead, secret } = await aWebhook(service, channel.url)
      expectOk(await call('POST', `${path}/test`))
      await delivered(1)
      assert.match(channel.shown[0]!.text, /Test: this webhook works\./)
      assert.equal(channel.shown[0]!.url, `${app.services.config.appUrl}/integrations${path}`)
      const partner = await aPartner(app, account, { firstName: 'Kim', lastName: 'Leaf' })
      const lead = await addLead({ firstName: 'Lena', lastName: '<Park>', partnerId: partner.id })
      expectOk(await call('POST', `/leads/${lead.id}/sales`, { amount: 125_50 }))
      const [sale] = await delivered(3)
      assert.match(channel.shown[2]!.text, /Amount: \$125\.50.*Lena <Park>.*Kim Leaf/s)
      assert.equal(channel.shown[2]!.url, `${app.services.config.appUrl}/leads/${lead.id}`)
      const { raw, headers } = channel.calls.at(-1)!
      assert.equal(sale.requestBody, raw)
      assert.ok(new Webhook(secret).verify(raw, headers as Record<string, string>))
    })

  test('a channel gets no more than it takes: the rest waits as long as it asks, and nothing is turned off', async () => {
    const channel = await aChannel('discord', { atMost: 4, perMs: 800 })
    const { delivered, addLead, call, path } = await aWebhook('discord', channel.url, ['lead.created'])
    await Promise.all(Array.from({ length: 16 }, () => addLead()))
    await delivered(16)
    assert.equal(channel.shown.length, 16)
    const refused = channel.calls.filter(({ answered }) => answered === 429).length
    assert.ok(refused > 0 && refused < 12, `${refused} of ${channel.calls.length}`)
    assert.equal(expectOk(await call('GET', path)).body.enabled, true)
  })

  test('a body of the wrong kind is refused by the service, and resent once the format is chosen', async () => {
    const channel = await aChannel('slack')
    const { call, path, deliveries, delivered, addLead } = await aWebhook('json', channel.url, ['lead.created'])
    await addLead()
    const [refused] = await waitUntil(async () => {
      const items = await deliveries('?state=retrying')
      return items.length === 1 && items
    })
    assert.deepEqual([refused.code, refused.responseBody], [400, 'no_text'])
    assert.equal(expectOk(await call('PUT', path, { format: 'slack' })).body.format, 'slack')
    expectOk(await call('POST', `${path}/deliveries/${refused.id}/retries`))
    await delivered(1)
    assert.match(channel.shown[0]!.text, /A lead was created\./)
    const wrong = await call('PUT', path, { format: 'irc' })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.error.fields)], [422, ['format']])
  })
})
