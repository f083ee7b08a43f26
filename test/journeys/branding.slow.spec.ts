import type { Page } from '@playwright/test'
import { aPartner, expectOk } from '../support/app.ts'
import { anOwner, expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { aPictureFile } from '../support/pictures.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

// A program in its account's look, and at its own domain.

const colorOf = (page: Page, name: string) =>
  page.evaluate((name) => document.documentElement.style.getPropertyValue(name), name)

test('an owner chooses logo and color; partners see them, and owners keep ours', async ({ page, site }) => {
  const owner = await anOwner(site)
  await openAs(page, site, owner, '/account/settings?tab=branding')
  await page.getByLabel('Logo').setInputFiles({ ...aPictureFile('logo.svg'), buffer: Buffer.from('<svg/>') })
  await page.getByLabel('Accent Color').fill('#ffd400')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Use a PNG, JPEG, WebP or GIF up to 200 kB').first()).toBeVisible()
  await page.getByLabel('Logo').setInputFiles(aPictureFile('logo.png'))
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Branding saved')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible()
  expect(await colorOf(page, '--primary')).toBe('')
  await expectAccessibleInBothThemes(page)

  await page.getByLabel('Cover Picture').setInputFiles(aPictureFile('cover.png'))
  await expect(page.getByRole('img', { name: 'Current picture' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Branding saved').last()).toBeVisible()
  await captureShot(page, 'branding')
  const body = { state: 'open', slug: `harbor-${owner.id.slice(-12)}` }
  const { url } = expectOk(await site.api('PUT', `/accounts/${owner.id}/program`, { token: owner.token, body })).body
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(url)
    await expect(page.locator('img.cover')).toBeInViewport()
    await expect(page.getByRole('link', { name: 'Apply now' })).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await captureShot(page, `cover-${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })

  const partner = await aPartner(site, owner, {}, { signIn: true })
  await openAs(page, site, partner, '/dashboard')
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  await expect.poll(() => colorOf(page, '--primary')).toBe('#ffd400')
  await expect(page.getByRole('navigation').locator('img').first()).toBeVisible()
  await expectAccessibleInBothThemes(page)
})

test('an owner saves a domain, copies its records, has them checked and gives it up', async ({ page, site }) => {
  const owner = await anOwner(site)
  await openAs(page, site, owner, '/account/settings?tab=branding')
  const domain = page.getByLabel('Domain', { exact: true })
  const save = page.getByRole('button', { name: 'Save changes' })
  await domain.fill('join.harbor.invalid')
  await save.click()
  await expect(page.getByText('Branding saved')).toBeVisible()
  await expect(page.getByText('Waiting for the TXT record')).toBeVisible()
  const { publicId } = expectOk(await site.api('GET', `/accounts/${owner.id}`, { token: owner.token })).body
  const txt = page.getByRole('region', { name: 'TXT record' })
  await expect(txt.getByLabel('Name', { exact: true })).toHaveValue('_tributary.join.harbor.invalid')
  await expect(txt.getByLabel('Value', { exact: true })).toHaveValue(`tributary=${publicId}`)
  await txt.getByRole('button', { name: 'Copy value of the TXT record' }).click()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('No TXT record with this value was found.')).toBeVisible()
  await domain.fill('')
  await save.click()
  await expect(txt).toBeHidden()
  await expect(page.getByText('Waiting for the TXT record')).toBeHidden()
})
