import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeStripe } from '../fakes/stripe.ts'
import { type ProductProcess, runProduct } from './process.ts'
import { expect, test } from './test.ts'

export const administrator = { email: 'root@install.example', password: 'orchid-lantern-93-tide' }
export const owner = { email: 'elena@harbor.example', password: 'copper-meadow-71-sail' }
export const newcomer = { email: 'omar@pinegate.example', password: 'walnut-harvest-28-moon' }

let product: ProductProcess
export let stripe: Awaited<ReturnType<typeof fakeStripe>>
export let address: string
export let dataDir: string
/** The path at which the newcomer sets a password. */
export let setupLink: string

/** Gives the calling file a product on its own PostgreSQL, with the account of the owner and that of the newcomer. */
export function prepareShell() {
  test.beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tributary-journey-'))
    stripe = await fakeStripe()
    product = runProduct({
      DATA_DIR: dataDir,
      STRIPE_API_URL: stripe.url,
      APP_ENV: 'staging',
      // One address signs in more often here than a person would in a minute.
      RATE_LIMIT_FACTOR: '10',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    })
    address = await product.ready()
    const { accessToken } = await apiPost('/auth/sign-in', administrator)
    setupLink = await createAccount(newcomer, 'Pinegate Travel', accessToken)
    const token = (await createAccount(owner, 'Harbor Analytics', accessToken)).split('#token=')[1]
    await apiPost('/auth/change-password', { password: owner.password }, token)
  })

  test.afterAll(async () => {
    await product.end('SIGTERM')
    await stripe.close()
    await rm(dataDir, { recursive: true, force: true })
  })
}

export const apiPost = (path: string, body: object, token?: string) => call('POST', path, token, body)
export const apiGet = (path: string, token: string) => call('GET', path, token)

async function call(method: string, path: string, token?: string, body?: object) {
  const response = await fetch(`${address}/api/v1${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  })
  expect(response.ok, `${path} answered ${response.status}`).toBe(true)
  return response.json()
}

/** Makes an account; returns the path of its owner's set-up link. */
export async function createAccount({ email }: { email: string }, name: string, token: string): Promise<string> {
  const { ownerInvitation } = await apiPost('/accounts', { name, owner: { email } }, token)
  return ownerInvitation.url.replace(/^https?:\/\/[^/]+/, '')
}
