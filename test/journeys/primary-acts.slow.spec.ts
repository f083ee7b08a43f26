import type { Page } from '@playwright/test'
import { listScreens } from '../support/intercept-calls.ts'
import { atRest, pageHeading, signedInPage } from '../support/journey.ts'
import type { Populated } from '../support/populated-account.ts'
import { fillPath, roles, type Screen } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// The first button that a screen declares is its primary act. Unscrolled, all of it is inside the viewport and nothing
// covers it. A form ends with its act, below its fields, and is not asked for it; a filter, which is folded on a phone,
// is no act.

let populated: Populated

test.beforeAll(({ populated: shared }) => {
  populated = shared
})

const viewports = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]

const primaryOf = ({ buttons = [] }: Screen) => buttons.find((name) => !name.startsWith('*') && !name.endsWith(' All'))

/** Returns where the act is out of sight or covered; null if it is all there, or is the end of a form. */
const findFault = (page: Page, name: string) =>
  page.evaluate((name) => {
    const isNamed = (element: Element) => {
      const label = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
      return name.endsWith(':') ? label.startsWith(name) : label === name
    }
    const all = [...document.querySelectorAll<HTMLElement>('main button, main a')].filter(isNamed)
    const shown = all.filter((one) => one.checkVisibility({ visibilityProperty: true }))
    if (shown.length === 0) return 'absent'
    if (shown.some((one) => one.closest('form')?.querySelector('input, select, textarea'))) return null
    const faults = shown.map((one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect()
      if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
        return `at ${Math.round(left)}–${Math.round(right)} × ${Math.round(top)}–${Math.round(bottom)}`
      for (const [x, y] of [
        [left + 3, (top + bottom) / 2],
        [(left + right) / 2, (top + bottom) / 2],
        [right - 3, (top + bottom) / 2],
      ] as const) {
        const found = document.elementFromPoint(x, y)
        if (!found || !(one === found || one.contains(found))) return `covered by ${found?.tagName} ${found?.className}`
      }
      return null
    })
    return faults.includes(null) ? null : faults.join(', ')
  }, name)

for (const role of roles)
  for (const viewport of viewports)
    test(`${role}: each primary act is in sight at ${viewport.width}`, async ({ browser }) => {
      const complaints: string[] = []
      const page = await signedInPage(browser, populated.site, populated[role], complaints, { viewport })
      const faults: string[] = []
      for (const screen of listScreens(role)) {
        const name = primaryOf(screen)
        if (!name || screen.isGone) continue
        await page.goto(`${populated.site.url}${fillPath(screen.path, populated.things)}`)
        await expect(pageHeading(page, screen.h1), screen.path).toBeVisible()
        await atRest(page)
        const fault = await findFault(page, name)
        if (fault) faults.push(`${screen.path} '${name}' ${fault}`)
      }
      expect(faults).toEqual([])
      await page.context().close()
    })
