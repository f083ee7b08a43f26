import type { Page } from '@playwright/test'
import { ok } from '../support/app.ts'
import { anOwner, atRest, enter, type Person, type Site } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Forms that are open while another person saves the same.

let site: Site
let owner: Person & { id: string }

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site, { name: 'Meadow Paper', payoutDelay: 0 })
})

const ofAccount = async (method: string, path: string, body?: object) =>
  ok(await site.api(method, `/accounts/${owner.id}${path}`, { token: owner.token, ...(body && { body }) })).body
const save = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('saving a form keeps what another person changed in its other fields meanwhile', async ({ page, complaints }) => {
  const address = { addressLine: 'Weg 1', city: 'Berlin', zipCode: '10115' }
  const invoices = { enabled: true, legalName: 'Meadow GmbH', address, country: 'DE', vatRate: 19 }
  await ofAccount('PUT', '/invoicing', invoices)
  await enter(page, site, owner, '/account/settings?tab=invoices')
  await atRest(page)
  await ofAccount('PUT', '/invoicing', { vatRate: 16 })
  await page.getByLabel('Prefix').fill('MP-')
  await save(page, 'Save changes')
  await expect(page.getByLabel('VAT rate')).toHaveValue('16')
  expect(await ofAccount('GET', '/invoicing')).toMatchObject({ ...invoices, vatRate: 16, prefix: 'MP-' })

  // the address that is suggested is saved with the first change
  await page.goto(`${site.url}/account/settings?tab=program`)
  await atRest(page)
  await page.getByRole('radio', { name: 'Open' }).check()
  await save(page, 'Save page')
  await expect.poll(() => ofAccount('GET', '/program')).toMatchObject({ state: 'open', slug: 'meadow-paper' })
  await ofAccount('PUT', '/program', { state: 'off', autoApprove: true })
  await page.getByLabel('Headline').fill('Join us')
  await save(page, 'Save page')
  await expect.poll(async () => (await ofAccount('GET', '/program')).headline).toBe('Join us')
  expect(await ofAccount('GET', '/program')).toMatchObject({ state: 'off', slug: 'meadow-paper', autoApprove: true })

  await page.goto(`${site.url}/integrations/embed-code`)
  await atRest(page)
  await save(page, 'Save changes')
  await expect(page.getByText('Embed code saved')).toBeVisible()
  await ofAccount('PUT', '/embed-code', { domains: ['meadow.example'] })
  await page.getByLabel('Consent').selectOption({ index: 1 })
  await save(page, 'Save changes')
  await expect.poll(async () => (await ofAccount('GET', '/embed-code')).consentMode).not.toBe('off')
  expect((await ofAccount('GET', '/embed-code')).domains).toEqual(['meadow.example'])
  expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
})
