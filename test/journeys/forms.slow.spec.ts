import type { Browser, Locator, Page, Request, Route } from '@playwright/test'
import { anEmail, expectOk, type TestApp } from '../support/app.ts'
import { failOnPageErrors, filterUnexpected } from '../support/browser.ts'
import { type Field, type FormRow, hostileTexts } from '../support/form-fields.ts'
import { forms } from '../support/forms.ts'
import { pageHeading, signedInPage, visitPath } from '../support/journey.ts'
import { type Populated, populateAccount, startSharedSite } from '../support/populated-account.ts'
import { findSavedMail } from '../support/saved-mails.ts'
import { fillPath } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { isWrite, isWritingCall } from '../support/writes.ts'

// Every form with nothing, too much, wrong kinds, scripts, right-to-left text and emoji; pressed twice, refused by the
// server, left half typed. Messages appear at the field, in words; saved values are those that were typed.

/** A product for this file alone, because the tests change everything that can be changed. */
let populated: Populated
const at = (path: string) => fillPath(path, populated.things)
/** Keys that don't exist before the test are placeholders. */
const toType = ({ typed }: Pick<Field, 'typed'>) =>
  typed.slice(1, -1) in populated.things && /^\{\w+\}$/.test(typed) ? at(typed) : typed

test.beforeAll(async () => {
  populated = await populateAccount(await startSharedSite())
  Object.assign(populated.things, await thingsForForms(populated))
})

test.afterAll(() => populated?.site.end())

/** Things that forms use up. */
async function thingsForForms({ site, owner, partner, newOwner, administrator }: Populated) {
  // The signing secret of its events is entered then.
  site.stripe.forbid('webhook_endpoints')
  const post = async (path: string, body: object, token = owner.token) =>
    expectOk(await site.api('POST', path, { token, body })).body
  const partners = `/accounts/${owner.id}/partners`
  const leads = `/accounts/${owner.id}/leads`
  const [spare, invited, forgetful] = await Promise.all([
    post(partners, { firstName: 'Spare', lastName: 'Partner', email: anEmail() }),
    post(partners, { email: anEmail() }),
    post(partners, { email: anEmail() }),
  ])
  const names = { firstName: 'Kim', lastName: 'Below', email: anEmail() }
  const below = await post(`/partners/${partner.id}/partners`, names, partner.token)
  const [spareLead, freshLead, ownLead] = await Promise.all([
    post(leads, { firstName: 'Spare', lastName: 'Lead', email: anEmail(), partnerId: partner.id }),
    post(leads, { firstName: 'Fresh', lastName: 'Lead', email: anEmail(), partnerId: partner.id }),
    post(leads, { firstName: 'Partner', lastName: 'Oneself', email: partner.email, partnerId: partner.id }),
  ])
  await post(`/leads/${spareLead.id}/sales`, { amount: 50_00, description: 'To be refunded' })
  await post(`/leads/${spareLead.id}/sales`, { amount: 60_00, description: 'To be voided' })
  await post(`/leads/${ownLead.id}/sales`, { amount: 80_00, description: 'To be released' })
  await Promise.all(
    ['One', 'Two'].map(async (lastName) => {
      const several = { firstName: 'Several', lastName }
      await post(leads, { ...several, email: anEmail() })
      await post(`/accounts/${newOwner.id}/partners`, { ...several, email: anEmail() }, newOwner.token)
      const { id } = await post(partners, { ...several, email: anEmail() })
      await post(`/partners/${id}/adjustments`, { amount: 70_00, reason: 'Owed from before' })
      const approvedPayoutYears = [new Date().getUTCFullYear()]
      const approved = { token: owner.token, body: { approvedPayoutYears, payoutMethod: 'manual' } }
      expectOk(await site.api('PUT', `/partners/${id}`, approved))
    }),
  )
  await post(`/accounts/${owner.id}/payouts/refresh`, {})
  const put = async (path: string, body: object, token = owner.token) =>
    expectOk(await site.api('PUT', path, { token, body })).body
  await put(`/accounts/${owner.id}/invoicing`, { taxForms: 'ask', enabled: true, ...germanPayer })
  await put(`/accounts/${owner.id}/payout-methods/paypal`, { ...paypalApp(site), automatic: false })
  const euros = { token: newOwner.token, body: { defaultCurrency: 'eur' } }
  expectOk(await site.api('PATCH', `/accounts/${newOwner.id}`, euros))
  await put(`/accounts/${newOwner.id}/invoicing`, { taxForms: 'ask' }, newOwner.token)
  const nobodys = await post(leads, { email: anEmail() })
  await post(`/leads/${nobodys.id}/sales`, { amount: 20_00, description: 'Credited to nobody either' })
  const silver = await post(`/accounts/${newOwner.id}/groups`, { name: 'Silver' }, newOwner.token)
  const { body: session } = expectOk(await site.api('POST', '/auth/sign-in', { body: administrator }))
  const spareAccount = await post('/accounts', { name: 'Spare Account' }, session.accessToken)
  const hashOf = (link: string | undefined) => new URL(link ?? '').hash
  const invitation = async ({ id }: { id: string }) =>
    expectOk(await site.api('GET', `/partners/${id}/invitation`, { token: owner.token })).body.url as string
  const password = 'copper-meadow-71-sail'
  const token = new URLSearchParams(hashOf(await invitation(forgetful)).slice(1)).get('token')
  expectOk(await site.api('POST', '/auth/change-password', { token, body: { password } }))
  expectOk(await site.api('POST', '/auth/reset-password', { body: { email: forgetful.email } }))
  const app = { services: { config: { dataDir: (site as unknown as { dataDir: string }).dataDir } } } as TestApp
  const reset = await findSavedMail(app, 'password-reset', forgetful.email)
  return {
    spare: spare.id,
    below: below.id,
    spareLead: spareLead.id,
    freshLead: freshLead.id,
    ownLead: ownLead.id,
    spareAccount: spareAccount.id,
    silver: silver.id,
    setUpToken: hashOf(await invitation(invited)),
    resetToken: hashOf(reset.link),
    stripeKey: site.stripe.key,
    paypalClientId: site.paypal.clientId,
    paypalSecret: site.paypal.clientSecret,
  }
}

const paypalApp = ({ paypal: { clientId, clientSecret } }: Populated['site']) => ({ clientId, clientSecret })
const germanPayer = {
  ...{ legalName: 'Harbor GmbH', country: 'DE', vatId: 'DE136695976', vatRate: 19 },
  address: { addressLine: 'Torstraße 1', zipCode: '10119', city: 'Berlin', state: '' },
}

const complaints: string[] = []
/** Whether the test refuses the page's calls. */
let refusing = false
const pages = new Map<FormRow['who'], Page>()

/** The page of a role, opened once. */
async function pageOf(browser: Browser, who: FormRow['who']) {
  const known = pages.get(who)
  if (known) return known
  let page: Page
  if (who === 'nobody') {
    page = await (await browser.newContext()).newPage()
    await failOnPageErrors(page, complaints)
  } else page = await signedInPage(browser, populated.site, populated[who], complaints)
  await page.goto(`${populated.site.url}/`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  page.on('response', (response) => {
    if (response.status() >= 500 && !refusing) complaints.push(`${response.status()} from ${response.url()}`)
  })
  pages.set(who, page)
  return page
}

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true })
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Opens the form on a fresh page; returns the element that contains it. */
async function open(page: Page, row: FormRow): Promise<Locator> {
  const { who, path, h1, selects, of, open, more, first = [] } = row
  if (who === 'nobody') await page.goto(populated.site.url + at(path))
  else await visitPath(page, at(path))
  await expect(pageHeading(page, h1)).toBeVisible()
  const main = page.getByRole('main')
  const place = of ? main.locator('[id^="sale-"], tbody tr').filter({ hasText: of }) : main
  if (selects) await main.getByRole('checkbox', { name: 'Select all on page' }).check()
  if (open?.match(/^[*/]/)) {
    const actions = open.startsWith('/') ? place : page.getByRole('group', { name: 'Page actions' })
    await actions.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name: open.slice(1), exact: true }).click()
  } else if (open) await button(place, open).first().click()
  const scope = open ? page.getByRole('dialog') : page
  if (more) await button(scope, 'More options').click()
  for (const step of first)
    if (typeof step === 'string')
      await scope
        .getByRole('radio', { name: step })
        .or(scope.getByRole('checkbox', { name: step, exact: true }))
        .or(scope.getByRole('switch', { name: step, exact: true }))
        .or(button(scope.getByRole('main'), step))
        .first()
        .click()
    else await scope.getByLabel(step.label, { exact: true }).selectOption(step.choice)
  // Found by its element: finding it by role computes the accessible names of the whole page each time.
  const form = page
    .locator(open ? 'dialog[open]' : 'main form')
    .filter({ has: page.getByText(row.submit, { exact: true }) })
  await expect(button(form, row.submit)).toBeVisible()
  return form
}

const sending = (form: Locator) => form.locator('button[type=submit]')
const control = (form: Locator, label: string) => form.getByLabel(label, { exact: true })

async function enter(form: Locator, label: string, { typed, how }: Field) {
  const field = control(form, label)
  if (how === 'pick' && (await field.inputValue()).includes(typed)) return
  if (how === 'choose') await field.selectOption(typed)
  else if (how === 'tick') await field.check()
  else await field.fill(typed)
  if (how === 'pick') await form.getByRole('option', { name: typed }).click()
  else await field.blur()
}

const isTyped = ([, { how }]: [string, Field]) => how === undefined
const typedIn = (row: FormRow) => Object.entries(row.fields).filter(isTyped)

const valuesOf = async (form: Locator, row: FormRow) =>
  Object.fromEntries(
    await Promise.all(typedIn(row).map(async ([label]) => [label, await control(form, label).inputValue()])),
  ) as Record<string, string>

async function expectMarked(form: Locator, label: string, message: string) {
  const field = control(form, label)
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(new RegExp(escaped(message)))
}

/** Checks that the alert has the focus and names exactly these labels. */
async function expectListed(form: Locator, labels: string[]) {
  const alert = form.locator('[role=alert]').filter({ hasText: 'Check the marked fields' })
  await expect(alert).toBeFocused()
  expect((await alert.locator('a').allInnerTexts()).sort()).toEqual([...labels].sort())
  return alert
}

async function expectToFit(page: Page) {
  const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  const [wide, window = 0] = await widths()
  expect(wide).toBeLessThanOrEqual(window)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(widths).toEqual([390, 390])
  await page.setViewportSize({ width: 1280, height: 720 })
}

type Sent = { url: string; key: string | undefined; body: unknown }

function listen(page: Page) {
  const sent: Sent[] = []
  const hear = (request: Request) => {
    if (!isWrite(request)) return
    const body = JSON.parse(request.postData() ?? 'null')
    sent.push({ url: request.url(), key: request.headers()['idempotency-key'], body })
  }
  page.on('request', hear)
  return { sent, stop: () => page.off('request', hear) }
}

const bodyAt = (body: unknown, path: string) =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], body)

/** Runs in the page: returns a typed text as it is saved. */
const toSaved = (typed: string) => typed.trim().normalize()

async function tryNothing(form: Locator, row: FormRow) {
  for (const [label] of typedIn(row)) await control(form, label).fill('')
  await sending(form).click()
  const messages = row.nothing ?? {}
  const alert = await expectListed(form, Object.keys(messages))
  for (const [label, message] of Object.entries(messages)) {
    await expectMarked(form, label, message)
    await alert.getByText(label, { exact: true }).click()
    await expect(control(form, label)).toBeFocused()
  }
}

type Answer = { shown: string; marked: boolean; said: string }

/** Runs in the page: enters each text, leaves the field, and reads its value and message. */
async function answersTo(field: HTMLElement | SVGElement, texts: string[]) {
  const input = field as HTMLInputElement
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value') as PropertyDescriptor
  const answers: Answer[] = []
  for (const text of texts) {
    input.focus()
    set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve))
    input.blur()
    await new Promise((resolve) => setTimeout(resolve))
    const notes = input.getAttribute('aria-describedby')?.split(/\s+/) ?? []
    answers.push({
      shown: input.value,
      marked: input.getAttribute('aria-invalid') === 'true',
      said: notes.map((id) => document.getElementById(id)?.textContent).join(' '),
    })
  }
  return answers
}

/**
 * Checks field by field which texts are saved and which are refused when the field is left; then sends all refused ones
 * at once.
 */
async function tryWrong(form: Locator, row: FormRow) {
  for (const [label, field] of Object.entries(row.fields))
    if (field.how || !field.refused?.length) await enter(form, label, field)
  const last: Record<string, string> = {}
  for (const [label, { kept = [], refused = [] }] of typedIn(row)) {
    const end = refused.at(-1)
    if (!end) continue
    const field = control(form, label)
    const early = [...kept, ...refused.slice(0, -1)]
    const answers = await field.evaluate(
      answersTo,
      early.map(([typed]) => typed),
    )
    for (const [at, [typed, answer]] of early.entries())
      expect(answers[at], `${label}: ${typed.slice(0, 100)}`).toMatchObject(
        at < kept.length ? { shown: answer, marked: false } : { marked: true, said: expect.stringContaining(answer) },
      )
    await field.fill(end[0])
    if (end[1]) last[label] = end[1]
  }
  if (Object.keys(last).length === 0) return
  await sending(form).click()
  await expectListed(form, Object.keys(last))
  for (const [label, message] of Object.entries(last)) {
    await expectMarked(form, label, message)
    const [typed] = row.fields[label]?.refused?.at(-1) ?? ['']
    const shown = await control(form, label).inputValue()
    expect(shown === typed || Number(shown.replaceAll(',', '')) === Number(typed), `${label} keeps its text`).toBe(true)
  }
}

const noPath: Field = { typed: '' }

/** The server refuses three times: at a field, for another reason, and without a message. */
async function tryRefusals(page: Page, form: Locator, row: FormRow) {
  const before = await valuesOf(form, row)
  const [label, { path = '' }] = Object.entries(row.fields).find(([, { path }]) => path) ?? ['', noPath]
  const no = 'The server does not want this'
  const refusals: [status: number, error: object, said: string][] = [
    ...(path ? [[422, { code: 'validation_failed', message: 'x', fields: { [path]: no } }, no] as never] : []),
    [409, { code: 'conflict', message: no }, no],
    [500, {}, 'Something went wrong on the server. Try again.'],
  ]
  let answer: { status: number; json: object } | undefined
  const refuse = (route: Route) => (isWritingCall(route.request()) ? route.fulfill(answer) : route.fallback())
  refusing = true
  await page.route('**/api/v1/**', refuse)
  for (const [status, error, said] of refusals) {
    answer = { status, json: { error } }
    await sending(form).click()
    if (row.confirms) await button(page.getByRole('dialog'), row.confirms).click()
    if (status === 422) {
      await expectListed(form, [label])
      await expectMarked(form, label, said)
    } else await expect(form.locator('[role=alert]').filter({ hasText: said }).first()).toBeVisible()
    await expect(sending(form)).toHaveText(row.submit)
    await expect(sending(form)).toBeEnabled()
    expect(await valuesOf(form, row)).toEqual(before)
  }
  await page.unroute('**/api/v1/**', refuse)
  refusing = false
}

async function expectDone(page: Page, form: Locator, { done, said, alert, lands, open, stays }: FormRow) {
  if (done) {
    // the next step replaces the form that led to it
    if (open) await expect(sending(form)).toHaveCount(0)
    await button(page.getByRole('dialog'), done).last().click()
  }
  if (said) await expect(page.getByRole('status').filter({ hasText: said }).first()).toBeVisible()
  if (alert) await expect(form.locator('[role=alert]').filter({ hasText: alert })).toBeVisible()
  if (lands) await expect(pageHeading(page, lands)).toBeVisible()
  if (open && !stays) await expect(page.getByRole('dialog')).toBeHidden()
}

/** Checks that the typed values were sent; pressed twice, the form is sent once, or again under the same key. */
function expectSent(sent: Sent[], row: FormRow) {
  expect(sent.length).toBeGreaterThan(0)
  for (const { url } of sent) expect(new Set(sent.filter((one) => one.url === url).map(({ key }) => key)).size).toBe(1)
  for (const [label, { path, typed, how }] of Object.entries(row.fields))
    if (path && how === 'tag')
      expect(
        sent.flatMap(({ body }) => bodyAt(body, path)),
        label,
      ).toContain(typed)
  for (const [label, { path, typed, minor }] of typedIn(row)) {
    if (!path || !typed) continue
    const value = sent.map(({ body }) => bodyAt(body, path)).find((found) => found !== undefined)
    if (typeof value === 'number') expect(value, label).toBe(Number(typed.replaceAll(',', '')) * (minor ? 100 : 1))
    else expect(toSaved(String(value)), label).toBe(toSaved(toType({ typed })))
  }
}

/** A screen with few calls. */
const elsewhere = ({ h1 }: FormRow) => (h1 === 'Profile' ? '/' : '/user/profile')

async function expectAgain(page: Page, row: FormRow, values: Record<string, string>) {
  if (row.again === 'update' || row.shown === 'there') await expect(pageHeading(page, row.h1)).toBeHidden()
  const { pathname } = new URL(page.url())
  const path =
    row.again === 'update' ? `${pathname}/update` : row.shown === 'there' ? pathname : at(row.again ?? row.shown ?? '')
  await visitPath(page, elsewhere(row))
  await expect(page.getByRole('heading', { level: 1, name: row.h1 })).toBeHidden()
  await visitPath(page, path)
  const main = page.getByRole('main')
  for (const [label, { typed, secret, path }] of typedIn(row)) {
    if (secret || !path) continue
    const value = toSaved(values[label] ?? '')
    if (row.again) await expect(control(main, label).first()).toHaveValue(value)
    else if (!/^[\d,.:-]+$/.test(typed))
      await expect(main.getByText(value).or(main.getByTitle(value)).first()).toBeVisible()
  }
}

test.describe('forms', () => {
  test.afterAll(async () => {
    for (const page of pages.values()) await page.context().close()
    pages.clear()
  })

  for (const row of forms)
    test(row.name, async ({ browser }) => {
      const page = await pageOf(browser, row.who)
      if (row.who === 'nobody') await page.evaluate(() => localStorage.clear())
      const guarded = !row.open && !row.unguarded
      const asks = page.getByRole('dialog', { name: 'Leave without saving?' })
      const away = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link')
        [row.h1 === 'Profile' ? 'first' : 'last']()

      let form = await open(page, row)
      const writes = listen(page)
      if (row.nothing) {
        await tryNothing(form, row)
        expect(writes.sent).toEqual([])
      }
      await tryWrong(form, row)
      if (row.who !== 'nobody') await expectToFit(page)
      if (guarded) {
        await away.click()
        await button(asks, 'Leave').click()
        await expect(pageHeading(page, row.h1)).toBeHidden()
        form = await open(page, row)
      }

      for (const [label, field] of Object.entries(row.fields))
        await enter(form, label, { ...field, typed: toType(field) })
      const values = await valuesOf(form, row)
      if (guarded) {
        await away.click()
        await button(asks, 'Stay').click()
        expect(await valuesOf(form, row)).toEqual(values)
      }
      await tryRefusals(page, form, row)
      writes.sent.splice(0)
      // Earlier messages do not count; one may disappear by itself meanwhile.
      const dismissed = button(page, 'Dismiss')
      await dismissed.evaluateAll((toasts) => {
        for (const toast of toasts) (toast as HTMLElement).click()
      })
      await expect(dismissed).toHaveCount(0)
      await sending(form).evaluate((element: HTMLElement) => {
        element.click()
        element.click()
      })
      await expectDone(page, form, row)
      writes.stop()
      expectSent(writes.sent, row)
      if (row.again || row.shown) {
        await expectAgain(page, row, values)
        await expectToFit(page)
      }
      expect(await page.evaluate(() => (window as { __run?: unknown }).__run)).toBeUndefined()
      expect(filterUnexpected(complaints.splice(0), 401, 404, 409, 422, 500)).toEqual([])
    })

  const lists = [
    '/partners',
    '/leads',
    '/leads?tab=sales',
    '/leads?tab=unattributed',
    '/links',
    '/links/{link}',
    '/payouts',
    '/payouts?tab=commissions',
  ]
  for (const path of lists)
    test(`${path}, with an unsupported filter`, async ({ browser }) => {
      const page = await pageOf(browser, 'owner')
      const row = page.getByRole('main').getByRole('table').last().getByRole('row').nth(1)
      const nothing = page.getByText('This link has a filter or sort this list doesn’t support.')
      // whatever the forms above paid, a balance is due
      const owed = { token: populated.owner.token, body: { amount: 100, reason: 'So that there is a balance' } }
      if (path === '/payouts') expectOk(await populated.site.api('POST', at('/partners/{partner}/adjustments'), owed))
      await visitPath(page, '/account/settings')
      await expect(pageHeading(page, 'Settings')).toBeVisible()
      await visitPath(page, at(path))
      await expect(row).toBeVisible()
      for (const nonsense of ['sort=__proto__', 'cursor=%00', 'search=%00', `search=${'x'.repeat(1000)}`]) {
        await visitPath(page, `${at(path)}${path.includes('?') ? '&' : '?'}${nonsense}`)
        await expect(nothing).toBeVisible()
        await button(page, 'Clear filters').click()
        await expect(nothing).toBeHidden()
        await expect(row).toBeVisible()
        expect(new URL(page.url()).search).toBe(new URL(path, populated.site.url).search)
      }
      expect(filterUnexpected(complaints.splice(0), 422)).toEqual([])
    })

  test('days without statistics fall back to the default range', async ({ browser }) => {
    const page = await pageOf(browser, 'owner')
    for (const path of ['/dashboard', '/partners/{partner}', '/links/{link}'])
      for (const days of ['from=0000-01-01&to=0000-02-01', 'from=9999-12-01&to=9999-12-31', 'from=x&to=2026-02-30']) {
        await visitPath(page, '/user/profile')
        await visitPath(page, `${at(path)}?${days}`)
        await expect(button(page, /^Date range: Last 6 months/)).toBeVisible()
        await expect(page.getByRole('main').getByRole('figure').first()).toBeVisible()
        await expect(page.getByText('Failed to load')).toHaveCount(0)
      }
    expect(complaints.splice(0)).toEqual([])
  })

  test('searched text stays text, even if it names missing tabs and options', async ({ browser }) => {
    const page = await pageOf(browser, 'owner')
    const plurals = ['partners', 'leads', 'links', 'payouts']
    for (const [turn, text] of hostileTexts.entries()) {
      const typed = `${text} of nobody`
      const plural = plurals[turn % plurals.length]
      await visitPath(page, `/${plural}`)
      await page.getByLabel(`Search ${plural}`).fill(typed)
      await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe(typed)
      await expect(page.getByText('No data to show')).toBeVisible()
      await button(page, 'Clear filters').click()
      await expect(page.getByLabel(`Search ${plural}`)).toHaveValue('')
    }
    for (const path of ['/leads', '/payouts', '/account/settings', '/partners/{partner}']) {
      await visitPath(page, `${at(path)}?tab=${encodeURIComponent(hostileTexts[7])}`)
      await expect(page.getByRole('tab').first()).toHaveAttribute('aria-selected', 'true')
    }
    expect(await page.evaluate(() => (window as { __run?: unknown }).__run)).toBeUndefined()
    expect(complaints.splice(0)).toEqual([])
  })

  test('an impossible Wise token gets the same message as a wrong one', async ({ browser }) => {
    const page = await pageOf(browser, 'newOwner')
    await visitPath(page, '/account/settings?tab=payouts')
    const token = page.getByLabel('API Token')
    await expect(button(page, 'Load')).toBeDisabled()
    for (const typed of hostileTexts) {
      await token.fill(typed)
      await button(page, 'Load').click()
      await expect(page.getByText('There was an error loading your Wise profiles.')).toBeVisible()
      await expect(token).toHaveValue(typed)
    }
    expect(filterUnexpected(complaints.splice(0), 401, 403, 422)).toEqual([])
  })

  test('an invalid page to check is reported at its field', async ({ browser }) => {
    const page = await pageOf(browser, 'owner')
    await visitPath(page, '/integrations/embed-code')
    const field = page.getByLabel('Page to check')
    for (const typed of ['', 'shop', 'javascript:window.__run=1', `https://shop.example.com/${'x'.repeat(3000)}`]) {
      await field.fill(typed)
      await button(page, 'Verify on my site').click()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toBeFocused()
    }
    expect(page.context().pages()).toHaveLength(1)
    expect(filterUnexpected(complaints.splice(0), 422)).toEqual([])
  })

  test('mail links with an invalid token have expired', async ({ browser }) => {
    const page = await pageOf(browser, 'nobody')
    for (const token of ['x', '👩‍👩‍👧‍👦 שלום', 'x'.repeat(10_000)]) {
      const hash = `#token=${encodeURIComponent(token)}`
      await page.goto('about:blank')
      await page.goto(`${populated.site.url}/user-setup${hash}`)
      await expect(page.getByText('This link has expired.')).toBeVisible()
      // a signed-in user would be redirected
      await page.evaluate(() => localStorage.clear())
      await page.goto(`${populated.site.url}/auth/sign-in${hash}`)
      await button(page, 'Sign in').click()
      await expect(page.getByText('This link has expired.')).toBeVisible()
      await page.goto(`${populated.site.url}/auth/reset-password${hash}`)
      await page.getByLabel('New Password').fill('copper-meadow-71-sail')
      await page.getByLabel('Confirm Password').fill('copper-meadow-71-sail')
      await button(page, 'Change password').click()
      await expect(page.getByText('This link has expired.')).toBeVisible()
    }
    expect(filterUnexpected(complaints.splice(0), 401, 422)).toEqual([])
  })
})
