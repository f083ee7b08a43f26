import { anEmail, aPartner, expectOk } from '../support/app.ts'
import { buttonNamed, chooseFile, kindField } from '../support/imports-screens.ts'
import {
  anOwner,
  expectAccessibleInBothThemes,
  openAs,
  type Person,
  pageHeading,
  type Site,
  showOptions,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Adding one partner, and many pasted into the import: the added names, and the links to pass on.

let site: Site
let owner: Person & { id: string }

test.beforeEach(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site)
})

const partnersOf = async () =>
  expectOk(await site.api('GET', `/accounts/${owner.id}/partners?sort=createdAt`, { token: owner.token })).body.items

test('a newly added partner is named, with their link and the way to add the next one', async ({ page }) => {
  await openAs(page, site, owner, '/partners/new')
  await page.getByLabel('First Name').fill('Olive')
  await page.getByLabel('Last Name').fill('Tarn')
  await page.getByLabel('Email').fill(anEmail())
  await page.getByRole('button', { name: 'Add partner' }).click()
  await expect(pageHeading(page, 'Olive Tarn')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^Partner added: Olive Tarn/ })).toBeVisible()
  const notice = page.getByRole('status').filter({ hasText: 'Olive Tarn was added. Send them this link' })
  await expect(notice.getByText('/user-setup#token=')).toBeVisible()
  await expect(notice.getByRole('button', { name: 'Copy link for Olive Tarn' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await notice.getByRole('button', { name: 'Add another' }).click()
  await expect(pageHeading(page, 'Add partner')).toBeVisible()
  await page.getByLabel('Email').fill('sam@tarn.example')
  await showOptions(page)
  await page.getByRole('checkbox', { name: 'Send invitation' }).uncheck()
  await page.getByRole('button', { name: 'Add partner' }).click()
  await expect(page.getByText('sam was added without an invitation.')).toBeVisible()
  await page.goto(page.url())
  await page.getByRole('link', { name: 'Partners' }).first().click()
  await page.getByRole('link', { name: 'Olive Tarn' }).click()
  await expect(pageHeading(page, 'Olive Tarn')).toBeVisible()
  await expect(page.getByText('was added')).toBeHidden()
})

test('pasted people are checked, imported and invited, and refused ones can be corrected', async ({ page }) => {
  const known = await aPartner(site, owner, { firstName: 'Known', lastName: 'Already' })
  const knownElsewhere = await aPartner(site, await anOwner(site), { firstName: 'Omar' }, { signIn: true })
  await openAs(page, site, owner, '/partners/new')
  await page.getByRole('button', { name: 'Import partners' }).click()
  await expect(pageHeading(page, 'Import data')).toBeVisible()
  const box = page.getByLabel('Paste rows')
  const people = [
    'Jane Doe <jane@several.example>',
    `${known.email}, Again`,
    'nobody',
    'Doe\tJane\tjane2@several.example',
    `Omar Two <${knownElsewhere.email}>`,
  ]
  await box.evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, people.join('\n'))
  await expect(page.getByRole('table', { name: 'Columns', exact: true })).toContainText('jane@several.example')
  await expect(kindField(page)).toHaveValue('partners')
  await expect(page.getByRole('checkbox', { name: 'Send invitations' })).toBeChecked()
  await expectAccessibleInBothThemes(page)
  await buttonNamed(page, 'Check file').click()
  await expect(page.getByText('3 to create, 1 skipped, 1 failed')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Rows with errors' })).toContainText('4EmailEnter a valid email address')
  await expect(page.getByRole('table', { name: 'Skipped rows' })).toContainText('3A partner with this email already')
  expect((await partnersOf()).length).toBe(1)
  await buttonNamed(page, 'Import 3 partners').click()

  const result = page.getByRole('table', { name: 'Invitation links' })
  await expect(result.getByRole('row')).toHaveCount(4)
  await expect(result.getByRole('row', { name: /Omar Two/ })).toContainText(
    'Not sent: email isn’t set up on this server',
  )
  await expect(result.getByRole('button', { name: 'Copy link for Jane Doe' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy all links' })).toBeVisible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/pasted.png`, fullPage: true })
  for (const width of [768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  await expectAccessibleInBothThemes(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/pasted-390.png`, fullPage: true })

  await box.fill('somebody@several.example')
  await buttonNamed(page, 'Use these rows').click()
  await buttonNamed(page, 'Check file').click()
  await box.fill('nobody@several.example')
  // what was checked is no longer what is shown
  await expect(buttonNamed(page, 'Import 1 partner')).toBeDisabled()
  await expect(buttonNamed(page, 'Check file')).toBeDisabled()
  await buttonNamed(page, 'Use these rows').click()
  await page.getByRole('checkbox', { name: 'Send invitations' }).uncheck()
  await buttonNamed(page, 'Check file').click()
  await buttonNamed(page, 'Import 1 partner').click()
  await expect(buttonNamed(page, 'View partners')).toBeVisible()
  await expect(result).toBeHidden()
  const added = (await partnersOf()).filter(({ email }: { email: string }) => email.endsWith('@several.example'))
  expect(added.map((one: { email: string; invitationStatus: string }) => [one.email, one.invitationStatus])).toEqual([
    ['jane@several.example', 'pending'],
    ['jane2@several.example', 'pending'],
    ['nobody@several.example', null],
  ])
  await buttonNamed(page, 'Undo import').first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('Undone', { exact: true }).first()).toBeVisible()
  expect((await partnersOf()).length).toBe(4)
})

test('a pasted table is read by its columns, and a file replaces it', async ({ page }) => {
  await openAs(page, site, owner, '/account/import?kind=partners')
  await page.getByLabel('Paste rows').fill('Email\tGiven name\tWho\nana@table.example\tAna\tLow')
  await buttonNamed(page, 'Use these rows').click()
  await expect(page.getByLabel('Column for First name')).toHaveValue('Given name')
  await page.getByLabel('Column for Last name').selectOption('Who')
  await chooseFile(page, 'partners.csv', 'Email\nbo@table.example')
  await expect(page.getByLabel('Paste rows')).toHaveValue('')
  await expect(page.getByRole('checkbox', { name: 'Send invitations' })).not.toBeChecked()
  await buttonNamed(page, 'Check file').click()
  await expect(buttonNamed(page, 'Import 1 partner')).toBeVisible()
})

test('without a mail server no screen claims that an invitation was sent', async ({ page }) => {
  const knownElsewhere = await aPartner(site, await anOwner(site), { firstName: 'Nia' }, { signIn: true })
  const kept = 'Email isn’t set up on this server, so the invitation wasn’t sent.'
  await openAs(page, site, owner, '/partners/new')
  await page.getByLabel('Email').fill(knownElsewhere.email)
  await page.getByLabel('First Name').fill('Nia')
  await page.getByRole('button', { name: 'Add partner' }).click()
  await expect(pageHeading(page, 'Nia')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: `Nia was added. ${kept}` })).toBeVisible()
  const panel = page.getByRole('region', { name: 'Invitation' })
  await expect(panel).toContainText(`npx tributary user invitations ${knownElsewhere.email}`)
  await expect(page.getByText(/on its way|Invitation sent/)).toBeHidden()
  await expectAccessibleInBothThemes(page)
})
