import { buildField } from '../fakes/wise-rules.ts'
import { expectOk } from '../support/app.ts'
import { aSignedUpPartner, openAs } from '../support/journey.ts'
import { inBrazil } from '../support/payouts.ts'
import { apiPut, owner, preparePayouts, site, wise } from '../support/payouts-screens.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

preparePayouts()

test('what Wise cannot tell now is asked again', async ({ page, complaints }) => {
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Luz', lastName: 'Reyes' })
  await openAs(page, site, partner, '/partner/settings')
  wise.fail('GET *account-requirements', { status: 503 }, 10)
  await page.getByLabel('Bank Country').selectOption('Mexico')
  await expect(page.getByRole('main')).toContainText('We can’t check these details now. Try again in a few minutes.')
  wise.calm()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Clabe').fill('032180000118359719')
  await page.getByLabel('Full name of the account holder').fill('Luz Reyes')
  await page.getByLabel('Recipient type').selectOption('Person')
  const sets = [
    { type: 'mexican', title: 'Local', fields: [buildField('clabe', 'Clabe'), buildField('rfc', 'Tax number (RFC)')] },
  ]
  wise.tellForms(() => sets)
  await page.getByRole('button', { name: 'Save payout details' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  wise.tellForms(null)
  await page.getByRole('button', { name: 'Save payout details' }).click()
  await expect(page.getByRole('region', { name: 'Payout details' })).toContainText('•••••9719')
  complaints.splice(0)
})

test('a payout in another currency says where it goes and what arrives', async ({ page, complaints }) => {
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Bia', lastName: 'Lima' })
  expectOk(
    await site.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: inBrazil() }),
  )
  await apiPut(`/partners/${partner.id}`, { approvedPayoutYears: [new Date().getUTCFullYear()] })
  const adjust = { amount: 100_00, reason: 'Agreed' }
  expectOk(await site.api('POST', `/partners/${partner.id}/adjustments`, { token: owner.token, body: adjust }))
  expectOk(await site.api('POST', `/accounts/${owner.id}/payouts/refresh`, { token: owner.token }))
  const [due] = expectOk(await site.api('GET', `/partners/${partner.id}/payouts`, { token: owner.token })).body.items
  expectOk(await site.api('POST', `/payouts/${due.id}/approve`, { token: owner.token }))
  await expect(async () => {
    expectOk(await site.api('POST', `/accounts/${owner.id}/payouts/refresh`, { token: owner.token }))
    const { status } = expectOk(await site.api('GET', `/payouts/${due.id}`, { token: owner.token })).body
    expect(status).toBe('sent')
  }).toPass({ timeout: 60_000 })
  await openAs(page, site, partner, `/partner/payouts/${due.id}`)
  const facts = page.getByRole('region', { name: 'Details' })
  await expect(facts).toContainText('Sent to')
  await expect(facts).toContainText('Bank account in Brazil •••••65-1')
  await expect(facts).toContainText(/ReceivedR\$99\.\d\d at 1, fee \$0\.\d\d/)
  await captureShot(page, 'payout-brazil')
  expect(complaints).toEqual([])
})
