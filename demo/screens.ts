import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import unpackChromium, { launchChromium } from '../test/support/chromium.ts'
import { docsPictures, type Picture, withPalette } from './docs-pictures.ts'
import { PASSPHRASE } from './sign-ups.ts'

// npm run docs:screenshots: the demo on its own folder, and every screen of it as a picture in ./screens: `{who}-{screen}` in
// the light theme, in the dark one and at a phone's width. Words after `--` limit it to pictures whose name contains
// one of them; `--docs` takes the pictures of the docs instead, into docs/screens.

const root = fileURLToPath(new URL('../', import.meta.url))
const pictures = resolve('screens')
const docs = join(root, 'docs/screens')
const printLine = (line: string) => process.stdout.write(`${line}\n`)

const looks = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'dark', colorScheme: 'dark', width: 1280, height: 800 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
  { name: 'phone-dark', colorScheme: 'dark', width: 390, height: 844 },
] as const

const forDocs = process.argv.includes('--docs')
const words = process.argv.slice(2).filter((word) => word !== '--docs')
const picturesOf = (screen: string) => Object.entries(docsPictures).filter(([, { of }]) => of === screen)
const isAskedFor = (name: string) =>
  (words.length === 0 || words.some((word) => name.includes(word))) && (!forDocs || picturesOf(name).length > 0)

/** Returns the API's reply to this person. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every kind are looked into
type Ask = (path: string) => Promise<any>
type Things = Record<string, string>
/**
 * An address; with `press` the dialog of this button, or of this item of `menu`, is the picture; with `choose` the result
 * of choosing a file; with `filter` all rows selected that the button with these words leaves.
 */
type Screen =
  | string
  | { path: string; menu?: string; press?: string; choose?: { name: string; text: string }; filter?: string }
type Tour = {
  who: string
  email?: string
  /** Finds the ids in addresses. */
  find?: (ask: Ask) => Promise<Things>
  screens: Record<string, Screen>
}

const providers = '/integrations/payment-providers'
/** A file in Dub's format, so that its columns are recognised. */
const partnersOfDub = {
  name: 'partners.csv',
  text: [
    'Name,Email,Country,Status,Enrolled at,Description',
    'Hannah Brandt,hannah@brandt.example,DE,approved,2026-09-02T09:12:00Z,Interior design blog',
    'Tomas Vega,tomas@vegafreight.example,ES,approved,2026-09-14T15:40:00Z,',
    'Aiko Mori,aiko@moridesign.example,JP,pending,2026-10-01T07:05:00Z,Newsletter',
  ].join('\n'),
}
const tours: Tour[] = [
  {
    who: 'visitor',
    screens: {
      'sign-in': '/auth/sign-in',
      'reset-password': '/auth/reset-password',
      'new-password': '/auth/reset-password#token=x',
      'user-setup': '/user-setup',
      'not-found': '/no/such/page',
    },
  },
  {
    who: 'owner',
    email: 'elena@harbor.example',
    find: findOfOwner,
    screens: {
      dashboard: '/dashboard',
      partners: '/partners',
      'partners-groups': '/partners?tab=groups',
      'partners-applications': '/partners?tab=applications',
      'partners-announcements': '/partners?tab=announcements',
      'partners-assets': '/partners?tab=assets',
      group: '/partners/groups/{group}',
      'partners-new': '/partners/new',
      partner: '/partners/{partner}',
      'partner-sub-partners': '/partners/{partner}?tab=sub-partners',
      'partner-leads': '/partners/{partner}?tab=leads',
      'partner-payouts': '/partners/{partner}?tab=payouts',
      'partner-update': '/partners/{partner}/update',
      leads: '/leads',
      'leads-sales': '/leads?tab=sales',
      'leads-unattributed': '/leads?tab=unattributed',
      'attribute-sale': { path: '/leads?tab=unattributed', press: 'Attribute' },
      claims: '/claims',
      claim: '/claims/{claim}',
      'leads-new': '/leads/new',
      lead: '/leads/{lead}',
      'lead-duplicate': '/leads/{duplicate}',
      'lead-update': '/leads/{lead}/update',
      'lead-new-sale': '/leads/{lead}/new-sale',
      links: '/links',
      'links-new': '/links/new',
      link: '/links/{link}',
      'link-update': '/links/{link}/update',
      payouts: '/payouts',
      'payouts-needs-action': '/payouts?tab=needs-action',
      'payouts-paid': '/payouts?tab=paid',
      'payouts-commissions': '/payouts?tab=commissions',
      'payouts-books': '/payouts?tab=books',
      'payout-open': '/payouts/{open}',
      'payouts-ready': { path: '/payouts?tab=needs-action', filter: 'ready to approve' },
      'payout-paid': '/payouts/{paid}',
      receipt: '/commissions/{commission}',
      'payout-approve': { path: '/payouts/{due}', press: 'Approve payout' },
      settings: '/account/settings',
      'settings-people': '/account/settings?tab=people',
      'settings-commission': '/account/settings?tab=commission',
      'settings-attribution': '/account/settings?tab=attribution',
      'settings-partners': '/account/settings?tab=partners',
      'settings-payouts': '/account/settings?tab=payouts',
      'settings-data': '/account/settings?tab=data',
      'settings-program': '/account/settings?tab=program',
      'payment-providers': providers,
      'connect-paddle': { path: providers, press: 'Connect Paddle' },
      'connect-paypal': { path: providers, press: 'Connect PayPal' },
      'connect-square': { path: providers, press: 'Connect Square' },
      'connect-lemon-squeezy': { path: providers, press: 'Connect Lemon Squeezy' },
      'connect-shopify': { path: providers, press: 'Connect Shopify' },
      'connect-polar': { path: providers, press: 'Connect Polar' },
      'connect-woocommerce': { path: providers, press: 'Connect WooCommerce' },
      'connect-chargebee': { path: providers, press: 'Connect Chargebee' },
      'connect-recurly': { path: providers, press: 'Connect Recurly' },
      'connect-custom': { path: providers, press: 'Set up custom integration' },
      'import-past-sales': { path: providers, menu: 'Actions for Stripe', press: 'Import past sales' },
      import: '/account/import',
      'import-columns': { path: '/account/import', choose: partnersOfDub },
      'incoming-webhooks': '/integrations/incoming-webhooks',
      'incoming-webhook': '/integrations/incoming-webhooks/{incoming}',
      'incoming-webhook-fields': '/integrations/incoming-webhooks/{incoming}/update',
      'outgoing-webhooks': '/integrations/outgoing-webhooks',
      'outgoing-webhooks-new': '/integrations/outgoing-webhooks/new',
      'push-data': '/integrations/push-data',
      'embed-code': '/integrations/embed-code',
      profile: '/user/profile',
    },
  },
  {
    who: 'other-owner',
    email: 'nadia@cobalt.example',
    screens: { dashboard: '/dashboard', 'connect-stripe': { path: providers, press: 'Connect Stripe' } },
  },
  {
    who: 'partner',
    email: 'jane@whitfield.example',
    find: findOfPartner,
    screens: {
      dashboard: '/dashboard',
      partners: '/partners',
      partner: '/partners/{partner}',
      leads: '/leads',
      claims: '/leads?claims=true',
      lead: '/leads/{lead}',
      settings: '/partner/settings',
      assets: '/dashboard/assets',
    },
  },
  {
    who: 'administrator',
    email: 'ops@harbor.example',
    find: async (ask) => ({ account: (await ask('/accounts?search=harbor')).items[0].id }),
    screens: {
      accounts: '/admin/accounts',
      'accounts-new': '/admin/accounts/new',
      account: '/admin/accounts/{account}',
    },
  },
]

const roleOf = async (ask: Ask, type: string) =>
  (await ask('/users/me')).roles.find((role: { type: string }) => role.type === type)

async function findOfOwner(ask: Ask): Promise<Things> {
  const { accountId } = await roleOf(ask, 'account-owner')
  const first = async (list: string) => (await ask(`/accounts/${accountId}/${list}`)).items[0]?.id ?? ''
  return {
    partner: await first('partners?search=jane'),
    group: await first('groups?search=gold'),
    lead: await first('leads?search=brightline'),
    duplicate: await first('leads?status=duplicate'),
    claim: await first('claims?state=open'),
    link: await first('link-blueprints?sort=-clicks'),
    open: await first('payouts?status=open'),
    due: await first('payouts?status=due'),
    paid: await first('payouts?status=paid'),
    commission: await firstByRule(ask, accountId),
    incoming: await first('incoming-webhooks'),
  }
}

/** Finds the newest commission of a referrer that a rule of the terms pays. */
async function firstByRule(ask: Ask, accountId: string): Promise<string> {
  const { items } = await ask(`/accounts/${accountId}/commissions?kind=earned&limit=100`)
  type Entry = { id: string; layer: number; rule: string | null }
  return items.find(({ layer, rule }: Entry) => layer === 0 && rule !== null)?.id ?? ''
}

async function findOfPartner(ask: Ask): Promise<Things> {
  const { partnerId } = await roleOf(ask, 'partner')
  const first = async (list: string) => (await ask(`/partners/${partnerId}/${list}`)).items[0]?.id ?? ''
  return { partner: await first('partners'), lead: await first('leads?search=brightline') }
}

/** Runs the demo on this folder until `end`. */
async function startDemo(dataDir: string) {
  const child = spawn(process.execPath, ['demo/run.ts'], {
    cwd: root,
    env: { LOG_LEVEL: 'error', ...process.env, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((listening, reject) => {
    let output = ''
    child.stdout.on('data', (piece) => {
      output += piece
      const found = /listens on (\S+)/.exec(output)?.[1]
      if (found) listening(found)
    })
    child.once('exit', (code) => reject(new Error(`The demo ended with ${code}: ${output}`)))
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  async function end() {
    child.kill('SIGTERM')
    await ended
  }
  return { address, end }
}

async function signIn(address: string, email: string) {
  const response = await fetch(`${address}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSPHRASE }),
  })
  if (!response.ok) throw new Error(`${email} cannot sign in: ${await response.text()}`)
  return (await response.json()) as { accessToken: string; refreshToken: string }
}

async function capturePictures(browser: Browser, address: string, { who, email, find, screens }: Tour) {
  const session = email ? await signIn(address, email) : null
  const ask: Ask = async (path) =>
    (await fetch(`${address}/api/v1${path}`, { headers: { authorization: `Bearer ${session?.accessToken}` } })).json()
  const things = find ? await find(ask) : {}
  const localStorage = session ? [{ name: 'tributary.session', value: JSON.stringify(session) }] : []
  const context = await browser.newContext({
    locale: 'en-US',
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins: [{ origin: address, localStorage }] },
  })
  const page = await context.newPage()
  for (const [screen, shown] of Object.entries(screens)) {
    if (!isAskedFor(`${who}-${screen}`)) continue
    const { path, menu, press, choose, filter } = typeof shown === 'string' ? { path: shown } : shown
    await page.goto(address + path.replace(/\{(\w+)\}/g, (_, thing) => things[thing] ?? thing))
    if (choose)
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: choose.name, mimeType: 'text/csv', buffer: Buffer.from(choose.text) })
    if (filter) {
      await page.getByRole('button', { name: filter }).click()
      await rest(page)
      await page.getByRole('checkbox', { name: 'Select all' }).first().check()
    }
    if (menu) await page.getByRole('button', { name: menu, exact: true }).click()
    if (press)
      await page
        .getByRole(menu ? 'menuitem' : 'button', { name: press, exact: true })
        .first()
        .click()
    if (forDocs) {
      for (const [name, picture] of picturesOf(`${who}-${screen}`))
        await writeFile(join(docs, `${name}.png`), await captureForDocs(page, picture, press !== undefined))
      printLine(`${who}: ${screen}`)
      continue
    }
    for (const { name, colorScheme, width, height } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      await rest(page)
      const file = join(pictures, `${who}-${screen}-${name}.png`)
      await (press
        ? page.getByRole('dialog').screenshot({ path: file })
        : page.screenshot({ path: file, fullPage: true }))
    }
    printLine(`${who}: ${screen}`)
  }
  await context.close()
}

async function captureForDocs(page: Page, { width, height, whole, phone }: Picture, ofDialog: boolean) {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: phone ? 390 : 1280, height: height ?? 800 })
  await rest(page)
  if (ofDialog) return withPalette(await page.getByRole('dialog').screenshot())
  const main = (await page.getByRole('main').boundingBox())!
  const { x, y } = whole ? { x: 0, y: 0 } : main
  const clip = { x, y, width: width ?? 1280 - x, height: (height ?? y + main.height) - y }
  return withPalette(await page.screenshot(phone ? {} : { clip, fullPage: true }))
}

/** Waits until the screen is shown and no request is under way. */
async function rest(page: Page) {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() => !document.querySelector('[aria-label="Loading..."], [aria-busy=true]'))
}

const folder = await mkdtemp(join(tmpdir(), 'tributary-screens-'))
if (!forDocs) {
  await rm(pictures, { recursive: true, force: true })
  await mkdir(pictures, { recursive: true })
}
await unpackChromium()
const demo = await startDemo(join(folder, 'data'))
const browser = await launchChromium()
try {
  for (const tour of tours) await capturePictures(browser, demo.address, tour)
  printLine(`The pictures are in ${forDocs ? docs : pictures}.`)
} finally {
  await browser.close()
  await demo.end()
  await rm(folder, { recursive: true, force: true })
}
