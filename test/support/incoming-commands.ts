import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import type { ListQuery } from '#contract/values.ts'
import { buildApp } from '../../server/app.ts'
import { replayAllFailed, replayDelivery } from '../../server/integrations/incoming-webhooks/deliveries.ts'
import { processDelivery, rehearsePayload } from '../../server/integrations/incoming-webhooks/process.ts'
import { incomingWebhookById } from '../../server/integrations/incoming-webhooks/queries.ts'
import {
  changeIncomingWebhook,
  createIncomingWebhook,
  deleteIncomingWebhook,
  listIncomingWebhooks,
  rotateUrl,
} from '../../server/integrations/incoming-webhooks/webhooks.ts'
import { type Database, isDatabaseAway, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { createQueues } from '../../server/platform/jobs/queue.ts'
import { RowNotThere } from '../../server/platform/jobs/worker.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import type { Services } from '../../server/platform/services.ts'
import { switchAccount } from '../../server/program/accounts/accounts.ts'
import { deleteLead } from '../../server/program/leads/delete-lead.ts'
import { archivePartner } from '../../server/program/partners/archive-partner.ts'
import { changePartner } from '../../server/program/partners/change-partner.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { queues } from '../../server/queues.ts'
import { retention } from '../../server/retention.ts'
import * as model from './incoming-model.ts'
import { aLedger, atTime, type Ledger, ledgerServices, ownerAuthor } from './ledger.ts'
import { type ModelTest, type Random, randomFrom } from './model-test.ts'

const DAY_MS = 86_400_000
const STARTS_AT = Date.parse('2026-03-02T10:00:00Z')
const SECRET = 'of both'
const HEADER = 'x-signature'

type World = model.World

/** An action in the product and, with its result, in the model. `twin`: the same action by another caller. */
type Action = {
  name: string
  run(): Promise<unknown>
  told(world: World, answer: never): void
  twin?(): Action
}

type Life = {
  services: Services
  app: FastifyInstance
  random: Random
  time: { now: number }
  ledgers: Ledger[]
  world: World
  /** Payloads sent so far, to be sent again. */
  history: Sending[]
  /** Every delivery that ever existed. */
  known: Set<string>
  sent: number
  diary: string[]
}

/**
 * Lives of incoming webhooks: senders send new and repeated payloads, in any form, while owners change mappings, proofs
 * and addresses and turn webhooks, partners and the account off, replay failed deliveries and delete leads; workers
 * die, wait for locks and work at once. Concurrent actions must have the result of one of their two orders.
 */
export const incomingLives: ModelTest = {
  async begin(db: Database) {
    const bare = ledgerServices(db)
    const services = { ...bare, config: { ...bare.config, rateLimitFactor: 0 } }
    const { jobs, outbound } = services
    await createQueues(await jobs.boss(), queues)
    const app = await buildApp(services)
    await app.ready()
    return {
      live: (seed: number) => liveBy(seed, services, app),
      async end() {
        await app.close()
        await jobs.stop({ graceful: false })
        await outbound.close()
      },
    }
  },
}

/** Throws with the seed, the steps so far and the fault. */
async function liveBy(seed: number, services: Services, app: FastifyInstance) {
  const diary: string[] = []
  const time = { now: STARTS_AT }
  try {
    await atTime(time, async () => {
      const life = await begin({ services, app, random: randomFrom(seed), time, diary })
      for (let step = life.random.between(20, 35); step > 0; step--) await oneStep(life)
      await endWell(life)
    })
  } catch (error) {
    const { message, stack } = error as Error
    throw new Error(`incoming, seed ${seed}: ${message}\n${diary.join('\n')}\n${stack}`)
  }
}

async function begin(given: Pick<Life, 'services' | 'app' | 'random' | 'time' | 'diary'>): Promise<Life> {
  const { services, time, random } = given
  const { db } = services
  const ledgers = [await anAccount(services), await anAccount(services)]
  const partners = await db.many<model.Partner>`
    select id, account_id, referral_code as code, email, state from partners
    where account_id = any(${ledgers.map(({ account }) => account.id)}::uuid[]) order by id`
  const world: World = {
    now: time.now,
    accounts: Object.fromEntries(ledgers.map(({ account }) => [account.id, { disabledAt: null }])),
    partners,
    ...{ hooks: [], deliveries: [], leads: [], sales: [], refunds: [] },
  }
  const life = { ...given, ledgers, world, history: [], known: new Set<string>(), sent: 0 }
  for (const target of random.shuffled([...model.targets, 'lead', 'sale'] as const))
    await doIt(life, [addHook(life, target)])
  return life
}

/** Two partners and their codes; leads are protected without end, so that only the webhooks' own clock matters. */
async function anAccount(services: Services) {
  const ledger = await aLedger(services, { rates: ['20'], partners: [{}, {}], selfReferralPolicy: 'allow' })
  const { id } = ledger.account
  const { db } = services
  await db.run`update accounts set lead_protection_days = 0 where id = ${id}`
  await db.run`
    insert into referral_codes (account_id, code, partner_id, created_at)
    select account_id, referral_code, id, created_at from partners where account_id = ${id}`
  return ledger
}

async function oneStep(life: Life) {
  const { random } = life
  for (const often of [send, send, workSome, workSome]) {
    passes(life, random.between(1, 3000))
    const action = random.chance(50) ? often(life) : undefined
    if (action) await doIt(life, [action])
  }
  const first = random.pick(acts)(life)
  if (!first) return
  const concurrent = random.chance(40) ? random.pick(acts)(life) : undefined
  const second = random.chance(30) && first.twin ? first.twin() : concurrent
  await doIt(life, second ? [first, second] : [first])
}

const passes = ({ time, world }: Life, ms: number) => {
  time.now += ms
  world.now = time.now
}

/** Runs these actions at once, and finds the order that leads to the present state. */
async function doIt(life: Life, actions: Action[]) {
  life.diary.push(actions.map(({ name }) => name).join('  ||  '))
  const answers = await Promise.all(actions.map((action) => action.run()))
  const found = await present(life)
  const steps = actions.map((action, place) => (world: World) => action.told(world, answers[place] as never))
  let wrong: unknown
  for (const order of [steps, steps.toReversed()]) {
    const world = structuredClone(life.world)
    world.now = life.time.now
    try {
      for (const tell of order) tell(world)
      assert.deepEqual(found, expected(world))
      life.world = world
      return
    } catch (error) {
      wrong ??= error
    }
  }
  throw wrong
}

/** Works off everything that waits. */
async function endWell(life: Life) {
  for (let look = 0; ; look++) {
    const [job] = await jobsOf(life)
    if (!job) break
    assert.ok(look < 300, 'the queue never empties')
    await doIt(life, [work(life, job, 'well')])
  }
  const left = life.world.deliveries.filter(({ state }) => state === 'received')
  assert.deepEqual(left, [], 'deliveries are left over')
  assert.deepEqual(await verifyLedger(life.services.db), [])
}

// --- payloads

type Sending = { content: model.Content | null; form: Form; body: string; type: string }
const forms = ['json', 'json', 'form', 'parts'] as const
type Form = (typeof forms)[number]

/** Path of a content's value in the payload. */
const placeOf = (name: string) => (name === 'email' || name === 'first' ? ['contact', name] : [name])

function nested(content: model.Content) {
  const contact: Record<string, string> = {}
  const root: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(content))
    if (placeOf(name).length > 1) contact[name] = value
    else root[name] = value
  return Object.keys(contact).length > 0 ? { ...root, contact } : root
}

function encoded(content: model.Content, form: Form): Sending {
  const given = { content, form }
  if (form === 'json') return { ...given, body: JSON.stringify(nested(content)), type: 'application/json' }
  const entries = Object.entries(content).map(([name, value]) => {
    const [first, ...rest] = placeOf(name)
    return [`${first}${rest.map((key) => `[${key}]`).join('')}`, value] as const
  })
  if (form === 'form')
    return {
      ...given,
      body: new URLSearchParams(entries.map((entry) => [...entry])).toString(),
      type: 'application/x-www-form-urlencoded',
    }
  const parts = entries.map(
    ([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return { ...given, body: `${parts.join('')}--edge--\r\n`, type: 'multipart/form-data; boundary=edge' }
}

const maybeValue = (random: Random, name: string, values: readonly string[], percent = 90) =>
  random.chance(percent) ? { [name]: random.pick(values) } : {}

/** A random content as the sender of this webhook may send it: mostly it names partners by the webhook's match rule. */
function aContent(life: Life, { accountId, match }: model.Hook): model.Content {
  const { random, world } = life
  const { code, email, id } = random.pick(world.partners.filter((one) => one.accountId === accountId))
  const named = { referralCode: code.toUpperCase(), email, id }
  return {
    ...maybeValue(random, 'id', ['crm-1', 'crm-2', 'crm-3', 'crm-ä😀', 'crm\u0000'], 60),
    ...maybeValue(
      random,
      'email',
      ['lena@mail.example', 'Max@Mail.example', 'lena@mail.example', 'Max@Mail.example', 'no e-mail'],
      90,
    ),
    ...maybeValue(random, 'first', [' Lena ', 'Zoë\nLee', '😀']),
    ...maybeValue(
      random,
      'ref',
      random.chance(70) ? [named[match?.by ?? 'id']] : [code, email, id, 'nobody', `${code}\u0000`],
      80,
    ),
    ...maybeValue(random, 'event', ['created', 'created', 'created', 'deleted']),
    ...maybeValue(random, 'order', ['order-1', 'order-2', 'order-3'], 95),
    ...maybeValue(
      random,
      'total',
      ['40', '40', ...Object.keys(model.amounts).map((text) => text.replaceAll('\ufffd', '\0'))],
      95,
    ),
    ...maybeValue(random, 'refund', ['refund-1', 'refund-2', 'refund-3'], 95),
    ...maybeValue(random, 'stage', ['Qualified', 'lost', 'rejected', 'new', 'won', 'elsewhere']),
    ...maybeValue(random, 'why', ['not-a-fit', 'not-a-fit', 'because', '\u0000']),
    ...maybeValue(random, 'password', ['hunter2'], 20),
    ...maybeValue(random, 'n', [String(++life.sent)], 60),
  }
}

function aSending(life: Life, hook: model.Hook): Sending {
  const { random, history } = life
  if (random.chance(4)) return { content: null, form: 'json', body: '{"a": ', type: 'application/json' }
  const before = random.chance(35) && history.length > 0 ? random.pick(history) : undefined
  if (before?.content && random.chance(50)) return encoded(before.content, random.pick(forms))
  const sending = before ?? encoded(aContent(life, hook), random.pick(forms))
  history.push(sending)
  return sending
}

function send(life: Life): Action | undefined {
  const { random, world } = life
  if (world.hooks.length === 0) return
  const hook = random.pick([
    ...world.hooks,
    ...world.hooks.filter(({ target }) => target === 'lead' || target === 'sale'),
  ])
  const sending = aSending(life, hook)
  const to = { ...random.pick(hook.tokens), name: `${hook.target} ${shortly(hook.id)}` }
  const secret = random.chance(94) ? SECRET : 'of nobody'
  const type = random.chance(80) || sending.form === 'parts' ? sending.type : 'text/plain'
  return sendTo(life, to, { ...sending, type, secret })
}

function sendTo(life: Life, to: { token: string; name: string }, sending: Sending & { secret: string }): Action {
  const { form, content, body, type, secret } = sending
  return {
    name: `${form} ${JSON.stringify(content)} to ${to.name}`,
    async run() {
      const reply = await life.app.inject({
        method: 'POST',
        url: `/hooks/in/${to.token}`,
        headers: { 'content-type': type, [HEADER]: createHmac('sha256', secret).update(body).digest('hex') },
        payload: Buffer.from(body),
      })
      assert.ok(reply.statusCode < 500, `${reply.statusCode} ${reply.body}`)
      const { deliveryId = null } = reply.json()
      if (deliveryId) life.known.add(deliveryId)
      life.diary.push(`  ${reply.statusCode} ${shortly(deliveryId)}`)
      return { status: reply.statusCode, deliveryId }
    },
    told: (world, answer: model.Answer) =>
      model.receiveDelivery(world, { token: to.token, content, body, secret }, answer),
    twin: () => sendTo(life, to, sending),
  }
}

const onHook =
  (act: (life: Life, hook: model.Hook) => Action | undefined) =>
  (life: Life): Action | undefined =>
    life.world.hooks.length > 0 ? act(life, life.random.pick(life.world.hooks)) : undefined

const pings = [
  { method: 'GET', payload: '' },
  { method: 'HEAD', payload: '' },
  { method: 'POST', payload: '' },
  { method: 'POST', payload: 'webhook_id=142' },
  { method: 'POST', payload: '{"challenge": "3eZbrw1a"}' },
] as const

const ping = onHook((life, hook) => {
  const { token } = life.random.pick(hook.tokens)
  const chosenPing = life.random.pick(pings)
  return {
    name: `${chosenPing.method} ${chosenPing.payload} tests ${shortly(hook.id)}`,
    async run() {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const reply = await life.app.inject({
        ...chosenPing,
        url: `/hooks/in/${token}`,
        ...(chosenPing.payload && { headers }),
      })
      return reply.statusCode
    },
    told: (world, status: number) => model.pingHook(world, token, status),
  }
})

const shortly = (id: string | null) => id?.slice(-4) ?? '-'

// --- work of the workers

type Job = { id: string; deliveryId: string }

const jobsOf = ({ services, known }: Pick<Life, 'services' | 'known'>) => services.db.many<Job>`
  select id, data->>'deliveryId' as delivery_id from pgboss.job
  where name = 'incoming-delivery' and state in ('created', 'retry') and data->>'deliveryId' = any(${[...known]})
  order by id`

const ways = [
  'well',
  'well',
  'well',
  'well',
  'well',
  'dies before',
  'dies after',
  'waits',
  'waits',
  'waits in vain',
] as const
type CommandKind = (typeof ways)[number]

/** Works on the oldest waiting delivery or any other; sometimes on one that is already done. */
function workSome(life: Life): Action | undefined {
  const { random, world } = life
  const waiting = world.deliveries.filter(({ id, state }) => id !== null && state === 'received')
  const any = world.deliveries.filter(({ id }) => id !== null)
  const [delivery] = random.shuffled(waiting.length > 0 && random.chance(90) ? waiting : any)
  return delivery && work(life, { deliveryId: delivery.id! }, random.pick(ways))
}

/** A worker processing a job: it finishes, or the job has to be repeated. */
function work(life: Life, { deliveryId }: Pick<Job, 'deliveryId'>, way: CommandKind): Action {
  const { services, diary, random } = life
  const { db } = services
  const held = way === 'waits' || way === 'waits in vain' ? aLock(life) : null
  const done = async () => {
    const made = await transaction(
      db,
      async (tx) => {
        await processDelivery({ db: tx as never }, { deliveryId }).catch((error) => {
          if (!(error instanceof RowNotThere)) throw error
        })
        const row = await tx.maybe<model.Made>`
          select d.made_id as id, s.lead_id from incoming_deliveries d left join sales s on s.id = d.made_id
          where d.id = ${deliveryId}`
        if (way === 'dies before') await tx.run`select pg_terminate_backend(pg_backend_pid())`
        return row ?? { id: null, leadId: null }
      },
      { lockTimeoutMs: 40 },
    ).catch(unlessHeld)
    if (made && way !== 'dies after')
      await db.run`delete from pgboss.job where name = 'incoming-delivery' and data->>'deliveryId' = ${deliveryId}`
    diary.push(`  ${shortly(deliveryId)} ${made ? `made ${shortly(made.id)}` : 'is to be tried again'}`)
    return made
  }
  const name = `worker on ${shortly(deliveryId)}, ${way}${held ? ` for ${held.what}` : ''}`
  const letGoMs = way === 'waits' ? random.below(15) : 80
  return {
    name,
    run: () => (held ? holding(db.url, held, letGoMs, done) : done()),
    told: (world, made: model.Made | null) => made && model.processDelivery(world, deliveryId, made),
    twin: () => work(life, { deliveryId }, 'well'),
  }
}

function unlessHeld(error: Error & { code?: string }) {
  if (isDatabaseAway(error) || ['55P03', '40P01', '57014'].includes(error.code ?? '')) return null
  throw error
}

type Lock = { what: string; statement: string; id: string }

function aLock({ random, world, ledgers }: Life): Lock {
  const [lead] = random.shuffled(world.leads)
  const [sale] = random.shuffled(world.sales)
  const account = random.pick(ledgers).account.id
  return random.pick([
    { what: 'the account', statement: 'select from accounts where id = $1 for update', id: account },
    { what: 'a lead', statement: 'select from leads where id = $1 for update', id: lead?.id ?? account },
    { what: 'a sale', statement: 'select from sales where id = $1 for update', id: sale?.id ?? account },
  ])
}

async function holding<T>(url: string, { statement, id }: Lock, ms: number, work: () => Promise<T>): Promise<T> {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('begin')
  await other.query(statement, [id])
  const letGo = new Promise((resolve) => setTimeout(resolve, ms)).then(() => other.end())
  const [result] = await Promise.all([work(), letGo])
  return result
}

// --- actions of owners

/** Returns the call's result; null if it is refused. */
const inTransaction = <T>({ services: { db } }: Life, work: (tx: Transaction) => Promise<T>): Promise<T | null> =>
  transaction(db, work).catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })

const ledgerOf = ({ ledgers }: Life, accountId: string) => ledgers.find(({ account }) => account.id === accountId)!

const optional = (random: Random, readings: model.Reading[], percent: number) =>
  random.chance(percent) ? readings : []

function someReadings(random: Random, target: model.Target): model.Reading[] {
  if (random.chance(5)) return []
  const read = (field: string, from: string, transform = 'none', fallback: string | null = null) => ({
    ...{ field, from: random.chance(97) ? from : 'nowhere', transform, fallback },
  })
  const id = read('leadExternalId', 'id')
  const email = read('email', 'email', random.pick(['lowercase', 'none']))
  const amount = read('amount', 'total', random.pick(['cents', 'cents', 'number']), random.pick([null, null, '40']))
  return {
    lead: () => [
      email,
      ...optional(random, [read('externalId', 'id')], 70),
      ...optional(random, [read('firstName', 'first', 'trim', random.pick([null, 'Friend']))], 60),
      ...optional(random, [read('company', 'first', 'constant', 'Acme')], 30),
    ],
    sale: () => [
      read('externalId', 'order'),
      ...optional(random, [email], 80),
      ...optional(random, [id], 50),
      amount,
      ...optional(random, [read('currency', 'first', 'constant', 'usd')], 50),
    ],
    refund: () => [read('externalId', 'refund'), read('saleExternalId', 'order'), ...optional(random, [amount], 60)],
    'lead-status': () => [
      ...optional(random, [id], 60),
      email,
      read('status', 'stage', random.pick(['trim', 'lowercase', 'none'])),
      read('reason', 'why'),
    ],
  }[target]()
}

const pathTo = (random: Random, name: string) =>
  random.chance(50) ? placeOf(name).join('.') : `/${placeOf(name).join('/')}`

/** Readings that produce a valid record from any payload. */
function sureReadings(target: model.Target): model.Reading[] {
  const read = (field: string, from: string, fallback: string, transform = 'none') => ({
    ...{ field, from, transform, fallback },
  })
  const email = read('email', 'nowhere', 'mended@mail.example')
  return {
    lead: [email, read('externalId', 'id', 'crm-mended')],
    sale: [email, read('externalId', 'order', 'order-mended'), read('amount', 'nowhere', '40', 'cents')],
    refund: [read('externalId', 'refund', 'refund-mended'), read('saleExternalId', 'order', 'order-mended')],
    'lead-status': [email, read('status', 'nowhere', 'qualified')],
  }[target]
}

const mappingOf = (random: Random, readings: model.Reading[]) =>
  readings.map(({ field, from, transform, fallback }) => ({
    ...{ field, path: pathTo(random, from), transform: transform as 'none', default: fallback },
  }))

const someMatch = (random: Random): model.Match =>
  random.pick([null, ...(['referralCode', 'referralCode', 'email', 'id'] as const).map((by) => ({ by, from: 'ref' }))])

/** One setting of a webhook, as sent to the API and as the model stores it. */
const pieces = [
  function mapping(random: Random, { target }: Pick<model.Hook, 'target'>) {
    const readings = someReadings(random, target)
    return { change: { mapping: mappingOf(random, readings) }, known: { readings } }
  },
  function match(random: Random) {
    const match = someMatch(random)
    return {
      change: { partnerMatch: match && { by: match.by, path: pathTo(random, match.from) } },
      known: { match },
    }
  },
  function filter(random: Random) {
    const path = pathTo(random, 'event')
    const filter = random.chance(30) ? { from: 'event', path, equals: 'created' } : null
    return { change: { filters: filter ? [{ path, equals: filter.equals }] : [] }, known: { filter } }
  },
  function dedupe(random: Random) {
    const dedupe = random.pick([null, 'id', 'n'])
    return { change: { dedupePath: dedupe && pathTo(random, dedupe) }, known: { dedupe } }
  },
  function proof(random: Random) {
    const secret = random.pick([null, SECRET])
    return { change: { auth: secret ? signed : open }, known: { secret } }
  },
  function enabled(random: Random) {
    const enabled = random.chance(85)
    return { change: { enabled }, known: { enabled } }
  },
] as const
const open = { type: 'url-secret' } as const
const signed = {
  type: 'header-hmac',
  header: HEADER,
  algorithm: 'sha256',
  encoding: 'hex',
  signed: 'body',
  key: 'text',
  secret: SECRET,
} as const

function addHook(life: Life, target: model.Target): Action {
  const { random, services, ledgers } = life
  const { account } = random.chance(85) ? ledgers[0]! : ledgers[1]!
  const accountId = account.id
  const all = pieces.map((piece) => piece(random, { target }))
  const known = Object.assign({}, ...all.map((piece) => piece.known)) as model.Hook
  const change = Object.assign({}, ...all.map((piece) => piece.change))
  return {
    name: `a webhook for ${target}: ${JSON.stringify(known)}`,
    run: () =>
      inTransaction(life, (tx) =>
        createIncomingWebhook(tx, services, ownerAuthor(ledgerOf(life, accountId)), accountId, {
          ...{ name: 'CRM', target, allowedIps: [] },
          ...change,
        }),
      ),
    told(world, { id, url }: { id: string; url: string }) {
      const tokens = [{ token: tokenIn(url), until: null }]
      world.hooks.push({ ...known, id, accountId, target, tokens, lastReceivedAt: null, lastPingAt: null })
    },
  }
}

const tokenIn = (url: string) => url.slice(url.lastIndexOf('/') + 1)

const hookIn = (world: World, { id }: model.Hook) => world.hooks.find((one) => one.id === id)

const change = onHook((life, hook) => {
  const { services, random } = life
  const piece = random.pick(pieces)
  const { change, known } = piece(random, hook)
  return {
    name: `${piece.name} of ${shortly(hook.id)}: ${JSON.stringify(known)}`,
    run: () =>
      inTransaction(life, (tx) =>
        changeIncomingWebhook(tx, services, ownerAuthor(ledgerOf(life, hook.accountId)), hook, change),
      ),
    told: (world) => Object.assign(hookIn(world, hook) ?? {}, known),
  }
})

const rotate = onHook((life, hook) => ({
  name: `another address for ${shortly(hook.id)}`,
  run: () =>
    inTransaction(life, (tx) => rotateUrl(tx, life.services, ownerAuthor(ledgerOf(life, hook.accountId)), hook)),
  told(world, made: { url: string } | null) {
    const its = hookIn(world, hook)
    if (!its) return assert.equal(made, null)
    const former = its.tokens.find(({ until }) => until === null)!
    its.tokens = [
      { token: tokenIn(made!.url), until: null },
      { ...former, until: world.now + DAY_MS },
    ]
  },
}))

const remove = onHook((life, hook) => {
  if (life.random.chance(75) || life.world.hooks.length < 3) return
  return {
    name: `${shortly(hook.id)} is deleted`,
    run: () =>
      inTransaction(life, (tx) => deleteIncomingWebhook(tx, ownerAuthor(ledgerOf(life, hook.accountId)), hook)),
    told: (world) => model.removeHook(world, hook.id),
  }
})

const replayOne = onHook((life, hook) => {
  const all = life.world.deliveries.filter(({ id, hookId }) => id && hookId === hook.id)
  const may = all.filter(({ state, content }) => content && (state === 'failed' || state === 'ignored'))
  const its = may.length > 0 && life.random.chance(85) ? may : all
  if (its.length === 0) return
  const { id } = life.random.pick(its)
  return {
    name: `replay ${shortly(id)}`,
    run: () =>
      inTransaction(life, (tx) =>
        replayDelivery(tx, life.services.jobs, ownerAuthor(ledgerOf(life, hook.accountId)), hook, id!),
      ),
    told: (world, answer: object | null) => model.replayDeliveries(world, hook.id, [id], answer ? 1 : null),
  }
})

const replayFailed = onHook((life, hook) => ({
  name: `replay what failed of ${shortly(hook.id)}`,
  run: () =>
    inTransaction(life, (tx) =>
      replayAllFailed(tx, life.services.jobs, ownerAuthor(ledgerOf(life, hook.accountId)), hook),
    ),
  told: (world, answer: { count: number } | null) =>
    model.replayDeliveries(world, hook.id, 'failed', answer?.count ?? null),
}))

/** Repairs a webhook as its owner would, and replays the failed deliveries. */
const mend = onHook((life, hook) => {
  const { services, random } = life
  const readings = sureReadings(hook.target)
  const change = { mapping: mappingOf(random, readings), filters: [], enabled: true }
  return {
    name: `${shortly(hook.id)} is mended, and what failed is replayed`,
    run: () =>
      inTransaction(life, async (tx) => {
        const by = ownerAuthor(ledgerOf(life, hook.accountId))
        await changeIncomingWebhook(tx, services, by, hook, change)
        return replayAllFailed(tx, services.jobs, by, hook)
      }),
    told(world, answer: { count: number } | null) {
      Object.assign(hookIn(world, hook) ?? {}, { readings, filter: null, enabled: true })
      model.replayDeliveries(world, hook.id, 'failed', answer?.count ?? null)
    },
  }
})

/** A dry run must return what would happen, and change nothing. */
const dryRun = onHook((life, hook) => {
  const content = aContent(life, hook)
  return {
    name: `dry run of ${JSON.stringify(content)} at ${shortly(hook.id)}`,
    run: () =>
      inTransaction(life, async (tx) => {
        const row = await incomingWebhookById(tx, hook.id)
        return row && rehearsePayload(tx, row, nested(content) as never)
      }),
    told(world, answer: Awaited<ReturnType<typeof rehearsePayload>> | null) {
      if (!hookIn(world, hook) || hook.readings.length === 0) return
      const copy = structuredClone(world)
      const asSent = { hookId: hook.id, content, key: null, state: 'received', reason: null, fields: [] } as const
      const delivery = { ...asSent, fields: [], id: 'dry', made: null, receivedAt: world.now }
      copy.deliveries.push(delivery)
      const object = answer?.made?.object as { id: string; leadId?: string } | undefined
      model.processDelivery(copy, 'dry', { id: object?.id ?? null, leadId: object?.leadId ?? null })
      const { state, fields, made } = delivery as model.Delivery
      assert.deepEqual(
        [answer?.state, Object.keys(answer?.fields ?? {}).sort(), object?.id ?? null],
        [state, fields.toSorted(), made],
      )
    },
  }
})

function switchOne(life: Life): Action | undefined {
  const { random, world, services } = life
  const { account } = random.pick(life.ledgers)
  const to = world.accounts[account.id]!.disabledAt === null ? ('disabled' as const) : ('enabled' as const)
  if (random.chance(60)) return
  return {
    name: `account ${shortly(account.id)} ${to}`,
    run: () =>
      transaction(services.db, (tx) =>
        switchAccount(tx, ownerAuthor(ledgerOf(life, account.id)), account.id, { to, reason: null }),
      ),
    told: (world) => {
      const its = world.accounts[account.id]!
      its.disabledAt = to === 'disabled' ? (its.disabledAt ?? world.now) : null
    },
  }
}

function movePartner(life: Life): Action | undefined {
  const { random, world, services } = life
  const { id, accountId, state } = random.pick(world.partners)
  if (state === 'active' && random.chance(60)) return
  const ledger = ledgerOf(life, accountId)
  const next = state === 'active' ? random.pick(['suspended', 'archived'] as const) : 'active'
  const access = { as: 'owner', account: ledger.account, subjectId: id, partnerId: null } as const
  return {
    name: `partner ${shortly(id)} ${next}`,
    run: () =>
      inTransaction(life, (tx) =>
        next === 'archived'
          ? archivePartner(tx, ownerAuthor(ledger), ledger.account, id, {
              subPartners: 'keep',
              balance: 'pay',
            } as never)
          : changePartner(tx, services, ownerAuthor(ledger), access, { state: next }),
      ),
    told(world, answer: object | null) {
      if (answer) world.partners.find((one) => one.id === id)!.state = next
    },
  }
}

function dropLead(life: Life): Action | undefined {
  const { random, world } = life
  if (world.leads.length === 0) return
  const { id, accountId } = random.pick(world.leads)
  const ledger = ledgerOf(life, accountId)
  return {
    name: `lead ${shortly(id)} is deleted`,
    run: () =>
      inTransaction(life, async (tx) => {
        await deleteLead(tx, ownerAuthor(ledger), ledger.account, id)
        return true
      }),
    told: (world, answer: true | null) => model.removeLead(world, id, answer !== null),
  }
}

function pass(life: Life): Action {
  const { random } = life
  const isOff = Object.values(life.world.accounts).some(({ disabledAt }) => disabledAt !== null)
  const days = random.chance(isOff ? 60 : 20) ? random.pick([29 * DAY_MS, 31 * DAY_MS]) : 0
  const ms = days || random.pick([60_000, 3_600_000, DAY_MS - 1000, DAY_MS + 1000])
  passes(life, ms)
  return { name: `the clock: ${ms / 3_600_000} h on`, run: async () => {}, told() {} }
}

const hour = ({ services }: Life): Action => ({
  name: 'the clock of every hour',
  run: () => retention.incomingDeliveries(services),
  told: model.deleteOldDeliveries,
})

const acts: ((life: Life) => Action | undefined)[] = [
  ...[ping, send, send, send, send, workSome, workSome, workSome, workSome],
  ...[change, change, change, rotate, remove, replayOne, replayOne, replayOne, replayFailed, mend, mend, dryRun],
  ...[switchOne, movePartner, dropLead, pass, hour],
  (life) => (life.random.chance(30) ? addHook(life, life.random.pick(model.targets)) : undefined),
]

// --- comparison

const names = (rows: { id: string | null }[]) => rows.sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1))

async function present({ services, ledgers, known }: Life) {
  const { db } = services
  const ids = ledgers.map(({ account }) => account.id)
  const lists = await Promise.all(
    ids.map((id) => listIncomingWebhooks(db, services, id, { sort: 'createdAt', limit: 100 } as ListQuery)),
  )
  const shown = lists.flatMap(({ items }) => items).sort((one, other) => (one.id < other.id ? -1 : 1))
  const deliveries = await db.many<{
    id: string
    payload: string | null
    reason: string | null
    state: string
    fields: object | null
  }>`
    select id, webhook_id as hook_id, state, payload, reason, fields, made_id as made, created_at as received_at
    from incoming_deliveries where account_id = any(${ids}::uuid[])`
  const miscounted = await db.many`
    select w.id from incoming_webhooks w left join incoming_payloads p on p.account_id = w.account_id and p.webhook_id = w.id
    where w.account_id = any(${ids}::uuid[]) and coalesce(p.bytes, 0) <> (
      select coalesce(sum(octet_length(payload)), 0) from incoming_deliveries d where d.webhook_id = w.id)`
  assert.deepEqual(miscounted, [], 'the bytes of payloads are not those that are kept')
  const waiting = deliveries.filter(({ state }) => state === 'received').map(({ id }) => id)
  const jobs = new Set((await jobsOf({ services, known })).map(({ deliveryId }) => deliveryId))
  for (const id of waiting) assert.ok(jobs.has(id), `no job processes ${id}`)
  const leads = await db.many<{ id: string }>`
    select id, account_id, email, external_id, first_name, partner_id, status, duplicate_of_id from leads
    where account_id = any(${ids}::uuid[])`
  const sales = await db.many<{ id: string }>`
    select id, account_id, shop_id as hook_id, external_id, lead_id, partner_id, payer_email, amount, refunded_amount as refunded from sales
    where account_id = any(${ids}::uuid[])`
  const refunds = await db.many<{ id: string }>`
    select id, account_id, external_id, sale_id, amount from refunds where account_id = any(${ids}::uuid[])`
  return {
    hooks: shown.map(({ id, state, enabled, url, counts, lastReceivedAt, lastPingAt, sample, mapping, filters }) => ({
      ...{
        id,
        state,
        enabled,
        counts,
        lastReceivedAt,
        lastPingAt,
        sample,
        token: tokenIn(url!),
        filters: filters.length,
      },
      mapped: mapping.map(({ field }) => field).sort(),
    })),
    deliveries: names(
      deliveries.map(({ payload, fields, reason, ...row }) => ({
        ...row,
        id: reason === model.UNPROVEN ? `unproven ${JSON.stringify(row)}`.replace(row.id, '') : row.id,
        payload: payload === null ? null : JSON.parse(payload),
        reason: row.state === 'failed' && payload !== null ? model.SAID : reason,
        fields: Object.keys(fields ?? {}).sort(),
      })),
    ),
    leads: names(leads),
    sales: names(sales),
    refunds: names(refunds),
  }
}

function expected(world: World): Awaited<ReturnType<typeof present>> {
  const { hooks, deliveries, leads, sales, refunds, now } = world
  return {
    hooks: hooks
      .map((hook) => {
        const its = deliveries.filter(({ hookId }) => hookId === hook.id)
        const lastDay = its.filter(({ receivedAt }) => receivedAt > now - DAY_MS)
        const count = (...states: string[]) => lastDay.filter(({ state }) => states.includes(state)).length
        const latest = its
          .filter(({ content }) => content !== null)
          .sort((one, other) => one.receivedAt - other.receivedAt || (one.id! < other.id! ? -1 : 1))
          .at(-1)
        const state = hook.readings.length === 0 ? ('capturing' as const) : ('active' as const)
        return {
          id: hook.id,
          state: hook.enabled ? state : ('disabled' as const),
          enabled: hook.enabled,
          counts: { processed: count('processed', 'replayed'), ignored: count('ignored'), failed: count('failed') },
          lastReceivedAt: hook.lastReceivedAt === null ? null : at(hook.lastReceivedAt),
          lastPingAt: hook.lastPingAt === null ? null : at(hook.lastPingAt),
          sample: latest ? maskPassword(latest.content!) : null,
          token: hook.tokens.find(({ until }) => until === null)!.token,
          filters: hook.filter ? 1 : 0,
          mapped: hook.readings.map(({ field }) => field).sort(),
        }
      })
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
    deliveries: names(
      deliveries.map(({ id, hookId, state, made, content, reason, fields, receivedAt }) => {
        const row = { id: id ?? '', hookId, state, made, receivedAt: at(receivedAt) }
        return {
          ...row,
          id: id ?? `unproven ${JSON.stringify(row)}`,
          payload: content && maskPassword(content),
          reason,
          fields: fields.toSorted(),
        }
      }),
    ) as never,
    leads: names(leads.map(({ createdAt: _, ...lead }) => lead)) as never,
    sales: names(structuredClone(sales)) as never,
    refunds: names(structuredClone(refunds)) as never,
  }
}

const at = (ms: number) => new Date(ms).toISOString()

const maskPassword = (content: model.Content) =>
  nested('password' in content ? { ...content, password: '•••' } : content)
