import { execFileSync } from 'node:child_process'
import { type Browser, firefox } from '@playwright/test'

/** The first release that knows the commands of WebDriver BiDi that Playwright sends. */
const OLDEST = 143

/** Returns the command of the installed Firefox, if there is one that can be driven. */
export function findFirefox(): string | undefined {
  return ['firefox-esr', 'firefox'].find((command) => {
    try {
      const output = execFileSync(command, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      return Number(/Firefox (\d+)/.exec(output)?.[1]) >= OLDEST
    } catch {
      return false
    }
  })
}

/** Calm and light, with scrollbars over the page, as our own Chromium is. */
const PREFERENCES = {
  'ui.prefersReducedMotion': 1,
  'ui.useOverlayScrollbars': 1,
  'layout.css.prefers-color-scheme.content-override': 1,
}

/** Launches the installed Firefox, driven by WebDriver BiDi. */
export async function launchFirefox(): Promise<Browser> {
  const command = findFirefox()
  if (!command) throw new Error(`Firefox ${OLDEST} or later is not installed`)
  const executablePath = execFileSync('which', [command], { encoding: 'utf8' }).trim()
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, firefoxUserPrefs: PREFERENCES })
  bridge(browser)
  const { newContext } = browser
  browser.newContext = async (options) => {
    const context = await newContext.call(browser, options)
    await context.addInitScript(insertAsTyped)
    return context
  }
  return browser
}

type Event = { navigation?: string | null; download?: string; url?: string }
type Session = {
  send(method: string, parameters: object): Promise<unknown>
  dispatchMessage(message: { method?: string; params?: Event }): void
}
type Within = { _connection: { toImpl(browser: Browser): { _browserSession: Session } } }

/**
 * Bridges what Playwright and Firefox do not agree on. Firefox has no command that emulates media, which its
 * preferences set, so every page stays light. Its downloads of what a page made are part of no navigation, by which
 * Playwright would know them.
 */
function bridge(browser: Browser) {
  const { _browserSession: session } = (browser as unknown as Within)._connection.toImpl(browser)
  const sessions = Object.getPrototypeOf(session) as Session
  const { send, dispatchMessage } = sessions
  sessions.send = async function (method, parameters) {
    return method === 'emulation.setMediaFeaturesOverride' ? {} : send.call(this, method, parameters)
  }
  sessions.dispatchMessage = function (message) {
    const { method, params } = message
    const isDownload = method?.startsWith('browsingContext.download')
    if (isDownload && params && !params.navigation && params.url) params.download ??= params.url
    dispatchMessage.call(this, message)
  }
}

/**
 * Inserts what Playwright fills in as typing does. Playwright's own way sets the `value` that React has put over an
 * input's, so that React hears of no change. Runs in the page.
 */
function insertAsTyped() {
  Object.defineProperty(window, '__pw_bidiInsertText', {
    get: () => (text: string) => {
      document.execCommand('insertText', false, text)
    },
    // Playwright's own is left aside
    set() {},
  })
}
