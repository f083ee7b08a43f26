import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible } from '../support/browser.ts'
import { type ProductProcess, runProduct } from '../support/process.ts'
import { standInStripe } from '../support/stand-ins/stripe.ts'
import { expect, test } from '../support/test.ts'

const administrator = { email: 'root@install.example', password: 'orchid-lantern-93-tide' }
const owner = { email: 'elena@harbor.example', password: 'copper-meadow-71-sail' }
const newcomer = { email: 'omar@pinegate.example', password: 'walnut-harvest-28-moon' }

let product: ProductProcess
let stripe: Awaited<ReturnType<typeof standInStripe>>
let address: string
let dataDir: string
let setupLink: string

test.beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tributary-journey-'))
  stripe = await standInStripe()
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
  const { accessToken } = await post('/auth/sign-in', administrator)
  setupLink = await accountOf(newcomer, 'Pinegate Travel', accessToken)
  const token = (await accountOf(owner, 'Harbor Analytics', accessToken)).split('#token=')[1]
  await post('/auth/change-password', { password: owner.password }, token)
})

test.afterAll(async () => {
  await product.end('SIGTERM')
  await stripe.close()
  await rm(dataDir, { recursive: true, force: true })
})

const post = (path: string, body: object, token?: string) => call('POST', path, token, body)
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
async function accountOf({ email }: { email: string }, name: string, token: string): Promise<string> {
  const { ownerInvitation } = await post('/accounts', { name, owner: { email } }, token)
  return ownerInvitation.url.replace(/^https?:\/\/[^/]+/, '')
}

test('the owner sets up by the link, sees the dashboard and signs out', async ({ page, complaints }) => {
  await page.goto(`${address}${setupLink}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Set up your account' })).toBeVisible()
  await expect(page).toHaveURL(`${address}/user-setup`)
  await expect(page.getByText('Pinegate Travel')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Finish setup' }).click()
  await expect(page.getByRole('alert')).toContainText('Check the marked fields')
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/Use at least 12 characters/)
  await expectAccessible(page)

  await page.getByLabel('First Name').fill('Omar')
  await page.getByLabel('Password', { exact: true }).fill(newcomer.password)
  await page.getByLabel('Confirm Password').fill(newcomer.password)
  await page.getByRole('button', { name: 'Finish setup' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  for (const figure of ['Partners', 'Leads', 'Sales', 'Revenue', 'Revenue share', 'Profit']) {
    await expect(
      page
        .getByRole('main')
        .getByRole('term')
        .filter({ hasText: new RegExp(`^${figure}$`) }),
    ).toBeVisible()
  }
  await expect(page.getByRole('region', { name: 'Notice' })).toContainText(
    'Set up your payment integration to start tracking sales',
  )
  await expectAccessible(page)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payouts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payouts' })).toBeFocused()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('tributary.session'))).toBeNull()
  expect(complaints).toEqual([])
})

test('a wrong password is refused in words, the right one leads back to where one wanted to go', async ({
  page,
  complaints,
}) => {
  await page.goto(`${address}/leads?status=won`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill('not-the-password-at-all')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText('Email or password is incorrect.')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  // The browser logs every 401 response to its console.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])

  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  await expect(page).toHaveURL(`${address}/leads?status=won`)

  await page.goto(`${address}/admin/accounts`)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()

  await page.goto(`${address}/no/such/page`)
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to home' }).click()
  await expect(page).toHaveURL(`${address}/dashboard`)
  expect(complaints).toEqual([])
})
