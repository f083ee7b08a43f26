import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { extractText, getDocumentProxy } from 'unpdf'
import { anAccount, expectOk, signIn, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { brokenRules, readTerms } from '../../../test/support/e-invoices.ts'
import { anInvoice, enableInvoicing, invoiceDetails, listInvoices } from '../../../test/support/invoices.ts'
import { aPayee, aPayout } from '../../../test/support/payouts.ts'
import { transaction } from '../../platform/database/pool.ts'
import { openZip, packZip } from '../../platform/zip.ts'
import { markUnsure } from '../invoicing/series.ts'
import { readDocument } from './present.ts'
import { listFiles } from './zip.ts'

const clock = turnableClock('2026-11-20T12:00:00Z')
const app = await startApp({ clock })
const { db } = app.services

const download = ({ id, token }: TestAccount, query: string) =>
  fetch(`${app.url}/api/v1/accounts/${id}/invoices/zip?${query}`, { headers: { authorization: `Bearer ${token}` } })
const contentsOf = async (answer: Response) => {
  const zip = await openZip(Buffer.from(await answer.arrayBuffer()))
  const files = new Map<string, Buffer>()
  for (const name of zip.entries.keys()) files.set(name, Buffer.concat(await Array.fromAsync(zip.read(name))))
  return files
}

test('all documents of some days are one zip, each as a PDF and, if it can be had so, as XML', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const [jane, rose] = [await aPayee(app, account), await aPayee(app, account)]
  await enableInvoicing(app, account, { prefix: 'A/' })
  const pay = async (partner: typeof jane) => {
    const { id } = await aPayout(app, account, partner, 100_00)
    expectOk(await app.api('POST', `/payouts/${id}/mark-paid`, { token: account.token, body: { reference: 'Wire' } }))
  }
  await invoiceDetails(app, jane)
  // without a VAT ID there is no Peppol ID, and so no XML
  await invoiceDetails(app, rose, { vatId: null, taxNumber: '22/815/08154' })
  await pay(jane)
  await pay(rose)
  clock.advance(86_400_000)
  Object.assign(account, await signIn(app, account.ownerEmail))
  await pay(jane)
  await transaction(db, (tx) => markUnsure(tx))
  await pay(rose)
  const names = async (query: string) => [...(await contentsOf(await download(account, query))).keys()]
  const answer = await download(account, 'from=2026-11-20&to=2026-11-20')
  assert.deepEqual(
    ['content-type', 'content-disposition'].map((name) => answer.headers.get(name)),
    ['application/zip', 'attachment; filename="invoices-2026-11-20..2026-11-20.zip"'],
  )
  const files = await contentsOf(answer)
  assert.deepEqual([...files.keys()], ['A-1.pdf', 'A-1.xml', 'A-2.pdf'])
  const terms = await readTerms(files.get('A-1.xml')!.toString())
  assert.deepEqual([brokenRules(terms), terms['BT-1']], [[], ['A/1']])
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(files.get('A-2.pdf')!)), {
    mergePages: true,
  })
  assert.match(text, /Self-billing invoice A\/2/)
  // the last one waits for its number
  assert.deepEqual(await names('from=2026-11-21&to=2027-11-21'), ['A-3.pdf', 'A-3.xml'])
  assert.deepEqual(await names('from=2025-01-01&to=2025-12-31'), [])
  const refused = async (query: string) => {
    const { status, body } = await app.api('GET', `/accounts/${account.id}/invoices/zip?${query}`, {
      token: account.token,
    })
    return `${status} ${body.error.reason} ${Object.keys(body.error.fields ?? {})}`
  }
  assert.equal(await refused('from=2026-01-01&to=2027-01-02'), '422 too_many_days to')
  assert.equal(await refused('from=2026-01-02&to=2026-01-01'), '422 range_backwards to')
  assert.match(await refused('from=2026-01-02'), /^422/)
  const { token } = await signIn(app, jane.email)
  assert.equal((await download({ ...account, token }, 'from=2026-11-20&to=2026-11-20')).status, 403)
})

test('documents are read no faster than the zip is', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const { id } = await anInvoice(app, account, await aPayee(app, account))
  const [invoice] = await listInvoices(app, account)
  let reads = 0
  const files = listFiles(
    Array.from({ length: 400 }, (_, at) => ({ id, number: `A/${at % 399}`, xml: true })),
    async (one) => {
      reads += 1
      return readDocument(db, account.id, one)
    },
  )
  assert.equal(new Set(files.map(({ name }) => name)).size, 800)
  assert.ok(invoice!.electronic.xml)
  await packZip(files, async (packed) => {
    for await (const piece of packed) {
      assert.ok(piece.length > 0)
      break
    }
    await setTimeout(300)
    // the reader has stopped
    assert.ok(reads < 60, `${reads} documents`)
  })
})
