import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONGEST_HOLD_MS, longestHold } from '../../../test/support/hold.ts'
import { filesOfWorkbook, relationshipXml, zipFiles } from '../../../test/support/workbook.ts'
import { Refusal } from '../refusal.ts'
import { openWorkbook } from './read-workbook.ts'

type Files = Record<string, string | Buffer>
const rows = (...each: string[]) => each.map((cells, at) => `<row r="${at + 1}">${cells}</row>`).join('')

async function read(files: Files | Buffer, sheet?: string) {
  const workbook = await openWorkbook(Buffer.isBuffer(files) ? files : await zipFiles(files))
  try {
    return { sheets: workbook.sheets, rows: await Array.fromAsync(workbook.rowsOf(sheet ?? workbook.sheets[0]!)) }
  } finally {
    workbook.close()
  }
}

const cellsOf = async (files: Files) => (await read(files)).rows.map(({ cells }) => cells)

test('numbers are read whole, as they are stored and not as their format shows them', async () => {
  const numbers = [
    ['5123456789013', '5123456789013'],
    ['1234567890123456', '1234567890123456'],
    ['98765432109876543210', '98765432109876543210'],
    ['5.1234567890123E12', '5123456789012.3'],
    ['1.2345678901234501E+16', '12345678901234500'],
    ['8.2100000000000009', '8.21'],
    ['-0.5', '-0.5'],
    ['1E-7', '0.0000001'],
    ['0', '0'],
  ]
  const cells = numbers.map(([stored]) => `<c><v>${stored}</v></c>`).join('')
  assert.deepEqual(await cellsOf(filesOfWorkbook({ A: rows(cells) })), [numbers.map(([, read]) => read)])
})

test('texts, formulas, booleans and errors are read as they are stored', async () => {
  const texts =
    '<si><t>Ann &amp; Bo</t></si><si><r><rPr/><t xml:space="preserve">two </t></r><r><t>runs</t></r><rPh><t>aloud</t></rPh></si><si><t>a_x000D_b</t></si>'
  const cells =
    '<c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>in &lt;line&gt;</t></is></c>' +
    '<c r="E1"><f>1+1</f><v>2</v></c><c r="F1" t="str"><f>A1</f><v>text &#233;</v></c><c r="G1" t="b"><v>1</v></c>' +
    '<c r="H1" t="e"><v>#REF!</v></c><c r="I1" t="s"><v>2</v></c><c r="J1" t="d"><v>2026-03-09</v></c><c r="K1" s="0"/>'
  assert.deepEqual(await cellsOf(filesOfWorkbook({ A: rows(cells) }, { texts })), [
    ['Ann & Bo', '', 'two runs', 'in <line>', '2', 'text é', 'TRUE', '#REF!', 'a\rb', '2026-03-09'],
  ])
})

test('days are told by their format, and count from 1900 or 1904', async () => {
  const formats = ['yyyy\\-mm\\-dd', '[$-409]d\\-mmm\\-yy;@', '"day "0', '[h]:mm', '0.00;[Red]-0.00', 'General']
  const styles = `<numFmts>${formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${[0, 14, 22, 21, 164, 165, 166, 167, 168, 169].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`
  const cell = (style: number, value: number) => `<c s="${style}"><v>${value}</v></c>`
  const given = Array.from({ length: 10 }, (_, style) => cell(style, 46090.604166666664)).join('')
  const early = [cell(1, 1), cell(1, 59), cell(1, 61), cell(3, 0.25), cell(1, -1), cell(1, 1e7)].join('')
  const sheet = { A: rows(given, early) }
  assert.deepEqual(await cellsOf(filesOfWorkbook(sheet, { styles })), [
    [
      ...['46090.604166666664', '2026-03-09 14:30:00', '2026-03-09 14:30:00', '2026-03-09 14:30:00'],
      ...['2026-03-09 14:30:00', '2026-03-09 14:30:00', ...Array(4).fill('46090.604166666664')],
    ],
    ['1900-01-01', '1900-02-28', '1900-03-01', '06:00:00', '-1', '10000000'],
  ])
  const [[, day]] = (await cellsOf(filesOfWorkbook(sheet, { styles, date1904: true }))) as [string[]]
  assert.equal(day, '2030-03-10 14:30:00')
})

test('a sheet is chosen by its name; rows keep their numbers, and only sheets that people see are offered', async () => {
  const files = filesOfWorkbook({
    Notes: rows('<c><v>1</v></c>'),
    'A &amp; B': '<row r="2"><c r="B2"><v>2</v></c></row><row r="3"><c s="1"/></row><row r="5"><c><v>5</v></c></row>',
    Old: rows('<c><v>3</v></c>'),
  })
  files['xl/workbook.xml'] = files['xl/workbook.xml']!.replace('name="Old"', 'name="Old" state="hidden"')
  const { sheets, rows: found } = await read(files, 'A & B')
  assert.deepEqual(sheets, ['Notes', 'A & B'])
  assert.deepEqual(found, [
    { row: 2, cells: ['', '2'] },
    { row: 5, cells: ['5'] },
  ])
  const prefixed = filesOfWorkbook({ A: rows('<c><v>1</v></c>') })
  const name = 'xl/worksheets/sheet1.xml'
  prefixed[name] = prefixed[name]!.replaceAll(/<(\/?)(worksheet|sheetData|row|c|v)\b/g, '<$1x:$2')
  assert.deepEqual(await cellsOf(prefixed), [['1']])
})

const refuses = async (files: Files | Buffer, reason: string, sheet?: string) =>
  assert.rejects(read(files, sheet), (error) => error instanceof Refusal && error.reason === reason)

test('workbooks that are damaged, of another kind or refer elsewhere are refused in words', async () => {
  const good = filesOfWorkbook({ A: rows('<c t="s"><v>0</v></c>') }, { texts: '<si><t>a</t></si>' })
  const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([one]) => one !== name))
  await refuses(good, 'import_sheet_unknown', 'B')
  await refuses(
    { mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<a/>' },
    'import_other_workbook',
  )
  await refuses(
    { '_rels/.rels': `<Relationships>${relationshipXml('rId1', 'officeDocument', 'xl/workbook.bin')}</Relationships>` },
    'import_other_workbook',
  )
  const bytes = await zipFiles(good)
  await refuses(bytes.subarray(0, bytes.length - 30), 'import_workbook_unreadable')
  for (const name of [
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
    'xl/sharedStrings.xml',
    'xl/_rels/workbook.xml.rels',
  ])
    await refuses(without(name), 'import_workbook_unreadable')
  const sheet = 'xl/worksheets/sheet1.xml'
  const within = (content: string) => ({
    ...good,
    [sheet]: good[sheet]!.replace('<sheetData>', `<sheetData>${content}`),
  })
  for (const wrong of ['<row>', '<row><c t="str"><v>&what;</v></c></row>', '<row r="2000000"/>', '<!ENTITY a "b">'])
    await refuses(within(wrong), 'import_workbook_unreadable')
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  await refuses(
    { ...good, [sheet]: `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]>${good[sheet]}` },
    'import_workbook_unreadable',
  )
  await refuses({ ...good, [sheet]: Buffer.from([0xff, 0xfe, 0x3c, 0]) }, 'import_workbook_unreadable')
  const target = 'Target="worksheets/sheet1.xml"'
  const linked = good['xl/_rels/workbook.xml.rels']!.replace(
    target,
    'Target="http://127.0.0.1:9/x" TargetMode="External"',
  )
  await refuses({ ...good, 'xl/_rels/workbook.xml.rels': linked }, 'import_workbook_linked')
})

test('a workbook with another digit than was packed is damaged', async () => {
  const bytes = await zipFiles(filesOfWorkbook({ A: rows('<c><v>5123456789013</v></c>') }), 0)
  assert.deepEqual((await read(bytes)).rows[0]?.cells, ['5123456789013'])
  bytes.write('6', bytes.indexOf('5123456789013'))
  await refuses(bytes, 'import_workbook_unreadable')
})

test('a workbook unpacks to no more than its limit, whatever it declares', async () => {
  const good = filesOfWorkbook({ A: '' })
  const bomb = Buffer.alloc(201_000_000, ' ')
  await refuses({ ...good, 'xl/worksheets/sheet1.xml': bomb }, 'import_workbook_too_large')
  const lying = await zipFiles({ ...good, 'xl/worksheets/sheet1.xml': Buffer.alloc(30_000_000, ' ') })
  const size = Buffer.from([0x80, 0xc3, 0xc9, 0x01])
  for (let at = lying.indexOf(size); at >= 0; at = lying.indexOf(size, at + 1)) lying.writeUInt32LE(1000, at)
  await refuses(lying, 'import_workbook_unreadable')
  const many = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`${at}.xml`, '']))
  await refuses({ ...good, ...many }, 'import_workbook_unreadable')
})

test('a long workbook holds nobody up, whatever is in it', async () => {
  const far = '<row><c r="XFD1"><v>1</v></c></row>'.repeat(50_000)
  const sheets = {
    rows: Array.from(
      { length: 20_000 },
      (_, at) => `<row r="${at + 1}">${'<c t="s"><v>0</v></c>'.repeat(8)}</row>`,
    ).join(''),
    far,
    cell: `<row><c t="str"><v>${'a'.repeat(3_000_000)}</v></c></row>`,
    empty: '<row/>'.repeat(300_000),
  }
  for (const [what, sheet] of Object.entries(sheets)) {
    const bytes = await zipFiles(filesOfWorkbook({ A: sheet }, { texts: '<si><t>text</t></si>' }))
    const held = await longestHold(() => read(bytes))
    assert.ok(held < LONGEST_HOLD_MS, `${what} held for ${held} ms`)
  }
  const formats = `<numFmts>${'['.repeat(60_000)}</numFmts><numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(60_000)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>`
  const bytes = await zipFiles(filesOfWorkbook({ A: rows('<c s="0"><v>1</v></c>') }, { styles: formats }))
  assert.ok((await longestHold(() => read(bytes))) < LONGEST_HOLD_MS)
})
