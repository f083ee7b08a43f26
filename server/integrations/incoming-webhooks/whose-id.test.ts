import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { verifyLedger } from '../../program/stats/verify.ts'

// An ID that a sender gives may be that of a form, or of every guest: the email decides who it is.

const app = await startApp({ worker: true })
const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
const jane = await aPartner(app, account, { firstName: 'Jane' })
const bob = await aPartner(app, account, { firstName: 'Bob' })
const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })

const LEAD = ['externalId', 'email', 'phone'].map((field) => ({ field, path: field }))
const SALE = ['externalId', 'leadExternalId', 'email', 'amount'].map((field) => ({ field, path: field }))

async function aHook(target: string, mapping: object[]) {
  const partnerMatch = target === 'lead' || target === 'sale' ? { by: 'referralCode', path: 'ref' } : null
  const body = { name: target, target, mapping, partnerMatch }
  const { body: hook } = expectOk(await call('POST', `/accounts/${account.id}/incoming-webhooks`, body))
  return async function take(payload: object) {
    const sent = await fetch(hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    })
    const { deliveryId } = (await sent.json()) as { deliveryId: string }
    const path = `/incoming-webhooks/${hook.id}/deliveries/${deliveryId}`
    return waitUntil(async () => {
      const { body } = expectOk(await call('GET', path))
      return body.state === 'received' ? null : body
    })
  }
}

const takeLead = await aHook('lead', LEAD)
const takeSale = await aHook('sale', SALE)
const leadOf = async (id: string) => expectOk(await call('GET', `/leads/${id}`)).body
const saleOf = async (id: string) => expectOk(await call('GET', `/sales/${id}`)).body

test('three visitors of a form whose ID is sent with each are three leads, each of its partner', async () => {
  const id = 'lT4Z3j'
  const [anna, ben, carl] = [anEmail('anna'), anEmail('ben'), anEmail('carl')]
  const made = [
    await takeLead({ externalId: id, email: anna, ref: jane.referralCode }),
    await takeLead({ externalId: id, email: ben }),
    await takeLead({ externalId: id, email: carl, ref: bob.referralCode }),
  ]
  assert.deepEqual(
    made.map(({ state }) => state),
    ['processed', 'processed', 'processed'],
  )
  const leads = await Promise.all(made.map((one) => leadOf(one.made.id)))
  assert.deepEqual(
    leads.map(({ email, externalId, partnerId }) => [email, externalId, partnerId]),
    [
      [anna, id, jane.id],
      [ben, null, null],
      [carl, null, bob.id],
    ],
  )
  const [first = '', domain = ''] = [anna.slice(0, 1), anna.slice(anna.indexOf('@'))]
  const warning = `External ID lT4Z3j belongs to someone else (${first}•••${domain}). Recorded by email.`
  assert.deepEqual(
    made.map(({ warnings }) => warnings),
    [[], [warning], [warning]],
  )
  // the same again is the same people
  const again = await takeLead({ externalId: id, email: carl, ref: bob.referralCode, extra: 1 })
  assert.equal(again.made.id, made[2]!.made.id)

  const [paid, paidByCarl] = [
    await takeSale({ externalId: 'of-anna', email: anna, amount: 50_00 }),
    await takeSale({ externalId: 'of-carl', leadExternalId: id, email: carl, amount: 80_00 }),
  ]
  assert.deepEqual(
    (await Promise.all([paid, paidByCarl].map((one) => saleOf(one.made.id)))).map(({ partnerId }) => partnerId),
    [jane.id, bob.id],
  )
})

test('guests are nobody’s, whatever the number for all of them is', async () => {
  for (const guest of [0, 'guest', '00000000-0000-0000-0000-000000000000']) {
    const [anna, ben] = [anEmail('anna'), anEmail('ben')]
    const order = (name: string) => `${name}-${guest}`
    const first = await takeSale({
      externalId: order('801'),
      leadExternalId: guest,
      email: anna,
      amount: 18_00,
      ref: jane.referralCode,
    })
    const next = await takeSale({ externalId: order('802'), leadExternalId: guest, email: ben, amount: 18_00 })
    assert.deepEqual([first.warnings, next.warnings], [[], []])
    const [its, other] = [await saleOf(first.made.id), await saleOf(next.made.id)]
    assert.deepEqual([its.partnerId, other.partnerId], [jane.id, null])
    assert.notEqual(its.leadId, other.leadId)
  }
})

test('an ID without anything else of its own names no sale', async () => {
  const { state, fields } = await takeSale({ externalId: 0, email: anEmail(), amount: 1_00 })
  assert.deepEqual([state, Object.keys(fields)], ['failed', ['externalId']])
})

test('the phone of the person who has the ID doesn’t give them another email', async () => {
  const [mine, other] = [anEmail('mine'), anEmail('other')]
  const who = { externalId: 'C-55', phone: '+14155550155' }
  const first = await takeLead({ ...who, email: mine, ref: jane.referralCode })
  const second = await takeLead({ ...who, email: other })
  assert.notEqual(first.made.id, second.made.id)
  assert.equal((await leadOf(first.made.id)).email, mine)
  assert.equal(second.warnings.length, 1)
})

test('the status of a person is changed by email if the ID is another’s', async () => {
  const takeStatus = await aHook(
    'lead-status',
    ['leadExternalId', 'email', 'status'].map((field) => ({ field, path: field })),
  )
  const [mine, other] = [anEmail('mine'), anEmail('other')]
  const first = await takeLead({ externalId: 'C-56', email: mine })
  const second = await takeLead({ externalId: 'C-57', email: other })
  await takeStatus({ leadExternalId: 'C-56', email: other, status: 'qualified' })
  assert.deepEqual([(await leadOf(first.made.id)).status, (await leadOf(second.made.id)).status], ['new', 'qualified'])
})

test('a sale told again with another amount stays, with a warning; of another person too, it fails', async () => {
  const email = anEmail()
  const sale = { externalId: 'R-1', email, amount: 18_00 }
  const first = await takeSale(sale)
  const second = await takeSale({ ...sale, amount: 22_00 })
  assert.deepEqual(
    [second.state, second.made.id, second.warnings],
    ['processed', first.made.id, ['Already recorded with $18.00; this says $22.00.']],
  )
  const third = await takeSale({ ...sale, email: anEmail(), amount: 22_00 })
  assert.deepEqual(
    [third.state, third.fields],
    [
      'failed',
      { externalId: 'A sale with this ID has another email and another amount. Map an ID that each sale has alone' },
    ],
  )
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a refund counts without its sign, and one of nothing is skipped', async () => {
  const takeRefund = await aHook(
    'refund',
    ['externalId', 'saleExternalId', 'amount'].map((field) => ({ field, path: field })),
  )
  const made = await takeSale({ externalId: 'R-2', email: anEmail(), amount: 29_35 })
  const refund = (externalId: string, amount: number) => takeRefund({ externalId, saleExternalId: 'R-2', amount })
  const outcomes = [
    await refund('r-1', -10_00),
    await refund('r-1', -10_00),
    await refund('r-2', 0),
    await refund('r-3', 19_35),
  ]
  assert.deepEqual(
    outcomes.map(({ state, reason }) => [state, reason]),
    [
      ['processed', null],
      ['processed', null],
      ['ignored', 'This refund’s amount is 0.'],
      ['processed', null],
    ],
  )
  assert.deepEqual((await refund('r-4', -1)).state, 'ignored')
  assert.equal((await saleOf(made.made.id)).refundedAmount, 29_35)
})
