import type { Locator, Page } from '@playwright/test'
import { PASSWORD } from '../support/app.ts'
import { filterUnexpected } from '../support/browser.ts'
import { anOwner, aSignedUpPayee, type Person, pageHeading, type Site } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// An owner's tasks by keyboard alone: the focus is always visible, moves in reading order, lands on the heading of each
// new screen and returns to the element that opened a dialog.

let site: Site
let owner: Person

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20] } })
})

type Stop = { name: string; seen: boolean; uncovered: boolean; inOrder: boolean }

/** Returns the focused element; `backwards`: whether it should have moved up. */
const focus = (page: Page, backwards = false): Promise<Stop> =>
  page.evaluate((backwards) => {
    const state = window as { lastStop?: Element }
    const stop = document.activeElement as HTMLInputElement
    const name = stop.getAttribute('aria-label') ?? stop.labels?.[0]?.textContent ?? stop.textContent ?? ''
    const around = [stop, stop.parentElement, stop.parentElement?.parentElement, stop.closest('div')]
    const seen = around.some((element) => {
      if (!element) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2
    })
    const { left, top, width, height } = stop.getBoundingClientRect()
    const front = document.elementFromPoint(left + width / 2, top + height / 2)
    const before = state.lastStop
    state.lastStop = stop
    const wanted = backwards ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING
    return {
      name: name.trim(),
      seen,
      uncovered: Boolean(front && (front.contains(stop) || stop.contains(front))),
      inOrder: !before?.isConnected || before === stop || Boolean(before.compareDocumentPosition(stop) & wanted),
    }
  }, backwards)

/** One press of Tab. */
async function tab(page: Page, { backwards = false } = {}) {
  await page.keyboard.press(backwards ? 'Shift+Tab' : 'Tab')
  const { name, ...good } = await focus(page, backwards)
  expect(good, `the focus on ${name}`).toEqual({ seen: true, uncovered: true, inOrder: true })
  return name
}

/** Presses Tab until this element has the focus. */
async function reach(page: Page, name: string, { backwards = false } = {}) {
  const passed: string[] = []
  while (passed.length < 40) {
    const stop = await tab(page, { backwards })
    if (stop === name) return
    passed.push(stop)
  }
  throw new Error(`${name} is not reached by: ${passed.join(', ')}`)
}

/** Checks that the next stops are these, in this order. */
async function pass(page: Page, ...names: string[]) {
  for (const name of names) expect(await tab(page)).toBe(name)
}

/** Checks that the screen is shown, and that its heading has the focus. */
async function arrive(page: Page, h1: string) {
  await expect(pageHeading(page, h1)).toBeFocused()
  await focus(page)
}

/** Checks that the focus is here, and visible. */
async function rests(page: Page, on: Locator) {
  await expect(on).toBeFocused()
  const { name, seen } = await focus(page)
  expect(seen, `the focus on ${name} is seen`).toBe(true)
}

/** Messages of earlier acts cover the page until they disappear by themselves. */
const untilUncovered = (page: Page) =>
  expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0, { timeout: 15_000 })

const press = (page: Page, key: string) => page.keyboard.press(key)
const type = (page: Page, text: string) => page.keyboard.type(text)

test('a mistake found when a field is left doesn’t take the focus from the next one', async ({ page }) => {
  await page.goto(`${site.url}/auth/sign-in`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toBeFocused()
  const [address, password] = [page.getByLabel('Email'), page.getByLabel('Password', { exact: true })]
  await address.fill('elena@harbor.example')
  await password.fill('correct horse battery')
  await address.fill('elena')
  await expect(page.getByRole('alert')).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('alert')).toContainText('Email')
  await page.keyboard.type('staple')
  await expect(password).toBeFocused()
  await expect(password).toHaveValue('staple')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeFocused()
})

test('past the navigation, through a form with an error and through dialogs', async ({ page, complaints }) => {
  await page.goto(`${site.url}/`)
  await expect(pageHeading(page, 'Sign in')).toBeVisible()
  await reach(page, 'Email')
  await type(page, owner.email)
  await pass(page, 'Password')
  await type(page, PASSWORD)
  await reach(page, 'Sign in')
  await press(page, 'Enter')

  await test.step('the first stop skips the navigation', async () => {
    await expect(pageHeading(page, 'Dashboard')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Notice' })).toBeVisible()
    await pass(page, 'Skip to content')
    await press(page, 'Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await focus(page)
    expect(await tab(page)).toBe('Go to payment providers')
  })

  await test.step('the date range opens, and Escape closes it', async () => {
    const range = page.getByRole('button', { name: /^Date range: / })
    await reach(page, (await range.getAttribute('aria-label')) ?? (await range.innerText()).trim())
    await press(page, 'Enter')
    await expect(page.getByRole('dialog', { name: 'Date range' })).toBeVisible()
    await press(page, 'Escape')
    await expect(page.getByRole('dialog', { name: 'Date range' })).toBeHidden()
    await expect(range).toBeFocused()
    await focus(page)
  })

  await test.step('a partner', async () => {
    await reach(page, 'Partners', { backwards: true })
    await press(page, 'Enter')
    await arrive(page, 'Partners')
    await reach(page, 'Add partner')
    await press(page, 'Enter')
    await arrive(page, 'Add partner')
    await reach(page, 'First Name')
    await type(page, 'Jane')
    await pass(page, 'Last Name')
    await type(page, 'Whitfield')
    await pass(page, 'More options')
    await press(page, 'Enter')
    await pass(page, 'Referral Code', 'Parent Partner', 'Note')
    await reach(page, 'Use account default')
    await press(page, 'ArrowDown')
    await expect(page.getByLabel('Custom rates')).toBeChecked()
    await pass(page, 'Layer 1 Rate')
    await reach(page, 'Add partner')
    await press(page, 'Enter')
    // Missing fields are reported, and one key leads to them.
    await expect(page.getByRole('alert')).toBeFocused()
    await focus(page)
    await pass(page, 'Email')
    await press(page, 'Enter')
    await expect(page.getByLabel('Email')).toBeFocused()
    await type(page, 'jane@partners.example')
    await press(page, 'Enter')
    await arrive(page, 'Jane Whitfield')
  })

  await test.step('a dialog keeps the focus, and Escape returns it', async () => {
    await reach(page, 'Add adjustment')
    await press(page, 'Enter')
    const dialog = page.getByRole('dialog', { name: 'Add adjustment' })
    await expect(dialog).toBeVisible()
    for (let stops = 0; stops < 8; stops++) {
      await press(page, 'Tab')
      // The browser's own controls follow its last stop, never the page behind.
      const { at, inside } = await page.evaluate(() => {
        const stop = document.activeElement
        return { at: stop?.textContent, inside: stop === document.body || Boolean(stop?.closest('dialog')) }
      })
      expect(inside, `the focus on ${at}`).toBe(true)
    }
    await press(page, 'Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Add adjustment' })).toBeFocused()
    await focus(page)

    await reach(page, 'Actions for Jane Whitfield')
    await press(page, 'Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await press(page, 'End')
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
    await press(page, 'Enter')
    const deletion = page.getByRole('dialog', { name: 'Delete partner' })
    await expect(deletion.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await press(page, 'Escape')
    await expect(deletion).toBeHidden()
    await expect(page.getByRole('button', { name: 'Actions for Jane Whitfield' })).toBeFocused()
    await focus(page)
  })

  await test.step('unsaved input is not discarded without a question, which Escape answers with staying', async () => {
    await reach(page, 'Edit', { backwards: true })
    await press(page, 'Enter')
    await arrive(page, 'Edit partner')
    await reach(page, 'First Name')
    await type(page, 'Johanna')
    await reach(page, 'Payouts', { backwards: true })
    await press(page, 'Enter')
    const guard = page.getByRole('dialog', { name: 'Leave without saving?' })
    await expect(guard).toBeVisible()
    await press(page, 'Escape')
    await expect(guard).toBeHidden()
    await expect(page.getByLabel('First Name')).toHaveValue(/Johanna/)
    await expect(pageHeading(page, 'Edit partner')).toBeVisible()
  })
  // Focusing a link preloads its screen, and there is no embed code yet.
  expect(filterUnexpected(complaints, 404)).toEqual([])
})

test('an owner’s day with the keyboard only, from the sign-in to the payout and signing out', async ({
  page,
  context,
  complaints,
}) => {
  test.setTimeout(120_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.url })
  const day = await anOwner(site, {
    name: 'Millrace Foods',
    payoutDelay: 0,
    minimumPayout: 0,
    defaultCommissionSettings: { layerRates: [20] },
  })
  await aSignedUpPayee(site, day, { firstName: 'Jane', lastName: 'Whitfield' })

  await page.goto(`${site.url}/`)
  await expect(pageHeading(page, 'Sign in')).toBeVisible()
  await reach(page, 'Email')
  await type(page, day.email)
  await pass(page, 'Password')
  await type(page, PASSWORD)
  await press(page, 'Enter')
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()

  await test.step('a partner, from the palette', async () => {
    await press(page, 'Control+k')
    await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
    await type(page, 'add par')
    await expect(page.getByRole('option', { selected: true })).toHaveText('Add partner')
    await press(page, 'Enter')
    await arrive(page, 'Add partner')
    await reach(page, 'Email')
    await type(page, 'ada@partners.example')
    await pass(page, 'First Name')
    await type(page, 'Ada')
    await pass(page, 'Last Name')
    await type(page, 'Lind')
    await press(page, 'Enter')
    await arrive(page, 'Ada Lind')
  })

  await test.step('her invitation is copied', async () => {
    await untilUncovered(page)
    await reach(page, 'Copy invitation link')
    await press(page, 'Enter')
    await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
    await rests(page, page.getByRole('button', { name: 'Copy invitation link' }))
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/user-setup#token=')
  })

  await test.step('a link', async () => {
    await press(page, 'g')
    await press(page, 'i')
    await arrive(page, 'Links')
    await press(page, 'n')
    await arrive(page, 'Add link')
    await reach(page, 'Destination URL')
    await type(page, 'harbor.example/start')
    await pass(page, 'Name')
    await type(page, 'Spring offer')
    await press(page, 'Enter')
    await arrive(page, 'Spring offer')
  })

  await test.step('a lead of another partner', async () => {
    await press(page, 'g')
    await press(page, 'l')
    await arrive(page, 'Leads')
    await press(page, 'n')
    await arrive(page, 'Add lead')
    await reach(page, 'First Name')
    await type(page, 'Hannah')
    await pass(page, 'Last Name')
    await type(page, 'Cole')
    await pass(page, 'Email')
    await type(page, 'hannah@brightline.example')
    await pass(page, 'Phone', 'External ID', 'Company', 'Partner')
    await press(page, 'ArrowDown')
    await expect(page.getByRole('option', { name: 'Jane Whitfield' })).toBeVisible()
    await press(page, 'Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
    await type(page, 'whit')
    await expect(page.locator('[role=listbox]:not([aria-busy])')).toBeVisible()
    await expect(page.getByRole('option', { name: 'Jane Whitfield' })).toBeVisible()
    await press(page, 'Enter')
    await expect(page.getByLabel('Partner', { exact: true })).toHaveValue('Jane Whitfield')
    await reach(page, 'Add lead')
    await press(page, 'Enter')
    await arrive(page, 'Hannah Cole')
  })

  const sales = page.getByRole('region', { name: 'Sales' })

  await test.step('a sale, with the split as it is typed', async () => {
    await press(page, 'n')
    await arrive(page, 'Add sale')
    await reach(page, 'Amount')
    await type(page, '500')
    await expect(page.getByRole('list', { name: 'How this sale splits' })).toContainText('$100.00')
    await pass(page, 'Currency')
    await reach(page, 'Add sale')
    await press(page, 'Enter')
    await arrive(page, 'Hannah Cole')
    await expect(sales).toContainText('$500.00')
    // The sale wins the lead, so its status can no longer be changed by hand.
    await expect(page.getByRole('button', { name: 'Change status' })).toBeDisabled()
  })

  await test.step('part of it is refunded', async () => {
    const actions = sales.getByRole('button', { name: /^Actions for .+ sale on / })
    await reach(page, (await actions.getAttribute('aria-label')) ?? '')
    await press(page, 'Enter')
    await expect(page.getByRole('menuitem', { name: 'Refund' })).toBeFocused()
    await press(page, 'Enter')
    const refund = page.getByRole('dialog', { name: 'Refund sale' })
    await expect(refund).toBeVisible()
    await press(page, 'Escape')
    await expect(refund).toBeHidden()
    await rests(page, actions)

    await press(page, 'Enter')
    await press(page, 'Enter')
    await rests(page, refund.getByLabel('Refund Amount'))
    await press(page, 'Control+a')
    await type(page, '100')
    await pass(page, 'Reason')
    await type(page, 'Fewer seats')
    await pass(page, 'Refund')
    await press(page, 'Enter')
    await expect(page.getByRole('status').filter({ hasText: 'Refund of $100.00 recorded' })).toBeVisible()
    await expect(refund).toBeHidden()
    await rests(page, actions)
    await expect(sales).toContainText('Partially refunded')
  })

  await test.step('the payout is approved', async () => {
    await press(page, 'g')
    await press(page, 'y')
    await arrive(page, 'Payouts')
    await untilUncovered(page)
    await focus(page)
    await reach(page, 'Select Jane Whitfield')
    await press(page, 'Space')
    await expect(page.getByRole('group', { name: 'Selection' })).toContainText('1 selected')
    await reach(page, 'Approve 1 payout', { backwards: true })
    await press(page, 'Enter')
    const review = page.getByRole('dialog', { name: 'Approve payout' })
    const approve = review.getByRole('button', { name: 'Approve 1 payout' })
    await expect(approve).toBeEnabled()
    // The page's own keys do nothing here.
    await press(page, 'n')
    for (let stops = 0; stops < 12 && !(await approve.evaluate((it) => it === document.activeElement)); stops++)
      await press(page, 'Tab')
    await expect(approve).toBeFocused()
    await press(page, 'Enter')
    await expect(page.getByRole('status').filter({ hasText: '1 payout approved, $80.00' })).toBeVisible()
    await expect(review).toBeHidden()
    // The bar of the selection is gone.
    await arrive(page, 'Payouts')
    await tab(page)
  })

  await test.step('a person is found in the palette', async () => {
    await press(page, 'Control+k')
    const palette = page.getByRole('combobox', { name: 'Search or jump to' })
    await expect(palette).toBeFocused()
    await type(page, 'hannah')
    await expect(page.getByRole('option', { name: /Hannah Cole/ }).first()).toHaveAttribute('aria-selected', 'true')
    await press(page, 'Enter')
    await arrive(page, 'Hannah Cole')
  })

  await test.step('a search is saved as a view', async () => {
    await press(page, 'g')
    await press(page, 'p')
    await arrive(page, 'Partners')
    await press(page, '/')
    await rests(page, page.getByLabel('Search partners'))
    await type(page, 'ada')
    await expect(page).toHaveURL(/search=ada/)
    await reach(page, 'Save view')
    await press(page, 'Enter')
    const naming = page.getByRole('dialog', { name: 'Save view' })
    await rests(page, naming.getByLabel('Name'))
    await type(page, 'Only Ada')
    await press(page, 'Enter')
    await expect(page.getByRole('status').filter({ hasText: 'View saved' })).toBeVisible()
    await expect(naming).toBeHidden()
    // There is nothing left to save.
    await arrive(page, 'Partners')
    await press(page, 'g')
    await press(page, 'd')
    await arrive(page, 'Dashboard')
    await press(page, 'g')
    await press(page, 'p')
    await arrive(page, 'Partners')
    await reach(page, 'Views')
    await press(page, 'Enter')
    await expect(page.getByRole('menuitemradio', { name: 'Only Ada' })).toBeFocused()
    await press(page, 'Enter')
    await expect(page).toHaveURL(/search=ada/)
    await rests(page, page.getByRole('button', { name: 'Views' }))
  })

  await test.step('signing out', async () => {
    await press(page, 'Control+k')
    await type(page, 'sign out')
    await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toHaveText('Sign out')
    await press(page, 'Enter')
    await expect(pageHeading(page, 'Sign in')).toBeVisible()
  })
  expect(filterUnexpected(complaints, 404)).toEqual([])
})
