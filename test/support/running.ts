import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { ADMINISTRATOR, acceptInvitation, anEmail, aPartner, callsTo, expectOk, signIn, type TestApp } from './app.ts'
import { aBlueprint } from './links.ts'
import { type ProductProcess, runProduct } from './process.ts'

/** The product in its own process, called over HTTP alone. */
export type Running = Pick<TestApp, 'url' | 'api'> & { product: ProductProcess; dataDir: string }

/**
 * Starts it on `DATA_DIR`, by default a new folder below `folder`, without limits per minute; creates the
 * administrator.
 */
export async function startProduct(folder: string, variables: Record<string, string> = {}): Promise<Running> {
  const dataDir = variables.DATA_DIR ?? (await mkdtemp(join(folder, 'data-')))
  const product = runProduct({
    RATE_LIMIT_FACTOR: '0',
    LOG_LEVEL: 'fatal',
    ADMIN_EMAIL: ADMINISTRATOR.email,
    ADMIN_PASSWORD: ADMINISTRATOR.password,
    ...variables,
    DATA_DIR: dataDir,
  })
  const url = await product.ready()
  return { url, api: callsTo(url), product, dataDir }
}

export type SellingAccount = {
  id: string
  /** Its owner's access token. */
  token: string
  apiKey: string
  blueprint: { id: string; key: string }
  /** Referral code of a partner with a parent and a grandparent. */
  code: string
}

/** An account with three earning layers, a link and an API key. */
export async function aSellingAccount(running: Pick<Running, 'url' | 'api'>): Promise<SellingAccount> {
  const app = running as TestApp
  const { token: admin } = await signIn(app, ADMINISTRATOR.email, ADMINISTRATOR.password)
  const owner = { email: anEmail('owner') }
  const { body: account } = expectOk(
    await app.api('POST', '/accounts', { token: admin, body: { name: 'Northwind', owner } }),
  )
  const { token } = await acceptInvitation(app, account.ownerInvitation.url)
  const settings = { timeZone: 'UTC', defaultCommissionSettings: { layerRates: [20, 5, 2] } }
  expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token, body: settings }))
  const { body: renewed } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token }))
  const its = { id: account.id as string, token }
  const top = await aPartner(app, its)
  const middle = await aPartner(app, its, { parentPartnerId: top.id })
  const referrer = await aPartner(app, its, { parentPartnerId: middle.id })
  const { id, key } = await aBlueprint(app, its)
  return { ...its, apiKey: renewed.apiKey, blueprint: { id, key }, code: referrer.referralCode }
}
