import { expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  openAs,
  pageHeading,
  signedInPage,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// An owner publishes the partner agreement, and a partner is asked for it on every screen until they accept.

test('an owner publishes an agreement, and a partner reads and accepts it', async ({
  browser,
  page,
  complaints,
  site,
}) => {
  const owner = await anOwner(site, { name: 'Harbor Analytics' })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  await openAs(page, site, owner, '/account/settings?tab=applications')
  await page.getByRole('button', { name: 'New version' }).click()
  const form = page.getByRole('form', { name: 'New version' })
  await form.getByRole('textbox', { name: 'Text' }).fill('# What you may do\n\n- Recommend us')
  await expectAccessibleInBothThemes(page)
  await form.getByRole('button', { name: 'Publish version 1' }).click()
  const confirmDialog = page.getByRole('dialog', { name: 'Publish version 1?' })
  await expect(confirmDialog).toContainText('It cannot be edited.')
  await confirmDialog.getByRole('button', { name: 'Publish version 1' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Partner agreement published' }).first()).toBeVisible()
  const panel = page.getByRole('region', { name: 'Agreement', exact: true })
  await expect(panel).toContainText('0 accepted, 1 waiting')

  const hers = await signedInPage(browser, site, partner, [])
  await hers.goto(`${site.url}/partner/settings`)
  await expect(pageHeading(hers, 'Settings')).toBeVisible()
  const notice = hers.getByRole('region', { name: 'Please accept the partner agreement' })
  await expectAccessibleInBothThemes(hers)
  await notice.getByRole('button', { name: 'Read' }).click()
  const dialog = hers.getByRole('dialog', { name: 'Partner agreement' })
  await expect(dialog.getByRole('listitem')).toHaveText(['Recommend us'])
  await expectAccessibleInBothThemes(hers)
  const next = { text: 'Recommend us honestly', changes: 'Honesty' }
  expectOk(await site.api('POST', `/accounts/${owner.id}/agreement`, { token: owner.token, body: next }))
  await dialog.getByRole('button', { name: 'Accept version 1' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This version was replaced')
  await expect(dialog).toContainText('Recommend us honestly')
  await dialog.getByRole('button', { name: 'Accept version 2' }).click()
  await expect(notice).toBeHidden()
  await expect(hers.getByRole('main')).toContainText('You accepted version 2 on')
  await hers.context().close()

  await page.reload()
  await panel.getByRole('link', { name: '1 accepted' }).click()
  await expect(page.getByRole('row', { name: /Jane Whitfield/ })).toBeVisible()
  expect(complaints).toEqual([])
})
