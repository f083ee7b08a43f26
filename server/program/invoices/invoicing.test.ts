import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EnteredVatId } from '#contract/invoices.ts'
import { anAccount, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { aPayee, bookDue } from '../../../test/support/payouts.ts'
import { isVatIdIn } from '../invoicing/vat-ids.ts'

const clock = turnableClock('2026-11-20T12:00:00Z')
const app = await startApp({ clock })

const address = { addressLine: 'Torstraße 1', zipCode: '10119', city: 'Berlin', state: null }
const acme = { legalName: 'Acme GmbH', address, country: 'DE', vatId: 'DE123456789', vatRate: 19 }

const read = async (account: TestAccount) =>
  expectOk(await app.api('GET', `/accounts/${account.id}/invoicing`, { token: account.token })).body
const change = async (account: TestAccount, body: Record<string, unknown>) => {
  const { status, body: answer } = await app.api('PUT', `/accounts/${account.id}/invoicing`, {
    token: account.token,
    body,
  })
  return { answer, said: answer.error ? `${status} ${answer.error.reason}` : `${status}` }
}

test('settings are off by default, change field by field, and are in the activity', async () => {
  const account = await anAccount(app)
  const before = await read(account)
  assert.deepEqual([before.enabled, before.required, before.taxForms, before.nextNumber], [false, false, 'off', 1])
  assert.equal((await change(account, { enabled: true })).said, '409 invoicing_incomplete')
  assert.equal((await change(account, { ...acme, vatId: 'FR12345678901' })).said, '422 vat_id_wrong')
  const { answer } = await change(account, { ...acme, country: 'de', vatId: 'de 123 456 789', enabled: true })
  assert.deepEqual(answer, { ...before, ...acme, enabled: true })
  assert.equal((await change(account, { legalName: '' })).said, '409 invoicing_incomplete')
  await change(account, { vatId: null, ein: '123456789', phone: '+1 212 555 0100', taxForms: 'ask' })
  const after = await read(account)
  assert.deepEqual([after.legalName, after.vatId, after.ein, after.taxForms], ['Acme GmbH', null, '12-3456789', 'ask'])
  const { items } = expectOk(await app.api('GET', `/accounts/${account.id}/audit`, { token: account.token })).body
  const [last, first] = items.filter(({ action }: { action: string }) => action === 'invoicing.changed')
  assert.deepEqual(Object.keys(first.changes).sort(), [
    ...['address', 'country', 'enabled', 'legalName', 'vatId', 'vatRate'],
  ])
  assert.deepEqual(last.changes.taxForms, { old: 'off', new: 'ask' })
})

test('the next number goes only up, for a reason', async () => {
  const account = await anAccount(app)
  assert.equal((await change(account, { nextNumber: 118 })).said, '422 number_without_reason')
  const { answer } = await change(account, { nextNumber: 118, prefix: 'A/', reason: 'From the former program' })
  assert.deepEqual([answer.prefix, answer.nextNumber, answer.unsure], ['A/', 118, false])
  assert.equal((await change(account, { nextNumber: 117, reason: 'Oh' })).said, '409 number_goes_up_only')
  assert.equal((await change(account, { nextNumber: 118 })).said, '200')
})

test('the journal names the accounts as the owner does', async () => {
  const account = await anAccount(app, { timeZone: 'UTC' })
  await bookDue(app, account, await aPayee(app, account), 12_00)
  const names = async () => {
    const { body } = expectOk(
      await app.api('GET', `/accounts/${account.id}/journal/2026-11-20..2026-11-20/csv`, { token: account.token }),
    )
    return readCsv(body).rows.map((row) => row.Account)
  }
  assert.deepEqual(await names(), ['Commission expense', 'Commissions payable'])
  await change(account, { journalAccounts: { expense: '4730 Provisionen' } })
  assert.deepEqual(await names(), ['4730 Provisionen', 'Commissions payable'])
  await change(account, { journalAccounts: { expense: ' ', liability: '=1600' } })
  assert.deepEqual(await names(), ['Commission expense', "'=1600"])
  await change(account, { journalAccounts: { liability: null } })
  assert.deepEqual(await names(), ['Commission expense', 'Commissions payable'])
})

test('VAT IDs have the format of their country', () => {
  const right: [string, string][] = [
    ...([
      ['ATU12345678', 'AT'],
      ['BE0123456789', 'BE'],
      ['DE123456789', 'DE'],
      ['EL123456789', 'GR'],
      ['ESX1234567X', 'ES'],
      ['FRXX123456789', 'FR'],
      ['IE1234567WA', 'IE'],
      ['NL123456789B01', 'NL'],
      ['SE123456789001', 'SE'],
      ['XI123456789', 'GB'],
      ['GBGD123', 'GB'],
      ['CHE105918070MWST', 'CH'],
      ['CHE105918070TVA', 'CH'],
      ['CHE105918070IVA', 'CH'],
      ['NO974760673MVA', 'NO'],
      ['FR83404833048', 'MC'],
      ['GB123456789', 'IM'],
      ['XI123456789', 'IM'],
    ] satisfies [string, string][]),
  ]
  for (const [vatId, country] of right) assert.ok(isVatIdIn(vatId, country), vatId)
  const wrong: [string, string | null][] = [
    ['GR123456789', 'GR'],
    ['DE12345678', 'DE'],
    ['DE123456789', 'FR'],
    ['DE123456789', null],
    ['CHE105918070', 'CH'],
    ['CHE105918070MVA', 'CH'],
    ['CHE105918071MWST', 'CH'],
    ['CHE123456788', 'CH'],
    ['NO974760673', 'NO'],
    ['NO974760674MVA', 'NO'],
    ['NO974760673MWST', 'NO'],
    ['MC83404833048', 'MC'],
    ['IM123456789', 'IM'],
    ['GB123456789', 'MC'],
    ['FR83404833048', 'IM'],
    ['US12', 'US'],
    ['', 'DE'],
  ]
  for (const [vatId, country] of wrong) assert.ok(!isVatIdIn(vatId, country), vatId)
})

test('VAT IDs are entered with spaces and punctuation, and Greece’s by either prefix', () => {
  const entered: [string, string][] = [
    ['CHE-105.918.070 MWST', 'CHE105918070MWST'],
    ['no 974 760 673 mva', 'NO974760673MVA'],
    ['gr 027408226', 'EL027408226'],
    ['EL-027.408.226', 'EL027408226'],
    ['CHE‑105·918·070\u00a0IVA', 'CHE105918070IVA'],
    ['ie 1+23456w', 'IE1+23456W'],
    ['NL*+23456789B.01', 'NL*+23456789B01'],
  ]
  for (const [text, vatId] of entered) assert.equal(EnteredVatId.parse(text), vatId)
})
