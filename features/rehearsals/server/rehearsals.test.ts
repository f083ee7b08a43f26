import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { transaction } from '#server/platform/database/pool.ts'
import { fakeReceiver, signatureHolds } from '#test/fakes/receiver.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount, waitUntil } from '#test/support/app.ts'
import { aBlueprint } from '#test/support/links.ts'
import { aConnection, startWithStripe } from '#test/support/payment-providers.ts'
import type { Rehearsal, RehearsalStep } from '../contract.ts'
import { deleteOldRehearsals } from './queries.ts'
import { runRehearsal } from './run-rehearsal.ts'
import { getRehearsal } from './start-rehearsal.ts'

const { app, stripe } = await startWithStripe({ config: { allowPrivateWebhookTargets: true } })
const { db } = app.services

/** The destination of the links; `/gone` does not exist and `/moved` drops the code. */
const site = createServer(({ url = '' }, response) => {
  const status = url.startsWith('/gone') ? 404 : url.startsWith('/moved') ? 301 : 200
  response.writeHead(status, status === 301 ? { location: '/' } : {}).end()
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
after(() => site.close())
const page = (path = '/') => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`

const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const embedConfig = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))

const callsOf = (account: TestAccount) => (method: string, path: string, body?: unknown) =>
  app.api(method, path, { token: account.token, body })

async function begin(account: TestAccount, body: object = {}) {
  const { id } = expectOk(await callsOf(account)('POST', `/accounts/${account.id}/rehearsals`, body)).body
  return id as string
}

const read = async (account: TestAccount, id: string): Promise<Rehearsal> =>
  expectOk(await callsOf(account)('GET', `/accounts/${account.id}/rehearsals/${id}`)).body

async function play(account: TestAccount, body: object = {}) {
  const id = await begin(account, body)
  await runRehearsal(app.services, { rehearsalId: id })
  return outcomeOf(await read(account, id))
}

function outcomeOf(rehearsal: Rehearsal) {
  const of = Object.fromEntries(rehearsal.steps.map((step) => [step.step, step])) as Record<
    RehearsalStep,
    Rehearsal['steps'][number]
  >
  return { ...rehearsal, of, states: rehearsal.steps.map(({ state }) => state) }
}

/** Returns a digest of every table except rehearsals, and the sessions and keys that calls leave behind. */
async function digest() {
  const tables = await db.many<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'
      and tablename not in ('rehearsals', 'sessions', 'idempotency_keys') order by 1`
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await db.pool.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as it from "${name}" t`,
    )
    found[name] = rows[0].it
  }
  return found
}

async function aWholeSetUp(rates = [20, 5]) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: rates } })
  const owner = callsOf(account)
  const parent = await aPartner(app, account, { firstName: 'Max', lastName: 'Parent' })
  const { body: partner } = expectOk(
    await owner('POST', `/partners/${parent.id}/partners`, {
      firstName: 'Jane',
      lastName: 'Doe',
      email: 'j@doe.example',
    }),
  )
  const link = await aBlueprint(app, account, { name: 'Pricing', destinationUrl: page('/pricing') })
  expectOk(await owner('PUT', `/accounts/${account.id}/embed-code`, { config: embedConfig, domains: [] }))
  await aConnection(app, account, stripe)
  return { account, owner, parent, partner, link }
}

async function aWebhook(account: TestAccount, script: number[] = [200], events = ['*']) {
  const receiver = await fakeReceiver(script)
  after(() => receiver.close())
  const body = { name: 'CRM', url: receiver.url, events }
  const { body: webhook } = expectOk(await callsOf(account)('POST', `/accounts/${account.id}/outgoing-webhooks`, body))
  return { receiver, webhook }
}

test('a whole set-up is played through its real endpoints, and afterwards no row of the account has changed', async () => {
  const { account, partner } = await aWholeSetUp()
  const { receiver, webhook } = await aWebhook(account)
  const before = await digest()
  const played = await play(account, { partnerId: partner.id, amount: 200_00 })
  assert.deepEqual(await digest(), before)
  assert.deepEqual(played.states, Array(7).fill('done'), JSON.stringify(played.steps, null, 1))
  assert.equal(played.state, 'passed')
  const { of } = played
  assert.match(of.click.detail!, /^“Pricing” redirected to 127\.0\.0\.1:\d+ and counted the click for Jane Doe\.$/)
  assert.match(of.lead.detail!, /embed code accepted a form and credited it to Jane Doe/)
  assert.equal(of.sale.detail, 'A $200.00 payment from Stripe was recorded and credited to Jane Doe.')
  assert.match(of.commission.detail!, /^Earned: Jane Doe \$40\.00 \(20%\), Max Parent \$10\.00 \(5%\), payable from /)
  assert.equal(of.webhook.detail, 'A test event was sent to “CRM”.')

  const [delivery] = receiver.deliveries
  assert.equal(receiver.deliveries.length, 1)
  const event = JSON.parse(delivery!.raw)
  assert.ok(signatureHolds(delivery!, webhook.secret, app.clock.now()))
  assert.equal(event.type, 'webhook.test')
  const { rehearsed, webhookId } = event.data.object
  assert.deepEqual([webhookId, rehearsed.type], [webhook.id, 'sale.created'])
  assert.deepEqual(
    [rehearsed.object.amount, rehearsed.object.partnerId, rehearsed.object.commissions.length],
    [200_00, partner.id, 2],
  )
})

test('with only a link it uses a sample partner, and lists what real sales would lack', async () => {
  const account = await anAccount(app)
  await aBlueprint(app, account, { destinationUrl: page() })
  const before = await digest()
  const { of, states, state } = await play(account)
  assert.deepEqual(await digest(), before)
  assert.equal(state, 'passed')
  assert.deepEqual(states, ['done', 'warning', 'warning', 'warning', 'done', 'skipped', 'done'])
  assert.match(of.click.detail!, /for a sample partner\.$/)
  assert.deepEqual(
    [of.lead.fix, of.sale.fix, of.commission.fix, of.commission.detail],
    ['embed-code', 'payment-providers', 'commission', 'No one earned anything: the rates add up to 0%.'],
  )
  assert.match(of.sale.detail!, /\$100\.00 sale was entered manually/)
  assert.equal(of.webhook.detail, 'No outgoing webhook is subscribed to sales or leads.')
})

test('systems that push are played through the push endpoint', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aPartner(app, account)
  await aBlueprint(app, account, { destinationUrl: page() })
  expectOk(await callsOf(account)('PUT', `/accounts/${account.id}/api-key`))
  const before = await digest()
  const { of, states } = await play(account)
  assert.deepEqual(await digest(), before)
  assert.deepEqual(states.slice(0, 5), Array(5).fill('done'))
  assert.equal(of.sale.detail, `A pushed sale of $100.00 was recorded and credited to ${partner.displayName}.`)
})

test('it says where it stopped, and after that runs only the clean-up', async () => {
  const account = await anAccount(app)
  const owner = callsOf(account)
  const stops = async (body: object = {}) => {
    const before = await digest()
    const { steps, state } = await play(account, body)
    assert.deepEqual(await digest(), before)
    assert.equal(state, 'failed')
    const at = steps.findIndex((step) => step.state === 'failed')
    const after = steps.slice(at + 1)
    assert.ok(after.every((step) => step.state === 'skipped' || (step.step === 'clean-up' && step.state === 'done')))
    return [steps[at]!.step, steps[at]!.fix, steps[at]!.detail] as const
  }
  assert.deepEqual(await stops(), ['click', 'links', 'No links are enabled. Add one or enable one.'])

  const link = await aBlueprint(app, account, { name: 'Line\nbreak 🦦', destinationUrl: page() })
  const partner = await aPartner(app, account, { firstName: 'Zoë', lastName: 'O’Neil 🪁' })
  expectOk(await owner('PUT', `/link-blueprints/${link.id}`, { enabled: false }))
  const [step, fix, detail] = await stops({ blueprintId: link.id })
  assert.deepEqual([step, fix], ['click', 'links'])
  assert.match(detail!, /is disabled, so clicks aren’t counted/)
  expectOk(await owner('PUT', `/link-blueprints/${link.id}`, { enabled: true }))

  expectOk(await owner('PUT', `/partners/${partner.id}`, { state: 'suspended', reason: 'Review' }))
  assert.deepEqual(await stops({ partnerId: partner.id }), [
    'click',
    'partners',
    'Zoë O’Neil 🪁 is suspended or archived, so clicks on their links aren’t counted.',
  ])

  const path = `/accounts/${account.id}/embed-code`
  expectOk(await owner('PUT', path, { config: embedConfig, domains: ['shop.example.com'] }))
  const refused = await stops()
  assert.deepEqual(refused.slice(0, 2), ['lead', 'embed-code'])
  assert.match(refused[2]!, /goes to 127\.0\.0\.1:\d+, but the embed code only accepts leads from shop\.example\.com\./)
})

test('a missing page, or one that loses the code, is a warning beside a click that counts', async () => {
  const account = await anAccount(app)
  const gone = await aBlueprint(app, account, { destinationUrl: page('/gone') })
  const moved = await aBlueprint(app, account, { destinationUrl: page('/moved'), parameterName: 'via' })
  const first = await play(account, { blueprintId: gone.id })
  assert.deepEqual([first.of.click.state, first.of.click.fix], ['warning', 'links'])
  assert.match(first.of.click.detail!, /But 127\.0\.0\.1:\d+ returned 404\.$/)
  const second = await play(account, { blueprintId: moved.id })
  assert.match(second.of.click.detail!, /But 127\.0\.0\.1:\d+ redirects without “via”\.$/)
})

test('a failing webhook is named with its response, and the failure does not count against it', async () => {
  const { account } = await aWholeSetUp()
  const { receiver } = await aWebhook(account, [500])
  const wanting = await aWebhook(account, [200], ['lead.created'])
  const idle = await aWebhook(account, [200], ['payout.paid'])
  const before = await digest()
  const { of, state } = await play(account)
  assert.deepEqual(await digest(), before)
  assert.deepEqual([state, of.webhook.state, of.webhook.fix], ['failed', 'failed', 'outgoing-webhooks'])
  assert.equal(of.webhook.detail, '“CRM” returned 500.')
  assert.equal(of['clean-up'].state, 'done')
  assert.equal(receiver.deliveries.length, 1)
  assert.equal(JSON.parse(wanting.receiver.deliveries[0]!.raw).data.object.rehearsed.type, 'lead.created')
  assert.equal(idle.receiver.deliveries.length, 0)
  await receiver.close()
  assert.match((await play(account)).of.webhook.detail!, /^“CRM” couldn’t be reached: /)
})

test('two concurrent rehearsals do not disturb each other', async () => {
  const { account } = await aWholeSetUp()
  const before = await digest()
  const ids = [await begin(account), await begin(account)]
  await Promise.all([...ids, ...ids].map((rehearsalId) => runRehearsal(app.services, { rehearsalId })))
  assert.deepEqual(await digest(), before)
  for (const id of ids) assert.equal((await read(account, id)).state, 'passed')
})

test('killed midway, it leaves nothing and is played again from the beginning', async () => {
  const { account } = await aWholeSetUp()
  const before = await digest()
  const id = await begin(account)
  const held = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  // a concurrent sale, not committed yet
  const holder = transaction(db, async (tx) => {
    await tx.run`select from total_stats where account_id = ${account.id} for update`
    isHeld.resolve()
    await held.promise
  })
  await isHeld.promise
  const running = runRehearsal(app.services, { rehearsalId: id })
  const killed = assert.rejects(running)
  await waitUntil(async () => {
    const waiting = await db.many<{ ended: boolean }>`
      select pg_terminate_backend(pid) as ended from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'`
    return waiting.length > 0
  })
  await killed
  held.resolve()
  await holder
  assert.equal((await read(account, id)).state, 'running')
  assert.deepEqual(await digest(), before)
  await runRehearsal(app.services, { rehearsalId: id })
  assert.equal((await read(account, id)).state, 'passed')
  assert.deepEqual(await digest(), before)
})

test('it gives up, with the reason, before real sales would wait long', async () => {
  const { account } = await aWholeSetUp()
  const id = await begin(account)
  await transaction(db, async (tx) => {
    await tx.run`select from total_stats where account_id = ${account.id} for update`
    await runRehearsal(app.services, { rehearsalId: id })
  })
  const { of, state } = outcomeOf(await read(account, id))
  assert.equal(state, 'failed')
  assert.equal(of.click.detail, 'The account was busy with other sales. Play it through again.')
})

test('a disabled account plays nothing, and no one else reads its results', async () => {
  const account = await anAccount(app)
  await aBlueprint(app, account, { destinationUrl: page() })
  const id = await begin(account)
  const stranger = await anAccount(app)
  const paths = [`/accounts/${stranger.id}/rehearsals/${id}`, `/accounts/${account.id}/rehearsals/${id}`]
  for (const path of [...paths, `/accounts/${stranger.id}/rehearsals/nonsense`])
    assert.equal((await app.api('GET', path, { token: stranger.token })).status, 404, path)
  expectOk(await app.api('POST', `/accounts/${account.id}/disable`, { token: account.admin, body: {} }))
  await runRehearsal(app.services, { rehearsalId: id })
  expectOk(await app.api('POST', `/accounts/${account.id}/enable`, { token: account.admin, body: {} }))
  const { of, states } = outcomeOf(await read(account, id))
  assert.equal(of.click.detail, 'This account is disabled.')
  assert.deepEqual(states.slice(1), Array(6).fill('skipped'))
})

test('an object of another account is refused at its field', async () => {
  const account = await anAccount(app)
  const stranger = await anAccount(app)
  const foreign = await aPartner(app, stranger)
  const link = await aBlueprint(app, stranger)
  const cases: [object, string][] = [
    [{ partnerId: foreign.id }, 'partnerId'],
    [{ partnerId: 'nobody' }, 'partnerId'],
    [{ partnerId: 'a\0b' }, 'partnerId'],
    [{ blueprintId: link.id }, 'blueprintId'],
    [{ blueprintId: '\u{1F4A5}' }, 'blueprintId'],
    [{ amount: 0 }, 'amount'],
    [{ amount: 1e13 }, 'amount'],
    [{ amount: '100' }, 'amount'],
    [{ sale: 1 }, 'sale'],
  ]
  for (const [body, field] of cases) {
    const answer = await callsOf(account)('POST', `/accounts/${account.id}/rehearsals`, body)
    assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [422, [field]], JSON.stringify(body))
  }
})

test('the last few are kept for a day, and an unfinished one says so', async (t) => {
  t.after(() => app.clock.set(new Date()))
  const account = await anAccount(app)
  const ids: string[] = []
  for (let times = 0; times < 7; times++) ids.push(await begin(account))
  const kept = await db.many<{ id: string }>`select id from rehearsals where account_id = ${account.id} order by id`
  assert.deepEqual(
    kept.map(({ id }) => id),
    ids.slice(2),
  )
  app.clock.advance(4 * 60_000)
  const { id } = kept[0]!
  // asked directly: the sessions of the API have their own times
  const late = outcomeOf(await getRehearsal(db, account.id, id))
  assert.deepEqual([late.state, late.of.click.state, late.of.lead.state], ['failed', 'failed', 'skipped'])
  assert.match(late.of.click.detail!, /interrupted/)
  app.clock.advance(86_400_000)
  await deleteOldRehearsals(db)
  assert.equal(await db.maybe`select from rehearsals where account_id = ${account.id}`, undefined)
})

test('the worker plays it', async () => {
  const working = await startApp({ worker: true, config: { allowPrivateWebhookTargets: true } })
  const account = await anAccount(working)
  await aBlueprint(working, account, { destinationUrl: page() })
  const { token } = account
  const path = `/accounts/${account.id}/rehearsals`
  const begun = await working.api('POST', path, { token, body: {} })
  assert.deepEqual([begun.status, begun.body.state], [202, 'running'])
  await waitUntil(async () => {
    const { body } = expectOk(await working.api('GET', `${path}/${begun.body.id}`, { token }))
    return body.state === 'passed'
  })
})
