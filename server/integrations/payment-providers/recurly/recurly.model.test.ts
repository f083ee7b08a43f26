import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInRecurly } from '../../../../test/fakes/recurly.ts'
import { deliverRecurly, type RecurlyEvent, recurlyInvoice } from '../../../../test/fakes/recurly-events.ts'
import { expectOk } from '../../../../test/support/app.ts'
import { listSeeds, type Random, randomFrom } from '../../../../test/support/model-test.ts'
import { createConnectionCalls, startWithProvider, workOff } from '../../../../test/support/payment-providers.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { reconcileConnection } from '../reconcile.ts'
import { verifyPayments } from '../verify-payments.ts'

// Random invoices that are paid, voided, paid again and refunded, while their notifications are lost, late, repeated or
// in disorder, and Recurly does not always answer. A night finds what is missing.

const site = await standInRecurly()
const app = await startWithProvider('recurly', site)
const { db } = app.services
const { store } = site
const SECRET = 'whs-of-this-endpoint-0001'
const { account, aLead, deliver, connection } = await aShop<RecurlyEvent>(
  app,
  async (owner) =>
    expectOk(
      await createConnectionCalls(app, owner, 'recurly').connect({ privateKey: site.key, webhookSecret: SECRET }),
    ).body,
  (url, event) => deliverRecurly(url, event, SECRET),
)

const yesterday = new Date(app.clock.now().getTime() - 86_400_000)
await db.run`update provider_connections set created_at = ${yesterday} where id = ${connection().id}`

type Payment = { amount: number; isVoid: boolean; refunded: number }
type Refund = { amount: number; counts: boolean }

/** An invoice and what a bookkeeper would note about it. */
function aLife(random: Random, email: string) {
  let moment = app.clock.now().getTime() - 3_600_000
  const next = () => {
    moment += random.between(1, 60_000)
    return new Date(moment)
  }
  const amount = random.between(1, 50_000)
  const tax = random.between(0, Math.floor(amount / 3))
  const credit = random.chance(30) ? random.between(0, amount) : 0
  const first = random.between(0, amount - credit)
  const payments = [first, amount - credit - first].filter((part) => part > 0)
  const invoice = recurlyInvoice({ store, email, amount, tax, credit, payments, at: next() })
  const book: Payment[] = payments.map((paid) => ({ amount: paid, isVoid: false, refunded: 0 }))
  const refunds: Refund[] = []
  const events: RecurlyEvent[] = [invoice.subscribed, invoice.paid]

  /** Something happens to the invoice, and Recurly reports it. */
  function happen() {
    const place = random.below(book.length)
    const payment = book[place]
    if (!payment) return
    if (!payment.isVoid && payment.refunded === 0 && random.chance(25)) {
      payment.isVoid = true
      events.push(invoice.voids(place, next()))
    } else if (place === 0 && payment.isVoid && book.length === payments.length && random.chance(50)) {
      book.push({ ...payment, isVoid: false })
      events.push(invoice.paidAgain(next()))
    } else if (!payment.isVoid && payment.refunded < payment.amount) {
      const back = random.between(1, payment.amount - payment.refunded)
      const status = random.pick(['success', 'success', 'processing', 'chargeback'])
      const made = invoice.refund(back, { payment: place, status, when: next() })
      const refund = { amount: back, counts: status !== 'processing' }
      payment.refunded += back
      refunds.push(refund)
      events.push(made.refunded)
      if (status === 'processing' || random.chance(10)) {
        const end = random.pick(['success', 'declined', 'void'])
        made.becomes(end, next())
        refund.counts = end === 'success'
        events.push({ ...made.refunded, event_time: new Date(moment).toISOString() })
      }
    }
  }

  /** Returns what a sale of this invoice must be: its amounts, what went back, and the commission of 20 %. */
  function expected() {
    const sum = (of: { amount: number }[]) => of.reduce((all, one) => all + one.amount, 0)
    const kept = sum(book.filter(({ isVoid }) => !isVoid))
    const gross = Math.max(kept, Math.min(sum(book), amount - credit))
    if (gross === 0) return []
    const part = (of: number, whole: number) => Math.floor((2 * of * whole + amount) / (2 * amount))
    const net = Math.min(gross, part(amount - tax, gross))
    const lost = Math.min(gross, gross - kept + sum(refunds.filter(({ counts }) => counts)))
    const commission = Math.round(net / 5)
    return [
      {
        ...{ net, tax: Math.min(part(tax, gross), gross - net), gross, refunded: lost },
        left: commission - Math.floor((2 * commission * lost + gross) / (2 * gross)),
      },
    ]
  }

  const found = () => db.many`
    select amount as net, tax_amount as tax, gross_amount as gross, refunded_amount as refunded,
      (select coalesce(sum(e.amount), 0)::bigint from commission_entries e where e.sale_id = s.id and e.layer = 0) as left
    from sales s where account_id = ${account.id} and external_id = ${invoice.number}`
  return { number: invoice.number, events, happen, expected, found }
}

const night = () => reconcileConnection(app.services, { connectionId: connection().id })

async function live(seed: number, diary: string[]) {
  const random = randomFrom(seed)
  const { email } = await aLead(undefined, yesterday)
  const lives = Array.from({ length: random.between(1, 3) }, () => aLife(random, email))
  for (let turn = random.between(3, 9); turn > 0; turn--) {
    const what = random.pick(['happens', 'happens', 'delivered', 'delivered', 'worked off', 'night', 'trouble'])
    diary.push(what)
    if (what === 'happens') random.pick(lives).happen()
    else if (what === 'delivered') {
      const { events } = random.pick(lives)
      await deliver(random.shuffled([...events, ...events]).slice(0, random.between(1, events.length)))
    } else if (what === 'trouble') site.fail(/^GET/, { status: random.pick([429, 500]) }, random.between(1, 3))
    else await (what === 'night' ? night() : workOff(app, { atOnce: random.chance(50) })).catch(unavailable)
  }
  site.calm()
  await workOff(app)
  await night()
  await night()
  for (const { expected, found, number } of lives) assert.deepEqual(await found(), expected(), number)
  for (const { events } of random.shuffled(lives)) await deliver(random.shuffled(events))
  await workOff(app, { atOnce: true })
  for (const { expected, found, number } of lives) assert.deepEqual(await found(), expected(), number)
}

function unavailable(error: { kind?: string }) {
  if (error.kind !== 'unavailable') throw error
}

test('random invoices end as a bookkeeper would note them, whatever of their notifications arrives and when', async () => {
  for (const seed of listSeeds(3)) {
    const diary: string[] = []
    await live(seed, diary).catch((error: Error) => {
      throw new Error(`seed ${seed}: ${error.message}\n${diary.join('\n')}\n${error.stack}`)
    })
  }
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})
