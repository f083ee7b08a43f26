import type { Page } from '@playwright/test'
import { ADMINISTRATOR, aPartner, expectOk, signIn, tokenInLink } from '../support/app.ts'
import { filterUnexpected } from '../support/browser.ts'
import { interceptCalls, type Road } from '../support/intercept-calls.ts'
import { anOwner, invitationLink, type Person, pageHeading, type Site, signedInPage } from '../support/journey.ts'
import { aBlueprint } from '../support/links.ts'
import { expect, test } from '../support/test.ts'

// The page of one thing while it loads, when it cannot be loaded, and when it belongs to another role.

type Screen = {
  path: string
  /** The headings before and after the thing is loaded. */
  unloaded: string
  h1: string
  /** The call that reads the object. */
  read: RegExp
  gone: string
}

const partner = {
  read: /^GET \/partners\/[^/]+$/,
  gone: 'This partner doesn’t exist, or was deleted.',
}
const lead = {
  read: /^GET \/leads\/[^/]+$/,
  gone: 'This lead doesn’t exist, or it belongs to another account.',
}
const link = {
  read: /^GET \/link-blueprints\/[^/]+$/,
  gone: 'This link doesn’t exist, or it was deleted.',
}

const ofOwner: readonly Screen[] = [
  { path: '/partners/{partner}', unloaded: 'Partner', h1: 'Kit Sato', ...partner },
  { path: '/partners/{partner}/update', unloaded: 'Edit partner', h1: 'Edit partner', ...partner },
  { path: '/leads/{lead}', unloaded: 'Lead', h1: 'Hannah Cole', ...lead },
  { path: '/leads/{lead}/update', unloaded: 'Edit lead', h1: 'Edit lead', ...lead },
  { path: '/leads/{lead}/new-sale', unloaded: 'Add sale', h1: 'Add sale', ...lead },
  { path: '/links/{link}', unloaded: 'Link', h1: 'Spring offer', ...link },
  { path: '/links/{link}/update', unloaded: 'Edit link', h1: 'Edit link', ...link },
  {
    path: '/payouts/{payout}',
    unloaded: 'Payout',
    h1: 'Payout PO-1',
    read: /^GET \/payouts\/[^/]+$/,
    gone: 'This payout doesn’t exist, or its amounts were moved to another one.',
  },
]

const ofAdministrator: readonly Screen[] = [
  {
    path: '/admin/accounts/{account}',
    unloaded: 'Account',
    h1: 'Pinegate',
    read: /^GET \/accounts\/[^/]+$/,
    gone: 'This account doesn’t exist.',
  },
]

const NOTHING = '0198c5a2-6b1e-7c3d-9f00-000000000001'

let site: Site
/** Owner of Harbor Analytics, which is empty, and of Pinegate, which has all these things. */
let elena: Person & { id: string }
let things: Record<string, string>

test.beforeAll(async ({ site: shared }) => {
  site = shared
  elena = await anOwner(site)
  const pinegate = await anOwner(site, {
    name: 'Pinegate',
    payoutDelay: 0,
    defaultCommissionSettings: { layerRates: [20] },
  })
  const post = async (path: string, body: object) =>
    expectOk(await site.api('POST', path, { token: pinegate.token, body })).body
  const kit = await aPartner(site, pinegate, { firstName: 'Kit', lastName: 'Sato' })
  const hannah = { partnerId: kit.id, firstName: 'Hannah', lastName: 'Cole', email: 'hannah@brightline.example' }
  const { id: leadId } = await post(`/accounts/${pinegate.id}/leads`, hannah)
  await post(`/leads/${leadId}/sales`, { amount: 500_00 })
  const blueprint = await aBlueprint(site, pinegate, { name: 'Spring offer' })
  await post(`/accounts/${pinegate.id}/payouts/refresh`, {})
  const payouts = expectOk(await site.api('GET', `/accounts/${pinegate.id}/payouts`, { token: pinegate.token })).body
  things = {
    account: pinegate.id,
    partner: kit.id,
    lead: leadId,
    link: blueprint.id,
    payout: payouts.items[0].id,
  }
  const { token } = await signIn(site, ADMINISTRATOR.email, ADMINISTRATOR.password)
  expectOk(await site.api('PUT', `/accounts/${pinegate.id}/owner`, { token, body: { email: elena.email } }))
  const invitation = await invitationLink(site, elena.email, 'Pinegate')
  expectOk(
    await site.api('POST', '/auth/user-setup/accept', { token: elena.token, body: { token: tokenInLink(invitation) } }),
  )
})

/** A page of this person for all tests of a group, and control of its calls to the API. */
function pageOf(who: () => { email: string; password?: string }, role: () => object | null) {
  const complaints: string[] = []
  let page: Page
  let road: Road
  test.beforeAll(async ({ browser }) => {
    page = await signedInPage(browser, site, who(), complaints)
    road = await interceptCalls(page)
    await page.addInitScript((chosen) => localStorage.setItem('tributary.role', JSON.stringify(chosen)), role())
  })
  test.afterAll(() => page?.context().close())
  test.beforeEach(() => road.open())
  return { current: () => page, road: () => road, complaints }
}

const open = (page: Page, path: string, of: Record<string, string> = things) =>
  page.goto(`${site.url}${path.replace(/\{(\w+)\}/, (_, thing: string) => of[thing] ?? '')}`)

const nothing = new Proxy({}, { get: () => NOTHING })
const failed = (page: Page) => page.getByRole('main').getByRole('alert')

/** The call that an owner's shell needs; an administrator reads accounts as things. */
const ofGate = /^GET \/accounts\/[^/]+$/

function expectStates(of: ReturnType<typeof pageOf>, { path, unloaded, h1, read, gone }: Screen) {
  const shell = read.source === ofGate.source ? /^(?!)/ : ofGate
  test(`${path}, loading and then failed`, async () => {
    const [page, road] = [of.current(), of.road()]
    road.hold()
    await open(page, path)
    await road.someWait()
    await road.release()
    await road.quiet()
    await road.release(shell)
    await expect(pageHeading(page, unloaded)).toBeVisible()
    await expect(page.getByRole('main').locator('[aria-label="Loading..."]').first()).toBeVisible()
    await road.refuse(shell)
    await expect(failed(page).first()).toContainText('Failed to load')
    await expect(pageHeading(page, unloaded)).toBeVisible()
    await road.open()
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await expect(pageHeading(page, h1)).toBeVisible()
    await expect(page.getByText(gone)).toHaveCount(0)
    of.complaints.splice(0)
  })

  test(`${path}, missing`, async () => {
    const page = of.current()
    await open(page, path, nothing)
    await expect(pageHeading(page, unloaded)).toBeVisible()
    await expect(failed(page)).toContainText(gone)
    // retrying cannot bring it back
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await expect(failed(page).getByRole('link', { name: 'Go to home' })).toBeVisible()
    // other calls of the screen name it in their body, and are refused for that
    expect(filterUnexpected(of.complaints.splice(0), 404, 422)).toEqual([])
    expect(
      of
        .road()
        .asked()
        .filter((call) => read.test(call)).length,
    ).toBeGreaterThan(0)
  })
}

test.describe('through its own role', () => {
  const page = pageOf(
    () => elena,
    () => ({ type: 'account-owner', accountId: things.account }),
  )
  for (const screen of ofOwner) expectStates(page, screen)
})

test.describe('to an administrator', () => {
  const page = pageOf(
    () => ADMINISTRATOR,
    () => null,
  )
  for (const screen of ofAdministrator) expectStates(page, screen)
})

test.describe('through another role of the same person', () => {
  const page = pageOf(
    () => elena,
    () => ({ type: 'account-owner', accountId: elena.id }),
  )
  for (const { path, unloaded, h1 } of ofOwner)
    test(path, async () => {
      const screen = page.current()
      await open(screen, path)
      await expect(pageHeading(screen, unloaded)).toBeVisible()
      await expect(screen.getByText('This belongs to another of your roles.')).toBeVisible()
      await expect(screen.getByRole('main').getByRole('textbox')).toHaveCount(0)
      await screen.getByRole('button', { name: 'Switch to Pinegate' }).click()
      await expect(pageHeading(screen, h1)).toBeVisible()
      await expect(screen.getByRole('button', { name: 'Switch role, current: Pinegate' })).toBeVisible()
      await expect(screen.getByText('This belongs to another of your roles.')).toHaveCount(0)
      // Calls for an owner's part of a partner's screen were started for the account of the chosen role.
      expect(filterUnexpected(page.complaints.splice(0), 422)).toEqual([])
    })
})
