import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Invoice } from '#contract/invoices.ts'
import { anAccount, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { brokenRules, readTerms } from '../../../test/support/e-invoices.ts'
import { enableInvoicing, hamburg, invoiceDetails, listInvoices } from '../../../test/support/invoices.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { aPayee, aPayout } from '../../../test/support/payouts.ts'
import { transaction } from '../../platform/database/pool.ts'
import { markReturned } from '../payouts/apply-transfer.ts'
import { writeCii } from './cii.ts'
import { toTerms } from './en16931.ts'
import { readDocument } from './present.ts'

const app = await startApp({ clock: turnableClock('2026-11-20T12:00:00Z') })
const { db } = app.services

const call = async (account: TestAccount, method: string, path: string, body?: object) =>
  expectOk(await app.api(method, path, { token: account.token, body })).body
const pay = async (account: TestAccount, id: string) =>
  call(account, 'POST', `/payouts/${id}/mark-paid`, { reference: 'Wire' })
const xmlOf = async (account: TestAccount, { id }: Invoice) =>
  fetch(`${app.url}/api/v1/invoices/${id}`, {
    headers: { authorization: `Bearer ${account.token}`, accept: 'application/xml' },
  })
const ciiOf = async (account: TestAccount, { id }: Invoice) => {
  const { document, form } = await readDocument(db, account.id, id)
  return readTerms(writeCii(toTerms(document, form)))
}

test('in Germany: 130.00 earned and 30.00 taken back are lines of an invoice over 119.00, and of its credit note', async () => {
  const account = await anAccount(app, {
    ...{ defaultCurrency: 'eur', payoutDelay: 0, minimumPayout: 0 },
    defaultCommissionSettings: { layerRates: [20] },
  })
  const partner = await aPayee(app, account)
  await enableInvoicing(app, account)
  await invoiceDetails(app, partner)
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, {
    ...{ email: 'buyer@mail.example', partnerId: partner.id },
  })
  const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 650_00 })
  await call(account, 'POST', `/sales/${sale.id}/refunds`, { amount: 150_00, reason: 'Fewer seats' })
  await call(account, 'POST', `/accounts/${account.id}/payouts/refresh`)
  const [payout] = (await call(account, 'GET', `/partners/${partner.id}/payouts`)).items
  await pay(account, payout.id)
  const facts = await readAccountFacts(db, account.id)
  const change = { old: 'paid', new: 'returned' }
  await transaction(db, (tx) => markReturned(tx, facts, payout.id, { reason: 'Back', change }))
  const [invoice, note] = await listInvoices(app, account)
  for (const [one, typeCode] of [
    [invoice!, '389'],
    [note!, '261'],
  ] as const) {
    const terms = await readTerms(await (await xmlOf(account, one)).text())
    assert.deepEqual(brokenRules(terms), [])
    assert.deepEqual(
      ['BT-3', 'BT-106', 'BT-110', 'BT-115'].map((term) => terms[term as 'BT-3']),
      [[typeCode], ['100.00'], ['19.00'], ['119.00']],
    )
    assert.deepEqual(
      terms.lines.map((line) => [line['BT-129'], line['BT-131'], line['BT-146']].flat()),
      [
        ['1', '130.00', '130.00'],
        ['-1', '-30.00', '30.00'],
      ],
    )
  }
})

test('a small business in Germany with a tax number alone, and a partner in the US without one', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const [small, abroad] = [await aPayee(app, account), await aPayee(app, account)]
  await enableInvoicing(app, account)
  await invoiceDetails(app, small, { vatId: null, taxNumber: '22/815/08154', smallBusiness: true })
  await invoiceDetails(app, abroad, { ...hamburg, country: 'US', vatId: null })
  for (const partner of [small, abroad]) await pay(account, (await aPayout(app, account, partner, 100_00)).id)
  const [exempt, plain] = await listInvoices(app, account)
  assert.deepEqual([exempt!.treatment, exempt!.gross], ['exempt', 100_00])
  const terms = await ciiOf(account, exempt!)
  assert.deepEqual([terms['BT-32'], terms['BT-31'], terms.breakdown[0]!['BT-118']], [['22/815/08154'], [], ['E']])
  assert.deepEqual(
    [plain!.gross, plain!.electronic],
    [100_00, { xml: false, pdf: false, missing: ['taxNumber', 'peppolId'] }],
  )
  const pdf = await fetch(`${app.url}/api/v1/invoices/${plain!.id}`, {
    headers: { authorization: `Bearer ${account.token}`, accept: 'application/pdf' },
  })
  assert.ok(!Buffer.from(await pdf.arrayBuffer()).includes('factur-x.xml'))
  assert.equal((await xmlOf(account, plain!)).status, 409)
})
