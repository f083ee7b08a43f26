import type { Page } from '@playwright/test'
import { ADMINISTRATOR, PASSWORD } from '../support/app.ts'
import {
  atRest,
  expectAccessibleInBothThemes,
  pageHeading,
  type Site,
  signInOnScreen,
  startSite,
} from '../support/journey.ts'
import { countPresses } from '../support/presses.ts'
import type { Running } from '../support/running.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

// One person alone with an empty install: administrator and owner at once, without a mail server and without a shell.

let site: Site | undefined

test.afterEach(async () => {
  await site?.end()
  site = undefined
})

/** An install without an administrator, and the link that it prints at start. */
async function anEmptyInstall() {
  site = await startSite({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' })
  const { product } = site as unknown as Running
  return /Open (\S+\/user-setup\S+)/.exec(product.said.out)?.[1] as string
}

const main = (page: Page) => page.getByRole('main')
const switcher = (page: Page) => page.getByRole('button', { name: /^Switch role/ })

async function fillPerson(page: Page) {
  await page.getByLabel('Email').fill('founder@acme.example')
  await page.getByLabel('First Name').fill('Fay')
  await page.getByLabel('Last Name').fill('Founder')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
}

const warning = (page: Page, words: string) => main(page).getByRole('status').filter({ hasText: words })

async function addLead(page: Page, email: string, partner?: string) {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click()
  await page.getByRole('button', { name: 'Add lead' }).first().click()
  await page.getByLabel('Email').fill(email)
  if (partner) {
    await page.getByLabel('Partner').fill(partner)
    await page.getByRole('option', { name: partner }).click()
  }
  await page.getByRole('form', { name: 'Add lead' }).getByRole('button', { name: 'Add lead' }).click()
  await expect(pageHeading(page, email.split('@')[0] as string)).toBeVisible()
}

async function beginSale(page: Page) {
  await page.getByRole('button', { name: 'Add sale' }).first().click()
  await page.getByLabel('Amount').fill('100')
}

const finish = (page: Page) => page.getByRole('button', { name: 'Finish setup' }).click()

test('from the printed link to a partner who is paid: one page for the user, the company and the rate', async ({
  page,
  complaints,
}) => {
  await page.goto(await anEmptyInstall())
  await expect(pageHeading(page, 'Set up your account')).toBeVisible()
  await fillPerson(page)
  await page.getByLabel('Account Name').fill('Acme')
  await page.getByLabel('Default Currency').selectOption('eur')
  await expectAccessibleInBothThemes(page)
  await expect(page.getByLabel('Commission (%)')).toHaveAccessibleDescription(
    'Partners earn nothing until you set a rate.',
  )
  await expect(page.getByLabel('Time Zone')).toHaveValue('America/New_York')
  await page.getByLabel('Time Zone').selectOption('Europe/Paris')
  await page.getByLabel('Website').fill('http://acme.example')
  await finish(page)
  await expect(page.getByLabel('Website')).toHaveAccessibleDescription(/Enter a full https address/)
  await page.getByLabel('Website').fill('www.acme.example/pricing')
  for (const [typed, wrong] of [
    ['120', 'Enter a rate from 0 to 100'],
    ['a fifth', 'Enter a rate from 0 to 100'],
  ] as const) {
    await page.getByLabel('Commission (%)').fill(typed)
    await finish(page)
    await expect(page.getByLabel('Commission (%)')).toHaveAccessibleDescription(
      new RegExp(wrong.replace(/[()]/g, '\\$&')),
    )
  }
  await page.getByLabel('Commission (%)').fill('12.5')
  await finish(page)

  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  await expect(main(page)).toContainText('1 of 6 done')
  await expect(switcher(page)).toHaveAccessibleName('Switch role, current: Acme')
  await page.getByRole('link', { name: 'Add your first partner' }).click()
  await page.getByLabel('Email').fill('jo@partners.example')
  await page.getByRole('button', { name: 'Add partner' }).click()
  await expect(main(page).getByRole('table', { name: 'Commission' })).toContainText('€12.50')
  // the inviting administrator sees a new user's link
  await expect(page.getByRole('button', { name: 'Copy invitation link' })).toBeVisible()

  // as docs/start.md says, a payout can be seen on the first day by a sale of more than 30 days ago
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click()
  const filter = page.getByRole('button', { name: 'Created All' })
  await expect(filter).toBeVisible()
  expect((await filter.boundingBox())!.width, 'the words of a filter of an empty list').toBeGreaterThan(80)
  await addLead(page, 'kim@buyers.example', 'jo')
  await beginSale(page)
  await page.getByLabel('Sale Date').fill(new Date(Date.now() - 45 * 86_400_000).toISOString().slice(0, 10))
  await page.getByRole('form', { name: 'Add sale' }).getByRole('button', { name: 'Add sale' }).click()
  await expect(main(page)).toContainText('Commission due €12.50')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payouts' }).click()
  await page.getByRole('tab', { name: /^Needs action/ }).click()
  await page.getByRole('link', { name: 'PO-1' }).click()
  await expect(main(page)).toContainText('mark it as paid')
  // the reason goes once it is resolved, and its act with it
  await page.getByRole('button', { name: `Approve for ${new Date().getUTCFullYear()}` }).click()
  await expect(main(page)).not.toContainText('Not yet approved')
  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'Mark as paid' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' })
  await dialog.getByLabel('Payment Reference').fill('Bank transfer 1')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(main(page)).toContainText('Amount paid')
  await expect(main(page)).toContainText('€12.50')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Links' }).click()
  await expect(main(page).getByRole('link', { name: 'www.acme.example' })).toBeVisible()
  await expect(main(page)).toContainText('www.acme.example/pricing')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByLabel('Time Zone')).toHaveValue('Europe/Paris')
  expect(complaints).toEqual([])
})

test('a first commission is paid after ten presses: one to set up, two for the partner, three for the sale, four to pay', async ({
  page,
  complaints,
}) => {
  await page.goto(await anEmptyInstall())
  const presses = await countPresses(page)
  await fillPerson(page)
  await page.getByLabel('Account Name').fill('Acme')
  await page.getByLabel('Website').fill('acme.example')
  await page.getByLabel('Commission (%)').fill('20')
  await finish(page)
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  expect(presses()).toBe(1)

  await page.getByRole('link', { name: 'Add your first partner' }).click()
  await page.getByLabel('Email').fill('jo@partners.example')
  await page.getByRole('button', { name: 'Add partner' }).click()
  await expect(pageHeading(page, 'jo')).toBeVisible()
  const notices = page.getByRole('status', { name: 'Messages' })
  await expect(notices.getByRole('button', { name: 'Install the embed code or use the API' })).toBeVisible()
  await captureShot(page, 'partner-added')
  expect(presses()).toBe(3)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('link', { name: 'Record a first sale' }).click()
  await expect(page.getByRole('combobox', { name: 'Lead' })).toHaveValue('New customer')
  await expect(page.getByRole('combobox', { name: 'Partner' })).toHaveValue('jo')
  await page.getByLabel('Email').fill('kim@buyers.example')
  await page.getByLabel('Amount').fill('100')
  const day = page.getByLabel('Sale Date')
  await expect(day).toHaveAccessibleDescription(/^Payable on .+\. To try a payout now, enter a date before .+\.$/)
  await day.fill(new Date(Date.now() - 45 * 86_400_000).toISOString().slice(0, 10))
  await expect(day).toHaveAccessibleDescription('Payable now. The payout opens when you add the sale.')
  await expect(page.getByRole('list', { name: 'How this sale splits' })).toContainText('$20.00')
  await captureShot(page, 'first-sale')
  await page.getByRole('form', { name: 'Add sale' }).getByRole('button', { name: 'Add sale' }).click()
  await expect(pageHeading(page, 'kim')).toBeVisible()
  expect(presses()).toBe(6)
  await expect(notices.getByRole('button', { name: 'Pay jo' })).toBeVisible()
  await captureShot(page, 'sale-added')

  await notices.getByRole('button', { name: 'Pay jo' }).click()
  await expect(pageHeading(page, 'Payout PO-1')).toBeVisible()
  await page.getByRole('button', { name: `Approve for ${new Date().getUTCFullYear()}` }).click()
  await expect(main(page)).not.toContainText('Not yet approved')
  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'Mark as paid' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' })
  await dialog.getByLabel('Payment Reference').fill('Bank transfer 1')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(main(page)).toContainText('Amount paid')
  expect(presses()).toBe(10)
  expect(complaints).toEqual([])
})

test('without a company the first administrator adds accounts later, and owns the first one by default', async ({
  page,
  complaints,
}) => {
  await page.goto(await anEmptyInstall())
  await fillPerson(page)
  // what is entered about a company is not lost for want of its name
  await page.getByLabel('Website').fill('acme.example')
  await finish(page)
  await expect(page.getByText('Account Name is required')).toBeVisible()
  await page.getByLabel('Website').fill('')
  await finish(page)
  await expect(pageHeading(page, 'Accounts')).toBeVisible()
  await page.getByRole('button', { name: 'Add account' }).first().click()
  await expect(page.getByLabel('I am the owner')).toBeChecked()
  await expect(page.getByLabel('Owner Email')).toHaveValue('founder@acme.example')
  await atRest(page)
  await expectAccessibleInBothThemes(page)
  // an account for another person, and one without an owner, are a press away
  await page.getByLabel('Owner Email').fill('elena@harbor.example')
  await expect(page.getByLabel('I am the owner')).not.toBeChecked()
  await page.getByLabel('I am the owner').check()
  await page.getByLabel('I am the owner').uncheck()
  await expect(page.getByLabel('Owner Email')).toHaveValue('')
  await page.getByLabel('Account Name').fill('Nobody’s')
  await page.getByRole('button', { name: 'Add account' }).click()
  await expect(pageHeading(page, 'Nobody’s')).toBeVisible()
  await expect(main(page)).toContainText('No owner')

  await page.getByRole('button', { name: 'Assign owner' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign owner' })
  await dialog.getByLabel('Owner Email').fill('founder@acme.example')
  await dialog.getByRole('button', { name: 'Assign owner' }).click()
  await expect(page.getByRole('region', { name: 'Owner', exact: true })).toContainText('Accepted')
  await expect(switcher(page)).toHaveAccessibleName('Switch role, current: Administrator')
  await switcher(page).click()
  await page.getByRole('menuitemradio', { name: 'Nobody’s' }).click()
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  expect(complaints).toEqual([])
})

test('an administrator from the environment adds their own account and owns it at once', async ({
  page,
  complaints,
}) => {
  site = await startSite()
  await page.goto(site.url)
  await signInOnScreen(page, ADMINISTRATOR)
  await page.getByRole('button', { name: 'Add account' }).first().click()
  await expect(page.getByLabel('I am the owner')).toBeChecked()
  await page.getByLabel('Account Name').fill('Acme')
  await page.getByRole('button', { name: 'Add account' }).click()
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  await expect(switcher(page)).toHaveAccessibleName('Switch role, current: Acme')

  await test.step('an account that pays nothing says so wherever a user might expect earnings', async () => {
    await expect(warning(page, 'partners earn nothing until you set a rate')).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await page.getByRole('link', { name: 'Add your first partner' }).click()
    await expect(warning(page, 'The account’s rates are 0%.')).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await page.getByLabel('Email').fill('jo@partners.example')
    await page.getByLabel('First Name').fill('Jo')
    await page.getByRole('button', { name: 'Add partner' }).click()
    await expect(pageHeading(page, 'Jo')).toBeVisible()

    await addLead(page, 'nobodys@buyers.example')
    await beginSale(page)
    await warning(page, 'the lead has no partner').getByRole('link', { name: 'Assign partner' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await expect(pageHeading(page, 'nobodys')).toBeVisible()

    await addLead(page, 'cara@buyers.example', 'Jo')
    await beginSale(page)
    await expect(warning(page, 'Commission is 0% in the account’s settings')).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await page.getByRole('form', { name: 'Add sale' }).getByRole('button', { name: 'Add sale' }).click()
    const none = main(page).getByText('No commission: the rates are 0%.')
    await expect(none).toBeVisible()
    await expectAccessibleInBothThemes(page)
  })

  await test.step('each notice links to where it is changed', async () => {
    await main(page).getByRole('link', { name: 'Set rates' }).click()
    await expect(pageHeading(page, 'Settings')).toBeVisible()
    await page.getByLabel('Layer 1 Rate').fill('20')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who does this change apply to?' })
    await dialog.getByRole('radio', { name: 'All sales from today' }).check()
    await dialog.getByRole('button', { name: 'Save terms' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Settings saved' })).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
    await expect(main(page)).toContainText('of 6 done')
    await expect(warning(page, 'partners earn nothing')).toHaveCount(0)
  })
  expect(complaints).toEqual([])
})
