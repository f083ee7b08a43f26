import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readXml, type XmlElement } from '../../../../platform/xml/read-xml.ts'
import type { FileHead, FilePayer, FilePayment } from '../method.ts'
import { latinId, toLatin } from './characters.ts'
import { creditTransfer } from './credit-transfer.ts'

const address = { addressLine: 'Grünstraße 7 & 8', zipCode: '10 115', city: 'Köln', country: 'de' }
const head: FileHead = {
  messageId: 'TRB-acme-7',
  createdAt: '2026-11-26T18:45:58.123Z',
  executionDate: '2026-12-01',
  accountName: 'Acme Löwe',
  payer: { name: 'Acme GmbH', iban: 'DE89370400440532013000', bic: null, address },
}
const payment = ({
  holder,
  bic,
  ...over
}: Partial<FilePayment> & { holder?: string; bic?: string } = {}): FilePayment => ({
  ...{ name: 'PO-214', reference: 'PO-214', amount: 10_000, currency: 'eur', recipient: null },
  payee: { currency: 'eur', hint: '2606' },
  ...over,
  details: {
    ...{ kind: 'iban', name: holder ?? 'Zoë Ångström', iban: 'FR1420041010050500013M02606', bic: bic ?? null },
    address: { addressLine: '1 rue de la Paix', zipCode: '75002', city: 'Paris', country: 'FR' },
  } as FilePayment['details'],
})

/** Returns the tree as names, texts and attributes alone. */
const plain = ({ name, attributes, text, children }: XmlElement): unknown[] => [
  ...[name, ...Object.values(attributes).filter((value) => !value.startsWith('urn:'))],
  ...(children.length > 0 ? children.map(plain) : [text]),
]

test('a file is the one message with one order, every element where the schema wants it', async () => {
  const xml = creditTransfer(head, [
    payment(),
    payment({ name: 'PO-9', reference: 'PO-9-2', amount: 1, bic: 'BNPAFRPPXXX' }),
  ])
  assert.match(
    xml,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain\.001\.001\.09">\n/,
  )
  const payee = (agent: unknown[]) => [
    ...agent,
    [
      'Cdtr',
      ['Nm', 'Zoe Angstrom'],
      ['PstlAdr', ['StrtNm', '1 rue de la Paix'], ['PstCd', '75002'], ['TwnNm', 'Paris'], ['Ctry', 'FR']],
    ],
    ['CdtrAcct', ['Id', ['IBAN', 'FR1420041010050500013M02606']]],
  ]
  const totals = [
    ['NbOfTxs', '2'],
    ['CtrlSum', '100.01'],
  ]
  assert.deepEqual(plain(await readXml(xml)), [
    'Document',
    [
      'CstmrCdtTrfInitn',
      [
        'GrpHdr',
        ['MsgId', 'TRB-acme-7'],
        ['CreDtTm', '2026-11-26T18:45:58Z'],
        ...totals,
        ['InitgPty', ['Nm', 'Acme GmbH']],
      ],
      [
        'PmtInf',
        ['PmtInfId', 'TRB-acme-7'],
        ['PmtMtd', 'TRF'],
        ['BtchBookg', 'false'],
        ...totals,
        ['PmtTpInf', ['SvcLvl', ['Cd', 'SEPA']]],
        ['ReqdExctnDt', ['Dt', '2026-12-01']],
        [
          'Dbtr',
          ['Nm', 'Acme GmbH'],
          ['PstlAdr', ['StrtNm', 'Grunstrasse 7 . 8'], ['PstCd', '10 115'], ['TwnNm', 'Koln'], ['Ctry', 'DE']],
        ],
        ['DbtrAcct', ['Id', ['IBAN', 'DE89370400440532013000']]],
        ['DbtrAgt', ['FinInstnId', ['Othr', ['Id', 'NOTPROVIDED']]]],
        ['ChrgBr', 'SLEV'],
        [
          'CdtTrfTxInf',
          ['PmtId', ['EndToEndId', 'PO-214']],
          ['Amt', ['InstdAmt', 'EUR', '100.00']],
          ...payee([]),
          ['RmtInf', ['Ustrd', 'Acme Lowe PO-214']],
        ],
        [
          'CdtTrfTxInf',
          ['PmtId', ['EndToEndId', 'PO-9-2']],
          ['Amt', ['InstdAmt', 'EUR', '0.01']],
          ...payee([['CdtrAgt', ['FinInstnId', ['BICFI', 'BNPAFRPPXXX']]]]),
          ['RmtInf', ['Ustrd', 'Acme Lowe PO-9']],
        ],
      ],
    ],
  ])
})

/** Longest texts of the schema, by element. */
const LONGEST: Record<string, number> = {
  ...{ MsgId: 35, PmtInfId: 35, EndToEndId: 35, Nm: 70, StrtNm: 70, PstCd: 16, TwnNm: 35, Ctry: 2, Ustrd: 140 },
}
/** The characters that every bank of the scheme accepts. */
const ACCEPTED = /^[A-Za-z0-9/\-?:().,'+ ]+$/

test('whatever names and addresses contain, the file is XML of the accepted characters and lengths', async () => {
  const odd = [
    '<Nm>&amp;</Nm>]]><!--',
    '🦊🦊🦊',
    'Юлия Петровна',
    `${'é'.repeat(300)}`,
    '  \u0000\u0007 ',
    '="1"\'',
    'Łódź Æsir ß ’–',
    '李雷',
    ' ',
    '',
    '\ufffe\uffff\ud800',
    'ﬁ ½ ①',
    '/a//b/',
  ]
  for (const text of odd) {
    const where = { addressLine: text, zipCode: text, city: text, country: 'de' }
    const one = payment({ holder: text, name: 'PO-1234567', reference: 'PO-1234567-12' })
    const details = { ...one.details, address: where } as FilePayment['details']
    const payer = { ...head.payer!, name: text, address: where }
    const xml = creditTransfer({ ...head, accountName: text, messageId: text, payer }, [{ ...one, details }])
    const check = ({ name, text, children }: XmlElement) => {
      children.forEach(check)
      if (children.length > 0) return
      // quotes are the only characters that are escaped
      const read = text.replaceAll('&apos;', "'")
      assert.match(read, ACCEPTED, name)
      assert.equal(read, read.trim())
      assert.ok(read.length <= (LONGEST[name] ?? 40), `${name}: ${read}`)
      if (name.endsWith('Id')) assert.doesNotMatch(read, /^\/|\/$|\/\//)
    }
    check(await readXml(xml))
    assert.match(xml, / PO-1234567<\/Ustrd>/, 'the payout stays named')
  }
})

test('letters lose their marks, others become points', () => {
  assert.equal(toLatin('Ñandú Škoda Øre Œuvre ﬁ', 70), 'Nandu Skoda Ore OEuvre fi')
  assert.equal(toLatin('Иван_Ⅳ@x', 70), 'Ivan.IV.x')
  const letters = readFileSync(new URL('../../../../../test/fixtures/banks/letters.tsv', import.meta.url), 'utf8')
  for (const row of letters.trim().split('\n').slice(1)) {
    const [name, inFile] = row.split('\t')
    assert.equal(toLatin(name!, 70), inFile)
  }
  assert.equal(toLatin('ab  cd', 3), 'ab')
  assert.equal(latinId('//a//b/', 35), 'a/b')
})

test('a bank is asked for one sum only if the owner chose it', () => {
  const bookedBy = (payer: Partial<FilePayer>) =>
    /<BtchBookg>(.*)<\/BtchBookg>/.exec(
      creditTransfer({ ...head, payer: { ...head.payer!, ...payer } }, [payment()]),
    )![1]
  assert.deepEqual([{}, { booking: 'single' as const }, { booking: 'batch' as const }].map(bookedBy), [
    ...['false', 'false', 'true'],
  ])
})

test('equal arguments make equal files', () => {
  assert.equal(creditTransfer(head, [payment()]), creditTransfer(structuredClone(head), [payment()]))
})
