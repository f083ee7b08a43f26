import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { ok } from '../support/app.ts'
import {
  anOwner,
  aPartnerOf,
  atRest,
  enter,
  expectAccessibleInBothThemes,
  reopen,
  signedInPage,
} from '../support/journey.ts'
import { downloaded, expectSame, type Heads, shownOn } from '../support/list-files.ts'
import type { RoleName } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// A list's file holds what its pages show, read back as a spreadsheet reads it.

const partners: Heads = {
  Name: ['firstName', 'lastName'],
  Code: ['referralCode'],
  Status: ['state'],
  'Sub-partners': ['numberOfPartners'],
  Leads: ['numberOfLeads'],
  Sales: ['numberOfSales'],
  Revenue: ['salesRevenue'],
  Share: ['salesRevenueShare'],
  'Balance due': ['balanceDue'],
  'Approved this year': ['approvedForPayouts'],
  Invitation: ['invitationStatus'],
}
const leads: Heads = {
  Lead: ['displayName', 'company', 'email', 'phone'],
  Partner: ['partnerName'],
  Status: ['status', 'selfReferral'],
  Sales: ['numberOfSales'],
  Revenue: ['salesRevenue'],
  Commission: ['salesRevenueShare'],
  Created: ['createdAt'],
}
/** Without the second line of the name. */
const ofPartner: Heads = {
  ...leads,
  Lead: ['displayName'],
  Status: ['status'],
  'Revenue share': ['salesRevenueShare'],
  Share: ['salesRevenueShare'],
}
const commissions: Heads = {
  Booked: ['createdAt'],
  Sale: ['kind', 'saleDescription', 'saleDate', 'reason', 'refundKind'],
  Lead: ['leadName'],
  State: ['status'],
  'Payable from': ['availableAt'],
  // 'Layer 1' is 0
  Layer: [],
  Rate: ['rate'],
  'Calculated on': ['baseAmount'],
  Amount: ['amount'],
}
const ownPayouts: Heads = {
  Payout: ['statementNumber'],
  Status: ['status'],
  Period: ['periodStart', 'periodEnd'],
  'Paid on': ['paidAt'],
  Amount: ['amount'],
}
const payouts: Heads = {
  Payout: ['statementNumber'],
  Partner: ['partnerName'],
  Amount: ['amount'],
  Status: ['status'],
  Method: ['method'],
  'Due date': ['createdAt'],
  // what blocks it, in the words of its reader
  Reason: [],
}
const entries: Heads = {
  Date: ['saleDate', 'refundAt', 'createdAt'],
  Entry: ['kind', 'saleDescription', 'reason', 'refundKind', 'saleDate'],
  Lead: ['leadName'],
  Layer: [],
  Rate: ['rate'],
  'Calculated on': ['baseAmount'],
  Base: ['baseAmount'],
  Amount: ['amount'],
}
/** Acts and their changes are words on the screen and names in the file. */
const activity: Heads = { What: [], Changes: [], Who: [], Network: ['network'], When: ['at'] }
const deliveries: Heads = {
  Event: ['event'],
  Result: ['state'],
  Code: ['code'],
  Time: ['createdAt'],
  Attempts: ['attempts'],
  'Next try': ['nextAttemptAt'],
}

/** Every list that has pages: its address, its table, and what it is narrowed to with which column left out. */
const lists: [who: RoleName, path: string, table: string, heads: Heads, narrowed: string][] = [
  ['owner', '/partners', 'Partners', partners, 'sort=name&state=active&hide=referralCode'],
  ['owner', '/partners/{partner}?tab=sub-partners', 'Sub-partners', partners, 'sort=name&state=invited&hide=state'],
  ['owner', '/partners/{partner}?tab=leads', 'Leads', ofPartner, 'sort=createdAt&status=new&hide=salesRevenue'],
  ['owner', '/partners/{partner}?tab=commissions', 'Commissions', commissions, 'sort=amount&kind=earned&hide=rate'],
  ['owner', '/partners/{partner}?tab=payouts', 'Payouts', ownPayouts, 'sort=amount&hide=periodStart'],
  ['owner', '/partners/{partner}?tab=activity', 'Jane Whitfield: Activity', activity, 'sort=createdAt&hide=network'],
  ['owner', '/leads', 'Leads', leads, 'sort=name&source=manual&hide=partnerName,createdAt'],
  [
    'owner',
    '/leads?tab=sales',
    'Leads: Sales',
    {
      Date: ['day'],
      Kind: ['kind'],
      Lead: ['leadName'],
      Partner: ['partnerName'],
      // 'Added by hand'
      Source: [],
      Status: ['status', 'onHold'],
      Amount: ['amount'],
      Commission: ['share'],
      Profit: ['profit'],
    },
    'sort=day&kind=refund&hide=profit',
  ],
  [
    'owner',
    '/leads?tab=unattributed',
    'Leads: Unattributed sales',
    {
      Lead: ['leadName'],
      'Sale date': ['saleDate'],
      Source: [],
      Provider: [],
      'External ID': ['externalId'],
      Status: ['status'],
      Amount: ['amount'],
      Attribute: [],
    },
    'sort=amount&hide=externalId',
  ],
  [
    'owner',
    '/links',
    'Links',
    {
      Name: ['name'],
      Destination: ['destinationUrl'],
      Window: ['cookieDays'],
      Clicks: ['clicks'],
      Leads: ['leads'],
      Sales: ['sales'],
      Enabled: ['enabled'],
    },
    'sort=-name&search=spring&hide=cookieDays',
  ],
  [
    'owner',
    '/links/{link}',
    'Links by partner',
    { Partner: ['displayName'], Link: ['shortUrl'], Clicks: ['clicks'], Leads: ['leads'], Sales: ['sales'] },
    'sort=name&hide=clicks',
  ],
  [
    'owner',
    '/payouts',
    'Payouts: Upcoming',
    {
      Partner: ['partnerName'],
      Held: ['held'],
      Due: ['due'],
      'On hold': ['onHold'],
      'Next payout': ['nextPayoutDate'],
      Reason: [],
    },
    'sort=due&hide=held',
  ],
  ['owner', '/payouts?tab=needs-action', 'Payouts: Needs action', payouts, 'sort=amount&hide=method'],
  [
    'owner',
    '/payouts?tab=year-report',
    'Payouts: Year report',
    {
      Partner: ['partnerName'],
      'Paid in the year': ['paid'],
      Paid: ['paid'],
      Method: ['method'],
      Approved: ['approved'],
      'Tax form': ['taxFormKind', 'taxFormReceivedOn', 'taxFormExpired'],
      'Over threshold': ['overThreshold'],
    },
    'sort=name&approved=true&hide=paid',
  ],
  ['owner', '/payouts/{payout}', 'Entries', entries, 'hide=baseAmount'],
  [
    'owner',
    '/account/settings?tab=activity',
    'Settings: Activity',
    activity,
    'sort=createdAt&action=lead&hide=network',
  ],
  ['owner', '/integrations/outgoing-webhooks/{webhook}', 'Deliveries', deliveries, 'sort=createdAt&hide=code'],
  [
    'owner',
    '/integrations/incoming-webhooks/{incoming}',
    'Deliveries',
    { Time: ['receivedAt'], Result: ['state'], Reason: ['reason'], Created: ['madeType', 'madeId'], Made: [] },
    'hide=reason',
  ],
  ['partner', '/partners', 'Partners', partners, 'sort=name&state=invited&hide=invitationStatus'],
  ['partner', '/leads', 'Leads', leads, 'sort=createdAt&status=new&hide=numberOfSales'],
  ['partner', '/partners/{partner}?tab=leads', 'Leads', ofPartner, 'status=new&hide=createdAt'],
  ['partner', '/partners/{partner}?tab=commissions', 'Commissions', commissions, 'sort=amount&kind=earned&hide=layer'],
  ['partner', '/partners/{partner}?tab=payouts', 'Payouts', ownPayouts, 'sort=amount&hide=status'],
  ['partner', '/payouts/{payout}', 'Entries', entries, 'hide=rate'],
  [
    'administrator',
    '/admin/accounts',
    'Accounts',
    {
      Account: ['displayName'],
      Owner: ['ownerEmail'],
      Status: ['disabledAt'],
      Partners: ['numberOfPartners'],
      Sales: ['numberOfSales'],
      Created: ['createdAt'],
    },
    'sort=name&status=enabled&hide=owner',
  ],
  [
    'administrator',
    '/admin/mail',
    'Mail: Log',
    { To: ['email'], Subject: ['subject', 'title'], State: ['state'], Tries: ['tries'], Time: ['createdAt'] },
    'sort=createdAt&state=kept&hide=tries',
  ],
]

for (const who of ['owner', 'partner', 'administrator'] as const)
  test(`the file of each list of ${who} is its table: columns, order, filter and every cell`, async ({
    browser,
    populated,
    complaints,
  }) => {
    test.setTimeout(240_000)
    const timeZone = 'UTC'
    const options = { viewport: { width: 1440, height: 900 }, timezoneId: timeZone }
    const page = await signedInPage(browser, populated.site, populated[who], complaints, options)
    await page.goto(populated.site.url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const [, path, table, heads, narrowed] of lists.filter(([role]) => role === who))
      for (const query of ['', narrowed]) {
        const place = path.replace(/\{(\w+)\}/g, (_, name: string) => populated.things[name]!)
        const address = query ? `${place}${place.includes('?') ? '&' : '?'}${query}` : place
        await test.step(`${path} ${query}`, async () => {
          await reopen(page, address)
          const shown = await shownOn(page, table)
          const file = await downloaded(page)
          expectSame(shown, file, heads, timeZone)
          const hidden = /hide=([^&]*)/.exec(query)?.[1]?.split(',') ?? []
          expect(file.header.filter((name) => hidden.includes(name))).toEqual([])
          // to a partner nothing is told that the table does not show
          if (who === 'partner')
            expect(file.header).toEqual(
              file.header.filter(
                (name) =>
                  ['id', 'currency'].includes(name) || Object.values(heads).flat().includes(name) || name === 'layer',
              ),
            )
        })
      }
    expect(complaints).toEqual([])
  })

const ROWS = 53

/** By the address it is asked for with, the columns that hold what the first cell shows. */
const long: [path: string, table: string, columns: string[], rows: number][] = [
  ['/partners?sort=name&search=row', 'Partners', ['firstName', 'lastName'], ROWS],
  ['/leads?sort=-createdAt&source=manual', 'Leads', ['company'], ROWS],
  ['/links?sort=-name', 'Links', ['name'], ROWS],
  ['/payouts', 'Payouts: Upcoming', ['partnerName'], 1],
]

test('a file has all pages, and nothing in it is a formula', async ({ page, site }) => {
  test.setTimeout(120_000)
  const owner = await anOwner(site)
  const post = async (path: string, body: object) => ok(await site.api('POST', path, { token: owner.token, body })).body
  for (let at = 1; at <= ROWS; at++) {
    // what a spreadsheet would reckon, and what breaks a line of a file
    const name = ['=1+1', 'Row "quoted", and', 'Row,', '@row 😀', 'Row'][at % 5]!
    const email = `row-${at}@rows.example`
    await post(`/accounts/${owner.id}/partners`, { firstName: name, lastName: `row ${at}`, email })
    await post(`/accounts/${owner.id}/leads`, { company: `${name} ${at}`, email })
    await post(`/accounts/${owner.id}/link-blueprints`, {
      name: `${name} ${at}`,
      destinationUrl: 'https://shop.example.com',
    })
  }
  const jane = await aPartnerOf(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  await post(`/partners/${jane.id}/adjustments`, { amount: 5_00, reason: 'Agreed' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page, site, owner, '/dashboard')
  for (const [path, table, columns, count] of long) {
    await reopen(page, path)
    const shown: string[] = []
    for (;;) {
      const rows = page.getByRole('table', { name: table, exact: true }).locator('tbody tr')
      shown.push(...(await rows.getByRole('rowheader').getByRole('link').allInnerTexts()))
      const next = page.getByRole('button', { name: 'Next', exact: true })
      if ((await next.count()) === 0 || (await next.isDisabled())) break
      await next.click()
      await expect(next).toBeDisabled()
      await atRest(page)
    }
    expect(shown, path).toHaveLength(count)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    expect(
      rows.map((row) => columns.map((column) => row[column]?.replace(/^'(?=[=@])/, '')).join(' ')),
      path,
    ).toEqual(shown)
    // nothing in it is a formula
    for (const row of rows) for (const value of Object.values(row)) expect(value).not.toMatch(/^[=@]/)
  }
})

test('a download says how far it is, is begun once, goes on elsewhere and can be canceled; why it failed is said', async ({
  page,
  site,
}) => {
  const owner = await anOwner(site)
  await aPartnerOf(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  await enter(page, site, owner, '/partners')
  let asked = 0
  const held = Promise.withResolvers<void>()
  await page.route('**/partners/csv*', async (route) => {
    asked++
    await held.promise
    await route.continue().catch(() => undefined)
  })
  const actions = page.getByRole('group', { name: 'Page actions' })
  const button = actions.getByRole('button', { name: 'Download CSV' })
  const progress = actions.getByRole('progressbar', { name: 'Download CSV' })

  await button.focus()
  await button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
  await expect(progress).toHaveAttribute('aria-valuetext', '0 of 1')
  await expect(actions.getByRole('button', { name: 'Please wait...' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Tab')
  await expect(actions.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Download canceled')).toBeVisible()
  await expect(button).toBeFocused()
  expect(asked).toBe(1)

  await button.click()
  await progress.waitFor()
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: 'Links' }).click()
  await expect(menu.getByRole('link', { name: '1 running' })).toHaveAttribute('href', '/partners')
  await menu.getByRole('link', { name: '1 running' }).click()
  await progress.waitFor()
  const download = page.waitForEvent('download')
  held.resolve()
  const rows: object[] = parse(await readFile(await (await download).path(), 'utf8'), { columns: true, bom: true })
  expect(rows).toHaveLength(1)
  await expect(progress).toHaveCount(0)
  await expect(menu.getByRole('link', { name: '1 running' })).toHaveCount(0)
  expect(asked).toBe(2)

  await page.unroute('**/partners/csv*')
  await page.route('**/partners/csv*', (route) => route.abort())
  await button.click()
  await expect(page.getByRole('alert')).toContainText('connection')
  await expect(button).toBeEnabled()
})
