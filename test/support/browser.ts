import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Hears from now on what a page complains about, into `complaints`. */
export async function hearComplaints(page: Page, complaints: string[] = []): Promise<string[]> {
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} ${message.location().url}`)
  })
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      // biome-ignore lint/suspicious/noConsole: this runs in the page; the console is how it reaches the test
      console.error(`policy ${effectiveDirective} refused ${blockedURI} ${sample}`),
    ),
  )
  return complaints
}

/** Complaints without the browser's own notes on answers that a screen expects. */
export const unexpected = (complaints: string[], ...statuses: number[]) =>
  complaints.filter(
    (complaint) => !statuses.some((status) => complaint.includes(`the server responded with a status of ${status} `)),
  )

type Violation = { id: string; nodes: { html: string }[] }
type Axe = { run(where: Document, options: object): Promise<{ violations: Violation[] }> }

/** Fails with the rules broken on the page as it is shown: axe's, by WCAG 2.2 AA and best practice, or only the named. */
export async function expectAccessible(page: Page, ...rules: string[]) {
  const options: RunOptions = { resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) }
  const violations = (await page.evaluate(runAgain, options)) ?? (await runFirst(page, options))
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

type RunOptions = Parameters<AxeBuilder['options']>[0]

/** Brings axe into the page. Our pages have no frames, which is what its other mode is for. */
async function runFirst(page: Page, options: RunOptions): Promise<Violation[]> {
  return (await new AxeBuilder({ page }).setLegacyMode().options(options).analyze()).violations
}

/** In the page: runs axe where it is there already, which saves most of the time. */
async function runAgain(options: RunOptions): Promise<Violation[] | null> {
  const { axe } = window as { axe?: Axe }
  if (!axe) return null
  const { violations } = await axe.run(document, options)
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))
}
