import { pino } from 'pino'
import { openDatabase } from '../../server/platform/database/pool.ts'
import type { Services } from '../../server/platform/services.ts'
import { runGoals } from '../../server/program/groups/run-goals.ts'
import { expectOk } from '../support/app.ts'
import { expectAccessible } from '../support/browser.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  openAs,
  type Site,
  showOptions,
  signedInPage,
  startSite,
} from '../support/journey.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { expect, test } from '../support/test.ts'

// The goals of a group's partners, which pay a bonus or move a partner to another group.

let site: Site
let database: Awaited<ReturnType<typeof createTestDatabase>>

test.beforeAll(async () => {
  database = await createTestDatabase()
  site = await startSite({ DATABASE_URL: database.url })
})

test.afterAll(async () => {
  await site.end()
  await database.drop()
})

/** Judges the goals as in the next night. */
async function nextNight() {
  const tomorrow = new Date(Date.now() + 24 * 3600_000)
  tomorrow.setUTCHours(3)
  const log = pino({ level: 'silent' })
  const db = openDatabase({ url: database.url, log, clock: { now: () => tomorrow } })
  await runGoals({ db, log } as Services)
  await db.close()
}

test('an owner sets goals, and a partner reaches one that pays a bonus', async ({ browser, page }) => {
  const owner = await anOwner(site, { payoutDelay: 0 })
  const sofia = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const { token } = owner
  const post = async (path: string, body: object) => expectOk(await site.api('POST', path, { token, body })).body
  const gold = await post(`/accounts/${owner.id}/groups`, { name: 'Gold', publicName: 'Gold partners' })
  const lead = await post(`/accounts/${owner.id}/leads`, { partnerId: sofia.id, email: 'buyer@goals.example' })
  await post(`/leads/${lead.id}/sales`, { amount: 5120_00 })
  const toast = (text: string) => expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible()
  const rows = page.getByRole('table', { name: 'Goals' }).getByRole('row')
  const dialog = page.getByRole('dialog')
  const save = () => dialog.getByRole('button', { name: /^(Add|Edit) goal$/ }).click()
  const choose = async (goal: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${goal}` }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }

  await openAs(page, site, owner, `/partners/groups/${owner.id}`)
  await page.getByRole('button', { name: 'Add goal' }).click()
  await dialog.getByLabel('Goal Name').fill('Big month')
  await save()
  await expect(dialog.getByLabel('At Least')).toHaveAccessibleDescription(/At Least is required/)
  await expect(dialog.getByLabel('Bonus', { exact: true })).toHaveAccessibleDescription(/Bonus is required/)
  await dialog.getByLabel('At Least').fill('5000')
  await dialog.getByLabel('Bonus', { exact: true }).fill('250')
  await expect(dialog.getByText('1 partner has reached this already: $250.00 next night.')).toBeVisible()
  await expectAccessible(page)
  await save()
  await toast('Goal added')
  await expect(rows.nth(1)).toContainText('At least $5,000.00 in revenue this month')
  await expect(rows.nth(1)).toContainText('Pays a bonus of $250.00')

  await page.getByRole('button', { name: 'Add goal' }).click()
  await dialog.getByLabel('Goal Name').fill('Up to Gold')
  await dialog.getByLabel('Metric').selectOption('Sales')
  await dialog.getByLabel('Window').selectOption('Last 90 days')
  await expect(dialog.getByLabel('Bonus', { exact: true })).toHaveCount(0)
  await dialog.getByLabel('Fall below a figure').check()
  await dialog.getByLabel('Below', { exact: true }).fill('3')
  await dialog.getByLabel('Group', { exact: true }).selectOption('Gold')
  await expect(dialog.getByText('No partner would move next night.')).toBeVisible()
  await dialog.getByLabel('Reach a figure').check()
  await dialog.getByLabel('At Least').fill('1')
  await expect(dialog.getByText('1 partner has reached this already and will move next night.')).toBeVisible()
  await dialog.getByLabel('At Least').fill('10')
  await expect(dialog.getByText('No partner has reached this yet.')).toBeVisible()
  await save()
  await expect(rows.nth(2)).toContainText('At least 10 sales in the last 90 days')
  await expect(rows.nth(2)).toContainText('Moves to Gold')
  await expectAccessibleInBothThemes(page)

  await choose('Up to Gold', 'Move up')
  await expect(rows.nth(1)).toContainText('Up to Gold')
  await choose('Big month', 'Edit')
  await dialog.getByLabel('Bonus', { exact: true }).fill('300')
  await save()
  await expect(rows.nth(2)).toContainText('Pays a bonus of $300.00')

  const hers = await signedInPage(browser, site, sofia, [])
  await hers.goto(`${site.url}/dashboard`)
  const bar = (name: string) => hers.getByRole('progressbar', { name })
  await expect(bar('Big month')).toHaveAttribute('aria-valuetext', '$5,120 of $5,000 this month · bonus $300')
  await expect(bar('Up to Gold')).toHaveAttribute(
    'aria-valuetext',
    '1 of 10 sales in the last 90 days · moves you to Gold partners',
  )
  await expectAccessibleInBothThemes(hers)
  await nextNight()
  await hers.goto(`${site.url}/partners/${sofia.id}?tab=commissions`)
  await hers
    .getByRole('row', { name: /Bonus: Big month/ })
    .getByRole('link', { name: /Receipt for \$300\.00/ })
    .click()
  const bonus = hers.getByRole('dialog').getByRole('listitem', { name: 'Bonus', exact: true })
  await expect(bonus).toContainText(/Goal Big month: \$5,120\.00 of \$5,000\.00 in \p{L}+\./u)
  await hers.context().close()

  await page.goto(`${site.url}/partners/${sofia.id}`)
  await expect(page.getByRole('progressbar', { name: 'Up to Gold' })).toHaveAttribute(
    'aria-valuetext',
    '1 of 10 sales in the last 90 days · moves to Gold',
  )
  await page.goto(`${site.url}/partners/${sofia.id}/update`)
  await showOptions(page)
  await page.getByLabel('Keep in this group').check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await toast('Partner saved')

  await page.goto(`${site.url}/account/settings?tab=activity`)
  await expect(page.getByRole('row', { name: /Partner changed/ })).toContainText('Keep in this group')
  await expect(page.getByRole('row', { name: /Goal saved/ }).last()).toContainText('At least $5,000.00')
  await page.goto(`${site.url}/partners/groups/${gold.id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toContainText('Its goals, and goals that move partners to it, are deleted too.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`${site.url}/partners/groups/${owner.id}`)
  await choose('Big month', 'Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await toast('Goal deleted')
  await expect(rows).toHaveCount(2)
})
