import { field } from '../fakes/wise-rules.ts'
import { ok } from '../support/app.ts'
import { aPartnerOf, enter } from '../support/journey.ts'
import { inBrazil } from '../support/payouts.ts'
import { owner, preparePayouts, put, site, wise } from '../support/payouts-screens.ts'
import { shot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

preparePayouts()

test('what Wise cannot tell now is asked again', async ({ page, complaints }) => {
  const partner = await aPartnerOf(site, owner, { firstName: 'Luz', lastName: 'Reyes' })
  await enter(page, site, partner, '/partner/settings')
  wise.fail('GET *account-requirements', { status: 503 }, 10)
  await page.getByLabel('Bank Country').selectOption('Mexico')
  await expect(page.getByRole('main')).toContainText('We can’t check these details now. Try again in a few minutes.')
  wise.calm()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Clabe').fill('032180000118359719')
  await page.getByLabel('Full name of the account holder').fill('Luz Reyes')
  await page.getByLabel('Recipient type').selectOption('Person')
  const sets = [
    { type: 'mexican', title: 'Local', fields: [field('clabe', 'Clabe'), field('rfc', 'Tax number (RFC)')] },
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
  const partner = await aPartnerOf(site, owner, { firstName: 'Bia', lastName: 'Lima' })
  ok(await site.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: inBrazil() }))
  await put(`/partners/${partner.id}`, { approvedPayoutYears: [new Date().getUTCFullYear()] })
  const adjust = { amount: 100_00, reason: 'Agreed' }
  ok(await site.api('POST', `/partners/${partner.id}/adjustments`, { token: owner.token, body: adjust }))
  ok(await site.api('POST', `/accounts/${owner.id}/payouts/refresh`, { token: owner.token }))
  const [due] = ok(await site.api('GET', `/partners/${partner.id}/payouts`, { token: owner.token })).body.items
  ok(await site.api('POST', `/payouts/${due.id}/approve`, { token: owner.token }))
  await expect(async () => {
    ok(await site.api('POST', `/accounts/${owner.id}/payouts/refresh`, { token: owner.token }))
    const { status } = ok(await site.api('GET', `/payouts/${due.id}`, { token: owner.token })).body
    expect(status).toBe('sent')
  }).toPass({ timeout: 60_000 })
  await enter(page, site, partner, `/partner/payouts/${due.id}`)
  const facts = page.getByRole('region', { name: 'Details' })
  await expect(facts).toContainText('Sent to')
  await expect(facts).toContainText('Bank account in Brazil •••••65-1')
  await expect(facts).toContainText(/ReceivedR\$99\.\d\d at 1, fee \$0\.\d\d/)
  await shot(page, 'payout-brazil')
  expect(complaints).toEqual([])
})
