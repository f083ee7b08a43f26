import assert from 'node:assert/strict'
import { buildApp } from '../../server/app.ts'
import {
  changeConnection,
  connectProvider,
  disconnectProvider,
  retryWaitingEvents,
} from '../../server/integrations/payment-providers/connections.ts'
import { processProviderEvent } from '../../server/integrations/payment-providers/jobs.ts'
import { PaymentProviderError } from '../../server/integrations/payment-providers/provider.ts'
import { type Database, openDatabase, transaction } from '../../server/platform/database/pool.ts'
import { createQueues } from '../../server/platform/jobs/queue.ts'
import type { Services } from '../../server/platform/services.ts'
import { reassignLead } from '../../server/program/sales/attribute-sale.ts'
import { voidSale } from '../../server/program/sales/change-sale.ts'
import { saveExchangeRate } from '../../server/program/sales/exchange-rates.ts'
import { bookAllWaiting } from '../../server/program/sales/waiting-sales.ts'
import { queues } from '../../server/queues.ts'
import { fakeStripe } from '../fakes/stripe.ts'
import {
  BASIL,
  deliverStripeEvent,
  OLDER,
  type StripeEvent,
  stripeInvoice,
  stripePayment,
} from '../fakes/stripe-events.ts'
import { aLedger, type Ledger, ledgerServices, ownerAuthor } from './ledger.ts'
import { type ModelTest, type Random, randomFrom } from './model-test.ts'
import { expectedSale, type Given, type Payment, type Terms } from './sale-model.ts'

/** The services of the server that receives `/hooks`, and of a second process on the same database. */
type Processes = { services: Services; second: Services }

type Stripe = Awaited<ReturnType<typeof fakeStripe>>

/** Activity at Stripe: the payments, and the events about them. */
type Story = { events: StripeEvent[]; payments: Payment[] }

type Life = Processes & {
  ledger: Ledger
  stripe: Stripe
  random: Random
  connection: { id: string; webhookUrl: string | null } | null
  secret: string
  /** Failed events that the queue retries. */
  retries: string[]
  rated: boolean
  voided: Set<string>
  /** The steps so far, printed with a failure. */
  diary: string[]
}

const EMAIL = 'buyer@course.example'
const RATES = ['20', '5', '2']
const EUR = '1.0837'
const terms: Terms = {
  accountCurrency: 'usd',
  decimals: { usd: 2, eur: 2 },
  rates: RATES.map(BigInt),
  exchangeRates: { eur: [10_837n, 10_000n] },
}

/**
 * Lives of an account's sales from a payment provider: stories in any order, with anything that may happen between
 * them.
 */
export const saleLives: ModelTest = {
  async begin(db: Database) {
    const { services, close } = await startServer(db)
    const secondDatabase = openDatabase({ url: db.url, log: services.log, clock: db.clock })
    return {
      live: (seed: number) => liveBy(seed, { services, second: { ...services, db: secondDatabase } }),
      async end() {
        await close()
        await secondDatabase.close()
      },
    }
  },
}

/** The product's own door for events, and a queue that only the lives work off. */
async function startServer(db: Database) {
  const bare = ledgerServices(db)
  const app = await buildApp({ ...bare, config: { ...bare.config, rateLimitFactor: 0 } })
  const appUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  const { jobs, outbound } = bare
  await createQueues(await jobs.boss(), queues)
  return {
    services: { ...bare, config: { ...bare.config, appUrl } },
    async close() {
      await app.close()
      await jobs.stop({ graceful: false })
      await outbound.close()
    },
  }
}

/** Throws with the seed, the steps so far and the fault. */
async function liveBy(seed: number, processes: Processes) {
  const stripe = await fakeStripe()
  const diary: string[] = []
  try {
    await live(await begin(processes, stripe, randomFrom(seed), diary))
  } catch (error) {
    throw new Error(`sales, seed ${seed}: ${(error as Error).message}\n${diary.join('\n')}\n${(error as Error).stack}`)
  } finally {
    await stripe.close()
  }
}

async function begin(processes: Processes, stripe: Stripe, random: Random, diary: string[]): Promise<Life> {
  const toStripe = (services: Services): Services => {
    const { config } = services
    const providers = { ...config.providers, stripe: { ...config.providers.stripe, apiUrl: stripe.url } }
    return { ...services, config: { ...config, providers } }
  }
  const services = toStripe(processes.services)
  const ledger = await aLedger(services, {
    rates: RATES,
    partners: [{}, { parent: 0 }, { parent: 1 }],
    leads: [{ partner: random.chance(70) ? 2 : null }],
  })
  const { db } = services
  await db.run`update leads set email = ${`${ledger.account.id}${EMAIL}`} where id = ${ledger.leadIds[0]}`
  const begun: Life = {
    ...{ services, second: toStripe(processes.second), ledger, stripe, random },
    ...{ connection: null, secret: '', retries: [], rated: false, voided: new Set<string>(), diary },
  }
  await connect(begun)
  return begun
}

async function live(life: Life) {
  const { random } = life
  const stories = Array.from({ length: random.between(1, 2) }, () => random.pick(plots)(life))
  const events = random.shuffled(stories.flatMap((story) => story.events))
  const repeats = random.shuffled(events).slice(0, random.below(3))
  const waiting = [...events, ...repeats]
  for (let turn = 0; waiting.length > 0 && turn < 60; turn++) {
    if (random.chance(60)) await deliverNext(life, waiting)
    if (random.chance(50)) await workOff(life)
    if (random.chance(35)) await random.pick(happenings)(life)
    await neverTwice(life, stories)
  }
  await endWell(life, waiting)
  await compare(
    life,
    stories.flatMap((story) => story.payments),
  )
}

// --- stories

const whole = (amount: number) => BigInt(amount)

type Plot = (life: Life) => Story

const around = ({ stripe, ledger, random }: Life) => ({
  store: stripe.store,
  email: `${ledger.account.id}${EMAIL}`,
  currency: random.chance(25) ? 'eur' : 'usd',
})

const amounts = ({ random }: Life) => {
  const net = random.pick([1, 99, 33_33, 100_00, random.between(1, 1_000_00)])
  const tax = random.pick([0, 1, 20_00, random.between(0, 99_99)])
  return { amount: net + tax, tax }
}

const presentEvents = (events: (StripeEvent | null)[]) => events.filter((event) => event !== null)

const plots: Plot[] = [
  function checkout(life) {
    const facts = { ...around(life), ...amounts(life) }
    const payment = stripePayment(facts)
    const given = buildRefund(life, payment, facts.currency, facts.amount)
    return {
      events: presentEvents([payment.checkoutCompleted, payment.chargeSucceeded, ...given.events]),
      payments: [paid(payment.intent.id, facts, facts.amount, given.given)],
    }
  },
  function bareCharge(life) {
    const facts = { ...around(life), ...amounts(life) }
    const payment = stripePayment(facts)
    life.stripe.store.delete(payment.session.id)
    const given = buildRefund(life, payment, facts.currency, facts.amount)
    return {
      events: presentEvents([payment.chargeSucceeded, ...given.events]),
      payments: [paid(payment.intent.id, facts, facts.amount, given.given)],
    }
  },
  function severalCaptures(life) {
    const { random } = life
    const facts = { ...around(life), ...amounts(life) }
    const payment = stripePayment({ ...facts, captured: false })
    const parts = [random.between(1, facts.amount), random.between(1, facts.amount)].sort((a, b) => a - b)
    const captured = parts.map((part) => payment.capture(part, { isLast: false }).chargeCaptured)
    const taken = parts.at(-1)!
    const given = buildRefund(life, payment, facts.currency, taken)
    return {
      events: presentEvents([payment.chargeSucceeded, ...captured, ...given.events]),
      payments: [paid(payment.intent.id, facts, taken, given.given)],
    }
  },
  function subscription(life) {
    const facts = { ...around(life), ...amounts(life), apiVersion: life.random.pick([OLDER, BASIL]) }
    const first = stripeInvoice({ ...facts, checkout: {} })
    const bills = life.random.chance(30) ? [first, first.renew(amounts(life))] : [first]
    const stories = bills.map((bill) => {
      const [payment] = bill.payments
      const { amount, tax } = taxedOf(bill.invoice)
      const given = buildRefund(life, bill, facts.currency, amount)
      return {
        events: presentEvents([
          ...[bill.checkoutCompleted, bill.invoicePaid, bill.invoicePaymentSucceeded, payment!.chargeSucceeded],
          ...[facts.apiVersion === BASIL ? payment!.invoicePaymentPaid : null, ...given.events],
        ]),
        payments: [paid(payment!.intent.id, { ...facts, amount, tax }, amount, given.given)],
      }
    })
    return { events: stories.flatMap(({ events }) => events), payments: stories.flatMap(({ payments }) => payments) }
  },
  function paidInTwo(life) {
    const { amount, tax } = amounts(life)
    const facts = { ...around(life), amount: amount + 10, tax, subscription: null }
    const part = life.random.between(1, amount)
    const bill = stripeInvoice({ ...facts, payments: [part, facts.amount - part] })
    return {
      events: presentEvents([
        bill.invoicePaid,
        ...bill.payments.flatMap((one) => [one.chargeSucceeded, one.invoicePaymentPaid]),
      ]),
      payments: bill.payments.map((one) => paid(one.intent.id, facts, Number(one.charge.amount), [])),
    }
  },
]

const taxedOf = (invoice: { [field: string]: unknown }) => ({
  amount: invoice.total as number,
  tax: (invoice.total as number) - (invoice.total_excluding_tax as number),
})

type Agreed = { currency: string; amount: number; tax: number }

const paid = (id: string, { currency, amount, tax }: Agreed, taken: number, given: Given[]): Payment => ({
  ...{ id, currency, total: whole(amount), tax: whole(tax), taken: whole(taken), given },
})

type Givable = Pick<ReturnType<typeof stripePayment>, 'refund' | 'dispute'>

/** Nothing, a partial refund that may fail in the end, or a dispute, possibly by a bank with another currency. */
function buildRefund({ random }: Life, payment: Givable, currency: string, most: number) {
  const events: (StripeEvent | null)[] = []
  const given: Given[] = []
  if (random.chance(45)) {
    const amount = random.chance(40) ? most : random.between(1, most)
    const failing = random.chance(25)
    const refund = payment.refund(amount, { status: failing ? 'pending' : 'succeeded' })
    events.push(refund.refundCreated, refund.chargeRefunded)
    if (failing) {
      const failed = refund.becomes('failed')
      events.push(failed.refundUpdated, failed.refundFailed)
    }
    given.push({ kind: 'refund', amount: whole(amount), currency, end: failing ? 'failed' : 'succeeded' })
  }
  if (random.chance(30)) {
    const amount = random.between(1, most)
    const other = currency === 'eur' && random.chance(50) ? 'usd' : currency
    const dispute = payment.dispute(amount, { currency: other })
    const end = random.pick(['pending', 'succeeded', 'failed'] as const)
    events.push(dispute.created)
    if (end !== 'pending') events.push(dispute.closed(end === 'succeeded' ? 'lost' : 'won'))
    given.push({ kind: 'dispute', amount: whole(amount), currency: other, end })
  }
  return { events, given }
}

// --- steps

/** Delivers the next events; while nothing is connected, they stay at Stripe. */
async function deliverNext(life: Life, waiting: StripeEvent[]) {
  const { connection, random, diary } = life
  if (!connection?.webhookUrl) return
  const event = waiting.shift()!
  const { status } = await deliverStripeEvent(connection.webhookUrl, event, life.secret)
  assert.equal(status, 200)
  diary.push(`told ${event.type} ${event.id}`)
  if (random.chance(30) && waiting.length > 0) await deliverNext(life, waiting)
}

/** Runs the queue's new and failed jobs, in any order, by one process or two at once. */
async function workOff(life: Life) {
  const { services, second, ledger, random, diary, retries } = life
  const added = await services.db.many<{ id: string }>`
    delete from pgboss.job j using provider_events e, provider_shops s
    where j.name = 'provider-event' and j.state in ('created', 'retry') and e.id = (j.data->>'eventId')::uuid
      and s.id = e.shop_id and s.account_id = ${ledger.account.id}
    returning e.id`
  const jobs = random.shuffled([...added.map(({ id }) => id), ...retries.splice(0)])
  const work = async (by: Services, eventId: string) => {
    try {
      await processProviderEvent(by, { eventId })
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error
      retries.push(eventId)
    }
  }
  diary.push(`worked off ${jobs.length}`)
  if (random.chance(40)) await Promise.all(jobs.map((id, place) => work(place % 2 ? second : services, id)))
  else for (const id of jobs) await work(services, id)
  return jobs.length
}

const happenings: ((life: Life) => Promise<unknown>)[] = [
  async function disconnect(life) {
    const { services, ledger, connection } = life
    if (!connection) return
    await disconnectProvider(services, ownerAuthor(ledger), ledger.account.id, connection.id)
    life.connection = null
    life.diary.push('disconnected')
  },
  async function connectAgain(life) {
    if (!life.connection) await connect(life)
  },
  replaceKey,
  async function hour({ services, diary }) {
    await retryWaitingEvents(services)
    diary.push('an hour went by')
  },
  async function roll({ stripe, diary }) {
    stripe.rollKey()
    diary.push('the key was rolled at Stripe')
  },
  async function away({ stripe, random, diary }) {
    const failure = random.pick([{ status: 500 }, { status: 429 }, 'reset-before', 'garbage'] as const)
    stripe.calm()
    stripe.fail(() => true, failure, random.between(1, 8))
    diary.push(`Stripe is away: ${JSON.stringify(failure)}`)
  },
  rate,
  async function voidOne(life) {
    const { services, ledger, random, voided, diary } = life
    if (random.chance(60)) return
    const [sale] = await services.db.many<{ id: string; externalId: string }>`
      select id, external_id from sales where account_id = ${ledger.account.id} and status <> 'void' order by id limit 1`
    if (!sale) return
    await transaction(services.db, (tx) => voidSale(tx, ownerAuthor(ledger), ledger.account, sale.id, 'a mistake'))
    voided.add(sale.externalId)
    diary.push(`void ${sale.externalId}`)
  },
  attribute,
]

async function replaceKey(life: Life) {
  const { services, ledger, stripe, connection, diary } = life
  if (!connection) return
  const change = { credentials: { restrictedKey: stripe.key } }
  const changed = await changeConnection(services, ownerAuthor(ledger), ledger.account.id, connection.id, change).catch(
    orNull,
  )
  diary.push(changed ? 'the key was replaced' : 'the key was not replaced')
}

/** Connects Stripe; while it does not answer, nothing is connected. */
async function connect(life: Life) {
  const { services, ledger, stripe, diary } = life
  life.secret = `whsec_${stripe.key}`
  const credentials = { restrictedKey: stripe.key, webhookSecret: life.secret }
  const body = { provider: 'stripe' as const, credentials }
  life.connection = await connectProvider(services, ownerAuthor(ledger), ledger.account.id, body).catch(orNull)
  diary.push(life.connection ? 'connected' : 'not connected')
}

function orNull(error: { code?: string }) {
  if (error.code !== 'provider_failed') throw error
  return null
}

async function rate(life: Life) {
  const { services, ledger } = life
  if (life.rated) return
  life.rated = true
  const date = new Date().toISOString().slice(0, 10)
  await transaction(services.db, async (tx) => {
    await saveExchangeRate(tx, ownerAuthor(ledger), ledger.account, { currency: 'eur', date, rate: Number(EUR) })
    await bookAllWaiting(tx, { accountId: ledger.account.id, currency: 'eur', by: ownerAuthor(ledger) })
  })
  life.diary.push('a rate was entered')
}

async function attribute({ services, ledger, diary }: Life) {
  const [leadId] = ledger.leadIds
  const { partnerId } = await services.db.one<{ partnerId: string | null }>`
    select partner_id from leads where id = ${leadId}`
  if (partnerId) return
  await transaction(services.db, (tx) =>
    reassignLead(tx, ownerAuthor(ledger), ledger.account, leadId!, {
      partnerId: ledger.partnerIds[2]!,
      reason: 'theirs',
      creditEarlierSales: true,
    }),
  )
  diary.push('the lead got its partner')
}

/** Removes all obstacles, delivers all events and runs all jobs. */
async function endWell(life: Life, waiting: StripeEvent[]) {
  const { stripe, connection, diary } = life
  diary.push('the end')
  stripe.calm()
  if (connection) await replaceKey(life)
  else await connect(life)
  while (waiting.length > 0) await deliverNext(life, waiting)
  await rate(life)
  await attribute(life)
  for (let turn = 0; turn < 2; turn++) {
    for (let look = 0; (await workOff(life)) > 0; look++) assert.ok(look < 30, 'the queue never empties')
    await retryWaitingEvents(life.services)
  }
  const left = await life.services.db.many<{ type: string; state: string; error: string | null }>`
    select e.type, e.state, e.error from provider_events e join provider_shops s on s.id = e.shop_id
    where s.account_id = ${life.ledger.account.id} and e.state in ('received', 'failed', 'waiting')`
  assert.deepEqual(left, [], 'events are left over')
}

// --- comparison

/** Each sale must have the id of a payment at any time, even before later reports. */
async function neverTwice({ services, ledger }: Life, stories: Story[]) {
  const names = new Set(stories.flatMap(({ payments }) => payments.map(({ id }) => id)))
  const sales = await services.db.many<{ externalId: string }>`
    select external_id from sales where account_id = ${ledger.account.id}`
  for (const { externalId } of sales) assert.ok(names.has(externalId), `${externalId} is a sale of its own`)
}

async function compare({ services: { db }, ledger, voided }: Life, payments: Payment[]) {
  const sales = await db.many<Record<string, number | string>>`
    select external_id as id, gross_amount as gross, amount as net, tax_amount as tax, refunded_amount as refunded, status,
      account_amount as base
    from sales where account_id = ${ledger.account.id} order by external_id collate "C"`
  const kept = await db.many<{ id: string; layer: number; amount: number }>`
    select s.external_id as id, e.layer, sum(e.amount)::bigint as amount
    from commission_entries e join sales s on s.id = e.sale_id where e.account_id = ${ledger.account.id} group by 1, 2`
  const keptOf = (id: string, layer: number) =>
    kept.find((entry) => entry.id === id && entry.layer === layer)?.amount ?? 0
  const found = sales.map((sale) => ({
    ...sale,
    layers: RATES.map((_, layer) => keptOf(sale.id as string, layer)),
  }))
  const expected = payments
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((payment) => {
      const { layers, status, ...sums } = expectedSale(payment, terms, voided.has(payment.id))
      const numbers = Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, Number(amount)]))
      return { id: payment.id, ...numbers, status, layers: layers.map(Number) }
    })
  assert.deepEqual(found, expected)
}
