import { openProgram } from '../support/applications.ts'
import { anOwner, expectAccessibleInBothThemes } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The public page of a program, as a stranger sees it first.

test('company, headline, the rate, Apply now and the cover are in sight without scrolling, in Inter', async ({
  page,
  site,
  complaints,
}) => {
  const owner = await anOwner(site, { name: 'Harbor Analytics', defaultCommissionSettings: { layerRates: [20, 5] } })
  const slug = await openProgram(site, owner, {})
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto(`${site.url}/join/${slug}`)
    const apply = page.getByRole('link', { name: 'Apply now' })
    for (const one of [
      page.getByText('Harbor Analytics', { exact: true }),
      page.getByRole('heading', { level: 1 }),
      page.getByText('Partners earn 20% of each sale and their parent partner 5%.'),
      apply,
      page.locator('.cover'),
    ])
      await expect(one).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    const isInter = async () => {
      await document.fonts.ready
      return [...document.fonts].some(({ family, status }) => family === 'Inter' && status === 'loaded')
    }
    expect(await page.evaluate(isInter)).toBe(true)
    await expect(page.getByRole('region', { name: 'How it works' }).getByRole('listitem')).toHaveCount(3)
    await expectAccessibleInBothThemes(page)
    await apply.click()
    await expect(page.getByLabel('First Name')).toBeInViewport()
  }
  expect(complaints).toEqual([])
})
