import type { Browser, BrowserContextOptions } from '@playwright/test'
import pg from 'pg'
import { expectOk } from '#test/support/app.ts'
import { anOwner, aSignedUpPartner, atRest, type Site, signedInPage, startSite } from '#test/support/journey.ts'
import { createTestDatabase } from '#test/support/postgres.ts'
import { captureShot } from '#test/support/shots.ts'
import { expect, test } from '#test/support/test.ts'

// A partner whose browser is German reads German, unless they choose otherwise; the team reads English.

let site: Site
test.beforeAll(async () => {
  site = await startSite()
})
test.afterAll(() => site.end())

const german: BrowserContextOptions = { locale: 'de-AT' }
const heading = { level: 1 } as const

/** An account with a partner who has earned something. */
async function aProgram() {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20] }, defaultCurrency: 'eur' })
  const jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const post = async (path: string, body: unknown) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  const lead = await post(`/accounts/${owner.id}/leads`, { email: 'h@cole.example', partnerId: jane.id })
  await post(`/leads/${lead.id}/sales`, { amount: 1234_50 })
  return { owner, jane }
}

const openScreen = async (
  browser: Browser,
  who: Parameters<typeof signedInPage>[2],
  path: string,
  complaints: string[],
) => {
  const page = await signedInPage(browser, site, who, complaints, german)
  await page.goto(site.url + path)
  await page.getByRole('heading', heading).waitFor()
  return page
}

test('the screens before signing in are in the language of the browser, of the link, or in the chosen one', async ({
  browser,
}) => {
  const page = await (await browser.newContext(german)).newPage()
  await page.goto(`${site.url}/auth/sign-in`)
  await expect(page.getByRole('heading', { ...heading, name: 'Anmelden' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await captureShot(page, 'languages-sign-in')
  await page.goto(`${site.url}/auth/sign-in?lang=fr`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await page.locator('select').selectOption({ label: 'English' })
  await expect(page.getByRole('heading', { ...heading, name: 'Sign in' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { ...heading, name: 'Sign in' })).toBeVisible()
  // a language without words is English
  await page.goto(`${site.url}/auth/sign-in?lang=tlh`)
  await expect(page.getByRole('heading', { ...heading, name: 'Sign in' })).toBeVisible()
  await page.context().close()
  // a Catalan reads Spanish rather than English
  const catalan = await (await browser.newContext({ locale: 'ca-ES' })).newPage()
  await catalan.addInitScript(() =>
    Object.defineProperty(navigator, 'languages', { get: () => ['ca-ES', 'es-ES', 'de', 'en'] }),
  )
  await catalan.goto(`${site.url}/auth/sign-in`)
  await expect(catalan.locator('html')).toHaveAttribute('lang', 'es')
  await catalan.context().close()
})

test('a partner reads and types German, or the language of their profile; the team reads English', async ({
  browser,
  complaints,
}) => {
  const { owner, jane } = await aProgram()
  const page = await openScreen(browser, jane, '/dashboard', complaints)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await atRest(page)
  await expect(page.locator('main')).toContainText(/€\s246,90/)
  await captureShot(page, 'languages-dashboard')
  await page.goto(`${site.url}/user/profile`)
  await page.locator('#profile-language').selectOption({ label: 'English' })
  await expect(page.getByRole('heading', { ...heading, name: 'Profile' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.getByLabel('Language').selectOption({ label: 'Same as browser' })
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.context().close()

  const team = await openScreen(browser, owner, '/dashboard', complaints)
  await expect(team.locator('html')).toHaveAttribute('lang', 'en')
  await expect(team.getByRole('heading', { ...heading, name: 'Dashboard' })).toBeVisible()
  await team.context().close()
  expect(complaints).toEqual([])
})

test('a preference is one of the languages, that of the browser, or none', async () => {
  const { jane } = await aProgram()
  const prefer = (language: unknown) =>
    site.api('PATCH', '/users/me', { token: jane.token, body: { preferences: { language } } })
  const { items } = expectOk(await site.api('GET', '/languages')).body
  expect(items[0]).toEqual({ language: 'en', name: 'English', parts: ['before', 'partner', 'server'] })
  for (const language of ['de', 'browser', 'en', null]) expectOk(await prefer(language))
  for (const language of ['tlh', '', 4, { de: true }]) {
    const { status, body } = await prefer(language)
    expect(status).toBe(422)
    expect(body.error.fields).toEqual({ 'preferences.language': 'Choose one of the languages' })
  }
})

test('an owner chooses the language of the account and of its page, and a partner reads in German what is wrong', async ({
  browser,
  complaints,
}) => {
  const { owner, jane } = await aProgram()
  const slug = `harbor-${owner.id.slice(-8)}`
  const program = { state: 'open', slug, headline: 'Earn with us' }
  expectOk(await site.api('PUT', `/accounts/${owner.id}/program`, { token: owner.token, body: program }))
  const settings = await openScreen(browser, owner, '/account/settings', complaints)
  await settings.getByLabel('Language', { exact: true }).selectOption({ label: 'Deutsch' })
  await settings.getByRole('group', { name: 'Page Languages' }).getByLabel('Français').check()
  await captureShot(settings, 'languages-settings')
  await settings.getByRole('button', { name: 'Save changes' }).click()
  await expect(settings.getByRole('status').filter({ hasText: 'Settings saved' })).toBeVisible()
  await settings.goto(`${site.url}/join/${slug}`)
  await expect(settings.locator('html')).toHaveAttribute('lang', 'de')
  await captureShot(settings, 'languages-page')
  await settings.getByRole('link', { name: 'Français' }).click()
  await expect(settings.locator('html')).toHaveAttribute('lang', 'fr')
  await settings.context().close()

  const page = await openScreen(browser, jane, '/user/profile', complaints)
  await page.getByLabel('Vorname').fill('www.evil.example')
  await page.getByRole('button', { name: 'Änderungen speichern' }).first().click()
  await expect(page.getByText('Verwenden Sie einen Namen ohne Webadresse')).toBeVisible()
  await captureShot(page, 'languages-mistake')
  await page.context().close()
  expect(complaints).toEqual([])
})

test('sign-in at an account’s own domain is in its language if the browser has none of ours', async ({
  browser,
  complaints,
}) => {
  const database = await createTestDatabase()
  const site = await startSite({ DATABASE_URL: database.url })
  const owner = await anOwner(site, { language: 'it' })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    `insert into hosts (account_id, name, state, proven_at, created_at, updated_at)
     values ($1, 'partner.localhost', 'ready', now(), now(), now())`,
    [owner.id],
  )
  await client.end()
  const cases = [
    { locale: 'fi-FI', host: 'partner.localhost', lang: 'it', asked: ['fi-FI', 'und'] },
    { locale: 'fi-FI', host: '127.0.0.1', lang: 'en', asked: ['fi-FI', 'und'] },
    { locale: 'de-AT', host: 'partner.localhost', lang: 'de', asked: ['de-AT'] },
    { locale: 'en-GB', host: 'partner.localhost', lang: 'en', asked: [] },
  ]
  for (const { locale, host, lang, asked } of cases) {
    const page = await (await browser.newContext({ locale })).newPage()
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    const words: string[] = []
    page.on('request', (request) => words.push(...(/\/words\/before\/(.+)\.json/.exec(request.url())?.slice(1) ?? [])))
    await page.goto(`${site.url.replace('127.0.0.1', host)}/auth/sign-in`)
    await page.getByRole('heading', heading).waitFor()
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    expect(words).toEqual(asked)
    await page.context().close()
  }
  await site.end()
  await database.drop()
  expect(complaints).toEqual([])
})

test('a portal is in its partner’s language, unless its address names another or the browser alone decides', async ({
  browser,
  complaints,
}) => {
  const owner = await anOwner(site, { language: 'it' })
  const call = async (method: string, path: string, body: object, token = owner.token) =>
    expectOk(await site.api(method, path, { token, body })).body
  const { key } = await call('POST', `/accounts/${owner.id}/api-keys`, { name: 'App', rights: ['partners'] })
  const partners = `/accounts/${owner.id}/partners/by-external-id`
  const open = async (language: string | null, locale: string, search = '', kind = 'link') => {
    const ada = { email: 'ada@user.example', firstName: 'Ada', lastName: 'Lane', language }
    const { id } = await call('PUT', `${partners}/ada`, ada, key)
    const { url } = await call('POST', `/partners/${id}/portal-sessions`, { kind }, key)
    const page = await (await browser.newContext({ locale })).newPage()
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(url.replace('#', `${search}#`))
    return page
  }
  const cases = [
    { language: 'de', browserIn: 'en-US', heading: 'Überblick', lang: 'de' },
    { language: 'en', browserIn: 'de-DE', heading: 'Overview', lang: 'en' },
    { language: 'de', browserIn: 'en-US', search: '?lang=fr', heading: 'Vue d’ensemble', lang: 'fr' },
    { language: 'de', browserIn: 'fr-FR', search: '?lang=en', heading: 'Overview', lang: 'en' },
    { language: null, browserIn: 'de-DE', heading: 'Überblick', lang: 'de' },
    { language: null, browserIn: 'en-US', heading: 'Overview', lang: 'en' },
    { language: null, browserIn: 'fi-FI', heading: 'Panoramica', lang: 'it' },
    { language: 'de', browserIn: 'en-US', kind: 'frame', heading: 'Überblick', lang: 'de' },
  ]
  for (const { language, browserIn, search, kind, ...shown } of cases) {
    const page = await open(language, browserIn, search, kind)
    await expect(page.getByRole('heading', { ...heading, name: shown.heading })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', shown.lang)
    if (kind) {
      await page.context().close()
      continue
    }
    await page.getByRole('navigation').getByRole('link').nth(1).click()
    await atRest(page, { loading: 'Loading...', wait: 'Please wait...' })
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', shown.lang)
    await page.context().close()
  }
  // nor does a browser with neither change the order for those who sign in
  const jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const signedIn = await signedInPage(browser, site, jane, [], { locale: 'fi-FI' })
  await signedIn.goto(`${site.url}/user/profile`)
  await expect(signedIn.locator('html')).toHaveAttribute('lang', 'it')
  await signedIn.context().close()
  expect(complaints).toEqual([])
})
