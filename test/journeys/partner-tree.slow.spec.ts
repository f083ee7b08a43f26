import { aPartner } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  openAs,
  type Person,
  pageHeading,
  type Site,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Partners as a tree: ten levels deep, a level of more than a page, names of forty letters.

const DEPTH = 10
const BELOW_SOFIA = 60

let site: Site
let owner: Person & { id: string }
let sofia: Person & { id: string }

const nameAt = (level: number) => `Wolfeschlegelsteinhausenbergerdorff ${String(level).padStart(4, '0')}`

test.beforeEach(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site, { invitationsFromPartners: true })
  sofia = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const below = Array.from({ length: BELOW_SOFIA }, (_, at) => `${String(at + 1).padStart(2, '0')}`)
  for (const lastName of below) await aPartner(site, owner, { firstName: 'Below', lastName, parentPartnerId: sofia.id })
  let parentPartnerId: string | null = null
  for (let level = 1; level <= DEPTH; level++) {
    const [firstName, lastName] = nameAt(level).split(' ')
    const { id } = await aPartner(site, owner, { firstName, lastName, parentPartnerId })
    parentPartnerId = id
  }
})

test('the tree is opened level by level with its keys, and Back restores it', async ({ page }) => {
  await openAs(page, site, owner, '/partners?sort=name')
  await page.getByRole('checkbox', { name: 'Show as tree' }).check()
  await expect(page).toHaveURL(/tree=true/)
  const tree = page.getByRole('treegrid', { name: 'Partners' })
  const rows = tree.locator('[aria-level]')
  await expect(rows).toHaveCount(2)

  await rows.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(rows.first()).toHaveAttribute('aria-expanded', 'true')
  await expect(tree.getByText('1–50 of 60')).toBeVisible()
  await expect(tree.locator('[aria-level="2"][aria-posinset]')).toHaveCount(50)
  await expect(tree.locator('[aria-level="2"]').first()).toHaveAttribute('aria-setsize', '60')
  await page.getByRole('button', { name: 'Show more below Sofia Lindqvist' }).click()
  await expect(tree.locator('[aria-level="2"][aria-posinset]')).toHaveCount(BELOW_SOFIA)

  await page.keyboard.press('End')
  await rows.last().focus()
  for (let level = 1; level < DEPTH; level++) {
    await page.keyboard.press('ArrowRight')
    await expect(tree.locator(`[aria-level="${level + 1}"]`).last()).toContainText(nameAt(level + 1))
    await page.keyboard.press('ArrowRight')
    await expect(tree.locator(':focus')).toHaveAttribute('aria-level', String(level + 1))
  }
  await expect(tree.locator(':focus')).not.toHaveAttribute('aria-expanded')
  await page.keyboard.press('ArrowLeft')
  await expect(tree.locator(':focus')).toContainText(nameAt(DEPTH - 1))
  await page.keyboard.press('Home')
  await expect(tree.locator(':focus')).toContainText('Sofia Lindqvist')

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(pageHeading(page, 'Below 01')).toBeVisible()
  await page.goBack()
  await expect(tree.locator(`[aria-level="${DEPTH}"]`)).toContainText(nameAt(DEPTH))
  await expect(tree.locator('[aria-level="2"][aria-posinset]')).toHaveCount(BELOW_SOFIA + 1)
  await page.reload()
  await expect(tree.locator(`[aria-level="${DEPTH}"]`)).toContainText(nameAt(DEPTH))
  await expectAccessibleInBothThemes(page)

  await rows.first().focus()
  await page.keyboard.press('ArrowLeft')
  await expect(rows.first()).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByText('Below 01')).toBeHidden()
})

test('a search and a filter list their results; without them the tree is back', async ({ page }) => {
  await openAs(page, site, owner, '/partners?tree=true')
  const tree = page.getByRole('treegrid', { name: 'Partners' })
  await expect(tree).toBeVisible()
  await page.getByLabel('Search partners').fill('0007')
  const table = page.getByRole('table', { name: 'Partners' })
  await expect(table.getByRole('link', { name: nameAt(7) })).toBeVisible()
  await expect(page.getByText('Clear search and filters to see the tree.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Show as tree' })).toBeChecked()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(tree).toBeVisible()
  await page.getByRole('checkbox', { name: 'Show as tree' }).uncheck()
  await expect(table.getByRole('row')).toHaveCount(51)
})

test('a partner opens the tree below themselves, and on a phone its cards are nested', async ({ page }) => {
  await openAs(page, site, sofia, '/partners?tree=true')
  await expect(page.getByRole('treegrid', { name: 'Partners' }).locator('[aria-posinset]')).toHaveCount(50)

  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, site, owner, '/partners?tree=true&sort=-name')
  for (let level = 1; level < DEPTH; level++)
    await page.getByRole('button', { name: `Expand ${nameAt(level)}` }).click()
  const last = page.getByRole('link', { name: nameAt(DEPTH) })
  await expect(last).toBeVisible()
  await expect(page.getByRole('list', { name: `Sub-partners of ${nameAt(9)}` })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect((await last.boundingBox())!.width).toBeGreaterThan(80)
  await expectAccessibleInBothThemes(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/tree-390.png`, fullPage: true })
})
