import type { Locator, Page, Request } from '@playwright/test'
import { filterUnexpected } from './browser.ts'
import { type Site, signedInPage } from './journey.ts'
import { type RoleName, screens } from './screens.ts'
import { test } from './test.ts'

/** `sent` is the method and the whole address. */
type HeldCall = { call: string; sent: string; requestId: string }

/** The calls between a page and the API, which a test can delay and release. */
export type Road = {
  /** Calls that wait for their answer: 'GET /partners/0198…', sorted. */
  waiting(): string[]
  /** Waits for a call to wait for its answer. */
  someWait(): Promise<void>
  /** Delays every call from now on. */
  hold(): void
  /** Lets the waiting calls through, or only those that match; calls they lead to wait again. */
  release(some?: RegExp): Promise<void>
  /** Lets all waiting and new calls through. */
  open(): Promise<void>
  /** Fails the connections of waiting and new calls, except those that match. */
  cut(spared?: RegExp): Promise<void>
  /** Refuses waiting and new calls, except those that match, with a status that the client does not retry. */
  refuse(spared?: RegExp): Promise<void>
  /** Returns the calls since the last time. */
  asked(): string[]
  /** Waits until the page has made all calls that it can make with the answers so far. */
  quiet(): Promise<void>
}

const BASE = '/api/v1'
/** Many more turns than any screen needs: a page that is still busy then never settles. */
const MOST_TRIES = 500
const nothing = /^(?!)/
const anything = /^/

/**
 * Intercepts the calls between a page and the API. A route of Playwright would intercept every request and disable the
 * browser's cache, which doubles the time to load a document.
 */
export async function interceptCalls(page: Page): Promise<Road> {
  const browser = await page.context().newCDPSession(page)
  let state: 'open' | 'held' | 'cut' | 'refused' = 'open'
  let spared = nothing
  let held: HeldCall[] = []
  let notify = () => {}
  const requests: string[] = []
  /** Pending requests of any kind: for code as well as API calls. */
  const out = new Set<Request>()
  let begun = 0
  let leaving = false
  page.on('request', (request) => {
    out.add(request)
    begun += 1
    leaving ||= request.isNavigationRequest()
  })
  page.on('requestfinished', (request) => out.delete(request))
  page.on('requestfailed', (request) => out.delete(request))
  page.on('framenavigated', () => {
    // A navigation within the document ends no request, a new document all of the earlier one.
    if (leaving) {
      out.clear()
      held = []
    }
    leaving = false
  })
  /** A call that its page has aborted needs no answer. */
  const answer = (those: HeldCall[], how: (requestId: string) => Promise<unknown>) =>
    Promise.all(those.map(({ requestId }) => how(requestId).catch(() => undefined)))
  const pass = (requestId: string) => browser.send('Fetch.continueRequest', { requestId })
  const fail = (requestId: string) => browser.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' })
  const refuse = (requestId: string) =>
    browser.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 400,
      responseHeaders: [{ name: 'content-type', value: 'application/json' }],
      body: btoa('{}'),
    })
  browser.on('Fetch.requestPaused', ({ requestId, request: { method, url } }) => {
    const call = `${method} ${new URL(url).pathname.slice(BASE.length)}`
    const those = [{ call, sent: `${method} ${url}`, requestId }]
    requests.push(call)
    if (state === 'open' || (state !== 'held' && spared.test(call))) return answer(those, pass)
    if (state === 'refused') return answer(those, refuse)
    if (state === 'cut') return answer(those, fail)
    held.push(...those)
    notify()
    return undefined
  })
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: `*${BASE}/*` }] })
  async function release(some = anything) {
    const those = held.filter(({ call }) => some.test(call))
    held = held.filter(({ call }) => !some.test(call))
    await answer(those, pass)
  }
  /** Returns the pending requests that the test does not hold. */
  function underWay() {
    const waiting = held.map(({ sent }) => sent)
    return [...out].filter((request) => {
      const at = waiting.indexOf(`${request.method()} ${request.url()}`)
      return at < 0 || waiting.splice(at, 1).length === 0
    })
  }
  return {
    waiting: () => held.map(({ call }) => call).sort(),
    someWait: async () => {
      if (held.length > 0) return
      await new Promise<void>((resolve) => {
        notify = resolve
      })
    },
    hold() {
      state = 'held'
    },
    release,
    async open() {
      state = 'open'
      await release()
    },
    async cut(but = nothing) {
      state = 'cut'
      spared = but
      await answer(held.splice(0), fail)
    },
    async refuse(but = nothing) {
      state = 'refused'
      spared = but
      await answer(held.splice(0), refuse)
    },
    asked: () => requests.splice(0).sort(),
    async quiet() {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const before = begun
        const still = underWay().length === 0
        await page.evaluate(passTurns, still ? 3 : 1)
        if (still && begun === before) return
      }
      throw new Error(`not quiet after ${MOST_TRIES} tries: ${underWay().map((request) => request.url())}`)
    },
  }
}

/** Runs in the page: waits this many times until it has worked off its tasks and has drawn. */
async function passTurns(times: number) {
  for (let turn = 0; turn < times; turn++)
    await new Promise((done) => setTimeout(() => requestAnimationFrame(done), 15))
}

/** A page of this person whose calls to the API the test controls, for all tests of a group. */
export const interceptFor =
  (site: () => Site) =>
  (who: () => { email: string; password?: string }, prepare?: (page: Page) => Promise<unknown>) => {
    const complaints: string[] = []
    let page: Page
    let road: Road
    test.beforeAll(async ({ browser }) => {
      // The account's own time zone, in which it is the same day at any hour.
      page = await signedInPage(browser, site(), who(), complaints, { timezoneId: 'UTC' })
      road = await interceptCalls(page)
      await prepare?.(page)
    })
    test.afterAll(() => page?.context().close())
    return { current: () => page, road: () => road, complaints }
  }

export const loadingMarks = (page: Page) => page.locator('[aria-label="Loading..."], [aria-busy=true]')
export const failureMessage = (page: Page | Locator) => page.getByText('Failed to load', { exact: true })

/**
 * Returns complaints without those about refused connections, the browser's own and the application's, and without that
 * of axe's script, which a preview's frame doesn't run.
 */
export const filterUnforeseen = (complaints: string[], ...statuses: number[]) =>
  filterUnexpected(complaints.splice(0), ...statuses).filter(
    (complaint) => !/net::ERR_|couldn’t reach the server|Blocked script execution in 'about:srcdoc'/.test(complaint),
  )

export const listScreens = (role: RoleName) => screens.filter((screen) => screen.role === role)
