import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { expect, test } from '#test/support/test.ts'
import { buildEmbedScript } from '../../embed/build.ts'
import { type ElementKey, type ElementSelector, renderEmbedScript, type toCss } from '../../embed/configuration.ts'
import type { findAll } from '../../embed/fields.ts'
import { isGenerated } from '../../embed/generated.ts'
import type { proposeSelector } from '../../embed/propose.ts'
import { wrongSelector } from './contract.ts'
import { embedCodeWords } from './text.ts'

// An owner picks elements on their own page: the script there loads the picker, which reports to a collector.

let script: string
let picker: string
/** The site's and the collector's. */
let server: Server
let address: string
let html: string
let headers: Record<string, string>
let selectors: Partial<Record<ElementKey, ElementSelector>>
let received: { path: string; body: Record<string, unknown> }[]
/** Requests of the site other than its pages: forms sent, links followed. */
let visited: string[]
let answer: number

const ENDPOINT = '/embed/pub_1'

function configuration() {
  const chosen = (key: ElementKey) => selectors[key] ?? { selectorType: 'default' as const, selectorValue: '' }
  return {
    program: '160RLxwV_yP-',
    endpoint: address + ENDPOINT,
    config: {
      firstName: chosen('firstName'),
      lastName: chosen('lastName'),
      email: chosen('email'),
      phone: chosen('phone'),
      fieldsContainer: chosen('fieldsContainer'),
      submitButton: chosen('submitButton'),
    },
    names: ['ref'],
    plain: 1,
    cookieDays: 90,
    firstTouch: false,
    onlyIfReferred: false,
    consentMode: 'off' as const,
    forms: 'sign-ups' as const,
    domains: [],
    checkoutDomains: [],
  }
}

test.beforeAll(async () => {
  script = await buildEmbedScript()
  picker = await buildEmbedScript('picker')
  server = createServer(async (request, response) => {
    const path = request.url!
    if (path.startsWith(ENDPOINT) && request.method === 'GET') {
      response.setHeader('content-type', 'text/javascript; charset=utf-8')
      return response.end(renderEmbedScript(path.endsWith('/picker.js') ? picker : script, configuration()))
    }
    if (path.startsWith(ENDPOINT)) {
      let text = ''
      for await (const part of request) text += part
      if (answer === 202) received.push({ path: path.slice(ENDPOINT.length), body: JSON.parse(text) })
      return response.writeHead(answer).end()
    }
    if (!/^\/(frame|favicon.ico)?$/.test(path)) visited.push(`${request.method} ${path}`)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    if (path === '/frame') return response.end('<form><input id="framed" type="email"><button>Frame</button></form>')
    return response.end(
      `<!doctype html><html lang="en"><title>Shop</title><body>${html}<script async src="${ENDPOINT}.js"></script>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  address = `http://localhost:${(server.address() as AddressInfo).port}`
})

test.afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test.beforeEach(() => {
  html = FORM
  headers = {}
  selectors = {}
  received = []
  visited = []
  answer = 202
})

const FORM = `<main><a href="/elsewhere">Elsewhere</a><h1>Join</h1>
  <form id="join" action="/sent" method="post">
    <label>Your given name <input name="fname"></label>
    <input id="field-83921" class="surname is-focused" placeholder="Family name">
    <p><input type="email" id="mail" name="mail"></p>
    <input id="tel-a1b2c3d4" class="css-1q2w3e4" type="tel">
    <input type="password" name="password">
    <button class="send" disabled><b>Get started</b></button>
  </form></main>`

const bar = (page: Page) => page.getByRole('region', { name: 'Pick on my page' })
const nameOf = (page: Page, name: string) => bar(page).getByRole('button', { name: new RegExp(`^${name}`) })

async function open(page: Page) {
  await page.goto(`${address}/#tributary-check=tok_1&pick`)
  await expect(bar(page)).toBeVisible()
}

/** Presses on the place of an element, over which the picker lies. */
async function press(page: Page, css: string, place?: { x: number; y: number }) {
  // no locator, as it would find the picker's own elements too
  const box = await page.evaluate((query) => {
    const element = document.querySelector(query)!
    element.scrollIntoView({ block: 'center' })
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x, y, width, height }
  }, css)
  await page.mouse.click(box.x + (place?.x ?? box.width / 2), box.y + (place?.y ?? box.height / 2))
}

const sent = () => received.filter(({ path }) => path === '/checks').map(({ body }) => body)

test('an owner picks each element by pressing it, and the page is left as it was', async ({ page }) => {
  await page.goto(`${address}/`)
  await page.waitForFunction(() => !!window.tributary?.consent)
  await page.goto('about:blank')
  await open(page)
  await expect(bar(page).locator('b')).toHaveText(Object.values(embedCodeWords.elements))
  await nameOf(page, 'First Name').click()
  await press(page, 'label')
  await expect(nameOf(page, 'First Name')).toHaveText('First Namefname · 1 found')
  await expect(bar(page).getByRole('status')).toHaveText('First Name: fname · 1 found. Click Last Name on your page.')
  await press(page, '.surname')
  await press(page, '#mail')
  await press(page, '[type=tel]')
  await press(page, 'form', { x: 2, y: 2 })
  await press(page, 'button b')
  await expect(nameOf(page, 'Last Name')).toContainText('.surname · 1 found')
  await expect(nameOf(page, 'Email')).toContainText('#mail · 1 found')
  await expect(nameOf(page, 'Phone')).toContainText('[type="tel"] · 1 found')
  await expect(nameOf(page, 'Fields Container')).toContainText('#join · 1 found')
  await expect(nameOf(page, 'Submit Button')).toContainText('.send · 1 found')
  await bar(page).getByRole('button', { name: 'Use these' }).click()
  await expect(bar(page).getByRole('status')).toHaveText('Sent. Save changes on the Embed Code screen.')
  expect(sent()).toEqual([
    {
      token: 'tok_1',
      picked: {
        firstName: { selectorType: 'name', selectorValue: 'fname' },
        lastName: { selectorType: 'class', selectorValue: '.surname' },
        email: { selectorType: 'id', selectorValue: '#mail' },
        phone: { selectorType: 'query-selector', selectorValue: '[type="tel"]' },
        fieldsContainer: { selectorType: 'id', selectorValue: '#join' },
        submitButton: { selectorType: 'class', selectorValue: '.send' },
      },
      matched: Object.fromEntries(Object.keys(configuration().config).map((key) => [key, true])),
    },
  ])
  expect(visited).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.locator('tributary-picker')).toHaveCount(0)
  await page.getByLabel('Your given name').fill('Ada')
})

test('the six names are in rows of equal length at every width', async ({ page }) => {
  for (const width of [360, 540, 600, 768, 861, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto('about:blank')
    await open(page)
    const rows = await bar(page)
      .locator('button:has(b)')
      .evaluateAll((names) =>
        Map.groupBy(names, (name) => name.getBoundingClientRect().top)
          .values()
          .toArray(),
      )
    expect(new Set(rows.map(({ length }) => length)).size, `at ${width}`).toBe(1)
  }
})

test('pressing links, buttons and fields does nothing else, and Escape leaves the page untouched', async ({ page }) => {
  html = `${FORM.replace(' disabled', '')}<p id="told"></p>
    <script>for (const type of ['click', 'submit', 'mousedown', 'pointerdown', 'focusin', 'keydown', 'change'])
      document.addEventListener(type, (event) => { if (event.target.localName !== 'tributary-picker') document.title += ' ' + type })</script>`
  await open(page)
  await page.waitForTimeout(300)
  const before = await page.evaluate(() => document.body.outerHTML)
  for (const place of ['a', '#mail', 'button', 'h1', '[type=password]']) {
    for (const name of ['Email', 'Submit Button', 'Fields Container']) {
      await nameOf(page, name).click()
      await press(page, place)
    }
  }
  await nameOf(page, 'Email').click()
  await press(page, '[type=password]')
  await expect(bar(page).getByRole('status')).toHaveText('The script reads no field here.')
  expect(await page.title()).toBe('Shop')
  await bar(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page.locator('tributary-picker')).toHaveCount(0)
  expect(await page.evaluate(() => document.body.outerHTML)).toBe(before)
  expect([visited, received]).toEqual([[], []])
  await page.getByRole('link').click()
  await expect(page).toHaveURL(`${address}/elsewhere`)
})

test('by keyboard alone: Tab to an element, Enter picks it, Escape leaves', async ({ page }) => {
  await open(page)
  await expect(nameOf(page, 'First Name')).toBeFocused()
  await page.locator('a').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(nameOf(page, 'First Name')).toContainText('fname · 1 found')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(nameOf(page, 'Email')).toContainText('#mail · 1 found')
  await nameOf(page, 'Fields Container').focus()
  await page.keyboard.press('Enter')
  await page.locator('#mail').focus()
  await page.keyboard.press('Enter')
  await expect(nameOf(page, 'Fields Container')).toContainText('#join · 1 found')
  await nameOf(page, 'Email').press('Enter')
  await bar(page).getByRole('button', { name: 'Larger' }).press('Enter')
  await expect(nameOf(page, 'Email')).toContainText('p · 1 found')
  await bar(page).getByRole('button', { name: 'Clear' }).press('Enter')
  await expect(nameOf(page, 'Email')).toContainText('Found')
  await expect(bar(page).getByRole('button', { name: 'Clear' })).toBeDisabled()
  await bar(page).getByRole('button', { name: 'Use these' }).press('Enter')
  await expect(bar(page).getByRole('status')).toContainText('Sent.')
  await expect(bar(page).getByRole('button', { name: 'Leave' })).toBeFocused()
  expect(Object.keys(sent()[0]!.picked as object)).toEqual(['firstName', 'lastName', 'fieldsContainer'])
  expect(visited).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.locator('tributary-picker')).toHaveCount(0)
  expect(
    await page.locator('input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value).join('')),
  ).toBe('')
})

test('under a strict policy, a form in a shadow root is picked, and the script then sends its lead', async ({
  page,
}) => {
  headers = {
    'content-security-policy': `default-src 'none'; script-src 'self' 'nonce-n'; connect-src 'self'; require-trusted-types-for 'script'`,
  }
  html = `<sign-up></sign-up><script nonce="n">
    const root = document.querySelector('sign-up').attachShadow({ mode: 'open' })
    const form = root.appendChild(document.createElement('form'))
    form.append(document.createElement('input'), document.createElement('input'), document.createElement('button'))
    form.firstChild.placeholder = 'Who?'
    form.children[1].type = 'email'
    form.lastChild.textContent = 'Go'
    form.addEventListener('submit', (event) => event.preventDefault())
  </script>`
  const violations: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') violations.push(message.text())
  })
  await open(page)
  const inside = page.locator('sign-up').locator('input, button')
  const pressInside = async (at: number) => {
    const box = (await inside.nth(at).boundingBox())!
    await page.mouse.click(box.x + 5, box.y + 5)
  }
  for (const [at, name] of [
    [0, 'First Name'],
    [1, 'Email'],
    [2, 'Submit Button'],
  ] as const) {
    await nameOf(page, name).click()
    await pressInside(at)
  }
  await expect(nameOf(page, 'Fields Container')).toContainText('sign-up >>> form · 1 found')
  await bar(page).getByRole('button', { name: 'Use these' }).click()
  await expect(bar(page).getByRole('status')).toContainText('Sent.')
  expect(violations).toEqual([])
  const [{ picked, matched }] = sent() as [{ picked: typeof selectors; matched: object }]
  expect(picked).toEqual({
    firstName: { selectorType: 'query-selector', selectorValue: '[placeholder="Who?"]' },
    email: { selectorType: 'query-selector', selectorValue: '[type="email"]' },
    fieldsContainer: { selectorType: 'query-selector', selectorValue: 'sign-up >>> form' },
    submitButton: { selectorType: 'query-selector', selectorValue: 'sign-up >>> button' },
  })
  expect(matched).toMatchObject({ firstName: true, email: true, fieldsContainer: true, submitButton: true })

  selectors = picked
  await page.goto(`${address}/?ref=anna`)
  await page.waitForFunction(() => !!window.tributary?.consent)
  await inside.nth(0).fill('Ada')
  await inside.nth(1).fill('ada@buyer.example')
  await inside.nth(1).press('Enter')
  const leads = () => received.filter(({ path }) => path === '/leads').map(({ body }) => body)
  await expect.poll(leads).toMatchObject([{ firstName: 'Ada', email: 'ada@buyer.example' }])
})

test('elements in a frame of the same site are picked; those of another site are not read', async ({ page }) => {
  html = `<iframe src="/frame" title="Ours"></iframe><iframe sandbox src="/frame" title="Theirs"></iframe>`
  await open(page)
  await nameOf(page, 'Email').click()
  const at = async (title: string) => (await page.getByTitle(title).boundingBox())!
  const theirs = await at('Theirs')
  await page.mouse.click(theirs.x + 20, theirs.y + 20)
  await expect(bar(page).getByRole('status')).toHaveText('The script reads no field here.')
  const ours = await at('Ours')
  await page.mouse.click(ours.x + 20, ours.y + 20)
  await expect(nameOf(page, 'Email')).toContainText('#framed · 1 found')
  await expect(nameOf(page, 'Fields Container')).toContainText('iframe:nth-child(1) >>> form · 1 found')
  await nameOf(page, 'Phone').click()
  const frame = page.frameLocator('[title=Ours]')
  await frame.locator('#framed').focus()
  await page.keyboard.press('Enter')
  await expect(nameOf(page, 'Phone')).toContainText('#framed · 1 found')
  await frame.locator('#framed').press('Escape')
  await expect(page.locator('tributary-picker')).toHaveCount(0)
  expect(visited).toEqual([])
})

test('a form in a modal dialog can be picked, and what couldn’t be sent is sent again', async ({ page }) => {
  html = `<dialog><div style="height:120px;overflow:auto"><div style="height:300px">Terms</div>${FORM}</div></dialog>
    <script>document.querySelector('dialog').showModal()</script>`
  answer = 500
  await open(page)
  await nameOf(page, 'Email').click()
  const inDialog = (await page.locator('dialog').boundingBox())!
  await page.mouse.move(inDialog.x + 40, inDialog.y + 60)
  await page.mouse.wheel(0, 290)
  await expect.poll(() => page.evaluate(() => document.querySelector('dialog div')!.scrollTop)).toBeGreaterThan(200)
  await press(page, '#mail')
  await expect(nameOf(page, 'Email')).toContainText('#mail · 1 found')
  const use = bar(page).getByRole('button', { name: 'Use these' })
  await use.click()
  await expect(bar(page).getByRole('status')).toHaveText('That couldn’t be sent. Please try again.')
  answer = 202
  await use.click()
  await expect(bar(page).getByRole('status')).toContainText('Sent.')
  expect(sent()).toHaveLength(1)
  await page.keyboard.press('Escape')
  await expect(page.locator('dialog')).toBeVisible()
})

test('the script finds exactly the element of any random page by the selector that is proposed for it', async ({
  page,
}) => {
  const parts = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('../../test/support/picker-parts.ts', import.meta.url)),
        formats: ['iife'],
        name: 'parts',
      },
    },
  })
  const { output } = [parts].flat()[0] as { output: { code?: string }[] }
  await page.goto(`${address}/elsewhere`)
  await page.addScriptTag({ content: renderEmbedScript(output[0]!.code!, configuration()) })
  const seed = Number(process.env.SEED ?? 1 + Math.floor(Math.random() * 1e9))
  const proposals = await page.evaluate(onRandomPages, { seed, pages: 150 })
  const wrong = proposals.filter(({ found, type, value }) => {
    const proposed = value.replace(/^[#.]/, '')
    return found !== 'it alone' || wrongSelector(type, value) || (/^(id|class)$/.test(type) && isGenerated(proposed))
  })
  expect([seed, wrong]).toEqual([seed, []])
  const types = new Set(proposals.map(({ type }) => type))
  expect([...types].sort()).toEqual(['class', 'id', 'name', 'query-selector'])
  expect(proposals.some(({ value }) => value.split('>>>').length > 2)).toBe(true)
})

type Parts = { propose: typeof proposeSelector; findAll: typeof findAll; cssOf: typeof toCss }
type Tried = { type: ElementSelector['selectorType']; value: string; found: string }

/** Runs in the page: builds random trees, and has each of their elements proposed and found, below a random scope. */
function onRandomPages({ seed, pages }: { seed: number; pages: number }): Tried[] {
  const { propose, findAll, cssOf } = (window as unknown as { picker: Parts }).picker
  let state = seed
  const below = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % most
  }
  const one = <T>(of: T[]) => of[below(of.length)]!
  const names = ['email', 'mail', 'first name', ' padded ', 'a"b', 'contact[mail]', 'x>>>y', 'ñame', 'q\\', '']
  const ids = ['email', 'email', 'form.main', 'field_83921', 'a1b2c3d4e5', ':r1:', '7up', 'sign-up', 'radix-:r3:', 'é']
  const classes = ['field', 'field', 'css-1q2w3e4', 'is-focused', 'w-1/2', 'Form_mail__x7Yz1', 'big', 'sc-bdVaJa', '-x']
  const tags = ['div', 'div', 'input', 'input', 'form', 'label', 'span', 'p', 'my-field', 'svg:g', 'button', 'iframe']
  const tried: Tried[] = []
  for (let at = 0; at < pages; at++) {
    document.body.textContent = ''
    const all: Element[] = []
    const places: Node[] = [document.body]
    for (let size = 5 + below(60); size > 0; size--) {
      const place = one(places)
      const owner = place.ownerDocument ?? document
      const tag = one(tags)
      const element =
        tag === 'svg:g' ? owner.createElementNS('http://www.w3.org/2000/svg', 'x:g') : owner.createElement(tag)
      if (below(2)) element.id = one(ids)
      if (below(2)) element.setAttribute('class', `${one(classes)} ${one(classes)}`)
      if (below(2)) element.setAttribute('name', one(names))
      if (below(3) === 0) element.setAttribute('placeholder', one(['Your "email"', 'a\nb', 'Next >>>', 'Name']))
      if (tag === 'input' && below(2)) element.setAttribute('type', one(['email', 'tel', 'text']))
      place.appendChild(element)
      all.push(element)
      const frame = element as HTMLIFrameElement
      if (frame.contentDocument) places.push(frame.contentDocument.body)
      else if (below(5) === 0 && /^(div|p|span|my-field)$/.test(tag))
        places.push(element.attachShadow({ mode: 'open' }))
      else if (tag !== 'input') places.push(element)
    }
    for (const element of all) {
      const around: (ParentNode & Node)[] = [document]
      for (let up = element.parentElement; up; up = up.parentElement) around.push(up)
      const scope = one(around)
      const selector = propose(element, scope)
      const found = findAll(cssOf(selector), scope)
      tried.push({
        type: selector.selectorType,
        value: selector.selectorValue,
        found: found.length === 1 && found[0] === element ? 'it alone' : `${found.length} in page ${at}`,
      })
    }
  }
  return tried
}
