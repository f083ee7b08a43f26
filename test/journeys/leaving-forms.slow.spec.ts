import type { Page } from '@playwright/test'
import { expectOk, signIn } from '../support/app.ts'
import { filterUnexpected } from '../support/browser.ts'
import { interceptCalls } from '../support/intercept-calls.ts'
import {
  anOwner,
  aSignedUpPartner,
  atRest,
  type Person,
  pageHeading,
  type Site,
  showOptions,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The way back from a form, and input typed while it is being saved.

let site: Site
let owner: Person & { id: string }
let jane: Person & { id: string }

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site, { name: 'Fernhill Supply' })
  jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
})

/** Opens an address in a new session. */
async function openAs(page: Page, who: Person, path: string, h1: string) {
  const { token, refreshToken } = await signIn(site, who.email)
  // A document of this site without a script.
  await page.goto(`${site.url}/api/v1/nothing`)
  await page.evaluate(
    (session) => localStorage.setItem('tributary.session', session),
    JSON.stringify({ accessToken: token, refreshToken }),
  )
  await page.goto(`${site.url}${path}`)
  await expect(pageHeading(page, h1)).toBeVisible()
  await atRest(page)
}

const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()

test('Back skips a form that was saved or discarded', async ({ page, complaints }) => {
  await openAs(page, owner, '/partners', 'Partners')
  await page.getByRole('link', { name: /Whitfield|Marsh/ }).click()
  const person = page.getByRole('heading', { level: 1, name: /Whitfield|Marsh/ })
  await expect(person).toBeVisible()
  const name = await person.innerText()
  await press(page, 'Edit')
  await expect(pageHeading(page, 'Edit partner')).toBeVisible()
  await showOptions(page)
  await page.getByLabel('Note').fill(`Seen at ${Date.now()}`)
  await press(page, 'Save changes')
  await expect(page.getByText('Partner saved')).toBeVisible()
  await expect(pageHeading(page, name)).toBeFocused()
  await page.goBack()
  await expect(pageHeading(page, name)).toBeVisible()
  await page.goBack()
  await expect(pageHeading(page, 'Partners')).toBeVisible()

  await press(page, 'Add partner')
  await page.getByLabel('Email').fill(`ada-${Date.now()}@partners.example`)
  await press(page, 'Add partner')
  await expect(page.getByText('Partner added')).toBeVisible()
  await page.goBack()
  await expect(pageHeading(page, 'Partners')).toBeVisible()
  await press(page, 'Add partner')
  await expect(pageHeading(page, 'Add partner')).toBeVisible()
  await press(page, 'Cancel')
  await expect(pageHeading(page, 'Partners')).toBeVisible()
  await page.goForward().catch(() => undefined)
  await expect(pageHeading(page, 'Partners')).toBeVisible()
  expect(filterUnexpected(complaints, 404)).toEqual([])
})

test('input typed while the form is being saved triggers a question instead of being lost', async ({ page }) => {
  await openAs(page, owner, `/partners/${jane.id}/update`, 'Edit partner')
  const road = await interceptCalls(page)
  road.hold()
  await showOptions(page)
  await page.getByLabel('Note').fill('first')
  await press(page, 'Save changes')
  // what runs in the background may be read meanwhile
  await expect.poll(road.waiting).toContain(`PUT /partners/${jane.id}`)
  await page.getByLabel('Note').fill('first, and more')
  await road.open()
  const guard = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(guard).toBeVisible()
  await guard.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Note')).toHaveValue('first, and more')
  await press(page, 'Save changes')
  await expect(pageHeading(page, 'Edit partner')).toBeHidden()
  expect(expectOk(await site.api('GET', `/partners/${jane.id}`, { token: owner.token })).body.note).toBe(
    'first, and more',
  )
})
