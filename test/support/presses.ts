import type { Browser, Page } from '@playwright/test'
import { atRest, type Known, type Site, signedInPage } from './journey.ts'
import { expect } from './test.ts'

/** Counts the presses of the pointer on this page from now on, across documents; typing and choosing by keys are none. */
export async function countPresses(page: Page): Promise<() => number> {
  let presses = 0
  await page.exposeFunction('countPress', () => {
    presses += 1
  })
  const count = () =>
    addEventListener(
      'click',
      // the click that a label passes on to its field, and one by Enter, have no pointer
      ({ isTrusted, detail }) => isTrusted && detail > 0 && (window as unknown as Counted).countPress(),
      true,
    )
  await page.addInitScript(count)
  await page.evaluate(count)
  return () => presses
}

type Counted = { countPress: () => void }

/** Opens the dashboard of this user, and counts the presses from there. */
export async function openDashboard(browser: Browser, site: Site, who: Known) {
  const page = await signedInPage(browser, site, who, [], { viewport: { width: 1280, height: 800 } })
  await page.goto(`${site.url}/dashboard`)
  await atRest(page)
  return { page, presses: await countPresses(page) }
}

export const expectToast = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible()

/** An open item of 'Needs attention' on the dashboard. */
export const attentionLink = (page: Page, name: RegExp) =>
  page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name })
