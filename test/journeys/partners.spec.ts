import { expectAccessibleInBothThemes, openAs, pageHeading, showOptions } from '../support/journey.ts'
import {
  aHistory,
  apiGet,
  dialogNamed,
  factsPanel,
  jane,
  owner,
  preparePartners,
  site,
  statusMessage,
} from '../support/partners-screens.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

preparePartners()

test('the owner finds a partner in the list and sees results, state and tree', async ({ page, complaints }) => {
  await aHistory()
  await openAs(page, site, owner, '/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Partners' }).click()
  await expect(pageHeading(page, 'Partners')).toBeFocused()
  const foot = page.getByRole('row', { name: /^Total/ })
  await expect(foot).toContainText(/\$\d/)
  await captureShot(page, 'partners')
  await page.goto(`${site.url}/leads`)
  await expect(foot).toContainText(/\$\d/)
  await captureShot(page, 'leads')
  await page.goto(`${site.url}/partners`)
  await page.getByLabel('Search partners').fill('whit')
  await page
    .getByRole('row', { name: /Whitfield/ })
    .getByRole('link')
    .click()

  await expect(pageHeading(page, 'Jane Whitfield')).toBeFocused()
  await expect(page).toHaveTitle('Jane Whitfield · Tributary')
  await expect(page.getByRole('main')).toContainText('Code jane')
  await expect(page.getByRole('link', { name: 'Sofia Lindqvist' }).first()).toBeVisible()
  const actions = page.getByRole('group', { name: 'Page actions' })
  for (const name of ['Add adjustment', 'Add sub-partner', 'Edit'])
    await expect(actions.getByRole('button', { name, exact: true })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText([
    /^Overview/,
    /^Sub-partners\s*1$/,
    /^Leads\s*2$/,
    'Commissions',
    /^Payouts\s*1$/,
    'Activity',
  ])

  const funnel = factsPanel(page, 'From click to sale')
  await expect(funnel).toContainText(/Clicks\s*4/)
  await expect(funnel).toContainText(/Leads\s*2 50% of clicks/)
  await expect(funnel).toContainText(/Sales\s*1 50% of leads/)
  const widths = await funnel.locator('dd span').evaluateAll((bars) => bars.map((bar) => bar.clientWidth))
  const [clicks = 0, leads = 0, sales = 0] = widths
  expect(Math.abs(leads - clicks / 2)).toBeLessThanOrEqual(1)
  expect(Math.abs(sales - clicks / 4)).toBeLessThanOrEqual(1)

  const rates = page.getByRole('table', { name: 'Commission' })
  await expect(rates.getByRole('row', { name: 'Layer 1' })).toHaveText('Layer 1Jane Whitfield10%$10.00')
  await expect(rates.getByRole('row', { name: 'Layer 2' })).toHaveText('Layer 2Sofia Lindqvist5%$5.00')
  await expect(rates.getByRole('row', { name: 'Layer 3' })).toHaveText('Layer 3No parent partner2%–')
  await expect(rates.getByRole('row', { name: 'All layers' })).toHaveText('All layers15%$15.00')
  await expect(factsPanel(page, 'Balance')).toContainText(/Due\s*\$50\.00/)
  await expect(factsPanel(page, 'Setup')).toContainText('Checking •••••6789')
  await expect(factsPanel(page, 'Setup')).not.toContainText(/\d{5}/)
  // accepted long ago, which the line below the name says
  await expect(factsPanel(page, 'Invitation')).toBeHidden()
  await expect(page.getByText(/^Joined /)).toBeVisible()
  await expectAccessibleInBothThemes(page)

  await page.getByRole('tab', { name: 'Leads' }).click()
  await expect(page.getByRole('row', { name: /hannah/ })).toContainText('$500.00')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('tab', { name: 'Payouts' }).click()
  await expect(page.getByRole('row', { name: /PO-\d/ })).toContainText('$50.00')
  await page.getByRole('tab', { name: 'Sub-partners' }).click()
  await page.getByRole('link', { name: 'Bella Rossi' }).click()
  await expect(pageHeading(page, 'Bella Rossi')).toBeFocused()
  expect(complaints).toEqual([])
})

test('the owner changes names, code, parent and rates; an error and a used code appear at their fields', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, `/partners/${jane.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(pageHeading(page, 'Edit partner')).toBeFocused()
  for (const label of ['Email', 'First Name', 'Last Name'])
    await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  const optional = ['Referral Code', 'Note', 'Parent Partner']
  for (const label of optional) await expect(page.getByLabel(label, { exact: true })).toBeHidden()
  await showOptions(page)
  for (const label of optional) await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  await expect(page.getByLabel('Note')).toHaveAccessibleDescription('Only you see this.')
  await expect(page.getByLabel('Send invitation')).toBeHidden()
  await expect(page.getByLabel('Referral Code')).toHaveAccessibleDescription('Used in links. Old codes keep working.')
  await expect(page.getByLabel('Parent Partner')).toHaveValue('Sofia Lindqvist')
  await expect(page.getByLabel('Layer 1 Rate')).toBeDisabled()
  await expectAccessibleInBothThemes(page)

  await page.getByLabel('Email').fill('jane@nowhere')
  await page.getByRole('radio', { name: 'Custom rates' }).check()
  await page.getByLabel('Layer 1 Rate').fill('101')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toContainText('Check the marked fields: Email')
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Enter a valid email address/)
  await expect(page.getByLabel('Layer 1 Rate')).toHaveAccessibleDescription(/Enter a rate from 0 to 100/)
  await expectAccessibleInBothThemes(page)

  await page.getByLabel('Email').fill(jane.email)
  await page.getByLabel('Layer 1 Rate').fill('12.5')
  await page.getByLabel('Referral Code').fill('sofia-lindqvist')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('Referral Code')).toHaveAccessibleDescription(/This code is taken/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('409')])

  await page.getByLabel('Referral Code').fill('jane-w')
  await page.getByLabel('Last Name').fill('Whitfield-Moore')
  await page.getByLabel('Note').fill('Prefers calls\nto mail.')
  await page.getByLabel('Parent Partner').fill('')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(pageHeading(page, 'Jane Whitfield-Moore')).toBeFocused()
  await expect(statusMessage(page, 'Partner saved')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Code jane-w')
  await expect(page.getByRole('main')).toContainText('Layered 12.5% / 5% / 2% · Own rates')
  await expect(page.getByRole('region', { name: 'Note' })).toHaveText('NotePrefers calls\nto mail.')
  expect(await apiGet(`/partners/${jane.id}`)).toMatchObject({ parentPartnerId: null, referralCode: 'jane-w' })

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await showOptions(page)
  await expect(page.getByLabel('Note')).toHaveValue('Prefers calls\nto mail.')
  await page.getByLabel('First Name').fill('Half typed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await dialogNamed(page, 'Leave without saving?').getByRole('button', { name: 'Leave' }).click()
  await expect(pageHeading(page, 'Jane Whitfield-Moore')).toBeVisible()
  expect(complaints).toEqual([])
})
