import type { Page } from '@playwright/test'
import { ok } from '../support/app.ts'
import { anOwner, aPartnerOf, atRest, enter, heading, type Person, reopen, type Site } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// What every table does, however long and wide it is.

let site: Site
let owner: Person & { id: string }

/** Forty letters. */
const longName = { firstName: 'Wolfeschlegelsteinha', lastName: 'Donaudampfschifffahrt' }

test.beforeEach(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site)
})

const post = async (path: string, body: object, token = owner.token) =>
  ok(await site.api('POST', path, { token, body })).body

/** Partners called 'Partner 01' and so on, and before them one with a long name. */
async function partners(count: number) {
  await post(`/accounts/${owner.id}/partners`, { ...longName, email: 'wolfe@partners.example' })
  for (let at = 1; at < count; at++)
    await post(`/accounts/${owner.id}/partners`, {
      firstName: 'Partner',
      lastName: String(at).padStart(2, '0'),
      email: `partner-${at}@partners.example`,
    })
}

const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true })
const box = async (page: Page, name: string) => (await page.getByText(name, { exact: true }).first().boundingBox())!
const placeOf = (page: Page, head: string) =>
  page
    .getByRole('columnheader', { name: head, exact: true })
    .evaluate((cell) => Math.round(cell.getBoundingClientRect().top))

test('heads stay below the header, whether the table fits or scrolls in its place', async ({ page, complaints }) => {
  await partners(30)
  await enter(page, site, owner, '/partners?sort=name')
  for (const [width, wide] of [
    [1440, false],
    [1024, true],
    [768, true],
  ] as const) {
    await page.setViewportSize({ width, height: 700 })
    await page.evaluate(() => scrollTo(0, 0))
    const room = table(page, 'Partners').locator('..')
    if (wide) await expect(room).toHaveAttribute('data-wide', '')
    else await expect(room).not.toHaveAttribute('data-wide')
    expect(await placeOf(page, 'Name')).toBeGreaterThan(56)
    await page.evaluate(() => scrollTo(0, 600))
    for (const head of ['Name', 'Leads']) await expect.poll(() => placeOf(page, head)).toBe(56)
    // it goes with the last row
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const last = await table(page, 'Partners').locator('tbody tr').last().boundingBox()
    expect(await placeOf(page, 'Name')).toBeLessThanOrEqual(last!.y)
  }
  expect(complaints).toEqual([])
})

test('where it scrolls sideways the name and the menu stay, and an edge shows where there is more', async ({
  page,
}) => {
  await partners(3)
  await page.setViewportSize({ width: 1024, height: 700 })
  await enter(page, site, owner, '/partners')
  const room = table(page, 'Partners').locator('..')
  await expect(room).toHaveAttribute('data-after', '')
  await expect(room).not.toHaveAttribute('data-before')
  const place = await room.boundingBox()
  const seen = async () => {
    const name = await page.getByRole('link', { name: 'Partner 01' }).boundingBox()
    const menu = await page.getByRole('button', { name: 'Actions for Partner 01' }).boundingBox()
    const tick = await page.getByRole('checkbox', { name: 'Select Partner 01' }).boundingBox()
    expect(tick!.x + tick!.width).toBeLessThanOrEqual(name!.x)
    expect(menu!.x + menu!.width).toBeLessThanOrEqual(place!.x + place!.width)
    return [name!.x, menu!.x, tick!.x].map(Math.round)
  }
  const before = await seen()
  await room.evaluate((box) => box.scrollTo(box.scrollWidth, 0))
  await expect(room).toHaveAttribute('data-before', '')
  await expect(room).not.toHaveAttribute('data-after')
  expect(await seen()).toEqual(before)
  // what lies below them does not shine through
  const shown = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x!, y!)?.closest('th')?.textContent,
    [before[0]! + 4, (await box(page, 'Partner 01')).y + 8],
  )
  expect(shown).toBe('Partner 01')
})

test('the row is a link for the mouse; what is in it, and text that is selected, are not', async ({
  page,
  context,
}) => {
  await partners(2)
  const account = await aPartnerOf(site, owner, { firstName: 'Jane', lastName: 'Whitfield', referralCode: 'jane-w' })
  await page.setViewportSize({ width: 1440, height: 700 })
  await enter(page, site, owner, '/partners')
  const row = page.getByRole('row', { name: 'Jane Whitfield' })
  const cell = row.getByRole('cell', { name: 'jane-w' })

  // another tab: with Ctrl, and with the middle button
  for (const how of [{ modifiers: ['Control'] }, { button: 'middle' }] as const) {
    const opened = context.waitForEvent('page')
    await cell.click({ ...how } as Parameters<typeof cell.click>[0])
    const tab = await opened
    await expect(tab).toHaveURL(new RegExp(`/partners/${account.id}`))
    await tab.close()
    await expect(heading(page, 'Partners')).toBeVisible()
  }

  await row.getByRole('checkbox').check()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.keyboard.press('Escape')
  await cell.click({ button: 'right' })
  const code = (await cell.getByText('jane-w').boundingBox())!
  await page.mouse.move(code.x + 1, code.y + 8)
  await page.mouse.down()
  await page.mouse.move(code.x + 40, code.y + 8)
  await page.mouse.up()
  expect(await page.evaluate(() => String(getSelection()))).not.toBe('')
  await atRest(page)
  await expect(heading(page, 'Partners')).toBeVisible()

  await page.evaluate(() => getSelection()?.removeAllRanges())
  await cell.click()
  await expect(heading(page, 'Jane Whitfield')).toBeVisible()
  await page.goBack()

  // a card of a phone too
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('listitem').filter({ hasText: 'Jane Whitfield' }).getByText('jane-w').click()
  await expect(heading(page, 'Jane Whitfield')).toBeVisible()
})

test('long names and figures keep their distance at every width', async ({ page }) => {
  await partners(2)
  await post(`/accounts/${owner.id}/leads`, { ...longName, email: 'lead@long.example' })
  await enter(page, site, owner, '/partners')
  for (const path of ['/partners', '/leads', '/links', '/payouts']) {
    await reopen(page, path)
    for (const width of [1280, 1024, 768, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await atRest(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width)
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('main tbody th > span, main li strong > span')]
          .filter((name) => name.scrollHeight > name.clientHeight + 1)
          .map(({ textContent }) => textContent),
      )
      expect(cut, `${path} at ${width}`).toEqual([])
      const gaps = await page.evaluate(() =>
        [...document.querySelectorAll('main tbody td[class*=numeric] + td:not([class*=numeric], [data-menu])')].map(
          (cell) => {
            const right = (box: Element) => Number.parseFloat(getComputedStyle(box).paddingRight)
            return right(cell.previousElementSibling!) + Number.parseFloat(getComputedStyle(cell).paddingLeft)
          },
        ),
      )
      for (const gap of gaps) expect(gap, `${path} at ${width}`).toBeGreaterThanOrEqual(24)
    }
  }
})
