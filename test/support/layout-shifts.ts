import type { Page } from '@playwright/test'

type Jump = { by: number; what: string[] }
type Watching = typeof window & { jumps: Jump[] }

/** Makes every page opened from now on record layout shifts, as the browser measures them. */
export const watchJumps = (page: Page) =>
  page.addInitScript(() => {
    type Source = { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }
    type Shift = PerformanceEntry & { value: number; sources: Source[] }
    const watching = Object.assign(window, { jumps: [] as Jump[] })
    const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ')
    const named = (node: Node | null) => (node instanceof Element ? node.outerHTML.slice(0, 100) : node?.textContent)
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[])
        watching.jumps.push({
          by: value,
          what: sources.map(
            ({ node, previousRect, currentRect }) =>
              `${named(node)} from ${place(previousRect)} to ${place(currentRect)}`,
          ),
        })
    }).observe({ type: 'layout-shift' })
  })

/** Discards the layout shifts recorded so far. */
export const clearLayoutShifts = (page: Page) => page.evaluate(() => Object.assign(window, { jumps: [] }).jumps)

/** Returns the sum of the layout shifts, in the browser's measure, with their sources. */
export async function readLayoutShifts(page: Page): Promise<{ by: number; what: string }> {
  const jumps = await page.evaluate(() => (window as Watching).jumps)
  return { by: jumps.reduce((sum, { by }) => sum + by, 0), what: JSON.stringify(jumps, null, 1) }
}
