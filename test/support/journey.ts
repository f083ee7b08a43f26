import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { ADMINISTRATOR, accept, anEmail, aPartner, eventually, ok, PASSWORD, signIn, type TestApp } from './app.ts'
import { expect, expectAccessible, hearComplaints } from './browser.ts'
import { type KeptMail, keptMails } from './kept-mails.ts'
import { createTestDatabase } from './postgres.ts'
import { type Running, start } from './running.ts'

/** What the builders of app.ts need of a product that runs as a process of its own. */
export type Site = TestApp & { end(): Promise<void> }

/** The real product with these variables, for one journey; on a database of its own of the tests' PostgreSQL. */
export async function startSite(variables: Record<string, string> = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-journey-'))
  const database = variables.DATABASE_URL ? null : await createTestDatabase()
  const running: Running = await start(folder, { ...(database && { DATABASE_URL: database.url }), ...variables })
  async function end() {
    await running.product.end('SIGTERM')
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...running, end } as unknown as Site
}

export type Person = { email: string; token: string }

/** An account whose owner has set a password; `settings` as of PATCH `/accounts/{id}`. */
export async function anOwner(site: Site, { name = 'Harbor Analytics', ...settings }: Record<string, unknown> = {}) {
  const { token: admin } = await signIn(site, ADMINISTRATOR.email, ADMINISTRATOR.password)
  const email = anEmail('elena')
  const owner = { email, firstName: 'Elena', lastName: 'Marsh' }
  const { body } = ok(await site.api('POST', '/accounts', { token: admin, body: { name, owner } }))
  const { token } = await accept(site, body.ownerInvitation.url)
  if (Object.keys(settings).length)
    ok(await site.api('PATCH', `/accounts/${body.id}`, { token, body: { timeZone: 'UTC', ...settings } }))
  return { id: body.id as string, email, token }
}

/** A partner who has set a password. */
export async function aPartnerOf(site: Site, account: { id: string; token: string }, fields: Record<string, unknown>) {
  return (await aPartner(site, account, fields, { signIn: true })) as Person & { id: string; displayName: string }
}

/** Signs in on the screen and waits for the first one behind it. */
export async function enter(
  page: Page,
  site: Site,
  { email, password = PASSWORD }: { email: string; password?: string },
  path = '/',
) {
  await page.goto(`${site.url}${path}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeHidden()
}

/** A page of a browser in which this person is signed in already; complaints go into `complaints`. */
export async function signedInPage(
  browser: Browser,
  site: Site,
  { email, password }: { email: string; password?: string },
  complaints: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const { token, refreshToken } = await signIn(site, email, password)
  const value = JSON.stringify({ accessToken: token, refreshToken })
  const origins = [{ origin: site.url, localStorage: [{ name: 'tributary.session', value }] }]
  const context = await browser.newContext({ storageState: { cookies: [], origins }, ...options })
  const page = await context.newPage()
  await hearComplaints(page, complaints)
  return page
}

/** Goes to an address inside the application that runs in the page already. */
export const visit = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path)

/** axe's rules on the page as it is, in the light theme; and in the dark one those of color, which is all it changes. */
export async function expectAccessibleInBothThemes(page: Page) {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectAccessible(page, 'color-contrast', 'link-in-text-block')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page)
}

/** The H1, with the focus or without. */
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** The last mail to this address of which `is` holds, once it is kept. */
export function mailTo(site: Site, email: string, is: (mail: KeptMail) => boolean) {
  const app = { services: { config: { dataDir: (site as unknown as Running).dataDir } } } as TestApp
  return eventually(async () => (await keptMails(app)).findLast((mail) => mail.to.includes(email) && is(mail)), 30_000)
}

/** The link of the mail that invites somebody to an account, once it is kept. */
export async function invitationLink(site: Site, email: string, account: string) {
  const mail = await mailTo(site, email, ({ text, link }) => text.includes(account) && link !== undefined)
  return mail.link as string
}
