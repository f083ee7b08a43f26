import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { wiseRefusal } from '../../../test/fakes/wise-rules.ts'
import { expectOk, signIn, startApp } from '../../../test/support/app.ts'
import { readCsv } from '../../../test/support/csv.ts'
import {
  aPayee,
  aPayout,
  bankDetails,
  bookDue,
  getBalance,
  listPayouts,
  requestRefresh,
} from '../../../test/support/payouts.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { createInstalls, workOn } from '../../../test/support/wise-payouts.ts'
import { transaction } from '../../platform/database/pool.ts'
import { approveIntoBatch } from '../payouts/approve.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp({ config: { rateLimitFactor: 1000 } })
const { anInstall, show, verb } = createInstalls(app)
type Install = Awaited<ReturnType<typeof anInstall>>

const download = ({ account }: Pick<Install, 'account'>, query = '', token = account.token) =>
  app.api('GET', `/accounts/${account.id}/payouts/csv?format=wise-batch${query}`, { token })
const batch = async (install: Pick<Install, 'account'>, query?: string) =>
  readCsv(expectOk(await download(install, query)).body)
const refused = async (install: Pick<Install, 'account'>, query?: string) => {
  const { status, body } = await download(install, query)
  return [status, body.error?.reason]
}
const upload = async ({ account }: Pick<Install, 'account'>, csv: string, dryRun = false) =>
  expectOk(
    await app.api('POST', `/accounts/${account.id}/payouts/results`, { token: account.token, body: { csv, dryRun } }),
  ).body
const outcomes = (reply: Awaited<ReturnType<typeof upload>>) =>
  reply.rows.map(({ was, becomes, error }: { was: string; becomes: string; error: { reason: string } | null }) =>
    error ? error.reason : `${was} ${becomes}`,
  )

async function changeDetails({ account, partner }: Install, accountNumber = '9988776655') {
  partner.token = (await signIn(app, partner.email)).token
  const body = bankDetails({ accountNumber })
  expectOk(await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body }))
  account.token = (await signIn(app, account.ownerEmail)).token
}

/** Returns Wise's result of one of our files: the same columns, and the outcome of each row. */
function resultsOf(csv: string, status: string | ((row: Record<string, string>, at: number) => string) = 'completed') {
  const { rows } = readCsv(csv)
  const header = ['status', 'amount', 'amountCurrency', 'recipientId', 'transferId', 'paymentReference']
  const lines = rows.map((row, at) =>
    [
      typeof status === 'string' ? status : status(row, at),
      ...[row.amount, row.amountCurrency, row.recipientId, String(1_000_000 + at), row.paymentReference],
    ].join(','),
  )
  return [header.join(','), ...lines, ''].join('\n')
}

test('due payouts are approved into a file of recipients, once, and in the file again only when it is asked for', async () => {
  const install = await anInstall()
  const { wise, account, partner, services } = install
  const other = await aPayee(app, account, { firstName: '=Ann', lastName: 'Ö🦊' })
  const [one, two] = [await aPayout(app, account, partner, 125_50), await aPayout(app, account, other, 7_05)]
  const { header, rows } = await batch(install)
  assert.deepEqual(
    header.join(','),
    'recipientId,name,recipientEmail,recipientDetail,sourceCurrency,targetCurrency,amountCurrency,amount,paymentReference,referenceNumber,receiverType',
  )
  const known = [...wise.recipients.values()].map(({ id }) => String(id))
  assert.deepEqual(new Set(rows.map(({ recipientId }) => recipientId)), new Set(known))
  assert.deepEqual(
    rows.map(({ recipientId: _, ...row }) => Object.values(row)),
    [
      ['125.50', `PO-${one.statementNumber}`],
      ['7.05', `PO-${two.statementNumber}`],
    ].map(([amount, reference]) => [
      ...['Pia Tern', '', 'USD account ending in 6789', 'USD', 'USD', 'target', amount, reference, '', 'PERSON'],
    ]),
  )
  assert.doesNotMatch(JSON.stringify(rows), /123456789|021000021/)
  const after = await show(install, one.id)
  assert.deepEqual([after.status, after.method, after.approvedBy], ['approved', 'csv', 'Nora Wind'])

  assert.deepEqual(await refused(install), [409, 'batch_empty'])
  assert.deepEqual((await batch(install, '&status=approved')).rows, rows)
  await workOn(services, one.id)
  assert.equal(wise.transfers.size, 0, 'it is sent by the file alone')

  // the next file contains the amounts due since, and nothing of the first; the recipient is used again
  await bookDue(app, account, partner, 3_00)
  await requestRefresh(app, account)
  const later = await batch(install, '&status=due,open')
  assert.deepEqual(
    later.rows.map(({ amount }) => amount),
    ['3.00'],
  )
  assert.equal(wise.recipients.size, 2)
  assert.deepEqual(await verifyLedger(services.db), [])
})

test('the file holds what the filters choose', async () => {
  const install = await anInstall()
  const { account, partner } = install
  const other = await aPayee(app, account)
  await aPayout(app, account, partner, 10_00)
  await aPayout(app, account, other, 20_00)
  assert.deepEqual(await refused(install, '&status=sent'), [409, 'batch_empty'])
  assert.deepEqual(await refused(install, '&search=nobody'), [409, 'batch_empty'])
  const { rows } = await batch(install, `&partnerId=${other.id}`)
  assert.deepEqual(
    rows.map(({ amount }) => amount),
    ['20.00'],
  )
  assert.equal((await listPayouts(app, account, partner))[0]!.status, 'due')
  const { status, body } = await download(install, '&columns=amount')
  assert.deepEqual([status, body.error.fields], [422, { columns: 'The columns of a batch file can’t be changed' }])
})

test('a batch file is refused if it isn’t what was reviewed, by number and sum, or by payouts', async () => {
  const install = await anInstall()
  const { wise, account, partner } = install
  const send = (body: object) =>
    app.api('POST', `/accounts/${account.id}/payment-files`, {
      ...{ token: account.token, body: { method: 'csv', all: true, ...body } },
    })
  const shown = async () => expectOk(await send({ preview: true })).body.payouts
  const due = await aPayout(app, account, partner, 10_00)
  const before = await shown()
  await bookDue(app, account, partner, 5_00)
  const other = await aPayout(app, account, await aPayee(app, account), 20_00)
  for (const query of ['&shownCount=1&shownAmount=1000', '&shownAmount=1000', '&shownCount=1']) {
    const { status, body } = await download(install, query)
    assert.deepEqual([status, body.error.code], [409, 'payout_changed'], query)
    assert.equal(body.error.message, 'The file would pay 2 payouts, $35.00 in all. Review the payouts again.')
  }
  assert.deepEqual((await send({ shown: before })).body.error.values, { added: 1, gone: 0, changed: 1 })
  assert.deepEqual([(await show(install, due.id)).status, (await show(install, other.id)).status], ['due', 'due'])
  const text = expectOk(await download(install, '&shownCount=2&shownAmount=3500')).body
  assert.equal(readCsv(text).rows.length, 2)

  // due again, they get other numbers in the next file: they were shown under the former ones
  await upload(install, resultsOf(text, 'cancelled'))
  const again = await shown()
  assert.equal(again.length, 2)
  const file = expectOk(await send({ shown: again })).body
  assert.deepEqual([file.count, file.amount], [2, 35_00])
  assert.equal((await show(install, due.id)).status, 'canceled')

  // a recipient that Wise rejects meanwhile leaves the file, and the next preview says so
  await aPayout(app, account, await aPayee(app, account), 1_00)
  await aPayout(app, account, await aPayee(app, account), 1_00)
  const third = await shown()
  const unready = { status: 500, body: {} }
  wise.fail('POST /v1/accounts', unready)
  assert.equal((await send({ shown: third })).body.error.reason, 'batch_not_ready')
  const rejected = [{ code: 'NOT_VALID', message: 'No such bank.', path: 'abartn', arguments: [] }]
  wise.fail('POST /v1/accounts', wiseRefusal(rejected))
  assert.deepEqual((await send({ shown: third })).body.error.values, { added: 0, gone: 1, changed: 0 })
  assert.equal(expectOk(await send({ shown: await shown() })).body.count, 1)
  assert.deepEqual(await verifyLedger(install.services.db), [])
})

test('another currency leaves by what is taken from its balance; a business is an institution', async () => {
  const install = await anInstall({}, {}, 'eur')
  const { account } = install
  const token = install.partner.token
  const body = bankDetails({ legalType: 'BUSINESS', name: 'Müller & Co., "Zwei"' })
  account.token = (await signIn(app, account.ownerEmail)).token
  expectOk(await app.api('POST', `/partners/${install.partner.id}/payout-settings`, { token, body }))
  app.clock.advance(73 * 3_600_000)
  account.token = (await signIn(app, account.ownerEmail)).token
  await aPayout(app, account, install.partner, 50_00)
  const [row] = (await batch(install)).rows
  assert.deepEqual(
    [row!.name, row!.sourceCurrency, row!.targetCurrency, row!.amountCurrency, row!.amount, row!.receiverType],
    ['Müller & Co., "Zwei"', 'EUR', 'USD', 'source', '50.00', 'INSTITUTION'],
  )
})

test('without a token, to strangers, to programs and while Wise is away there is no file, and nothing is approved', async () => {
  const install = await anInstall()
  const { wise, account, partner } = install
  const due = await aPayout(app, account, partner, 10_00)
  const key = expectOk(
    await app.api('POST', `/accounts/${account.id}/api-keys`, {
      token: account.token,
      body: { name: 'reads', rights: ['read'] },
    }),
  ).body
  const stranger = (await anInstall()).account
  // calls go to the stand-in created last
  const here = await anInstall()
  assert.equal((await download(install, '', stranger.token)).status, 404)
  assert.equal((await download(install, '', partner.token)).status, 403)
  const byKey = await download(install, '', key.key ?? key.secret ?? key.token)
  assert.deepEqual([byKey.status, byKey.body.error.reason], [403, 'batch_by_person'])
  assert.equal((await show(install, due.id)).status, 'due')
  assert.ok(wise)

  const waiting = await aPayout(app, here.account, here.partner, 10_00)
  for (const failure of [
    { status: 500, body: {} },
    { status: 429, body: {}, headers: { 'retry-after': '3' } },
  ]) {
    here.wise.fail('POST /v1/accounts', failure)
    assert.deepEqual(await refused(here), [502, 'batch_not_ready'])
  }
  here.wise.fail('POST /v1/accounts', { status: 401, body: { error: 'invalid_token' } })
  assert.deepEqual(await refused(here), [502, 'wise_refuses'])
  assert.equal((await show(here, waiting.id)).status, 'due')
  expectOk(
    await app.api('PUT', `/accounts/${here.account.id}/auto-payout-settings`, {
      token: here.account.token,
      body: { wiseToken: null },
    }),
  )
  assert.deepEqual(await refused(here), [409, 'wise_not_connected'])
  assert.equal((await show(here, waiting.id)).status, 'due')
})

test('details that Wise rejects are left out and say so; the others are in the file', async () => {
  const install = await anInstall()
  const { wise, account, partner } = install
  const other = await aPayee(app, account)
  const [one, two] = [await aPayout(app, account, partner, 10_00), await aPayout(app, account, other, 20_00)]
  wise.fail(
    'POST /v1/accounts',
    wiseRefusal([{ code: 'NOT_VALID', message: 'No such bank.', path: 'abartn', arguments: [] }]),
  )
  const { rows } = await batch(install)
  assert.equal(rows.length, 1)
  const statuses = [await show(install, one.id), await show(install, two.id)]
  assert.deepEqual(statuses.map(({ status }) => status).sort(), ['approved', 'open'])
  const open = statuses.find(({ status }) => status === 'open')!
  assert.deepEqual(open.blockers, [
    { code: 'wise-rejected-recipient', message: 'Bank details were rejected: Routing Number: No such bank.' },
  ])
})

test('details that changed in the last days, or while recipients were made, are not in the file', async () => {
  const install = await anInstall()
  const { account, partner, services } = install
  const due = await aPayout(app, account, partner, 10_00)
  await changeDetails(install)
  assert.deepEqual(await refused(install), [409, 'batch_empty'])
  app.clock.advance(73 * 3_600_000)
  account.token = (await signIn(app, account.ownerEmail)).token
  const facts = {
    ...account,
    timeZone: 'UTC',
    defaultCurrency: 'usd',
    minimumPayout: 0,
    paydays: { every: 'day' },
  } as never
  const method = (await import('../payouts/methods/wise/batch.ts')).wiseBatch
  const byPartner = new Map([[partner.id, { detailsVersion: '01900000-0000-7000-8000-000000000000' }]])
  const actor = { userId: null, confirmedAt: null } as never
  const { approved } = await transaction(services.db, (tx) =>
    approveIntoBatch(tx, services, actor, facts, { method, year: tx.now.getUTCFullYear(), ids: [due.id], byPartner }),
  )
  assert.deepEqual(approved, [])
  assert.equal((await batch(install)).rows.length, 1)
})

test('above a ceiling nothing is approved before the password was proved again', async () => {
  const install = await anInstall({}, { maxPerPayout: 50_00 })
  const { account, partner } = install
  const other = await aPayee(app, account)
  const small = await aPayout(app, account, partner, 10_00)
  await aPayout(app, account, other, 60_00)
  app.clock.advance(11 * 60_000)
  assert.deepEqual(await refused(install), [403, 'payout_above_limit'])
  assert.equal((await show(install, small.id)).status, 'due')
  account.token = (await signIn(app, account.ownerEmail)).token
  assert.equal((await batch(install)).rows.length, 2)
})

test('a refused file gives no payout of an earlier file another number', async () => {
  const install = await anInstall()
  const { account, partner } = install
  const { id } = await aPayout(app, account, partner, 10_00)
  await upload(install, resultsOf(expectOk(await download(install)).body, 'cancelled'))
  await changeDetails(install)
  assert.equal((await show(install, id)).status, 'due')
  assert.deepEqual(await refused(install), [409, 'batch_empty'])
  assert.deepEqual(
    (await listPayouts(app, account, partner)).map((one) => [one.id, one.status]),
    [[id, 'due']],
  )
})

test('a payout of an earlier file that is left out of the next one keeps its number', async () => {
  const install = await anInstall()
  const { account, partner } = install
  const other = await aPayee(app, account)
  const [{ id }, sent] = [await aPayout(app, account, partner, 10_00), await aPayout(app, account, other, 20_00)]
  const first = expectOk(await download(install)).body
  await upload(install, resultsOf(first, 'cancelled'))
  await changeDetails(install)
  assert.equal((await batch(install)).rows.length, 1)
  const of = async (payee: { id: string }) =>
    (await listPayouts(app, account, payee)).map((one) => [one.id === id || one.id === sent.id, one.status]).sort()
  assert.deepEqual(await of(partner), [[true, 'due']])
  assert.deepEqual(await of(other), [
    [false, 'approved'],
    [true, 'canceled'],
  ])
})

test('what stands in a file is not set back by itself, and not offered again once its details changed', async () => {
  const install = await anInstall()
  const { account, partner } = install
  const { id } = await aPayout(app, account, partner, 10_00)
  await batch(install)
  await changeDetails(install)
  const payout = await show(install, id)
  assert.deepEqual([payout.status, payout.method], ['approved', 'csv'])
  assert.match(payout.failureReason!, /^The payout details changed after/)
  assert.deepEqual(await refused(install, '&status=approved'), [409, 'batch_empty'])
  assert.equal((await verb(install, id, 'cancel')).body.status, 'canceled')
  assert.equal((await getBalance(app, account, partner)).due, 10_00)
})

test('two who download at once get two files without a payout in common', async () => {
  const install = await anInstall()
  const { account } = install
  for (let at = 0; at < 4; at++) await bookDue(app, account, await aPayee(app, account), 10_00 + at)
  await requestRefresh(app, account)
  const replies = await Promise.all([download(install), download(install), download(install)])
  const references = replies
    .filter(({ status }) => status === 200)
    .flatMap(({ body }) => readCsv(body).rows.map(({ paymentReference }) => paymentReference))
  assert.equal(references.length, 4)
  assert.equal(new Set(references).size, 4)
})

test('the results of a file are told before they are taken in, and taken in once', async () => {
  const install = await anInstall()
  const { account, partner, services } = install
  const other = await aPayee(app, account)
  const third = await aPayee(app, account)
  const ids: string[] = []
  for (const [payee, amount] of [
    [partner, 10_00],
    [other, 20_00],
    [third, 1_234_50],
  ] as const)
    ids.push((await aPayout(app, account, payee, amount)).id)
  const file = expectOk(await download(install)).body
  const results = resultsOf(file, (_, at) => ['completed', 'Cancelled', 'processing'][at]!)
  const states = async () => Promise.all(ids.map(async (id) => (await show(install, id)).status))

  const answer = await upload(install, results, true)
  assert.deepEqual([outcomes(answer), answer.applied], [['approved paid', 'approved due', 'approved approved'], 0])
  assert.deepEqual(await states(), ['approved', 'approved', 'approved'])

  const done = await upload(install, results)
  assert.deepEqual([outcomes(done), done.applied], [['approved paid', 'approved due', 'approved approved'], 2])
  assert.deepEqual(await states(), ['paid', 'due', 'approved'])
  assert.equal((await show(install, ids[0]!)).externalReference, '1000000')
  assert.deepEqual([done.rows[0].row, done.rows[0].partnerName, done.rows[0].amount], [2, 'Pia Tern', 10_00])

  const again = await upload(install, results)
  assert.deepEqual(outcomes(again), ['paid paid', 'result_of_other_method', 'approved approved'])
  assert.equal(again.applied, 0)

  // the money of the first comes back weeks later
  const back = await upload(
    install,
    resultsOf(file, (_, at) => ['FUNDS_REFUNDED', 'cancelled', 'completed'][at]!),
  )
  assert.deepEqual(outcomes(back), ['paid returned', 'result_of_other_method', 'approved paid'])
  const { paid, due } = await getBalance(app, account, partner)
  assert.deepEqual([paid, due], [0, 10_00])
  assert.deepEqual(outcomes(await upload(install, results)), ['result_too_late', 'result_of_other_method', 'paid paid'])
  assert.deepEqual(await verifyLedger(services.db), [])
})

test('a row that is not what we gave changes nothing: another amount, recipient, account, payout, or one twice', async () => {
  const install = await anInstall()
  const { account, partner } = install
  const { id, statementNumber } = await aPayout(app, account, partner, 10_00)
  const [row] = (await batch(install)).rows
  const recipient = row!.recipientId
  const line = (fields: Record<string, string> = {}) =>
    Object.values({
      recipientId: recipient,
      amount: '10.00',
      paymentReference: `PO-${statementNumber}`,
      status: 'completed',
      ...fields,
    }).join(',')
  const header = 'recipientId,amount,paymentReference,status'
  const cases: [row: string, error: string][] = [
    [line({ amount: '10.01' }), 'result_amount_differs'],
    [line({ amount: '9.996' }), 'result_amount_differs'],
    [line({ amount: '' }), 'result_amount_differs'],
    [line({ amount: '-10.00' }), 'result_amount_differs'],
    [line({ amount: '"1,000.00"' }), 'result_amount_differs'],
    [line({ recipientId: '1' }), 'result_recipient_differs'],
    [line({ recipientId: '' }), 'result_recipient_differs'],
    [line({ paymentReference: 'PO-999999' }), 'result_unknown'],
    [line({ paymentReference: 'rent' }), 'result_unknown'],
    [line({ paymentReference: 'PO-99999999999999' }), 'result_unknown'],
    [line({ status: 'on_the_moon' }), 'approved approved'],
    [line({ status: '' }), 'approved approved'],
    [line({ paymentReference: '', amount: '10.01' }), 'result_unknown'],
  ]
  for (const [row, expected] of cases) {
    const answer = await upload(install, `${header}\n${row}\n`)
    assert.deepEqual([outcomes(answer), answer.applied], [[expected], 0], row)
  }
  for (const reference of ['', `"PO-${statementNumber}\n"`, ` po-${statementNumber}`])
    assert.deepEqual(outcomes(await upload(install, `${header}\n${line({ paymentReference: reference })}\n`, true)), [
      'approved paid',
    ])
  // each row has its own outcome: the second reports that the money left again
  const twice = await upload(install, `${header}\n${line()}\n${line()}\n`, true)
  assert.deepEqual(outcomes(twice), ['approved paid', 'result_paid_twice'])

  const foreign = await anInstall()
  assert.deepEqual(outcomes(await upload(foreign, `${header}\n${line()}\n`)), ['result_unknown'])
  await aPayout(app, foreign.account, foreign.partner, 10_00)
  assert.deepEqual(outcomes(await upload(foreign, `${header}\n${line()}\n`)), ['result_of_other_method'])
  await batch(foreign)
  assert.deepEqual(outcomes(await upload(foreign, `${header}\n${line()}\n`)), ['result_recipient_differs'])
  assert.equal((await show(install, id)).status, 'approved')
})

test("columns are known by their names: Wise's list of transfers serves too, by name and day", async () => {
  const install = await anInstall()
  const { account, partner } = install
  const { id, statementNumber } = await aPayout(app, account, partner, 1_234_50)
  await batch(install)
  const day = app.clock.now().toISOString().slice(0, 10)
  const file = (name: string) => `﻿ID;Status;Finished on;Target name;"Target amount
(after fees)";Target currency;Reference;Extra\r
TRANSFER-77;COMPLETED;${day} 10:11:12;"${name}";"1,234.50";USD;PO-${statementNumber};"a ""quoted""
line"\r\n`
  assert.deepEqual(outcomes(await upload(install, file('Pia  Stern'), true)), ['result_recipient_differs'])
  const done = await upload(install, file('pia  TERN'))
  assert.deepEqual(outcomes(done), ['approved paid'])
  const paid = await show(install, id)
  assert.deepEqual([paid.externalReference, paid.status], ['TRANSFER-77', 'paid'])
})

test('a file that is none is refused as a whole', async () => {
  const { account } = await anInstall()
  const answer = async (csv: unknown) => {
    const { status, body } = await app.api('POST', `/accounts/${account.id}/payouts/results`, {
      token: account.token,
      body: { csv, dryRun: false },
    })
    return [status, body.error.reason]
  }
  assert.deepEqual(await answer(''), [422, 'invalid_fields'])
  assert.deepEqual(await answer('\u0000s\u0000t\u0000'), [422, 'invalid_fields'])
  assert.deepEqual(await answer('status,amount,reference\nM\ufffdller,1,PO-1'), [422, 'import_not_unicode'])
  assert.deepEqual(await answer('recipientId,amount\n1,2\n'), [422, 'results_columns'])
  assert.deepEqual(await answer('hello'), [422, 'results_empty'])
  const header = 'recipientId,amount,paymentReference,status\n'
  assert.deepEqual(await answer(header + '1,2,PO-1,completed\n'.repeat(5001)), [422, 'results_too_many'])
  assert.deepEqual(await answer(header + '1,2,PO-1,completed\n'.repeat(1_000_000)), [413, 'body_too_large'])
  const open = await answer(`${header}1,2,"PO-1,completed\n${'x'.repeat(300_000)}`)
  assert.deepEqual(open, [422, 'results_unreadable'])
  const none = await answer(header)
  assert.deepEqual(none, [422, 'results_empty'])
})

/** Returns a results file of these rows about payouts, each by number, transfer and Wise's status. */
const resultsFile = (
  install: Install,
  ...rows: [payout: { statementNumber: number; amount: number }, transfer: string, status: string, day?: string][]
) => {
  const [recipient] = install.wise.recipients.values()
  const header = 'status,amount,amountCurrency,recipientId,transferId,finishedOn,paymentReference'
  return [
    header,
    ...rows.map(([{ statementNumber, amount }, transfer, status, day = '']) =>
      [status, (amount / 100).toFixed(2), 'target', recipient!.id, transfer, day, `PO-${statementNumber}`].join(','),
    ),
  ].join('\n')
}
const dueOf = async ({ account, partner }: Install) => {
  const { due, inPayout, paid } = await getBalance(app, account, partner)
  return [due, inPayout, paid]
}
const openOne = async ({ account, partner }: Install) =>
  (await listPayouts(app, account, partner)).find(({ status }) => status === 'due' || status === 'approved')!

test('what a person marked as paid is not touched by the results of the file it was in', async () => {
  const install = await anInstall()
  const one = await aPayout(app, install.account, install.partner, 125_50)
  await batch(install)
  assert.equal((await verb(install, one.id, 'mark-paid', { reference: 'Wire 4711' })).status, 409)
  expectOk(await verb(install, one.id, 'mark-paid', { reference: 'Wire 4711', inFile: 'removed' }))
  for (const status of ['cancelled', 'funds_refunded', 'completed', 'processing']) {
    const reply = await upload(install, resultsFile(install, [one, '1000001', status]))
    assert.deepEqual([outcomes(reply), reply.applied], [['result_by_hand'], 0], status)
    assert.match(reply.rows[0].error.message, /Wire 4711/)
  }
  assert.deepEqual(await dueOf(install), [0, 0, 125_50])
  assert.deepEqual(await verifyLedger(install.services.db), [])
})

test('what a person says that the batch file paid is found paid by its results', async () => {
  const install = await anInstall()
  const one = await aPayout(app, install.account, install.partner, 125_50)
  await batch(install)
  const { token, id } = install.account
  const { items } = expectOk(await app.api('GET', `/accounts/${id}/payouts/attention`, { token })).body
  assert.deepEqual(
    items.map(({ kind, fileNumber }: { kind: string; fileNumber: number }) => [kind, fileNumber]),
    [['results', 1]],
  )
  const paid = expectOk(await verb(install, one.id, 'mark-paid', { inFile: 'paid' })).body
  assert.deepEqual([paid.method, paid.externalReference], ['csv', `PO-${one.statementNumber}`])
  for (const status of ['completed', 'processing']) {
    const reply = await upload(install, resultsFile(install, [one, '1000001', status]))
    assert.deepEqual([outcomes(reply), reply.applied], [['paid paid'], 0], status)
  }
  assert.deepEqual(await dueOf(install), [0, 0, 125_50])
  assert.deepEqual(await verifyLedger(install.services.db), [])
})

test('the results of an earlier file say nothing of the payout that a later file paid', async () => {
  const install = await anInstall()
  const first = await aPayout(app, install.account, install.partner, 60_00)
  await batch(install)
  const canceled = resultsFile(install, [first, '1000001', 'cancelled'])
  assert.deepEqual(outcomes(await upload(install, canceled)), ['approved due'])
  const [row] = (await batch(install)).rows
  const second = await openOne(install)
  assert.equal(row!.paymentReference, `PO-${second.statementNumber}`)
  assert.notEqual(second.statementNumber, first.statementNumber, 'each file has its own numbers')
  const ended = await show(install, first.id)
  assert.deepEqual(
    [ended.status, ended.amount, ended.failureReason],
    ['canceled', 60_00, `Now in PO-${second.statementNumber}.`],
  )

  assert.deepEqual(outcomes(await upload(install, canceled)), ['canceled canceled'], 'while the second is on its way')
  assert.deepEqual(await dueOf(install), [0, 60_00, 0])
  assert.deepEqual(outcomes(await upload(install, resultsFile(install, [second, '1000002', 'completed']))), [
    'approved paid',
  ])
  for (const again of [
    canceled,
    resultsFile(install, [second, '1000001', 'cancelled']),
    resultsFile(install, [second, '1000003', 'funds_refunded']),
  ])
    assert.deepEqual((await upload(install, again)).applied, 0)
  assert.deepEqual(outcomes(await upload(install, resultsFile(install, [second, '', 'cancelled']))), [
    'result_without_transfer',
  ])
  assert.deepEqual(await dueOf(install), [0, 0, 60_00])
  assert.deepEqual(await refused(install), [409, 'batch_empty'])
  assert.deepEqual(await verifyLedger(install.services.db), [])
})

test('of two transfers of one payout the one that arrived counts; two that arrived are told', async () => {
  const install = await anInstall()
  const one = await aPayout(app, install.account, install.partner, 60_00)
  await batch(install)
  const both = resultsFile(install, [one, '1', 'cancelled'], [one, '2', 'completed'])
  assert.deepEqual(outcomes(await upload(install, both)), ['paid paid', 'approved paid'])
  assert.equal((await show(install, one.id)).externalReference, '2')
  assert.deepEqual(outcomes(await upload(install, both)), ['paid paid', 'paid paid'])
  const third = resultsFile(install, [one, '3', 'completed'])
  for (let turn = 0; turn < 2; turn++) assert.deepEqual(outcomes(await upload(install, third)), ['result_paid_twice'])
  assert.deepEqual(outcomes(await upload(install, resultsFile(install, [one, '2', 'charged_back']))), ['paid returned'])
  assert.deepEqual(await dueOf(install), [60_00, 0, 0])
  assert.deepEqual(await verifyLedger(install.services.db), [])
})

test('results that say paid of a payout that Wise was asked for since are told as money that left twice', async () => {
  const install = await anInstall()
  const { account, partner, wise, services } = install
  const { id } = await aPayout(app, account, partner, 60_00)
  const csv = expectOk(await download(install)).body
  assert.deepEqual(outcomes(await upload(install, resultsOf(csv, 'cancelled'))), ['approved due'])
  await bookDue(app, account, partner, 5_00)
  await requestRefresh(app, account)
  expectOk(await verb(install, id, 'approve'))
  await workOn(services, id)
  assert.deepEqual(outcomes(await upload(install, resultsOf(csv, 'cancelled'))), ['processing processing'])
  assert.deepEqual(outcomes(await upload(install, resultsOf(csv))), ['result_too_late'])
  const [transfer] = wise.transfers.keys()
  wise.setState(transfer!, 'outgoing_payment_sent')
  await workOn(services, id)
  assert.deepEqual(outcomes(await upload(install, resultsOf(csv))), ['result_paid_twice'])
  const ownRow = resultsOf(csv).replace('1000000', String(transfer)).replace('60.00', '65.00')
  assert.deepEqual(outcomes(await upload(install, ownRow)), ['sent sent'], "Wise's list names that transfer, too")
  assert.equal((await show(install, id)).amount, 65_00)
})

test('a transfer older than the approval is none of this payout', async () => {
  const install = await anInstall()
  const one = await aPayout(app, install.account, install.partner, 60_00)
  await batch(install)
  const day = new Date(app.clock.now().getTime() - 3 * 86_400_000).toISOString().slice(0, 10)
  assert.deepEqual(outcomes(await upload(install, resultsFile(install, [one, '1', 'completed', day]))), [
    'result_before_approval',
  ])
  assert.deepEqual(outcomes(await upload(install, resultsFile(install, [one, '1', 'cancelled', day]))), [
    'approved approved',
  ])
  assert.equal((await show(install, one.id)).status, 'approved')
})

test('a payout that Wise paid although it was canceled here is recorded as paid, and paid by nothing else', async () => {
  const install = await anInstall()
  const { account, partner, services } = install
  const one = await aPayout(app, account, partner, 60_00)
  await batch(install)
  assert.equal((await verb(install, one.id, 'cancel')).body.status, 'canceled')
  assert.deepEqual(await dueOf(install), [60_00, 0, 0])
  const arrived = resultsFile(install, [one, '1', 'completed'])
  assert.deepEqual(outcomes(await upload(install, arrived)), ['result_of_canceled'])
  // more becomes due meanwhile and is not part of the payment
  await bookDue(app, account, partner, 5_00)
  const paid = expectOk(await verb(install, one.id, 'mark-paid', { reference: '1' })).body
  assert.deepEqual([paid.status, paid.amount, paid.externalReference], ['paid', 60_00, '1'])
  assert.deepEqual(await dueOf(install), [5_00, 0, 60_00])
  assert.deepEqual(outcomes(await upload(install, arrived)), ['result_by_hand'])
  assert.deepEqual(
    (await batch(install)).rows.map(({ amount }) => amount),
    ['5.00'],
  )
  assert.equal((await verb(install, one.id, 'mark-paid', { reference: '1' })).status, 409)
  assert.deepEqual(await verifyLedger(services.db), [])
})

test('what was paid twice by then is a debt of the partner', async () => {
  const install = await anInstall()
  const { account, partner, services } = install
  const one = await aPayout(app, account, partner, 60_00)
  await batch(install)
  expectOk(await verb(install, one.id, 'cancel'))
  await requestRefresh(app, account)
  const two = await openOne(install)
  expectOk(await verb(install, two.id, 'mark-paid', { reference: 'Wire' }))
  expectOk(await verb(install, one.id, 'mark-paid', { reference: '1' }))
  assert.deepEqual(await dueOf(install), [-60_00, 0, 120_00])
  assert.deepEqual(await verifyLedger(services.db), [])
})

test('the results of a file that say paid after canceled pay what that file had, not what is due by now', async () => {
  const install = await anInstall()
  const { account, partner, services } = install
  const one = await aPayout(app, account, partner, 60_00)
  await batch(install)
  await upload(install, resultsFile(install, [one, '1', 'cancelled']))
  await bookDue(app, account, partner, 5_00)
  assert.deepEqual(outcomes(await upload(install, resultsFile(install, [one, '2', 'completed']))), ['due paid'])
  const paid = await show(install, one.id)
  assert.deepEqual([paid.status, paid.amount, paid.method, paid.externalReference], ['paid', 60_00, 'csv', '2'])
  assert.deepEqual(await dueOf(install), [5_00, 0, 60_00])
  assert.deepEqual(await verifyLedger(services.db), [])
})

test('files of the release before are filled in as they were made, and their results count before that too', async () => {
  const install = await anInstall()
  const { account, partner, services } = install
  const owner = asDatabaseOwner(services.db)
  const other = await aPayee(app, account)
  const paid = await aPayout(app, account, partner, 10_00)
  await aPayout(app, account, other, 20_00)
  const file = expectOk(await download(install)).body
  app.clock.advance(60_000)
  const canceled = await aPayout(app, account, partner, 5_00)
  await batch(install)
  await verb(install, canceled.id, 'cancel')
  const stored = () => services.db.many`
    select f.number, f.method, f.message_id, f.count, f.amount, f.currency, f.profile_id, f.created_at, p.payout_id,
      p.turn, p.reference, p.recipient_id, p.amount as own, p.pay_amount, p.live
    from payment_files f join payment_file_payouts p on p.account_id = f.account_id and p.file_id = f.id
    where f.account_id = ${account.id} order by f.number, p.payout_id`
  const forget = async () => {
    await owner.run`delete from payment_file_payouts where account_id = ${account.id}`
    await owner.run`delete from payment_files where account_id = ${account.id}`
  }
  const before = await stored()
  assert.equal(before.length, 3)
  await forget()
  const fill = readFileSync(new URL(FILL, import.meta.url), 'utf8')
    .split(/\n\s*\n/)
    .map((part) => part.replaceAll(/^--.*$/gm, ''))
  for (let time = 0; time < 2; time++) for (const statement of fill) await owner.pool.query(statement)
  assert.deepEqual(await stored(), before)

  await forget()
  const answer = await upload(
    install,
    resultsOf(file, (_, at) => (at === 0 ? 'completed' : 'processing')),
  )
  assert.deepEqual(outcomes(answer), ['approved paid', 'approved approved'])
  assert.equal((await show(install, paid.id)).status, 'paid')
})

const FILL = '../../platform/database/migrations/0381-fill-payment-files.sql'
