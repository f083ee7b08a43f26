import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommissionEntry } from '#contract/commissions.ts'
import type { Import, MappedColumn } from '#contract/imports.ts'
import type { Sale } from '#contract/sales.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { processImport } from './run-import.ts'

const clock = turnableClock('2026-03-10T12:00:00Z')
const app = await startApp({ clock })

type Body = { kind: string; csv: string; mapping?: MappedColumn[]; dryRun?: boolean; settlePaid?: boolean }

async function imported(account: TestAccount, { dryRun = false, ...body }: Body): Promise<Import> {
  const { token } = account
  const { id } = expectOk(
    await app.api('POST', `/accounts/${account.id}/imports`, { token, body: { dryRun, ...body } }),
  ).body
  return finished(account, id)
}

async function finished({ token }: TestAccount, id: string): Promise<Import> {
  let done: Import
  do {
    await processImport(app.services, { importId: id })
    done = expectOk(await app.api('GET', `/imports/${id}`, { token })).body
  } while (['waiting', 'running', 'undoing'].includes(done.state))
  return done
}

async function undone(account: TestAccount, { id }: Import): Promise<Import> {
  expectOk(await app.api('POST', `/imports/${id}/undo`, { token: account.token }))
  return finished(account, id)
}

const list = async (account: TestAccount, what: string) =>
  expectOk(await app.api('GET', `/accounts/${account.id}/${what}?limit=100&sort=createdAt`, { token: account.token }))
    .body.items

const balanceOf = async ({ token }: TestAccount, partnerId: string) => {
  const { held, due, inPayout, paid } = expectOk(await app.api('GET', `/partners/${partnerId}/balance`, { token })).body
  return { held, due, inPayout, paid }
}

const counts = ({ created, skipped, failed }: Import) => [created, skipped, failed]
const failures = ({ errors }: Import) => errors.map(({ row, field, message }) => [row, field, message])
const isClean = async () => assert.deepEqual(await verifyLedger(app.services.db), [])

test('partners are imported with their codes, below parents further down the file, and are not invited', async () => {
  const account = await anAccount(app)
  const csv = [
    'First Name,Last Name,Email,Code,Parent Email,Coupon,Status,Notes',
    'Kim,Low,kim@low.example,kim,mid@line.example,KIM10 KIM20,active,Met at the fair',
    'Mid,Line,mid@line.example,mid,top@line.example,,Pending,',
    'Top,Line,TOP@line.example,top-1,,,approved,',
    'Ban,Ned,ban@ned.example,,,,banned,',
    'Round,One,one@round.example,,two@round.example,,,',
    'Round,Two,two@round.example,,one@round.example,,,',
    'No,Parent,no@parent.example,,gone@nowhere.example,,,',
    'Kim,Twice,kim@low.example,kim-2,,,,',
    'Bad,Code,bad@code.example,a|b,,,,',
    'Taken,Code,taken@code.example,kim,,,,',
  ].join('\n')
  const dry = await imported(account, { kind: 'partners', csv, dryRun: true })
  const done = await imported(account, { kind: 'partners', csv })
  assert.deepEqual([counts(done), failures(done)], [counts(dry), failures(dry)])
  assert.deepEqual(counts(done), [4, 1, 5])
  assert.deepEqual(
    done.errors.map(({ row, field }) => [row, field]),
    [
      [6, 'parentEmail'],
      [7, 'parentEmail'],
      [8, 'parentEmail'],
      [10, 'referralCode'],
      [11, 'referralCode'],
    ],
  )
  const partners = new Map((await list(account, 'partners')).map((one: { email: string }) => [one.email, one]))
  const of = (email: string) => partners.get(email) as Record<string, unknown>
  assert.equal(of('kim@low.example').parentPartnerId, of('mid@line.example').id)
  assert.equal(of('mid@line.example').parentPartnerId, of('top@line.example').id)
  assert.deepEqual([of('kim@low.example').state, of('ban@ned.example').state], ['invited', 'suspended'])
  assert.deepEqual([of('kim@low.example').invitationStatus, of('kim@low.example').note], [null, 'Met at the fair'])
  const codes = expectOk(
    await app.api('GET', `/partners/${of('kim@low.example').id}/promotion-codes`, { token: account.token }),
  ).body
  assert.deepEqual(codes.items.map(({ code }: { code: string }) => code).sort(), ['KIM10', 'KIM20'])
  assert.deepEqual(counts(await imported(account, { kind: 'partners', csv })), [0, 5, 5])
  assert.equal((await undone(account, done)).state, 'undone')
  assert.deepEqual(await list(account, 'partners'), [])
  assert.deepEqual(counts(await imported(account, { kind: 'partners', csv })), [4, 1, 5])
  await isClean()
})

test('a dry run knows the parents in earlier parts of its file', async () => {
  const account = await anAccount(app)
  const below = (parent: string) => (_: unknown, n: number) => `s${n}-${parent},${parent}`
  const csv = [
    'Email,Parent Email',
    'top@line.example,',
    'low@line.example,gone@nowhere.example',
    ...Array.from({ length: 110 }, below('top@line.example')),
    's110-low@line.example,low@line.example',
    's0-top@line.example,top@line.example',
  ].join('\n')
  const dry = await imported(account, { kind: 'partners', csv, dryRun: true })
  const done = await imported(account, { kind: 'partners', csv })
  assert.deepEqual([counts(dry), failures(dry)], [counts(done), failures(done)])
  assert.deepEqual(counts(done), [111, 1, 2])
})

test('a dry run knows the codes, customers and refunded sales in earlier parts of its file', async () => {
  const account = await anAccount(app)
  const both = async (kind: string, lines: string[]) => {
    const csv = lines.join('\n')
    const summary = (one: Import) => [
      counts(one),
      failures(one),
      one.skips,
      one.totals,
      one.assigned,
      one.settled,
      one.warnings,
    ]
    const dry = await imported(account, { kind, csv, dryRun: true })
    const done = await imported(account, { kind, csv })
    assert.deepEqual(summary(dry), summary(done), kind)
    return done
  }
  const others = (count: number, row: (n: number) => string) => Array.from({ length: count }, (_, n) => row(n))

  const partners = await both('partners', [
    'Email,Code,Earlier codes,Coupon,External ID',
    'a@x.example,kim,Old_1,KIM10,e1',
    ...others(105, (n) => `p${n}@x.example,,,,`),
    'b@x.example,KIM,,,',
    'c@x.example,,old_1,,',
    'd@x.example,,,kim10,',
    'e@x.example,,,,e1',
    'f@x.example,Kim10,,,',
  ])
  assert.deepEqual(counts(partners), [107, 0, 4])

  const leads = await both('leads', [
    'Email,External ID,Phone,Partner email',
    'a@c.example,e1,,',
    'b@c.example,,+4915112345678,p1@x.example',
    ...others(105, (n) => `c${n}@c.example,,,`),
    'a@c.example,,,p1@x.example',
    'd@c.example,,+4915112345678,p2@x.example',
  ])
  assert.deepEqual([counts(leads), leads.assigned], [[108, 1, 0], 1])

  const sales = await both('sales', [
    'External ID,Customer email,Partner email,Amount,Commission,Date,Row type,Sale external ID',
    's1,s@c.example,gone@x.example,10,1,2026-03-01,,',
    ...others(405, (n) => `x${n},s${n % 3}@c.example,p1@x.example,10,1,2026-03-01,,`),
    'r1,s@c.example,p1@x.example,10,,2026-03-02,refund,s1',
    'r2,s1@c.example,p1@x.example,4,,2026-03-02,refund,x1',
    'r3,s1@c.example,p1@x.example,8,,2026-03-02,refund,x1',
    's1,s@c.example,p1@x.example,10,1,2026-03-01,,',
    'x2,s2@c.example,p2@x.example,10,9.5,2026-03-01,,',
  ])
  assert.deepEqual(counts(sales), [408, 0, 3])

  const customers = await both('sales', [
    'External ID,Customer email,Customer ID,Partner email,Amount,Commission,Date',
    'y1,,k1,p1@x.example,10,1,2026-03-01',
    'y2,c7@c.example,,p1@x.example,10,1,2026-03-01',
    ...others(405, (n) => `z${n},t@c.example,,p1@x.example,${n + 20},1,2026-03-01`),
    'y3,,k1,p2@x.example,10,1,2026-03-01',
    'y4,c7@c.example,,p1@x.example,10,1,2026-03-02',
    'y5,c7@c.example,,p1@x.example,10,1,2026-03-01',
  ])
  assert.deepEqual([counts(customers), customers.assigned, customers.warnings.length], [[409, 0, 1], 1, 1])
})

test('a sale that is known and still owed says so when a later file has it as paid', async () => {
  const account = await anAccount(app)
  const { id } = await aPartner(app, account, { email: 'ann@x.example' })
  const csv = (status: string) =>
    [
      'External ID,Customer email,Partner email,Amount,Commission,Date,Commission status',
      `s1,,ann@x.example,100,10,2026-03-01,${status}`,
      `,kim@c.example,ann@x.example,50,5,2026-03-01,${status}`,
      's3,,ann@x.example,100,10,2026-03-01,paid',
    ].join('\n')
  await imported(account, { kind: 'sales', csv: csv('pending') })
  const later = await imported(account, { kind: 'sales', csv: csv('paid') })
  const owed = 'Its commission is still owed here, although the file says that it was paid.'
  assert.deepEqual(later.skips, [
    { row: 2, message: `A sale with this external ID already exists. ${owed}` },
    { row: 3, message: `A sale with the same partner, customer, amount and day already exists. ${owed}` },
    { row: 4, message: 'A sale with this external ID already exists.' },
  ])
  const { held, due } = await balanceOf(account, id)
  assert.equal(held + due, 1500)
  const unsettled = await imported(account, { kind: 'sales', csv: csv('paid'), settlePaid: false })
  assert.ok(unsettled.skips.every(({ message }) => !message.includes('owed')))

  // a refund that was settled, even one undone since, pays no commission
  const refund = [csv('paid').split('\n')[0], 's1,,ann@x.example,-50,,2026-03-02,paid'].join('\n')
  const refunded = await imported(account, { kind: 'sales', csv: refund })
  assert.deepEqual(counts(refunded), [1, 0, 0])
  const again = async () => (await imported(account, { kind: 'sales', csv: csv('paid') })).skips
  assert.deepEqual(await again(), later.skips)
  assert.equal((await undone(account, refunded)).state, 'undone')
  assert.deepEqual(await again(), later.skips)
})

test('a refund of a sale of two partners counts whichever of them alone its file names', async () => {
  const lines = [
    't3;p-one;A;R;2026-02-03 10:00:00;U;-4,00;o1;-40,00;t1',
    't2;p-two;A;S;2026-02-01 10:00:00;U;5,00;o1;100,00;t1',
    't1;p-one;A;S;2026-02-01 10:00:00;U;10,00;o1;100,00;',
  ]
  for (const rows of [lines, lines.toReversed()]) {
    const account = await anAccount(app)
    const partners = []
    for (const code of ['one', 'two'])
      partners.push(await aPartner(app, account, { email: `${code}@x.example`, referralCode: `p-${code}` }))
    const header = '!TRANSID;!USERID;!RSTATUS;!RTYPE;!DATEINSERTED;!PAYOUTSTATUS;!COMMISSION;!ORDERID;!TOTALCOST'
    const csv = [`${header};!PARENTTRANSID`, ...rows].join('\n')
    const first = await imported(account, { kind: 'sales', csv })
    assert.deepEqual([counts(first), (await undone(account, first)).state], [[3, 0, 0], 'undone'])
    assert.deepEqual(counts(await imported(account, { kind: 'sales', csv })), [3, 0, 0])
    assert.deepEqual(counts(await imported(account, { kind: 'sales', csv })), [0, 3, 0])
    const owed = []
    for (const { id } of partners) {
      const { held, due } = await balanceOf(account, id)
      owed.push(held + due)
    }
    assert.deepEqual(owed, [600, 300])
  }
  await isClean()
})

test('a payout of this evening is in the future in neither the account’s time zone nor UTC', async () => {
  clock.set('2026-03-11T05:00:00Z')
  const account = await anAccount(app, { timeZone: 'America/Los_Angeles' })
  await aPartner(app, account, { email: 'ann@x.example' })
  const csv = (day: string) => `partnerEmail,amount,paidOn\nann@x.example,10,${day}`
  assert.deepEqual(counts(await imported(account, { kind: 'payouts', csv: csv('2026-03-11T04:00:00Z') })), [1, 0, 0])
  assert.deepEqual(counts(await imported(account, { kind: 'payouts', csv: csv('2026-03-12') })), [0, 0, 1])
  clock.set('2026-03-10T12:00:00Z')
})

test('partners are imported with the payout method that the owner chose, if it is set up', async () => {
  const account = await anAccount(app)
  const csv = 'email,payoutMethod\nann@x.example,Manual\nbob@x.example,\ncyd@x.example,wise\ndee@x.example,cash'
  const done = await imported(account, { kind: 'partners', csv })
  assert.deepEqual(failures(done), [
    [4, 'payoutMethod', 'This payout method isn’t set up'],
    [5, 'payoutMethod', 'Use wise, paypal, sepa, manual'],
  ])
  const partners = await list(account, 'partners')
  const chosen = partners.map((one: { email: string; payoutMethod: string | null }) => [one.email, one.payoutMethod])
  assert.deepEqual(chosen.sort(), [
    ['ann@x.example', 'manual'],
    ['bob@x.example', null],
  ])
})

test('partners are imported into existing groups, named in any case', async () => {
  const account = await anAccount(app)
  const body = { name: 'Gold' }
  expectOk(await app.api('POST', `/accounts/${account.id}/groups`, { token: account.token, body }))
  const csv = 'Email,Group\none@p.example,gold\ntwo@p.example,\nthree@p.example,Silver'
  const done = await imported(account, { kind: 'partners', csv })
  assert.deepEqual(failures(done), [[4, 'group', 'This group doesn’t exist']])
  const partners = await list(account, 'partners')
  assert.deepEqual(
    partners.map(({ email, groupName }: { email: string; groupName: string }) => [email, groupName]).sort(),
    [
      ['one@p.example', 'Gold'],
      ['two@p.example', 'Default'],
    ],
  )
})

test('sales earn what the file says, otherwise current rates; amounts already paid are not owed', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] } })
  const top = await aPartner(app, account, { referralCode: 'top' })
  const jane = await aPartner(app, account, { referralCode: 'jane', parentPartnerId: top.id })
  await aPartner(app, account, { referralCode: 'karl' })
  const csv = [
    'Order ID,Customer Email,Affiliate Email,Code,Total,Date,Commission,Commission Status,Currency',
    `1,ada@c.example,${jane.email},,"100,000.00",2025-01-31,33333.33,pending,usd`,
    `2,ada@c.example,${jane.email},,50.00,2025-02-28,10.00,Paid,usd`,
    `3,bo@c.example,,jane,80.00,2025-03-01,,approved,usd`,
    `4,,${jane.email},,10.00,2025-03-01,0,paid,usd`,
    `5,cy@c.example,,,70.00,2025-03-02,,,usd`,
    `6,,,,60.00,2025-03-02,5.00,,usd`,
    `7,ada@c.example,${jane.email},,10.00,2025-04-01,1.00,refunded,usd`,
    `8,ada@c.example,${jane.email},,10.00,2027-04-01,1.00,,usd`,
    `9,ada@c.example,${jane.email},,10.00,2025-04-01,10.01,,usd`,
    `10,ada@c.example,nobody@c.example,,10.00,2025-04-01,1.00,,usd`,
    `11,ada@c.example,${jane.email},,10.00,2025-04-01,1.00,wat,usd`,
    `12,ada@c.example,${jane.email},,10.00,2025-04-01,1.00,paid,eur`,
    `13,ada@c.example,${jane.email},,-10.00,2025-04-01,,,usd`,
    `14,ada@c.example,,karl,40.00,2025-04-01,4.00,,usd`,
    `1,ada@c.example,${jane.email},,10.00,2025-04-01,1.00,,usd`,
  ].join('\n')
  const dry = await imported(account, { kind: 'sales', csv, dryRun: true })
  assert.deepEqual(await list(account, 'sales'), [])
  const done = await imported(account, { kind: 'sales', csv })
  assert.deepEqual([counts(done), done.totals, failures(done)], [counts(dry), dry.totals, failures(dry)])
  assert.deepEqual(counts(done), [7, 1, 7])
  assert.deepEqual(done.totals, [{ currency: 'usd', count: 7, amount: 100_310_00 }])
  assert.deepEqual(
    failures(done).map(([row, field]) => [row, field]),
    [
      [9, 'saleDate'],
      [10, 'commission'],
      [11, 'partnerEmail'],
      [12, 'commissionStatus'],
      [13, 'currency'],
      [14, 'amount'],
      [16, 'externalId'],
    ],
  )
  const sales = new Map<string, Sale>((await list(account, 'sales')).map((sale: Sale) => [sale.externalId, sale]))
  const earned = (id: string) => sales.get(id)!.commissions.map((entry) => [entry.layer, entry.amount])
  assert.deepEqual(earned('1'), [[0, 33_333_33]])
  assert.deepEqual(earned('2'), [[0, 10_00]])
  assert.deepEqual(earned('3'), [
    [0, 16_00],
    [1, 4_00],
  ])
  assert.deepEqual(earned('4'), [])
  assert.deepEqual([sales.get('5')!.partnerId, sales.get('6')!.leadId], [null, null])
  assert.equal(sales.get('1')!.leadId, sales.get('2')!.leadId)
  assert.notEqual(sales.get('14')!.partnerId, jane.id)
  assert.deepEqual(await balanceOf(account, jane.id), { held: 0, due: 33_349_33, inPayout: 0, paid: 0 })
  await isClean()
  const settled = async () => {
    const { id } = sales.get('2')!.commissions[0]!
    const { corrections } = expectOk(await app.api('GET', `/commissions/${id}`, { token: account.token })).body
    return corrections.map(({ kind, amount, reason }: CommissionEntry) => [kind, amount, reason])
  }
  assert.deepEqual(await settled(), [['adjustment', -10_00, 'Paid before the import']])

  // the same file again, with its errors corrected
  assert.deepEqual(counts(await imported(account, { kind: 'sales', csv })), [0, 8, 7])
  assert.equal((await undone(account, done)).state, 'undone')
  assert.deepEqual(await balanceOf(account, jane.id), { held: 0, due: 0, inPayout: 0, paid: 0 })
  assert.deepEqual((await settled()).map(([kind, amount]: [string, number]) => [kind, amount]).sort(), [
    ['adjustment', -10_00],
    ['adjustment', 10_00],
    ['reversal', -10_00],
  ])
  await isClean()
  assert.deepEqual(counts(await imported(account, { kind: 'sales', csv: csv.replace('wat', 'due') })), [8, 1, 6])
  await isClean()
})

test('past payouts are paid, and the entries they paid are no longer due', async () => {
  const account = await anAccount(app)
  const jane = await aPartner(app, account, { referralCode: 'jane' })
  const sales = `Order ID,Customer Email,Code,Total,Date,Commission,Commission Status\n1,a@c.example,jane,100.00,2025-01-01,30.00,paid\n2,b@c.example,jane,100.00,2025-02-01,25.00,pending\n`
  await imported(account, { kind: 'sales', csv: sales, settlePaid: false })
  assert.deepEqual(await balanceOf(account, jane.id), { held: 0, due: 55_00, inPayout: 0, paid: 0 })
  const csv = [
    'ID,Partner Email,Amount,Currency,Paid At,Status',
    `po_1,${jane.email},$30.00,USD,2025-02-15T10:00:00Z,completed`,
    `po_2,${jane.email},$5.00,USD,,pending`,
    `po_3,${jane.email},$5.00,EUR,2025-02-15,paid`,
    `po_4,nobody@c.example,$5.00,USD,2025-02-15,paid`,
    `po_5,${jane.email},$5.00,USD,2027-02-15,paid`,
    `po_1,${jane.email},$30.00,USD,2025-02-15,paid`,
  ].join('\n')
  const done = await imported(account, { kind: 'payouts', csv })
  assert.deepEqual(counts(done), [1, 1, 4])
  assert.deepEqual(
    failures(done).map(([row, field]) => [row, field]),
    [
      [3, 'paidOn'],
      [4, 'currency'],
      [5, 'partnerEmail'],
      [6, 'paidOn'],
    ],
  )
  assert.deepEqual(await balanceOf(account, jane.id), { held: 0, due: 25_00, inPayout: 0, paid: 30_00 })
  const [payout] = await list(account, 'payouts')
  assert.deepEqual(
    [payout.status, payout.amount, payout.method, payout.externalReference, payout.paidAt, payout.periodStart],
    ['paid', 30_00, 'manual', 'po_1', '2025-02-15T00:00:00.000Z', '2025-02-15'],
  )
  await isClean()
  assert.deepEqual(counts(await imported(account, { kind: 'payouts', csv })), [0, 2, 4])
  assert.equal((await undone(account, done)).state, 'undone')
  assert.deepEqual(await balanceOf(account, jane.id), { held: 0, due: 55_00, inPayout: 0, paid: 0 })
  await isClean()
  assert.deepEqual(counts(await imported(account, { kind: 'payouts', csv })), [1, 1, 4])
  await isClean()
})

test('payouts beyond the due amount give a warning with the excess, before and after the import', async () => {
  const account = await anAccount(app, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] } })
  const [jane, ben] = await Promise.all([
    aPartner(app, account, { email: 'jane@past.example', firstName: 'Jane', lastName: 'Doe' }),
    aPartner(app, account, { email: 'ben@past.example', firstName: 'Ben', lastName: 'Low' }),
  ])
  const sales = `Customer Email,Partner Email,Amount,Date\nc@past.example,ben@past.example,"1,000.00",2026-03-01`
  assert.deepEqual(counts(await imported(account, { kind: 'sales', csv: sales })), [1, 0, 0])
  // more rows than one transaction takes
  const rows = Array.from({ length: 120 }, (_, at) => `jane@past.example,5.00,2025-01-02,J-${at}`)
  const payouts = ['Partner Email,Amount,Paid on,Reference', ...rows, 'ben@past.example,200.00,2025-01-02,B-1']
  const checked = await imported(account, { kind: 'payouts', csv: payouts.join('\n'), dryRun: true })
  assert.deepEqual(checked.warnings, [
    {
      row: null,
      message: 'The balance due to Jane Doe would fall to -$600.00. Import the sales for these payouts first.',
    },
  ])
  const done = await imported(account, { kind: 'payouts', csv: payouts.join('\n') })
  assert.deepEqual(counts(done), [121, 0, 0])
  assert.deepEqual(
    done.warnings.map(({ message }) => message.split('.')[0]),
    ['The balance due to Jane Doe has fallen to -$600'],
  )
  assert.deepEqual([(await balanceOf(account, jane.id)).due, (await balanceOf(account, ben.id)).due], [-600_00, 0])
  // none of its rows is new
  assert.deepEqual((await imported(account, { kind: 'payouts', csv: payouts.join('\n'), dryRun: true })).warnings, [])
  await isClean()
})

test('a payout made here is recognized by its reference within two weeks, and matches no earlier one', async () => {
  const account = await anAccount(app)
  const jane = await aPartner(app, account, { email: 'june@past.example' }, { signIn: true })
  const call = (method: string, path: string, body?: object) =>
    app.api(method, path, { token: account.token, ...(body && { body }) })
  expectOk(await call('PUT', `/partners/${jane.id}`, { approvedPayoutYears: [app.clock.now().getUTCFullYear()] }))
  expectOk(await call('POST', `/partners/${jane.id}/adjustments`, { amount: 50_00, reason: 'Agreed' }))
  expectOk(await call('POST', `/accounts/${account.id}/payouts/refresh`))
  const [payout] = await list(account, 'payouts')
  const day = (ago: number) => new Date(app.clock.now().getTime() - ago * 86_400_000).toISOString().slice(0, 10)
  expectOk(await call('POST', `/payouts/${payout.id}/mark-paid`, { reference: 'PayPal' }))
  const rows = [90, 60, 30, 3].map((ago) => `june@past.example,50.00,${day(ago)},PayPal`)
  const csv = ['Partner Email,Amount,Paid on,Reference', ...rows].join('\n')
  assert.deepEqual(counts(await imported(account, { kind: 'payouts', csv })), [3, 1, 0])
  assert.deepEqual(counts(await imported(account, { kind: 'payouts', csv })), [0, 4, 0])
  await isClean()
})

test('imported entries that have since been paid or settled are not undone', async () => {
  const account = await anAccount(app)
  const jane = await aPartner(app, account, { referralCode: 'jane' }, { signIn: true })
  const year = { approvedPayoutYears: [2026] }
  expectOk(await app.api('PUT', `/partners/${jane.id}`, { token: account.token, body: year }))
  const csv = `Order ID,Customer Email,Code,Total,Date,Commission,Commission Status\n1,a@c.example,jane,100.00,2025-01-01,30.00,paid\n2,b@c.example,jane,100.00,2025-02-01,25.00,pending\n`
  const done = await imported(account, { kind: 'sales', csv })
  expectOk(await app.api('POST', `/accounts/${account.id}/payouts/refresh`, { token: account.token }))
  const [payout] = await list(account, 'payouts')
  assert.equal(payout.amount, 25_00)
  const paid = await app.api('POST', `/payouts/${payout.id}/mark-paid`, {
    token: account.token,
    body: { reference: 'x' },
  })
  assert.equal(expectOk(paid).body.status, 'paid')
  const after = await undone(account, done)
  assert.deepEqual([after.state, after.reason!.slice(0, 41)], ['done', 'The import couldn’t be undone completely:'])
  assert.deepEqual(await balanceOf(account, jane.id), { held: 0, due: 0, inPayout: 0, paid: 25_00 })
  await isClean()
})

test('a sale of the same customer, amount and day gives a warning, by any of the customer’s names', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const { id: leadId } = expectOk(
    await app.api('POST', `/accounts/${account.id}/leads`, {
      token: account.token,
      body: { email: 'kim@buyer.example', externalId: 'cust-1' },
    }),
  ).body
  const body = { amount: 49_00, saleDate: '2026-03-01' }
  for (const _ of 'twice') expectOk(await app.api('POST', `/leads/${leadId}/sales`, { token: account.token, body }))
  const csv = [
    'ID,Customer ID,Customer Email,Amount,Date',
    'by-id,cust-1,,49.00,2026-03-01',
    'by-email,,kim@buyer.example,49.00,2026-03-01',
    'amount,cust-1,,49.01,2026-03-01',
    'day,cust-1,,49.00,2026-03-02',
    'customer,cust-2,ben@buyer.example,49.00,2026-03-01',
    'by-shop,cus_Shop,,49.00,2026-03-01',
    'by-payer,,payer@buyer.example,49.00,2026-03-01',
  ].join('\n')
  // sales of a shop, whose payers have no lead
  await app.services.db.run`
    insert into sales (id, account_id, provider, external_id, customer_id, payer_email, amount, gross_amount, currency,
      account_amount, account_currency, fx_rate, fx_date, sale_date, status, created_at)
    select uuidv7(), ${account.id}, 'stripe', id, customer, payer, 4900, 4900, 'usd', 4900, 'usd', 1, day, day, status, now()
    from (values ('void', 'cus_Shop', null, date '2026-03-01', 'void'), ('ch_1', 'cus_Shop', null, '2026-03-01', 'completed'),
      ('ch_2', null, 'payer@buyer.example', '2026-03-01', 'completed'), ('ch_3', null, 'payer@buyer.example', '2026-02-28', 'completed'))
      as given (id, customer, payer, day, status)`
  const { warnings } = await imported(account, { kind: 'sales', csv })
  assert.deepEqual(
    warnings.map(({ row, message }) => [row, message]),
    [
      ...[2, 3].map((row) => [row, 'A sale of the same customer, amount and day is already here (manual).']),
      [7, 'A sale of the same customer, amount and day is already here, with the ID ch_1 (stripe).'],
      [8, 'A sale of the same customer, amount and day is already here, with the ID ch_2 (stripe).'],
    ],
  )
})
