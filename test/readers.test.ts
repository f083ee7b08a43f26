import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import { Account } from '#contract/accounts.ts'
import type { Reader } from '#contract/field-readers.ts'
import { Lead } from '#contract/leads.ts'
import { Payout } from '#contract/payouts.ts'
import { restrictedReaders } from '#contract/readers.ts'
import { CommissionEntryWithSale, Refund, Sale } from '#contract/sales.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp } from './support/app.ts'
import { aConnectedShop } from './support/leads.ts'
import { aPayee } from './support/payouts.ts'

const app = await startApp()
const account = await anAccount(app, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [10, 5] } })
const call = async (method: string, path: string, token: string, body?: unknown) =>
  expectOk(await app.api(method, path, { token, body })).body
const get = (path: string, token: string) => call('GET', path, token)

const parent = await aPartner(app, account, {}, { signIn: true })
const partner = await aPayee(app, account, { parentPartnerId: parent.id })
const lead = await call('POST', `/accounts/${account.id}/leads`, account.token, {
  partnerId: partner.id,
  firstName: 'Cora',
  email: anEmail('lead'),
})
const sale = await call('POST', `/leads/${lead.id}/sales`, account.token, { amount: 500_00 })
await call('POST', `/sales/${sale.id}/refunds`, account.token, { amount: 50_00, reason: 'planted' })
await call('POST', `/accounts/${account.id}/payouts/refresh`, account.token)
const [payout] = (await get(`/partners/${partner.id}/payouts`, account.token)).items
await call('POST', `/payouts/${payout.id}/approve`, account.token)

const { db } = app.services
// as if another person had approved it first
await db.run`
  insert into payout_limits (account_id, in_force_at, max_per_payout, approvals, saved_at)
  values (${account.id}, ${db.now}, 0, 2, ${db.now})`
await db.run`
  insert into payout_approvals (id, account_id, payout_id, user_id, at, amount, entries, completed_at)
  select ${payout.id}, account_id, id, approved_by, approved_at, amount, '', approved_at from payouts
  where id = ${payout.id}`
await db.run`
  with file as (
    insert into payment_files (account_id, id, number, method, message_id, count, amount, currency, created_at)
    select account_id, gen_random_uuid(), 1, 'sepa', 'planted', 1, amount, currency, ${db.now} from payouts
    where id = ${payout.id} returning account_id, id)
  insert into payment_file_payouts (account_id, file_id, payout_id, turn, reference)
  select account_id, id, ${payout.id}, 1, 'planted' from file`
await db.run`
  update leads set external_id = 'planted', country = 'planted', landing_url = 'https://planted.example/', referrer = 'https://planted.example/',
    status_reason = 'planted', metadata = '{"planted": "planted"}' where id = ${lead.id}`
await db.run`
  update sales set external_id = 'pi_planted', told_by_shop_id = ${await aConnectedShop(db, account.id)}, description = 'planted', subscription_id = 'planted',
    payer_email = 'planted', customer_id = 'planted', country = 'planted', promotion_codes = '{planted}', hold_rule = 'self-referral',
    hold_policy = 'flag', hold_reason = 'planted', void_reason = 'planted' where id = ${sale.id}`
await db.run`update refunds set external_id = 'planted' where sale_id = ${sale.id}`

/** Fields that stay empty: the lead has no sale, and the payout method pays by itself. */
const unplanted = ['duplicateOfId', 'attempts']

const entryOf = ({ id }: { id: string }): string =>
  sale.commissions.find(({ partnerId }: { partnerId: string }) => partnerId === id).id

type Answer = Record<string, unknown>
const isBlank = (value: unknown) => value == null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Asserts that fields withheld from a reader are present for a permitted reader, and absent from the answer. */
function isWithheld(schema: z.ZodType, reader: Reader, whole: Answer, seen: Answer) {
  assert.equal(seen.id, whole.id)
  const { fields } = restrictedReaders.get(schema)!
  const kept = Object.keys(fields).filter((field) => !fields[field]!.includes(reader) && !unplanted.includes(field))
  assert.ok(kept.length > 0)
  for (const field of kept) {
    assert.ok(!isBlank(whole[field]), `${schema.meta()?.id}.${field} is planted`)
    assert.ok(isBlank(seen[field]), `${schema.meta()?.id}.${field} leaves to the ${reader}: ${seen[field]}`)
  }
}

test('a partner gets no owner-only fields of the contract, anywhere in a response', async () => {
  const both = async (path: string) => [await get(path, account.token), await get(path, partner.token)]
  const [lead1, lead2] = await both(`/leads/${lead.id}`)
  isWithheld(Lead, 'partner', lead1, lead2)
  const [leads1, leads2] = await both(`/partners/${partner.id}/leads`)
  isWithheld(Lead, 'partner', leads1.items[0], leads2.items[0])
  const [sales1, sales2] = await both(`/leads/${lead.id}/sales`)
  isWithheld(Sale, 'partner', sales1.items[0], sales2.items[0])
  isWithheld(Refund, 'partner', sales1.items[0].refunds[0], sales2.items[0].refunds[0])
  const [receipt1, receipt2] = await both(`/commissions/${entryOf(partner)}`)
  isWithheld(Lead, 'partner', receipt1.lead, receipt2.lead)
  isWithheld(Sale, 'partner', receipt1.sale, receipt2.sale)
  const [payout1, payout2] = await both(`/payouts/${payout.id}`)
  isWithheld(Payout, 'partner', payout1, payout2)
  const [entries1, entries2] = await both(`/payouts/${payout.id}/entries`)
  isWithheld(CommissionEntryWithSale, 'partner', entries1.items[0], entries2.items[0])
  const [earned1, earned2] = await both(`/partners/${partner.id}/commissions?kind=earned`)
  isWithheld(CommissionEntryWithSale, 'partner', earned1.items[0], earned2.items[0])
  const seen = [lead2, leads2, sales2, receipt2, payout2, entries2, earned2]
  assert.doesNotMatch(JSON.stringify(seen), /planted/)
})

test('a parent who earns from a sale gets no more of it', async () => {
  const path = `/commissions/${entryOf(parent)}`
  const [whole, seen] = [await get(path, account.token), await get(path, parent.token)]
  isWithheld(Sale, 'partner', whole.sale, seen.sale)
  isWithheld(Refund, 'partner', whole.sale.refunds[0], seen.sale.refunds[0])
  assert.equal(seen.lead, null)
  const [mine] = (await get(`/partners/${parent.id}/commissions`, parent.token)).items
  assert.deepEqual([mine.layer, mine.saleDate, mine.lead, mine.saleDescription], [1, whole.sale.saleDate, null, null])
  const [theirs] = (await get(`/partners/${parent.id}/commissions`, account.token)).items
  assert.equal(theirs.lead.id, lead.id)
  assert.doesNotMatch(JSON.stringify([seen, mine]), /planted/)
})

test('administrators cannot read an account’s key', async () => {
  await call('PUT', `/accounts/${account.id}/api-key`, account.token)
  const whole = await get(`/accounts/${account.id}`, account.token)
  isWithheld(Account, 'admin', whole, await get(`/accounts/${account.id}`, account.admin))
  const { items } = await get('/accounts', account.admin)
  const seen = items.find(({ id }: { id: string }) => id === account.id)
  isWithheld(Account, 'admin', whole, seen)
})
