import type { Page } from '@playwright/test'
import { aPartner } from './app.ts'
import { anOwner, type Person, type Site } from './journey.ts'
import { test } from './test.ts'

export let site: Site
export let owner: Person & { id: string }
/** The unique name of the owner's account. */
export let account: string

/** Gives each test of the calling file an owner with a partner. */
export function prepareAdmin() {
  test.beforeEach(async ({ site: shared }) => {
    site = shared
    account = aName('Harbor')
    owner = await anOwner(site, { name: account })
    await aPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  })
}

let named = 0
export const aName = (name: string) => `${name} Number ${++named}`

export const statusMessage = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
export const dialogNamed = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
export const ownerPanel = (page: Page) => page.getByRole('region', { name: 'Owner', exact: true })
