import { acceptInvitation, anEmail, expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPayee,
  atRest,
  expectAccessibleInBothThemes,
  openAs,
  pageHeading,
  type Site,
  signedInPage,
} from '../support/journey.ts'
import { aPayout } from '../support/payouts.ts'
import { expect, test } from '../support/test.ts'

// The people of a partner: an agency's owner invites a colleague, who sees everything but where the money goes, and the
// account's owner invites a new owner.

let site: Site

test.beforeAll(({ site: shared }) => {
  site = shared
})

test('a partner adds a member, who sees no bank details, makes them an owner, and removes them', async ({
  page,
  browser,
  complaints,
}) => {
  const owner = await anOwner(site)
  const partner = await aSignedUpPayee(site, owner, { firstName: 'Ada', lastName: 'Lane' })
  const payout = await aPayout(site, { ...owner, ownerEmail: owner.email, admin: '' }, partner, 50_00)
  const agreement = { token: owner.token, body: { text: 'Recommend us' } }
  expectOk(await site.api('POST', `/accounts/${owner.id}/agreement`, agreement))
  expectOk(
    await site.api('POST', `/partners/${partner.id}/acceptances`, { token: partner.token, body: { version: 1 } }),
  )
  await openAs(page, site, partner, '/partner/settings')
  await expect(page.getByRole('main')).toContainText('You accepted version 1 on')
  const people = page.getByRole('region', { name: 'People' })
  await expect(people.getByRole('listitem')).toHaveText([/Ada Lane\s*Owner/])
  await people.getByRole('button', { name: 'Add person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add person' })
  const email = anEmail('noa')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('First Name').fill('Noa')
  await expect(dialog.getByRole('radio', { name: 'Member' })).toBeChecked()
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Add person' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Invitation sent' })).toBeVisible()
  const noa = people.getByRole('listitem').filter({ hasText: 'Noa' })
  await expect(noa).toContainText('Invited')
  await expectAccessibleInBothThemes(page)

  const { items } = expectOk(await site.api('GET', `/partners/${partner.id}/members`, { token: owner.token })).body
  await acceptInvitation(site, items.find((one: { email: string }) => one.email === email).url)
  const member = await signedInPage(browser, site, { email }, complaints)
  await member.goto(site.url)
  await expect(pageHeading(member, 'Dashboard')).toBeVisible()
  await expect(member.getByText('6789')).toHaveCount(0)
  await member.goto(`${site.url}/partner/settings`)
  await expect(member.getByText('Payout details are managed by Ada Lane.')).toBeVisible()
  await expect(member.getByRole('main')).toContainText('Version 1 was accepted on')
  await expect(member.getByRole('region', { name: 'Payout details' })).toHaveCount(0)
  await expect(member.getByRole('button', { name: 'Add person' })).toHaveCount(0)
  await expect(member.getByRole('button', { name: 'Actions for Ada Lane' })).toHaveCount(0)
  await expectAccessibleInBothThemes(member)
  await member.goto(`${site.url}/partner/payouts/${payout.id}`)
  await expect(member.getByRole('heading', { level: 1, name: /^Payout/ })).toBeVisible()
  await atRest(member)
  await expect(member.getByRole('button', { name: /^Actions for/ })).toHaveCount(0)

  await page.reload()
  await page.getByRole('button', { name: 'Actions for Noa' }).click()
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  const change = page.getByRole('dialog', { name: 'Change the role of Noa' })
  await change.getByRole('radio', { name: 'Owner' }).check()
  await change.getByRole('button', { name: 'Change role' }).click()
  await expect(noa).toContainText('Owner')
  await member.goto(`${site.url}/partner/settings`)
  await expect(member.getByRole('region', { name: 'Payout details' })).toContainText('6789')
  // what is still asked for then would be refused
  await atRest(member)

  await page.getByRole('button', { name: 'Actions for Noa' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog', { name: 'Remove Noa' }).getByRole('button', { name: 'Remove' }).click()
  await expect(noa).toHaveCount(0)
  await member.goto(`${site.url}/partner/settings`)
  await expect(pageHeading(member, 'Settings')).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('an account’s owner invites a new owner of a partner, and removes a person', async ({ page, complaints }) => {
  const owner = await anOwner(site)
  const partner = await aSignedUpPayee(site, owner, { firstName: 'Ada', lastName: 'Lane' })
  await openAs(page, site, owner, `/partners/${partner.id}`)
  const people = page.getByRole('region', { name: 'People' })
  await people.getByRole('button', { name: 'Add person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add person' })
  await expect(dialog).toContainText('automatic payouts pause for 72 hours')
  await expect(dialog.getByRole('radio')).toHaveCount(0)
  await dialog.getByLabel('Email').fill(anEmail('bo'))
  await dialog.getByLabel('First Name').fill('Bo')
  await dialog.getByRole('button', { name: 'Add person' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'New invitation link created' })).toBeVisible()
  const bo = people.getByRole('listitem').filter({ hasText: 'Bo' })
  await expect(bo).toContainText('Owner')
  await expectAccessibleInBothThemes(page)
  await people.getByRole('button', { name: 'Actions for Bo' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Copy invitation link', 'Remove'])
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog', { name: 'Remove Bo' }).getByRole('button', { name: 'Remove' }).click()
  await expect(bo).toHaveCount(0)
  await people.getByRole('button', { name: 'Actions for Ada Lane' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const last = page.getByRole('dialog', { name: 'Remove Ada Lane' })
  await last.getByRole('button', { name: 'Remove' }).click()
  await expect(last).toContainText('A partner needs an owner.')
  expect(complaints.filter((one) => !one.includes('409'))).toEqual([])
})
