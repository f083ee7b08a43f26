/** The page's record of its calls, for `feel`. */
type Asked = { url: string; from: number; to: number }
type Felt = { asked: Asked[]; long: { from: number; ms: number }[]; at: number }
declare global {
  interface Window {
    felt: Felt
  }
}

/** Runs in the page before the application: notes when each call is sent and answered, and what keeps the page busy. */
export function watchPage() {
  window.felt = { asked: [], long: [], at: 0 }
  const fetched = window.fetch
  window.fetch = async (...given) => {
    const request = { url: String(given[0]), from: performance.now(), to: 0 }
    window.felt.asked.push(request)
    try {
      return await fetched(...given)
    } finally {
      request.to = performance.now()
    }
  }
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.felt.long.push({ from: startTime, ms: duration })
  }).observe({ type: 'longtask' })
  for (const type of ['click', 'input', 'change'])
    addEventListener(type, ({ timeStamp }) => (window.felt.at = timeStamp), true)
}

/** Runs in the page before the act: discards everything recorded earlier. */
export function clearRecords() {
  window.felt.at = 0
  window.felt.asked = []
  window.felt.long = []
}

export type Wanted = {
  /** Part of the address of the call for the result. */
  asks: string
  /** Selector of the result. */
  shows: string
  /** Milliseconds the application waits for more letters. */
  waits: number
}
export type Feeling = { ms: number; server: number; after: number }

/**
 * Runs in the page after the act: waits until the call is answered, nothing is dimmed or loading and that has been
 * painted.
 * Returns the time from the act until then, the call's part of it, and how long the page was busy in the 300 ms after.
 */
export async function untilPainted({ asks, shows, waits }: Wanted): Promise<Feeling> {
  const { felt } = window
  const frame = () => new Promise(requestAnimationFrame)
  const its = () => felt.asked.find(({ url, from, to }) => from >= felt.at && to > 0 && url.includes(asks))
  const busy = () => document.querySelector('[aria-busy=true], [data-dimmed], [role=status][aria-label="Loading..."]')
  const until = performance.now() + 20_000
  while (felt.at === 0 || !its() || busy() || !document.querySelector(shows)) {
    if (performance.now() > until) throw new Error(`${asks} does not show ${shows} at ${location.href}`)
    await frame()
  }
  // the frame is handed over before a queued task runs
  await new Promise((resolve) => setTimeout(resolve))
  const painted = performance.now()
  const { from, to } = its()!
  await new Promise((resolve) => setTimeout(resolve, 350))
  const after = felt.long.filter((task) => task.from >= painted && task.from < painted + 300)
  return { ms: painted - felt.at - waits, server: to - from, after: after.reduce((sum, { ms }) => sum + ms, 0) }
}
