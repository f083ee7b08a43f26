import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importAccount } from '#server/integrations/data-transfer/import-account.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  getAdministratorToken,
  startApp,
  turnableClock,
} from '#test/support/app.ts'
import { exportArchive } from '#test/support/archives.ts'

// An account that moves with a claim that waits for a decision.

const clock = turnableClock(new Date('2026-03-02T12:00:00Z'))
const here = await startApp({ clock })
const there = await startApp({ clock })

test('an open claim is decided in the next install, once', async () => {
  const account = await anAccount(here, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aPartner(here, account, {}, { signIn: true })
  const post = async (path: string, body: object, token = account.token) =>
    expectOk(await here.api('POST', path, { token, body })).body
  const lead = await post(`/accounts/${account.id}/leads`, { email: anEmail() })
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 50_00, externalId: 'order-7' })
  const claim = await post(`/partners/${partner.id}/claims`, { orderId: 'order-7' }, partner.token)
  const archive = await exportArchive(here.services.db, account.id)

  clock.advance(10 * 86_400_000)
  const { db } = there.services
  await importAccount(db, there.services, archive.path, { invitePartners: false })
  const admin = await getAdministratorToken(there)
  const { ownerInvitation } = expectOk(await there.api('GET', `/accounts/${account.id}`, { token: admin })).body
  const { token } = await acceptInvitation(there, ownerInvitation.url)
  const body = { saleId: sale.id, reason: 'Theirs' }
  const accept = () => there.api('POST', `/claims/${claim.id}/accept`, { token, body })
  const answers = await Promise.all([accept(), accept()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.equal(expectOk(await there.api('GET', `/sales/${sale.id}`, { token })).body.partnerId, partner.id)
  assert.deepEqual(await verifyLedger(db), [])
})
