import { test as base } from '@playwright/test'
import { failOnPageErrors } from './browser.ts'
import { launchChromium } from './chromium.ts'
import { launchFirefox } from './firefox.ts'
import { type Populated, populateAccount, type SharedSite, startSharedSite } from './populated-account.ts'

type Watched = {
  /** The page's complaints so far: console errors, exceptions, violations of the content security policy. */
  complaints: string[]
}

/** Shared by all files of a worker; a file that changes more than its own account starts its own product. */
type Shared = {
  site: SharedSite
  /** Created on `site` when first used. Tests only read its accounts. */
  populated: Populated
}

/**
 * No page of a test runs long enough to repay the optimizing compilers or a process for drawing: this saves an eighth of
 * the time.
 */
const forShortPages = ['--js-flags=--no-turbofan --no-maglev --always-sparkplug', '--in-process-gpu']

/** Tests in our own Chromium, or in an installed Firefox, which collect the pages' complaints. */
export const test = base.extend<Watched, Shared>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  browser: async ({}, use) => {
    const inFirefox = process.env.JOURNEYS_IN === 'firefox'
    const browser = await (inFirefox ? launchFirefox() : launchChromium({ args: forShortPages }))
    await use(browser)
    await browser.close()
  },
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const site = await startSharedSite()
      await use(site)
      await site.end()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  populated: [
    async ({ site }, use) => {
      await use(await populateAccount(site))
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  complaints: async ({ page }, use) => {
    await use(await failOnPageErrors(page))
  },
})

export { expect } from '@playwright/test'
