import { expectOk } from '../support/app.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { aLead, dialogNamed, fromMenu, owner, prepareLeads, site } from '../support/leads-screens.ts'
import { expect, test } from '../support/test.ts'

prepareLeads()

test('a lead’s person is erased from its page, and listed by id in the settings', async ({ page }) => {
  const lead = await aLead({ firstName: 'Ida', lastName: 'Quill', email: 'ida@quill.example' })
  await openAs(page, site, owner, `/leads/${lead.id}`)
  await fromMenu(page, `Actions for Ida Quill`, 'Erase person')
  const eraseDialog = dialogNamed(page, 'Erase Ida Quill')
  await expect(eraseDialog).toContainText('The figures stay. This can’t be undone.')
  await expect(eraseDialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await eraseDialog.getByRole('button', { name: 'Erase' }).click()
  await expect(pageHeading(page, `Erased lead ${lead.id.slice(-4)}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change status' })).toHaveCount(0)
  await page.goto(`${site.url}/account/settings?tab=data`)
  await expect(page.getByRole('table', { name: /Erased people/ })).toContainText(lead.id)
  const { items } = expectOk(await site.api('GET', `/accounts/${owner.id}/erasures`, { token: owner.token })).body
  expect(items[0].subject).toEqual({ type: 'lead', id: lead.id })
})
