import { fileURLToPath } from 'node:url'
import { buildEmbedScript } from '../embed/build.ts'
import { renderEmbedScript } from '../embed/configuration.ts'
import { buildWeb, compressedSize, firstScreens, limits, measureFirstScreen } from '../web/build/first-screen.ts'
import type { Line } from './rounds.ts'

const EMBED_LIMIT = 4096

/**
 * The first load of browsers, compared with its limit: bytes and requests of the build, which other work does not
 * change.
 */
export async function measureFirstLoad(): Promise<Line[]> {
  const { firstScreen } = measureFirstScreen(await buildWeb(fileURLToPath(new URL('../', import.meta.url))))
  const screen = (what: string, files: string[], limit: number) => {
    const { script, css, requests } = firstScreen(...files)
    const also = `style sheets ${kb(css)} of ${kb(limits.css)}, ${requests} of ${limits.requests} requests`
    return lineOf(`first load of ${what}, script`, script, { limit, also })
  }
  return [
    screen('the dashboard', firstScreens.dashboard, limits.script),
    screen('the list of accounts', firstScreens.accounts, limits.script),
    screen('a screen before signing in', firstScreens.beforeSignIn, limits.scriptBeforeSignIn),
    lineOf('embed script of an account', compressedSize(await embedScript()), {
      limit: EMBED_LIMIT,
      also: 'one request',
    }),
  ]
}

const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`

function lineOf(what: string, bytes: number, { limit, also }: { limit: number; also: string }): Line {
  const ratio = limit / bytes
  return { what, ours: kb(bytes), floor: kb(limit), ratio, lowest: ratio, highest: ratio, goal: 1, also }
}

const fields = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton'] as const

async function embedScript() {
  const selector = { selectorType: 'query-selector' as const, selectorValue: 'form.sign-up input[name="contact"]' }
  return renderEmbedScript(await buildEmbedScript(), {
    endpoint: 'https://partners.example.com/embed/pub_9tKq2ZpLw4VdXy7B',
    config: Object.fromEntries(fields.map((key) => [key, selector])) as Record<
      (typeof fields)[number],
      typeof selector
    >,
    names: ['ref', 'via'],
    plain: 1,
    cookieDays: 365,
    firstTouch: false,
    onlyIfReferred: true,
    consentMode: 'required',
    forms: 'sign-ups',
    domains: [],
    checkoutDomains: [],
    program: '160RLxwV_yP-',
  })
}
