import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONGEST_HOLD_MS, longestHold } from '../../../test/support/hold.ts'
import { isXml, readXml, XmlError } from './read-xml.ts'

test('elements are read by local name, in order, with their attributes and their own text', async () => {
  const xml =
    '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- a --><p:A xmlns:p="urn:x"><p:B Ccy="EUR"> 1.00 </p:B><B/><![CDATA[<C>]]>&amp;&#65;</p:A>'
  assert.ok(isXml(xml))
  assert.deepEqual(await readXml(xml), {
    name: 'A',
    attributes: {},
    text: '<C>&amp;&#65;',
    children: [
      { name: 'B', attributes: { Ccy: 'EUR' }, text: '1.00', children: [] },
      { name: 'B', attributes: {}, text: '', children: [] },
    ],
  })
  assert.ok(!isXml('status,amount\n<b>,1'))
})

const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
const attributes = (count: number) => Array.from({ length: count }, (_, at) => `a${at}="1"`).join(' ')

test('entities, document types and what is no XML are refused', async () => {
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  for (const xml of [
    `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>&l9;</a>`,
    '<!doctype a SYSTEM "file:///etc/passwd"><a/>',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1/x">]><a>&x;</a>',
    '<a><!ENTITY x "y"></a>',
    '<a>',
    '<a></b>',
    '<p:a></a>',
    '</a>',
    '<a/><b/>',
    '<a></a>text',
    'text<a/>',
    '<a></a><![CDATA[text]]>',
    '<a b></a>',
    '<a b=c></a>',
    '<a b="<"></a>',
    '<a b="1"c="2"></a>',
    '<a b="1" b="2"/>',
    '<a b="1"',
    '<1a/>',
    '< a/>',
    '<a / >',
    '<a><!-- </a>',
    '<a><![CDATA[ </a>',
    '<?xml',
    '<!-- nothing -->',
    '',
    'text',
  ])
    await assert.rejects(readXml(xml), XmlError, xml.slice(0, 80))
})

test('names that mean something to JavaScript are names like others', async () => {
  const { children } = await readXml('<a><__proto__ __proto__="1" constructor="2"><b/></__proto__></a>')
  assert.equal(children[0]!.name, '__proto__')
  assert.deepEqual(Object.entries(children[0]!.attributes), [
    ['__proto__', '1'],
    ['constructor', '2'],
  ])
  assert.equal(({} as Record<string, unknown>).b, undefined)
})

test('a document has at most as many levels, elements, attributes and signs in a name as a real one needs', async () => {
  const within = [nested(30), `<a>${'<b/>'.repeat(199_999)}</a>`, `<a ${attributes(100)}/>`, `<${'n'.repeat(200)}/>`]
  for (const xml of within) await readXml(xml)
  const beyond = [nested(31), `<a>${'<b/>'.repeat(200_000)}</a>`, `<a ${attributes(101)}/>`, `<${'n'.repeat(201)}/>`]
  for (const xml of beyond) await assert.rejects(readXml(xml), XmlError, xml.slice(0, 80))
})

test('a long file holds nobody up, whatever is in it', async () => {
  const M = 1_000_000
  const fill = (piece: string) => piece.repeat(M / piece.length)
  const long = 'n'.repeat(200_000)
  const entry =
    '<Ntry><Amt Ccy="EUR">1.00</Amt><Sts><Cd>BOOK</Cd></Sts><Refs><EndToEndId>PO-1</EndToEndId></Refs></Ntry>'
  const files = [
    ...['<a>', '<', '<!--', '<![CDATA[', '<?x ?>', '&l;', '<a b="', '<b/>', 'x<b/>', ' '].flatMap((piece) => [
      fill(piece),
      `<a>${fill(piece)}</a>`,
    ]),
    `<a b="${fill('>')}"/>`,
    `<a ${fill('b= ')}/>`,
    `<a b${fill(' ')}`,
    `<a ${attributes(95_000)}/>`,
    `<${long}>${'<b/>'.repeat(100_000)}</${long}>`,
    `<Document>${fill(entry)}</Document>`,
  ]
  for (const file of files) {
    const held = await longestHold(() => readXml(file).catch((error) => assert.ok(error instanceof XmlError)))
    assert.ok(held < LONGEST_HOLD_MS, `${file.slice(0, 80)} held for ${held} ms`)
  }
})
