import type { Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import { anOwner, aSignedUpPartner, atRest, fromMore, openAs, type Person, type Site } from '../support/journey.ts'
import { aPictureFile } from '../support/pictures.ts'
import { anotherDebtor, euroDetails } from '../support/sepa.ts'
import { expect, test } from '../support/test.ts'

// Forms that are open while another person saves the same, and a write whose answer is lost.

let site: Site
let owner: Person & { id: string }

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site, { name: 'Meadow Paper', payoutDelay: 0 })
})

const ofAccount = async (method: string, path: string, body?: object) =>
  expectOk(await site.api(method, `/accounts/${owner.id}${path}`, { token: owner.token, ...(body && { body }) })).body
const save = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('saving a form keeps what another person changed in its other fields meanwhile', async ({ page, complaints }) => {
  const address = { addressLine: 'Weg 1', city: 'Berlin', zipCode: '10115' }
  const invoices = { enabled: true, legalName: 'Meadow GmbH', address, country: 'DE', vatRate: 19 }
  await ofAccount('PUT', '/invoicing', invoices)
  await openAs(page, site, owner, '/account/settings?tab=invoices')
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
  await save(page, 'Save changes')
  await expect.poll(() => ofAccount('GET', '/program')).toMatchObject({ state: 'open', slug: 'meadow-paper' })
  await ofAccount('PUT', '/program', { state: 'off', autoApprove: true })
  await page.getByLabel('Headline').fill('Join us')
  await save(page, 'Save changes')
  await expect.poll(async () => (await ofAccount('GET', '/program')).headline).toBe('Join us')
  expect(await ofAccount('GET', '/program')).toMatchObject({ state: 'off', slug: 'meadow-paper', autoApprove: true })

  await page.goto(`${site.url}/integrations/embed-code`)
  await atRest(page)
  await save(page, 'Save changes')
  await expect(page.getByText('Embed code saved')).toBeVisible()
  await ofAccount('PUT', '/embed-code', { domains: ['meadow.example'] })
  await page.getByLabel('Consent Mode').selectOption({ index: 1 })
  await save(page, 'Save changes')
  await expect.poll(async () => (await ofAccount('GET', '/embed-code')).consentMode).not.toBe('off')
  expect((await ofAccount('GET', '/embed-code')).domains).toEqual(['meadow.example'])
  expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
})

test('fraud rules, colors and mappings keep what another person changed meanwhile', async ({ page, complaints }) => {
  const speed = { action: 'hold', leadsPerHour: 7 }
  await openAs(page, site, owner, '/account/settings?tab=fraud-rules')
  await atRest(page)
  await ofAccount('PUT', '/fraud-rules', { speed })
  await page.getByLabel('Refund rate').selectOption('Flag')
  await save(page, 'Save changes')
  await expect.poll(async () => (await ofAccount('GET', '/fraud-rules')).refundRate.action).toBe('flag')
  expect((await ofAccount('GET', '/fraud-rules')).speed).toEqual(speed)

  await page.goto(`${site.url}/account/settings?tab=branding`)
  await atRest(page)
  await ofAccount('PUT', '/brand', { accent: '#123456' })
  await page.getByLabel('Logo').setInputFiles(aPictureFile('logo.png'))
  await save(page, 'Save changes')
  await expect.poll(async () => (await ofAccount('GET', '/brand')).logoUrl).not.toBeNull()
  expect((await ofAccount('GET', '/brand')).accent).toBe('#123456')

  const mapping = [{ field: 'email', path: 'mail', transform: 'none' }]
  const { id } = await ofAccount('POST', '/incoming-webhooks', { name: 'Form', target: 'lead', mapping })
  const ofHook = async (method: string, body?: object) =>
    expectOk(await site.api(method, `/incoming-webhooks/${id}`, { token: owner.token, ...(body && { body }) })).body
  await page.goto(`${site.url}/integrations/incoming-webhooks/${id}/update`)
  await atRest(page)
  const changed = [{ ...mapping[0], path: 'e-mail' }]
  await ofHook('PUT', { mapping: changed, allowedIps: ['203.0.113.7'], enabled: false })
  await page.getByLabel('Name', { exact: true }).fill('Our form')
  await save(page, 'Save changes')
  await expect.poll(async () => (await ofHook('GET')).name).toBe('Our form')
  expect(await ofHook('GET')).toMatchObject({ mapping: changed, allowedIps: ['203.0.113.7'], enabled: false })
  expect(complaints).toEqual([])
})

test('after a write without an answer, a dialog opened again shows whether it took effect', async ({ page }) => {
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Lena', lastName: 'Voss' })
  await openAs(page, site, owner, `/partners/${partner.id}`)
  await atRest(page)
  await page.route(/\/adjustments$/, async (route) => {
    await route.fetch()
    await route.abort()
  })
  const dialog = page.getByRole('dialog', { name: 'Add adjustment' })
  await page.getByRole('button', { name: 'Add adjustment' }).click()
  await dialog.getByLabel('Amount').fill('100')
  await dialog.getByLabel('Reason').fill('Thanks for the talk')
  await dialog.getByRole('button', { name: 'Add adjustment' }).click()
  await expect(dialog.getByRole('alert').first()).toContainText('couldn’t reach the server')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Add adjustment' }).click()
  await expect(dialog.getByRole('definition').first()).toHaveText('$100.00')
})

test('a payment file whose answer was lost is downloaded by the next press', async ({ page }) => {
  const payer = await anOwner(site, { defaultCurrency: 'eur', payoutDelay: 0, minimumPayout: 0 })
  const send = async (method: string, path: string, body?: object, token = payer.token) =>
    expectOk(await site.api(method, path, { token, ...(body && { body }) })).body
  await send('PUT', `/accounts/${payer.id}/payout-methods/sepa`, anotherDebtor())
  const partner = await aSignedUpPartner(site, payer, { firstName: 'Léa', lastName: 'Moreau' })
  await send('POST', `/partners/${partner.id}/payout-settings`, euroDetails(), partner.token)
  await send('PUT', `/partners/${partner.id}`, { approvedPayoutYears: [new Date().getUTCFullYear()] })
  await send('POST', `/partners/${partner.id}/adjustments`, { amount: 80_00, reason: 'Agreed' })
  await send('POST', `/accounts/${payer.id}/payouts/refresh`)
  await openAs(page, site, payer, '/payouts?tab=needs-action')
  await fromMore(page, 'Make payment file')
  const dialog = page.getByRole('dialog', { name: 'Make payment file' })
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await page.route(/\/payment-files$/, async (route) => {
    await route.fetch()
    await route.abort()
    await page.unroute(/\/payment-files$/)
  })
  const make = dialog.getByRole('button', { name: 'Approve and download' })
  await make.click()
  await expect(dialog.getByRole('alert')).toContainText('couldn’t reach the server')
  const [saved] = await Promise.all([page.waitForEvent('download'), make.click()])
  expect(saved.suggestedFilename()).toBe('sepa-1.xml')
  await expect(dialog).toBeHidden()
  expect((await send('GET', `/accounts/${payer.id}/payment-files`)).items).toHaveLength(1)
})
