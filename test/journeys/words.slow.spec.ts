import type { BrowserContext, Page, Route } from '@playwright/test'
import { anOwner, atRest, signedInPage } from '../support/journey.ts'
import { MARKED, toMarked, withoutMarks } from '../support/marked-language.ts'
import { preferMarked, startMarkedSite } from '../support/marked-site.ts'
import { type Populated, populateAccount } from '../support/populated-account.ts'
import { depositForm, emptyScreens, entries, fillPath, roles, type Screen, screens } from '../support/screens.ts'
import { Data, type Reading, readCut, readShown, widenTexts } from '../support/shown-words.ts'
import { expect, test } from '../support/test.ts'
import { isWrite } from '../support/writes.ts'

// Partners, and those who sign in, read a language whose words are all marked; a team reads English. In either, a third
// wider, no screen, menu, dialog or message of a form shows any other text but data, and nothing is cut off or wider
// than its window.

let populated: Populated
const at = (path: string) => fillPath(path, populated.things)

test.beforeAll(async () => {
  populated = await populateAccount(await startMarkedSite())
  for (const { token } of [populated.partner, populated.newPartner]) await preferMarked(populated.site, token)
})

test.afterAll(() => populated?.site.end())

type Watched = {
  page: Page
  data: Data
  /** Returns a text of the catalogue as it is read here. */
  word: (text: string) => string
}

/** Refuses writes: a pressed button changes nothing, and the refusal's message appears. */
const refuseWrites = (route: Route) =>
  isWrite(route.request()) ? route.fulfill({ status: 400, json: REFUSAL }) : route.fallback()
const REFUSAL = { error: { code: 'refused', message: 'This is refused by the test.' } }

async function watch(page: Page, reading: Reading): Promise<Watched> {
  const data = new Data(reading)
  data.hear(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.context().addInitScript(widenTexts)
  await page.context().route('**/api/v1/**', refuseWrites)
  return { page, data, word: reading === 'marked' ? toMarked : (text) => text }
}

const readingOfRole = (role: string): Reading => (/partner/i.test(role) ? 'marked' : 'english')
const localeOfReading = (reading: Reading) => (reading === 'marked' ? { locale: MARKED } : {})

/** A page in which the application runs for this person, shared by the tests of this group. */
function pageOf(
  role: 'owner' | 'partner' | 'administrator' | 'newOwner' | 'newPartner',
  prepare?: (context: BrowserContext) => Promise<void>,
) {
  const reading = readingOfRole(role)
  let watched: Watched
  test.beforeAll(async ({ browser }) => {
    const page = await signedInPage(browser, populated.site, populated[role], [], localeOfReading(reading))
    watched = await watch(page, reading)
    await prepare?.(page.context())
    if (reading === 'marked') {
      // a screen of the role says which language it is in
      await page.goto(`${populated.site.url}/dashboard`)
      await expect(page.locator('html')).toHaveAttribute('lang', MARKED)
    }
    await page.goto(`${populated.site.url}/no/such/page`)
    await expect(page.locator('h1')).toHaveText(watched.word('Page not found'))
  })
  test.afterAll(() => watched?.page.context().close())
  return () => watched
}

const settled = ({ page, word }: Watched) => atRest(page, { loading: word('Loading...'), wait: word('Please wait...') })

/** Reopens a screen inside the running application. */
async function open(watched: Watched, path: string, h1: string) {
  await watched.page.evaluate(
    async ({ path, h1 }) => {
      const shows = async (wanted: string) => {
        const shown = () => document.querySelector('h1')?.textContent?.replace(/[⟦⟧]/g, '')
        for (const until = performance.now() + 10_000; performance.now() < until; ) {
          if (shown() === wanted) return
          await new Promise(requestAnimationFrame)
        }
        throw new Error(`${location.href} has the heading ${shown()}, not ${wanted}`)
      }
      history.pushState({}, '', '/no/such/page')
      await shows('Page not found')
      history.pushState({}, '', path)
      await shows(h1)
    },
    { path: at(path), h1 },
  )
  await settled(watched)
}

/** Returns the page's texts that are neither from the catalogue nor data, and those that are cut off. */
async function checkScreen(watched: Watched, what: string) {
  const outside = await watched.data.outsideCatalogue(await watched.page.evaluate(readShown))
  return [...outside.map(({ text, where }) => `${what}: '${text}' as ${where}`), ...(await cut(watched, what))]
}

const cut = async ({ page, data }: Watched, what: string) =>
  data.cutWords(await page.evaluate(readCut)).map((found) => `${what}: ${found}`)

/** Like `look`, in a window of a phone's width, which is then restored. */
async function checkOnPhone(watched: Watched) {
  await watched.page.setViewportSize({ width: 390, height: 844 })
  await settled(watched)
  const found = await checkScreen(watched, 'phone')
  await watched.page.setViewportSize({ width: 1280, height: 720 })
  // A menu closes when the window is resized.
  await settled(watched)
  return found
}

/**
 * Opens everything that can be opened on this screen, one after the other: menus, lists of pickers, date ranges, tables
 * of charts.
 */
async function checkMenus(watched: Watched) {
  const { page, word } = watched
  const found = []
  const charts = page.getByRole('figure').getByRole('button', { name: word('Show as table'), exact: true })
  const openers = page.locator('[aria-haspopup]:enabled, main input[role=combobox]:enabled').or(charts)
  // The rows of a long list are alike.
  for (const opener of (await openers.elementHandles()).slice(0, 12)) {
    if (!(await opener.isVisible())) continue
    await opener.evaluate((element) => (element as HTMLElement).click())
    // the code of the first one may still be loading
    if ((await opener.getAttribute('aria-haspopup')) === 'dialog')
      await expect(page.getByRole('dialog').first()).toBeVisible()
    const custom = page.getByRole('dialog').getByRole('button', { name: word('Custom range'), exact: true })
    if (await custom.isVisible()) await custom.click()
    await settled(watched)
    expect(await opener.evaluate((element) => (element as Element).ariaExpanded ?? 'true')).toBe('true')
    found.push(...(await checkScreen(watched, 'opened')))
    // A layer above the page covers the next opener.
    if ((await page.locator('dialog[open], :popover-open').count()) > 0) await page.keyboard.press('Escape')
    await page.evaluate(() => document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })))
  }
  return found
}

/**
 * Presses the agreed buttons of a screen and of its menu of rare actions; sends each form unchanged, on the page and in
 * dialogs.
 */
async function press(watched: Watched, { buttons = [], dialogs = {}, path, h1 }: Omit<Screen, 'role'>) {
  const { page, word } = watched
  const found: string[] = []
  const main = page.getByRole('main')
  const all = main.getByRole('checkbox', { name: word('Select all on page'), exact: true })
  if (await all.isVisible()) await all.check()
  for (const name of new Set([...buttons, ...Object.keys(dialogs)])) {
    const button = name.startsWith('*')
      ? await rareButton(watched, name.slice(1))
      : main.getByRole('button', { name: word(name), exact: true }).first()
    // A name without a button belongs to a link, which leads to another screen of the list.
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue
    await button.evaluate((element: HTMLElement) => element.click())
    await settled(watched)
    found.push(...(await checkScreen(watched, `'${name}' pressed`)))
    const dialog = page.getByRole('dialog')
    if (name in dialogs) await expect(dialog).toBeVisible()
    if (await dialog.isVisible()) {
      const submit = dialog.locator('[type=submit]:enabled:not([aria-disabled=true])')
      if (await submit.isVisible()) {
        await submit.click()
        await settled(watched)
        found.push(...(await checkScreen(watched, `'${name}' sent as it is`)))
      }
      // exactly one: any other button that closes it is named after its decision
      const close = dialog.getByRole('button', { name: word('Close'), exact: true })
      // a popup below its button, such as a calendar, has none
      if (await close.isVisible()) await close.click()
      else await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    } else if (new URL(page.url()).pathname !== at(path).split('?')[0]) await open(watched, path, h1)
  }
  return found
}

async function rareButton({ page, word }: Watched, name: string) {
  const opener = page.getByRole('group', { name: word('Page actions') }).locator('[aria-haspopup=menu]')
  await opener.evaluate((element: HTMLElement) => element.click())
  return page.getByRole('menuitem', { name: word(name), exact: true })
}

for (const role of roles) {
  const own = screens.filter((screen) => screen.role === role)

  test.describe(`${role}, loaded`, () => {
    const watched = pageOf(role)
    for (const screen of own)
      test(screen.path, async () => {
        await open(watched(), screen.path, screen.h1)
        await expect(watched().page.getByText(watched().word('Failed to load'))).toHaveCount(0)
        const found = [
          ...(await checkScreen(watched(), 'loaded')),
          ...(await checkOnPhone(watched())),
          ...(await checkMenus(watched())),
          ...(await press(watched(), screen)),
        ]
        expect(found).toEqual([])
      })
  })

  test.describe(`${role}, failed`, () => {
    const watched = pageOf(role, async (context) => {
      const spared = role === 'administrator' ? /\/users\/me$/ : /\/(users\/me|accounts\/[^/]+)$/
      await context.route(
        ({ pathname }) => pathname.startsWith('/api/v1/') && !spared.test(pathname),
        // The client does not retry a 404, and most screens have their own message for it.
        (route) => route.fulfill({ status: 404, json: {} }),
      )
    })
    for (const { path, h1, unloaded = h1 } of own.filter(({ still }) => !still))
      test(path, async () => {
        await open(watched(), path, unloaded)
        expect(await checkScreen(watched(), 'failed')).toEqual([])
      })
  })
}

for (const { who, paths } of emptyScreens)
  test.describe(`${who}, with nothing to show`, () => {
    const watched = pageOf(who)
    for (const [path, h1] of paths)
      test(path, async () => {
        await open(watched(), path, h1)
        // Text typed by people is data.
        watched().data.add(new URLSearchParams(path.split('?')[1]).get('search'), 'key')
        const found = [...(await checkScreen(watched(), 'empty')), ...(await checkOnPhone(watched()))]
        if (who === 'newPartner' && path === depositForm.path) found.push(...(await press(watched(), depositForm)))
        expect(found).toEqual([])
      })
  })

test.describe('signed out', () => {
  let watched: Watched
  test.beforeAll(async ({ browser }) => {
    const context = await browser.newContext(localeOfReading('marked'))
    watched = await watch(await context.newPage(), 'marked')
  })
  test.afterAll(() => watched?.page.context().close())

  for (const { path, h1 } of entries)
    test(path, async () => {
      const { page } = watched
      await page.goto(`${populated.site.url}${at(path)}`)
      await expect.poll(async () => withoutMarks(await page.locator('h1').innerText())).toBe(h1)
      await settled(watched)
      const found = [...(await checkScreen(watched, 'loaded')), ...(await checkOnPhone(watched))]
      const submit = page.locator('[type=submit]')
      if (await submit.count()) {
        await submit.click()
        await settled(watched)
        found.push(...(await checkScreen(watched, 'sent empty')))
      }
      expect(found).toEqual([])
    })
})

test('the shell’s words when an account cannot be loaded or is disabled, and when the network is down', async ({
  browser,
}) => {
  const { newOwner, site } = populated
  const watched = await watch(await signedInPage(browser, site, newOwner, []), 'english')
  const { page } = watched
  let disabled = false
  await page.route(`**/api/v1/accounts/${newOwner.id}`, async (route) => {
    if (!disabled) return route.fulfill({ status: 400, json: {} })
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), disabledAt: new Date().toISOString() } })
  })
  await page.goto(`${site.url}/dashboard`)
  await expect(page.locator('h1')).toHaveText('Failed to load')
  const found = await checkScreen(watched, 'failed')
  disabled = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('h1')).toHaveText('This account is disabled.')
  found.push(...(await checkScreen(watched, 'disabled')))
  await page.unrouteAll({ behavior: 'wait' })
  await page.context().setOffline(true)
  await expect(page.getByText('You are offline')).toBeVisible()
  expect([...found, ...(await checkScreen(watched, 'offline'))]).toEqual([])
  await page.context().close()
})

test('messages after actions', async ({ browser }) => {
  const { site } = populated
  const newcomer = await anOwner(site, { name: 'Pinegate Travel' })
  const watched = await watch(await signedInPage(browser, site, newcomer, []), 'english')
  const { page } = watched
  await page.context().unroute('**/api/v1/**')
  const press = (name: string) => page.getByRole('button', { name: name, exact: true }).click()
  const fill = (label: string, value: string) => {
    watched.data.add({ displayName: value })
    return page.getByLabel(label, { exact: true }).fill(value)
  }
  const found: string[] = []
  const collectText = async (text: string) => {
    const toast = page.getByRole('status', { name: 'Messages', exact: true }).last()
    await expect(toast).toContainText(text)
    await settled(watched)
    found.push(...(await checkScreen(watched, text)), ...(await checkOnPhone(watched)))
    await toast.getByRole('button', { name: 'Dismiss', exact: true }).first().click()
  }

  await page.goto(`${site.url}/partners/new`)
  await fill('First Name', 'Olive')
  await fill('Last Name', 'Tarn')
  await fill('Email', 'olive@tarn.example')
  await press('Add partner')
  await collectText('Partner added: Olive Tarn')

  await page.goto(`${site.url}/links/new`)
  await fill('Name', 'Autumn offer')
  watched.data.add({ parameterName: 'ref' })
  await fill('Destination URL', `${site.url}/health/live`)
  await press('Test link')
  await expect(page.getByText('The referral code is lost').or(page.getByText('The link works'))).toBeVisible()
  found.push(...(await checkScreen(watched, 'tested')))
  await press('Add link')
  await collectText('Link added')

  await page.goto(`${site.url}/user/profile`)
  await fill('First Name', 'Nora')
  await press('Save changes')
  await collectText('Profile saved')
  expect(found).toEqual([])
  await page.context().close()
})

test('the finder finds its targets, and nothing else', async ({ page }) => {
  const content = (word: (text: string) => string) => `
    <title>${word('Partners')} · Tributary</title>
    <main style="width: 300px">
      <h1>${word('Partners')} Hello</h1>
      <p>Jane Whitfield</p><p>in-payout</p><p>Oct 3, 2026</p><p>${word('Due on')} Oct 3, 2026</p><p>May come</p>
      <p hidden>Veiled</p><pre>curl -X POST</pre><script>text()</script>
      <img alt="A painting"><input placeholder="Type thus" value="Picked"><a href="/x" title="Further">3</a>
      <button aria-label="${word('Copy')} xyz">×</button><div role="slider" aria-valuetext="Eleven points"></div>
      <select><option>Whichever</option><option>USD</option></select>
      <button style="width: 40px; overflow: hidden; white-space: nowrap">${word('Save changes')}</button>
      <button style="width: 40px; overflow: hidden; white-space: nowrap">Jane Whitfield</button>
      <button style="width: 40px; overflow: hidden; white-space: nowrap">partners@example.com</button>
    </main>
    <style>h1::after { content: 'Drawn' }</style>`
  for (const [reading, word] of [
    ['marked', toMarked],
    ['english', (text: string) => text],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.setContent(content(word))
    const data = new Data(reading)
    data.add({ displayName: 'Jane Whitfield', status: 'in-payout', method: 'CHECKING' })
    const outside = await data.outsideCatalogue(await page.evaluate(readShown))
    expect(outside.map(({ text }) => text)).toEqual([
      ...[`${word('Partners')} Hello`, 'Drawn', 'in-payout', 'May come', 'Veiled', 'A painting', 'Type thus', 'Picked'],
      ...['Further', `${word('Copy')} xyz`, 'Eleven points', 'Whichever'],
    ])
    const cutWords = async () => data.cutWords(await page.evaluate(readCut))
    expect(await cutWords()).toEqual([expect.stringContaining(`'${word('Save changes')}' is cut`)])
    await page.setViewportSize({ width: 200, height: 400 })
    expect(await cutWords()).toContainEqual(expect.stringContaining('px wide in a window of 200'))
  }
})
