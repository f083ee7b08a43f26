import type { Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { expectOk } from '../support/app.ts'
import { anOwner, openAs, reopenScreen } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Printed pages: the contents, black on white, without the shell and without controls.

async function onPaper(page: Page) {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4' }))))
  return text.join('\n')
}

const screens = [
  '/partners',
  '/leads',
  '/leads?tab=sales',
  '/leads?tab=unattributed',
  '/links',
  '/payouts',
  '/payouts?tab=needs-action',
  '/payouts?tab=year-report',
  '/payouts?tab=books',
  '/account/settings?tab=activity',
  '/partners/{partner}',
  '/partners/{partner}?tab=leads',
  '/leads/{lead}',
  '/links/{link}',
  '/payouts/{payout}',
  '/dashboard',
]

test('every list and detail is printed black on white, complete, without controls', async ({ page, populated }) => {
  test.setTimeout(120_000)
  const { site, owner, things } = populated
  await openAs(page, site, owner)
  for (const path of screens) {
    const name = path.replace(/\{(\w+)\}/, (_, thing) => things[thing] ?? '')
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark', reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1280, height: 900 })
    await reopenScreen(page, name)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'reduce' })
    // as wide as A4 between its margins
    await page.setViewportSize({ width: 703, height: 900 })
    for (const shell of ['banner', 'navigation'] as const) await expect(page.getByRole(shell), path).toHaveCount(0)
    // and landscape, at a width that shows the sidebar on a screen
    await page.setViewportSize({ width: 1047, height: 700 })
    await expect(page.getByRole('navigation'), path).toHaveCount(0)
    await page.setViewportSize({ width: 703, height: 900 })
    const pressed = page.locator('main :is(button, input, select)').and(page.locator(':not(thead *, [role=tab])'))
    await expect(pressed.filter({ visible: true }), path).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
    const found = await page.evaluate(() => {
      const seen = [...document.querySelectorAll<HTMLElement>('main *')].filter((box) => box.checkVisibility())
      const own = (box: Element) => [...box.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      const columnsOf = (row: HTMLTableRowElement) =>
        [...row.cells].filter((cell) => cell.checkVisibility()).reduce((sum, cell) => sum + cell.colSpan, 0)
      const light = (color: string) =>
        (color.match(/[\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)
      return {
        ground: getComputedStyle(document.body).backgroundColor,
        pale: seen.filter((box) => own(box) && light(getComputedStyle(box).color) > 400).map((box) => box.textContent),
        links: [...new Set(seen.filter((box) => box.matches('a')).map((box) => getComputedStyle(box).color))].filter(
          (color) => color === 'rgb(47, 67, 191)' || color === 'rgb(163, 180, 255)',
        ),
        beyond: seen
          .filter((box) => box.matches('td, th') && box.getBoundingClientRect().right > innerWidth + 1)
          .map((box) => box.textContent),
        cut: seen.filter((box) => box.matches('tbody th > span') && box.scrollHeight > box.clientHeight + 1).length,
        // tables whose heads, rows and totals differ in their number of columns on paper
        askew: [...document.querySelectorAll('table')]
          .filter((table) => table.checkVisibility())
          .map((table) => [table.tHead, table.tBodies[0], table.tFoot].map((part) => part?.rows[0]))
          .map((rows) => rows.flatMap((row) => (row ? [columnsOf(row)] : [])))
          .filter((counts) => new Set(counts).size > 1),
        stuck: seen.filter((box) => box.matches('th, td') && getComputedStyle(box).position === 'sticky').length,
      }
    })
    expect(found, path).toEqual({
      ground: 'rgb(255, 255, 255)',
      pale: [],
      links: [],
      beyond: [],
      cut: 0,
      askew: [],
      stuck: 0,
    })
    if (path.endsWith('year-report')) expect(await onPaper(page)).toMatch(/^\d{4}$/m)
  }
})

test('each sheet of a long list repeats its column heads', async ({ page, site }) => {
  const owner = await anOwner(site)
  for (let at = 1; at <= 50; at++) {
    const body = { firstName: 'Lead', lastName: String(at), email: `lead-${at}@long.example` }
    expectOk(await site.api('POST', `/accounts/${owner.id}/leads`, { token: owner.token, body }))
  }
  await openAs(page, site, owner, '/leads')
  await expect(page.locator('tbody tr')).toHaveCount(50)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4' }))))
  expect(text.length).toBeGreaterThan(1)
  for (const [at, sheet] of text.entries()) {
    expect(sheet).toMatch(/Lead\s+Partner\s+Status/)
    expect(sheet).toContain(`Page ${at + 1} of ${text.length}`)
  }
  for (let at = 1; at <= 50; at++) expect(text.join('\n')).toContain(`lead-${at}@long.example`)
})
