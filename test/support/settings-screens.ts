import type { Page } from '@playwright/test'
import { expectOk } from './app.ts'
import { anOwner, aSignedUpPartner, type Person } from './journey.ts'
import type { SharedSite } from './populated-account.ts'
import { expect, test } from './test.ts'

export let site: SharedSite
export let owner: Person & { id: string }
export let partner: Person & { id: string }

/** Gives each test of the calling file an owner with a partner. */
export function prepareSettings() {
  test.beforeEach(async ({ site: shared }) => {
    site = shared
    owner = await anOwner(site, { minimumPayout: 50_00 })
    partner = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  })
}

export const readAccount = async () =>
  expectOk(await site.api('GET', `/accounts/${owner.id}`, { token: owner.token })).body

/** Saves and waits for the confirmation. */
export async function saveChanges(page: Page) {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Settings saved' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('button', { name: 'Dismiss' }).click()
}
