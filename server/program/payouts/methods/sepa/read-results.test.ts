import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readXml } from '../../../../platform/xml/read-xml.ts'
import type { Result } from '../method.ts'
import { readResults } from './read-results.ts'

const OWN = 'DE89370400440532013000'
const PAYEE = 'FR1420041010050500013M02606'

const read = async (inside: string, space = 'x:') => {
  const named = inside.replaceAll(/<(\/?)(?=\w)/g, `<$1${space}`)
  const found = readResults({ documents: [await readXml(`<${space}Document>${named}</${space}Document>`)] })
  assert.ok(Array.isArray(found), JSON.stringify(found))
  return found
}
/** Returns what differs between results. */
const brief = (results: Result[]) =>
  results.map(({ reference, source, outcome, reason, paidOn, bank }) => [
    bank!.whole ? bank!.messageId : reference,
    ...[outcome, reason, source, bank!.currency, paidOn],
  ])

const report = (group: string, orders = '') =>
  `<CstmrPmtStsRpt><GrpHdr><MsgId>B1</MsgId></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>TRB-acme-7</OrgnlMsgId>${group}</OrgnlGrpInfAndSts>${orders}</CstmrPmtStsRpt>`
const order = (inside: string) =>
  `<OrgnlPmtInfAndSts><OrgnlPmtInfId>TRB-acme-7</OrgnlPmtInfId>${inside}</OrgnlPmtInfAndSts>`
const reason = (code: string) => `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`
const transaction = (id: string, inside = '') =>
  `<TxInfAndSts><StsId>1</StsId><OrgnlEndToEndId>${id}</OrgnlEndToEndId>${inside}</TxInfAndSts>`

test('a status report rejects by the most exact status it gives, in any version', async () => {
  const original = `<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">100.00</InstdAmt></Amt><CdtrAcct><Id><IBAN>${PAYEE}</IBAN></Id></CdtrAcct></OrgnlTxRef>`
  const found = await read(
    report(
      '<GrpSts>PART</GrpSts>',
      order(
        [
          transaction('PO-1', `<TxSts>RJCT</TxSts>${reason('AC04')}${original}`),
          transaction('PO-2-2', '<TxSts>ACSC</TxSts>'),
          transaction('PO-3', `<TxSts>RJCT</TxSts>${reason('AM04')}`),
          transaction('PO-4', `<TxSts>RJCT</TxSts>${reason('XY99')}`),
          transaction('PO-5', '<TxSts>RJCT</TxSts>'),
          transaction('RENT 5', '<TxSts>RJCT</TxSts>'),
        ].join(''),
      ),
    ),
  )
  assert.deepEqual(brief(found), [
    ['PO-1', 'over', 'The account is closed (AC04)', '100.00', 'eur', null],
    ['PO-2-2', 'open', 'ACSC', null, null, null],
    ['PO-3', 'over', 'The paying account has too little money (AM04)', null, null, null],
    ['PO-4', 'over', 'XY99', null, null, null],
    ['PO-5', 'over', 'no reason given', null, null, null],
  ])
  assert.deepEqual(
    found.map(({ bank }) => bank!.ofDetails),
    [true, false, false, false, false],
  )
  assert.deepEqual([found[0]!.bank!.messageId, found[0]!.bank!.payee], ['TRB-acme-7', PAYEE])

  // a reason of the whole order, or of the paying account, is no payee's
  const shared = await read(
    report(
      `<GrpSts>RJCT</GrpSts>${reason('AC04')}`,
      order(`<PmtInfSts>RJCT</PmtInfSts>${reason('AC06')}${transaction('PO-1')}`),
    ),
  )
  const paying = ['AC02', 'AC05', 'AC10', 'AC13'].map((code) =>
    transaction('PO-1', `<TxSts>RJCT</TxSts>${reason(code)}`),
  )
  const others = [
    ...shared,
    ...(await read(report(`<GrpSts>RJCT</GrpSts>${reason('AC01')}`))),
    ...(await read(report('', order(paying.join(''))))),
  ]
  assert.deepEqual(
    others.map(({ outcome, bank }) => [outcome, bank!.ofDetails]),
    Array(7).fill(['over', false]),
  )

  const whole = [['TRB-acme-7', 'over', 'The bank couldn’t read the file (FF01)', null, null, null]]
  assert.deepEqual(brief(await read(report(`<GrpSts>RJCT</GrpSts>${reason('FF01')}`), '')), whole)
  assert.deepEqual(brief(await read(report('', order(`<PmtInfSts>RJCT</PmtInfSts>${reason('FF01')}`)))), whole)
  assert.deepEqual(brief(await read(report(`<GrpSts>RJCT</GrpSts>${reason('FF01')}`, order('')))), whole)
  assert.deepEqual(
    brief(await read(report('', order(`<PmtInfSts>RJCT</PmtInfSts>${reason('FF01')}${transaction('PO-1')}`)))),
    [['PO-1', 'over', whole[0]![2], null, null, null], ...whole],
  )
  const named = [['PO-1', 'over', whole[0]![2], null, null, null], ...whole]
  assert.deepEqual(
    brief(await read(report(`<GrpSts>RJCT</GrpSts>${reason('FF01')}`, order(transaction('PO-1'))))),
    named,
  )
  const inPart = report(`<GrpSts>RJCT</GrpSts>`, order(`<PmtInfSts>PART</PmtInfSts>${transaction('PO-1')}`))
  assert.deepEqual(brief(await read(inPart)), [['PO-1', 'open', 'PART', null, null, null]])
  assert.deepEqual(brief(await read(report('<GrpSts>ACCP</GrpSts>')))[0]!.slice(1, 3), ['open', 'ACCP'])
})

test('the first version of a statement has its details at the entry, and its account by another name', async () => {
  const inside = `<BkToCstmrStmtV01><Stmt><Acct><Id><PrtryAcct><Id>0532013000</Id></PrtryAcct></Id></Acct><Ntry><Amt Ccy="EUR">40.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-12-01</Dt></BookgDt><TxDtls><Refs><EndToEndId>PO-1</EndToEndId></Refs></TxDtls></Ntry></Stmt></BkToCstmrStmtV01>`
  const found = await read(inside)
  assert.deepEqual(brief(found), [['PO-1', 'paid', 'DBIT BOOK', '40.00', 'eur', '2026-12-01']])
  assert.equal(found[0]!.bank!.payer, '0532013000')
})

const mt940 = (...fields: string[]) =>
  [':20:X', ':25:DE89370400440532013000', ':60F:C261201EUR0,00', ...fields, ':62F:C261201EUR0,00', '-'].join('\r\n')
const readText = (text: string) => readResults({ text }) as Result[]

test('MT940 is read without the day of booking, without the comma of a whole amount and with spaces, MT942 not at all', () => {
  const found = readText(
    mt940(
      ...[':61:261201    D100,00NTRFNONREF', ':86:EREF+PO-1'],
      ...[':61:2612311201C40NTRFNONREF//B1', ':86:EREF+PO-2'],
      ...[':61:2701021231RD25,5NTRFNONREF', ':86:EREF+PO-3'],
      ...[':61:2612011201D12,35 NTRFPO-4//B2', ':86:Commission'],
      ...[':61:261201D7,03NOV PO-5', ':86:Commission'],
    ),
  )
  assert.deepEqual(
    found.map(({ source, outcome, paidOn, bank }) => [...bank!.mentioned, outcome, source, paidOn]),
    [
      ['PO-1', 'paid', '100.00', '2026-12-01'],
      ['PO-2', 'back', '40', '2026-12-01'],
      ['PO-3', 'back', '25.5', '2026-12-31'],
      ['PO-4', 'paid', '12.35', '2026-12-01'],
      ['PO-5', 'paid', '7.03', '2026-12-01'],
    ],
  )
  assert.equal(readResults({ text: mt940(':61:261201D1,NTRFNONREF').replace(/:60F:.*\r\n/, ':34F:EUR0,\r\n') }), null)
})

test('a text names a whole file only if it names no payment, and a credit only as a reversal', () => {
  const wholes = (line: string, text: string) =>
    readText(mt940(`:61:2612011201${line}NTRFKREF+`, `:86:${text}`)).map(({ outcome, bank }) => [
      bank!.whole,
      outcome,
      ...bank!.mentioned,
    ])
  assert.deepEqual(wholes('D140,00', '191?00SAMMLER?20KREF+TRB-acme-1?2112-K7QM'), [
    [true, 'paid', 'TRB-ACME-112-K7QM', 'TRB-ACME-1'],
  ])
  assert.deepEqual(wholes('RD140,00', 'KREF+TRB-acme-7'), [[true, 'back', 'TRB-ACME-7']])
  assert.deepEqual(wholes('D140,00', '/PREF/TRB-acme-7/EREF/PO-1'), [[false, 'paid', 'PO-1']])
  assert.deepEqual(wholes('C140,00', 'KREF+TRB-acme-7'), [])
  assert.deepEqual(wholes('D140,00', 'KREF+XTRB-acme-7 TRB-acme'), [])
})

test('an id that the bank does not repeat is none, in any case', async () => {
  const orders = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>NOTPROVIDED</OrgnlPmtInfId></OrgnlPmtInfAndSts>`
  const [rejected] = await read(report(`<GrpSts>RJCT</GrpSts>${reason('FF01')}`, orders))
  assert.deepEqual([rejected!.bank!.messageId, rejected!.bank!.whole, rejected!.outcome], ['TRB-acme-7', true, 'over'])
  const [left, file] = await read(
    statement(
      [
        entry(details('PO-1', '', '<PmtInfId>NotProvided</PmtInfId>')),
        entry(
          '<Btch><PmtInfId>NOTPROVIDED</PmtInfId></Btch>' +
            details('NOTPROVIDED', '', '<PmtInfId>TRB-acme-7</PmtInfId>'),
        ),
      ].join(''),
    ),
  )
  assert.deepEqual([left!.reference, left!.bank!.messageId, left!.outcome], ['PO-1', null, 'paid'])
  assert.deepEqual([file!.bank!.messageId, file!.bank!.whole, file!.outcome], ['TRB-acme-7', true, 'paid'])
})

type Entry = { direction?: string; amount?: string; status?: string; reversal?: string; day?: string }
const entry = (inside: string, { direction = 'DBIT', amount = '100.00', status, reversal = '', day }: Entry = {}) =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${reversal}<Sts>${status ?? 'BOOK'}</Sts><BookgDt>${day ?? '<Dt>2026-12-01</Dt>'}</BookgDt><NtryDtls>${inside}</NtryDtls></Ntry>`
const details = (id: string, inside = '', refs = '') =>
  `<TxDtls><Refs><EndToEndId>${id}</EndToEndId>${refs}</Refs>${inside}</TxDtls>`
const statement = (entries: string, account = `<Id><IBAN>${OWN}</IBAN></Id>`) =>
  `<BkToCstmrStmt><GrpHdr/><Stmt><Acct>${account}</Acct>${entries}</Stmt></BkToCstmrStmt>`

test('a statement tells what left and what came back, and nothing of other business', async () => {
  const back = `<RtrInf><Rsn><Cd>AC06</Cd></Rsn></RtrInf>`
  const found = await read(
    statement(
      [
        entry(details('PO-1', `<RltdPties><CdtrAcct><Id><IBAN>${PAYEE}</IBAN></Id></CdtrAcct></RltdPties>`)),
        entry(details('PO-2', '<Amt Ccy="EUR">40.00</Amt>') + details('PO-3', '<Amt Ccy="USD">60.00</Amt>')),
        entry(
          details('PO-4', '<AmtDtls><TxAmt><Amt Ccy="EUR">100.00</Amt></TxAmt></AmtDtls>') + details('NOTPROVIDED'),
        ),
        entry(details('PO-5') + details('PO-6')),
        entry(details('PO-7'), { status: '<Cd>BOOK</Cd>', day: '<DtTm>2026-12-02T23:59:00+01:00</DtTm>' }),
        entry(details('PO-8'), { status: '<Cd>PDNG</Cd>' }),
        entry(details('PO-9'), { reversal: '<RvslInd>true</RvslInd>' }),
        entry(details('PO-10', back), { direction: 'CRDT' }),
        entry(details('PO-11'), { direction: 'CRDT' }),
        entry(details('PO-12', back)),
        entry(details('PO-13', `<CdtDbtInd>CRDT</CdtDbtInd>${back}`)),
        entry(details('PO-14'), { amount: '1e2' }),
        entry(details('PO-15'), { reversal: '<RvslInd>1</RvslInd>' }),
        entry(details('PO-16', back), { direction: 'CRDT', reversal: '<RvslInd>true</RvslInd>' }),
        entry(details('PO-17'), { day: '<Dt>2026-12-03+01:00</Dt>' }),
        entry(details('PO-18'), { day: '<Dt>3 Dec 2026</Dt>' }),
        entry(details('PO-19'), { day: '<Dt>2026-02-30</Dt>' }),
        entry(details('PO-20'), { direction: 'CRDT', reversal: '<RvslInd>true</RvslInd>' }),
        entry(details('PO-21'), { direction: 'CRDT', status: 'PDNG' }),
        entry(details('INVOICE 7')),
        entry(''),
        entry('', { direction: 'CRDT' }),
      ].join(''),
    ),
  )
  const returned = 'The account is blocked (AC06)'
  assert.deepEqual(brief(found), [
    ['PO-1', 'paid', 'DBIT BOOK', '100.00', 'eur', '2026-12-01'],
    ['PO-2', 'paid', 'DBIT BOOK', '40.00', 'eur', '2026-12-01'],
    ['PO-3', 'paid', 'DBIT BOOK', '60.00', 'usd', '2026-12-01'],
    ['PO-4', 'paid', 'DBIT BOOK', '100.00', 'eur', '2026-12-01'],
    ['PO-5', 'paid', 'DBIT BOOK', null, null, '2026-12-01'],
    ['PO-6', 'paid', 'DBIT BOOK', null, null, '2026-12-01'],
    ['PO-7', 'paid', 'DBIT BOOK', '100.00', 'eur', '2026-12-02'],
    ['PO-8', 'open', 'DBIT PDNG', '100.00', 'eur', '2026-12-01'],
    ['PO-9', 'unclear', 'DBIT BOOK', '100.00', 'eur', '2026-12-01'],
    ['PO-10', 'back', returned, '100.00', 'eur', '2026-12-01'],
    ['PO-11', 'back', 'no reason given', '100.00', 'eur', '2026-12-01'],
    ['PO-12', 'unclear', returned, '100.00', 'eur', '2026-12-01'],
    ['PO-13', 'unclear', returned, '100.00', 'eur', '2026-12-01'],
    ['PO-14', 'paid', 'DBIT BOOK', null, 'eur', '2026-12-01'],
    ['PO-15', 'unclear', 'DBIT BOOK', '100.00', 'eur', '2026-12-01'],
    ['PO-16', 'back', returned, '100.00', 'eur', '2026-12-01'],
    ['PO-17', 'paid', 'DBIT BOOK', '100.00', 'eur', '2026-12-03'],
    ['PO-18', 'paid', 'DBIT BOOK', '100.00', 'eur', null],
    ['PO-19', 'paid', 'DBIT BOOK', '100.00', 'eur', null],
    ['PO-20', 'back', 'it reversed the booking', '100.00', 'eur', '2026-12-01'],
    ['PO-21', 'open', 'CRDT PDNG', '100.00', 'eur', '2026-12-01'],
  ])
  assert.deepEqual(
    [found[0]!.bank!.payer, found[0]!.bank!.payee, found[9]!.bank!.payee, found[0]!.bank!.isStatement],
    [OWN, PAYEE, null, true],
  )
  assert.deepEqual(
    found.map(({ row }) => row),
    found.map((_, at) => at + 1),
  )
})

test('the marks of a booking’s parts count only if they add up to it', async () => {
  const part = (id: string, amount: string, direction: string) =>
    details(id, `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`)
  const found = await read(
    statement(
      [
        entry(part('PO-1', '60.00', 'CRDT') + part('PO-2', '40.00', 'CRDT')),
        entry(part('PO-3', '140.005', 'DBIT') + part('PO-4', '40.00500', 'CRDT')),
        entry(part('PO-5', '60.00', 'DBIT') + part('PO-6', '40.00', 'DBIT'), { direction: 'CRDT' }),
        entry(part('PO-7', '60.00', 'CRDT') + details('PO-8')),
      ].join(''),
    ),
  )
  assert.deepEqual(
    found.map(({ reference, outcome }) => `${reference} ${outcome}`),
    ['PO-1 paid', 'PO-2 paid', 'PO-3 paid', 'PO-4 back', 'PO-5 back', 'PO-6 back', 'PO-7 paid', 'PO-8 paid'],
  )
})

test('a payment is named by its own id, else by its instruction, else by the references in its texts', async () => {
  const refs = (end: string | null, instruction: string | null, inside = '') =>
    `<TxDtls><Refs>${end === null ? '' : `<EndToEndId>${end}</EndToEndId>`}` +
    `${instruction === null ? '' : `<InstrId>${instruction}</InstrId>`}</Refs>${inside}</TxDtls>`
  const says = (text: string) => `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`
  const cases: [string, string | null, string[]][] = [
    [refs('PO-1', 'PO-2', says('PO-3')), 'PO-1', []],
    [refs('NOTPROVIDED', 'PO-2', says('PO-3')), 'PO-2', []],
    [refs('po-1', null), 'po-1', []],
    [refs(null, null, says('EREF+PO-3 SVWZ+Provision')), null, ['PO-3']],
    [refs(null, null, says('/EREF/PO-3/REMI/x')), null, ['PO-3']],
    [refs(null, null, '<AddtlTxInf>Kundenreferenz: PO-3-K7QM.</AddtlTxInf>'), null, ['PO-3-K7QM']],
    [refs('NOTPROVIDED', null, says('PO-3 and PO-4')), null, ['PO-3', 'PO-4']],
    [refs(null, null, `<RmtInf><Strd><CdtrRefInf><Ref>PO-3</Ref></CdtrRefInf></Strd></RmtInf>`), null, ['PO-3']],
  ]
  for (const [inside, reference, mentioned] of cases) {
    const [found, ...others] = await read(statement(entry(inside)))
    assert.deepEqual([found!.reference, found!.bank!.mentioned, others.length], [reference, mentioned, 0], inside)
  }
  // a part of a longer word, another customer's own number, a list
  const list = Array.from({ length: 11 }, (_, at) => `PO-${at}`).join(' ')
  for (const text of ['XPO-3', 'PO-3_A', 'PO-3-LONGER', 'ÄPO-3', 'PO-12345678', list])
    assert.deepEqual(await read(statement(entry(refs(null, null, says(text))))), [], text)
  assert.deepEqual(await read(statement(entry(refs('INV-9', null, says('PO-3'))))), [], 'an id of another form')
})

test('a credit whose text names a payment is a return only by a mark of the bank', async () => {
  const text = '<RmtInf><Ustrd>EREF+PO-3</Ustrd></RmtInf>'
  const domain = '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn></BkTxCd>'
  const german = '<BkTxCd><Prtry><Cd>NRTI+159+00931</Cd></Prtry></BkTxCd>'
  const credited = async (inside: string, ofEntry = '') => {
    const [found] = await read(
      statement(entry(`<TxDtls>${inside}${text}</TxDtls>`, { direction: 'CRDT', reversal: ofEntry })),
    )
    return [found!.outcome, found!.bank!.isReturn]
  }
  for (const mark of ['<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>', domain, german])
    assert.deepEqual(await credited(mark), ['back', true], mark)
  for (const ofEntry of ['<RvslInd>true</RvslInd>', domain, german])
    assert.deepEqual(await credited('', ofEntry), ['back', true], ofEntry)
  for (const other of ['', german.replace('159', '166'), domain.replace('RRTN', 'ESCT')])
    assert.deepEqual(await credited(other), ['back', false], other)
  assert.deepEqual(await credited('', '<RvslInd>false</RvslInd>'), ['back', false])
})

test('a notification is read like a statement; one booking of a whole file names the file', async () => {
  const notification = (entries: string) =>
    `<BkToCstmrDbtCdtNtfctn><Ntfctn><Acct><Id><Othr><Id>77</Id></Othr></Id></Acct>${entries}</Ntfctn></BkToCstmrDbtCdtNtfctn>`
  const batch = '<Btch><PmtInfId>TRB-acme-7</PmtInfId><NbOfTxs>2</NbOfTxs></Btch>'
  const refs = '<TxDtls><Refs><PmtInfId>TRB-acme-7</PmtInfId></Refs></TxDtls>'
  const found = await read(
    notification(
      [
        entry(batch, { amount: '140.00' }),
        entry(refs, { amount: '140.00' }),
        entry(batch + details('PO-1', '<Amt Ccy="EUR">100.00</Amt>') + details('PO-2', '<Amt Ccy="EUR">40.00</Amt>'), {
          amount: '140.00',
        }),
        entry(batch, { amount: '140.00', direction: 'CRDT' }),
        entry(batch, { amount: '140.00', direction: 'CRDT', reversal: '<RvslInd>true</RvslInd>' }),
        entry('<Btch><PmtInfId>WAGES-7</PmtInfId></Btch>'),
        entry(details('PO-3', '', '<PmtInfId>TRB-acme-8</PmtInfId>')),
      ].join(''),
    ),
    '',
  )
  const all = ['TRB-acme-7', 'paid', 'DBIT BOOK', '140.00', 'eur', '2026-12-01']
  assert.deepEqual(brief(found), [
    all,
    all,
    ['PO-1', ...all.slice(1, 3), '100.00', ...all.slice(4)],
    ['PO-2', ...all.slice(1, 3), '40.00', ...all.slice(4)],
    [all[0], 'back', 'it reversed the booking', ...all.slice(3)],
    ['PO-3', ...all.slice(1, 3), '100.00', ...all.slice(4)],
  ])
  assert.deepEqual([found[0]!.bank!.payer, found.at(-1)!.bank!.messageId], ['77', 'TRB-acme-8'])
})

test('other XML is not read, and tables are not its own', async () => {
  for (const inside of ['<CstmrCdtTrfInitn/>', '<BkToCstmrAcct/>', '', '<CstmrPmtStsRpt2/>'])
    assert.deepEqual(readResults({ documents: [await readXml(`<Document>${inside}</Document>`)] }), {
      wrong: 'results_not_readable',
      field: 'file',
    })
  assert.equal(readResults({ table: { columns: [], rows: [] } }), null)
  assert.deepEqual(await read('<BkToCstmrStmt/>'), [])
  assert.deepEqual(await read('<CstmrPmtStsRpt/>'), [])
})
