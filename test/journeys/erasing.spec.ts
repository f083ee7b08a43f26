import { ok } from '../support/app.ts'
import { enter, expectAccessibleInBothThemes, heading } from '../support/journey.ts'
import { aLead, dialog, fromMenu, owner, prepareLeads, site } from '../support/leads-screens.ts'
import { expect, test } from '../support/test.ts'

prepareLeads()

test('a lead’s person is erased from its page, and listed by id in the settings', async ({ page }) => {
  const lead = await aLead({ firstName: 'Ida', lastName: 'Quill', email: 'ida@quill.example' })
  await enter(page, site, owner, `/leads/${lead.id}`)
  await fromMenu(page, `Actions for Ida Quill`, 'Erase person')
  const asked = dialog(page, 'Erase Ida Quill')
  await expect(asked).toContainText('The figures stay. This can’t be undone.')
  await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await asked.getByRole('button', { name: 'Erase' }).click()
  await expect(heading(page, `Erased lead ${lead.id.slice(-4)}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change status' })).toHaveCount(0)
  await page.goto(`${site.url}/account/settings?tab=data`)
  await expect(page.getByRole('table', { name: /Erased people/ })).toContainText(lead.id)
  const { items } = ok(await site.api('GET', `/accounts/${owner.id}/erasures`, { token: owner.token })).body
  expect(items[0].subject).toEqual({ type: 'lead', id: lead.id })
})
