import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fakeWise } from '../../../../../test/fakes/wise.ts'
import { anAccount, startApp, waitUntil } from '../../../../../test/support/app.ts'
import { aPayee, aPayout, connectWise, getPayout } from '../../../../../test/support/payouts.ts'
import { isSigned } from './events.ts'
import { WISE_PRODUCTION_KEY } from './production-key.ts'

const wise = await fakeWise()
test.after(() => wise.close())
const app = await startApp({ worker: true })
const { services } = app
Object.assign(services, {
  config: { ...services.config, wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey } },
})
const hook = `${app.url}/hooks/wise`

const aTransfer = async () => {
  const account = await anAccount(app)
  await connectWise(app, account, wise)
  const partner = await aPayee(app, account)
  const { id } = await aPayout(app, account, partner, 80_00)
  await app.api('POST', `/payouts/${id}/approve`, { token: account.token })
  const shown = () => getPayout(app, account, id)
  await waitUntil(async () => (await shown()).status === 'processing' && (await shown()).attempts[0]?.wiseTransferId)
  return { transferId: Number((await shown()).attempts[0]!.wiseTransferId), shown }
}
const jobs = async () =>
  (await services.db.one<{ count: number }>`select count(*) as count from pgboss.job where name = 'pay-out'`).count

test('a signed event has the transfer read back: what it says itself counts for nothing', async () => {
  const { transferId, shown } = await aTransfer()
  const lie = await wise.deliverStateChange(hook, transferId, { state: 'bounced_back' })
  assert.equal(lie.status, 200)
  wise.setState(transferId, 'outgoing_payment_sent')
  assert.equal((await wise.deliverStateChange(hook, transferId)).status, 200)
  await waitUntil(async () => (await shown()).status === 'sent')
  wise.setState(transferId, 'bounced_back')
  assert.equal((await wise.deliverPayoutFailure(hook, transferId, 'Account closed')).status, 200)
  await waitUntil(async () => (await shown()).status === 'returned')
})

test('an open case, a refund and a failed payout are hints too', async () => {
  const { transferId, shown } = await aTransfer()
  const lie = wise.lie(`GET /v1/transfers/${transferId}`, { hasActiveIssues: true })
  const resource = { type: 'transfer', id: transferId, profile_id: wise.businessId, account_id: 1 }
  const event = (event_type: string, data: object) => wise.deliver(hook, { data, event_type, schema_version: '2.0.0' })
  const cases = { resource, active_cases: ['deposit_amount_less_invoice'] }
  assert.equal((await event('transfers#active-cases', cases)).status, 200)
  await waitUntil(async () => /open question/.test((await shown()).failureReason ?? ''))
  lie.end()
  wise.setState(transferId, 'outgoing_payment_sent')
  wise.setState(transferId, 'bounced_back')
  wise.setState(transferId, 'funds_refunded')
  assert.equal((await event('transfers#refund', { resource, refund_amount: 80 })).status, 200)
  await waitUntil(async () => (await shown()).status === 'returned')
})

test('a forged, altered or foreign event does nothing', async () => {
  const { transferId } = await aTransfer()
  const before = await jobs()
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const privateKey = stranger.export({ type: 'pkcs8', format: 'pem' }).toString()
  const forged = await wise.deliverStateChange(hook, transferId, { privateKey })
  assert.equal(forged.status, 400)
  const altered = await wise.deliverStateChange(hook, transferId, { body: '{"data":{}}' })
  assert.equal(altered.status, 400)
  const bare = await app.api('POST', '/hooks/wise', { body: { data: {} } })
  assert.deepEqual([bare.status, bare.body.error.code], [400, 'malformed_request'])
  const unknown = await wise.deliverStateChange(hook, 4_711)
  assert.equal(unknown.status, 200, 'signed, but no transfer of ours')
  const trial = await wise.deliverStateChange(hook, transferId, { test: true })
  assert.equal(trial.status, 200)
  assert.equal(await jobs(), before)
})

test('a delivery that Wise itself signed verifies, with not a byte changed', async () => {
  const read = (name: string) => readFile(new URL(`./fixtures/${name}`, import.meta.url))
  const body = await read('signed-sandbox.body.txt')
  const signature = (await read('signed-sandbox.signature.txt')).toString().trim()
  const key = (await read('sandbox-public-key.pem')).toString()
  assert.equal(isSigned(body, signature, key), true)
  assert.equal(isSigned(Buffer.concat([body, Buffer.from('\n')]), signature, key), false)
  assert.equal(isSigned(body, signature, WISE_PRODUCTION_KEY), false)
  for (const other of [undefined, '', 'AAAA', 'x'.repeat(5000)]) assert.equal(isSigned(body, other, key), false)
})
