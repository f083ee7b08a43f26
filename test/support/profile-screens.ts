import type { Page } from '@playwright/test'
import { anOwner, aPartnerOf, type Person, type Site } from './journey.ts'
import { test } from './test.ts'

export let site: Site
export let owner: Person & { id: string }

/** Gives each test of the calling file an owner. */
export function prepareProfile() {
  test.beforeEach(async ({ site: shared }) => {
    site = shared
    owner = await anOwner(site)
  })
}

export const aPartner = () => aPartnerOf(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })

export const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
export const sessionRows = (page: Page) =>
  page.getByRole('table', { name: 'Sessions' }).locator('tbody').getByRole('row')
