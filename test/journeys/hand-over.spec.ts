import type { Locator, Page } from '@playwright/test'
import { CALENDLY, STRIPE_ELEMENTS, TYPEFORM } from '../fakes/page-libraries.ts'
import { aPartner, expectOk } from '../support/app.ts'
import { bundlePage } from '../support/bundled.ts'
import { anOwner } from '../support/journey.ts'
import type { SharedSite } from '../support/populated-account.ts'
import { standInShop } from '../support/shop-site.ts'
import { expect, test } from '../support/test.ts'

// The script hands a visitor's referral over to what a page has for it: fields, checkouts, frames and other domains.

const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))

let shop: Awaited<ReturnType<typeof standInShop>>
test.beforeAll(async () => {
  shop = await standInShop()
  shop.files['/react-field.js'] = await bundlePage(REACT_FIELD)
})
test.afterAll(() => shop.close())

/** A field whose value React keeps, and shows. */
const REACT_FIELD = `
  import { createElement as h, useState } from 'react'
  import { createRoot } from 'react-dom/client'
  function Form() {
    const [partner, setPartner] = useState('')
    return h('form', null, h('input', { name: 'tributary_ref', value: partner, onChange: ({ target }) => setPartner(target.value) }),
      h('output', null, partner))
  }
  createRoot(document.getElementById('root')).render(h(Form))`

async function anAccountFor(site: SharedSite, settings: object = {}) {
  const owner = await anOwner(site)
  const partner = await aPartner(site, owner)
  const path = `/accounts/${owner.id}/embed-code`
  const { snippet } = expectOk(await site.api('PUT', path, { token: owner.token, body: { config, ...settings } })).body
  const leads = async (): Promise<{ email: string; partnerId: string | null }[]> => {
    const { items } = expectOk(await site.api('GET', `/accounts/${owner.id}/leads`, { token: owner.token })).body
    return items.map(({ email, partnerId }: { email: string; partnerId: string | null }) => ({ email, partnerId }))
  }
  return { owner, partner, snippet, code: partner.referralCode, leads }
}

/** Opens a page of the shop and waits until the click is counted; returns its id. */
async function arrive(page: Page, code: string, address = shop.url) {
  await page.goto(`${address}/?ref=${code}`)
  return counted(page)
}

async function counted(page: Page) {
  await page.waitForFunction(() => window.tributary?.clickId)
  return page.evaluate(() => window.tributary!.clickId!)
}

/** Holds the counting of clicks back until the returned function is called. */
async function heldClicks(page: Page) {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/clicks', async (route) => {
    await held
    await route.continue()
  })
  return release
}

const consent = (page: Page, given: boolean) => page.evaluate((is) => window.tributary!('consent', is), given)
const hrefOf = (link: Locator) => link.getAttribute('href')

test('fields get the code, then the click, unless they hold something else, and are emptied when consent is revoked', async ({
  page,
  site,
  complaints,
}) => {
  const { code, snippet } = await anAccountFor(site)
  shop.pages['/'] = `<script>heard = []; for (const type of ['input', 'change'])
      addEventListener(type, ({ target }) => heard.push(type + ' ' + target.id))</script>
    <form data-tributary id="marked"><input type="email" name="email"></form>
    <form data-tributary="off" id="off"></form>
    <form><input id="by-name" type="hidden" name="form_fields[tributary_ref]"><input id="tributary_ref-2" type="hidden">
      <input id="by-class" class="hidden tributary_ref" type="text"><p class="field tributary_ref"><input id="by-parent" type="hidden"></p>
      <textarea id="by-mark" data-tributary></textarea>
      <input id="filled" name="tributary_ref" value="own"><input id="changed" name="tributary_ref">
      <input id="box" type="checkbox" name="tributary_ref"><input id="other" type="hidden" name="email"></form>${snippet}`
  const release = await heldClicks(page)
  await page.goto(`${shop.url}/?ref=${code}`)
  const values = () =>
    page.evaluate(() =>
      Object.fromEntries(
        Array.from(document.querySelectorAll('input,textarea')).map((one) => [
          one.id || `${(one as HTMLInputElement).form!.id} ${(one as HTMLInputElement).name}`,
          (one as HTMLInputElement).value,
        ]),
      ),
    )
  const filled = (value: string) => ({
    ...{ 'by-name': value, 'tributary_ref-2': value, 'by-class': value, 'by-parent': value, 'by-mark': value },
    ...{ 'marked email': '', 'marked tributary_ref': value, filled: 'own', box: 'on', other: '' },
  })
  await expect.poll(values).toEqual({ ...filled(code), changed: code })
  await page.locator('#changed').fill('typed')
  release()
  const click = await counted(page)
  expect(await values()).toEqual({ ...filled(click), changed: 'typed' })
  const messages = await page.evaluate(() => (window as unknown as { heard: string[] }).heard)
  expect(messages.filter((one) => one.endsWith('by-class'))).toEqual(
    ['input', 'change', 'input', 'change'].map((type) => `${type} by-class`),
  )
  await consent(page, false)
  expect(await values()).toEqual({ ...filled(''), changed: 'typed' })
  expect(complaints).toEqual([])
})

test('fields that come later, or are emptied, are filled before the form is sent; React keeps the value', async ({
  page,
  site,
}) => {
  const { code, snippet } = await anAccountFor(site)
  shop.pages['/'] = `<div id="root"></div><script src="/react-field.js"></script>${snippet}`
  const click = await arrive(page, code)
  await expect(page.locator('output')).toHaveText(click)
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<form id="late"><input name="tributary_ref"><button>Go</button></form>',
    )
  })
  await expect(page.locator('#late input')).toHaveValue(click)
  await page.evaluate(() =>
    addEventListener('submit', (event) => {
      event.preventDefault()
      document.title = String(new FormData(event.target as HTMLFormElement).get('tributary_ref'))
    }),
  )
  await page.locator('#late input').evaluate((input: HTMLInputElement) => {
    input.value = ''
  })
  await page.getByRole('button', { name: 'Go' }).click()
  await expect(page).toHaveTitle(click)
})

test('checkouts get the referral and keep what they have', async ({ page, site }) => {
  const { code, snippet } = await anAccountFor(site, { checkoutDomains: ['pay.acme.example'] })
  const buy = 'https://buy.stripe.com/a1?prefilled_email=x%40y.example#top'
  const signed = 'https://acme.lemonsqueezy.com/checkout/custom/1?signature=2'
  shop.pages['/'] = `<script>${STRIPE_ELEMENTS}</script>
    <stripe-buy-button></stripe-buy-button><stripe-pricing-table client-reference-id="own"></stripe-pricing-table>
    ${[
      buy,
      'https://book.stripe.com/b',
      'https://pay.acme.example/c',
      'https://buy.stripe.com/d?client_reference_id=own',
      'https://acme.lemonsqueezy.com/checkout/buy/1',
      'https://acme.lemonsqueezy.com/checkout/buy/2?checkout%5Bcustom%5D%5Bclick_id%5D=own',
      signed,
      'https://stripe.com/pricing?to=buy.stripe.com',
    ]
      .map((address, at) => `<a id="a${at}" href="${address}">${at}</a>`)
      .join(' ')}<a id="marked" data-tributary href="/next?x=1">Next</a>${snippet}`
  const release = await heldClicks(page)
  await page.goto(`${shop.url}/?ref=${code}`)
  const given = () =>
    page.evaluate(() => Array.from(document.querySelectorAll('a')).map((link) => link.getAttribute('href')))
  const all = (value: string) => [
    `https://buy.stripe.com/a1?prefilled_email=x%40y.example&client_reference_id=${value}#top`,
    `https://book.stripe.com/b?client_reference_id=${value}`,
    `https://pay.acme.example/c?client_reference_id=${value}`,
    'https://buy.stripe.com/d?client_reference_id=own',
    `https://acme.lemonsqueezy.com/checkout/buy/1?checkout[custom][click_id]=${value}`,
    'https://acme.lemonsqueezy.com/checkout/buy/2?checkout%5Bcustom%5D%5Bclick_id%5D=own',
    signed,
    'https://stripe.com/pricing?to=buy.stripe.com',
    `/next?x=1&tributary_ref=${value}`,
  ]
  await expect.poll(given).toEqual(all(code))
  release()
  const click = await counted(page)
  expect(await given()).toEqual(all(click))
  const references = () =>
    page.evaluate(() =>
      ['stripe-buy-button', 'stripe-pricing-table'].map(
        (name) => (document.querySelector(name) as Element & { reference: string | null }).reference,
      ),
    )
  expect(await references()).toEqual([click, 'own'])

  // a page's own code writes an address anew; the click has it all the same
  await page.evaluate(() => document.querySelector('#a0')!.setAttribute('href', 'https://buy.stripe.com/e'))
  await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()))
  await page.locator('#a0').click()
  expect(await hrefOf(page.locator('#a0'))).toBe(`https://buy.stripe.com/e?client_reference_id=${click}`)

  await consent(page, false)
  expect((await given()).filter((address) => address!.includes(click))).toEqual([])
  expect(await hrefOf(page.locator('#a0'))).toBe('https://buy.stripe.com/e')
  expect(await hrefOf(page.locator('#a7'))).toBe('https://stripe.com/pricing?to=buy.stripe.com')
  expect(await references()).toEqual(['', 'own'])
})

test('an element of Stripe that is defined later has the referral, and a code that Stripe drops is not given to it', async ({
  page,
  site,
}) => {
  const { owner, code, snippet } = await anAccountFor(site)
  expectOk(
    await site.api('PATCH', `/accounts/${owner.id}`, { token: owner.token, body: { oldLinkParameters: ['via'] } }),
  )
  shop.pages['/'] = `<stripe-pricing-table></stripe-pricing-table><a href="https://buy.stripe.com/a">Buy</a>
    <input name="tributary_ref">${snippet}`
  const release = await heldClicks(page)
  await page.goto(`${shop.url}/?via=jane.d`)
  await expect(page.getByRole('textbox')).toHaveValue('jane.d')
  expect(await hrefOf(page.getByRole('link'))).toBe('https://buy.stripe.com/a')
  await page.goto(`${shop.url}/?ref=${code}`)
  release()
  const click = await counted(page)
  await page.evaluate(STRIPE_ELEMENTS)
  expect(
    await page.evaluate(
      () => (document.querySelector('stripe-pricing-table') as Element & { reference: string }).reference,
    ),
  ).toBe(click)
})

/** Serves the vendors' pages in frames, which show their own address; returns the host of each that was loaded. */
async function vendors(page: Page) {
  const loaded: string[] = []
  for (const host of ['form.typeform.com', 'calendly.com'])
    await page.route(`https://${host}/**`, (route) => {
      loaded.push(host)
      return route.fulfill({
        contentType: 'text/html',
        body: '<p></p><input aria-label="Answer"><script>document.querySelector("p").textContent = location.search + location.hash</script>',
      })
    })
  return loaded
}

const shownIn = (page: Page, selector: string) => page.frameLocator(selector).locator('p')

test('frames of Typeform and Calendly get the referral, and are loaded again once', async ({ page, site }) => {
  const { code, snippet } = await anAccountFor(site)
  const loaded = await vendors(page)
  shop.pages['/'] =
    `<script>before = history.length</script><div id="form" data-tf-widget="a" data-tf-hidden="plan=pro"></div><button data-tf-popup="b">Open</button>
    <div id="calendar" class="calendly-inline-widget" data-url="https://calendly.com/acme/demo?month=2026-11"></div>
    <div id="own" class="calendly-inline-widget" data-url="https://calendly.com/acme/own?utm_term=own"></div>
    <script>${TYPEFORM}</script><script>${CALENDLY}</script>${snippet}`
  const click = await arrive(page, code)
  await expect(shownIn(page, '#form iframe')).toHaveText(`?typeform-embed=embed-widget#plan=pro&ref=${click}`)
  await expect(shownIn(page, '#calendar iframe')).toHaveText(`?month=2026-11&embed_type=Inline&utm_term=${click}`)
  await expect(shownIn(page, '#own iframe')).toHaveText('?utm_term=own&embed_type=Inline')
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(shownIn(page, 'body > iframe')).toHaveText(new RegExp(`#ref=${click}$`))
  expect(await page.locator('#form').getAttribute('data-tf-hidden')).toBe(`plan=pro,ref=${click}`)
  const before = loaded.length

  // elements that come later are read by the libraries with the referral
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<div id="late" data-tf-widget="c"></div>')
    setTimeout(() => (window as unknown as { tf: { load(): void } }).tf.load(), 600)
  })
  await expect(shownIn(page, '#late iframe')).toHaveText(`?typeform-embed=embed-widget#ref=${click}`)
  expect(loaded.length - before).toBe(1)
  expect(await page.evaluate(() => history.length - (window as unknown as { before: number }).before)).toBe(0)
})

test('a frame is never loaded again while the visitor is in it', async ({ page, site }) => {
  const { code, snippet } = await anAccountFor(site)
  const loaded = await vendors(page)
  shop.pages['/'] = `<div id="form" data-tf-widget="a"></div><script>${TYPEFORM}</script>${snippet}`
  const release = await heldClicks(page)
  await page.goto(`${shop.url}/?ref=${code}`)
  await page.frameLocator('#form iframe').getByLabel('Answer').click()
  release()
  await counted(page)
  await page.evaluate(() => document.body.append(document.createElement('p')))
  await page.waitForTimeout(500)
  expect(loaded).toHaveLength(1)
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.evaluate(() => document.body.append(document.createElement('p')))
  await page.waitForTimeout(500)
  expect(loaded).toHaveLength(1)
})

test('a soft navigation keeps the hand-over: a router that drops the query, and a body that is replaced', async ({
  page,
  site,
}) => {
  const { code, snippet } = await anAccountFor(site)
  const place = '<a href="https://buy.stripe.com/a">Buy</a><form><input name="tributary_ref"></form>'
  shop.pages['/'] = `<main></main>${snippet}<script>history.replaceState(null, '', '/')</script>`
  const click = await arrive(page, code)
  const expectHanded = async () => {
    await expect(page.getByRole('textbox')).toHaveValue(click)
    expect(await hrefOf(page.getByRole('link'))).toBe(`https://buy.stripe.com/a?client_reference_id=${click}`)
  }
  await page.evaluate((html) => {
    history.pushState(null, '', '/pricing')
    document.querySelector('main')!.innerHTML = html
  }, place)
  await expectHanded()
  await page.evaluate((html) => {
    const body = document.createElement('body')
    body.innerHTML = html
    document.body.replaceWith(body)
  }, place)
  await expectHanded()
})

test('before consent nothing is handed over', async ({ page, site }) => {
  const { code, snippet } = await anAccountFor(site, { consentMode: 'required' })
  shop.pages['/'] = `<a href="https://buy.stripe.com/a">Buy</a><form data-tributary></form>${snippet}`
  await page.goto(`${shop.url}/?ref=${code}`)
  await page.waitForFunction(() => !!window.tributary?.link)
  await page.waitForTimeout(300)
  const html = () => page.evaluate(() => document.querySelector('a')!.href + document.querySelector('form')!.innerHTML)
  expect(await html()).toBe('https://buy.stripe.com/a')
  expect(await page.evaluate(() => window.tributary!.link!('https://buy.stripe.com/a'))).toBe(
    'https://buy.stripe.com/a',
  )
  await consent(page, true)
  const click = await counted(page)
  expect(await html()).toContain(click)
  await consent(page, false)
  expect(await html()).not.toContain(click)
})

/** The stand-in shop under two names. */
const at = (name: string) => shop.url.replace('localhost', `${name}.localhost`)
const DOMAINS = ['one.localhost', 'two.localhost']
const SIGN_UP =
  '<form action="/thanks"><label>Email <input type="email" name="email"></label><button>Sign up</button></form>'

async function signUp(page: Page, email: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText('Thank you')).toBeVisible()
}

test('a link to the second domain hands the referral over; the same address six minutes later credits nobody', async ({
  page,
  browser,
  site,
}) => {
  const { code, snippet, leads, partner } = await anAccountFor(site, { domains: DOMAINS, onlyIfReferred: false })
  const reported: string[] = []
  page.on('request', (request) => request.url().endsWith('/clicks') && reported.push(request.url()))
  shop.pages['/'] = `<a href="${at('two')}/app?plan=pro#form">App</a><a href="/near">Near</a>${snippet}`
  shop.pages['/app'] = SIGN_UP + snippet
  const click = await arrive(page, code, at('one'))
  await page.getByRole('link', { name: 'App' }).click()
  await page.waitForURL(`${at('two')}/app*`)
  const address = page.url()
  expect(new URL(address).hash).toBe('#form')
  expect(new URL(address).searchParams.get('tributary_ref')).toMatch(
    new RegExp(`^[\\w-]{12}:${code}\\.${click}\\.\\d{10}\\.\\d{10}$`),
  )
  expect(await counted(page)).toBe(click)
  await signUp(page, 'first@buyer.example')
  await expect.poll(leads).toEqual([{ email: 'first@buyer.example', partnerId: partner.id }])
  expect(reported).toHaveLength(1)

  const context = await browser.newContext()
  const later = await context.newPage()
  await later.clock.setFixedTime(Date.now() + 6 * 60_000)
  await later.goto(address)
  await later.waitForFunction(() => window.tributary?.referral === null)
  await signUp(later, 'second@buyer.example')
  await expect.poll(leads).toContainEqual({ email: 'second@buyer.example', partnerId: null })
  await context.close()
})

test('forms, the middle button and the page’s own code lead to the second domain too, and one domain does not', async ({
  page,
  context,
  site,
}) => {
  const { code, snippet } = await anAccountFor(site, { domains: DOMAINS })
  shop.pages['/'] = `<a href="${at('two')}/app">App</a><a href="${at('three')}/app">Elsewhere</a>
    <form action="${at('two')}/app"><input type="hidden" name="plan" value="pro"><button>Get</button></form>
    <form action="${at('two')}/app" method="post"><button>Post</button></form>${snippet}`
  shop.pages['/app'] = snippet
  const click = await arrive(page, code, at('one'))
  const handed = new RegExp(`[?&]tributary_ref=[\\w-]{12}%3A${code}\\.${click}\\.\\d{10}\\.\\d{10}$`)
  const link = (address: string) => page.evaluate((one) => window.tributary!.link!(one), address)
  expect(await link(`${at('two')}/x?y=1`)).toMatch(handed)
  expect(await link('/x#y')).toBe(`/x?tributary_ref=${click}#y`)
  expect(await link('https://buy.stripe.com/a')).toBe(`https://buy.stripe.com/a?client_reference_id=${click}`)

  const app = page.getByRole('link', { name: 'App' })
  await app.click({ button: 'middle' })
  expect(await hrefOf(app)).toMatch(handed)
  await page.evaluate(() => addEventListener('click', (event) => event.preventDefault(), { once: true }))
  await page.getByRole('link', { name: 'Elsewhere' }).click()
  expect(await hrefOf(page.getByRole('link', { name: 'Elsewhere' }))).toBe(`${at('three')}/app`)
  await consent(page, false)
  expect(await hrefOf(app)).toBe(`${at('two')}/app`)

  await arrive(page, code, at('one'))
  for (const name of ['Get', 'Post']) {
    await context.clearCookies()
    await page.goto(`${at('one')}/`)
    const known = await counted(page)
    await page.getByRole('button', { name }).click()
    await page.waitForURL(`${at('two')}/app*`)
    expect(page.url()).toContain(`%3A${code}.${known}.`)
    expect(await counted(page)).toBe(known)
    await page.evaluate(() => localStorage.clear())
  }
})

test('each of two programs hands its referral over to the second domain, and takes it back', async ({ page, site }) => {
  const programs = [await anAccountFor(site, { domains: DOMAINS }), await anAccountFor(site, { domains: DOMAINS })]
  const tags = programs.map(({ snippet }) => snippet).join('')
  const [first, second] = programs.map(({ code }) => code)
  shop.pages['/'] = `<a href="${at('two')}/app?plan=pro#form">App</a>
    <form action="${at('two')}/app"><button>Get</button></form>${tags}`
  shop.pages['/app'] = tags
  const both = () =>
    page.evaluate(() =>
      (window.tributary?.referrals ?? []).map(({ referralCode, clickId }) => [referralCode, !!clickId]),
    )
  const expected = [first, second].sort().map((code) => [code, true])
  const arrivals = async () => (await both()).toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))
  for (const name of ['App', 'Get']) {
    await page.goto(`${at('one')}/?ref=${first}&ref=${second}`)
    await expect.poll(arrivals).toEqual(expected)
    const app = page.getByRole('link', { name: 'App' })
    // the second press renews both entries
    for (let press = 0; press < 2; press++) {
      await page.evaluate(() => addEventListener('click', (event) => event.preventDefault(), { once: true }))
      await app.click()
      const handed = new URL((await hrefOf(app))!).searchParams
      expect(
        handed
          .getAll('tributary_ref')
          .map((entry) => entry.split('.')[0]!.split(':')[1])
          .toSorted(),
      ).toEqual([first, second].toSorted())
      expect(handed.get('plan')).toBe('pro')
    }
    await consent(page, false)
    expect(await hrefOf(app)).toBe(`${at('two')}/app?plan=pro#form`)
    await consent(page, true)
    await expect.poll(arrivals).toEqual(expected)
    await page.getByRole(name === 'App' ? 'link' : 'button', { name }).click()
    await page.waitForURL(`${at('two')}/app*`)
    await expect.poll(arrivals).toEqual(expected)
    await page.evaluate(() => localStorage.clear())
    await page.context().clearCookies()
  }
})
