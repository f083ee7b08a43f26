import { readFileSync } from 'node:fs'
import { type Browser, expect, type Page } from '@playwright/test'

/** Collects the page's complaints from now on, in `complaints`. */
export async function failOnPageErrors(page: Page, complaints: string[] = []): Promise<string[]> {
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} ${message.location().url}`)
  })
  // Firefox says nothing about an answer that failed, as Chromium does.
  if (isFirefox(page))
    page.on('response', (answer) => {
      if (answer.status() >= 400)
        complaints.push(`the server responded with a status of ${answer.status()} () ${answer.url()}`)
    })
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      // biome-ignore lint/suspicious/noConsole: this runs in the page; the console is how it reaches the test
      console.error(`policy ${effectiveDirective} refused ${blockedURI} ${sample}`),
    ),
  )
  return complaints
}

const isFirefox = (page: Page) => page.context().browser()?.browserType().name() === 'firefox'

/** Returns complaints without the browser's own messages about answers that a screen expects. */
export const filterUnexpected = (complaints: string[], ...statuses: number[]) =>
  complaints.filter(
    (complaint) => !statuses.some((status) => complaint.includes(`the server responded with a status of ${status} `)),
  )

/**
 * Returns the address of the one tab that `open` opens, and closes it. The address comes from the browser itself:
 * Playwright does not report some tabs that Ctrl or the middle button open behind the page, and hangs while it attaches
 * to others.
 */
export async function tabOpenedBy(browser: Browser, open: () => Promise<void>): Promise<string> {
  const session = await browser.newBrowserCDPSession()
  const tabs = async () => (await session.send('Target.getTargets')).targetInfos.filter(({ type }) => type === 'page')
  const before = new Set((await tabs()).map(({ targetId }) => targetId))
  const opened = async () =>
    (await tabs()).filter(({ targetId, url }) => !before.has(targetId) && url.startsWith('http'))
  await open()
  await expect.poll(async () => (await opened()).length).toBe(1)
  const [tab] = await opened()
  await session.send('Target.closeTarget', { targetId: tab!.targetId })
  await session.detach()
  return tab!.url
}

type Violation = { id: string; nodes: { html: string }[] }
type Axe = { run(where: Document, options: RunOptions): Promise<{ violations: Violation[] }> }
type RunOptions = { resultTypes: string[]; selectors: boolean; runOnly?: string[] }

const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Fails with the page's violations of rules: axe's, by WCAG 2.2 AA and best practice, or only the named ones. Not in
 * Firefox, whose process often crashes after axe.
 */
export async function expectAccessible(page: Page, ...rules: string[]) {
  if (isFirefox(page)) return
  // Finding a selector for each element costs a third of the time; a violation shows its HTML.
  const options: RunOptions = {
    resultTypes: ['violations'],
    selectors: false,
    ...(rules.length > 0 && { runOnly: rules }),
  }
  // rows about to be replaced are pale
  await expect(page.locator('[data-dimmed]')).toHaveCount(0)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const violations = await page.evaluate(runAxe, options)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.join(' ')}`)).toEqual([])
}

/** Runs in the page. */
async function runAxe(options: RunOptions) {
  const { violations } = await (window as unknown as { axe: Axe }).axe.run(document, options)
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))
}
