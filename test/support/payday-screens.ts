import type { Locator, Page } from '@playwright/test'
import { fakeWise } from '../fakes/wise.ts'
import { expectOk } from './app.ts'
import { anOwner, aSignedUpPayee, type Person, type Site, startSite } from './journey.ts'
import { createTestDatabase } from './postgres.ts'
import { test } from './test.ts'

// A day on which an owner pays their partners: each task appears once, with the amount waiting for it.

export const year = new Date().getUTCFullYear()

export const names = [
  'Ida Moreau',
  'Tomás Herrera',
  'Jane Whitfield',
  'Aisha Bello',
  'Noah Bennett',
  'Zoë Ångström-Featherstonehaugh',
]

export const rowNamed = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
export const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name })
export const openTasks = (page: Page) => page.getByRole('list', { name: 'What you can do now' })
export const chipNamed = (page: Page, name: string) => openTasks(page).getByRole('button', { name, exact: true })
export const tableFoot = (page: Page) => page.locator('tfoot tr')
export const readCount = (one: Locator) => one.locator('span[aria-hidden]').innerText()

export let site: Site
let database: Awaited<ReturnType<typeof createTestDatabase>>
export let wise: Awaited<ReturnType<typeof fakeWise>>
export let owner: Person & { id: string }

/** Gives each test of the calling file an owner, on a site with Wise’s stand-in. */
export function preparePayday() {
  test.beforeAll(async () => {
    wise = await fakeWise({ balance: { USD: 100 }, autoProgress: true })
    database = await createTestDatabase()
    site = await startSite({ DATABASE_URL: database.url, WISE_API_URL: wise.url })
  })

  test.beforeEach(async () => {
    owner = await anOwner(site, { payoutDelay: 0, minimumPayout: 20_00 })
  })

  test.afterAll(async () => {
    await site.end()
    await wise.close()
    await database.drop()
  })
}

export const apiSend = async (method: string, path: string, body: object, token = owner.token) =>
  expectOk(await site.api(method, path, { token, body })).body

/** A partner with this balance due; `lacks` is the reason why it cannot be paid. */
export async function aPayee(name: string, amount: number, lacks?: 'details' | 'approval') {
  const [firstName, ...rest] = name.split(' ')
  const has = { details: lacks !== 'details', approved: lacks !== 'approval' }
  const partner = await aSignedUpPayee(site, owner, { firstName, lastName: rest.join(' ') }, has)
  if (amount > 0) await apiSend('POST', `/partners/${partner.id}/adjustments`, { amount, reason: 'Agreed' })
  return partner
}

/** Five of six partners have a positive balance; two of them can be paid at once. */
export async function aPayday() {
  await aPayee(names[0]!, 120_00)
  await aPayee(names[1]!, 200_00)
  await aPayee(names[2]!, 405_00, 'approval')
  await aPayee(names[3]!, 900_00, 'details')
  await aPayee(names[4]!, 3_00)
  await aPayee(names[5]!, 0)
  await apiSend('POST', `/accounts/${owner.id}/payouts/refresh`, {})
}
