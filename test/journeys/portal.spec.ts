import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { ADMINISTRATOR, expectOk, signIn, type TestApp } from '../support/app.ts'
import { filterUnexpected } from '../support/browser.ts'
import { blocks } from '../support/docs-commands.ts'
import { anOwner, atRest, expectAccessibleInBothThemes, openAs, pageHeading, type Site } from '../support/journey.ts'
import { aBlueprint } from '../support/links.ts'
import { aPicture, base64 } from '../support/pictures.ts'
import { test } from '../support/test.ts'

// A partner's own screens in the application of an account: its server makes two calls, its page has one iframe.

let site: Site

test.beforeAll(({ site: shared }) => {
  site = shared
})

/** The tag and the script of the docs. */
const documented = blocks.flatMap(({ lang, text }) =>
  lang === 'html' && /contentWindow|<iframe id/.test(text) ? text : [],
)
const hear = 'const messages = []; addEventListener("message", ({ data }) => messages.push(data.type))'

/** An owner's application: a page for its signed-in user, and a token when the frame requests one. */
async function anApplication(key: string, accountId: string) {
  const call = async (method: string, path: string, body: unknown) =>
    expectOk(await site.api(method, path, { token: key, body })).body
  const ada = { email: 'ada@user.example', firstName: 'Ada', lastName: 'Lane' }
  async function session(kind: 'frame' | 'link' = 'frame') {
    const { id } = await call('PUT', `/accounts/${accountId}/partners/by-external-id/user-7`, ada)
    return { id: id as string, ...(await call('POST', `/partners/${id}/portal-sessions`, { kind })) }
  }
  const server = createServer(async (request, response) => {
    if (request.url === '/portal-token') return response.end((await session()).token)
    response.setHeader('content-type', 'text/html')
    const { url } = await session()
    const page = documented.join('').replace('URL', local(url))
    return response.end(`<!doctype html><title>Acme</title><h1>Acme</h1>${page}<script>${hear}</script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, session, close: () => server.close() }
}

/** Names the product as localhost, which an application on this machine may frame. */
const local = (url: string) => url.replace('127.0.0.1', 'localhost')

const CANARY = JSON.stringify({ accessToken: 'canary', refreshToken: 'canary' })

/** Records whose documents touch the session of a signed-in user. */
async function watchStorage(page: Page) {
  await page.addInitScript(() => {
    const touched: string[] = []
    Object.assign(window, { touched })
    for (const act of ['getItem', 'setItem', 'removeItem'] as const) {
      const real = Storage.prototype[act] as (...all: string[]) => string | null
      Storage.prototype[act] = function (...all: string[]) {
        if (this === localStorage && all[0] === 'tributary.session') touched.push(act)
        return real.apply(this, all) as never
      }
    }
  })
}

const portalIn = (page: Page) => page.frameLocator('iframe')
const open = (portal: FrameLocator | Page, name: string, how: Parameters<Locator['click']>[0] = {}) =>
  portal.getByRole('navigation', { name: 'Your program' }).getByRole('link', { name }).click(how)

test('an application frames a user’s portal, gives it another token when it has timed out, and nobody’s sign-in is touched', async ({
  page,
  complaints,
}) => {
  const owner = await anOwner(site)
  const api = async (method: string, path: string, body?: unknown) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body
  await aBlueprint(site, { id: owner.id, token: owner.token })
  const { key } = await api('POST', `/accounts/${owner.id}/api-keys`, { name: 'App', rights: ['partners'] })
  const application = await anApplication(key, owner.id)
  await openAs(page, site, owner, '/integrations/push-data?tab=portal')
  await page.getByText('Samples', { exact: true }).click()
  await expect(page.getByText('portal-sessions')).toBeVisible()
  await page.goto(`${site.url}/integrations/embed-code`)
  await page.getByLabel('Frame Hosts').fill(`http://localhost:${application.port}/`)
  await page.getByLabel('Frame Hosts').press('Enter')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Embed code saved' })).toBeVisible()

  await page.goto(`${local(site.url)}/robots.txt`)
  await page.evaluate((session) => localStorage.setItem('tributary.session', session), CANARY)
  await watchStorage(page)
  await page.goto(`http://localhost:${application.port}/`)
  const portal = portalIn(page)
  await expect(portal.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await expect(portal.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page')
  await expect(portal.getByText('ada@user.example')).toHaveCount(0)
  await open(portal, 'Links')
  await expect(portal.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await expect(portal.getByRole('button', { name: /^Copy link/ })).toBeVisible()
  await open(portal, 'Leads')
  await expect(portal.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  await expect(portal.getByRole('button', { name: 'Download CSV' })).toHaveCount(0)
  // a frame has no session to give to another tab
  await open(portal, 'Links', { modifiers: ['ControlOrMeta'] })
  await expect(portal.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await open(portal, 'Leads', { button: 'middle' })
  await expect(portal.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  expect(page.context().pages()).toHaveLength(1)

  const { id } = await application.session()
  await api('POST', `/partners/${id}/archive`, {})
  await api('PUT', `/partners/${id}`, { state: 'active' })
  await open(portal, 'Payouts')
  await expect(portal.getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible()
  await expect(portal.getByText('No data to show')).toBeVisible()
  const messages = await page.evaluate<string[]>('messages')
  assertHeard(messages)

  await open(portal, 'Overview')
  await portal.getByRole('link', { name: 'Add your payout details' }).first().click()
  await portal.getByRole('button', { name: 'Email me an invitation' }).click()
  await expect(portal.getByText('Check your email to set up your sign-in.')).toBeVisible()
  const frame = page.frames().find((one) => one.url().includes('/portal/'))!
  expect(new URL(frame.url()).hash).toBe('')
  expect(await frame.evaluate(() => (window as unknown as { touched: string[] }).touched)).toEqual([])
  expect(await frame.evaluate(() => localStorage.getItem('tributary.session'))).toBe(CANARY)
  expect(filterUnexpected(complaints, 401, 404)).toEqual([])

  // without an application that answers, it says what to do
  await page.goto('about:blank')
  const { url } = await application.session('link')
  await page.goto(`${local(url).replace('#', '?theme=dark#')}`)
  await expect(pageHeading(page, 'Overview')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  expect(new URL(page.url()).hash).toBe('')
  await page.reload()
  await expect(pageHeading(page, 'Overview')).toBeVisible()
  await atRest(page)
  await expectAccessibleInBothThemes(page)

  // another tab gets a copy of the session, unless the browser opens it by itself
  for (const [how, name] of [
    [{ modifiers: ['ControlOrMeta'] }, 'Leads'],
    [{ button: 'middle' }, 'Payouts'],
  ] as const) {
    const opened = page.context().waitForEvent('page')
    await open(page, name, how as Parameters<Locator['click']>[0])
    const tab = await opened
    await expect(pageHeading(tab, name)).toBeVisible()
    expect(new URL(tab.url()).hash).toBe('')
    await tab.close()
  }
  await expect(pageHeading(page, 'Overview')).toBeVisible()
  await api('PUT', `/accounts/${owner.id}/brand`, { logo: base64(aPicture()), accent: '#0e7c86' })
  const alone = await page.context().newPage()
  await alone.goto(
    await page
      .getByRole('link', { name: 'Leads', exact: true })
      .first()
      .evaluate((link: HTMLAnchorElement) => link.href),
  )
  await expect(alone.getByRole('alert')).toContainText('This page has timed out. Open it again from Harbor Analytics.')
  await expect(alone.getByRole('img', { name: 'Harbor Analytics' })).toBeVisible()
  await expectAccessibleInBothThemes(alone)

  // while the account is disabled: an open portal, one that is opened again, and an unused link
  const { token: admin } = await signIn(site as TestApp, ADMINISTRATOR.email, ADMINISTRATOR.password)
  const switchAccount = async (to: 'disable' | 'enable') =>
    expectOk(await site.api('POST', `/accounts/${owner.id}/${to}`, { token: admin }))
  const unused = local((await application.session('link')).url)
  await switchAccount('disable')
  await alone.goto('about:blank')
  await alone.goto(unused)
  const isDisabled = async (shown: Page) => {
    await expect(pageHeading(shown, 'This account is disabled.')).toBeVisible()
    const contact = shown.getByRole('link', { name: 'Contact us' })
    await expect(contact).toHaveAttribute('href', `mailto:${ADMINISTRATOR.email}`)
  }
  await isDisabled(alone)
  await alone.close()
  await open(page, 'Payouts')
  await isDisabled(page)
  await page.reload()
  await isDisabled(page)
  await expectAccessibleInBothThemes(page)
  await switchAccount('enable')
  await page.reload()
  await expect(pageHeading(page, 'Overview')).toBeVisible()

  await api('POST', `/partners/${id}/archive`, {})
  await page.getByRole('link', { name: 'Commissions' }).first().click()
  await expect(page.getByRole('alert')).toContainText('This page has timed out. Open it again from Harbor Analytics.')
  expect(await page.evaluate(() => localStorage.getItem('tributary.session'))).toBe(CANARY)
  application.close()
})

function assertHeard(messages: string[]) {
  expect(messages[0]).toBe('ready')
  expect(messages).toContain('height')
  expect(messages.filter((type) => type === 'expired')).toEqual(['expired'])
}
