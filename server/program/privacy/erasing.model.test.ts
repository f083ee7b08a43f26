import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { placesWith } from '../../../test/support/canaries.ts'
import { aGenericConnection, genericEvent, genericPayment, sendCustomEvent } from '../../../test/support/generic.ts'
import { listSeeds, type Random, randomFrom, SimulatedCrash, settleOutcome } from '../../../test/support/model-test.ts'
import { readLedgerDigest } from '../../integrations/data-transfer/rows.ts'
import type { Database } from '../../platform/database/pool.ts'
import { transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { runErasure } from './run-erasure.ts'

// A lead's person and a partner with sales, refunds, notes, duplicates, imports and events of a provider before, during
// and after their erasure, which is asked for twice and dies between pages. Money matches a plain model, and none of
// their words is left. The seed of a failure is in its message; SEED and RUNS try others.

const app = await startApp({ worker: true })
const { services } = app
const { db } = services

/** The model: what was sold and given back, by external id. Every commission is a fifth. */
type Sold = Map<string, { amount: number; lost: number }>
const earnedOf = (sold: Sold) => [...sold.values()].reduce((sum, { amount, lost }) => sum + (amount - lost) / 5, 0)
const revenueOf = (sold: Sold) => [...sold.values()].reduce((sum, { amount, lost }) => sum + amount - lost, 0)

/** The services of a process that dies once it has begun this many transactions. */
function dying(after: number): typeof services {
  let begun = 0
  const connect = () =>
    ++begun > after ? Promise.reject(new SimulatedCrash(`transaction ${after}`)) : db.pool.connect()
  const pool = new Proxy(db.pool, { get: (of, key) => (key === 'connect' ? connect : Reflect.get(of, key, of)) })
  return { ...services, db: { ...db, pool } as Database }
}

async function aLife(seed: number, random: Random, steps: string[]) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, payoutDelay: 0 })
  const { id, token } = account
  const api = (method: string, path: string, body?: unknown) => app.api(method, path, { token, body })
  const call = async (method: string, path: string, body?: unknown) => expectOk(await api(method, path, body)).body
  const { apiKey } = await call('PUT', `/accounts/${id}/api-key`)
  const push = async (path: string, body: unknown) =>
    expectOk(await app.api('POST', `/push/${path}`, { token: apiKey, body })).body
  const [word, partnersWord] = [`canary${seed}q`, `zwitscher${seed}q`]
  const email = `${word}@mail.example`
  const partner = await aPartner(app, account, {
    ...{ firstName: partnersWord, lastName: 'Person', email: `${partnersWord}@mail.example` },
    referralCode: `${partnersWord}-code`,
  })
  const shop = await aGenericConnection(app, { id, token, ownerEmail: '', admin: '' })
  const lead = await push('leads', {
    ...{ email, firstName: word, lastName: 'Person', company: `${word} works`, externalId: `${word}-7` },
    ...{ partnerId: partner.id, metadata: { pet: word } },
  })
  const sold: Sold = new Map()
  const amount = () => random.between(2, 40) * 500
  const payments: { payment: ReturnType<typeof genericPayment>; amount: number }[] = []
  const idOf = async (externalId: string) =>
    (await db.maybe<{ id: string }>`select id from sales where account_id = ${id} and external_id = ${externalId}`)?.id

  const doors = {
    async pay() {
      const paid = amount()
      const facts = {
        amount: paid,
        customerId: `cus_${seed}`,
        email,
        name: `${word} Person`,
        description: `For ${word}`,
      }
      const payment = genericPayment(facts)
      sold.set(payment.id, { amount: paid, lost: 0 })
      payments.push({ payment, amount: paid })
      await sendCustomEvent(shop.webhookUrl, payment.paid)
    },
    async giveBack() {
      const one = random.pick(payments)
      const sale = sold.get(one.payment.id)!
      const back = Math.min(random.between(1, 4) * 500, sale.amount - sale.lost)
      if (back === 0) return
      sale.lost += back
      await sendCustomEvent(shop.webhookUrl, one.payment.refund(back, { reason: `${word} at last` }).told)
    },
    async unknownEvent() {
      await sendCustomEvent(
        shop.webhookUrl,
        genericEvent('refund', {
          id: `r-${random.below(1e9)}`,
          paymentId: random.pick(payments).payment.id,
          amount: 1,
          status: 'failed',
          reason: word,
        }),
      )
    },
    async pushSale() {
      const [externalId, of] = [`push-${sold.size}`, amount()]
      sold.set(externalId, { amount: of, lost: 0 })
      await push('sales', {
        ...{ externalId, leadId: lead.id, email, amount: of, description: `${word} seed`, metadata: { pet: word } },
      })
    },
  }
  const onlyBefore = {
    async note() {
      await call('POST', `/leads/${lead.id}/notes`, { text: `Talked to ${word}`, shared: random.chance(50) })
    },
    async twin() {
      await push('leads', { email, company: `${word} again`, partnerId: partner.id })
    },
    async refundByHand() {
      const pushed = [...sold].filter(([key, { amount, lost }]) => key.startsWith('push-') && amount - lost >= 500)
      if (pushed.length === 0) return
      const [key, sale] = random.pick(pushed)
      sale.lost += 500
      await call('POST', `/sales/${await idOf(key)}/refunds`, { amount: 500, reason: `${word} was not hungry` })
    },
    async importLeads() {
      const csv = `Email,First Name,Company\n${email},${word},${word} imports\nbroken ${email},${word},x`
      const { id: importId } = await call('POST', `/accounts/${id}/imports`, { kind: 'leads', csv, dryRun: false })
      await waitUntil(async () => (await call('GET', `/imports/${importId}`)).state === 'done')
    },
    async notePartner() {
      await call('PUT', `/partners/${partner.id}`, { note: `${partnersWord} likes birds` })
    },
  }
  const take = async (list: Record<string, () => Promise<unknown>>, name: string) => {
    steps.push(name)
    await list[name]!()
  }

  /** Waits until everything received is processed and announced. */
  const settled = () =>
    waitUntil(async () => {
      const { open } = await db.one<{ open: number }>`select
        (select count(*) from provider_events where account_id = ${id} and state in ('received', 'failed'))
        + (select count(*) from event_relays) as open`
      return open === 0
    })
  const isAsSold = async () => {
    const { earned, revenue } = await db.one<{ earned: number; revenue: number }>`select
      coalesce((select sum(amount) from commission_entries where account_id = ${id}
        and partner_id = ${partner.id} and sale_id is not null), 0)::int as earned,
      coalesce((select sum(revenue) from lead_stats where account_id = ${id} and lead_id = ${lead.id}), 0)::int as revenue`
    assert.deepEqual({ earned, revenue }, { earned: earnedOf(sold), revenue: revenueOf(sold) })
  }
  const figures = async () => ({
    stats: (await call('GET', `/leads/${lead.id}`)).stats,
    account: (await call('GET', `/partners/${partner.id}`)).stats,
    digest: await transaction(db, (tx) => readLedgerDigest(tx, id)),
  })
  const erase = async (of: string, concurrent: (() => Promise<unknown>)[] = []) => {
    const requests = [1, 2].map(() => call('POST', `/${of}/erase`, {}))
    const [one, other] = await Promise.all([...requests, ...concurrent.map((work) => work())])
    assert.equal(one.id, other.id, 'asked twice, it is the first erasure')
    const job = { accountId: id, erasureIds: [one.id] }
    const died = random.between(0, 12)
    steps.push(`a process dies after ${died}`)
    const outcome = await settleOutcome(runErasure(dying(died), job))
    assert.ok(['done', `died at transaction ${died}`].includes(outcome), outcome)
    await settled()
    await waitUntil(async () => {
      await runErasure(services, job)
      const { items } = await call('GET', `/accounts/${id}/erasures`)
      return items.find((erasure: { id: string }) => erasure.id === one.id).done
    })
  }

  await take(doors, 'pay')
  const before = { ...doors, ...onlyBefore }
  for (let left = random.between(3, 9); left > 0; left--) await take(before, random.pick(Object.keys(before)))
  await settled()
  await isAsSold()

  const concurrent = random.chance(60)
    ? Array.from({ length: random.between(1, 3) }, () => random.pick(Object.keys(doors)))
    : []
  const was = await figures()
  steps.push(`erase during ${concurrent.join(', ') || 'nothing'}`)
  const works = concurrent.map((name) => doors[name as keyof typeof doors])
  await erase(`leads/${lead.id}`, works)
  if (concurrent.length === 0) assert.deepEqual(await figures(), was)
  assert.deepEqual(await placesWith(app, [word]), [])
  await isAsSold()

  for (let left = random.between(1, 4); left > 0; left--) await take(doors, random.pick(Object.keys(doors)))
  await settled()
  await isAsSold()
  assert.deepEqual(await placesWith(app, [word]), [])
  assert.deepEqual(await verifyLedger(db), [])

  const anew = await push('leads', { email: `${word}@mail.example` })
  assert.notEqual(anew.id, lead.id)
  assert.equal((await call('GET', `/leads/${lead.id}`)).displayName, `Erased lead ${lead.id.slice(-4)}`)

  const isVoid = random.chance(50)
  await call(
    'POST',
    `/partners/${partner.id}/archive`,
    isVoid ? { balance: 'void', reason: `${partnersWord} left` } : {},
  )
  await settled()
  const balance = async () => (await call('GET', `/partners/${partner.id}/balance`)).due
  const due = await balance()
  if (due)
    await call('POST', `/partners/${partner.id}/adjustments`, { amount: -due, reason: `${partnersWord} was paid` })
  const paid = await figures()
  steps.push('erase the partner')
  await erase(`partners/${partner.id}`)
  assert.deepEqual(await figures(), paid)
  assert.deepEqual(await placesWith(app, [partnersWord]), [])
  for (let left = random.between(1, 3); left > 0; left--) await take(doors, random.pick(['pay', 'pushSale']))
  await settled()
  assert.equal(await balance(), 0)
  await take(doors, 'giveBack')
  await settled()
  assert.ok((await balance()) <= 0)
  assert.equal(Number((await call('GET', `/leads/${lead.id}`)).stats.revenue ?? revenueOf(sold)), revenueOf(sold))
  assert.deepEqual(await verifyLedger(db), [])
}

test('random lives of people who are erased: the money is as sold, and nothing of them is left', async () => {
  for (const seed of listSeeds(1)) {
    const steps: string[] = []
    await aLife(seed, randomFrom(seed), steps).catch((error: Error) => {
      throw new Error(`seed ${seed}: ${steps.join('; ')}\n${error.message}`, { cause: error })
    })
  }
})
