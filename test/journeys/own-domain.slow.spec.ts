import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import pg from 'pg'
import { issueCertificate } from '../fakes/certificates.ts'
import { anEmail, expectOk, PASSWORD } from '../support/app.ts'
import { failOnPageErrors, filterUnexpected } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  pageHeading,
  type Site,
  startSite,
} from '../support/journey.ts'
import { aBlueprint } from '../support/links.ts'
import { aPicture, base64 } from '../support/pictures.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { test } from '../support/test.ts'

// A program at its own domain, behind a proxy that ends TLS: strangers find its page, partners sign in and see it alone.

const NAME = 'join.harbor.example'
const HERE = `https://${NAME}`

let site: Site
let browser: Browser
let context: BrowserContext
let database: Awaited<ReturnType<typeof createTestDatabase>>
let proxy: ReturnType<typeof createServer>

test.beforeAll(async () => {
  database = await createTestDatabase()
  site = await startSite({ DATABASE_URL: database.url })
  proxy = aProxyTo(site.url)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  browser = await launchChromium({ args: [`--host-resolver-rules=MAP ${NAME}:443 127.0.0.1:${port}`] })
  context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' })
})

test.afterAll(async () => {
  await browser.close()
  proxy.closeAllConnections()
  proxy.close()
  await site.end()
  await database.drop()
})

/** A proxy that forwards calls as the samples do: with the requested name. */
function aProxyTo(url: string) {
  const { key, pem } = issueCertificate({ name: NAME })
  const server = createServer({ key: key.export({ type: 'pkcs8', format: 'pem' }), cert: pem }, (asked, answer) => {
    const { method, headers } = asked
    const passed = request(`${url}${asked.url}`, { method: method!, headers }, (given) => {
      answer.writeHead(given.statusCode!, given.rawHeaders)
      given.pipe(answer)
    })
    asked.pipe(passed)
  })
  return server
}

/** Makes the domain the account's, as if its record and its answer had been checked. */
async function insertDomain(accountId: string) {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    `insert into hosts (account_id, name, state, proven_at, created_at, updated_at)
     values ($1, $2, 'ready', now(), now(), now())`,
    [accountId, NAME],
  )
  await client.query('update accounts set portal_host = $2 where id = $1', [accountId, NAME])
  await client.end()
}

async function signInHere(page: Page, email: string) {
  await page.goto(`${HERE}/auth/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('strangers apply at the root of a domain, partners sign in there, and an owner is shown the way', async () => {
  const owner = await anOwner(site, { name: 'Harbor Analytics' })
  const call = async (method: string, path: string, body?: unknown, token = owner.token) =>
    expectOk(await site.api(method, `/accounts/${owner.id}${path}`, { token, body })).body
  await call('PUT', '/brand', { logo: base64(aPicture()), accent: '#0e7c86' })
  await call('PUT', '/program', { state: 'open', slug: 'harbor', text: 'Earn with Harbor.' })
  const blueprint = await aBlueprint(site, owner)
  const partner = await aSignedUpPartner(site, owner, { referralCode: 'pia' })
  await insertDomain(owner.id)

  const page = await context.newPage()
  const complaints = await failOnPageErrors(page)
  await page.goto(`${HERE}/`)
  await expect(pageHeading(page, 'Become a partner of Harbor Analytics')).toBeVisible()
  await page.getByLabel('First Name').fill('Ada')
  await page.getByLabel('Last Name').fill('Byron')
  await page.getByLabel('Email').fill(anEmail('ada'))
  await page.waitForTimeout(3_100)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(pageHeading(page, 'Thank you')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/join/harbor/thanks')
  await page.goto(`${HERE}/`)
  await page.getByRole('link', { name: 'Sign in' }).click()

  await expect(pageHeading(page, 'Sign in')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Harbor Analytics' })).toBeVisible()
  await expect(page).toHaveTitle(/Harbor Analytics/)
  await expectAccessibleInBothThemes(page)
  await signInHere(page, partner.email)
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  expect(page.url()).toBe(`${HERE}/dashboard`)
  const address = `${NAME}/r/${blueprint.key}/`
  await expect(page.getByRole('region', { name: 'Your link' }).getByRole('code')).toHaveText(`${address}pia`)
  await page.getByRole('button', { name: 'All links and codes' }).click()
  await expect(page.getByRole('cell', { name: address })).toBeVisible()
  await page.goto(`${HERE}/user/profile`)
  await expect(pageHeading(page, 'Profile')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Access tokens' })).toHaveCount(0)
  const visit = await page.evaluate(
    (path) => fetch(path, { redirect: 'manual' }).then(({ type }) => type),
    `/r/${blueprint.key}/pia`,
  )
  expect(visit).toBe('opaqueredirect')
  expect(filterUnexpected(complaints)).toEqual([])

  const other = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' })
  const screen = await other.newPage()
  await signInHere(screen, owner.email)
  await expect(screen.getByText('You aren’t a partner in this program.')).toBeVisible()
  expect(await screen.getByRole('link', { name: /^Sign in at / }).getAttribute('href')).toMatch(
    /^http:\/\/localhost:\d+$/,
  )
  await screen.reload()
  await expect(screen.getByText('You aren’t a partner in this program.')).toBeVisible()
  await expectAccessibleInBothThemes(screen)
})
