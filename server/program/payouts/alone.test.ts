import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TeamRole } from '#contract/endpoint.ts'
import {
  acceptInvitation,
  anEmail,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
  turnableClock,
  waitUntil,
} from '../../../test/support/app.ts'
import { payoutsEveryMinute } from '../../../test/support/clock-runs.ts'
import { aPayee, listPayouts, requestRefresh } from '../../../test/support/payouts.ts'
import { createInstalls } from '../../../test/support/wise-payouts.ts'
import { readMigration } from '../../platform/database/migration-files.ts'
import { transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'

// Automatic payouts leave money to a person if someone without the right to pay made it due sooner than the payout delay
// from their act, until that delay has passed.

const DAY = 24 * 3_600_000
const clock = turnableClock('2026-05-04T09:00:00Z')
const app = await startApp({ clock, worker: true, config: { rateLimitFactor: 1000 } })
const { anInstall } = createInstalls(app)

const day = (daysAgo: number) => new Date(clock.now().getTime() - daysAgo * DAY).toISOString().slice(0, 10)

async function aMember(account: TestAccount, role: TeamRole, firstName = 'Sam') {
  const email = anEmail(role)
  const body = { email, role, firstName, lastName: 'Reed' }
  const { body: invited } = expectOk(
    await app.api('POST', `/accounts/${account.id}/members`, { token: account.token, body }),
  )
  return { userId: invited.userId as string, email, ...(await acceptInvitation(app, invited.url)) }
}

/** An account with a payout delay of 30 days and automatic payouts, with a manager. */
async function aScene() {
  const { account, services } = await anInstall({}, { enabled: true })
  const terms = { payoutDelay: 30, defaultCommissionSettings: { layerRates: [50] } }
  expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: terms }))
  const sam = await aMember(account, 'manager')
  const scene = {
    account,
    sam,
    call: async (who: { token: string }, method: string, path: string, body?: object) =>
      expectOk(await app.api(method, path, { token: who.token, ...(body && { body }) })).body,
    aPayee: () => aPayee(app, account),
    async aLead(who: { token: string }, partnerId: string | null, email = anEmail()) {
      const body = { email, ...(partnerId && { partnerId }) }
      return (await scene.call(who, 'POST', `/accounts/${account.id}/leads`, body)).id as string
    },
    aSale: (who: { token: string }, leadId: string, sale: object) =>
      scene.call(who, 'POST', `/leads/${leadId}/sales`, { amount: 200_00, ...sale }),
    /** Turns the clock to the morning run after so many days, and makes it. */
    async runAfter(days: number) {
      await requestRefresh(app, account)
      clock.advance(days * DAY)
      account.token = (await signIn(app, account.ownerEmail)).token
      sam.token = (await signIn(app, sam.email)).token
      await requestRefresh(app, account)
      await payoutsEveryMinute(services)
    },
    payout: async (partner: { id: string }) => (await listPayouts(app, account, partner))[0],
    async waits(partner: { id: string }) {
      const payout = await scene.payout(partner)
      assert.deepEqual(
        [payout?.status, payout?.blockers.map(({ message }) => message)],
        ['due', ['Adjusted by Sam Reed']],
      )
    },
    async left(partner: { id: string }) {
      const payout = await scene.payout(partner)
      assert.deepEqual([payout?.approvedAt !== null, payout?.blockers], [true, []])
    },
  }
  return scene
}

type Scene = Awaited<ReturnType<typeof aScene>>

const SALE_FIELDS = [
  { field: 'externalId', path: 'externalId' },
  { field: 'email', path: 'email' },
  { field: 'amount', path: 'amount' },
  { field: 'saleDate', path: 'saleDate' },
]

async function aHook({ account, call }: Scene, who: { token: string }) {
  const body = {
    ...{ name: 'Shop', target: 'sale', mapping: SALE_FIELDS },
    partnerMatch: { by: 'id', path: 'partner' },
  }
  return call(who, 'POST', `/accounts/${account.id}/incoming-webhooks`, body)
}

/** Sends a sale of 200.00 to an incoming webhook. Returns its delivery once it was processed. */
async function send({ account, call }: Scene, hook: { id: string; url: string }, partner: { id: string }, given = {}) {
  const sale = { externalId: anEmail(), email: anEmail(), amount: '20000', partner: partner.id, ...given }
  const answer = await fetch(`${app.url}${new URL(hook.url).pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sale),
  })
  assert.equal(answer.status, 200)
  const { deliveryId } = (await answer.json()) as { deliveryId: string }
  return waitUntil(async () => {
    const delivery = await call(account, 'GET', `/incoming-webhooks/${hook.id}/deliveries/${deliveryId}`)
    return delivery.state !== 'received' && delivery
  })
}

test('a sale that a manager dates a day short of due waits for a person, until the delay from its entry has passed', async () => {
  const scene = await aScene()
  const [partner, late] = [await scene.aPayee(), await scene.aPayee()]
  await scene.aSale(scene.sam, await scene.aLead(scene.sam, partner.id), { saleDate: day(29) })
  await scene.aSale(scene.account, await scene.aLead(scene.sam, late.id), { saleDate: day(29) })
  await scene.runAfter(1)
  await scene.waits(partner)
  await scene.left(late)
  const { id } = (await scene.payout(partner))!
  await scene.runAfter(28)
  await scene.waits(partner)
  await scene.runAfter(1)
  assert.equal((await scene.payout(partner))!.id, id)
  await scene.left(partner)
})

test('the sale of a day is due with its day, also if a manager adds it', async () => {
  const scene = await aScene()
  const partner = await scene.aPayee()
  await scene.aSale(scene.sam, await scene.aLead(scene.sam, partner.id), {})
  await scene.runAfter(30)
  await scene.left(partner)
})

test('an earlier sale from a manager’s webhook waits for a person, whoever changes it; one from an owner’s does not', async () => {
  const scene = await aScene()
  const partners = [await scene.aPayee(), await scene.aPayee(), await scene.aPayee(), await scene.aPayee()] as const
  const [made, kept, changed, own] = partners
  const hook = await aHook(scene, scene.sam)
  await send(scene, hook, made, { saleDate: day(85) })
  await scene.call(scene.account, 'PUT', `/incoming-webhooks/${hook.id}`, { name: 'Their shop' })
  await send(scene, hook, kept, { saleDate: day(85) })
  const owners = await aHook(scene, scene.account)
  await send(scene, owners, own, { saleDate: day(85) })
  await scene.call(scene.sam, 'PUT', `/incoming-webhooks/${owners.id}`, { name: 'Our shop' })
  await send(scene, owners, changed, { saleDate: day(85) })
  await scene.runAfter(1)
  for (const partner of [made, kept, changed]) await scene.waits(partner)
  await scene.left(own)
})

test('a delivery that a manager replays waits for a person', async () => {
  const scene = await aScene()
  const [replayed, partner] = [await scene.aPayee(), await scene.aPayee()]
  const hook = await aHook(scene, scene.account)
  const change = (mapping: object[]) => scene.call(scene.account, 'PUT', `/incoming-webhooks/${hook.id}`, { mapping })
  await change(SALE_FIELDS.map((line) => ({ ...line, path: 'nothing' })))
  const first = await send(scene, hook, replayed, { saleDate: day(85) })
  assert.equal(first.state, 'failed')
  await change(SALE_FIELDS)
  await scene.call(scene.sam, 'POST', `/incoming-webhooks/${hook.id}/deliveries/${first.id}/replays`)
  await waitUntil(async () => {
    await requestRefresh(app, scene.account)
    return scene.payout(replayed)
  })
  await send(scene, hook, partner, { saleDate: day(85) })
  await scene.runAfter(1)
  await scene.waits(replayed)
  await scene.left(partner)
})

test('a sale that a manager says to be of a partner’s customer waits for a person, and one that an owner does not', async () => {
  const scene = await aScene()
  const { account, sam, call } = scene
  const hook = await aHook(scene, account)
  const mapping = [...SALE_FIELDS, { field: 'leadExternalId', path: 'customer' }]
  await call(account, 'PUT', `/incoming-webhooks/${hook.id}`, { mapping, partnerMatch: null })
  const [bySam, byOwner] = [await scene.aPayee(), await scene.aPayee()]
  const take = async (who: { token: string }, partner: { id: string }) => {
    const lead = { email: anEmail(), partnerId: partner.id, externalId: anEmail() }
    const { id } = await call(account, 'POST', `/accounts/${account.id}/leads`, lead)
    await app.services.db.run`update leads set attributed_at = attributed_at - interval '100 days' where id = ${id}`
    const delivery = await send(scene, hook, partner, { customer: lead.externalId, saleDate: day(85) })
    const path = `/incoming-webhooks/${hook.id}/deliveries/${delivery.id}`
    await call(who, 'POST', `${path}/same-person`)
    await waitUntil(async () => (await call(account, 'GET', path)).others.length === 0)
  }
  await take(sam, bySam)
  await take(account, byOwner)
  await scene.runAfter(1)
  await scene.waits(bySam)
  await scene.left(byOwner)
  // one after the payout is in the next
  const first = await scene.payout(byOwner)
  await take(account, byOwner)
  await scene.runAfter(1)
  await scene.left(byOwner)
  assert.notEqual((await scene.payout(byOwner))?.id, first?.id)
})

test('what a manager releases waits for a person; what an owner releases does not', async () => {
  const scene = await aScene()
  const [bySam, byOwner] = [await scene.aPayee(), await scene.aPayee()]
  for (const [who, partner] of [
    [scene.sam, bySam],
    [scene.account, byOwner],
  ] as const) {
    const lead = await scene.aLead(scene.account, partner.id, partner.email)
    const sale = await scene.aSale(scene.account, lead, { saleDate: day(47) })
    assert.notEqual(sale.heldUntil, null)
    await scene.call(who, 'POST', `/sales/${sale.id}/release`, { reason: 'Fine' })
  }
  await scene.runAfter(1)
  await scene.waits(bySam)
  await scene.left(byOwner)
  await scene.runAfter(30)
  await scene.left(bySam)
})

test('pay for a lead that a manager takes back and gives again waits for a person', async () => {
  const scene = await aScene()
  const partner = await scene.aPayee()
  const terms = { rules: [{ on: 'qualified-lead', layerAmounts: [40_00] }], otherwise: { layerRates: [10] } }
  await scene.call(scene.account, 'PUT', `/accounts/${scene.account.id}/terms`, { terms })
  const lead = await scene.aLead(scene.account, partner.id)
  const become = (who: { token: string }, status: string, reason?: string) =>
    scene.call(who, 'POST', `/leads/${lead}/status`, { status, ...(reason && { reason }) })
  await become(scene.account, 'qualified')
  await scene.runAfter(29)
  await become(scene.sam, 'rejected', 'spam')
  await become(scene.sam, 'qualified', 'other')
  await scene.runAfter(1)
  await scene.waits(partner)
})

test('a sale of a manager’s that waited for a rate waits for a person, whoever enters the rate', async () => {
  const scene = await aScene()
  const partner = await scene.aPayee()
  const lead = await scene.aLead(scene.sam, partner.id)
  await scene.aSale(scene.sam, lead, { saleDate: day(29), currency: 'chf' })
  const rate = { currency: 'chf', date: day(29), rate: 1.1 }
  await scene.call(scene.account, 'POST', `/accounts/${scene.account.id}/exchange-rates`, rate)
  await scene.runAfter(1)
  await scene.waits(partner)
})

test('an upgrade goes on holding back what waited, and knows who is behind a webhook', async () => {
  const scene = await aScene()
  const [before, later] = [await scene.aPayee(), await scene.aPayee()]
  await scene.aSale(scene.sam, await scene.aLead(scene.sam, before.id), { saleDate: day(85) })
  const hook = await aHook(scene, scene.sam)
  await scene.call(scene.account, 'PUT', `/incoming-webhooks/${hook.id}`, { name: 'Their shop' })
  const { db } = app.services
  await db.run`delete from early_entries where account_id = ${scene.account.id}`
  await db.run`update incoming_webhooks set created_by = null, changed_by = null where account_id = ${scene.account.id}`
  for (const name of ['0491-fill-early-entries.sql', '0492-makers-of-webhooks.sql'])
    for (const statement of (await readMigration(name)).statements)
      await transaction(db, ({ client }) => client.query(statement))
  await send(scene, hook, later, { saleDate: day(85) })
  await scene.runAfter(1)
  await scene.waits(before)
  await scene.waits(later)
  await scene.runAfter(40)
  await scene.waits(before)
  await scene.left(later)
})

test('the ledger is as its sources say', async () => {
  assert.deepEqual(await verifyLedger(app.services.db), [])
})
