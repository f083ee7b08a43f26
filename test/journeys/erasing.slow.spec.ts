import { acceptInvitation, anEmail, expectOk } from '../support/app.ts'
import { anOwner, expectAccessibleInBothThemes, openAs, signedInPage } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

test('owners say how long data is kept, and the others read it', async ({ page, browser, site, complaints }) => {
  const account = await anOwner(site)
  await openAs(page, site, account, '/account/settings?tab=data')
  const months = page.getByLabel('Erase Leads without a Sale after (months)')
  const effect = page.getByRole('region', { name: 'From the next night' })
  await expect(effect).toContainText('Never')
  await page.getByLabel('Keep Raw Data for (days)').fill('6')
  await months.fill('2')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('Keep Raw Data for (days)')).toHaveAccessibleDescription(/Enter 7 to 400 days/)
  await expect(months).toHaveAccessibleDescription(/Enter 3 to 60 months/)
  await page.getByLabel('Keep Raw Data for (days)').fill('30')
  await months.fill('24')
  await expect(effect).toContainText('After 24 months')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Settings saved' })).toBeVisible()
  const kept = async () =>
    expectOk(await site.api('GET', `/accounts/${account.id}`, { token: account.token })).body.retention
  expect(await kept()).toEqual({ rawDataDays: 30, idleLeadMonths: 24, payeeYears: 7 })
  await months.fill('')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(kept).toEqual({ rawDataDays: 30, idleLeadMonths: null, payeeYears: 7 })
  await page.goto(`${site.url}/account/settings?tab=activity`)
  await expect(page.getByRole('table')).toContainText('Raw data (days) 30')

  const email = anEmail('manager')
  const members = `/accounts/${account.id}/members`
  const { body } = expectOk(await site.api('POST', members, { token: account.token, body: { email, role: 'manager' } }))
  await acceptInvitation(site, body.url)
  const manager = await signedInPage(browser, site, { email }, complaints)
  await manager.goto(`${site.url}/account/settings?tab=data`)
  await expect(manager.getByLabel('Keep Raw Data for (days)')).toBeDisabled()
  await expect(manager.getByLabel('Keep Raw Data for (days)')).toHaveValue('30')
  await expect(manager.getByRole('form').getByText('Only owners can change this.')).toBeVisible()
  await expect(manager.getByRole('button', { name: 'Save changes' })).toHaveCount(0)
  await manager.context().close()
})
