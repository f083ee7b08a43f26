import type { Page } from '@playwright/test'
import { expectOk } from '#test/support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  openAs,
  type Site,
  signedInPage,
  startSite,
} from '#test/support/journey.ts'
import { captureShot } from '#test/support/shots.ts'
import { expect, test } from '#test/support/test.ts'

// An owner writes their texts in a second language, and partners read them in theirs.

let site: Site
test.beforeAll(async () => {
  site = await startSite()
})
test.afterAll(() => site.end())

async function aProgram() {
  const owner = await anOwner(site, { name: 'Harbor Analytics', defaultCommissionSettings: { layerRates: [20] } })
  const call = async (method: string, path: string, body: object) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body
  await call('PATCH', `/accounts/${owner.id}`, { pageLanguages: ['de', 'fr'] })
  await call('PUT', `/accounts/${owner.id}/program`, {
    ...{ state: 'open', slug: `harbor-${owner.id.slice(-6)}`, headline: 'Earn with Harbor' },
    ...{ text: 'We pay well.', rules: '- No ads on our name' },
  })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield', language: 'de' })
  return { owner, partner, call }
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const saved = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible()

/** Pictures of a wide and of a narrow screen. */
async function capture(page: Page, name: string) {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await captureShot(page, `${name}-${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 720 })
}

test('an owner writes page, agreement, announcement and email in German, and a German reader gets them', async ({
  page,
  browser,
  complaints,
}) => {
  const { owner, partner } = await aProgram()
  await openAs(page, site, owner, '/account/settings?tab=program')
  await expect(tab(page, 'Deutsch')).toHaveText(/Not translated/)
  await tab(page, 'Deutsch').click()
  await page.getByRole('textbox', { name: 'Headline' }).fill('Mit Harbor verdienen')
  await page.getByRole('textbox', { name: 'About' }).fill('Wir zahlen gut.')
  await expect(tab(page, 'Deutsch')).not.toHaveText(/Not translated/)
  const preview = page.frameLocator('iframe')
  await expect(preview.getByRole('heading', { level: 1, name: 'Mit Harbor verdienen' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await capture(page, 'texts-program')
  // a mistake shows the tab that it is on
  await page.getByRole('textbox', { name: 'About' }).fill('x'.repeat(5001))
  await tab(page, 'English').click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(tab(page, 'Deutsch')).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('textbox', { name: 'About' }).fill('Wir zahlen gut.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await saved(page, 'Program page saved')

  await page.goto(`${site.url}/account/settings?tab=applications`)
  await page.getByRole('button', { name: 'New version' }).click()
  const form = page.getByRole('form', { name: 'New version' })
  await form.getByRole('textbox', { name: 'Text' }).fill('Be kind.')
  await form.getByRole('tab', { name: 'Deutsch' }).click()
  await form.getByRole('textbox', { name: 'Text' }).fill('Seien Sie freundlich.')
  await form.getByRole('button', { name: 'Publish version 1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish version 1' }).click()
  await saved(page, 'Partner agreement published')
  const panel = page.getByRole('region', { name: 'Agreement', exact: true })
  await expect(panel).toContainText('In English, German')
  await panel.getByRole('button', { name: 'Add translation' }).click()
  const adding = page.getByRole('dialog', { name: 'Add translation' })
  await adding.getByLabel('Language').selectOption('fr')
  await adding.getByRole('textbox', { name: 'Text' }).fill('Soyez aimable.')
  await adding.getByRole('button', { name: 'Add translation' }).click()
  await saved(page, 'Translation published')
  await expect(panel).toContainText('In English, German, French')
  await capture(page, 'texts-agreement')

  await page.goto(`${site.url}/partners`)
  await page.getByRole('button', { name: 'Announce' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('News for {firstName}')
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Hello {firstName}')
  await dialog.getByRole('tab', { name: 'Deutsch' }).click()
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('Neues für {firstName}')
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Hallo {firstName}')
  await capture(page, 'texts-announcement')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('heading', { name: 'News for' })).toBeVisible()
  await dialog.getByRole('tab', { name: 'Deutsch' }).click()
  await expect(dialog.getByRole('heading', { name: 'Neues für' })).toBeVisible()
  await capture(page, 'texts-announcement-preview')
  await dialog.getByRole('button', { name: 'Send to 1 partner: 1 in German' }).click()
  await saved(page, 'Sent to 1 partner')

  await page.goto(`${site.url}/account/settings?tab=emails&email=sale-credited`)
  await tab(page, 'Deutsch').click()
  await page.getByRole('textbox', { name: 'Subject' }).fill('Sie haben {{amount}} verdient')
  await page.getByRole('textbox', { name: 'Body' }).fill('Vielen Dank.\n\n{{button}}')
  await expect(page.getByRole('heading', { name: /^Sie haben .* verdient$/ })).toBeVisible()
  await capture(page, 'texts-email')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await saved(page, 'saved')
  expect(complaints).toEqual([])

  const theirs = await signedInPage(browser, site, partner, [], { locale: 'de-DE' })
  await theirs.goto(`${site.url}/dashboard`)
  await expect(theirs.getByText('Neues für Jane').first()).toBeVisible()
  await theirs.getByRole('button', { name: 'Lesen' }).first().click()
  const agreement = theirs.getByRole('dialog')
  await expect(agreement).toContainText('Seien Sie freundlich.')
  await capture(theirs, 'texts-read')
  await agreement.getByRole('button', { name: 'Original lesen (Englisch)' }).click()
  await expect(agreement).toContainText('Be kind.')
  await theirs.goto(`${site.url}/join/harbor-${owner.id.slice(-6)}/de`)
  await expect(theirs.getByRole('heading', { level: 1, name: 'Mit Harbor verdienen' })).toBeVisible()
  await expect(theirs.locator('[lang=en]').filter({ hasText: 'No ads on our name' })).toBeVisible()
  await capture(theirs, 'texts-page')
  await theirs.context().close()
})
