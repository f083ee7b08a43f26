import type { Page } from '@playwright/test'
import { aPartner, expectOk } from './app.ts'
import { anOwner, aSignedUpPartner, type Person, type Site } from './journey.ts'
import { aBlueprint, visitLink } from './links.ts'
import { bankDetails } from './payouts.ts'
import { test } from './test.ts'

export let site: Site
export let owner: Person & { id: string }
export let jane: Person & { id: string; referralCode: string }
export let sofia: Person & { id: string }

/** Gives each test of the calling file an owner with Sofia, Jane below her, and Bella below Jane. */
export function preparePartners() {
  test.beforeEach(async ({ site: shared }) => {
    site = shared
    owner = await anOwner(site, {
      defaultCommissionSettings: { layerRates: [10, 5, 2] },
      payoutDelay: 0,
      invitationsFromPartners: true,
    })
    sofia = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
    jane = (await aSignedUpPartner(site, owner, {
      firstName: 'Jane',
      lastName: 'Whitfield',
      referralCode: 'jane',
      parentPartnerId: sofia.id,
    })) as unknown as typeof jane
    await aPartner(site, owner, { firstName: 'Bella', lastName: 'Rossi', parentPartnerId: jane.id })
  })
}

/** Fills Jane's page: payout details, clicks, leads, a sale and the balance due for it. */
export async function aHistory() {
  expectOk(await site.api('POST', `/partners/${jane.id}/payout-settings`, { token: jane.token, body: bankDetails() }))
  const blueprint = await aBlueprint(site, owner)
  for (let count = 0; count < 4; count++) await visitLink(site, blueprint.key, 'jane')
  const lead = await apiPost(`/accounts/${owner.id}/leads`, { partnerId: jane.id, email: 'hannah@brightline.example' })
  await apiPost(`/accounts/${owner.id}/leads`, { partnerId: jane.id, email: 'omar@pinegate.example' })
  await apiPost(`/leads/${lead.id}/sales`, { amount: 500_00 })
  await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
}

export const apiPost = async (path: string, body: object, token = owner.token) =>
  expectOk(await site.api('POST', path, { token, body })).body
export const apiGet = async (path: string, token = owner.token) => expectOk(await site.api('GET', path, { token })).body

/** The figures and facts of a panel or strip, in the words of the page. */
export const factsPanel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const dialogNamed = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
export const statusMessage = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
