import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EnteredPeppolId } from '#contract/party-ids.ts'
import { identifyParty, isCompanyNumberIn, toCompanyNumber } from './party-ids.ts'

test('a company number and a Peppol ID follow from the VAT ID where they can', () => {
  const table: [country: string, vatId: string | null, companyNumber: string | null, peppolId: string | null][] = [
    ['BE', 'BE0403170701', '0403170701', '0208:0403170701'],
    // its check digits are wrong
    ['BE', 'BE0403170702', null, null],
    ['DK', 'DK13585628', '13585628', '0184:13585628'],
    ['NO', 'NO923609016MVA', '923609016', '0192:923609016'],
    ['SE', 'SE556036079301', '5560360793', '0007:5560360793'],
    ['FR', 'FR83404833048', '404833048', '0225:404833048'],
    ['MC', 'FR12000045678', '000045678', '0225:000045678'],
    ['DE', 'DE136695976', null, '9930:DE136695976'],
    ['AT', 'ATU12345678', null, '9914:ATU12345678'],
    ['NL', 'NL123456789B01', null, '9944:NL123456789B01'],
    ['GR', 'EL123456789', null, '9933:EL123456789'],
    ['DE', null, null, null],
    ['US', null, null, null],
  ]
  for (const [country, vatId, companyNumber, peppolId] of table) {
    const party = identifyParty({ country, vatId })
    assert.deepEqual([party.companyNumber, party.peppolId], [companyNumber, peppolId], `${country} ${vatId}`)
  }
  const entered = { country: 'FR', vatId: null, companyNumber: '40483304800022', peppolId: null }
  assert.equal(identifyParty(entered).peppolId, '0225:404833048')
  assert.equal(identifyParty({ ...entered, peppolId: '0088:4006381333931' }).peppolId, '0088:4006381333931')
})

test('company numbers have the format of their country, without punctuation', () => {
  assert.equal(toCompanyNumber('0403.170.701', 'BE'), '0403170701')
  assert.equal(toCompanyNumber('556036-0793', 'SE'), '5560360793')
  assert.equal(toCompanyNumber('HRB 12.345 B', 'DE'), 'HRB 12.345 B')
  for (const [value, country] of [
    ['0403170701', 'BE'],
    ['923609016', 'NO'],
    ['5560360793', 'SE'],
    ['404833048', 'FR'],
    ['12345678', 'NL'],
    ['HRB 12.345 B', 'DE'],
  ] as const)
    assert.ok(isCompanyNumberIn(value, country), `${value} in ${country}`)
  for (const [value, country] of [
    ['0403170702', 'BE'],
    ['923609017', 'NO'],
    ['5560360794', 'SE'],
    ['40483304', 'FR'],
    ['1234567', 'NL'],
  ] as const)
    assert.ok(!isCompanyNumberIn(value, country), `${value} in ${country}`)
})

test('a Peppol ID is a known scheme and a number of it', () => {
  for (const id of [
    '0208:0403170701',
    '0088:4006381333931',
    '9930:DE136695976',
    '0151:51824753556',
    '0225:404833048_1',
  ])
    assert.equal(EnteredPeppolId.safeParse(id).success, true, id)
  assert.equal(EnteredPeppolId.parse(' 0208: 0403 170 701'), '0208:0403170701')
  for (const id of [
    '0208',
    'BE0403170701',
    '0208:0403170702',
    '0088:4006381333932',
    '1234:x',
    '0151:51824753557',
    'EM:a@b.c',
  ])
    assert.equal(EnteredPeppolId.safeParse(id).success, false, id)
})
