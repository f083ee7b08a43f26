import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signIn, startApp } from '../../../test/support/app.ts'
import { enableInvoicing, invoiceDetails, listInvoices } from '../../../test/support/invoices.ts'
import { listPayouts } from '../../../test/support/payouts.ts'
import { paypalInstalls, workOn } from '../../../test/support/paypal-payouts.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp()
const { anInstall, anApproved, show, verb } = paypalInstalls(app)

/** A payment that its recipient has not claimed, taken up again by PayPal, and then refused. */
async function refusedAfterAll({ underInvoicing }: { underInvoicing: boolean }) {
  const install = await anInstall({ autoProgress: false })
  const { paypal, account, partner, services } = install
  if (underInvoicing) await issuing(install)
  const id = await anApproved(install, 100_00)
  await workOn(services, id)
  const [batch] = paypal.payouts.batchesTo(partner.address)
  for (const status of ['UNCLAIMED', 'ONHOLD']) {
    paypal.payouts.set(batch!.id, status)
    await workOn(services, id)
  }
  assert.equal((await show(install, id)).status, 'processing')
  paypal.payouts.set(batch!.id, 'FAILED', 'RECEIVER_COUNTRY_NOT_ALLOWED')
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'returned')
  account.token = (await signIn(app, account.ownerEmail)).token
  return { ...install, id }
}

async function issuing({ account, partner }: Awaited<ReturnType<typeof anInstall>>) {
  await enableInvoicing(app, account)
  await invoiceDetails(app, partner)
}

test('a payment refused after it had left is returned, and its invoice credited', async () => {
  const { account, services } = await refusedAfterAll({ underInvoicing: true })
  const documents = await listInvoices(app, account)
  assert.deepEqual(
    documents.map(({ kind, gross }) => [kind, gross]),
    [
      ['invoice', 119_00],
      ['credit-note', 119_00],
    ],
  )
  assert.deepEqual(await verifyLedger(services.db), [])
})

test('a payout that left without an invoice gets none when another leaves with one', async () => {
  const install = await refusedAfterAll({ underInvoicing: false })
  const { account, partner, services, paypal } = install
  await issuing(install)
  paypal.payouts.progress(true)
  const due = (await listPayouts(app, account, partner)).find(({ status }) => status === 'due' || status === 'open')
  assert.equal(due?.amount, 100_00)
  await services.db.run`update payout_settings set rejected_reason = null where account_id = ${account.id}`
  await verb(install, due!.id, 'approve')
  await workOn(services, due!.id)
  assert.equal((await show(install, due!.id)).status, 'paid')
  const documents = await listInvoices(app, account)
  assert.deepEqual(
    documents.map(({ payoutId, kind, gross }) => [payoutId, kind, gross]),
    [[due!.id, 'invoice', 119_00]],
  )
  assert.deepEqual(await verifyLedger(services.db), [])
})
