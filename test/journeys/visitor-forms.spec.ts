import type { Page } from '@playwright/test'
import { aPartner, expectOk, waitUntil } from '../support/app.ts'
import { anOwner, signedInPage } from '../support/journey.ts'
import { standInShop } from '../support/shop-site.ts'
import { expect, test } from '../support/test.ts'

// One visitor's forms are one lead (pages.md, rules 26 and 27): the script from the product on pages of a site, in a
// browser, to the leads that the owner reads and the pay of the partner, 5.00 for a qualified lead.

let shop: Awaited<ReturnType<typeof standInShop>>
test.beforeAll(async () => {
  shop = await standInShop()
})
test.afterAll(() => shop.close())

type Site = Parameters<typeof anOwner>[0]
const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']

async function aProgram(site: Site) {
  const owner = await anOwner(site)
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body
  const partner = await aPartner(site, owner)
  const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
  const { snippet } = await call('PUT', `/accounts/${owner.id}/embed-code`, { config })
  const rules = [{ on: 'qualified-lead', layerAmounts: [5_00] }]
  await call('PUT', `/accounts/${owner.id}/terms`, { terms: { rules, otherwise: { layerRates: [10] } } })
  const leads = async () => (await call('GET', `/accounts/${owner.id}/leads?sort=createdAt`)).items
  const submissions = async (lead: { id: string }) => (await call('GET', `/leads/${lead.id}/submissions`)).items
  /** Expects these leads, once this many forms have come; qualifies all, and returns what the partner earned. */
  async function earnedBy(forms: number, expected: object[]): Promise<number> {
    const all = await waitUntil(async () => {
      const sent = (await Promise.all((await leads()).map(submissions))).flat()
      return sent.length === forms && leads()
    })
    expect(all).toMatchObject(expected)
    expect(all).toHaveLength(expected.length)
    for (const { id } of all) await call('POST', `/leads/${id}/status`, { status: 'qualified' })
    const { stats } = await call('GET', `/partners/${partner.id}`)
    expect(stats.numberOfLeads).toBe(expected.length)
    const paid = await Promise.all(all.map(({ id }: { id: string }) => call('GET', `/leads/${id}/commissions`)))
    return paid.flatMap(({ items }) => items).reduce((sum, { amount }) => sum + amount, 0)
  }
  return { owner, partner, snippet, leads, submissions, earnedBy }
}

const EMAIL = '<label>Email <input type="email" name="email"></label>'
const PHONE = '<label>Phone <input type="tel" name="phone"></label>'
const form = (fields: string, action = '/thanks', button = 'Sign up') =>
  `<form action="${action}">${fields}<button>${button}</button></form>`

/** Arrives by the partner's code, and waits until the script is listening and the click is counted. */
async function arrive(page: Page, code: string, path = '/') {
  await page.goto(`${shop.url}${path}?ref=${code}`)
  await page.waitForFunction(() => Boolean(window.tributary?.clickId))
}
const listens = (page: Page) => page.waitForFunction(() => Boolean(window.tributary?.consent))
const press = (page: Page, name = 'Sign up') => page.getByRole('button', { name, exact: true }).click()
async function send(page: Page, label: 'Email' | 'Phone', value: string) {
  await listens(page)
  await page.getByLabel(label, { exact: true }).fill(value)
  await press(page)
}
const thanks = (page: Page) => expect(page.getByText('Thank you')).toBeVisible()

const ann = { email: 'ann@buyer.example', phone: '+1 212 555 0101' }

for (const [name, first, second] of [
  ['an email, then a phone number', 'Email', 'Phone'],
  ['a phone number, then an email', 'Phone', 'Email'],
] as const)
  test(`${name} on the next page are one lead, which pays once`, async ({ page, site, complaints }) => {
    const { partner, snippet, earnedBy } = await aProgram(site)
    const fields = { Email: EMAIL, Phone: PHONE }
    const values = { Email: ann.email, Phone: ann.phone }
    shop.pages['/'] = form(fields[first], '/next') + snippet
    shop.pages['/next'] = `<h1>Next</h1>${form(fields[second])}${snippet}`
    await arrive(page, partner.referralCode)
    await send(page, first, values[first])
    await expect(page.getByRole('heading', { name: 'Next' })).toBeVisible()
    await send(page, second, values[second])
    await thanks(page)
    expect(await earnedBy(2, [ann])).toBe(5_00)
    expect(complaints).toEqual([])
  })

test('steps in one page, forms of their own, and the way back are one lead', async ({ page, site, complaints }) => {
  const { partner, snippet, earnedBy } = await aProgram(site)
  shop.pages['/'] = `<div id="step"></div><script>
    const steps = [${JSON.stringify(form('<label>Name <input name="name"></label>', '/', 'Next'))},
      ${JSON.stringify(form(EMAIL))}, ${JSON.stringify(form(PHONE))}]
    const show = (at) => { step.innerHTML = steps[at] ? steps[at] + '<a href="#" id="back">Back</a>' : 'Thank you'
      if (!steps[at]) return
      step.querySelector('form').onsubmit = (event) => { event.preventDefault(); show(at + 1) }
      back.onclick = () => show(at - 1) }
    show(0)</script>${snippet}`
  await page.clock.install()
  await arrive(page, partner.referralCode)
  await page.getByLabel('Name').fill('Ann Lee')
  await press(page, 'Next')
  await send(page, 'Email', ann.email)
  await expect(page.getByLabel('Phone')).toBeVisible()
  await page.clock.fastForward(60_000)
  await page.getByText('Back').click()
  await send(page, 'Email', ann.email)
  await page.clock.fastForward(60_000)
  await send(page, 'Phone', ann.phone)
  await thanks(page)
  expect(await earnedBy(3, [ann])).toBe(5_00)
  expect(complaints).toEqual([])
})

test('the browser’s back button and the same email again make no second lead', async ({ page, site }) => {
  test.skip(process.env.JOURNEYS_IN === 'firefox', 'its driver loses a page that was kept for the way back')
  const { partner, snippet, earnedBy } = await aProgram(site)
  shop.pages['/'] = form(EMAIL, '/next') + snippet
  shop.pages['/next'] = `<h1>Next</h1>${form(PHONE)}${snippet}`
  await arrive(page, partner.referralCode)
  await send(page, 'Email', ann.email)
  await expect(page.getByRole('heading', { name: 'Next' })).toBeVisible()
  await page.evaluate(() => history.back())
  await expect(page.getByLabel('Email')).toBeVisible()
  await send(page, 'Email', ann.email)
  await expect(page.getByRole('heading', { name: 'Next' })).toBeVisible()
  await send(page, 'Phone', ann.phone)
  await thanks(page)
  expect(await earnedBy(3, [ann])).toBe(5_00)
})

const AT_WORK = `<form>${EMAIL}${PHONE}<p id="said"></p><button>Sign up</button></form><script>
  document.forms[0].onsubmit = (event) => {
    event.preventDefault()
    const { email } = event.target.elements
    said.textContent = email.value.endsWith('gmail.com') ? 'Use your work email' : 'Welcome'
  }</script>`

test('an email that the site refuses is corrected by the next one, as the owner reads', async ({
  page,
  browser,
  site,
  complaints,
}) => {
  const { owner, partner, snippet, leads, earnedBy } = await aProgram(site)
  shop.pages['/'] = AT_WORK + snippet
  await page.clock.install()
  await arrive(page, partner.referralCode)
  await page.getByLabel('Phone').fill(ann.phone)
  await send(page, 'Email', 'ann@gmail.com')
  await expect(page.getByText('Use your work email')).toBeVisible()
  await page.clock.fastForward(5 * 60_000)
  // typed over, key by key, and sent by the Enter key
  await page.getByLabel('Email').press('ControlOrMeta+a')
  await page.getByLabel('Email').pressSequentially(ann.email)
  await page.getByLabel('Email').press('Enter')
  await expect(page.getByText('Welcome')).toBeVisible()
  expect(await earnedBy(2, [ann])).toBe(5_00)
  expect(complaints).toEqual([])

  const [lead] = await leads()
  const owners = await signedInPage(browser, site, owner, complaints)
  await owners.goto(`${site.url}/leads/${lead.id}`)
  await expect(owners.getByText('Email corrected')).toBeVisible()
  const sent = owners.getByRole('region', { name: 'Raw submissions' })
  await sent.getByRole('button', { name: 'Show' }).click()
  await expect(sent.getByText('"email": "ann@gmail.com"')).toBeVisible()
  await expect(sent.getByText(`"email": "${ann.email}"`)).toBeVisible()
  await owners.close()
})

for (const [when, after] of [
  ['at once', 0],
  ['once its own server has answered', 3000],
] as const)
  test(`two people at one tablet, whose page empties the form ${when}, are two leads`, async ({ page, site }) => {
    const { partner, snippet, earnedBy } = await aProgram(site)
    shop.pages['/'] = `<form>${EMAIL}<button>Sign up</button></form><script>
      document.forms[0].onsubmit = (event) => {
        event.preventDefault()
        setTimeout(() => event.target.reset(), ${after})
      }</script>${snippet}`
    await page.clock.install()
    await arrive(page, partner.referralCode)
    for (const email of ['ann@buyer.example', 'bea@buyer.example']) {
      await page.getByLabel('Email').pressSequentially(email)
      await press(page)
      await page.clock.runFor(60_000)
    }
    expect(await earnedBy(2, [{ email: 'ann@buyer.example' }, { email: 'bea@buyer.example' }])).toBe(10_00)
  })

/** Runs in the page: its leads are lost as `network` in the storage says, on their way or with their answer. */
function lose() {
  navigator.sendBeacon = () => false
  const real = window.fetch
  window.fetch = async (to, init) => {
    const network = localStorage.getItem('network')
    if (!network || !String(to).endsWith('/leads')) return real(to, init)
    if (network === 'no answers') await real(to, init)
    localStorage.setItem('tries', `${Number(localStorage.getItem('tries')) + 1}`)
    throw new TypeError('The network is gone')
  }
}

test('steps sent while there was no network, delivered later and again, are one lead', async ({ page, site }) => {
  const { partner, snippet, earnedBy, leads, submissions } = await aProgram(site)
  shop.pages['/'] = form(EMAIL, '/next') + snippet
  shop.pages['/next'] = `<h1>Next</h1>${form(PHONE)}${snippet}`
  await page.addInitScript(lose)
  const kept = (name: string) => page.evaluate((key) => localStorage.getItem(key), name)
  const become = (network: string) => page.evaluate((to) => localStorage.setItem('network', to), network)
  await arrive(page, partner.referralCode)
  await become('none')
  await send(page, 'Email', ann.email)
  await expect(page.getByRole('heading', { name: 'Next' })).toBeVisible()
  await send(page, 'Phone', ann.phone)
  await thanks(page)
  expect(await leads()).toEqual([])
  await become('no answers')
  for (let turn = 0; turn < 2; turn++) {
    const before = Number(await kept('tries'))
    await page.goto(`${shop.url}/`)
    await expect.poll(() => kept('tries')).toBe(`${before + 2}`)
  }
  await become('')
  await page.goto(`${shop.url}/`)
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => /queue/.test(key)))).toBe(false)
  expect(await earnedBy(2, [ann])).toBe(5_00)
  const [lead] = await leads()
  expect(await submissions(lead)).toHaveLength(2)
})
