import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { type Call, startServer } from '../../../test/fakes/server.ts'
import { fakeStripe } from '../../../test/fakes/stripe.ts'
import { anAccount, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { connectByConsent, PLATFORM } from '../../../test/support/payment-providers.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { readConfig } from '../../platform/config/config.ts'
import type { Granted, ProviderAccess, ProviderAdapter } from './provider.ts'
import { callProvider } from './provider-calls.ts'
import { renewDueTokens } from './refresh.ts'
import { adapters } from './registry.ts'
import { openCredentials } from './secrets.ts'
import { stripe } from './stripe/adapter.ts'

// A provider whose tokens last for a month and are renewed after a week by a single-use token: using one twice ends the
// connection.

const WEEK = 7 * 86_400_000
const shop = await fakeStripe({ platform: PLATFORM })
let renewals = 0
let rightful = ''
let isEnded = false
const tokens = await startServer((call: Call) => {
  if (isEnded || call.body.refresh_token !== rightful) {
    isEnded = true
    return { status: 401, body: { message: 'The refresh token was used before.' } }
  }
  rightful = `refresh-${++renewals}`
  return { status: 200, body: { refresh_token: rightful } }
})
after(() => Promise.all([shop.close(), tokens.close()]))

async function renewed(credentials: Record<string, string>, { outbound, now }: ProviderAccess): Promise<Granted> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: credentials.refreshToken }),
  }
  const answer = await callProvider(outbound, 'Square', tokens.url, request, ({ message }) => message)
  return {
    credentials: { ...credentials, refreshToken: String(answer.refresh_token) },
    refreshAt: new Date(now.getTime() + WEEK),
  }
}

const square: ProviderAdapter = {
  ...stripe,
  provider: 'square',
  name: 'Square',
  oauth: {
    ...stripe.oauth!,
    async exchange(reach, answer) {
      const { credentials } = await stripe.oauth!.exchange(reach, answer)
      isEnded = false
      rightful = `refresh-${++renewals}`
      return {
        credentials: { ...credentials, refreshToken: rightful },
        refreshAt: new Date(reach.now.getTime() + WEEK),
      }
    },
    refresh: renewed,
  },
}
adapters.unshift(square)
after(() => adapters.splice(adapters.indexOf(square), 1))

const secretKey = randomBytes(32)
const clock = turnableClock('2026-03-02T12:00:00Z')
const { providers } = readConfig({})
const config = { secretKey, providers: { ...providers, square: { apiUrl: shop.url, ...PLATFORM } } }

async function aShop() {
  clock.set('2026-03-02T12:00:00Z')
  const app = await startApp({ clock, config })
  const account = await anAccount(app)
  const connected = await connect(app, account)
  return { app, account, id: connected.id as string }
}

async function connect(app: Awaited<ReturnType<typeof startApp>>, { id, token }: TestAccount, account?: TestAccount) {
  const { code, state } = await connectByConsent(app, account ?? ({ id, token } as TestAccount), 'square')
  const body = { provider: 'square', code, state }
  return expectOk(await app.api('POST', `/accounts/${id}/payment-providers/connect`, { token, body })).body
}

type Shop = Awaited<ReturnType<typeof aShop>>
async function readStored({ app, id }: Shop) {
  const row = await app.services.db.one<{
    accountId: string
    credentialsSealed: Buffer | null
    trouble: string | null
  }>`
    select account_id, credentials_sealed, trouble from provider_connections where id = ${id}`
  return { token: openCredentials(app.services.secrets, { id, ...row })?.refreshToken, trouble: row.trouble }
}

test('tokens are renewed when due, by one of two processes, again and again', async () => {
  const made = await aShop()
  const { app } = made
  const second = await startApp({ db: app.services.db, clock, config: { ...config, appUrl: app.url } })
  const before = tokens.calls.length
  await renewDueTokens(app.services)
  assert.equal(tokens.calls.length, before)
  for (const turn of [1, 2, 3]) {
    clock.advance(WEEK)
    await Promise.all([app, second, app, second].map(({ services }) => renewDueTokens(services)))
    assert.equal(tokens.calls.length, before + turn)
    assert.deepEqual(await readStored(made), { token: rightful, trouble: null })
  }
})

test('while the provider does not respond its token is kept, and renewal is retried later', async () => {
  const made = await aShop()
  clock.advance(WEEK)
  for (const failure of ['reset-before', { status: 503 }, { status: 429, retryAfter: 60 }] as const) {
    tokens.fail(() => true, failure)
    await renewDueTokens(made.app.services)
    const { length } = tokens.calls
    await renewDueTokens(made.app.services)
    assert.equal(tokens.calls.length, length, 'not at once')
    assert.deepEqual(await readStored(made), { token: rightful, trouble: null })
    clock.advance(3_600_000)
  }
  await renewDueTokens(made.app.services)
  assert.deepEqual(await readStored(made), { token: rightful, trouble: null })
})

test('a response lost before it is stored ends such a connection: the owner is told to authorize again', async () => {
  const made = await aShop()
  const { app, account, id } = made
  clock.advance(WEEK)
  const owning = asDatabaseOwner(app.services.db)
  await owning.run`create function planted() returns trigger language plpgsql as 'begin raise exception ''planted''; end'`
  await owning.run`
    create trigger planted before update of credentials_sealed on provider_connections for each row
    execute function planted()`
  app.services.log.level = 'silent'
  await renewDueTokens(app.services)
  app.services.log.level = 'error'
  await owning.run`drop trigger planted on provider_connections`
  clock.advance(3_600_000)
  await renewDueTokens(app.services)
  assert.equal((await readStored(made)).trouble, 'The refresh token was used before.')
  const { length } = tokens.calls
  clock.advance(WEEK)
  await renewDueTokens(app.services)
  assert.equal(tokens.calls.length, length, 'a token that is refused is not tried again')

  clock.set('2026-03-02T12:10:00Z')
  const again = await connect(app, account)
  assert.deepEqual([again.id, again.state], [id, 'connected'])
  clock.advance(WEEK)
  await renewDueTokens(app.services)
  assert.deepEqual(await readStored(made), { token: rightful, trouble: null })
})

test('a connection that ends while its tokens are renewed stores none', async () => {
  const made = await aShop()
  const { app, account, id } = made
  const path = `/accounts/${account.id}/payment-providers/disconnect`
  clock.advance(600_000)
  tokens.fail(() => true, { slowMs: 300 })
  await app.services.db.run`update provider_connections set refresh_at = ${clock.now()} where id = ${id}`
  const renewing = renewDueTokens(app.services)
  await tokens.waitForCalls(() => true, tokens.calls.length + 1)
  expectOk(await app.api('DELETE', path, { token: account.token, body: { connectionId: id } }))
  await renewing
  assert.deepEqual(await readStored(made), { token: undefined, trouble: null })
})

test('tokens due for renewal are renewed before the key is checked', async () => {
  const made = await aShop()
  const { app, account, id } = made
  await app.services.db.run`update provider_connections set refresh_at = ${clock.now()} where id = ${id}`
  const { length } = tokens.calls
  expectOk(await app.api('POST', `/accounts/${account.id}/payment-providers/${id}/check`, { token: account.token }))
  assert.equal(tokens.calls.length, length + 1)
  assert.deepEqual(await readStored(made), { token: rightful, trouble: null })
})
