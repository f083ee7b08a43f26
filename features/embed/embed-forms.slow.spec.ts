import type { Page } from '@playwright/test'
import { aPartner, expectOk } from '#test/support/app.ts'
import { bundlePage } from '#test/support/bundled.ts'
import { anOwner } from '#test/support/journey.ts'
import { standInShop } from '#test/support/shop-site.ts'
import { expect, test } from '#test/support/test.ts'

// Whether forms as real sites have them become leads: the script from the product on pages of a site, in a browser, to
// the lead that the owner reads. A shape that fails on a customer's site becomes a line here first.

type Element = 'firstName' | 'lastName' | 'email' | 'phone' | 'fieldsContainer' | 'submitButton'
type Lead = { email?: string; firstName?: string; lastName?: string; phone?: string }
type Shape = {
  name: string
  html: string
  /** The owner's queries, if the guesses are not enough. */
  selectors?: Partial<Record<Element, string>>
  act(page: Page): Promise<unknown>
  /** The leads that the owner sees, oldest first. */
  leads: Lead[]
}

const fill = (page: Page, fields: Record<string, string>) =>
  Object.entries(fields).reduce(
    (before, [label, value]) => before.then(() => page.getByLabel(label, { exact: true }).fill(value)),
    Promise.resolve(),
  )
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const thanks = (page: Page) => expect(page.getByText('Thank you')).toBeVisible()

const ada = { email: 'ada@buyer.example', firstName: 'Ada', lastName: 'Byron' }
/** The usual reaction of a site once its own code has sent the form. */
const SENT = `event.currentTarget.outerHTML = '<p>Thank you</p>'`

const shapes: Shape[] = [
  {
    name: 'a plain form that leads to another page',
    html: `<form action="/thanks" method="post"><label>First name <input name="first_name"></label>
      <label>Last name <input name="last_name"></label><label>Email <input type="email" name="email"></label>
      <label>Phone <input type="tel" name="phone"></label><button>Sign up</button></form>`,
    async act(page) {
      await fill(page, { 'First name': 'Ada', 'Last name': 'Byron', Email: ada.email, Phone: '+44 20 7946 0000' })
      await press(page, 'Sign up')
      await thanks(page)
    },
    leads: [{ ...ada, phone: '+44 20 7946 0000' }],
  },
  {
    name: 'fields and a button without a form',
    html: `<nav><button>Menu</button></nav><div><p><input aria-label="Name" name="name"></p><p><input aria-label="Email" type="email">
      <button onclick="fetch('/join', { method: 'POST' })">Join</button></p></div>`,
    async act(page) {
      await fill(page, { Name: 'Ada Byron', Email: ada.email })
      await press(page, 'Menu')
      await press(page, 'Join')
    },
    leads: [ada],
  },
  {
    name: 'Contact Form 7 of WordPress, which sends by script',
    html: `<div class="wpcf7 js"><form class="wpcf7-form init" action="/#wpcf7-f5-o1" method="post" novalidate data-status="init">
      <div style="display:none"><input type="hidden" name="_wpcf7" value="5"><input type="hidden" name="_wpcf7_unit_tag" value="wpcf7-f5-o1"></div>
      <p><label>Your name<br><span class="wpcf7-form-control-wrap" data-name="your-name"><input size="40" class="wpcf7-form-control wpcf7-text" autocomplete="name" name="your-name" type="text"></span></label></p>
      <p><label>Your email<br><span class="wpcf7-form-control-wrap" data-name="your-email"><input size="40" class="wpcf7-form-control wpcf7-email" autocomplete="email" name="your-email" type="email"></span></label></p>
      <p><label>Subject<br><input name="your-subject" type="text"></label></p>
      <p><input class="wpcf7-form-control wpcf7-submit" type="submit" value="Submit"></p></form></div>
      <script>document.querySelector('form').addEventListener('submit', (event) => {
        event.preventDefault()
        fetch('/wp-json/contact-form-7/v1/contact-forms/5/feedback', { method: 'POST', body: new FormData(event.target) })
          .then(() => { event.target.reset(); event.target.insertAdjacentHTML('beforeend', '<p>Thank you</p>') })
      })</script>`,
    async act(page) {
      await fill(page, { 'Your name': 'Ada Byron', 'Your email': ada.email, Subject: 'A question' })
      await press(page, 'Submit')
      await thanks(page)
    },
    leads: [ada],
  },
  {
    name: 'a form of Webflow, which hides itself',
    html: `<div class="w-form"><form id="email-form" name="email-form" data-name="Email Form" method="get" aria-label="Email Form">
      <label for="name">Name</label><input class="w-input" maxlength="256" name="name" data-name="Name" type="text" id="name">
      <label for="email">Email Address</label><input class="w-input" maxlength="256" name="email" data-name="Email" type="email" id="email" required>
      <input type="submit" data-wait="Please wait..." class="w-button" value="Submit"></form>
      <div class="w-form-done" style="display:none"><div>Thank you</div></div></div>
      <script>document.getElementById('email-form').onsubmit = (event) => {
        event.preventDefault(); event.stopPropagation()
        const button = event.target.querySelector('.w-button'); button.value = button.dataset.wait; button.disabled = true
        event.target.style.display = 'none'; document.querySelector('.w-form-done').style.display = 'block'
      }</script>`,
    async act(page) {
      await fill(page, { Name: 'Ada Byron', 'Email Address': ada.email })
      await press(page, 'Submit')
      await thanks(page)
    },
    leads: [ada],
  },
  {
    name: 'a form of HubSpot, which comes late and lets no event pass',
    html: `<div id="hs"></div><script>setTimeout(() => {
      document.getElementById('hs').innerHTML = '<form class="hs-form" novalidate accept-charset="UTF-8" method="POST" data-form-id="f1">' +
        '<div class="hs_firstname"><label for="fn">First name</label><input id="fn" name="firstname" type="text" class="hs-input" autocomplete="given-name"></div>' +
        '<div class="hs_lastname"><label for="ln">Last name</label><input id="ln" name="lastname" type="text" class="hs-input" autocomplete="family-name"></div>' +
        '<div class="hs_email"><label for="em">Email</label><input id="em" name="email" type="email" class="hs-input" inputmode="email"></div>' +
        '<div class="hs_submit"><input type="submit" class="hs-button primary large" value="Download"></div></form>'
      document.querySelector('form').addEventListener('submit', (event) => {
        event.preventDefault(); event.stopImmediatePropagation(); ${SENT}
      }, true)
    }, 50)</script>`,
    async act(page) {
      await fill(page, { 'First name': 'Ada', 'Last name': 'Byron', Email: ada.email })
      await press(page, 'Download')
      await thanks(page)
    },
    leads: [ada],
  },
  {
    name: 'a form of Elementor',
    html: `<form class="elementor-form" method="post" name="New Form"><input type="hidden" name="post_id" value="7"><input type="hidden" name="form_id" value="1a2b">
      <div class="elementor-field-group"><label for="form-field-name" class="elementor-screen-only">Name</label><input size="1" type="text" name="form_fields[name]" id="form-field-name" class="elementor-field" placeholder="Name"></div>
      <div class="elementor-field-group"><label for="form-field-email">Email</label><input size="1" type="email" name="form_fields[email]" id="form-field-email" placeholder="Email" required></div>
      <div class="elementor-field-group"><label for="form-field-tel">Tel</label><input size="1" type="tel" name="form_fields[field_2]" id="form-field-tel"></div>
      <button type="submit" class="elementor-button"><span class="elementor-button-text">Send</span></button></form>
      <script>document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); ${SENT} })</script>`,
    async act(page) {
      await fill(page, { Name: 'Ada Byron', Email: ada.email, Tel: '02079460000' })
      await page.getByText('Send').click()
      await thanks(page)
    },
    leads: [{ ...ada, phone: '02079460000' }],
  },
  {
    name: 'controlled fields of React, emptied as they are sent',
    html: '<div id="root"></div><script src="/react-form.js"></script>',
    async act(page) {
      await fill(page, { 'First name': 'Ada', 'Last name': 'Byron', Email: ada.email })
      await press(page, 'Send')
      await thanks(page)
    },
    leads: [ada],
  },
  {
    name: 'a form in three steps, sent by the last',
    html: `<form onsubmit="event.preventDefault(); ${SENT}"><fieldset><label>Email <input type="email" name="email"></label></fieldset>
      <fieldset hidden><label>First name <input name="fname"></label><label>Last name <input name="lname"></label></fieldset>
      <fieldset hidden><label>Team size <input name="size"></label><button>Finish</button></fieldset><button type="button">Next</button></form>
      <script>let step = 0; document.querySelector('[type=button]').onclick = ({ target }) => {
        const steps = document.querySelectorAll('fieldset'); steps[step].hidden = true; steps[++step].hidden = false; target.hidden = step === 2
      }</script>`,
    async act(page) {
      await fill(page, { Email: ada.email })
      await press(page, 'Next')
      await fill(page, { 'First name': 'Ada', 'Last name': 'Byron' })
      await press(page, 'Next')
      await fill(page, { 'Team size': '12' })
      await press(page, 'Finish')
      await thanks(page)
    },
    leads: [ada],
  },
  {
    name: 'a modal that is made when it is opened',
    html: `<button type="button">Get a demo</button><script>document.querySelector('button').onclick = () => {
      document.body.insertAdjacentHTML('beforeend', '<dialog><form method="dialog"><label>Work email <input type="email"></label><button>Book</button></form></dialog>')
      document.querySelector('dialog').showModal()
    }</script>`,
    async act(page) {
      await press(page, 'Get a demo')
      await fill(page, { 'Work email': ada.email })
      await press(page, 'Book')
    },
    leads: [{ email: ada.email }],
  },
  {
    name: 'a web component, by an explicit path',
    html: `<sign-up></sign-up><script>customElements.define('sign-up', class extends HTMLElement {
      connectedCallback() {
        this.attachShadow({ mode: 'open' }).innerHTML = '<form><label>Email <input type="email"></label><button>Join</button></form>'
        this.shadowRoot.querySelector('form').onsubmit = (event) => event.preventDefault()
      }
    })</script>`,
    selectors: { fieldsContainer: 'sign-up >>> form' },
    async act(page) {
      await fill(page, { Email: ada.email })
      await press(page, 'Join')
    },
    leads: [{ email: ada.email }],
  },
  {
    name: 'a frame of the same origin that comes late, by an explicit path',
    html: `<div id="place"></div><script>setTimeout(() => {
      document.getElementById('place').innerHTML = '<iframe id="sign-up" src="/in-frame"></iframe>'
    }, 50)</script>`,
    selectors: { fieldsContainer: '#sign-up >>> form' },
    async act(page) {
      const frame = page.frameLocator('#sign-up')
      await frame.getByLabel('Email').fill(ada.email)
      await page.waitForFunction(() => document.querySelector('iframe')?.contentDocument?.readyState === 'complete')
      // the script checks for new elements every quarter of a second
      await page.clock.runFor(500)
      await frame.getByRole('button').click()
    },
    leads: [{ email: ada.email }],
  },
  {
    name: 'two forms of one page',
    html: `<form onsubmit="return false"><input type="email" aria-label="Newsletter"><button>Subscribe</button></form>
      <form onsubmit="return false"><label>Name <input name="fullname"></label><input type="email" aria-label="Contact"><button>Contact us</button></form>`,
    async act(page) {
      await fill(page, { Newsletter: 'news@buyer.example', Name: 'Ada Byron', Contact: ada.email })
      await press(page, 'Contact us')
      await press(page, 'Subscribe')
    },
    leads: [ada, { email: 'news@buyer.example' }],
  },
  {
    name: 'a route of a single-page site, reached by its router',
    html: `<main><a href="/pricing">Pricing</a></main><script>document.querySelector('a').onclick = (event) => {
      event.preventDefault(); history.pushState(null, '', '/pricing')
      document.querySelector('main').innerHTML = '<form><input type="email" aria-label="Email"><button>Start</button></form>'
      document.querySelector('form').onsubmit = (submitted) => { submitted.preventDefault(); history.pushState(null, '', '/welcome'); document.querySelector('main').textContent = 'Thank you' }
    }</script>`,
    async act(page) {
      await page.getByRole('link').click()
      await fill(page, { Email: ada.email })
      await page.getByLabel('Email').press('Enter')
      await thanks(page)
    },
    leads: [{ email: ada.email }],
  },
  {
    name: 'a form whose own handler is the first to hear of it and tells nobody',
    html: `<form><input type="email" aria-label="Email"><button>Go</button></form><script>
      for (const type of ['click', 'submit']) document.addEventListener(type, (event) => event.stopImmediatePropagation(), true)
      document.querySelector('form').addEventListener('submit', (event) => event.preventDefault())
      document.querySelector('form').action = '/thanks'
    </script>`,
    async act(page) {
      await fill(page, { Email: ada.email })
      await press(page, 'Go')
      await thanks(page)
    },
    leads: [{ email: ada.email }],
  },
  {
    name: 'a button of type button that fetches, by an explicit path',
    html: `<form><input type="email" aria-label="Email"><button type="button" id="send">Send</button></form>
      <script>document.getElementById('send').onclick = ({ target }) => fetch('/api/subscribe', { method: 'POST' }).then(() => { target.form.outerHTML = '<p>Thank you</p>' })</script>`,
    selectors: { submitButton: '#send' },
    async act(page) {
      await fill(page, { Email: ada.email })
      await press(page, 'Send')
      await thanks(page)
    },
    leads: [{ email: ada.email }],
  },
  {
    name: 'a link that submits its form by script, by an explicit path',
    html: `<form id="f" action="/thanks" method="post"><input type="email" aria-label="Email" name="mail"></form><a href="#" class="cta">Continue</a>
      <script>document.querySelector('.cta').onclick = (event) => { event.preventDefault(); document.getElementById('f').submit() }</script>`,
    selectors: { fieldsContainer: '#f', submitButton: 'a.cta' },
    async act(page) {
      await fill(page, { Email: ada.email })
      await page.getByText('Continue').click()
      await thanks(page)
    },
    leads: [{ email: ada.email }],
  },
  {
    name: 'a page that is left in the same moment',
    html: `<form onsubmit="event.preventDefault(); location.href = '/thanks'"><input type="email" aria-label="Email"><button>Go</button></form>`,
    async act(page) {
      await fill(page, { Email: ada.email })
      await press(page, 'Go')
      await thanks(page)
    },
    leads: [{ email: ada.email }],
  },
  {
    name: 'fields filled in by the browser, beside a trap, a password and a card that stay where they are',
    html: `<form action="/thanks" method="post"><input type="hidden" name="csrf_token" value="never-sent">
      <div style="position:absolute;left:-9999px" aria-hidden="true"><input name="email_confirm" tabindex="-1" autocomplete="off"></div>
      <input name="q1" autocomplete="given-name"><input name="q2" autocomplete="family-name"><input name="q3" autocomplete="email">
      <input type="password" name="password"><input name="card" autocomplete="cc-number" inputmode="numeric"><input name="cvc" autocomplete="cc-csc">
      <button>Pay</button></form>`,
    async act(page) {
      await page.evaluate(() => {
        // as browsers and password managers do: without a key press
        const typed = {
          q1: 'Ada',
          q2: 'Byron',
          q3: 'ada@buyer.example',
          password: 'never-sent',
          card: '4242424242424242',
          cvc: '4242',
        }
        for (const [name, value] of Object.entries(typed))
          (document.getElementsByName(name)[0] as HTMLInputElement).value = value
      })
      await press(page, 'Pay')
      await thanks(page)
    },
    leads: [ada],
  },
]

const IN_FRAME = `<form onsubmit="return false"><label>Email <input type="email"></label><button>Join</button></form>`

const REACT_FORM = `
  import { createElement as h, useState } from 'react'
  import { createRoot } from 'react-dom/client'
  function Form() {
    const [values, setValues] = useState({ first: '', last: '', email: '' })
    const [sent, setSent] = useState(false)
    const field = (name, label, type) => h('label', { key: name }, label, ' ',
      h('input', { type, value: values[name], onChange: ({ target }) => setValues({ ...values, [name]: target.value }) }))
    const submit = (event) => { event.preventDefault(); setValues({ first: '', last: '', email: '' }); setSent(true) }
    return h('form', { onSubmit: submit }, field('first', 'First name', 'text'), field('last', 'Last name', 'text'),
      field('email', 'Email', 'email'), h('button', null, 'Send'), sent && h('p', null, 'Thank you'))
  }
  createRoot(document.getElementById('root')).render(h(Form))`

let shop: Awaited<ReturnType<typeof standInShop>>
test.beforeAll(async () => {
  shop = await standInShop()
  shop.files['/react-form.js'] = await bundlePage(REACT_FORM)
  shop.pages['/in-frame'] = IN_FRAME
})
test.afterAll(() => shop.close())

const elements: Element[] = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']

type Site = Parameters<typeof anOwner>[0]

/** An account with a partner and an embed code, and a function that reads its leads as the owner. */
async function anAccountFor(site: Site, selectors: Shape['selectors'] = {}, settings: object = {}) {
  const owner = await anOwner(site)
  const partner = await aPartner(site, owner)
  const config = Object.fromEntries(
    elements.map((key) => {
      const selectorType = selectors[key] ? 'query-selector' : 'default'
      return [key, { key, selectorType, selectorValue: selectors[key] ?? '' }]
    }),
  )
  const path = `/accounts/${owner.id}/embed-code`
  const { snippet } = expectOk(await site.api('PUT', path, { token: owner.token, body: { config, ...settings } })).body
  const leads = async () => {
    const { items } = expectOk(
      await site.api('GET', `/accounts/${owner.id}/leads?sort=createdAt`, { token: owner.token }),
    ).body
    return (items as (Lead & { partnerId: string })[]).map(({ email, firstName, lastName, phone, partnerId }) => ({
      ...{ email, firstName, lastName, phone, partnerId },
    }))
  }
  return { owner, partner, snippet, leads }
}

/** Arrives by the partner's code, and waits until the script is listening. */
async function arrive(page: Page, code: string) {
  await page.goto(`${shop.url}/?ref=${code}`)
  await page.waitForFunction(() => Boolean(window.tributary?.consent) && document.cookie.includes('tributary_ref'))
}

test.describe('a lead comes from', () => {
  for (const { name, html, selectors, act, leads: expected } of shapes)
    test(name, async ({ page, site, complaints }) => {
      const { partner, snippet, leads } = await anAccountFor(site, selectors)
      shop.pages['/'] = html + snippet
      await page.clock.install()
      await arrive(page, partner.referralCode)
      await act(page)
      await expect.poll(async () => (await leads()).length).toBe(expected.length)
      const blank = { email: null, firstName: null, lastName: null, phone: null }
      // two forms of one page are sent at the same moment, so their order is random
      const inOrder = <Lead extends { email?: string | null | undefined }>(all: Lead[]) =>
        all.toSorted((a, b) => `${a.email}`.localeCompare(`${b.email}`))
      expect(inOrder(await leads())).toEqual(
        inOrder(expected.map((lead) => ({ ...blank, ...lead, partnerId: partner.id }))),
      )
      expect(complaints).toEqual([])
    })
})

test('a site that serves the script from its own domain is the only server called, and sets the cookie itself', async ({
  page,
  site,
  complaints,
}) => {
  const name = `acme-${Date.now().toString(36)}`
  const { partner, leads } = await anAccountFor(site, {}, { path: name })
  shop.passOn(name, `${site.url}/s`)
  shop.pages['/'] = `<form action="/thanks"><input type="email" aria-label="Email"><button>Go</button></form>
    <script async src="/${name}.js" data-endpoint="/${name}"></script>`
  const foreign: string[] = []
  page.on('request', (asked) => asked.url().startsWith(shop.url) || foreign.push(asked.url()))
  await arrive(page, partner.referralCode)
  await expect.poll(() => shop.passed.filter(({ setCookie }) => setCookie).length).toBeGreaterThan(0)
  const { setCookie } = shop.passed.findLast((one) => one.setCookie)!
  const [kept] = await page.context().cookies()
  await expect.poll(async () => (await page.context().cookies())[0]?.value).toContain(`${partner.referralCode}.`)
  expect(setCookie).toMatch(/^tributary_ref=[^;]+; Path=\/; Max-Age=\d{7}; SameSite=Lax/)
  expect(kept?.name).toBe('tributary_ref')
  await fill(page, { Email: ada.email })
  await press(page, 'Go')
  await thanks(page)
  await expect.poll(leads).toHaveLength(1)
  expect(foreign).toEqual([])
  expect(shop.passed.map(({ path }) => path)).toEqual(
    expect.arrayContaining([`/${name}.js`, `/${name}/clicks`, `/${name}/keep`, `/${name}/leads`]),
  )
  expect(complaints).toEqual([])
})
