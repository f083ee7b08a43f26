import type { Page } from '@playwright/test'
import { expectOk } from './app.ts'
import { anOwner, aSignedUpPartner, type Person } from './journey.ts'
import type { SharedSite } from './populated-account.ts'
import { expect, test } from './test.ts'

export const daysFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
/** 'Jan 1, 2024', as the screens write days. */
export const shownDay = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

export const buttonNamed = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const dialogNamed = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
export const panelNamed = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const statusMessage = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true })
export const figureNamed = (page: Page, label: string) =>
  page
    .getByRole('main')
    .locator('div')
    .filter({ has: page.getByRole('term').getByText(label, { exact: true }) })
    .last()
/** The block of one sale, in any layout of the window. */
export const saleOn = (page: Page, text: string) =>
  panelNamed(page, 'Sales').locator('[id^="sale-"]').filter({ hasText: text })

export async function chooseIn(page: Page, label: string, name: string) {
  const field = page.getByRole('combobox', { name: label, exact: true })
  await field.fill(name)
  await page.getByRole('option', { name }).click()
  await expect(field).toHaveValue(new RegExp(name))
}

export async function fromMenu(page: Page, menu: RegExp | string, item: string) {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Removes the messages that browsers themselves log for every refused answer. */
export const withoutRefusals = (complaints: string[]) =>
  complaints.filter((text) => !text.includes('Failed to load resource'))

export let site: SharedSite
export let owner: Person & { id: string }
export let sofia: { id: string }
export let jane: Person & { id: string }
export let marcus: { id: string }

/** Gives the calling file an owner with Sofia, Jane below her, and Marcus. */
export function prepareLeads() {
  test.beforeAll(async ({ site: shared }) => {
    site = shared
    owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10, 5] }, payoutDelay: 30 })
    sofia = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
    jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield', parentPartnerId: sofia.id })
    marcus = await apiPost(`/accounts/${owner.id}/partners`, {
      firstName: 'Marcus',
      lastName: 'Oyelaran',
      email: 'marcus@oyelaran.example',
    })
  })
}

export const apiPost = async (path: string, body: object) =>
  expectOk(await site.api('POST', path, { token: owner.token, body })).body
export const apiGet = async (path: string) => expectOk(await site.api('GET', path, { token: owner.token })).body

let made = 0
/** A lead, by default Jane's. */
export async function aLead(fields: Record<string, unknown> = {}): Promise<{ id: string; displayName: string }> {
  made += 1
  return apiPost(`/accounts/${owner.id}/leads`, {
    partnerId: jane.id,
    firstName: 'Hannah',
    lastName: `Cole ${made}`,
    email: `hannah.${made}@brightline.example`,
    ...fields,
  })
}
