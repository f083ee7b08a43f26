import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Treatment } from '#contract/invoices.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { sql } from '../../platform/database/sql.ts'
import { findTreatment, taxOn, taxOnSql, toVatRate, treatmentWords } from './treatment.ts'

type Row = [account: string, partner: string, expected: Treatment | null]

/** A country and, with a plus, a VAT ID; with a t, a tax number; a small business has an s. */
const party = (text: string) => {
  const [, country, vat, tax, small] = /^([A-Z]{2})(\+?)(t?)(s?)$/.exec(text)!
  return { country: country!, vatId: vat ? 'X' : null, taxNumber: tax ? '1' : null, smallBusiness: small === 's' }
}

/** Every combination of both countries, VAT IDs and small businesses. */
const table: Row[] = [
  // in the EU, with a VAT ID
  ['DE+', 'DE+', 'standard'],
  ['DE+', 'DE', null],
  ['DE+', 'DE+s', 'exempt'],
  ['DE+', 'DEs', null],
  ['DE+', 'DEts', 'exempt'],
  ['DE+', 'DEt', 'standard'],
  ['DE+', 'FRt', null],
  ['FR+', 'FRt', null],
  ['FR+', 'FRs', 'exempt'],
  ['DE', 'DEt', 'standard'],
  ['DE+', 'FR+', 'reverse-charge'],
  ['DE+', 'FR', null],
  ['DE+', 'FR+s', 'reverse-charge'],
  ['DE+', 'FRs', null],
  ['DE+', 'US', 'reverse-charge'],
  ['DE+', 'USs', 'reverse-charge'],
  ['DE+', 'GB+', 'reverse-charge'],
  ['DE+', 'GB', 'reverse-charge'],
  ['DE+', 'GR+', 'reverse-charge'],
  ['GR+', 'GR+', 'standard'],
  // in the EU, without
  ['DE', 'DE+', 'standard'],
  ['DE', 'DE', null],
  ['DE', 'DE+s', 'exempt'],
  ['DE', 'FR+', null],
  ['DE', 'FR', null],
  ['DE', 'US', null],
  // in the United Kingdom
  ['GB+', 'GB+', 'standard'],
  ['GB+', 'GB', null],
  ['GB+', 'GBs', 'exempt'],
  ['GB+', 'DE+', 'reverse-charge'],
  ['GB+', 'DE', null],
  ['GB+', 'US', 'reverse-charge'],
  ['GB', 'DE+', null],
  ['GB', 'US', null],
  // in the territory of another country
  ['FR+', 'MC+', 'standard'],
  ['FR+', 'MC', null],
  ['FR+', 'MCs', 'exempt'],
  ['MC+', 'FR+', 'standard'],
  ['MC+', 'MC+', 'standard'],
  ['MC+', 'DE+', 'reverse-charge'],
  ['MC+', 'DE', null],
  ['MC+', 'US', 'reverse-charge'],
  ['DE+', 'MC+', 'reverse-charge'],
  ['DE+', 'MC', null],
  ['US', 'MC', 'outside-scope'],
  ['GB+', 'IM+', 'standard'],
  ['IM+', 'GBs', 'exempt'],
  ['IM+', 'FR+', 'reverse-charge'],
  ['DE+', 'IM', 'reverse-charge'],
  // elsewhere
  ['CH+', 'CH+', 'standard'],
  ['CH+', 'DE+', 'outside-scope'],
  ['NO+', 'NO+', 'standard'],
  ['US', 'US', null],
  ['US', 'USs', 'exempt'],
  ['US', 'DE+', 'outside-scope'],
  ['US', 'DE', 'outside-scope'],
  ['US', 'DEs', 'outside-scope'],
  ['US', 'GB', 'outside-scope'],
  ['US', 'BR', 'outside-scope'],
  ['NO', 'DE+', 'outside-scope'],
]

test('the treatment follows from both countries, VAT IDs and small businesses', () => {
  for (const [account, partner, expected] of table)
    assert.equal(findTreatment(party(account), party(partner)), expected, `${account} for ${partner}`)
  assert.equal(findTreatment({ country: null, vatId: null }, party('DE+')), null)
})

test('VAT is charged by the standard treatment alone, and each other says why not', () => {
  assert.equal(toVatRate('standard', { vatRate: 19 }), 19)
  assert.equal(toVatRate('standard', { vatRate: null }), 0)
  for (const treatment of ['exempt', 'reverse-charge', 'outside-scope'] as const) {
    assert.equal(toVatRate(treatment, { vatRate: 19 }), 0)
    assert.ok(treatmentWords(treatment, { country: 'DE' }))
  }
  assert.equal(treatmentWords('standard', { country: 'DE' }), null)
  assert.equal(treatmentWords('reverse-charge', { country: 'GB' }), 'Reverse charge')
  assert.equal(treatmentWords('reverse-charge', { country: 'IM' }), 'Reverse charge')
  assert.match(treatmentWords('reverse-charge', { country: 'DE' })!, /^Reverse charge \(Art\. 44 and 196/)
})

test('VAT is rounded half up, in the database alike', async () => {
  const cases: [amount: number, rate: number, tax: number][] = [
    [100_00, 19, 19_00],
    [1, 19, 0],
    [3, 19, 1],
    [50, 19, 10],
    [50, 5.5, 3],
    [10, 25, 3],
    [30, 25, 8],
    [2, 25, 1],
    [99_99, 7.7, 7_70],
    [1_000_000_000_000, 30, 300_000_000_000],
    [9_007_199_254_740_991, 0.01, 900_719_925_474],
  ]
  const db = await freshDatabase()
  for (const [amount, rate, tax] of cases) {
    assert.equal(taxOn(amount, rate), tax, `${rate} % of ${amount}`)
    const inSql = await db.value<number>`select ${taxOnSql(sql`${amount}::bigint`, sql`${rate}::numeric`)} as tax`
    assert.equal(inSql, tax, `${rate} % of ${amount} in SQL`)
  }
})
