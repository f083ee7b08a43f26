import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standInSquare } from '../../../../test/fakes/square.ts'
import { deliverSquare, squareId, squarePayment } from '../../../../test/fakes/square-events.ts'
import { anAccount, expectOk, signIn, startApp, type TestAccount, turnableClock } from '../../../../test/support/app.ts'
import { connectByConsent, workOff } from '../../../../test/support/payment-providers.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { renewDueTokens } from '../refresh.ts'

// Sellers who consent to the operator's own application: tokens that are renewed, and events that name their seller.

const DAY = 86_400_000
const clientId = `sq0idp-${squareId()}`
const secretKey = `sq0csp-${squareId(40)}`
let appUrl = ''
const seller = await standInSquare({
  application: { clientId, secretKey, redirectUri: () => `${appUrl}/oauth/square` },
})
after(() => seller.close())
const { providers } = readConfig({})
const clock = turnableClock('2026-03-02T12:00:00Z')
const app = await startApp({
  clock,
  config: {
    providers: {
      ...providers,
      square: { apiUrl: seller.url, clientId, secretKey, webhookSecret: seller.signatureKey },
    },
  },
})
appUrl = app.url
const platform = `${app.url}/hooks/providers/square/platform`

async function aSeller(account: TestAccount) {
  const { address, ...answer } = await connectByConsent(app, account, 'square')
  assert.equal(address, `${app.url}/oauth/square`)
  const path = `/accounts/${account.id}/payment-providers/connect`
  return app.api('POST', path, {
    token: account.token,
    body: { provider: 'square', code: answer.code, state: answer.state },
  })
}
const connectionOf = async (account: TestAccount, token = account.token) =>
  expectOk(await app.api('GET', `/accounts/${account.id}/payment-providers`, { token })).body.items[0]
const deliverToPlatform = (event: object) => deliverSquare(platform, event as never, seller.signatureKey)
const salesOf = async ({ id, token }: TestAccount) =>
  expectOk(await app.api('GET', `/accounts/${id}/sales`, { token })).body.total

test('a seller authorizes the application; requests to Square use the token they granted', async () => {
  const account = await anAccount(app)
  const { body } = expectOk(
    await app.api('GET', `/accounts/${account.id}/payment-providers/connect-url/square`, { token: account.token }),
  )
  const parameters = Object.fromEntries(new URL(body.url).searchParams)
  assert.deepEqual(
    [parameters.client_id, parameters.session, parameters.scope?.split(' ')[0], parameters.scope?.split(' ').length],
    [clientId, 'false', 'PAYMENTS_READ', 6],
  )
  const made = expectOk(await aSeller(account)).body
  assert.deepEqual(
    [made.method, made.state, made.providerAccountIdentifier, made.accountName, made.webhookUrl],
    ['oauth', 'connected', seller.merchant, 'Northwind Lamps', platform],
  )
  assert.equal(seller.subscriptions.size, 0)

  const completed = squarePayment({ store: seller.store, goods: 4000, tax: 320, createdAt: clock.now() }).completed()
  assert.equal((await deliverToPlatform(completed)).status, 200)
  assert.equal((await deliverToPlatform(completed)).status, 200)
  assert.equal((await deliverSquare(platform, completed, 'another key')).status, 400)
  assert.equal(
    (await deliverSquare(platform, completed, seller.signatureKey, { registered: `${platform}/` })).status,
    400,
  )
  await workOff(app)
  assert.equal(await salesOf(account), 1)
  await app.api('DELETE', `/accounts/${account.id}/payment-providers/disconnect`, {
    token: account.token,
    body: { connectionId: made.id },
  })
  assert.equal(seller.callsTo('POST /oauth2/revoke').length, 1)
})

test('tokens are renewed weekly; a seller’s revoked authorization is reported, and Square gets no further requests', async () => {
  const account = await anAccount(app)
  expectOk(await aSeller(account))
  const before = seller.callsTo('POST /oauth2/token').length
  await renewDueTokens(app.services)
  assert.equal(seller.callsTo('POST /oauth2/token').length, before)
  clock.advance(7 * DAY + 1000)
  await Promise.all([renewDueTokens(app.services), renewDueTokens(app.services)])
  assert.equal(seller.callsTo('POST /oauth2/token').length, before + 1)
  const { token } = await signIn(app, account.ownerEmail)
  assert.equal((await connectionOf(account, token)).state, 'connected')

  const revoked = {
    ...{ merchant_id: seller.merchant, type: 'oauth.authorization.revoked', event_id: squareId() },
    ...{ created_at: clock.now().toISOString(), data: { type: 'revocation', object: { revocation: {} } } },
  }
  assert.equal((await deliverToPlatform(revoked)).status, 200)
  await workOff(app)
  const ended = await connectionOf(account, token)
  assert.equal(ended.state, 'attention')
  assert.match(ended.stateReason, /The seller revoked access in Square\. Connect Square again/)
  const callsBefore = seller.calls.length
  clock.advance(8 * DAY)
  await renewDueTokens(app.services)
  assert.equal(seller.calls.length, callsBefore)
})

test('a code that Square refuses connects nothing', async () => {
  const account = await anAccount(app)
  const { state } = await connectByConsent(app, account, 'square')
  const body = { provider: 'square', code: 'sq0cgp-made-up', state }
  const refused = await app.api('POST', `/accounts/${account.id}/payment-providers/connect`, {
    token: account.token,
    body,
  })
  assert.deepEqual([refused.status, refused.body.error.reason], [422, 'consent_refused'])
  assert.match(refused.body.error.message, /The code or token is not valid/)
})
