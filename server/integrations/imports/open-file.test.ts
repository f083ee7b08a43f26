import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportResult } from '#contract/imports.ts'
import { anAccount, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { filesOfWorkbook, zipFiles } from '../../../test/support/workbook.ts'
import { processImport } from './run-import.ts'

const app = await startApp()

const preview = ({ id, token }: TestAccount, body: object) =>
  app.api('POST', `/accounts/${id}/imports/preview`, { token, body })

async function imported({ id, token }: TestAccount, body: object): Promise<ImportResult> {
  const started = expectOk(
    await app.api('POST', `/accounts/${id}/imports`, { token, body: { dryRun: false, ...body } }),
  ).body
  await processImport(app.services, { importId: started.id })
  return expectOk(await app.api('GET', `/imports/${started.id}`, { token })).body
}

const names = async ({ id, token }: TestAccount) =>
  expectOk(await app.api('GET', `/accounts/${id}/leads?sort=createdAt`, { token })).body.items.map(
    ({ firstName }: { firstName: string }) => firstName,
  )

/** Returns what a refused call says. */
function refused({
  status,
  body,
}: {
  status: number
  body: { error: { message: string; fields: { file: string; encoding: string } } }
}) {
  assert.equal(status, 422)
  return body.error
}

const text = (value: string) => `<c t="str"><v>${value}</v></c>`
const row = (number: number, ...cells: string[]) => `<row r="${number}">${cells.map(text).join('')}</row>`
const inBase64 = (bytes: Buffer) => bytes.toString('base64')

test('a sheet of a workbook is chosen, and the row that names its columns; the rest of the workbook is not read', async () => {
  const account = await anAccount(app)
  const leads = row(2, 'Leads; of, May') + row(4, 'Email', 'First name') + row(6, 'ann@w.example', 'Ann; "A", Bo')
  const file = inBase64(await zipFiles(filesOfWorkbook({ Notes: row(1, 'nothing'), Leads: leads })))
  const first = expectOk(await preview(account, { file, kind: 'leads' })).body
  assert.deepEqual([first.sheets, first.sheet, first.columns], [['Notes', 'Leads'], 'Notes', ['nothing']])
  const { body } = expectOk(await preview(account, { file, sheet: 'Leads', kind: 'leads' }))
  assert.deepEqual([body.sheet, body.headerRow, body.columns], ['Leads', 4, ['Email', 'First name']])
  assert.deepEqual(body.top, [
    { row: 2, cells: ['Leads; of, May'] },
    { row: 4, cells: ['Email', 'First name'] },
    { row: 6, cells: ['ann@w.example', 'Ann; "A", Bo'] },
  ])
  const chosen = expectOk(await preview(account, { file, sheet: 'Leads', headerRow: 2, kind: 'leads' })).body
  assert.deepEqual([chosen.headerRow, chosen.columns], [2, ['Leads; of, May']])
  const done = await imported(account, { file, sheet: 'Leads', kind: 'leads' })
  assert.deepEqual(
    [done.state, done.created, done.read],
    ['done', 1, { columns: 2, headerRow: 4, encoding: null, sheet: 'Leads', days: [] }],
  )
  assert.deepEqual(await names(account), ['Ann; "A", Bo'])
  refused(await preview(account, { file, sheet: 'Sales' }))
})

test('a file of bytes is read in the encoding that is found, or chosen', async () => {
  const account = await anAccount(app)
  const csv = 'email,first name\npawel@w.example,Paweł\n'
  const utf16 = Buffer.from(`\ufeff${csv}`, 'utf16le')
  assert.equal(expectOk(await preview(account, { file: inBase64(utf16) })).body.encoding, 'utf-16le')
  const file = inBase64(Buffer.from(csv.replace('ł', '\xb3'), 'latin1'))
  const found = expectOk(await preview(account, { file, kind: 'leads' })).body
  assert.deepEqual([found.encoding, found.rows], ['windows-1252', [['pawel@w.example', 'Pawe³']]])
  const { read } = await imported(account, { file, encoding: 'windows-1250', kind: 'leads' })
  assert.equal(read?.encoding, 'windows-1250')
  assert.deepEqual(await names(account), ['Paweł'])
  const refusal = refused(await preview(account, { file, encoding: 'windows-9' }))
  assert.match(refusal.fields.encoding, /label of an encoding/)
})

test('titles are passed over, or the row that names the columns is chosen', async () => {
  const account = await anAccount(app)
  const csv = 'ID,Address\nin,short\n\nemail,first name\na@w.example,Ann\n'
  const found = expectOk(await preview(account, { csv, kind: 'leads' })).body
  assert.deepEqual([found.headerRow, found.columns], [1, ['ID', 'Address']])
  const chosen = expectOk(await preview(account, { csv, headerRow: 4, kind: 'leads' })).body
  assert.deepEqual([chosen.columns, chosen.rows], [['email', 'first name'], [['a@w.example', 'Ann']]])
  const { created, read } = await imported(account, { csv, headerRow: 4, kind: 'leads' })
  assert.deepEqual([created, read?.headerRow], [1, 4])
  for (const headerRow of [3, 9]) {
    const { message } = refused(await preview(account, { csv, headerRow }))
    assert.equal(message, `The file has no row ${headerRow} that could name the columns.`)
  }
})

test('what is said of days, and other files', async () => {
  const account = await anAccount(app)
  const csv = 'email,amount,sale date\na@w.example,1.00,2026-03-01\nb@w.example,1.00,3/9/26\n'
  const { read } = await imported(account, { csv, kind: 'sales', dryRun: true })
  assert.deepEqual(read?.days, [{ column: 'sale date', written: '3/9/26', day: '2026-03-09' }])
  const broken = await imported(account, { csv: 'email,phone\na@w.example,#REF!\nb@w.example,\n', kind: 'leads' })
  assert.deepEqual([broken.created, broken.errors[0]?.field], [1, 'phone'])
  const says = async (file: Buffer) => refused(await preview(account, { file: inBase64(file) })).message
  assert.match(await says(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])), /save it as .xlsx/)
  assert.match(await says(await zipFiles({ mimetype: 'x', 'content.xml': '<a/>' })), /save it as .xlsx/)
  assert.match(refused(await preview(account, { file: 'a,b\n1,2' })).fields.file, /base64/)
  assert.match(refused(await preview(account, { file: 'YQ==', csv: 'a' })).fields.file, /either csv or file/)
  refused(await preview(account, {}))
})

test('a list of Wise’s transfers is named as such, also in a workbook; other programs’ payments are not', async () => {
  const account = await anAccount(app)
  const words = 'This is a list of Wise transfers. Upload it in Payouts, under More, Upload results.'
  const lists = [
    'recipientId,amount,paymentReference,status,transferId\n700011223,79.84,PO-1064,completed,1000224488\n',
    '\ufeffID;Status;Finished on;Target name;"Target amount (after fees)";Reference\n1;COMPLETED;2026-11-28;Ida Moss;79.84;PO-1\n',
  ]
  for (const csv of lists) {
    for (const kind of ['sales', 'payouts'])
      assert.equal(refused(await preview(account, { csv, kind })).message, words, kind)
    const body = { kind: 'payouts', csv, dryRun: true }
    const started = await app.api('POST', `/accounts/${account.id}/imports`, { token: account.token, body })
    assert.equal(refused(started).message, words)
  }
  const columns = ['recipientId', 'amount', 'paymentReference', 'status']
  const file = inBase64(
    await zipFiles(filesOfWorkbook({ Transfers: row(1, ...columns) + row(2, '7', '1.00', 'PO-1', 'sent') })),
  )
  assert.equal(refused(await preview(account, { file, kind: 'sales' })).message, words)
  const referrals =
    'Affiliate ID,Email,Name,Amount,Currency,Reference,Context,Status,Date\n1,a@b.example,Ann,1.00,USD,7,woo,paid,2026-01-01\n'
  assert.equal(expectOk(await preview(account, { csv: referrals, kind: 'sales' })).body.format, 'affiliatewp')
})
