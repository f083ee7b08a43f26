import type { Page } from '@playwright/test'
import { certifications } from '#contract/tax-certifications.ts'
import { expectOk, PASSWORD, type TestAccount, type TestApp } from '#test/support/app.ts'
import { totpCode } from '#test/support/authenticator.ts'
import { acme, enableInvoicing, hamburg, invoiceDetails } from '#test/support/invoices.ts'
import { anOwner, aSignedUpPartner, aSignedUpPayee, atRest, signedInPage } from '#test/support/journey.ts'
import { MARKED, toMarked, unmarkedWords, withoutMarked } from '#test/support/marked-language.ts'
import { preferMarked, startMarkedSite } from '#test/support/marked-site.ts'
import { aPayout } from '#test/support/payouts.ts'
import { type Populated, populateAccount, type SharedSite } from '#test/support/populated-account.ts'
import { emptyScreens, entries, fillPath, screens } from '#test/support/screens.ts'
import { readShown, withoutNames } from '#test/support/shown-words.ts'
import { expect, test } from '#test/support/test.ts'

// A language of an install whose words are all marked: what a partner reads on each screen is marked, or was typed by a
// person. Texts in answers of the API are marked as well, if the server words them for a partner.

let site: SharedSite
let populated: Populated
/** The texts of the calls that made the accounts, which people typed. */
const typed = new Set([
  'Elena',
  'Marsh',
  'Whitfield',
  'jane-whitfield',
  'sam-ortiz',
  'noah-bennett',
  'Stripe',
  'Wise',
  'WhatsApp',
  'LinkedIn',
])

test.beforeAll(async () => {
  const started = await startMarkedSite()
  const api: SharedSite['api'] = (method, path, options) => {
    addTyped(options?.body)
    return started.api(method, path, options)
  }
  site = { ...started, api }
  populated = await populateAccount(site)
  for (const { token } of [populated.partner, populated.newPartner]) await preferMarked(site, token)
})
test.afterAll(() => site?.end())

/** Words of the machine, such as 'in-payout', are no excuse. */
function addTyped(value: unknown): void {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) addTyped(one)
  else if (typeof value === 'string' && value.length > 2 && !/^[a-z_.-]+$/.test(value)) typed.add(value)
}

const asMarked = { locale: MARKED, viewport: { width: 390, height: 844 } }

const settled = async (page: Page) => {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await atRest(page, { loading: '⟦Loading...⟧', wait: '⟦Please wait...⟧' })
}

/** Returns what is shown, or read out, and is neither marked nor typed. */
async function readUnmarked(page: Page, what: string): Promise<string[]> {
  const longest = [...typed].toSorted((one, other) => other.length - one.length)
  const shown = await page.evaluate(readShown)
  const found = shown.filter(({ text }) => {
    const rest = longest.reduce((rest, one) => rest.replaceAll(one, ' '), withoutNames(withoutMarked(text)))
    return unmarkedWords(rest).length > 0
  })
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return [
    ...found.map(({ text, where }) => `${what}: '${text}' as ${where}`),
    ...(wider > 0 ? [`${what}: ${wider} px wider than the window`] : []),
  ]
}

/** Opens each screen, and each of its dialogs, and returns what is not marked. */
async function walk(page: Page, paths: readonly { path: string; dialogs?: Readonly<Record<string, unknown>> }[]) {
  const found: string[] = []
  for (const { path, dialogs = {} } of paths) {
    await page.goto(site.url + fillPath(path, populated.things))
    await settled(page)
    found.push(...(await readUnmarked(page, path)))
    for (const name of Object.keys(dialogs)) {
      await page
        .getByRole('main')
        .getByRole('button', { name: toMarked(name) })
        .first()
        .click()
      await expect(page.getByRole('dialog')).toBeVisible()
      found.push(...(await readUnmarked(page, `${path}, ${name}`)))
      await page.keyboard.press('Escape')
    }
  }
  return found
}

test('a partner reads no English on any of their screens, nor anybody before signing in', async ({
  browser,
  complaints,
}) => {
  // who connects a payment provider is never a partner
  const own = screens.filter(({ role, path }) => role === 'partner' && !path.startsWith('/oauth/'))
  const page = await signedInPage(browser, site, populated.partner, complaints, asMarked)
  const found = await walk(page, [...own, { path: '/links' }, { path: '/leads/{nothing}' }])
  await page.context().close()
  const empty = await signedInPage(browser, site, populated.newPartner, complaints, asMarked)
  const withNothing = emptyScreens.find(({ who }) => who === 'newPartner')!.paths
  found.push(
    ...(await walk(
      empty,
      withNothing.map(([path]) => ({ path })),
    )),
  )
  await empty.context().close()
  const before = await (await browser.newContext(asMarked)).newPage()
  found.push(...(await walk(before, entries)))
  await before.context().close()
  expect(found).toEqual([])
})

test('signing in by a passkey, a code or a recovery code is marked too', async ({ browser }) => {
  const { email, token } = await aSignedUpPartner(site, await anOwner(site), {
    firstName: 'Jane',
    lastName: 'Whitfield',
  })
  const { secret } = expectOk(await site.api('POST', '/users/me/totp', { token })).body
  expectOk(await site.api('PUT', '/users/me/totp', { token, body: { code: totpCode(secret, new Date()) } }))
  const page = await (await browser.newContext(asMarked)).newPage()
  // a passkey belongs to a name, not to an address
  await page.goto(`${site.url.replace('127.0.0.1', 'localhost')}/auth/sign-in`)
  await expect(page.getByRole('button', { name: toMarked('Sign in with a passkey') })).toBeVisible()
  const found = await readUnmarked(page, 'sign-in')
  const signIn = page.getByRole('button', { name: toMarked('Sign in'), exact: true })
  await page.getByLabel(toMarked('Email')).fill(email)
  await page.getByLabel(toMarked('Password'), { exact: true }).fill(PASSWORD)
  await signIn.click()
  const code = page.getByLabel(toMarked('Authentication Code'))
  await code.fill('000000')
  await signIn.click()
  await expect(page.getByRole('alert')).toBeVisible()
  found.push(...(await readUnmarked(page, 'code')))
  await page.getByRole('button', { name: toMarked('Use a recovery code') }).click()
  await expect(page.getByLabel(toMarked('Recovery Code'))).toBeVisible()
  found.push(...(await readUnmarked(page, 'recovery code')))
  await page.context().close()
  expect(found).toEqual([])
})

test('what the server words is marked too: hidden names, timelines, and why a commission waits and a rule did not match', async ({
  browser,
  complaints,
}) => {
  const owner = await anOwner(site, {
    partnerVisibility: { leadNames: false, leadEmails: false, saleAmounts: true },
    defaultCurrency: 'eur',
    payoutDelay: 30,
  })
  const call = async (method: string, path: string, body: object) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body
  const jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const rules = [{ name: 'Spring', when: { amountFrom: 5000_00 }, layerRates: [30] }]
  await call('PUT', `/accounts/${owner.id}/terms`, { terms: { rules, otherwise: { layerRates: [20] } } })
  const lead = await call('POST', `/accounts/${owner.id}/leads`, { email: 'h@cole.example', partnerId: jane.id })
  const sale = await call('POST', `/leads/${lead.id}/sales`, { amount: 1234_50 })
  await call('POST', `/sales/${sale.id}/refunds`, { amount: 100_00, reason: 'Fewer seats' })
  await preferMarked(site, jane.token)
  const page = await signedInPage(browser, site, jane, complaints, asMarked)
  const paths = [
    '/leads',
    `/leads/${lead.id}`,
    `/commissions/${sale.commissions[0].id}`,
    `/partners/${jane.id}?tab=commissions`,
  ]
  expect(
    await walk(
      page,
      paths.map((path) => ({ path })),
    ),
  ).toEqual([])
  await page.context().close()
})

test('invoices are marked too: details, how VAT applies to them, what they lack, their list and objections', async ({
  browser,
  complaints,
}) => {
  const owner = await anOwner(site, { defaultCurrency: 'eur', payoutDelay: 0 })
  const app = site as unknown as TestApp
  const account = owner as unknown as TestAccount
  await enableInvoicing(app, account)
  addTyped(['INV-1', 'INV-2', 'INV-3', 'INV-4', acme, hamburg])
  const found: string[] = []
  const places = [
    {},
    { smallBusiness: true, vatId: null, taxNumber: '22/815/08151' },
    { country: 'FR', vatId: 'FR40303265045' },
    { country: 'CH', vatId: null },
  ]
  const path = '/partner/settings'
  for (const details of places) {
    const partner = await aSignedUpPayee(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
    await preferMarked(site, partner.token)
    const page = await signedInPage(browser, site, partner, complaints, asMarked)
    found.push(...(await walk(page, [{ path }])))
    await page.getByRole('button', { name: '⟦Add invoice details⟧' }).click()
    found.push(...(await readUnmarked(page, 'invoice details')))
    await page.getByRole('button', { name: '⟦Save invoice details⟧' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    found.push(...(await readUnmarked(page, 'invoice details, saved empty')))
    await invoiceDetails(app, partner, details)
    const { id } = await aPayout(app, account, partner, 100_00)
    const body = { reference: 'Wire' }
    expectOk(await site.api('POST', `/payouts/${id}/mark-paid`, { token: owner.token, body }))
    const list = `/partners/${partner.id}?tab=invoices`
    const paths = [{ path, dialogs: { Change: [] } }, { path: `/partner/payouts/${id}` }, { path: list }]
    found.push(...(await walk(page, paths)))
    await page.getByRole('button', { name: /^⟦Actions for/ }).click()
    found.push(...(await readUnmarked(page, `${list}, menu`)))
    await page.getByRole('menuitem', { name: '⟦Object⟧' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    found.push(...(await readUnmarked(page, `${list}, Object`)))
    await page.context().close()
  }
  expect(found).toEqual([])
})

test('tax forms are marked too: whom they ask, both forms, and what they lack', async ({ browser, complaints }) => {
  // what is signed under penalties of perjury stays in the words of the IRS, marked as English
  addTyped(Object.values(certifications).flatMap((words) => words.split('\n').map(withoutNames)))
  const owner = await anOwner(site)
  expectOk(await site.api('PUT', `/accounts/${owner.id}/invoicing`, { token: owner.token, body: { taxForms: 'ask' } }))
  const partner = await aSignedUpPayee(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  await preferMarked(site, partner.token)
  const page = await signedInPage(browser, site, partner, complaints, asMarked)
  const found = await walk(page, [{ path: '/partner/settings' }])
  await page.getByRole('button', { name: '⟦Add your tax form⟧' }).click()
  for (const answer of ['⟦Yes⟧', '⟦No⟧']) {
    await page.getByRole('radio', { name: answer }).check()
    await page.getByRole('button', { name: '⟦Sign form⟧' }).click()
    found.push(...(await readUnmarked(page, `tax form, ${answer}`)))
  }
  expect(found).toEqual([])
  await page.context().close()
})

test('a portal, and the panel in which a customer invites friends, are marked too', async ({ browser }) => {
  const owner = await anOwner(site, { payoutDelay: 7 })
  const home = `/accounts/${owner.id}`
  const call = async (method: string, path: string, body: object, token = owner.token) =>
    expectOk(await site.api(method, path, { token, body })).body
  const group = await call('POST', `${home}/groups`, {
    ...{ name: 'App customers', kind: 'customers', reward: { as: 'units', unitName: 'credits', unitValue: 100 } },
    terms: {
      rules: [{ on: 'sale', when: { firstPayments: 1 }, layerAmounts: [15_00] }],
      otherwise: { layerAmounts: [0] },
    },
  })
  await call('POST', `${home}/link-blueprints`, { name: 'Home', destinationUrl: 'https://harbor.example/' })
  const { key } = await call('POST', `${home}/api-keys`, { name: 'App', rights: ['partners'] })
  const enrol = (id: string, fields: object) =>
    call('PUT', `${home}/partners/by-external-id/${id}`, { email: `${id}@app.example`, ...fields }, key)
  const customer = await enrol('ann', { firstName: 'Ann', lastName: 'Lee', groupId: group.id })
  const partner = await enrol('bea', { firstName: 'Bea', lastName: 'Lee' })
  for (const { id } of [customer, partner]) {
    const lead = await call('POST', `${home}/leads`, {
      partnerId: id,
      firstName: 'Zebulon',
      email: `of-${id}@friend.example`,
    })
    await call('POST', `/leads/${lead.id}/sales`, { amount: 77_77 })
  }
  const context = await browser.newContext(asMarked)
  const open = async ({ id }: { id: string }, view: object) => {
    const { url } = await call('POST', `/partners/${id}/portal-sessions`, { kind: 'link', ...view }, key)
    const page = await context.newPage()
    await page.goto(url.replace('#', `?lang=${MARKED}#`))
    await settled(page)
    return page
  }
  const found = await readUnmarked(await open(customer, { view: 'invite' }), 'invite')
  const page = await open(partner, {})
  found.push(...(await readUnmarked(page, 'portal')))
  for (const link of await page.getByRole('navigation').getByRole('link').all()) {
    await link.click()
    await settled(page)
    found.push(...(await readUnmarked(page, `portal, ${await link.innerText()}`)))
  }
  expect(found).toEqual([])
  await context.close()
})
