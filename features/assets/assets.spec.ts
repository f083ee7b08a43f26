import { expect } from '@playwright/test'
import { aPartner, expectOk } from '#test/support/app.ts'
import { anOwner, expectAccessibleInBothThemes, openAs, pageHeading, type Site } from '#test/support/journey.ts'
import { aBlueprint } from '#test/support/links.ts'
import { aPictureFile } from '#test/support/pictures.ts'
import { test } from '#test/support/test.ts'

// An owner adds assets, and a partner copies them.

let site: Site

test.beforeAll(({ site: shared }) => {
  site = shared
})

test('an owner adds assets, and a partner copies them with their own link', async ({ page }) => {
  const owner = await anOwner(site)
  const template = await aBlueprint(site, owner)
  await openAs(page, site, owner, '/partners?tab=assets')
  const add = async (fill: () => Promise<void>) => {
    await page.getByRole('button', { name: 'Add asset' }).first().click()
    await fill()
    await page.getByRole('dialog').getByRole('button', { name: 'Add asset' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await add(async () => {
    await page.getByLabel('Name').fill('Banner')
    await page
      .getByLabel('Picture', { exact: true })
      .and(page.locator('[type=file]'))
      .setInputFiles(aPictureFile('banner.png'))
    await page.getByLabel('Alternative Text').fill('See it')
  })
  await add(async () => {
    await page.getByRole('radio', { name: 'HTML' }).check()
    await page.getByLabel('Name').fill('Box')
    const html = '<a href="{link}">{firstName}</a><script>alert(1)</script>'
    await page.getByLabel('Content').fill(html)
    // a stray Escape loses nothing
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
    await expect(page.getByLabel('Content')).toHaveValue(html)
  })
  await expect(page.getByRole('rowheader', { name: 'Box' })).toBeVisible()
  await expectAccessibleInBothThemes(page)

  const partner = await aPartner(site, owner, { firstName: 'Pia' }, { signIn: true })
  const { referralCode } = expectOk(await site.api('GET', `/partners/${partner.id}`, { token: owner.token })).body
  await openAs(page, site, partner, '/dashboard')
  await page.getByRole('link', { name: 'All assets' }).click()
  await expect(pageHeading(page, 'Assets')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Banner' })).toBeVisible()
  await expect(page.getByText(`/r/${template.key}/${referralCode}">Pia</a><script>alert(1)</script>`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download Banner' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
})
