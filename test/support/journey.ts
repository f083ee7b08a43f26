import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import {
  ADMINISTRATOR,
  acceptInvitation,
  anEmail,
  aPartner,
  expectOk,
  PASSWORD,
  signIn,
  type TestApp,
  waitUntil,
} from './app.ts'
import { expectAccessible, failOnPageErrors } from './browser.ts'
import { bankDetails } from './payouts.ts'
import { createTestDatabase } from './postgres.ts'
import { type Running, startProduct } from './running.ts'
import { type KeptMail, listSavedMails } from './saved-mails.ts'

/** The part of an app that the builders of app.ts need, of a product in its own process. */
export type Site = TestApp & { end(): Promise<void> }

/** Starts the real product with these variables, for one journey, on its own database in the tests' PostgreSQL. */
export async function startSite(variables: Record<string, string> = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-journey-'))
  const database = variables.DATABASE_URL ? null : await createTestDatabase()
  const running: Running = await startProduct(folder, { ...(database && { DATABASE_URL: database.url }), ...variables })
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
  const { token: admin } = await sharedSession(site, ADMINISTRATOR)
  const email = anEmail('elena')
  const owner = { email, firstName: 'Elena', lastName: 'Marsh' }
  const { body } = expectOk(await site.api('POST', '/accounts', { token: admin, body: { name, owner } }))
  const { token } = await remember(site, email, acceptInvitation(site, body.ownerInvitation.url))
  if (Object.keys(settings).length)
    expectOk(await site.api('PATCH', `/accounts/${body.id}`, { token, body: { timeZone: 'UTC', ...settings } }))
  return { id: body.id as string, email, token }
}

/** A partner who has set a password. */
export async function aSignedUpPartner(
  site: Site,
  account: { id: string; token: string },
  fields: Record<string, unknown>,
) {
  const partner = await aPartner(site, account, fields, { signIn: true })
  remember(site, partner.email, Promise.resolve(partner as Session))
  return partner as Person & { id: string; displayName: string }
}

/** A partner with payout details who is approved; a test may leave out either to see the message. */
export async function aSignedUpPayee(
  site: Site,
  account: { id: string; token: string },
  fields: Record<string, unknown>,
  { details = true, approved = true } = {},
) {
  const partner = await aSignedUpPartner(site, account, fields)
  if (details)
    expectOk(
      await site.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: bankDetails() }),
    )
  const body = { approvedPayoutYears: [new Date().getUTCFullYear()] }
  if (approved) expectOk(await site.api('PUT', `/partners/${partner.id}`, { token: account.token, body }))
  return partner
}

export type Known = { email: string; password?: string }
type Session = Awaited<ReturnType<typeof signIn>>

const sessions = new WeakMap<Site, Map<string, { session: Promise<Session>; until: number }>>()

/**
 * A session of this person, shared by all tests on this site while it is young; they don't change it. A test that ends
 * or renews sessions signs in separately.
 */
function sharedSession(site: Site, { email, password }: Known): Promise<Session> {
  const known = sessions.get(site)?.get(email)
  if (known && Date.now() < known.until) return known.session
  return remember(site, email, signIn(site, email, password))
}

/** Stores a session for later tests, such as the one that began with setting a password. */
function remember(site: Site, email: string, session: Promise<Session>) {
  const ofSite = sessions.get(site) ?? new Map<string, { session: Promise<Session>; until: number }>()
  sessions.set(site, ofSite)
  ofSite.set(email, { session, until: Date.now() + 5 * 60_000 })
  return session
}

let signedIn = 0

/**
 * Gives the browser this person's session and no other data from the next document on. The storage state of a context,
 * Playwright's own way, needs a page and a process each time.
 */
async function storeSession(page: Page, site: Site, who: Known) {
  const { token, refreshToken } = await sharedSession(site, who)
  const session = JSON.stringify({ accessToken: token, refreshToken })
  await page.addInitScript(beginSession, { origin: site.url, begun: `begun-${++signedIn}`, session })
}

/** Runs in the page before the application: only once, since the application manages the session from then on. */
function beginSession({ origin, begun, session }: { origin: string; begun: string; session: string }) {
  if (location.origin !== origin || sessionStorage.getItem(begun)) return
  sessionStorage.setItem(begun, 'yes')
  localStorage.clear()
  localStorage.setItem('tributary.session', session)
}

/** Opens an address as this signed-in person, and waits for its screen. */
export async function openAs(page: Page, site: Site, who: Known, path = '/') {
  await storeSession(page, site, who)
  await page.goto(`${site.url}${path}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Signs in on the sign-in screen, which must be open. */
export async function signInOnScreen(page: Page, { email, password = PASSWORD }: Known) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** A page of a browser in which this person is signed in; complaints go into `complaints`. */
export async function signedInPage(
  browser: Browser,
  site: Site,
  who: Known,
  complaints: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await storeSession(page, site, who)
  await failOnPageErrors(page, complaints)
  return page
}

/** Goes to an address inside the running application. */
export const visitPath = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path)

/** Waits until no request is under way on this page and a frame has passed without a change. */
export const atRest = (page: Page, words = { loading: 'Loading...', wait: 'Please wait...' }) =>
  page.evaluate(settle, words)

/** Runs in the page. */
async function settle({ loading, wait }: { loading: string; wait: string }) {
  let changed = true
  const observer = new MutationObserver(() => {
    changed = true
  })
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const busy = () =>
    // a tab is empty while its code loads
    document.querySelector(`[aria-label="${loading}"], [aria-busy=true], [role=tabpanel]:empty`) ??
    [...document.querySelectorAll('[role=status], button')].find(({ textContent: said }) =>
      [loading, wait].includes(said),
    )
  for (const until = performance.now() + 10_000; changed || busy(); ) {
    if (performance.now() > until) throw new Error(`${location.href} does not come to rest: ${busy()?.outerHTML}`)
    changed = false
    await new Promise(requestAnimationFrame)
  }
  observer.disconnect()
}

/** Reopens a screen inside the running application, whatever its heading. */
export async function reopenScreen(page: Page, path: string) {
  await visitPath(page, '/no/such/page')
  await expect(pageHeading(page, 'Page not found')).toBeVisible()
  await visitPath(page, path)
  await expect(pageHeading(page, 'Page not found')).toBeHidden()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await atRest(page)
}

/**
 * Checks axe's rules on the page as it is, in the light theme; in the dark one only those of color, which is all it
 * changes.
 */
export async function expectAccessibleInBothThemes(page: Page) {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectAccessible(page, 'color-contrast', 'link-in-text-block')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page)
}

/** Shows a form's optional fields, unless they are shown already. */
export async function showOptions(page: Page) {
  const more = page.getByRole('button', { name: 'More options' })
  if ((await more.getAttribute('aria-expanded')) === 'false') await more.click()
}

/** Opens the menu with a list's file and its page's rare actions, and chooses one. */
export async function fromMore(page: Page, name: string) {
  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Chooses from the menu of a connected payment provider. */
export async function fromProvider(page: Page, provider: string, name: string) {
  await page.getByRole('button', { name: `Actions for ${provider}`, exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** The H1, focused or not. */
export const pageHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** Returns the last mail to this address that satisfies `is`, once it is stored. */
export function mailTo(site: Site, email: string, is: (mail: KeptMail) => boolean) {
  const app = { services: { config: { dataDir: (site as unknown as Running).dataDir } } } as TestApp
  return waitUntil(
    async () => (await listSavedMails(app)).findLast((mail) => mail.to.includes(email) && is(mail)),
    30_000,
  )
}

/** Returns the link of a person's invitation mail to an account, once it is stored. */
export async function invitationLink(site: Site, email: string, account: string) {
  const mail = await mailTo(site, email, ({ text, link }) => text.includes(account) && link !== undefined)
  return mail.link as string
}
