import type { Page } from '@playwright/test'
import { standInPaypal } from '../fakes/paypal.ts'
import { fakeWise } from '../fakes/wise.ts'
import { expectOk } from './app.ts'
import { anOwner, aSignedUpPayee, type Person, type Site, startSite } from './journey.ts'
import { createTestDatabase } from './postgres.ts'
import { test } from './test.ts'

export let site: Site
export let database: Awaited<ReturnType<typeof createTestDatabase>>
export let wise: Awaited<ReturnType<typeof fakeWise>>
export let paypal: Awaited<ReturnType<typeof standInPaypal>>
export let owner: Person & { id: string }

/** Gives each test of the calling file an owner who pays by Wise, on a site with stand-ins of Wise and PayPal. */
export function preparePayouts() {
  test.beforeAll(async () => {
    wise = await fakeWise({ balance: { USD: 250 }, autoProgress: true })
    paypal = await standInPaypal()
    database = await createTestDatabase()
    site = await startSite({ DATABASE_URL: database.url, WISE_API_URL: wise.url, PAYPAL_API_URL: paypal.url })
  })

  test.beforeEach(async () => {
    owner = await anOwner(site, {
      defaultCommissionSettings: { layerRates: [20] },
      payoutDelay: 0,
      minimumPayout: 20_00,
    })
    await apiPut(`/accounts/${owner.id}/auto-payout-settings`, {
      enabled: false,
      wiseToken: wise.token,
      wiseProfileId: String(wise.businessId),
    })
  })

  test.afterAll(async () => {
    await site.end()
    await wise.close()
    await paypal.close()
    await database.drop()
  })
}

export const apiPut = async (path: string, body: object) =>
  expectOk(await site.api('PUT', path, { token: owner.token, body })).body
export const apiPost = async (path: string, body: object) =>
  expectOk(await site.api('POST', path, { token: owner.token, body })).body

/** A partner with a lead and a sale; a fifth of it is theirs and due at once. */
export async function aPayee(
  firstName: string,
  lastName: string,
  { sale, ...has }: { sale: number; details?: boolean; approved?: boolean },
) {
  const partner = await aSignedUpPayee(site, owner, { firstName, lastName }, has)
  const lead = await apiPost(`/accounts/${owner.id}/leads`, {
    partnerId: partner.id,
    firstName: `${lastName}’s`,
    lastName: 'Lead',
    phone: '+1 212 555 0100',
  })
  await apiPost(`/leads/${lead.id}/sales`, { amount: sale, description: 'Team plan' })
  return partner
}

export const rowNamed = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
export const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name })
