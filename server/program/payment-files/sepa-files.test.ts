import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LEFT_OUT, MOST_RESULTS, type PayoutResults } from '#contract/payment-files.ts'
import type { ApprovalPreview, Payout } from '#contract/payouts.ts'
import { acceptInvitation, anEmail, expectOk, signIn, startApp } from '../../../test/support/app.ts'
import { aPayee, aPayout, bookDue, getBalance, getPayout, listPayouts } from '../../../test/support/payouts.ts'
import {
  aEuroAccount,
  aEuroPayee,
  type Booking,
  buildStatement,
  enterEuroDetails,
  payAlone,
  sepaDebtor,
  statusReport,
  switchSepaOn,
} from '../../../test/support/sepa.ts'
import { newId } from '../../platform/database/ids.ts'
import { dayInWords } from '../../platform/format-values.ts'
import { targetDayFrom } from '../../platform/time/target-days.ts'
import { readXml, type XmlElement } from '../../platform/xml/read-xml.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp({ config: { rateLimitFactor: 1000 } })
const { db } = app.services
type Account = Awaited<ReturnType<typeof aEuroAccount>>

const call = (account: Account, method: string, path: string, body?: object, token = account.token) =>
  app.api(method, /^\/payment-files\/[\da-f-]{36}/.test(path) ? path : `/accounts/${account.id}${path}`, {
    ...{ token, ...(body && { body }) },
  })
const send = (account: Account, body: object, token?: string) =>
  call(account, 'POST', '/payment-files', { method: 'sepa', all: true, ...body }, token)
const showPreview = (account: Account, body: object = {}, token?: string) =>
  send(account, { ...body, preview: true }, token)
/** Makes a file of what its preview shows. */
const make = async (account: Account, body: object = {}, token?: string) => {
  const answer = await showPreview(account, body, token)
  return answer.status === 200 ? send(account, { ...body, shown: answer.body.payouts }, token) : answer
}
const made = async (account: Account, body: object = {}) => expectOk(await make(account, body)).body
const download = (account: Account, id: string, token?: string) =>
  call(account, 'GET', `/payment-files/${id}/download`, undefined, token)
const bytes = async (account: Account, id: string) => expectOk(await download(account, id)).body as string
const stateOf = async (account: Account, id: string) =>
  expectOk(await call(account, 'GET', `/payment-files/${id}`)).body.state
const refused = ({ status, body }: { status: number; body: { error?: { reason: string } } }) => [
  status,
  body.error?.reason,
]
const upload = async (account: Account, file: string, dryRun = false) => {
  const { rows, applied } = expectOk(await call(account, 'POST', '/payouts/results', { file, dryRun })).body
  const outcomes = rows.map((row: { was: string; becomes: string; error: { reason: string } | null }) =>
    row.error ? row.error.reason : `${row.was} ${row.becomes}`,
  )
  return [outcomes, applied]
}
const today = () => app.clock.now().toISOString().slice(0, 10)
const booked = (account: Account, ...bookings: Booking[]) =>
  upload(account, buildStatement(bookings.map((one) => ({ day: today(), ...one }))))
const cancel = async (account: Account, id: string) =>
  expectOk(await app.api('POST', `/payouts/${id}/cancel`, { token: account.token })).body
const approve = async (account: Account, id: string) =>
  expectOk(await app.api('POST', `/payouts/${id}/approve`, { token: account.token, body: {} })).body
const markPaid = (account: Account, id: string, body: object) =>
  app.api('POST', `/payouts/${id}/mark-paid`, { token: account.token, body })
const renew = async (account: Account) => {
  account.token = (await signIn(app, account.ownerEmail)).token
}
const found = (root: XmlElement, name: string): XmlElement[] =>
  root.children.flatMap((one) => [...(one.name === name ? [one] : []), ...found(one, name)])
const texts = (root: XmlElement, name: string) => found(root, name).map(({ text }) => text)

test('due and approved payouts are approved into a numbered file, whose bytes are always the same', async () => {
  const account = await aEuroAccount(app, { name: 'Löwe & Söhne' })
  await db.run`update accounts set public_id = '_aB-c_cDdEeFfGgHh_' where id = ${account.id}`
  const [one, two] = [await aEuroPayee(app, account), await aEuroPayee(app, account, { bic: 'BNPAFRPPXXX' })]
  const first = await aPayout(app, account, one, 125_50)
  const second = await aPayout(app, account, two, 7_05)
  assert.deepEqual([first.method, second.status], ['sepa', 'due'])
  const waiting = async () => {
    const { items } = expectOk(await call(account, 'GET', '/payouts/attention')).body
    return items.map(({ kind, message }: { kind: string; message: string }) => [kind, message])
  }
  assert.equal((await approve(account, second.id)).status, 'approved')
  assert.deepEqual(await waiting(), [['file', '2 payouts wait for a payment file']])

  const preview = expectOk(await showPreview(account)).body
  assert.deepEqual([preview.count, preview.amount, preview.payAmount, preview.excluded], [2, 132_55, 132_55, []])
  const file = await made(account)
  assert.deepEqual(await waiting(), [['results', '2 payouts are in payment file 1']])
  const { items } = expectOk(await call(account, 'GET', '/payouts/attention')).body
  assert.deepEqual([items[0].count, items[0].fileId, items[0].fileNumber], [2, file.id, 1])
  const inFile = expectOk(await call(account, 'GET', '/payouts?attention=results')).body.items
  assert.deepEqual(
    inFile.map(({ paymentFile }: Payout) => paymentFile),
    [
      { id: file.id, number: 1 },
      { id: file.id, number: 1 },
    ],
  )
  assert.deepEqual(
    { ...file, id: '', accountId: '', createdAt: '' },
    {
      ...{ id: '', accountId: '', createdAt: '', number: 1, method: 'sepa', currency: 'eur', count: 2, amount: 132_55 },
      ...{ messageId: 'TRB-aBccDdEeFfGg-1', state: 'open', createdBy: 'Nora Wind' },
      executionDate: targetDayFrom(app.clock.now().toISOString().slice(0, 10)),
    },
  )
  const answer = await download(account, file.id)
  assert.equal(answer.headers.get('content-type'), 'application/octet-stream')
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="sepa-1.xml"')
  const root = await readXml(answer.body)
  assert.deepEqual(texts(root, 'EndToEndId'), [`PO-${first.statementNumber}`, `PO-${second.statementNumber}`])
  assert.deepEqual(texts(root, 'InstdAmt'), ['125.50', '7.05'])
  assert.deepEqual(texts(root, 'CtrlSum'), ['132.55', '132.55'])
  assert.deepEqual([...texts(root, 'MsgId'), ...texts(root, 'PmtInfId')], [file.messageId, file.messageId])
  assert.deepEqual(texts(root, 'Ustrd')[0], `Lowe . Sohne PO-${first.statementNumber}`)
  assert.deepEqual(texts(root, 'BICFI'), ['COBADEFFXXX', 'BNPAFRPPXXX'])
  const shown = await getPayout(app, account, first.id)
  assert.deepEqual([shown.status, shown.method, shown.approvedBy], ['approved', 'sepa', 'Nora Wind'])

  // the account's name and its bank change, and the file does not
  await switchSepaOn(app, account, { name: 'Other GmbH', iban: 'NL91ABNA0417164300' })
  expectOk(await call(account, 'PATCH', '', { name: 'Renamed' }))
  app.clock.advance(60_000)
  assert.equal(await bytes(account, file.id), answer.body)

  assert.deepEqual(refused(await make(account)), [409, 'batch_empty'])
  const events = await db.many<{ type: string }>`
    select type from events where account_id = ${account.id} and subject_id = ${file.id} order by at, id`
  assert.deepEqual(
    events.map(({ type }) => type),
    ['payment-file.created', 'payment-file.downloaded', 'payment-file.downloaded'],
  )
  const allEvents = await db.many<{ data: unknown }>`select data from told_events where account_id = ${account.id}`
  assert.doesNotMatch(JSON.stringify(allEvents), /FR7630|DE8937/)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a file cannot be downloaded again once a payout of it changed, and not without a fresh proof', async () => {
  const account = await aEuroAccount(app)
  const payees = [await aEuroPayee(app, account), await aEuroPayee(app, account)]
  const ids: string[] = []
  for (const payee of payees) ids.push((await aPayout(app, account, payee, 10_00)).id)
  const file = await made(account)
  await bytes(account, file.id)
  app.clock.advance(11 * 60_000)
  assert.deepEqual(refused(await download(account, file.id)), [403, 'password_first'])
  await renew(account)

  const { status } = await cancel(account, ids[0]!)
  assert.equal(status, 'canceled')
  assert.deepEqual(refused(await download(account, file.id)), [409, 'payment_file_spent'])
  assert.equal(await stateOf(account, file.id), 'spent')
  const next = await made(account)
  assert.deepEqual([next.count, next.number], [1, 2])
  await bytes(account, next.id)

  // details replaced: it stays in the file, which can't be downloaded again
  await enterEuroDetails(app, payees[1]!, { name: 'Other Holder' })
  await renew(account)
  const shown = await getPayout(app, account, ids[1]!)
  assert.equal(shown.status, 'approved')
  assert.match(shown.failureReason!, /changed after this was put in a payment file/)
  const both = await made(account, { all: undefined, ids: [(await aPayout(app, account, payees[0]!, 1_00)).id] })
  assert.equal(both.count, 1)
  const spent = expectOk(await call(account, 'GET', '/payment-files')).body
  assert.deepEqual(
    spent.items.map(({ number, state }: { number: number; state: string }) => [number, state]),
    [
      [3, 'open'],
      [2, 'open'],
      [1, 'spent'],
    ],
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('details that change while a payout only waits for a file undo its approval', async () => {
  const account = await aEuroAccount(app)
  const payee = await aEuroPayee(app, account)
  const { id } = await aPayout(app, account, payee, 10_00)
  await approve(account, id)
  await enterEuroDetails(app, payee, { name: 'Other Holder' })
  await renew(account)
  assert.equal((await getPayout(app, account, id)).status, 'due')
  assert.deepEqual(refused(await make(account)), [409, 'batch_empty'], 'before 72 hours nothing leaves')
  app.clock.advance(73 * 3_600_000)
  await renew(account)
  const root = await readXml(await bytes(account, (await made(account)).id))
  assert.ok(texts(root, 'Nm').includes('Other Holder'))
})

test('an approved payout that may not be paid any more is not previewed as part of a file', async () => {
  const account = await aEuroAccount(app)
  const [one, two] = [await aEuroPayee(app, account), await aEuroPayee(app, account)]
  const ids: string[] = []
  for (const partner of [one, two]) ids.push((await aPayout(app, account, partner, 10_00 + ids.length)).id)
  for (const id of ids) await approve(account, id)
  const body = { state: 'suspended', reason: 'Asked' }
  expectOk(await app.api('PUT', `/partners/${one.id}`, { token: account.token, body }))
  const preview = expectOk(await showPreview(account)).body
  assert.deepEqual([preview.count, preview.amount, preview.payAmount], [1, 10_01, 10_01])
  const [{ id, error }] = preview.excluded
  assert.deepEqual([id, error.reason, error.values], [ids[0], 'payout_blocked', { blockers: 'Partner is suspended' }])
  assert.equal((await made(account)).count, 1)
})

test('a file is not downloaded while a partner in it is suspended, though all of it waits to be paid', async () => {
  const account = await aEuroAccount(app)
  const partner = await aEuroPayee(app, account)
  await aPayout(app, account, partner, 10_00)
  const file = await made(account)
  const first = await bytes(account, file.id)
  const become = async (state: string) => {
    const body = { state, reason: 'Asked' }
    expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body }))
  }
  await become('suspended')
  assert.deepEqual(refused(await download(account, file.id)), [409, 'payment_file_spent'])
  assert.equal(await stateOf(account, file.id), 'open')
  await become('active')
  assert.equal(await bytes(account, file.id), first)
})

test('who may make a file, on which days, and of what', async () => {
  const account = await aEuroAccount(app, { paydays: { every: 'month', days: [31] } })
  const payee = await aEuroPayee(app, account)
  const due = await aPayout(app, account, payee, 10_00)
  // details of another kind are not reached
  expectOk(await call(account, 'DELETE', '/payout-methods/sepa'))
  const elsewhere = await aPayout(app, account, await aPayee(app, account), 20_00)
  await switchSepaOn(app, account)
  const blocked = await aPayout(app, account, await aEuroPayee(app, account), 30_00)
  expectOk(
    await app.api('PUT', `/partners/${blocked.partnerId}`, {
      ...{ token: account.token, body: { approvedPayoutYears: [] } },
    }),
  )
  const ids = [elsewhere.id, blocked.id, due.id]
  const preview = expectOk(await showPreview(account, { all: undefined, ids })).body
  assert.deepEqual(
    [preview.count, preview.amount, preview.excluded.map((one: { error: { reason: string } }) => one.error.reason)],
    [1, 10_00, ['details_out_of_reach', 'payout_blocked']],
  )
  const day = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
  for (const [executionDate, reason] of [
    [day(-1), 'execution_date_wrong'],
    [day(31), 'execution_date_wrong'],
  ])
    assert.deepEqual(refused(await make(account, { executionDate })), [422, reason])
  assert.deepEqual(refused(await make(account, { method: 'csv', executionDate: day(0) })), [
    422,
    'execution_date_of_bank',
  ])
  assert.equal((await make(account, { ids: [due.id] })).status, 422, 'ids and all')
  assert.equal((await call(account, 'POST', '/payment-files', { method: 'sepa' })).status, 422)
  assert.equal((await make(account, {}, payee.token)).status, 403)
  const stranger = await aEuroAccount(app)
  assert.equal((await make(account, {}, stranger.token)).status, 404)
  const key = expectOk(await call(account, 'POST', '/api-keys', { name: 'reads', rights: ['read'] })).body.key
  for (const path of ['/payment-files', '/payment-files/csv'])
    assert.equal((await call(account, 'GET', path, undefined, key)).status, 403)

  // thirty days on may be another year
  const approvedPayoutYears = [day(0), targetDayFrom(day(30))].map((date) => Number(date.slice(0, 4)))
  expectOk(
    await app.api('PUT', `/partners/${due.partnerId}`, {
      ...{ token: account.token, body: { approvedPayoutYears: [...new Set(approvedPayoutYears)] } },
    }),
  )
  const file = await made(account, { executionDate: day(30) })
  assert.deepEqual([file.count, file.amount, file.executionDate], [1, 10_00, targetDayFrom(day(30))])
  assert.equal((await download(account, file.id, key)).status, 403)
  for (const { token } of [stranger, payee]) {
    assert.ok([403, 404].includes((await call(account, 'GET', `/payment-files/${file.id}`, undefined, token)).status))
    assert.ok([403, 404].includes((await download(account, file.id, token)).status))
  }
  expectOk(await call(account, 'DELETE', '/payout-methods/sepa'))
  assert.deepEqual(refused(await make(account)), [422, 'method_not_on'])
  await bytes(account, file.id)
  const csv = expectOk(await call(account, 'GET', '/payment-files/csv')).body
  assert.match(csv, /"messageId"/)
})

test('another person approves first above a ceiling; what lacks one is left out and counted', async () => {
  const account = await aEuroAccount(app)
  const email = anEmail('finance')
  const { url } = expectOk(await call(account, 'POST', '/members', { email, role: 'finance' })).body
  await acceptInvitation(app, url)
  expectOk(
    await call(account, 'PUT', '/auto-payout-settings', {
      ...{ maxPerPayout: 50_00, approvalsAboveCeiling: 2 },
    }),
  )
  app.clock.advance(73 * 3_600_000)
  await renew(account)
  const large = await aPayout(app, account, await aEuroPayee(app, account), 60_00)
  assert.deepEqual(refused(await make(account)), [409, 'second_person_needed'])
  await aPayout(app, account, await aEuroPayee(app, account), 10_00)
  const preview = expectOk(await showPreview(account)).body
  assert.deepEqual([preview.count, preview.firstApprovals], [1, 1])
  const once = {
    ...{ token: account.token, body: { method: 'sepa', all: true, shown: preview.payouts } },
    headers: { 'idempotency-key': 'one-file' },
  }
  for (const replayed of [null, 'true']) {
    const { body, headers } = expectOk(await app.api('POST', `/accounts/${account.id}/payment-files`, once))
    assert.deepEqual([body.count, headers.get(LEFT_OUT), headers.get('idempotency-replayed')], [1, '1', replayed])
  }
  const token = (await signIn(app, email)).token
  expectOk(await app.api('POST', `/payouts/${large.id}/approve`, { token, body: {} }))
  const whole = expectOk(await make(account))
  assert.deepEqual([whole.body.count, whole.body.amount, whole.headers.get(LEFT_OUT)], [1, 60_00, null])
})

test('a bank’s rejections make payouts due again, by its most exact word; the next file tells them apart', async () => {
  const account = await aEuroAccount(app)
  const payees = [await aEuroPayee(app, account), await aEuroPayee(app, account), await aEuroPayee(app, account)]
  const numbers: number[] = []
  for (const payee of payees) numbers.push((await aPayout(app, account, payee, 10_00)).statementNumber)
  const [a, b, c] = numbers.map((number) => `PO-${number}`) as [string, string, string]
  const { messageId } = await made(account)
  const report = statusReport(messageId, { [a]: 'RJCT', [b]: 'ACSC' }, 'AM04')
  assert.deepEqual(await upload(account, report, true), [['approved due', 'approved approved'], 0])
  assert.deepEqual(await upload(account, report), [['approved due', 'approved approved'], 1])
  assert.deepEqual(await upload(account, report), [['due due', 'approved approved'], 0])
  const [first] = await listPayouts(app, account, payees[0]!)
  assert.equal(first!.status, 'due')
  // of the details: they must be corrected first
  assert.deepEqual(await upload(account, statusReport(messageId, { [c]: 'RJCT' }, 'AC04')), [['approved due'], 1])
  const [third] = await listPayouts(app, account, payees[2]!)
  assert.deepEqual(third!.blockers, [
    { code: 'details-rejected', message: 'Payout details were rejected: The account is closed (AC04)' },
  ])

  const again = await made(account)
  assert.equal(again.count, 1)
  assert.deepEqual(texts(await readXml(await bytes(account, again.id)), 'EndToEndId'), [`${a}-2`])
  // late news of the first file concern nothing that waits now
  assert.deepEqual(await upload(account, report), [['approved approved', 'approved approved'], 0])
  assert.deepEqual(await booked(account, { reference: a, amount: '10.00' }), [['result_of_earlier_file'], 0])
  assert.deepEqual(await booked(account, { reference: `${a}-2`, amount: '10.00' }), [['approved paid'], 1])
  assert.equal((await getPayout(app, account, first!.id)).externalReference, `${a}-2`)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a statement marks as paid what is ours and exact, once, and returns what came back', async () => {
  const account = await aEuroAccount(app)
  const payees = [await aEuroPayee(app, account), await aEuroPayee(app, account)]
  const [one, two] = [await aPayout(app, account, payees[0]!, 10_00), await aPayout(app, account, payees[1]!, 20_00)]
  const [a, b] = [`PO-${one.statementNumber}`, `PO-${two.statementNumber}`]
  await made(account)
  const wrong: [Booking[], string][] = [
    [[{ reference: a, amount: '10.01' }], 'result_amount_differs'],
    [[{ reference: a, amount: '10.004' }], 'result_amount_differs'],
    [[{ reference: a, amount: '10.00', currency: 'USD' }], 'result_amount_differs'],
    [[{ reference: 'PO-99999', amount: '10.00' }], 'result_unknown'],
    [[{ reference: `${a}-2`, amount: '10.00' }], 'result_unknown'],
    [[{ reference: a, amount: '10.00', status: 'PDNG' }], 'approved approved'],
    [[{ reference: a, amount: '10.00', day: '2020-01-01' }], 'result_before_approval'],
    [[{ messageId: 'TRB-other-1', amount: '30.00' }], 'result_unknown'],
  ]
  for (const [bookings, reason] of wrong)
    assert.deepEqual(await booked(account, ...bookings), [[reason], 0], JSON.stringify(bookings))
  const elsewhere = buildStatement([{ reference: a, amount: '10.00', day: today() }], 'NL91ABNA0417164300')
  assert.deepEqual(await upload(account, elsewhere), [['result_account_differs'], 0])
  assert.deepEqual(await booked(account, { reference: 'RENT', amount: '10.00' }), [[], 0])
  assert.deepEqual(await upload(account, statusReport('TRB-other-1', { [a]: 'RJCT' })), [['result_unknown'], 0])

  const left = { reference: a, amount: '10.00' }
  assert.deepEqual(await booked(account, left), [['approved paid'], 1])
  assert.deepEqual(await booked(account, left), [['paid paid'], 0])
  assert.deepEqual((await getPayout(app, account, one.id)).paidOn, today())
  assert.deepEqual(await booked(account, left, left), [['paid paid', 'result_paid_twice'], 0])
  assert.deepEqual(await booked(account, { reference: b, amount: '20.00' }, { reference: b, amount: '20.00' }), [
    ['approved paid', 'result_paid_twice'],
    1,
  ])

  const back = { reference: a, amount: '10.00', returned: 'AC06' }
  assert.deepEqual(await booked(account, back), [['paid returned'], 1])
  assert.deepEqual(await booked(account, back), [['returned returned'], 0])
  assert.deepEqual(await booked(account, left), [['returned returned'], 0])
  const { paid, due } = await getBalance(app, account, payees[0]!)
  assert.deepEqual([paid, due], [0, 10_00])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a booking that a report tells twice is paid once; another one is a second payment', async () => {
  const account = await aEuroAccount(app)
  const { id, statementNumber } = await aPayout(app, account, await aEuroPayee(app, account), 10_00)
  await made(account)
  const booking = (bankReference: string | null, day = today()) => {
    const [, entry] = /(<Ntry>.*<\/Ntry>)/.exec(
      buildStatement([{ reference: `PO-${statementNumber}`, amount: '10.00', day }]),
    )!
    const own = bankReference === null ? '' : `<AcctSvcrRef>${bankReference}</AcctSvcrRef>`
    return entry!.replace('<NtryDtls>', `${own}<NtryDtls>`)
  }
  const statements = (...each: string[][]) =>
    each.reduce(
      (text, entries) => {
        const [begin, end] = buildStatement([]).match(/<Stmt>.*(?=<\/Stmt>)|<\/Stmt>/g)!
        return text.replace('</BkToCstmrStmt>', `${begin}${entries.join('')}${end}</BkToCstmrStmt>`)
      },
      buildStatement([]).replace(/<Stmt>.*<\/Stmt>/, ''),
    )
  const later = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const mt940 = (...references: string[][]) =>
    references
      .map((some) =>
        [
          ...[':20:S', `:25:${sepaDebtor.iban}`, ':28C:1/1', ':60F:C260101EUR0,00'],
          ...some.flatMap((one) => [
            `:61:${today().slice(2).replaceAll('-', '')}D10,00NTRFNONREF//${one}`,
            `:86:116?00SEPA?20EREF+PO-${statementNumber}`,
          ]),
          ...[':62F:C260101EUR0,00', '-'],
        ].join('\r\n'),
      )
      .join('\r\n')
  assert.deepEqual(await upload(account, statements([booking('A1')], [booking('A1')])), [
    ['approved paid', 'paid paid'],
    1,
  ])
  const once: string[] = [
    statements([booking('A1'), booking('A1')]),
    statements([booking(null)], [booking(null)]),
    statements([booking(null)], [booking('A1')]),
    mt940(['B7'], ['B7']),
    mt940(['NONREF'], ['NONREF']),
  ]
  for (const file of once) assert.deepEqual(await upload(account, file), [['paid paid', 'paid paid'], 0], file)
  const twice = [
    statements([booking(null), booking(null)]),
    statements([booking('A1'), booking('A2')]),
    statements([booking('A1')], [booking('A2')]),
    statements([booking(null)], [booking(null, later(1))]),
    mt940(['B7', 'B8']),
    mt940(['NONREF', 'NONREF']),
  ]
  for (const file of twice) assert.deepEqual(await upload(account, file), [['paid paid', 'result_paid_twice'], 0], file)
  // days of one booking differ by report, but not by a week
  assert.deepEqual(await upload(account, statements([booking('A1', later(2))])), [['paid paid'], 0])
  assert.deepEqual(await upload(account, statements([booking('A1', later(12))])), [['result_paid_twice'], 0])
  assert.equal((await getPayout(app, account, id)).status, 'paid')
})

for (const isOneOwner of [true, false])
  test(`two accounts of ${isOneOwner ? 'one owner' : 'two owners'} may pay from one bank account: its report pays nobody of the other`, async () => {
    const [one, other] = [await aEuroAccount(app), await aEuroAccount(app)]
    if (isOneOwner) {
      await db.run`
    insert into user_roles (user_id, type, account_id, created_at)
    select owner_id, 'account-owner', ${other.id}, now() from accounts where id = ${one.id}`
      await db.run`update accounts set owner_id = (select owner_id from accounts where id = ${one.id}) where id = ${other.id}`
    } else await db.run`update method_secrets set hint = '3000' where account_id = any(${[one.id, other.id]}::uuid[])`
    const files: string[] = []
    const ids: string[] = []
    for (const account of [one, other]) {
      const { id, statementNumber } = await aPayout(app, account, await aEuroPayee(app, account), 50_00)
      assert.equal(statementNumber, 1)
      ids.push(id)
      files.push(await bytes(account, (await made(account)).id))
    }
    const [reference] = texts(await readXml(files[0]!), 'EndToEndId')
    const report = buildStatement([{ reference: reference!, amount: '50.00', day: today() }])
    assert.deepEqual(await upload(other, report), [['result_unknown'], 0])
    assert.deepEqual(await upload(one, report), [['approved paid'], 1])
    assert.equal((await getPayout(app, other, ids[1]!)).status, 'approved')
    for (const { id } of [one, other]) await payAlone(db, id)
  })

test('a return before its payment, one of a payout paid by hand, and a canceled one', async () => {
  const account = await aEuroAccount(app)
  const ids: string[] = []
  const names: string[] = []
  for (const amount of [10_00, 20_00, 30_00]) {
    const { id, statementNumber } = await aPayout(app, account, await aEuroPayee(app, account), amount)
    ids.push(id)
    names.push(`PO-${statementNumber}`)
  }
  const [a, b, c] = names as [string, string, string]
  const { messageId } = await made(account)
  assert.deepEqual(await booked(account, { reference: a, amount: '10.00', returned: 'MS03' }), [
    ['approved returned'],
    1,
  ])
  assert.deepEqual(await booked(account, { reference: a, amount: '10.00' }), [['returned returned'], 0])

  expectOk(await markPaid(account, ids[1]!, { reference: 'wire', inFile: 'removed' }))
  for (const booking of [{}, { returned: 'AC04' }])
    assert.deepEqual(await booked(account, { reference: b, amount: '20.00', ...booking }), [['result_by_hand'], 0])
  assert.equal((await getPayout(app, account, ids[1]!)).status, 'paid')

  await cancel(account, ids[2]!)
  assert.deepEqual(await booked(account, { reference: c, amount: '30.00' }), [['result_of_canceled'], 0])
  assert.deepEqual(await upload(account, statusReport(messageId, { [c]: 'RJCT' })), [['canceled canceled'], 0])
  expectOk(
    await app.api('POST', `/payouts/${ids[2]}/mark-paid`, { token: account.token, body: { reference: 'after all' } }),
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('whoever marks a payout in a file as paid says whether the file paid it, which its results then know', async () => {
  const account = await aEuroAccount(app)
  const ids: string[] = []
  const names: string[] = []
  for (const amount of [10_00, 20_00, 30_00]) {
    const { id, statementNumber } = await aPayout(app, account, await aEuroPayee(app, account), amount)
    ids.push(id)
    names.push(`PO-${statementNumber}`)
  }
  const [a, b, c] = ids as [string, string, string]
  assert.deepEqual(refused(await markPaid(account, a, { inFile: 'paid' })), [409, 'payout_not_in_payment_file'])
  const file = await made(account)
  const { partnerName } = await getPayout(app, account, a)

  const unsaid = await markPaid(account, a, { reference: 'Wire 1' })
  assert.deepEqual(refused(unsaid), [409, 'payout_in_payment_file'])
  assert.equal(
    unsaid.body.error.message,
    `${names[0]} is in payment file ${file.number}. If the bank also runs this file, ${partnerName} is paid twice.`,
  )
  const many = await call(account, 'POST', '/payouts/mark-paid', { ids: [a, b], reference: 'Wire' })
  assert.deepEqual(
    expectOk(many).body.results.map(({ error }: { error: { reason: string } }) => error.reason),
    ['payout_in_payment_file', 'payout_in_payment_file'],
  )
  assert.equal(await stateOf(account, file.id), 'open')
  assert.equal((await markPaid(account, a, { inFile: 'removed' })).status, 422, 'another way has a reference')

  // a wire besides, after it was taken out of the file at the bank; and two that the bank paid from the file
  const wired = expectOk(await markPaid(account, a, { reference: 'Wire 1', inFile: 'removed' })).body
  assert.deepEqual([wired.method, wired.externalReference], ['manual', 'Wire 1'])
  const together = await call(account, 'POST', '/payouts/mark-paid', { ids: [b], inFile: 'paid' })
  assert.deepEqual(
    expectOk(together).body.results,
    [{ id: b, status: 'paid', error: null }],
    'the file has the reference',
  )
  const paid = await getPayout(app, account, b)
  assert.deepEqual([paid.status, paid.method, paid.externalReference], ['paid', 'sepa', names[1]])
  assert.equal(await stateOf(account, file.id), 'spent')

  const report = buildStatement([
    { reference: names[0]!, amount: '10.00', day: today() },
    { reference: names[1]!, amount: '20.00', day: today() },
    { reference: names[2]!, amount: '30.00', day: today() },
  ])
  const { rows, applied } = expectOk(
    await call(account, 'POST', '/payouts/results', { file: report, dryRun: false }),
  ).body
  const already = `Already marked as paid on ${dayInWords(today())}`
  assert.deepEqual(
    rows.map((row: PayoutResults['rows'][number]) => [row.was, row.becomes, row.error?.message ?? row.note]),
    [
      ['paid', 'paid', `${already}, with Wire 1.`],
      ['paid', 'paid', `${already}.`],
      ['approved', 'paid', null],
    ],
  )
  assert.equal(applied, 1)
  assert.equal(await stateOf(account, file.id), 'done')
  assert.deepEqual(refused(await markPaid(account, c, { reference: 'x' })), [409, 'payout_not_markable'])

  // what the file paid may still come back; what it did not pay may not
  assert.deepEqual(
    await booked(
      account,
      { reference: names[0]!, amount: '10.00', returned: 'MS03' },
      { reference: names[1]!, amount: '20.00', returned: 'MS03' },
    ),
    [['result_by_hand', 'paid returned'], 1],
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('details rejected by a return are those of the file, although its payout was due again before it was paid', async () => {
  const account = await aEuroAccount(app)
  const payees = [await aEuroPayee(app, account), await aEuroPayee(app, account)] as const
  const [a, b] = [await aPayout(app, account, payees[0], 10_00), await aPayout(app, account, payees[1], 20_00)].map(
    ({ statementNumber }) => `PO-${statementNumber}`,
  ) as [string, string]
  const { messageId } = await made(account)
  await upload(account, statusReport(messageId, { [a]: 'RJCT', [b]: 'RJCT' }, 'AM04'))
  await enterEuroDetails(app, payees[1], { name: 'Other Holder' })
  await renew(account)
  const left = [
    { reference: a, amount: '10.00' },
    { reference: b, amount: '20.00' },
  ]
  assert.deepEqual(await booked(account, ...left), [['due paid', 'due paid'], 2])
  const back = left.map((one) => ({ ...one, returned: 'AC04' }))
  assert.deepEqual(await booked(account, ...back), [['paid returned', 'paid returned'], 2])
  const rejected = await Promise.all(
    payees.map(async (payee) =>
      (await listPayouts(app, account, payee))
        .flatMap(({ blockers }) => blockers)
        .some(({ code }) => code === 'details-rejected'),
    ),
  )
  assert.deepEqual(rejected, [true, false])
  assert.deepEqual(await verifyLedger(db), [])
})

test('of two rejected payouts that are joined, the one that ends is still known by what its file pays', async () => {
  const account = await aEuroAccount(app)
  const partner = await aEuroPayee(app, account)
  const filed = async (amount: number) => {
    const { id, statementNumber } = await aPayout(app, account, partner, amount)
    const { messageId } = await made(account)
    return { id, reference: `PO-${statementNumber}`, messageId }
  }
  const [one, two] = [await filed(100_00), await filed(70_00)]
  for (const { messageId, reference } of [two, one])
    assert.deepEqual(await upload(account, statusReport(messageId, { [reference]: 'RJCT' }, 'AM04')), [
      ['approved due'],
      1,
    ])
  const ended = await getPayout(app, account, two.id)
  assert.deepEqual([ended.status, ended.amount, ended.method], ['canceled', 70_00, 'sepa'])
  assert.deepEqual(await booked(account, { reference: two.reference, amount: '70.00' }), [['result_of_canceled'], 0])
  expectOk(await app.api('POST', `/payouts/${two.id}/mark-paid`, { token: account.token, body: { reference: 'Bank' } }))
  const { due, paid } = await getBalance(app, account, partner)
  assert.deepEqual([due, paid], [100_00, 70_00])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a report that repeats a file of many payouts is refused: each time would be a row for each', async () => {
  const account = await aEuroAccount(app)
  for (let left = 3; left > 0; left--) await aPayout(app, account, await aEuroPayee(app, account), 10_00)
  const { messageId } = await made(account)
  const order = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId><PmtInfSts>ACCP</PmtInfSts></OrgnlPmtInfAndSts>`
  const report = (orders: number) =>
    `<Document><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId></OrgnlGrpInfAndSts>${order.repeat(orders)}</CstmrPmtStsRpt></Document>`
  const ask = (orders: number) => call(account, 'POST', '/payouts/results', { file: report(orders), dryRun: true })
  const { status, body } = await ask(MOST_RESULTS / 2)
  assert.deepEqual([status, body.error.fields], [422, { file: 'Use at most 5000 rows' }])
  assert.equal(expectOk(await ask(100)).body.rows.length, 300)
})

test('one booking of the exact sum, or one rejection, is about every payout of the file', async () => {
  const account = await aEuroAccount(app)
  const payees = [await aEuroPayee(app, account), await aEuroPayee(app, account)]
  for (const payee of payees) await aPayout(app, account, payee, 10_00)
  const { messageId } = await made(account)
  const group = (status: string) =>
    `<Document><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><GrpSts>${status}</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`
  assert.deepEqual(await upload(account, group('ACCP')), [['approved approved', 'approved approved'], 0])
  assert.deepEqual(await upload(account, group('RJCT')), [['approved due', 'approved due'], 2])
  const again = await made(account)
  assert.deepEqual(await booked(account, { messageId: again.messageId, amount: '19.99' }), [['result_sum_differs'], 0])
  const whole = { messageId: again.messageId, amount: '20.00' }
  assert.deepEqual(await booked(account, whole), [['approved paid', 'approved paid'], 2])
  assert.deepEqual(await booked(account, whole), [['paid paid', 'paid paid'], 0])
  assert.deepEqual(await upload(account, group('RJCT')), [['paid paid', 'paid paid'], 0])
  assert.equal(await stateOf(account, again.id), 'done')
  assert.deepEqual(await verifyLedger(db), [])
})

test('files that are no results are refused whatever they contain', async () => {
  const account = await aEuroAccount(app)
  const laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  for (const file of [
    `${laughs}${buildStatement([{ reference: 'PO-1', amount: '&b;' }])}`,
    `<!DOCTYPE l SYSTEM "file:///etc/passwd">${buildStatement([])}`,
    '<a>'.repeat(300_000),
    `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`,
    '<Document/>',
    '<html><body>Sign in</body></html>',
    '<Document><__proto__><b/></__proto__></Document>',
  ])
    for (const field of ['file', 'csv']) {
      const answer = await call(account, 'POST', '/payouts/results', { [field]: file, dryRun: true })
      assert.deepEqual(refused(answer), [422, 'results_not_readable'], file.slice(0, 60))
      assert.deepEqual(Object.keys(answer.body.error.fields), [field])
    }
  const both = await call(account, 'POST', '/payouts/results', { file: 'a', csv: 'a', dryRun: true })
  assert.equal(both.status, 422)
  const large = await call(account, 'POST', '/payouts/results', { file: '<'.repeat(1_000_001), dryRun: true })
  assert.equal(large.status, 422)
})

test('two who make a file at once make files without a payout in common', async () => {
  const account = await aEuroAccount(app)
  for (let at = 0; at < 4; at++) await aPayout(app, account, await aEuroPayee(app, account), 10_00 + at)
  const answers = await Promise.all([make(account), make(account), make(account)])
  const files = answers.filter(({ status }) => status === 201).map(({ body }) => body)
  assert.equal(
    files.reduce((sum, { count }) => sum + count, 0),
    4,
  )
  assert.equal(new Set(files.map(({ number }) => number)).size, files.length)
  assert.ok(answers.every((answer) => answer.status === 201 || refused(answer)[1] === 'batch_empty'))
  assert.equal(sepaDebtor.iban.length, 22)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a payout that is unknown, or another account’s, is refused with its place', async () => {
  const [account, other] = [await aEuroAccount(app), await aEuroAccount(app)]
  const own = await aPayout(app, account, await aEuroPayee(app, account), 10_00)
  const foreign = await aPayout(app, other, await aEuroPayee(app, other), 10_00)
  for (const strange of [foreign.id, newId(), 'po_1'])
    for (const preview of [true, false]) {
      const ids = [own.id, strange]
      const { status, body } = await call(account, 'POST', '/payment-files', { method: 'sepa', ids, preview })
      assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['ids.1']])
    }
  assert.equal((await getPayout(app, account, own.id)).status, 'due')
})

test('a bank’s report and a cancel of the same payout wait for each other in one order', async () => {
  const account = await aEuroAccount(app)
  const partner = await aEuroPayee(app, account)
  const deadlocks = () => db.value<number>`select deadlocks from pg_stat_database where datname = current_database()`
  const before = await deadlocks()
  for (let turn = 0; turn < 12; turn++) {
    const { id, statementNumber } = await aPayout(app, account, partner, 100_00)
    const { messageId } = await made(account)
    const reference = `PO-${statementNumber}`
    const { payAmount } = await getPayout(app, account, id)
    const report =
      turn % 2
        ? statusReport(messageId, { [reference]: 'RJCT' }, 'AM04')
        : buildStatement([{ reference, amount: (payAmount / 100).toFixed(2), day: today() }])
    const both = [
      () => call(account, 'POST', '/payouts/results', { file: report, dryRun: false }),
      () => app.api('POST', `/payouts/${id}/cancel`, { token: account.token }),
    ]
    const answers = await Promise.all((turn % 4 < 2 ? both : both.toReversed()).map((ask) => ask()))
    for (const { status } of answers) assert.ok([200, 409].includes(status), String(status))
  }
  assert.equal((await deadlocks()) - before, 0)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a file approves what was reviewed: more, less, other amounts or other details are refused, and nothing is approved', async () => {
  const account = await aEuroAccount(app)
  const [ann, ben, cid] = [
    await aEuroPayee(app, account),
    await aEuroPayee(app, account),
    await aEuroPayee(app, account),
  ]
  const first = await aPayout(app, account, ann, 100_00)
  const shown = async () => expectOk(await showPreview(account)).body.payouts as ApprovalPreview['payouts']
  const refusedTo = async (body: object) => {
    const { status, body: answer } = await send(account, body)
    return [status, answer.error?.code, answer.error?.reason, answer.error?.values]
  }
  const changed = (added: number, gone: number, different: number) => [
    ...[409, 'payout_changed', 'payouts_changed'],
    { added, gone, changed: different },
  ]
  assert.deepEqual(
    await shown(),
    [first].map(({ id, amount, payAmount, detailsVersion }) => ({ id, amount, payAmount, detailsVersion })),
  )
  assert.deepEqual((await send(account, {})).body.error.fields, { shown: 'Send the payouts of the preview' })

  const before = await shown()
  await bookDue(app, account, ann, 4_000_00)
  const second = await aPayout(app, account, ben, 900_00)
  assert.deepEqual(await refusedTo({ shown: before }), changed(1, 0, 1))
  assert.deepEqual(await refusedTo({ shown: [] }), changed(2, 0, 0))
  const { message, details } = (await send(account, { shown: before })).body.error
  assert.equal(
    message,
    'The payouts have changed since you reviewed them: 1 added, 0 no longer included, 1 with another amount or other payout details. Review them again.',
  )
  assert.deepEqual(details, { added: [second.id], gone: [], changed: [first.id] })
  const states = async () => [
    (await getPayout(app, account, first.id)).status,
    (await getPayout(app, account, second.id)).status,
  ]
  assert.deepEqual(await states(), ['due', 'due'])
  assert.deepEqual(expectOk(await call(account, 'GET', '/payment-files')).body.items, [])

  // ids are compared too, if they are shown: by whatever was
  const [one] = before
  assert.deepEqual(await refusedTo({ all: undefined, ids: [first.id], shown: before }), changed(0, 0, 1))
  const { detailsVersion } = one!
  const named = (some: object) => ({
    all: undefined,
    ids: [first.id],
    shown: [{ id: first.id.toUpperCase(), ...some }],
  })
  assert.deepEqual(await refusedTo(named({ payAmount: 100_00 })), changed(0, 0, 1))
  assert.deepEqual(await refusedTo(named({ detailsVersion: null })), changed(0, 0, 1))

  // a partner who is suspended leaves the file
  const all = await shown()
  expectOk(
    await app.api('PUT', `/partners/${ben.id}`, { token: account.token, body: { state: 'suspended', reason: 'Why' } }),
  )
  assert.deepEqual(await refusedTo({ shown: all }), changed(0, 1, 0))
  expectOk(
    await app.api('PUT', `/partners/${ben.id}`, { token: account.token, body: { state: 'active', reason: 'Why' } }),
  )

  // approved ones that wait for a file are in it
  const third = await aPayout(app, account, cid, 7_00)
  await approve(account, third.id)
  assert.deepEqual(await refusedTo({ shown: all }), changed(1, 0, 0))
  const file = expectOk(await send(account, named({ amount: 4_100_00, payAmount: 4_100_00, detailsVersion }))).body
  assert.deepEqual([file.count, file.amount], [1, 4_100_00])
  const rest = expectOk(await send(account, { shown: await shown() })).body
  assert.deepEqual([rest.count, rest.amount], [2, 907_00])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('money that a bank books back is returned, by its own reversal or a plain credit, one by one or as a whole', async () => {
  const account = await aEuroAccount(app)
  const payees = [await aEuroPayee(app, account), await aEuroPayee(app, account)] as const
  const due = async (at: 0 | 1, amount: number) =>
    `PO-${(await aPayout(app, account, payees[at], amount)).statementNumber}`
  const [a, b] = [await due(0, 100_00), await due(1, 20_00)]
  await made(account)
  const left = [
    { reference: a, amount: '100.00' },
    { reference: b, amount: '20.00' },
  ] as const
  assert.deepEqual(await booked(account, ...left), [['approved paid', 'approved paid'], 2])
  const back = [{ ...left[0], credit: 'reversal' } as const, { ...left[1], credit: 'plain' } as const]
  assert.deepEqual(await booked(account, { ...back[0]!, amount: '99.00' }), [['result_amount_differs'], 0])
  assert.deepEqual(await booked(account, ...back), [['paid returned', 'paid returned'], 2])
  assert.deepEqual(await booked(account, ...back, ...left), [Array(4).fill('returned returned'), 0])
  const owed = async () => Promise.all(payees.map(async (payee) => (await getBalance(app, account, payee)).due))
  assert.deepEqual(await owed(), [100_00, 20_00])
  const returned = (await listPayouts(app, account, payees[0])).find(({ status }) => status === 'returned')
  assert.equal(returned?.failureReason, 'The bank returned it: it reversed the booking.')

  // a file that was booked at once is reversed at once
  const { messageId } = await made(account)
  const whole = { messageId, amount: '120.00' }
  assert.deepEqual(await booked(account, whole, { ...whole, credit: 'reversal' }), [
    ['approved paid', 'approved paid', 'paid returned', 'paid returned'],
    4,
  ])
  assert.deepEqual(await owed(), [100_00, 20_00])
  assert.deepEqual(await verifyLedger(db), [])
})
