import type { Page } from '@playwright/test'
import { expectOk, signIn } from '../support/app.ts'
import { type DemoSite, startDemoSite } from '../support/demo-site.ts'
import { atRest, reopenScreen, signedInPage } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Every figure that is a link, or the count of a tab, is read and followed: its list must contain as much. A figure
// without a link is listed here with a reason, and must be the sum of other lists.

let demo: DemoSite
// biome-ignore lint/suspicious/noExplicitAny: whatever was answered
type Ask = (path: string) => Promise<any>
/** Calls as the owner, or as the partner. */
let ask: Ask
let askPartner: Ask
let home: string

test.beforeAll(async () => {
  test.setTimeout(300_000)
  demo = await startDemoSite({
    scale: 0.05,
    after: (db) => db.run`update provider_connections set trouble = 'Expired API Key provided'`,
  })
  const asking = async ({ email, password }: DemoSite['owner']) => {
    const { token } = await signIn(demo.site, email, password)
    return { token, ask: async (path: string) => expectOk(await demo.site.api('GET', path, { token })).body }
  }
  const { token, ...owner } = await asking(demo.owner)
  ask = owner.ask
  askPartner = (await asking(demo.partner)).ask
  const { roles } = await ask('/users/me')
  home = `/accounts/${roles.find(({ type }: { type: string }) => type === 'account-owner').accountId}`
  expectOk(await demo.site.api('POST', `${home}/leads`, { token, body: { email: 'nobodys@lead.example' } }))
})

test.afterAll(() => demo?.end())

/** A figure as the screen shows it, and its target: an address, or the tab with this name. */
type Figure = { label: string; value: string; note: string; path: string | null }

/** Returns the numbers on this screen that are links. */
const figuresOn = (page: Page): Promise<Figure[]> =>
  page.locator('main').evaluate((main) => {
    const text = (element: Element | null | undefined) => element?.textContent?.trim() ?? ''
    const cards = [...main.querySelectorAll('dt > a')].map((link) => {
      const [value, note] = [...(link.closest('div')?.querySelectorAll('dd') ?? [])]
      return { label: text(link), value: text(value), note: text(note), path: link.getAttribute('href') }
    })
    const parts = [...main.querySelectorAll('dd > a[href*="tab=commissions"]')].map((link) => ({
      label: text(link.closest('dd')?.previousElementSibling),
      value: text(link),
      note: '',
      path: link.getAttribute('href'),
    }))
    const added = [...main.querySelectorAll('dd a')].flatMap((link) => {
      const [, count] = /^([\d,]+) new$/.exec(text(link)) ?? []
      return count ? [{ label: 'new', value: count, note: '', path: link.getAttribute('href') }] : []
    })
    // forecasts are sentences about a part of the list they lead to; a link's name may end with a number
    const lines = [
      ...main.querySelectorAll(
        'section:not([aria-label="Payouts"], [aria-label="Links"]) li a:not([download], [href*="payday="])',
      ),
    ].map((link) => {
      const [, count = '1', label = text(link)] = /^([\d,]+) (.+)/.exec(text(link)) ?? []
      return { label, value: count, note: '', path: link.getAttribute('href') }
    })
    // a payday has an amount and the number of its commissions
    const paydays = [...main.querySelectorAll('li a[href*="payday="]')].map((link) => ({
      label: text(link),
      value: /[$][\d,.]*\d/.exec(text(link))?.[0] ?? '',
      note: /[\d,]+ commissions?/.exec(text(link))?.[0] ?? '',
      path: link.getAttribute('href'),
    }))
    const tabs = [...main.querySelectorAll('[role=tab]')].flatMap((tab) => {
      const count = tab.querySelector('span[aria-hidden]')
      const label = text(tab).slice(0, -text(count).length)
      return count ? [{ label, value: text(count), note: '', path: null }] : []
    })
    const owed = [...main.querySelectorAll('section[aria-label="What you owe"] a')].map((link) => ({
      label: text(link.querySelector('span')),
      value: text(link.querySelector('strong')),
      note: '',
      path: link.getAttribute('href'),
    }))
    return [
      ...owed,
      ...cards,
      ...parts,
      ...added,
      ...paydays,
      ...lines.filter(({ path }) => path?.startsWith('/')),
      ...tabs,
    ]
  })

/** Returns the number of rows of this screen's list, and the text at the foot of each column. */
async function listOn(page: Page) {
  const main = page.getByRole('main')
  if (new URL(page.url()).pathname === '/integrations/payment-providers')
    return { count: String(await main.getByText('Attention', { exact: true }).count()), foot: {} }
  const pages = main.getByRole('navigation', { name: 'Pages' })
  const hasPages = (await pages.count()) > 0
  // a part of a page with a single row has none
  const isLone = !hasPages && (await main.getByRole('tabpanel').locator('tbody tr').count()) === 1
  if (!hasPages && !isLone) {
    await expect(main.getByText('No data to show')).toBeVisible()
    return { count: '0', foot: {} }
  }
  const count = isLone ? '1' : /([\d,]+\+?)[^\d·]*(·|$)/.exec(await pages.locator('span').first().innerText())?.[1]
  const foot = await main
    .getByRole('table')
    .last()
    .evaluate((table) => {
      const cells = (row: Element | null | undefined) =>
        [...(row?.children ?? [])].map((cell) => cell.textContent?.trim() ?? '')
      const heads = cells(table.querySelector('thead tr'))
      const sums = cells(table.querySelector('tfoot tr'))
      // the sums' heading spans several columns
      return Object.fromEntries(sums.map((cell, at) => [heads[at && heads.length - sums.length + at], cell]))
    })
  return { count, foot: foot as Record<string, string> }
}

/** The list column that adds up to a sum of money. */
const columnOf: Record<string, string> = {
  Revenue: 'Amount',
  'Revenue share': 'Commission',
  Profit: 'Profit',
  'You owe': 'Owed',
  Due: 'Due',
  'Not yet due': 'Not yet due',
  Blocked: 'Due',
  Overpaid: 'Due',
  Held: 'Held',
  'On hold': 'On hold',
}
const columnBehind = (path: string | null, label: string) =>
  path?.startsWith('/partners/') ? 'Amount' : (columnOf[label] ?? 'Amount')

/** Reads and follows every figure of these screens; returns them, so that a test can check that there were some. */
async function crawl(page: Page, paths: string[]): Promise<string[]> {
  const seen: string[] = []
  await page.goto(`${demo.site.url}/no/such/page`)
  for (const from of paths) {
    await reopenScreen(page, from)
    const figures = await figuresOn(page)
    for (const { label, value, note, path } of figures) {
      if (path) await reopenScreen(page, path)
      else {
        await reopenScreen(page, from)
        const tab = page.getByRole('tab', { name: label })
        await tab.click()
        await expect(tab).toHaveAttribute('aria-selected', 'true')
        await atRest(page)
      }
      const what = `${label} ${value} on ${from}, which leads to ${path ?? 'its tab'}`
      const { count, foot } = await listOn(page)
      const isMoney = /[^\d,]/.test(value)
      if (!isMoney) expect(count, what).toBe(value)
      else
        expect((foot[columnBehind(path, label)] ?? '$0.00').replace(label === 'Overpaid' ? '-' : '', ''), what).toBe(
          value,
        )
      const counted = isMoney && /^([\d,]+) /.exec(note)?.[1]
      if (counted) expect(count, `${what}: ${note}`).toBe(counted)
      seen.push(label)
    }
  }
  return seen
}

test('every number on the dashboard opens the list that adds up to it', async ({ browser }) => {
  const page = await signedInPage(browser, demo.site, demo.owner, [])
  const ranges = ['', '?range=last-month']
  const seen = await crawl(
    page,
    ranges.map((range) => `/dashboard${range}`),
  )
  for (const label of ['Partners', 'Leads', 'Sales', 'Revenue', 'Revenue share', 'Profit'])
    expect(
      seen.filter((one) => one === label),
      label,
    ).toHaveLength(ranges.length)
  for (const part of ['awaiting a response', 'to act on', 'reported a problem', 'unattributed', 'on hold'])
    expect(seen.join('; ')).toContain(part)
  expect(seen).toContain('new')
  await page.context().close()
})

/**
 * Returns this screen's figures for the same days: its cards, its steps from click to sale, and the sums of its charts.
 */
const readFigures = (page: Page) =>
  page.locator('main').evaluate((main) => {
    const text = (element: Element | null | undefined) => element?.textContent?.trim() ?? ''
    const cards = [...main.querySelectorAll('dt')].map((name) => ({
      where: name.closest('dl')?.getAttribute('aria-label') ?? '',
      label: text(name),
      value: text(name.parentElement?.querySelector('dd strong') ?? name.parentElement?.querySelector('dd')),
    }))
    const totals = [...main.querySelectorAll('figcaption')].flatMap((caption) =>
      [...text(caption).matchAll(/([A-Z][a-z ]+) (-?[$\d][\d.,]*\d|\d)(?=, )/g)].map(([, label = '', value = '']) => ({
        where: caption.closest('figure')?.getAttribute('aria-label') ?? '',
        label,
        value,
      })),
    )
    return [...cards, ...totals].filter(({ where }) => !/money/i.test(where))
  })

test('equal figures on one page agree, or say why they do not', async ({ browser }) => {
  const page = await signedInPage(browser, demo.site, demo.owner, [])
  await page.goto(`${demo.site.url}/no/such/page`)
  const [partner] = (await ask(`${home}/partners?sort=-salesRevenue&limit=1`)).items
  const [link] = (await ask(`${home}/link-blueprints?sort=-sales&limit=1`)).items
  for (const [path, twice] of [
    [`/dashboard?${always}`, ['Leads', 'Sales', 'Revenue', 'Revenue share', 'Profit']],
    ['/dashboard?range=last-7-days', ['Leads', 'Sales', 'Revenue', 'Revenue share', 'Profit']],
    [`/partners/${partner.id}?${always}`, ['Leads', 'Sales', 'Revenue', 'Revenue share']],
    [`/links/${link.id}?${always}`, ['Clicks', 'Leads', 'Sales']],
  ] as const) {
    await reopenScreen(page, path)
    const shownFigures = await readFigures(page)
    for (const label of twice) {
      const values = shownFigures.filter((one) => one.label === label)
      expect(values.length, `${label} on ${path}`).toBeGreaterThan(1)
      expect(new Set(values.map(({ value }) => value)).size, `${JSON.stringify(values)} on ${path}`).toBe(1)
    }
  }

  // lists of leads also contain duplicates, which figures do not count; one of Tomás's is a duplicate of another's
  const [tomas] = (await ask(`${home}/partners?search=tomas`)).items
  for (const [path, stats] of [
    ['/leads', await ask(`${home}/stats`)],
    [`/partners/${tomas.id}?tab=leads`, await ask(`/partners/${tomas.id}/stats`)],
  ] as const) {
    await reopenScreen(page, path)
    const pages = page.getByRole('navigation', { name: 'Pages' })
    const among = pages.getByText(/(is a duplicate and isn’t|are duplicates and aren’t) counted in figures$/)
    await expect(among).toBeVisible()
    const number = (words: string) => Number(words.replaceAll(',', ''))
    const listed = number((await listOn(page)).count ?? '')
    const duplicates = number(/([\d,]+) (is|are)/.exec(await among.innerText())![1]!)
    expect(duplicates).toBeGreaterThan(0)
    expect(listed - duplicates, path).toBe(stats.numberOfLeads)
    await reopenScreen(page, `${path}${path.includes('?') ? '&' : '?'}status=duplicate`)
    expect((await listOn(page)).count).toBe(String(duplicates))
    await expect(among).toHaveCount(0)
  }

  await reopenScreen(page, '/leads?tab=sales')
  const { totals } = await ask(`${home}/revenue-lines?limit=1`)
  expect((await listOn(page)).foot.Date).toBe(`${totals.count} lines, ${totals.sales} of them sales`)
  await page.context().close()
})

test('every number of a partner and of a link, and every amount to be paid, opens its list too', async ({
  browser,
}) => {
  const page = await signedInPage(browser, demo.site, demo.owner, [])
  const partners = (await ask(`${home}/partners?sort=-salesRevenue&limit=2`)).items
  const links = (await ask(`${home}/link-blueprints?sort=-sales&limit=1`)).items
  const ids = (list: { id: string }[]) => list.map(({ id }) => id)
  const seen = await crawl(page, [
    ...ids(partners).map((id) => `/partners/${id}?range=year-to-date`),
    ...ids(links).map((id) => `/links/${id}`),
    '/payouts',
    '/payouts?tab=commissions',
  ])
  for (const label of [
    'Sub-partners',
    'Payouts',
    'Leads',
    'Sales',
    'Revenue',
    'You owe',
    'Due',
    'Not yet due',
    'Ready',
    'Blocked',
    'Held',
    'Paid this year',
    'Needs action',
    'Upcoming',
    'Earned',
  ])
    expect(seen).toContain(label)
  // each chip counts the rows that it leaves
  await reopenScreen(page, '/payouts?tab=needs-action')
  const chips = page.getByRole('list', { name: 'What you can do now' }).getByRole('button')
  const tasks = await chips.allInnerTexts()
  expect(tasks.length).toBeGreaterThan(2)
  for (const task of tasks) {
    await chips.filter({ hasText: task }).click()
    await atRest(page)
    expect((await listOn(page)).count, task).toBe(/^[\d,]+/.exec(task)?.[0])
  }
  await page.context().close()
})

/** A figure that leads nowhere: the reason, and the value it must have. */
type Instead = { why: string; is: string }

/** Checks the cards of this screen: those with a list, and all others against `instead`. */
async function expectCards(page: Page, path: string, instead: Record<string, Instead>) {
  await reopenScreen(page, path)
  const cards = await page
    .getByRole('main')
    .locator('dl[data-count] > div')
    .evaluateAll((all) =>
      all.map((card) => ({
        label: card.querySelector('dt')?.textContent?.trim() ?? '',
        value: card.querySelector('dd')?.textContent?.trim() ?? '',
        leads: card.querySelector('dt a') !== null,
      })),
    )
  const alone = cards.filter(({ leads }) => !leads)
  expect(Object.fromEntries(alone.map(({ label, value }) => [label, value])), path).toEqual(
    Object.fromEntries(Object.entries(instead).map(([label, { is }]) => [label, is])),
  )
  return cards.filter(({ leads }) => leads).map(({ label }) => label)
}

const counted = (count: number) => new Intl.NumberFormat('en-US').format(count)
const dollars = (minor: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'usd' }).format(minor / 100)
const always = 'from=2020-01-01&to=2028-12-31'

/** Returns all rows of a list. */
async function everyOne(as: Ask, path: string) {
  // biome-ignore lint/suspicious/noExplicitAny: whatever was answered
  const items: any[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const found = await as(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${cursor}`}`)
    items.push(...found.items)
    cursor = found.nextCursor
  }
  return items
}
const sumOf = <T>(items: T[], of: (item: T) => number) => items.reduce((sum, item) => sum + of(item), 0)
/** Kinds that figures count as earned: adjustments belong to no sale. */
const ofSales = ({ kind }: { kind: string }) => kind !== 'adjustment' && kind !== 'bonus'

test('the figures an administrator reads, who may open no lists of the account, match its owner’s lists', async ({
  browser,
}) => {
  const page = await signedInPage(browser, demo.site, demo.administrator, [])
  const partners = await everyOne(ask, `${home}/partners`)
  const leads = await everyOne(ask, `${home}/leads`)
  const { totals } = await ask(`${home}/revenue-lines?limit=1`)
  const why = 'an administrator reads no partners, leads or money of an account'
  const numberOfPartners = counted(partners.length)
  const numberOfSales = counted(totals.sales)
  await page.goto(`${demo.site.url}/no/such/page`)
  await expectCards(page, home.replace('/accounts', '/admin/accounts'), {
    Partners: { why, is: numberOfPartners },
    Leads: { why, is: counted(leads.filter(({ status }) => status !== 'duplicate').length) },
    Sales: { why, is: numberOfSales },
    Revenue: { why, is: dollars(totals.revenue) },
  })
  const name = await page.getByRole('heading', { level: 1 }).innerText()
  await reopenScreen(page, '/admin/accounts')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  await expect(row.getByRole('cell', { name: numberOfPartners, exact: true })).toBeVisible()
  await expect(row.getByRole('cell', { name: numberOfSales, exact: true })).toBeVisible()
  await page.context().close()
})

test('the figures of a lead match its sales, listed below them', async ({ browser }) => {
  const why = 'its sales stand on the same page'
  const onPage = async (page: Page) => {
    const more = page.getByRole('button', { name: 'Show more sales' })
    while (await more.isVisible()) {
      await more.click()
      await atRest(page)
    }
    const sales = page.getByRole('table', { name: 'Sales' }).locator('[id^="sale-"]')
    return (await sales.count()) - (await sales.filter({ has: page.getByText('Void', { exact: true }) }).count())
  }
  const page = await signedInPage(browser, demo.site, demo.owner, [])
  await page.goto(`${demo.site.url}/no/such/page`)
  const most = (await ask(`${home}/leads?sort=-salesRevenue&limit=3`)).items
  const [refunded] = (await ask(`${home}/revenue-lines?kind=refund&limit=1`)).items
  const [none] = (await ask(`${home}/leads?status=new&limit=1`)).items
  const disputed = (await ask(`${home}/revenue-lines?kind=dispute&limit=1`)).items
  const ids = [
    ...most,
    { id: refunded.leadId },
    none,
    ...disputed.map(({ leadId }: { leadId: string }) => ({ id: leadId })),
  ]
  for (const { id } of ids) {
    const { totals } = await ask(`${home}/revenue-lines?leadId=${id}&limit=1`)
    await expectCards(page, `/leads/${id}`, {
      Sales: { why, is: counted(totals.sales) },
      Revenue: { why, is: dollars(totals.revenue) },
      'Revenue share': { why, is: dollars(totals.share) },
      Profit: { why, is: dollars(totals.profit) },
    })
    expect(await onPage(page), id).toBe(totals.sales)
  }
  await page.context().close()

  const { roles } = await askPartner('/users/me')
  const own = roles.find(({ type }: { type: string }) => type === 'partner').partnerId
  const partner = await signedInPage(browser, demo.site, demo.partner, [])
  await partner.goto(`${demo.site.url}/no/such/page`)
  const leads = (await askPartner(`/partners/${own}/leads?sort=-salesRevenue&limit=3`)).items
  expect(leads.length).toBeGreaterThan(0)
  for (const { id } of leads) {
    const { totals } = await ask(`${home}/revenue-lines?leadId=${id}&limit=1`)
    const sales = await everyOne(askPartner, `/leads/${id}/sales`)
    await expectCards(partner, `/leads/${id}`, {
      Sales: { why, is: counted(totals.sales) },
      Revenue: { why, is: dollars(totals.revenue) },
      Earnings: {
        why: 'their own entries stand in each sale',
        is: dollars(sumOf(sales, ({ commissions }) => sumOf(commissions, ({ amount }: { amount: number }) => amount))),
      },
    })
    expect(await onPage(partner), id).toBe(totals.sales)
  }
  await partner.context().close()
})

test('figures without a link on the pages of partners, links and payouts match other lists', async ({ browser }) => {
  const page = await signedInPage(browser, demo.site, demo.owner, [])
  await page.goto(`${demo.site.url}/no/such/page`)
  const [partner] = (await ask(`${home}/partners?sort=-salesRevenue&limit=1`)).items
  const entries = await everyOne(ask, `/partners/${partner.id}/commissions`)
  const share = sumOf(entries.filter(ofSales), ({ amount }) => amount)
  await expectCards(page, `/partners/${partner.id}?${always}`, {
    'Revenue share': {
      why: 'it is also of what others below sold: the commissions of all days add up to it',
      is: dollars(share),
    },
  })
  const [link] = (await ask(`${home}/link-blueprints?sort=-clicks&limit=1`)).items
  const links = await everyOne(ask, `/link-blueprints/${link.id}/links`)
  // the page notes that these are not listed
  for (const { id } of await everyOne(ask, `${home}/partners?state=archived`))
    links.push(...(await everyOne(ask, `/partners/${id}/links`)).filter(({ blueprintId }) => blueprintId === link.id))
  const clicks = counted(sumOf(links, ({ clicks }) => clicks))
  await expectCards(page, `/links/${link.id}`, { Clicks: { why: 'visits are counted by partner, below', is: clicks } })
  for (const path of ['/dashboard', '/payouts']) await expectCards(page, path, {})
  await page.context().close()
})

test('a partner finds as many leads as counted, and their earnings', async ({ browser }) => {
  const page = await signedInPage(browser, demo.site, demo.partner, [])
  const { roles } = await askPartner('/users/me')
  const own = roles.find(({ type }: { type: string }) => type === 'partner').partnerId
  const seen = await crawl(page, [
    '/dashboard',
    '/dashboard?range=last-month',
    `/partners/${own}?range=year-to-date`,
    `/partners/${own}?${always}`,
  ])
  for (const label of ['Leads', 'Earned', 'Held', 'Due', 'Paid', 'Sub-partners', 'Payouts'])
    expect(seen).toContain(label)

  const leads = await everyOne(askPartner, `/partners/${own}/leads`)
  const entries = await everyOne(askPartner, `/partners/${own}/commissions`)
  const links = await everyOne(ask, `${home}/link-blueprints`)
  let clicks = 0
  for (const { id } of links)
    clicks += sumOf(await everyOne(ask, `/link-blueprints/${id}/links`), (link) =>
      link.partnerId === own ? link.clicks : 0,
    )
  const numberOfSales = {
    why: 'a partner has no list of sales: their leads say how many each has',
    is: counted(sumOf(leads, ({ stats }) => stats.numberOfSales)),
  }
  const revenue = { why: 'likewise', is: dollars(sumOf(leads, ({ stats }) => stats.salesRevenue)) }
  const earnings = {
    why: 'the commissions of all days add up to it',
    is: dollars(sumOf(entries.filter(ofSales), ({ amount }) => amount)),
  }
  await expectCards(page, `/dashboard?${always}`, {
    Clicks: { why: 'visits are counted, not listed: by link, they add up to it', is: counted(clicks) },
    Sales: numberOfSales,
    Earnings: earnings,
  })
  await expectCards(page, `/partners/${own}?${always}`, { Sales: numberOfSales, Revenue: revenue, Earnings: earnings })

  const why = 'the leads and sales of a sub-partner are not their parent’s to see'
  const below = await everyOne(askPartner, `/partners/${own}/partners`)
  expect(below.length).toBeGreaterThan(0)
  for (const { id } of below.slice(0, 3)) {
    const theirs = (await everyOne(ask, `/partners/${id}/leads`)).filter(({ status }) => status !== 'duplicate')
    const { totals } = await ask(`${home}/revenue-lines?partnerId=${id}&limit=1`)
    const sales = new Set((await everyOne(ask, `${home}/sales?partnerId=${id}`)).map((sale) => sale.id))
    const ownOf = entries.filter((entry) => sales.has(entry.saleId))
    await expectCards(page, `/partners/${id}`, {
      'Sub-partners': {
        why: 'they are listed below',
        is: counted((await everyOne(askPartner, `/partners/${id}/partners`)).length),
      },
      Leads: { why, is: counted(theirs.length) },
      Sales: { why, is: counted(totals.sales) },
      'Your earnings': {
        why: 'the commissions of these sales add up to it',
        is: dollars(sumOf(ownOf, ({ amount }) => amount)),
      },
    })
  }

  const [payout] = (await askPartner(`/partners/${own}/payouts?limit=1`)).items
  await reopenScreen(page, `/partner/payouts/${payout.id}`)
  expect((await listOn(page)).foot.Amount).toBe(dollars(payout.amount))
  expect(sumOf(await everyOne(askPartner, `/payouts/${payout.id}/entries`), ({ amount }) => amount)).toBe(payout.amount)
  await page.context().close()
})
