import type { Browser, Page } from '@playwright/test'
import unpackChromium, { launchChromium } from '../test/support/chromium.ts'
import type { BenchAccount, BenchEnvironment } from './environment.ts'
import { formatMs, interleaveRounds, type Line, medianBy, type Scale, toMedian, toRatio } from './rounds.ts'
import { makeFeltAccount, type Size } from './ui-latency-account.ts'
import { clearRecords, type Feeling, untilPainted, type Wanted, watchPage } from './ui-latency-page.ts'

/** An act of a person with an account of this size, timed from the click or the last key to the rows on the screen. */
type Act = {
  what: string
  /** Opened anew each time, so that nothing is cached. */
  opens: string
  /** Leads to the screen on which the act is possible. */
  first?: (page: Page, turn: number) => Promise<unknown>
  act: (page: Page, turn: number) => Promise<unknown>
  asks: string
  shows?: string
  waits?: number
  /** Repetitions of the act, one after the other. */
  times?: number
}

const SMALL: Size = { leads: 60, partners: 100, sales: 60, payouts: 20 }
/** A large account may take at most twice as long as one that fits on a page or two. */
const GOAL = 0.5
/** A stand-in for the watch: rounds are many and short, so the machine is checked after each act instead. */
const unwatched = { look: async () => {} }
/** Milliseconds for which long lists and the palette wait for more letters. */
const PAUSE = 300
const PALETTE_PAUSE = 200

const navigate = (name: string) => (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
const tab = (name: string) => (page: Page) => page.getByRole('tab', { name, exact: true }).click()
const sort = (name: string) => (page: Page) => page.getByRole('columnheader', { name }).getByRole('button').click()
const typed = (list: string, text: (turn: number) => string) => ({
  opens: list,
  first: (page: Page) => page.getByRole('searchbox').first().focus(),
  act: (page: Page, turn: number) => page.keyboard.insertText(text(turn)),
  asks: 'search=',
  waits: PAUSE,
})
const range = (name: string) => ({
  opens: '/dashboard',
  first: (page: Page) => page.getByRole('button', { name: /^Date range/ }).click(),
  act: (page: Page) => page.getByText(name, { exact: true }).click(),
  asks: '/dashboard/2',
  shows: 'main figure',
})
const pick = <T>(of: readonly T[], turn: number) => of[turn % of.length]!

const acts: Act[] = [
  { what: 'leads: open', opens: '/links', act: navigate('Leads'), asks: '/leads?' },
  { what: 'leads: sort by name', opens: '/leads', act: sort('Lead'), asks: 'sort=name' },
  { what: 'leads: sort by revenue', opens: '/leads', act: sort('Revenue'), asks: 'sort=-salesRevenue' },
  {
    what: 'leads: one status',
    opens: '/leads',
    act: (page, turn) => page.getByLabel('Status').selectOption(pick(['won', 'lost', 'qualified', 'rejected'], turn)),
    asks: 'status=',
  },
  {
    what: 'leads: one source',
    opens: '/leads',
    act: (page, turn) => page.getByLabel('Source').selectOption(pick(['embed', 'api', 'manual', 'provider'], turn)),
    asks: 'source=',
  },
  {
    what: 'leads: of one partner',
    opens: '/leads',
    first: async (page, turn) => {
      await page.getByRole('combobox', { name: 'Partner' }).click()
      await page
        .getByRole('listbox')
        .getByRole('option')
        .nth(2 + turn)
        .waitFor()
    },
    act: (page, turn) =>
      page
        .getByRole('listbox')
        .getByRole('option')
        .nth(2 + turn)
        .click(),
    asks: 'partnerId=',
    shows: 'main',
  },
  { what: 'leads: next page', opens: '/leads', act: next, asks: 'cursor=', times: 20 },
  { what: 'leads: search a name', ...typed('/leads', (turn) => pick(['ada', 'keller', 'quinn', 'zimmer'], turn)) },
  { what: 'leads: search an email', ...typed('/leads', (turn) => `${31 + turn}@mail.example`) },
  { what: 'leads: search a phone', ...typed('/leads', (turn) => `+1 415 ${String(31 + turn).padStart(7, '0')}`) },
  { what: 'leads: search an external id', ...typed('/leads', (turn) => `cus-${31 + turn}`) },
  { what: 'sales: open, with totals', opens: '/leads', act: tab('Sales'), asks: 'revenue-lines' },
  { what: 'sales: search an invoice', ...typed('/leads?tab=sales', (turn) => `inv-${31 + turn}`) },
  { what: 'partners: open', opens: '/links', act: navigate('Partners'), asks: '/partners?' },
  { what: 'partners: sort by name', opens: '/partners', act: sort('Name'), asks: 'sort=name' },
  {
    what: 'partners: search a name',
    ...typed('/partners', (turn) => pick(['ada', 'keller', 'quinn', 'zimmer'], turn)),
  },
  {
    what: 'partners: open a level of the tree',
    opens: '/partners?tree=true',
    act: (page, turn) =>
      page
        .getByRole('button', { name: /^Expand / })
        .nth(turn % 2)
        .click(),
    asks: '/partners?',
  },
  {
    what: 'palette: search',
    opens: '/links',
    first: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
    },
    act: (page, turn) => page.keyboard.insertText(pick(['ada', 'keller', 'quinn', 'zimmer'], turn)),
    asks: '/payouts?',
    shows: 'dialog [role=option]',
    waits: PALETTE_PAUSE,
  },
  { what: 'payouts: open', opens: '/links', act: navigate('Payouts'), asks: '/balances?' },
  { what: 'payouts: what needs action', opens: '/payouts', act: tab('Needs action'), asks: '/payouts?' },
  { what: 'payouts: what was paid', opens: '/payouts', act: tab('Paid'), asks: '/payouts?' },
  { what: 'dashboard: 7 days', ...range('Last 7 days') },
  { what: 'dashboard: a year', ...range('Last year') },
  {
    what: 'a lead’s page',
    opens: '/leads',
    act: (page, turn) => page.locator('main tbody tr th a').nth(turn).click(),
    asks: '/events?',
    shows: 'main h1',
  },
  {
    what: 'a partner’s page',
    opens: '/partners',
    act: (page, turn) => page.locator('main tbody tr th a').nth(turn).click(),
    asks: '/historical-stats/',
    shows: 'main h1',
  },
]

function next(page: Page) {
  return page.getByRole('button', { name: 'Next', exact: true }).click()
}

/** A real browser on a desktop, nothing slowed down: a large account compared with one of a few dozen rows. */
export async function measureUiLatency(ground: BenchEnvironment, { leads, rounds }: Scale): Promise<Line[]> {
  const size = { leads, partners: leads / 2, sales: leads, payouts: leads / 10 }
  const accounts = [await makeFeltAccount(ground, SMALL), await makeFeltAccount(ground, size)] as const
  await unpackChromium()
  const browser = await launchChromium()
  try {
    const [small, large] = await Promise.all(accounts.map((account) => openPage(browser, account)))
    const lines: Line[] = []
    for (const act of acts) {
      // one act beforehand: loading its code is not part of the account's cost
      const times = await interleaveRounds(unwatched, rounds * 2 + 1, {
        small: (turn) => perform(small!, ground, { ...act, times: 1 }, turn),
        large: (turn) => perform(large!, ground, act, turn),
      })
      await ground.watch.look()
      lines.push(lineOf(act.what, times.small.slice(1), times.large.slice(1)))
    }
    return lines
  } finally {
    await browser.close()
  }
}

async function openPage(browser: Browser, { token, refreshToken }: BenchAccount): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  // only if absent: the application stores a renewed session
  await page.addInitScript(
    (session) => {
      localStorage['tributary.session'] ??= session
    },
    sessionOf(token, refreshToken),
  )
  await page.addInitScript(watchPage)
  return page
}

const sessionOf = (accessToken: string, refreshToken: string) => JSON.stringify({ accessToken, refreshToken })

async function perform(
  page: Page,
  { port }: BenchEnvironment,
  { opens, first, act, times = 1, ...wanted }: Act,
  turn: number,
) {
  await page.goto(`http://127.0.0.1:${port}${opens}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await first?.(page, turn)
  const {
    asks,
    shows = 'main tbody tr, main [role=treegrid] tr',
    waits = 0,
  }: Partial<Wanted> & { asks: string } = wanted
  const feelings: Feeling[] = []
  for (let time = 0; time < times; time++) {
    await page.evaluate(clearRecords)
    await act(page, turn)
    feelings.push(await page.evaluate(untilPainted, { asks, shows, waits }))
  }
  return feelings
}

/** `small` and `large` of each round. */
function lineOf(what: string, small: Feeling[][], rounds: Feeling[][]): Line {
  const [floors, ours] = [small, rounds].map((all) => all.map((feelings) => medianBy(feelings, (one) => one.ms))) as [
    number[],
    number[],
  ]
  const large = rounds.flat()
  const sorted = large.map((one) => one.ms).toSorted((a, b) => a - b)
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1]!
  const server = toMedian(large.map((one) => one.server))
  const after = Math.max(...large.map((one) => one.after))
  return {
    what,
    ours: formatMs(toMedian(ours)),
    floor: formatMs(toMedian(floors)),
    ...toRatio(floors, ours),
    goal: GOAL,
    also: `p95 ${formatMs(p95)}, its call ${formatMs(server)}${after > 0 ? `, busy after it ${formatMs(after)}` : ''}`,
  }
}
