import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { endpoints } from '#contract/index.ts'
import { activityWords } from '../../web/words/activity.ts'
import { badgeWords } from '../../web/words/badges.ts'
import { expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  aSignedUpPayee,
  atRest,
  expectAccessibleInBothThemes,
  openAs,
  reopenScreen,
  type Site,
  signedInPage,
  visitPath,
} from '../support/journey.ts'
import { aBlueprint } from '../support/links.ts'
import * as cell from '../support/list-files.ts'
import {
  combineCells,
  differingCell,
  expectSame,
  type Heads,
  inWords,
  pressDownload,
  readDownload,
  readUnguarded,
  shownOn,
} from '../support/list-files.ts'
import type { RoleName } from '../support/screens.ts'
import { notCompared } from '../support/sweep.ts'
import { expect, test } from '../support/test.ts'

// A list's file has the contents of its pages, read back as a spreadsheet reads it. The text of each cell is rebuilt
// from the columns of the file, letter by letter; a difference between file and screen is explained here.

const { count, day, dayWithAmount, moment, money, oneOf, percent, state, text, yesOrNo } = cell
const enabled = combineCells(
  ['name', 'enabled'],
  (row) => `${readUnguarded(row, 'name')} ${row.enabled === 'true' ? 'Enabled' : 'Disabled'}`,
)
const layer = combineCells(['layer'], ({ layer }) => (layer === '' ? '–' : String(Number(layer) + 1)))
const payoutNumber = combineCells(['statementNumber'], (row) => `PO-${row.statementNumber}`)
const reason = differingCell(
  'the file has the codes of what blocks it, the screen a sentence for its reader',
  'blockers',
)
const provider = oneOf({
  manual: 'Added manually',
  api: 'Push data',
  'incoming-webhook': 'Incoming webhook',
  import: 'Import',
  stripe: 'Stripe',
})('provider')

const partners: Heads = {
  Name: combineCells(
    ['firstName', 'lastName'],
    (row) => `${readUnguarded(row, 'firstName')} ${readUnguarded(row, 'lastName')}`,
  ),
  Code: text('referralCode'),
  Status: combineCells(['state', 'invitationStatus'], ({ state = '', invitationStatus = '' }) =>
    [state, invitationStatus === 'accepted' ? '' : invitationStatus].filter(Boolean).map(inWords).join(' '),
  ),
  'Sub-partners': count('numberOfPartners'),
  Leads: count('numberOfLeads'),
  Sales: count('numberOfSales'),
  Revenue: money('salesRevenue'),
  Commission: money('salesRevenueShare'),
  'Balance due': money('balanceDue'),
  'Approved this year': yesOrNo('approvedForPayouts'),
}
const leads: Heads = {
  // below the name is the first of the other columns that differs from it
  Lead: combineCells(['displayName', 'company', 'email', 'phone'], (row) => {
    const [name = '', ...others] = ['displayName', 'company', 'email', 'phone'].map((column) =>
      readUnguarded(row, column),
    )
    return [name, others.find((other) => other && other !== name)].filter(Boolean).join(' ')
  }),
  Partner: text('partnerName', 'Unattributed'),
  Status: combineCells(['status', 'selfReferral'], ({ status = '', selfReferral = '' }) => {
    const flags: Record<string, string> = { flag: 'flagged', hold: 'on hold', refuse: 'commission refused' }
    return selfReferral ? `${inWords(status)} Self-referral: ${flags[selfReferral]}` : inWords(status)
  }),
  Sales: count('numberOfSales'),
  Revenue: money('salesRevenue'),
  Commission: money('salesRevenueShare'),
  Created: day('createdAt'),
}
/** Without the second line of the name cell. */
const ofPartner: Heads = {
  ...leads,
  Lead: text('displayName'),
  Status: state('status'),
  'Revenue share': money('salesRevenueShare'),
  Commission: money('salesRevenueShare'),
}
/** Contact details are masked for a partner. */
const ownLeads: Heads = { ...leads, Lead: { ...leads.Lead!, masked: /\S*•••\S*/ } }

/** Returns an entry's name on the screen, derived from its kind, sale and refund. */
function entryName(row: Record<string, string>) {
  const { kind, saleDate, refundKind } = row
  const description = readUnguarded(row, 'saleDescription')
  const date = saleDate && cell.findFirstDay(row, 'saleDate')
  const sale = description || (date ? `the sale on ${date}` : 'the sale')
  if (kind === 'adjustment' || kind === 'bonus') return `${inWords(kind)}: ${readUnguarded(row, 'reason') || '–'}`
  if (kind === 'restoration') return `Restored: ${sale}`
  if (kind !== 'reversal') return description || (date ? `Sale on ${date}` : 'Sale')
  return `${refundKind ? inWords(refundKind) : 'Reversal'} of ${sale}`
}
const leadOfEntry = combineCells(['leadName'], (row) => {
  const ofNoSale = row.kind === 'adjustment' || row.kind === 'bonus'
  return ofNoSale ? '–' : readUnguarded(row, 'leadName') || 'Another partner’s lead'
})
const held = ['holdUntil', 'holdReason'] as const
/** Why and until when a commission is on hold. */
const whyHeld = ({ holdUntil, holdReason }: Record<string, string | undefined>) =>
  (holdReason ? ` ${holdReason.replace(/\.$/, '')}` : '') +
  (holdUntil ? `, until ${cell.findFirstDay({ holdUntil }, 'holdUntil')}` : '')

const commissions: Heads = {
  Booked: day('createdAt'),
  Sale: combineCells(['kind', 'saleDescription', 'saleDate', 'reason', 'refundKind'], entryName),
  Lead: leadOfEntry,
  Status: combineCells(['status', ...held], (row) => inWords(row.status ?? '') + whyHeld(row)),
  Due: day('availableAt'),
  Layer: layer,
  Rate: percent('rate'),
  'Calculated on': money('baseAmount'),
  Amount: money('amount'),
}
const ownPayouts: Heads = {
  Payout: payoutNumber,
  Status: state('status'),
  Period: combineCells(['periodStart', 'periodEnd'], (row) => {
    const [from, to] = [cell.findFirstDay(row, 'periodStart'), cell.findFirstDay(row, 'periodEnd')]
    return from === to ? from : `${from} – ${to}`
  }),
  'Paid on': day('paidOn'),
  Amount: money('amount'),
  'Download PDF': differingCell('its button'),
}
const payouts: Heads = {
  Payout: payoutNumber,
  Partner: text('partnerName'),
  Amount: money('amount'),
  Status: state('status'),
  Method: oneOf({ wise: 'Wise', manual: 'Manual', csv: 'Wise batch' })('method'),
  'Due date': day('createdAt'),
  Reason: reason,
}
const entries: Heads = {
  Date: combineCells(['saleDate', 'refundAt', 'createdAt'], (row) =>
    cell.findFirstDay(row, 'refundAt', ...(row.kind === 'earned' ? ['saleDate'] : []), 'createdAt'),
  ),
  Sale: combineCells(['kind', 'saleDescription', 'reason', 'refundKind'], entryName),
  Lead: leadOfEntry,
  Layer: layer,
  Rate: percent('rate'),
  'Calculated on': money('baseAmount'),
  Amount: money('amount'),
}
const acts: Record<string, Record<string, string>> = activityWords.acts
/** Words of an action: 'partner.created' is 'Partner added'. */
function actIn({ action = '' }: Record<string, string>) {
  const [of = '', act = ''] = action.split('.')
  return acts[of]![act]!
}
const actors: Record<string, string> = { 'api-key': 'API key', system: 'Tributary', user: 'Former user' }
const activity: Heads = {
  What: combineCells(['action', 'subjectName'], (row) => `${actIn(row)} ${readUnguarded(row, 'subjectName')}`),
  Changes: differingCell('the file has them as JSON with the names of the interface, the screen in words', 'changes'),
  Who: combineCells(['actorType', 'actorName'], (row) => readUnguarded(row, 'actorName') || actors[row.actorType!]!),
  Network: text('network'),
  When: moment('at'),
}
/** The activity of one object, whose name is the page's heading. */
const itsActivity: Heads = { ...activity, What: combineCells(['action'], actIn) }
const deliveries: Heads = {
  Event: text('event'),
  Result: state('state'),
  Code: count('code'),
  Time: moment('createdAt'),
  Attempts: count('attempts'),
  'Next try': moment('nextAttemptAt'),
}

/** Every list that has pages: its address, its table, and a query that narrows it and hides a column. */
const lists: [who: RoleName, path: string, table: string, heads: Heads, narrowed: string][] = [
  ['owner', '/partners', 'Partners', partners, 'sort=name&state=active&hide=referralCode'],
  ['owner', '/partners/{partner}?tab=sub-partners', 'Sub-partners', partners, 'sort=name&state=invited&hide=state'],
  ['owner', '/partners/{partner}?tab=leads', 'Leads', ofPartner, 'sort=createdAt&status=new&hide=salesRevenue'],
  ['owner', '/partners/{partner}?tab=commissions', 'Commissions', commissions, 'sort=amount&kind=earned&hide=rate'],
  ['owner', '/partners/{partner}?tab=payouts', 'Payouts', ownPayouts, 'sort=amount&hide=periodStart'],
  ['owner', '/partners/{partner}?tab=activity', '{name}: Activity', itsActivity, 'sort=createdAt&hide=network'],
  ['owner', '/leads', 'Leads', leads, 'sort=name&source=manual&hide=partnerName,createdAt'],
  [
    'owner',
    '/leads?tab=sales',
    'Leads: Sales',
    {
      Date: day('day'),
      Kind: oneOf({ sale: 'Sale', refund: 'Refund', dispute: 'Dispute', restoration: 'Restored', void: 'Void' })(
        'kind',
      ),
      Lead: text('leadName'),
      Partner: text('partnerName', 'Unattributed'),
      Source: provider,
      Status: combineCells(['status', 'onHold'], ({ status, onHold }) =>
        onHold === 'true' && status !== 'disputed' ? 'On hold' : inWords(status ?? ''),
      ),
      Amount: money('amount'),
      Commission: money('share'),
      Profit: money('profit'),
    },
    'sort=day&kind=refund&hide=profit',
  ],
  [
    'owner',
    '/leads?tab=unattributed',
    'Leads: Unattributed sales',
    {
      Payer: combineCells(
        ['payerEmail', 'leadName', 'providerCustomerId'],
        ({ payerEmail, leadName, providerCustomerId }) => payerEmail || leadName || providerCustomerId || 'No lead',
      ),
      Amount: money('amount'),
      'Sale date': day('saleDate'),
      'Likely partner': differingCell('the file has no suggestions'),
      Source: provider,
      'External ID': text('externalId'),
      Status: state('status'),
      Action: differingCell('its button'),
    },
    'sort=amount&hide=externalId',
  ],
  [
    'owner',
    '/partners?tab=groups',
    'Partners: Groups',
    {
      Group: text('name'),
      Terms: differingCell('the screen says all terms in one sentence, the file has the number of rules'),
      Partners: count('partners'),
    },
    'search=default&hide=partners',
  ],
  [
    'owner',
    '/partners?tab=applications',
    'Partners: Applications',
    {
      Applicant: combineCells(['firstName', 'lastName', 'email'], (row) =>
        [readUnguarded(row, 'firstName'), readUnguarded(row, 'lastName')].join(' '),
      ),
      Applied: day('appliedAt'),
      Age: differingCell('it is counted from the moment of reading'),
      Flags: combineCells(
        ['flags'],
        ({ flags = '[]' }) => (JSON.parse(flags) as string[]).map(inWords).join(' ') || '–',
      ),
      'Recruited by': text('parentPartnerName'),
      Status: state('status'),
    },
    'sort=appliedAt&status=rejected&hide=flags',
  ],
  [
    'owner',
    '/partners?tab=announcements',
    'Partners: Announcements',
    {
      Subject: combineCells(['subject', 'body'], (row) => readUnguarded(row, 'subject')),
      Sent: day('createdAt'),
      By: text('sentBy'),
      Recipients: count('recipients'),
      Emailed: count('mailed'),
      Unsubscribed: count('turnedOff'),
      Failed: count('failed'),
    },
    'sort=createdAt&hide=failed',
  ],
  [
    'owner',
    '/links',
    'Links',
    {
      Name: text('name'),
      Destination: combineCells(['destinationUrl'], (row) =>
        readUnguarded(row, 'destinationUrl').replace(/^https:\/\//, ''),
      ),
      Window: combineCells(['cookieDays'], ({ cookieDays }) => `${cookieDays} day${cookieDays === '1' ? '' : 's'}`),
      Clicks: count('clicks'),
      Leads: count('leads'),
      Sales: count('sales'),
      Enabled: enabled,
    },
    'sort=-name&search=spring&hide=cookieDays',
  ],
  [
    'owner',
    '/links/{link}',
    'Links by partner',
    {
      Partner: text('displayName'),
      // in two parts, so that the code is never cut off, and followed by a button
      Link: combineCells(
        ['shortUrl'],
        ({ shortUrl = '' }) => `${shortUrl.replace(/^https?:\/\//, '').replace(/[^/]*$/, ' $&')} Copy`,
      ),
      Clicks: count('clicks'),
      Leads: count('leads'),
      Sales: count('sales'),
    },
    'sort=name&hide=clicks',
  ],
  [
    'owner',
    '/payouts',
    'Payouts: Upcoming',
    {
      Partner: text('partnerName'),
      Held: money('held'),
      Due: money('due'),
      'On hold': money('onHold'),
      'Next payout': dayWithAmount('payday', 'amount'),
      Reason: reason,
    },
    'sort=due&hide=held',
  ],
  [
    'owner',
    '/payouts?tab=needs-action',
    'Payouts: Needs action',
    { ...payouts, 'Next step': differingCell('its buttons') },
    'sort=amount&hide=method',
  ],
  [
    'owner',
    '/payouts?tab=books',
    'Payouts: Books',
    { Partner: text('partnerName'), Owed: money('owed'), Due: money('due'), 'Not yet due': money('later') },
    'sort=name&hide=later',
  ],
  [
    'owner',
    '/payouts?tab=year-report',
    'Payouts: Year report',
    {
      Partner: text('partnerName'),
      'Paid in the year': money('paid'),
      Paid: money('paid'),
      Reportable: money('reportable'),
      Method: oneOf({ wise: 'Wise', manual: 'Manual', csv: 'Wise batch', several: 'Several' })('method'),
      Approved: yesOrNo('approved'),
      'Tax form': combineCells(['taxFormKind', 'taxFormReceivedOn', 'taxFormExpired'], (row) => {
        if (!row.taxFormKind) return row.overThreshold === 'true' ? 'Missing' : 'No form'
        const form = `${row.taxFormKind.toUpperCase()}, ${cell.findFirstDay(row, 'taxFormReceivedOn')}`
        return row.taxFormExpired === 'true' ? `${form} Expired` : form
      }),
      'Over threshold': yesOrNo('overThreshold'),
    },
    'sort=name&approved=true&hide=paid',
  ],
  [
    'owner',
    '/payouts?tab=commissions',
    'Payouts: Commissions',
    {
      Date: entries.Date!,
      Sale: entries.Sale!,
      Partner: text('partnerName'),
      Layer: layer,
      Rate: percent('rate'),
      Amount: money('amount'),
      Status: commissions.Status!,
      Due: day('availableAt'),
    },
    'sort=createdAt&kind=earned&hide=rate',
  ],
  ['owner', '/payouts/{payout}', 'Entries', entries, 'hide=baseAmount'],
  [
    'owner',
    '/account/settings?tab=activity',
    'Settings: Activity',
    activity,
    'sort=createdAt&action=lead&hide=network',
  ],
  [
    'owner',
    '/account/settings?tab=people',
    'Settings: People',
    {
      Name: combineCells(['firstName', 'lastName'], ({ firstName, lastName }) => `${firstName} ${lastName}`),
      Email: text('email'),
      Role: oneOf({ owner: 'Owner', manager: 'Manager', finance: 'Finance', viewer: 'Viewer' })('role'),
      'Second Factor': oneOf({ true: 'On', false: 'Off' })('secondFactor'),
      'Last seen': day('lastSeenOn'),
      Status: state('status'),
    },
    'sort=-role&role=owner&hide=email',
  ],
  ['owner', '/integrations/outgoing-webhooks/{webhook}', 'Deliveries', deliveries, 'sort=createdAt&hide=code'],
  [
    'owner',
    '/integrations/incoming-webhooks/{incoming}',
    'Deliveries',
    {
      Time: moment('receivedAt'),
      Result: state('state'),
      Reason: text('reason'),
      // the id is the target of its link
      Created: combineCells(['madeType', 'madeId'], ({ madeType }) => (madeType ? inWords(madeType) : '–')),
    },
    'hide=reason',
  ],
  [
    'owner',
    '/integrations/outgoing-webhooks',
    'Outgoing Webhooks',
    {
      Name: text('name'),
      URL: text('url'),
      Events: combineCells(['events'], ({ events = '[]' }) => {
        const chosen: string[] = JSON.parse(events)
        return chosen.includes('*') ? 'All events' : `${chosen.length} event${chosen.length === 1 ? '' : 's'}`
      }),
      Health: combineCells(['consecutiveFailures', 'disabledReason'], (row) => {
        if (row.enabled === 'false') return 'Turned off'
        return row.consecutiveFailures === '0' ? (row.lastDeliveryAt ? 'Working' : 'Unused') : 'Failing'
      }),
      'Last delivery': moment('lastDeliveryAt'),
      Enabled: enabled,
    },
    'sort=-name&hide=url',
  ],
  [
    'owner',
    '/integrations/incoming-webhooks',
    'Incoming Webhooks',
    {
      Name: text('name'),
      Sender: text('sender', 'Another system'),
      Status: state('state'),
      'Last received': moment('lastReceivedAt'),
      'Last 24 hours': combineCells(
        ['countsProcessed', 'countsFailed'],
        ({ countsProcessed, countsFailed }) => `${countsProcessed} ok, ${countsFailed} failed`,
      ),
      Enabled: enabled,
    },
    'sort=-name&hide=state',
  ],
  [
    'owner',
    '/integrations/payment-providers/{connection}/events',
    'Events',
    { Event: text('type'), Result: state('state'), Reason: text('reason'), Received: moment('receivedAt') },
    'state=ignored&hide=reason',
  ],
  [
    'owner',
    '/account/settings',
    'Exchange Rates',
    {
      Currency: combineCells(['currency'], ({ currency = '' }) => currency.toUpperCase()),
      Date: day('date'),
      Rate: combineCells(['rate'], ({ rate = '' }) => rate),
      Source: oneOf({ entered: 'Entered manually' })('source'),
    },
    'sort=date&hide=rate',
  ],
  [
    'owner',
    '/account/settings?tab=data',
    'Settings: Erased people',
    {
      Date: day('at'),
      By: combineCells(['by'], (row) => readUnguarded(row, 'by') || 'Retention'),
      What: combineCells(
        ['subjectType', 'subjectId'],
        ({ subjectType = '', subjectId }) => `${inWords(subjectType)} ${subjectId}`,
      ),
      'Records until': day('recordsUntil'),
      'In backups until': day('backupsUntil'),
    },
    'sort=createdAt&hide=by',
  ],
  ['partner', '/partners', 'Partners', partners, 'sort=name&state=invited&hide=numberOfLeads'],
  ['partner', '/leads', 'Leads', ownLeads, 'sort=createdAt&status=new&hide=numberOfSales'],
  ['partner', '/partners/{partner}?tab=leads', 'Leads', ofPartner, 'status=new&hide=createdAt'],
  ['partner', '/partners/{partner}?tab=commissions', 'Commissions', commissions, 'sort=amount&kind=earned&hide=layer'],
  ['partner', '/partners/{partner}?tab=payouts', 'Payouts', ownPayouts, 'sort=amount&hide=status'],
  ['partner', '/partner/payouts/{payout}', 'Entries', entries, 'hide=rate'],
  [
    'administrator',
    '/admin/accounts',
    'Accounts',
    {
      Account: text('displayName', '(Anonymous account)'),
      Owner: text('ownerEmail', 'No owner Assign owner'),
      Status: combineCells(['disabledAt'], ({ disabledAt }) => (disabledAt ? 'Disabled' : 'Enabled')),
      Partners: count('numberOfPartners'),
      Sales: count('numberOfSales'),
      Created: day('createdAt'),
    },
    'sort=name&status=enabled&hide=owner',
  ],
  [
    'administrator',
    '/admin/mail',
    'Email: Log',
    {
      To: text('email'),
      Subject: combineCells(
        ['subject', 'title'],
        (row) => `${readUnguarded(row, 'subject')} ${readUnguarded(row, 'title')}`,
      ),
      Status: oneOf(badgeWords.mail)('state'),
      Tries: count('attempts'),
      Time: moment('createdAt'),
    },
    'sort=createdAt&state=kept&hide=attempts',
  ],
]

/**
 * CSV downloads not compared here. No account has `downloadParked`; `system.spec.ts` compares it, and `invoices.spec.ts`
 * the files of invoices. The ten newest payment files are a short table beside 'Needs action'.
 */
const elsewhere = [
  'downloadParked',
  'downloadInvoices',
  'downloadPartnerInvoices',
  'downloadPaymentFiles',
  ...notCompared,
  // by API alone: they have no screen, or a short list without a button
  ...[
    'downloadBulkActions',
    'downloadConnections',
    'downloadImports',
    'downloadLeadEvents',
    'downloadLeadSales',
    // an administrator's page has people without a button; the owner's file is compared
    'downloadMembers',
    'downloadPartnerMembers',
  ],
  ...['downloadAccountTerms', 'downloadGroupTerms', 'downloadLinkTerms', 'downloadPartnerTerms'],
  ...['downloadLeadSubmissions', 'downloadPartnerLinks', 'downloadPushRequests'],
  ...['downloadSaleCommissions', 'downloadLeadCommissions'],
]

type List = (typeof lists)[number]
/** The contract's names of the roles. */
const called = { owner: 'owner', partner: 'partner', administrator: 'admin' } as const
const wide = { viewport: { width: 1440, height: 900 }, timezoneId: 'UTC' }

const placed = (text: string, things: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => things[name]!)

/** Opens a list with this query, and compares all its pages with its file, which is downloaded after `look`. */
async function expectFile(
  page: Page,
  [who, path, table, heads]: List,
  things: Record<string, string>,
  { query = '', look }: { query?: string; look?: () => Promise<void> } = {},
) {
  const place = placed(path, things)
  const address = query ? `${place}${path.includes('?') ? '&' : '?'}${query}` : place
  return test.step(`${path} ${query}`, async () => {
    await reopenScreen(page, address)
    await look?.()
    const shown = await shownOn(page, placed(table, things))
    // a part of a page with a single row offers no file
    if (shown.rows.length === 1 && !query && (await page.getByRole('button', { name: 'Columns' }).count()) === 0)
      return { header: [], rows: [], path: '' }
    const file = await readDownload(page)
    expectSame(shown, file, heads)
    const hidden = /hide=([^&]*)/.exec(query)?.[1]?.split(',') ?? []
    expect(file.header.filter((name) => hidden.includes(name))).toEqual([])
    // a partner's file has only what the table shows
    const allowed = ['id', 'currency', ...shown.heads.flatMap((head) => heads[head]!.from)]
    if (who === 'partner') expect(file.header.filter((name) => !allowed.includes(name))).toEqual([])
    return file
  })
}

/** Runs in the page: returns React's object for the table and each row; it changes when they are drawn again. */
function drawn(table: Element) {
  const given = (element: Element) => {
    const key = Object.keys(element).find((name) => name.startsWith('__reactProps$'))
    return (element as unknown as Record<string, unknown>)[key as string]
  }
  return [table, ...table.querySelectorAll('tbody tr:not(:has([scope=rowgroup]))')].map(given)
}

/** Returns how many rows of the open list are drawn again when the address changes but the list is the same. */
async function rowsDrawnAgain(page: Page, [, path, name]: List, things: Record<string, string>) {
  const table = page.getByRole('table', { name: placed(name, things), exact: true })
  const before = await table.evaluateHandle(drawn)
  const address = placed(path, things)
  await visitPath(page, `${address}${address.includes('?') ? '&' : '?'}unknown=true`)
  await atRest(page)
  const after = await table.evaluateHandle(drawn)
  const counts = await page.evaluate(
    ([one, other]) => {
      const [head, ...rows] = one!.map((given, at) => given !== other![at])
      return { isDrawn: head, rows: rows.length, again: rows.filter(Boolean).length }
    },
    [before, after] as const,
  )
  expect(counts, path).toMatchObject({ isDrawn: true })
  expect(counts.rows, path).toBeGreaterThan(0)
  return counts.again
}

for (const who of ['owner', 'partner', 'administrator'] as const)
  test(`the file of each list of ${who} is its table: columns, order, filter and every cell; no row is drawn again that has not changed`, async ({
    browser,
    populated,
    complaints,
  }) => {
    test.setTimeout(240_000)
    const page = await signedInPage(browser, populated.site, populated[who], complaints, wide)
    await page.goto(populated.site.url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const things = { ...populated.things, name: 'Jane Whitfield' }
    const requests = new Set<string>()
    page.on('request', (request) => requests.add(new URL(request.url()).pathname.replace('/api/v1', '')))
    const again: string[] = []
    for (const list of lists.filter(([role]) => role === who)) {
      const look = async () => {
        if ((await rowsDrawnAgain(page, list, things)) > 0) again.push(list[1])
      }
      await expectFile(page, list, things, { look })
      await expectFile(page, list, things, { query: list[4] })
    }
    expect(again).toEqual([])
    expect(complaints).toEqual([])
    const files = endpoints.filter(
      (one) => 'columnNames' in one && one.allow.includes(called[who]) && !elsewhere.includes(one.name),
    )
    const isAsked = (path: string) =>
      [...requests].some((one) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(one))
    expect(
      files.filter(({ path }) => !isAsked(path)).map(({ name }) => name),
      'files that nobody has compared',
    ).toEqual([])
  })

/** The largest amount accepted, in minor units. */
const MOST = 1_000_000_000_000
/** Names with line breaks, right-to-left text, four-byte characters or spreadsheet formulas. */
const names = [
  'שרה כהן',
  'نورا, "الريح"',
  '👩‍👩‍👧‍👦 𝒜da',
  '=1+1',
  '+44',
  '-2+3',
  '@SUM(A1:A9)',
  '\u200f=מחיר',
  '＝1',
  "'=1+1",
]

/** An account whose things have these names, with sales and corrections of the largest amounts. */
async function oddlyNamed(site: Site) {
  const owner = await anOwner(site, {
    defaultCommissionSettings: { layerRates: [20, 5] },
    payoutDelay: 0,
    invitationsFromPartners: true,
  })
  const of = `/accounts/${owner.id}`
  const post = async (path: string, body?: object) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  const first = await aSignedUpPayee(site, owner, { firstName: names[0], lastName: names[2] })
  const last = await aSignedUpPartner(site, owner, { firstName: names[5], lastName: names[3] })
  const link = await aBlueprint(site, owner, { name: names[6] })
  for (const [at, name] of names.entries()) {
    await post(`/partners/${first.id}/partners`, {
      firstName: name,
      lastName: 'x',
      email: `odd-${at}@partners.example`,
    })
    const applicant = { firstName: name, lastName: 'x', email: `odd-${at}@applicants.example`, emailConfirmed: true }
    await post(`${of}/applications`, applicant)
    // there are more names than announcements of a day
    if (at < 10) await post(`${of}/announcements`, { subject: name, body: `Hello ${name}` })
    const lead = await post(`${of}/leads`, {
      ...(at % 2 ? { firstName: name, lastName: name, company: names.at(-at) } : { company: name }),
      email: `odd-${at}@leads.example`,
      partnerId: (at % 3 ? first : last).id,
    })
    const sale = await post(`/leads/${lead.id}/sales`, {
      amount: MOST - at,
      description: name,
      externalId: `${name}${at}`,
    })
    if (at % 2) await post(`/sales/${sale.id}/refunds`, { amount: MOST - at - 1, reason: name })
    await aBlueprint(site, owner, { name: `${name} ${at}` })
    await post(`${of}/incoming-webhooks`, { name: `${name} ${at}`, target: 'lead-status' })
    const url = `https://hooks.example.com/${at}`
    await post(`${of}/outgoing-webhooks`, { name: `${name} ${at}`, url, events: at ? ['lead.created'] : ['*'] })
  }
  const nobodys = await post(`${of}/leads`, { firstName: names[1], email: 'odd@nobodys.example' })
  await post(`/leads/${nobodys.id}/sales`, { amount: MOST, externalId: names[4] })
  await post(`/partners/${last.id}/adjustments`, { amount: -MOST, reason: names[7] })
  await post(`${of}/payouts/refresh`)
  const { items } = expectOk(await site.api('GET', `/partners/${first.id}/payouts`, { token: owner.token })).body
  const things = { partner: first.id, link: link.id, payout: items[0].id, name: first.displayName }
  return { owner, partner: first, things, last }
}

let oddOnes: ReturnType<typeof oddlyNamed> | undefined
/** Tests only read it. */
const oddAccount = (site: Site) => (oddOnes ??= oddlyNamed(site))

test('right-to-left names, four-byte characters, formula-like names and the largest amounts are in the files unchanged', async ({
  browser,
  site,
  complaints,
}) => {
  test.setTimeout(240_000)
  const odd = await oddAccount(site)
  const all: string[] = []
  for (const who of ['owner', 'partner'] as const) {
    const page = await signedInPage(browser, site, odd[who], complaints, wide)
    await page.goto(site.url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // webhooks have no deliveries yet, no one was paid, no provider is connected, and all sales are in dollars
    const inOthers = /\{(webhook|incoming|connection)\}|tab=needs-action|tab=data|settings$/
    const own = lists.filter(([role, path]) => role === who && !inOthers.test(path))
    // corrections of the largest amounts are in another account
    const correction = own.find(([role, path]) => role === 'owner' && path.endsWith('tab=commissions'))
    const places: [List, Record<string, string>][] = own.map((list) => [list, odd.things])
    if (correction) places.push([correction, { ...odd.things, partner: odd.last.id }])
    for (const [list, things] of places) {
      const { rows } = await expectFile(page, list, things)
      all.push(...rows.flatMap((row) => Object.values(row)))
    }
    await page.context().close()
  }
  // nothing is missing; all but the first three could be formulas
  for (const [at, name] of names.entries()) expect(all).toContain(at < 3 ? name : `'${name}`)
  for (const amount of ['10000000000.00', '-10000000000.00', '-9999999999.98', '2000000000.00'])
    expect(all).toContain(amount)
  expect(complaints).toEqual([])
})

test('LibreOffice reads names as text and amounts as numbers, and calculates nothing', async ({ site }) => {
  test.skip(!hasLibreOffice(), 'LibreOffice is not installed here')
  test.setTimeout(180_000)
  const { owner, things } = await oddAccount(site)
  const folder = await mkdtemp(join(tmpdir(), 'tributary-sheets-'))
  const files = {
    partners: `/accounts/${owner.id}/partners/csv`,
    leads: `/accounts/${owner.id}/leads/csv`,
    lines: `/accounts/${owner.id}/revenue-lines/csv`,
    links: `/accounts/${owner.id}/link-blueprints/csv`,
    entries: `/partners/${things.partner}/commissions/csv`,
  }
  for (const [name, path] of Object.entries(files)) {
    const { body } = expectOk(await site.api('GET', path, { token: owner.token }))
    await writeFile(join(folder, `${name}.csv`), body)
  }
  const sources = Object.keys(files).map((name) => join(folder, `${name}.csv`))
  const profile = `-env:UserInstallation=file://${folder}/profile`
  // options of its import dialog: commas, quotation marks, UTF-8
  const reading = '--infilter=Text - txt - csv (StarCalc):44,34,76,1'
  const run = promisify(execFile)
  await run('soffice', [profile, '--headless', reading, '--convert-to', 'fods', '--outdir', folder, ...sources])
  for (const [name] of Object.entries(files)) {
    const sheet = await readFile(join(folder, `${name}.fods`), 'utf8')
    const source: Record<string, string>[] = parse(await readFile(join(folder, `${name}.csv`)), {
      columns: true,
      bom: true,
    })
    expect(sheet, name).not.toContain('table:formula')
    const [header = [], ...rows] = cellsOf(sheet)
    expect(
      header.map(({ text }) => text),
      name,
    ).toEqual(Object.keys(source[0]!))
    expect(rows, name).toHaveLength(source.length)
    for (const [at, row] of source.entries())
      for (const [place, [column, value]] of Object.entries(row).entries()) {
        const { type, text, number } = rows[at]![place] ?? { type: undefined, text: '', number: undefined }
        const what = `${column} of row ${at + 1} of ${name}`
        if (/^-?\d+(\.\d+)?$/.test(value) && column !== 'phone')
          expect([type, Number(number)], what).toEqual(['float', Number(value)])
        // its columns contain dates and truth values
        else if (value !== '' && !/^(true|false|\d{4}-\d\d-\d\d(T.*Z)?)$/.test(value))
          expect([type, text], what).toEqual(['string', value])
      }
  }
  await rm(folder, { recursive: true })
})

const hasLibreOffice = () => spawnSync('soffice', ['--version']).status === 0

type SheetCell = { type: string | undefined; text: string; number: string | undefined }

/** The cells of a sheet in LibreOffice's own flat XML, without the empty ones at the end of a row. */
function cellsOf(sheet: string): SheetCell[][] {
  const plain = (text: string) =>
    text
      .replace(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count = '1') => ' '.repeat(Number(count)))
      .replace(/<\/text:p>\s*<text:p[^>]*>/g, '\n')
      .replace(/<[^>]+>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&apos;/g, "'")
      .replace(/&amp;/g, '&')
  return [...sheet.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, marks = '', inside = '']) => {
        const mark = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(marks)?.[1]
        const cell = { type: mark('office:value-type'), text: plain(inside).trim(), number: mark('office:value') }
        return Array.from({ length: Math.min(100, Number(mark('table:number-columns-repeated') ?? 1)) }, () => cell)
      },
    ),
  )
}

const ROWS = 53

/** Lists by address, with the columns that the first cell shows. */
const long: [path: string, table: string, columns: string[], rows: number][] = [
  ['/partners?sort=name&search=row', 'Partners', ['firstName', 'lastName'], ROWS],
  ['/leads?sort=-createdAt&source=manual', 'Leads', ['company'], ROWS],
  ['/links?sort=-name', 'Links', ['name'], ROWS],
  ['/payouts', 'Payouts: Upcoming', ['partnerName'], 1],
]

test('a file has all pages, and no cell is a formula', async ({ page, site }) => {
  test.setTimeout(120_000)
  const owner = await anOwner(site)
  const post = async (path: string, body: object) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  for (let at = 1; at <= ROWS; at++) {
    // formulas for a spreadsheet, and characters that break a line of a file
    const name = ['=1+1', 'Row "quoted", and', 'Row,', '@row 😀', 'Row'][at % 5]!
    const email = `row-${at}@rows.example`
    await post(`/accounts/${owner.id}/partners`, { firstName: name, lastName: `row ${at}`, email })
    await post(`/accounts/${owner.id}/leads`, { company: `${name} ${at}`, email })
    await post(`/accounts/${owner.id}/link-blueprints`, {
      name: `${name} ${at}`,
      destinationUrl: 'https://shop.example.com',
    })
  }
  const jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  await post(`/partners/${jane.id}/adjustments`, { amount: 5_00, reason: 'Agreed' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await openAs(page, site, owner, '/dashboard')
  for (const [path, table, columns, count] of long) {
    await reopenScreen(page, path)
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
    await pressDownload(page)
    const text = await readFile(await (await download).path(), 'utf8')
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    expect(
      rows.map((row) => columns.map((column) => row[column]?.replace(/^'(?=[=@])/, '')).join(' ')),
      path,
    ).toEqual(shown)
    // no cell contains a formula
    for (const row of rows) for (const value of Object.values(row)) expect(value).not.toMatch(/^[=@]/)
  }
})

test('a download shows its progress, starts once, survives navigation, can be canceled, and explains its failure', async ({
  page,
  site,
}) => {
  const owner = await anOwner(site)
  await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  await openAs(page, site, owner, '/partners')
  let requests = 0
  const held = Promise.withResolvers<void>()
  await page.route('**/partners/csv*', async (route) => {
    requests++
    await held.promise
    await route.continue().catch(() => undefined)
  })
  const actions = page.getByRole('group', { name: 'Page actions' })
  const button = actions.getByRole('button', { name: 'Download CSV' })
  const progress = actions.getByRole('progressbar', { name: 'Download CSV' })

  /** Returns the list's position on a phone. */
  async function placeOnPhone() {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByRole('link', { name: 'Jane Whitfield' })).toBeVisible()
    const place = await page.getByRole('region', { name: 'Partners' }).boundingBox()
    const bar = await progress.isVisible()
    const room = bar && (await progress.locator('..').boundingBox())
    if (room) expect(room.x >= 0 && room.x + room.width <= 390).toBe(true)
    await page.setViewportSize({ width: 1280, height: 720 })
    return place
  }
  const place = await placeOnPhone()

  await button.focus()
  await button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
  await expect(progress).toHaveAttribute('aria-valuetext', '0 of 1')
  expect(await placeOnPhone()).toEqual(place)
  await expect(actions.getByRole('button', { name: 'Please wait...' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Tab')
  await expect(actions.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Download canceled')).toBeVisible()
  await expect(button).toBeFocused()
  expect(requests).toBe(1)

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
  expect(requests).toBe(2)

  await page.unroute('**/partners/csv*')
  await page.route('**/partners/csv*', (route) => route.abort())
  await button.click()
  await expect(page.getByRole('alert')).toContainText('connection')
  await expect(button).toBeEnabled()
})
