import type { BrowserContext, Page, Route } from '@playwright/test'
import { anOwner, atRest, signedInPage } from '../support/journey.ts'
import type { Populated } from '../support/populated-account.ts'
import { buildInPseudoLanguage, type PseudoBuild } from '../support/pseudo-build.ts'
import { PSEUDO_LETTERS, toPseudo } from '../support/pseudo-language.ts'
import { depositForm, emptyScreens, entries, fillPath, roles, type Screen, screens } from '../support/screens.ts'
import { Data, readCut, readShown } from '../support/shown-words.ts'
import { expect, test } from '../support/test.ts'
import { isWrite } from '../support/writes.ts'

// The product with its catalogue in a pseudo-language, in which every word is marked and a third longer: no screen,
// menu, dialog or message of a form shows any other text but data, and nothing is cut off or wider than its window.

let populated: Populated
let pseudoBuild: PseudoBuild
const at = (path: string) => fillPath(path, populated.things)

test.beforeAll(async ({ populated: shared }) => {
  populated = shared
  pseudoBuild = await buildInPseudoLanguage()
})

test.afterAll(() => pseudoBuild?.end())

type Watched = { page: Page; data: Data }

/** Refuses writes: a pressed button changes nothing, and the refusal's message appears. */
const refuseWrites = (route: Route) =>
  isWrite(route.request()) ? route.fulfill({ status: 400, json: REFUSAL }) : route.fallback()
const REFUSAL = { error: { code: 'refused', message: 'This is refused by the test.' } }

async function watch(page: Page): Promise<Watched> {
  const data = new Data()
  data.hear(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.context().route('**/api/v1/**', refuseWrites)
  await pseudoBuild.serveTo(page.context(), populated.site.url)
  return { page, data }
}

/** A page in which the application runs for this person, shared by the tests of this group. */
function pageOf(who: () => { email: string; password?: string }, prepare?: (context: BrowserContext) => Promise<void>) {
  let watched: Watched
  test.beforeAll(async ({ browser }) => {
    watched = await watch(await signedInPage(browser, populated.site, who(), []))
    await prepare?.(watched.page.context())
    await watched.page.goto(`${populated.site.url}/no/such/page`)
    await expect(watched.page.locator('h1')).toHaveText(toPseudo('Page not found'))
  })
  test.afterAll(() => watched?.page.context().close())
  return () => watched
}

const settled = (page: Page) => atRest(page, { loading: toPseudo('Loading...'), wait: toPseudo('Please wait...') })

/** A heading, which may end in a name: that is not translated. */
const headings = (h1: string) =>
  h1
    .split(' ')
    .map((_, words, all) => `${toPseudo(all.slice(0, words).join(' '))} ${all.slice(words).join(' ')}`.trim())

/** Reopens a screen inside the running application. */
async function open({ page }: Watched, path: string, h1: string) {
  await page.evaluate(
    async ({ path, h1s, nowhere }) => {
      const shows = async (h1s: string[]) => {
        for (const until = performance.now() + 10_000; performance.now() < until; ) {
          if (h1s.includes(document.querySelector('h1')?.textContent ?? '')) return
          await new Promise(requestAnimationFrame)
        }
        throw new Error(`${location.href} has the heading ${document.querySelector('h1')?.textContent}, not ${h1s[0]}`)
      }
      history.pushState({}, '', '/no/such/page')
      await shows([nowhere])
      history.pushState({}, '', path)
      await shows(h1s)
    },
    { path: at(path), h1s: [toPseudo(h1), ...headings(h1)], nowhere: toPseudo('Page not found') },
  )
  await settled(page)
}

/** Returns the page's texts that are neither from the catalogue nor data, and those that are cut off. */
async function checkScreen({ page, data }: Watched, what: string) {
  const outside = await data.outsideCatalogue(await page.evaluate(readShown))
  return [...outside.map(({ text, where }) => `${what}: '${text}' as ${where}`), ...(await cut(page, what))]
}

const cut = async (page: Page, what: string) =>
  (await page.evaluate(readCut, PSEUDO_LETTERS)).map((found) => `${what}: ${found}`)

/** Like `look`, in a window of a phone's width, which is then restored. */
async function checkOnPhone(watched: Watched) {
  await watched.page.setViewportSize({ width: 390, height: 844 })
  await settled(watched.page)
  const found = await checkScreen(watched, 'phone')
  await watched.page.setViewportSize({ width: 1280, height: 720 })
  // A menu closes when the window is resized.
  await settled(watched.page)
  return found
}

/**
 * Opens everything that can be opened on this screen, one after the other: menus, lists of pickers, date ranges, tables
 * of charts.
 */
async function checkMenus(watched: Watched) {
  const { page } = watched
  const found = []
  const charts = page.getByRole('figure').getByRole('button', { name: toPseudo('Show as table'), exact: true })
  const openers = page.locator('[aria-haspopup]:enabled, main input[role=combobox]:enabled').or(charts)
  // The rows of a long list are alike.
  for (const opener of (await openers.elementHandles()).slice(0, 12)) {
    if (!(await opener.isVisible())) continue
    await opener.evaluate((element) => (element as HTMLElement).click())
    // the code of the first one may still be loading
    if ((await opener.getAttribute('aria-haspopup')) === 'dialog')
      await expect(page.getByRole('dialog').first()).toBeVisible()
    const custom = page.getByRole('dialog').getByRole('button', { name: toPseudo('Custom range'), exact: true })
    if (await custom.isVisible()) await custom.click()
    await settled(page)
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
  const { page } = watched
  const found: string[] = []
  const main = page.getByRole('main')
  const all = main.getByRole('checkbox', { name: toPseudo('Select all on page'), exact: true })
  if (await all.isVisible()) await all.check()
  for (const name of new Set([...buttons, ...Object.keys(dialogs)])) {
    const button = name.startsWith('*')
      ? await rareButton(page, name.slice(1))
      : main.getByRole('button', { name: toPseudo(name), exact: true }).first()
    // A name without a button belongs to a link, which leads to another screen of the list.
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue
    await button.evaluate((element: HTMLElement) => element.click())
    await settled(page)
    found.push(...(await checkScreen(watched, `'${name}' pressed`)))
    const dialog = page.getByRole('dialog')
    if (name in dialogs) await expect(dialog).toBeVisible()
    if (await dialog.isVisible()) {
      const submit = dialog.locator('[type=submit]:enabled:not([aria-disabled=true])')
      if (await submit.isVisible()) {
        await submit.click()
        await settled(page)
        found.push(...(await checkScreen(watched, `'${name}' sent as it is`)))
      }
      // exactly one: any other button that closes it is named after its decision
      const close = dialog.getByRole('button', { name: toPseudo('Close'), exact: true })
      // a popup below its button, such as a calendar, has none
      if (await close.isVisible()) await close.click()
      else await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    } else if (new URL(page.url()).pathname !== at(path).split('?')[0]) await open(watched, path, h1)
  }
  return found
}

async function rareButton(page: Page, name: string) {
  const opener = page.getByRole('group', { name: toPseudo('Page actions') }).locator('[aria-haspopup=menu]')
  await opener.evaluate((element: HTMLElement) => element.click())
  return page.getByRole('menuitem', { name: toPseudo(name), exact: true })
}

for (const role of roles) {
  const own = screens.filter((screen) => screen.role === role)

  test.describe(`${role}, loaded`, () => {
    const watched = pageOf(() => populated[role])
    for (const screen of own)
      test(screen.path, async () => {
        await open(watched(), screen.path, screen.h1)
        await expect(watched().page.getByText(toPseudo('Failed to load'))).toHaveCount(0)
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
    const watched = pageOf(
      () => populated[role],
      async (context) => {
        const spared = role === 'administrator' ? /\/users\/me$/ : /\/(users\/me|accounts\/[^/]+)$/
        await context.route(
          ({ pathname }) => pathname.startsWith('/api/v1/') && !spared.test(pathname),
          // The client does not retry a 404, and most screens have their own message for it.
          (route) => route.fulfill({ status: 404, json: {} }),
        )
      },
    )
    for (const { path, h1, unloaded = h1 } of own.filter(({ still }) => !still))
      test(path, async () => {
        await open(watched(), path, unloaded)
        expect(await checkScreen(watched(), 'failed')).toEqual([])
      })
  })
}

for (const { who, paths } of emptyScreens)
  test.describe(`${who}, with nothing to show`, () => {
    const watched = pageOf(() => populated[who])
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
    watched = await watch(await (await browser.newContext()).newPage())
  })
  test.afterAll(() => watched?.page.context().close())

  for (const { path, h1 } of entries)
    test(path, async () => {
      const { page } = watched
      await page.goto(`${populated.site.url}${at(path)}`)
      await expect(page.locator('h1')).toHaveText(toPseudo(h1))
      await settled(page)
      const found = [...(await checkScreen(watched, 'loaded')), ...(await checkOnPhone(watched))]
      const submit = page.locator('[type=submit]')
      if (await submit.count()) {
        await submit.click()
        await settled(page)
        found.push(...(await checkScreen(watched, 'sent empty')))
      }
      expect(found).toEqual([])
    })
})

test('the shell’s words when an account cannot be loaded or is disabled, and when the network is down', async ({
  browser,
}) => {
  const { newOwner, site } = populated
  const watched = await watch(await signedInPage(browser, site, newOwner, []))
  const { page } = watched
  let disabled = false
  await page.route(`**/api/v1/accounts/${newOwner.id}`, async (route) => {
    if (!disabled) return route.fulfill({ status: 400, json: {} })
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), disabledAt: new Date().toISOString() } })
  })
  await page.goto(`${site.url}/dashboard`)
  await expect(page.locator('h1')).toHaveText(toPseudo('Failed to load'))
  const found = await checkScreen(watched, 'failed')
  disabled = true
  await page.getByRole('button', { name: toPseudo('Try again') }).click()
  await expect(page.locator('h1')).toHaveText(toPseudo('This account is disabled.'))
  found.push(...(await checkScreen(watched, 'disabled')))
  await page.unrouteAll({ behavior: 'wait' })
  await page.context().setOffline(true)
  await expect(page.getByText(toPseudo('You are offline'))).toBeVisible()
  expect([...found, ...(await checkScreen(watched, 'offline'))]).toEqual([])
  await page.context().close()
})

test('messages after actions', async ({ browser }) => {
  const { site } = populated
  const newcomer = await anOwner(site, { name: 'Pinegate Travel' })
  const watched = await watch(await signedInPage(browser, site, newcomer, []))
  const { page } = watched
  await page.context().unroute('**/api/v1/**')
  const press = (name: string) => page.getByRole('button', { name: toPseudo(name), exact: true }).click()
  const fill = (label: string, value: string) => {
    watched.data.add({ displayName: value })
    return page.getByLabel(toPseudo(label), { exact: true }).fill(value)
  }
  const found: string[] = []
  const collectText = async (text: string) => {
    const toast = page.getByRole('status', { name: toPseudo('Messages'), exact: true }).last()
    await expect(toast).toContainText(text)
    await settled(page)
    found.push(...(await checkScreen(watched, text)), ...(await checkOnPhone(watched)))
    await toast
      .getByRole('button', { name: toPseudo('Dismiss'), exact: true })
      .first()
      .click()
  }

  await page.goto(`${site.url}/partners/new`)
  await fill('First Name', 'Olive')
  await fill('Last Name', 'Tarn')
  await fill('Email', 'olive@tarn.example')
  await press('Add partner')
  await collectText(`${toPseudo('Partner added:')} Olive Tarn`)

  await page.goto(`${site.url}/links/new`)
  await fill('Name', 'Autumn offer')
  watched.data.add({ parameterName: 'ref' })
  await fill('Destination URL', `${site.url}/health/live`)
  await press('Test link')
  await expect(
    page.getByText(toPseudo('The referral code is lost')).or(page.getByText(toPseudo('The link works'))),
  ).toBeVisible()
  found.push(...(await checkScreen(watched, 'tested')))
  await press('Add link')
  await collectText(toPseudo('Link added'))

  await page.goto(`${site.url}/user/profile`)
  await fill('First Name', 'Nora')
  await press('Save changes')
  await collectText(toPseudo('Profile saved'))
  expect(found).toEqual([])
  await page.context().close()
})

test('the finder finds its targets, and nothing else', async ({ page }) => {
  await page.setContent(`
    <title>${toPseudo('Partners')} · Tributary</title>
    <main style="width: 300px">
      <h1>${toPseudo('Partners')} Hello</h1>
      <p>Jane Whitfield</p><p>in-payout</p><p>Oct 3, 2026</p><p>${toPseudo('Due on')} Oct 3, 2026</p><p>May come</p>
      <p hidden>Hidden</p><pre>curl -X POST</pre><script>text()</script>
      <img alt="A picture"><input placeholder="Type here" value="Chosen"><a href="/x" title="More">3</a>
      <button aria-label="${toPseudo('Copy')} it">×</button><div role="slider" aria-valuetext="One point"></div>
      <select><option>Any of them</option><option>USD</option></select>
      <button style="width: 40px; overflow: hidden; white-space: nowrap">${toPseudo('Save changes')}</button>
      <button style="width: 40px; overflow: hidden; white-space: nowrap">Jane Whitfield</button>
    </main>
    <style>h1::after { content: 'Drawn' }</style>`)
  const data = new Data()
  data.add({ displayName: 'Jane Whitfield', status: 'in-payout', method: 'CHECKING' })
  const outside = await data.outsideCatalogue(await page.evaluate(readShown))
  expect(outside.map(({ text }) => text)).toEqual([
    ...[
      `${toPseudo('Partners')} Hello`,
      'Drawn',
      'in-payout',
      'May come',
      'Hidden',
      'A picture',
      'Type here',
      'Chosen',
    ],
    ...['More', `${toPseudo('Copy')} it`, 'One point', 'Any of them'],
  ])
  const cutTexts = await page.evaluate(readCut, PSEUDO_LETTERS)
  expect(cutTexts).toEqual([expect.stringContaining(`'${toPseudo('Save changes')}' is cut`)])
  await page.setViewportSize({ width: 200, height: 400 })
  expect(await page.evaluate(readCut, PSEUDO_LETTERS)).toContainEqual(
    expect.stringContaining('px wide in a window of 200'),
  )
})
