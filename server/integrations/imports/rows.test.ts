import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Import } from '#contract/imports.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { getAccountFacts } from '../../program/access/account-facts.ts'
import { applyRefund } from '../../program/sales/refund-sale.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { processImport } from './run-import.ts'
import { findImport, openImport, storeCounts } from './track.ts'

const app = await startApp({ clock: turnableClock('2026-03-10T12:00:00Z') })

async function finished({ token }: TestAccount, id: string): Promise<Import> {
  for (;;) {
    await processImport(app.services, { importId: id })
    const { body } = expectOk(await app.api('GET', `/imports/${id}`, { token }))
    if (!['waiting', 'running', 'undoing'].includes(body.state)) return body
  }
}

async function imported(account: TestAccount, csv: string, kind = 'sales', dryRun = false): Promise<Import> {
  const { token } = account
  const { id } = expectOk(
    await app.api('POST', `/accounts/${account.id}/imports`, { token, body: { kind, csv, dryRun } }),
  ).body
  return finished(account, id)
}

async function undone(account: TestAccount, { id }: Import): Promise<Import> {
  expectOk(await app.api('POST', `/imports/${id}/undo`, { token: account.token }))
  return finished(account, id)
}

const counts = ({ created, skipped, failed }: Import) => [created, skipped, failed]
const dueOf = async ({ token }: TestAccount, { id }: { id: string }) =>
  expectOk(await app.api('GET', `/partners/${id}/balance`, { token })).body.due

test('an import is undone although a row without a partner was credited by a later one', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, payoutDelay: 0 })
  const jane = await aPartner(app, account, { referralCode: 'jane' })
  const between = Array.from({ length: 60 }, (_, at) => `b${at},b${at}@c.example,,10.00,2025-01-02`)
  const rows = ['1,a@c.example,,100.00,2025-01-02', ...between, '2,a@c.example,jane,50.00,2025-01-02']
  const csv = ['Order ID,Customer Email,Affiliate Code,Total,Date', ...rows].join('\n')
  const leads = async () =>
    expectOk(await app.api('GET', `/accounts/${account.id}/leads`, { token: account.token })).body.total
  for (let time = 0; time < 2; time++) {
    const done = await imported(account, csv)
    assert.deepEqual([counts(done), await dueOf(account, jane), await leads()], [[62, 0, 0], 30_00, 61])
    const { state, reason, undone: sales } = await undone(account, done)
    assert.deepEqual([state, reason, sales, await dueOf(account, jane), await leads()], ['undone', null, 62, 0, 0])
  }
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('errors are numbered as in the file, where empty lines and rows without values are no sales', async () => {
  const account = await anAccount(app)
  const header = 'Customer Email,Affiliate Code,Total,Date'
  const rows = ['a@c.example,,100.00,2025-01-02', '', ',,,', ' ,"", ,', 'b@c.example,,wrong,2025-01-02', ',,,', '']
  const read = await imported(account, [header, ...rows].join('\r\n'))
  assert.deepEqual([read.state, read.total, ...counts(read)], ['done', 2, 1, 0, 1])
  assert.deepEqual(
    read.errors.map(({ row, field }) => [row, field]),
    [[6, 'amount']],
  )
})

test('rows without an ID are recognized again, two equal rows are two sales, and an undo frees all of them', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const jane = await aPartner(app, account, { referralCode: 'jane' })
  const rows = [
    'a@c.example,jane,100.00,2025-01-02',
    'a@c.example,jane,100.00,2025-01-02',
    'b@c.example,jane,5%,2025-01-02',
  ]
  const file = (some: string[]) => ['Customer Email,Code,Total,Date', ...some].join('\n')
  const first = await imported(account, file(rows))
  assert.deepEqual(counts(first), [2, 0, 1])
  const mended = await imported(account, file([...rows.slice(0, 2), 'b@c.example,jane,50.00,2025-01-02']))
  assert.deepEqual([counts(mended), await dueOf(account, jane)], [[1, 2, 0], 50_00])
  assert.equal((await undone(account, first)).state, 'undone')
  assert.equal(await dueOf(account, jane), 10_00)
  assert.deepEqual(counts(await imported(account, file(rows))), [2, 0, 1])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('rows without an ID are recognized with a description more or less, and told apart by two descriptions', async () => {
  const facts = ['a@c.example,jane,100.00,2025-01-02', 'a@c.example,jane,100.00,2025-01-02']
  const plain = ['Customer Email,Code,Total,Date', ...facts].join('\n')
  const described = (...products: string[]) =>
    ['Customer Email,Code,Total,Date,Product', ...facts.map((row, at) => `${row},${products[at]}`)].join('\n')
  for (const [first, ...later] of [
    [plain, described('Mug', 'Cap'), described('Mug', 'Mug'), plain],
    [described('Mug', 'Cap'), plain, described('Cap', 'Mug')],
    [described('Mug', 'Mug'), plain, described('Mug', 'Mug')],
    [described('', 'Mug'), described('', 'Mug')],
  ]) {
    const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
    const jane = await aPartner(app, account, { referralCode: 'jane' })
    assert.deepEqual(counts(await imported(account, first!)), [2, 0, 0])
    for (const file of later) assert.deepEqual([counts(await imported(account, file)), file], [[0, 2, 0], file])
    assert.equal(await dueOf(account, jane), 40_00)
  }
  const account = await anAccount(app)
  await aPartner(app, account, { referralCode: 'jane' })
  assert.deepEqual(counts(await imported(account, described('Mug', 'Cap'))), [2, 0, 0])
  assert.deepEqual(counts(await imported(account, described('Mug', 'Pen'))), [1, 1, 0])
})

test('chargebacks and refunds of Post Affiliate Pro reverse their sale, whichever comes first', async () => {
  const account = await anAccount(app)
  const pat = await aPartner(app, account, { referralCode: 'pat' })
  const csv = [
    '!TRANSID,!USERID,!RSTATUS,!RTYPE,!DATEINSERTED,!PAYOUTSTATUS,!COMMISSION,!ORDERID,!TOTALCOST,!PARENTTRANSID',
    't3,pat,A,H,2025-03-06,U,10.00,o1,100.00,t1',
    't1,pat,A,S,2025-03-04,U,10.00,o1,100.00,',
    't2,pat,A,S,2025-03-04,U,10.00,o2,100.00,',
    't4,pat,A,R,2025-03-07,U,-4.00,o2,-40.00,',
  ].join('\n')
  assert.deepEqual(counts(await imported(account, csv, 'sales', true)), [4, 0, 0])
  const done = await imported(account, csv)
  assert.deepEqual([counts(done), await dueOf(account, pat)], [[4, 0, 0], 6_00])
  assert.deepEqual(counts(await imported(account, csv)), [0, 4, 0])
  assert.equal((await undone(account, done)).state, 'undone')
  assert.equal(await dueOf(account, pat), 0)
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('equal refunds of a sale on one day are two, and one in another currency than the sale is refused', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const pat = await aPartner(app, account, { referralCode: 'pat' })
  const csv = [
    'Order ID,Customer Email,Code,Total,Date,Product,Currency',
    '7,a@c.example,pat,100.00,2025-01-02,,',
    '7,a@c.example,pat,-10.00,2025-01-03,Mug,',
    '7,a@c.example,pat,-10.00,2025-01-03,Cap,',
    '7,a@c.example,pat,-1500,2025-01-04,Pen,jpy',
  ].join('\n')
  const done = await imported(account, csv)
  assert.deepEqual([counts(done), await dueOf(account, pat)], [[3, 0, 1], 8_00])
  assert.deepEqual(done.errors, [{ row: 5, field: 'currency', message: 'The sale with this ID is in USD' }])
  assert.deepEqual(counts(await imported(account, csv)), [0, 3, 1])
  assert.equal((await undone(account, done)).state, 'undone')
  assert.equal(await dueOf(account, pat), 0)
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('one order with commissions for two partners is one sale, and both are owed', async () => {
  const account = await anAccount(app)
  const [ann, bob] = [
    await aPartner(app, account, { referralCode: 'ann' }),
    await aPartner(app, account, { referralCode: 'bob' }),
  ]
  const csv =
    'Order ID,Customer Email,Code,Total,Date,Commission\n1,a@c.example,ann,100.00,2025-01-02,10.00\n1,a@c.example,bob,100.00,2025-01-02,5.00'
  const done = await imported(account, csv)
  assert.deepEqual([counts(done), await dueOf(account, ann), await dueOf(account, bob)], [[2, 0, 0], 10_00, 5_00])
  assert.deepEqual(counts(await imported(account, csv)), [0, 2, 0])
  assert.deepEqual(await verifyLedger(app.services.db), [])
  assert.equal((await undone(account, done)).state, 'undone')
  assert.deepEqual([await dueOf(account, ann), await dueOf(account, bob)], [0, 0])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('where a file has commissions alone, a further partner’s row adds to the sale, and an undo takes it off again', async () => {
  const account = await anAccount(app)
  const ann = await aPartner(app, account, { email: 'ann@p.example' })
  const bob = await aPartner(app, account, { email: 'bob@p.example' })
  const columns =
    'Affiliate ID,Email,Name,Payment Email,Username,Amount,Currency,Description,Campaign,Reference,Context,Status,Type,Date'
  const row = (email: string, amount: string, status = 'unpaid') =>
    `7,${email},A,,a,${amount},USD,A shirt,,100,woocommerce,${status},sale,2025-02-01 10:00:00`
  const [own, others] = [row('ann@p.example', '18.00'), row('bob@p.example', '5.00', 'paid')]
  const first = await imported(account, [columns, own].join('\n'))
  const csv = [columns, own, others].join('\n')
  const dry = await imported(account, csv, 'sales', true)
  assert.deepEqual([counts(dry), dry.totals], [[1, 1, 0], [{ currency: 'usd', count: 1, amount: 5_00 }]])
  const done = await imported(account, csv)
  const amountOf = async () =>
    expectOk(await app.api('GET', `/accounts/${account.id}/sales`, account)).body.items.map(
      ({ amount, grossAmount }: { amount: number; grossAmount: number }) => [amount, grossAmount],
    )
  assert.deepEqual([counts(done), await amountOf()], [[1, 1, 0], [[23_00, 23_00]]])
  assert.deepEqual([await dueOf(account, ann), await dueOf(account, bob)], [18_00, 0])
  assert.deepEqual(counts(await imported(account, csv)), [0, 2, 0])
  assert.deepEqual(await verifyLedger(app.services.db), [])
  assert.equal((await undone(account, done)).state, 'undone')
  assert.deepEqual([await amountOf(), await dueOf(account, ann)], [[[18_00, 18_00]], 18_00])
  assert.deepEqual(counts(await imported(account, csv)), [1, 1, 0])
  assert.deepEqual(
    [await amountOf(), await dueOf(account, ann), await dueOf(account, bob)],
    [[[23_00, 23_00]], 18_00, 0],
  )
  assert.equal((await undone(account, first)).state, 'undone')
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('where a file has commissions alone, the refund of a partner’s is that of the sale', async () => {
  const account = await anAccount(app)
  const ann = await aPartner(app, account, { email: 'ann@p.example' })
  const bob = await aPartner(app, account, { email: 'bob@p.example' })
  const csv = [
    'Entity Type,Event Type,Affiliate ID,Affiliate Name,Affiliate Email,Order Number,Amount,Date,Is Paid ?',
    'order,commission,1,Ann,ann@p.example,#77,18.00,2025-02-01,0',
    'order,network,2,Bob,bob@p.example,#77,5.00,2025-02-01,0',
    'order,refund,1,Ann,ann@p.example,#77,-18.00,2025-02-02,0',
    'order,refund,2,Bob,bob@p.example,#77,-5.00,2025-02-02,0',
  ].join('\n')
  assert.deepEqual(counts(await imported(account, csv, 'sales', true)), [3, 1, 0])
  const done = await imported(account, csv)
  assert.deepEqual([counts(done), await dueOf(account, ann), await dueOf(account, bob)], [[3, 1, 0], 0, 0])
  assert.deepEqual(counts(await imported(account, csv)), [0, 4, 0])
  assert.deepEqual(await verifyLedger(app.services.db), [])
  assert.equal((await undone(account, done)).state, 'undone')
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a sale that is here already as another partner’s is skipped in words', async () => {
  const account = await anAccount(app)
  for (const code of ['ann', 'bob']) await aPartner(app, account, { referralCode: code })
  const csv = 'Order ID,Customer Email,Code,Total,Date,Commission\n1,a@c.example,ann,100.00,2025-01-02,10.00'
  await imported(account, csv)
  const saysOf = async (file: string) => (await imported(account, file)).skips.map(({ message }) => message)
  const exists = 'A sale with this external ID already exists.'
  assert.deepEqual(await saysOf(csv), [exists])
  assert.deepEqual(await saysOf(csv.replace('ann', 'bob')), [`${exists} It is another partner’s.`])
})

test('a lead’s ID that is here already, of another person, is refused; the same person’s is known', async () => {
  const account = await anAccount(app)
  const csv = 'Customer ID,Email,First Name\nU-1,ann@c.example,Ann'
  assert.deepEqual(counts(await imported(account, csv, 'leads')), [1, 0, 0])
  const others = `${csv}\nU-2,ben@c.example,Ben`.replace('ann@c.example', 'ANN@c.example')
  assert.deepEqual(counts(await imported(account, others, 'leads')), [1, 1, 0])
  for (const dryRun of [true, false]) {
    const { errors, created } = await imported(account, csv.replace('ann@', 'ben@'), 'leads', dryRun)
    const message = 'A lead with this ID already exists, with another email or phone.'
    assert.deepEqual([created, errors], [0, [{ row: 2, field: 'externalId', message }]])
  }
})

test('a partner whom two rows of an order name by e-mail and by code is owed one commission', async () => {
  const account = await anAccount(app)
  const ann = await aPartner(app, account, { email: 'ann@p.example', referralCode: 'ann' })
  const csv = [
    'Order ID,Customer Email,Affiliate Email,Code,Total,Date,Commission',
    '1,a@c.example,ann@p.example,,100.00,2025-01-02,10.00',
    '1,a@c.example,,ann,100.00,2025-01-02,10.00',
  ].join('\n')
  const done = await imported(account, csv)
  assert.deepEqual([counts(done), await dueOf(account, ann)], [[1, 1, 0], 10_00])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('refunds of further partners alone, named by e-mail and by code, reverse the sale once', async () => {
  const account = await anAccount(app)
  const [ann, bob] = [
    await aPartner(app, account, { referralCode: 'ann' }),
    await aPartner(app, account, { email: 'bob@p.example', referralCode: 'bob' }),
  ]
  await aPartner(app, account, { referralCode: 'cid' })
  const csv = [
    'Order ID,Customer Email,Affiliate Email,Code,Total,Date,Commission',
    '1,a@c.example,,ann,100.00,2025-01-02,10.00',
    '1,a@c.example,,bob,100.00,2025-01-02,5.00',
    '1,a@c.example,,cid,100.00,2025-01-02,2.00',
    '1,a@c.example,,cid,-20.00,2025-01-03,',
    '1,a@c.example,bob@p.example,,-20.00,2025-01-03,',
    '1,a@c.example,,bob,-40.00,2025-01-04,',
    '1,a@c.example,,cid,-40.00,2025-01-04,',
  ].join('\n')
  assert.deepEqual(counts(await imported(account, csv, 'sales', true)), [5, 2, 0])
  const done = await imported(account, csv)
  assert.deepEqual([counts(done), await dueOf(account, ann), await dueOf(account, bob)], [[5, 2, 0], 4_00, 2_00])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('refunds listed for each partner of a sale are recognized again in another order', async () => {
  const account = await anAccount(app)
  const [ann, bob] = [
    await aPartner(app, account, { referralCode: 'ann' }),
    await aPartner(app, account, { referralCode: 'bob' }),
  ]
  const sold = [
    'Order ID,Customer Email,Code,Total,Date,Commission',
    '1,a@c.example,ann,100.00,2025-01-02,10.00',
    '1,a@c.example,bob,100.00,2025-01-02,5.00',
  ]
  const refunds = ['ann', 'bob', 'ann', 'bob'].map((code) => `1,a@c.example,${code},-20.00,2025-01-04,`)
  const file = (rows: string[]) => [...sold, ...rows].join('\n')
  const isOnce = async () => assert.deepEqual([await dueOf(account, ann), await dueOf(account, bob)], [6_00, 3_00])
  // its first partner was misspelled, and is corrected later
  const misspelled = refunds.map((row) => row.replace('ann', 'anne'))
  assert.deepEqual(counts(await imported(account, file(misspelled))), [4, 0, 2])
  await isOnce()
  for (const rows of [refunds, refunds.toReversed()]) {
    assert.deepEqual(counts(await imported(account, file(rows))), [0, 6, 0])
    await isOnce()
  }
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a refund is settled for each partner of the sale as the file says', async () => {
  for (const [annWas, bobWas, annIs, bobIs] of [
    ['paid', '', 0, 3_00],
    ['', 'paid', 6_00, 0],
    ['paid', 'paid', 0, 0],
    ['', '', 6_00, 3_00],
  ] as const) {
    const account = await anAccount(app)
    const [ann, bob] = [
      await aPartner(app, account, { referralCode: 'ann' }),
      await aPartner(app, account, { referralCode: 'bob' }),
    ]
    const csv = [
      'Order ID,Customer Email,Code,Total,Date,Commission,Commission Status',
      `1,a@c.example,ann,100.00,2025-01-02,10.00,${annWas}`,
      `1,a@c.example,bob,100.00,2025-01-02,5.00,${bobWas}`,
      `1,a@c.example,ann,-40.00,2025-01-04,,${annWas}`,
      `1,a@c.example,bob,-40.00,2025-01-04,,${bobWas}`,
    ].join('\n')
    const done = await imported(account, csv)
    assert.deepEqual([counts(done), await dueOf(account, ann), await dueOf(account, bob)], [[3, 1, 0], annIs, bobIs])
    assert.deepEqual(counts(await imported(account, csv)), [0, 4, 0])
    assert.equal((await undone(account, done)).state, 'undone')
    assert.deepEqual([await dueOf(account, ann), await dueOf(account, bob)], [0, 0])
  }
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a sale that the account’s own system has reported, too, is not undone', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const ann = await aPartner(app, account, { referralCode: 'ann' })
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  const push = (path: string, body: object) => app.api('POST', path, { token: apiKey, body })
  const csv = 'External ID,Code,Total,Date\ns-1,ann,100.00,2025-01-02\ns-2,ann,50.00,2025-01-02'
  const refundedCsv = 'External ID,Code,Total,Date\ns-3,ann,100.00,2025-01-02'
  const [done, refunded] = [await imported(account, csv), await imported(account, refundedCsv)]
  const sale = { externalId: 's-1', amount: 100_00, saleDate: '2025-01-02', referralCode: 'ann' }
  assert.equal((await push('/push/sales', sale)).status, 200)
  assert.equal((await push('/push/refunds', { externalId: 'r-3', saleExternalId: 's-3', amount: 40_00 })).status, 201)
  for (const one of [done, refunded]) {
    const { state, reason } = await undone(account, one)
    assert.equal(state, 'done')
    assert.match(reason!, /: Your own system has since reported a sale from this import/)
  }
  assert.equal(await dueOf(account, ann), 21_00)

  const again = await imported(account, csv.replaceAll('s-', 't-'))
  assert.equal((await undone(account, again)).state, 'undone')
  assert.equal((await push('/push/sales', { ...sale, externalId: 't-1' })).status, 201)
  assert.equal(await dueOf(account, ann), 31_00)
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a lead that the account’s own system has sent, too, is not undone', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const ann = await aPartner(app, account, { referralCode: 'ann' })
  const { apiKey: token } = expectOk(
    await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token }),
  ).body
  const made = [
    await imported(account, 'Email,External ID\na@c.example,c-1', 'leads'),
    await imported(account, 'Customer ID,Code,Total,Date\nc-2,ann,10.00,2025-01-02'),
  ]
  for (const externalId of ['c-1', 'c-2'])
    expectOk(await app.api('POST', '/push/leads', { token, body: { externalId, referralCode: 'ann' } }))
  for (const one of made) {
    const { state, reason } = await undone(account, one)
    assert.equal(state, 'done')
    assert.match(reason!, /: A lead this import created has since been submitted again\./)
  }
  for (const leadExternalId of ['c-1', 'c-2'])
    expectOk(
      await app.api('POST', '/push/sales', {
        token,
        body: { externalId: leadExternalId, leadExternalId, amount: 50_00 },
      }),
    )
  // its sale is undone, the lead stays
  assert.equal(await dueOf(account, ann), 0)
  assert.equal(expectOk(await app.api('GET', `/partners/${ann.id}/balance`, { token: account.token })).body.held, 10_00)
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('undoing an import owes nothing to partners whose balance was voided meanwhile', async () => {
  const account = await anAccount(app)
  const [ann, bob] = [
    await aPartner(app, account, { referralCode: 'ann' }),
    await aPartner(app, account, { referralCode: 'bob' }),
  ]
  const csv = [
    'Order ID,Customer Email,Code,Total,Date,Commission,Commission Status',
    '1,a@c.example,ann,100.00,2025-01-02,10.00,paid',
    '1,a@c.example,bob,100.00,2025-01-02,5.00,paid',
    '2,b@c.example,ann,50.00,2025-01-02,5.00,',
  ].join('\n')
  const done = await imported(account, csv)
  assert.deepEqual([counts(done), await dueOf(account, ann), await dueOf(account, bob)], [[3, 0, 0], 5_00, 0])
  for (const { id } of [ann, bob])
    expectOk(
      await app.api('POST', `/partners/${id}/archive`, {
        token: account.token,
        body: { balance: 'void', reason: 'They left' },
      }),
    )
  assert.equal((await undone(account, done)).state, 'undone')
  assert.deepEqual([await dueOf(account, ann), await dueOf(account, bob)], [0, 0])
  const again = await imported(account, csv)
  assert.deepEqual([counts(again), await dueOf(account, ann), await dueOf(account, bob)], [[3, 0, 0], 0, 0])
  assert.equal((await undone(account, again)).state, 'undone')
  assert.deepEqual([await dueOf(account, ann), await dueOf(account, bob)], [0, 0])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a part of the shipping of a free order is refunded', async () => {
  const account = await anAccount(app)
  await aPartner(app, account, { referralCode: 'pat' })
  const csv = [
    'Order ID,Customer Email,Code,Order Total,Shipping,Date',
    '1,a@c.example,pat,5.00,5.00,2025-01-02',
    '1,a@c.example,pat,-3.00,,2025-01-03',
    '2,b@c.example,pat,20.00,,2025-01-03',
  ].join('\n')
  assert.deepEqual(counts(await imported(account, csv)), [3, 0, 0])
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/sales?sort=saleDate`, { token: account.token }),
  ).body
  const refunded = items.map((sale: { amount: number; refundedAmount: number }) => [sale.amount, sale.refundedAmount])
  assert.deepEqual(refunded.toSorted(), [
    [0, 3_00],
    [20_00, 0],
  ])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a refund of a total without a tax of its own is as much as the row says', async () => {
  const account = await anAccount(app)
  await aPartner(app, account, { referralCode: 'pat' })
  const csv = [
    'Order ID,Customer Email,Code,Order Total,Tax,Date',
    '1,a@c.example,pat,120.00,20.00,2025-01-02',
    '1,a@c.example,pat,-60.00,,2025-01-03',
    '2,b@c.example,pat,120.00,20.00,2025-01-02',
    '2,b@c.example,pat,-100.00,,2025-01-03',
    '3,c@c.example,pat,120.00,20.00,2025-01-02',
    '3,c@c.example,pat,-120.00,,2025-01-03',
    '4,d@c.example,pat,120.00,20.00,2025-01-02',
    '4,d@c.example,pat,-30.00,-5.00,2025-01-03',
  ].join('\n')
  assert.deepEqual(counts(await imported(account, csv)), [8, 0, 0])
  const { items } = expectOk(await app.api('GET', `/accounts/${account.id}/sales`, { token: account.token })).body
  const refunded = items.map(({ externalId, refundedAmount }: Record<string, unknown>) => [externalId, refundedAmount])
  assert.deepEqual(Object.fromEntries(refunded), { 1: 60_00, 2: 100_00, 3: 120_00, 4: 30_00 })
})

test('a commission paid before the import stays as it was settled when an older payment of the customer follows', async () => {
  const account = await anAccount(app)
  const pat = await aPartner(app, account, { referralCode: 'pat' })
  const rules = [{ name: 'First payment', when: { firstPayments: 1 }, layerRates: [30] }]
  const terms = { rules, otherwise: { layerRates: [10] } }
  expectOk(await app.api('PUT', `/accounts/${account.id}/terms`, { token: account.token, body: { terms } }))
  const file = (row: string) => `Order ID,Customer Email,Code,Total,Date,Commission Status\n${row}`
  const march = await imported(account, file('2,a@c.example,pat,100.00,2025-03-02,paid'))
  assert.deepEqual([counts(march), await dueOf(account, pat)], [[1, 0, 0], 0])
  const february = await imported(account, file('1,a@c.example,pat,100.00,2025-02-02,paid'))
  assert.deepEqual([counts(february), await dueOf(account, pat)], [[1, 0, 0], 0])

  // the other way: April earned as a later payment, and is the first one once the others are void
  await imported(account, file('3,a@c.example,pat,100.00,2025-04-02,paid'))
  const { token } = account
  const { items } = expectOk(await app.api('GET', `/accounts/${account.id}/sales?sort=saleDate`, { token })).body
  const [april] = items.filter((sale: { saleDate: string }) => sale.saleDate === '2025-04-02')
  for (const { id } of items.filter((sale: { id: string }) => sale.id !== april.id))
    expectOk(await app.api('POST', `/sales/${id}/void`, { token, body: { reason: 'wrong file' } }))
  const receipt = expectOk(await app.api('GET', `/commissions/${april.commissions[0].id}`, { token })).body
  assert.deepEqual([receipt.terms.place, receipt.terms.parts[0].rule, receipt.entry.amount], [1, null, 10_00])
  assert.deepEqual(receipt.terms.parts[0].above, [])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

for (const status of ['unpaid', 'paid'])
  test(`a refund settled elsewhere owes nothing for a void commission that was ${status}`, async () => {
    const account = await anAccount(app)
    const [ann, bob] = [
      await aPartner(app, account, { referralCode: 'ann' }),
      await aPartner(app, account, { referralCode: 'bob' }),
    ]
    const head =
      '!TRANSID,!USERID,!RSTATUS,!RTYPE,!DATEINSERTED,!PAYOUTSTATUS,!COMMISSION,!ORDERID,!TOTALCOST,!PARENTTRANSID'
    const leave = async ({ id }: { id: string }) =>
      expectOk(
        await app.api('POST', `/partners/${id}/archive`, {
          token: account.token,
          body: { balance: 'void', reason: 'They left' },
        }),
      )
    await leave(bob)
    const sold = ['t1,ann', 't2,bob'].map(
      (who) => `${who},A,S,2025-03-04,${status === 'paid' ? 'P' : 'U'},5.00,o1,100.00,`,
    )
    assert.deepEqual(counts(await imported(account, [head, ...sold].join('\n'))), [2, 0, 0])
    await leave(ann)
    const done = await imported(account, [head, 't3,ann,A,R,2025-03-07,P,-2.00,o1,-40.00,t1'].join('\n'))
    assert.deepEqual([counts(done), await dueOf(account, ann), await dueOf(account, bob)], [[1, 0, 0], 0, 0])
    assert.equal((await undone(account, done)).state, 'undone')
    assert.deepEqual([await dueOf(account, ann), await dueOf(account, bob)], [0, 0])
    assert.deepEqual(await verifyLedger(app.services.db), [])
  })

test('a disputed sale whose commission was paid elsewhere takes nothing from other commissions until it is lost', async () => {
  const account = await anAccount(app)
  const jane = await aPartner(app, account, { referralCode: 'jane' })
  const csv = [
    'Order ID,Customer Email,Code,Total,Date,Commission,Commission Status',
    '1,a@c.example,jane,100.00,2025-01-02,10.00,paid',
    '2,b@c.example,jane,50.00,2025-01-02,3.00,',
  ].join('\n')
  assert.deepEqual(counts(await imported(account, csv)), [2, 0, 0])
  const { db } = app.services
  const saleId = await db.value<string>`
    select id from sales where account_id = ${account.id} and gross_amount = ${100_00}`
  const facts = (await getAccountFacts(db, [account.id])).get(account.id)!
  const disputed = (status: 'pending' | 'succeeded') =>
    transaction(db, (tx) =>
      applyRefund(tx, system, facts, saleId, {
        ...{ kind: 'dispute', externalId: 'd1', amount: 100_00, status, reason: null, at: tx.now },
      }),
    )
  const balances = async () => {
    const { totals } = expectOk(await app.api('GET', `/accounts/${account.id}/balances`, { token: account.token })).body
    return [await dueOf(account, jane), totals.due, totals.onHold]
  }
  await disputed('pending')
  assert.deepEqual(await balances(), [3_00, 3_00, 0])
  await disputed('succeeded')
  assert.deepEqual(await balances(), [-7_00, -7_00, 0])
  assert.deepEqual(await verifyLedger(db), [])
})

for (const isBack of [false, true])
  test(`a past payout of a partner ${isBack ? 'who is back from' : 'with'} a voided balance leaves no debt, nor does undoing it`, async () => {
    const account = await anAccount(app)
    const { token } = account
    const ann = await aPartner(app, account, {})
    expectOk(
      await app.api('POST', `/partners/${ann.id}/archive`, {
        token,
        body: { balance: 'void', reason: 'They left' },
      }),
    )
    const csv = `Partner Email,Amount,Paid on\n${ann.email},10.00,2025-01-02\n${ann.email},10.00,2025-01-02`
    assert.deepEqual((await imported(account, csv, 'payouts', true)).warnings, [])
    const done = await imported(account, csv, 'payouts')
    const { due, paid } = expectOk(await app.api('GET', `/partners/${ann.id}/balance`, { token })).body
    assert.deepEqual([counts(done), done.warnings, due, paid], [[2, 0, 0], [], 0, 20_00])
    if (isBack) expectOk(await app.api('PUT', `/partners/${ann.id}`, { token, body: { state: 'active' } }))
    assert.equal((await undone(account, done)).state, 'undone')
    assert.equal(await dueOf(account, ann), 0)
    assert.deepEqual(await verifyLedger(app.services.db), [])
  })

test('payouts to two partners under one reference are two payouts', async () => {
  const account = await anAccount(app)
  const [ann, bob] = [await aPartner(app, account, {}), await aPartner(app, account, {})]
  const csv = `Partner Email,Amount,Paid on,Reference\n${ann.email},10.00,2025-01-02,Batch\n${bob.email},10.00,2025-01-02,Batch`
  assert.deepEqual(counts(await imported(account, csv, 'payouts')), [2, 0, 0])
  assert.deepEqual(counts(await imported(account, csv, 'payouts')), [0, 2, 0])
})

test('a payout that two rows name by e-mail and by code is one payout', async () => {
  const account = await anAccount(app)
  const ann = await aPartner(app, account, { email: 'ann@p.example', referralCode: 'ann' })
  const csv = [
    'Affiliate Email,Code,Amount,Date,Reference',
    'ann@p.example,,50.00,2026-02-01,wire-7',
    ',ann,50.00,2026-02-01,wire-7',
  ].join('\n')
  const done = await imported(account, csv, 'payouts')
  assert.deepEqual([counts(done), await dueOf(account, ann)], [[1, 1, 0], -50_00])
})

test('a payout that failed and was then paid is one payout, however often its file is imported', async () => {
  const account = await anAccount(app)
  const jane = await aPartner(app, account, { referralCode: 'jane' })
  const rows = ['failed', 'paid'].flatMap((status) => [
    `,jane,10.00,,2025-02-03,${status}`,
    `w1,jane,20.00,,2025-02-04,${status}`,
  ])
  const elsewhere = [',jane,40.00,eur,2025-02-05,paid', ',jane,40.00,,2025-02-05,paid']
  const csv = ['externalId,referralCode,amount,currency,paidOn,status', ...rows, ...elsewhere].join('\n')
  const paid = async () =>
    expectOk(await app.api('GET', `/partners/${jane.id}/balance`, { token: account.token })).body.paid
  assert.deepEqual([counts(await imported(account, csv, 'payouts')), await paid()], [[3, 2, 1], 70_00])
  assert.deepEqual([counts(await imported(account, csv, 'payouts')), await paid()], [[0, 5, 1], 70_00])
})

test('an unknown currency fails its row, and no other', async () => {
  const account = await anAccount(app)
  await aPartner(app, account, { referralCode: 'pat' })
  const csv = [
    'Customer Email,Code,Total,Date,Currency',
    'a@c.example,pat,10.00,2025-01-01,Euro',
    'b@c.example,pat,10.00,2025-01-01,usd',
  ].join('\n')
  const done = await imported(account, csv)
  assert.deepEqual(
    [counts(done), done.errors],
    [[1, 0, 1], [{ row: 2, field: 'currency', message: 'Enter a currency code such as usd' }]],
  )
})

test('a total with a separate tax is what the customer paid', async () => {
  const account = await anAccount(app)
  await imported(account, 'Order ID,Order Total,Tax,Shipping,Date\n1,119.00,19.00,5.00,2025-01-02')
  const [sale] = expectOk(await app.api('GET', `/accounts/${account.id}/sales`, { token: account.token })).body.items
  assert.deepEqual([sale.amount, sale.taxAmount, sale.grossAmount], [95_00, 19_00, 119_00])
})

test('at most a thousand errors of a provider’s events are stored, however many pages fail', async () => {
  const { id: accountId } = await anAccount(app)
  await transaction(app.services.db, async (tx) => {
    const opened = await openImport(tx, system, {
      ...{ accountId, kind: 'sales', format: 'csv', connectionId: null, dryRun: true, header: [] },
      settings: { mapping: [] },
    })
    const counted = { created: 0, skipped: 0, totals: [], unattributed: 0, progress: null, reason: null }
    const failures = Array.from({ length: 600 }, (_, at) => `event ${at}`)
    for (let page = 0; page < 3; page++) await storeCounts(tx, (await findImport(tx, opened))!, counted, failures)
    const { failed } = (await findImport(tx, opened))!
    const { stored } = await tx.one`select count(*) as stored from import_rows where import_id = ${opened.id}`
    assert.deepEqual([failed, stored], [1800, 1000])
  })
})

test('days between hyphens, statuses of payment and IDs are read as other programs write them', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, payoutDelay: 0 })
  const { token } = account
  const header = 'Order ID,Customer Email,Affiliate Code,Total,Commission,Is Paid,Date'
  const preview = async (...days: string[]) => {
    const csv = [header, ...days.map((day, at) => `${at},c@c.example,jane,100.00,20.00,0,${day}`)].join('\n')
    const { mapping } = expectOk(
      await app.api('POST', `/accounts/${account.id}/imports/preview`, { token, body: { kind: 'sales', csv } }),
    ).body
    return mapping as { field: string; column: string; transform: string; default: null }[]
  }
  const dayOf = async (...days: string[]) =>
    (await preview(...days)).find(({ field }) => field === 'saleDate')!.transform
  assert.equal(await dayOf('03-04-2025', '25-02-2025'), 'day-first-date')
  assert.equal(await dayOf('03-04-2025', '02-25-2025'), 'date')
  assert.equal(await dayOf('2025-02-25', '25-02-26'), 'date', 'the year may be first')

  const paid = { field: 'commissionStatus', column: 'Is Paid', transform: 'paid-or-not', default: null }
  const mapping = [...(await preview('03-04-2025')), paid]
  const owed = ['0', '0.0', '0.00', 'no', 'null', 'None', 'NaN', 'N/A', 'Pending', 'not paid', 'Unpaid', 'u']
  const settled = ['1', '7731', 'yes', 'TRUE', 'PO_1', 'p', 'Paid', '2025-02-01']
  for (const [statuses, due] of [[owed, owed.length * 20_00] as const, [settled, 0] as const]) {
    const code = due > 0 ? 'owed' : 'settled'
    const partner = await aPartner(app, account, { referralCode: code })
    const rows = statuses.map(
      (word, at) => `${code}${at},${code}${at}@c.example,${code},100.00,20.00,${word},03-04-2025`,
    )
    const body = { kind: 'sales', csv: [header, ...rows].join('\n'), mapping, settlePaid: true, dryRun: false }
    const { id } = expectOk(await app.api('POST', `/accounts/${account.id}/imports`, { token, body })).body
    const done = await finished(account, id)
    assert.deepEqual(counts(done), [statuses.length, 0, 0], JSON.stringify(done.errors))
    assert.equal(await dueOf(account, partner), due, code)
    assert.deepEqual(
      done.warnings.map(({ message }) => message),
      [
        'The days in “Date” fit both orders and are read month first, such as 03-04-2025. If the day is first, choose “Date, day first”.',
      ],
    )
  }
  const decimals = await imported(account, `${header}\n1001.0,c@c.example,owed,1.00,0.20,0,2025-02-01`)
  assert.match(decimals.warnings[0]!.message, /^The ID 1001\.0 ends in \.0/)
})
