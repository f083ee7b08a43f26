import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('entities, document types, depth, reserved names and what is no XML are refused', async () => {
  await readXml(nested(30))
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  for (const xml of [
    `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>&l9;</a>`,
    '<!doctype a SYSTEM "file:///etc/passwd"><a/>',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1/x">]><a>&x;</a>',
    '<a><!ENTITY x "y"></a>',
    nested(31),
    '<a><__proto__><b/></__proto__></a>',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a></a>text',
    '<!-- nothing -->',
    '',
    'text',
  ])
    await assert.rejects(readXml(xml), XmlError, xml.slice(0, 80))
  assert.equal(({} as Record<string, unknown>).b, undefined)
})

test('a file of 1 MB is read or refused in a moment, whatever is in it', async () => {
  const M = 1_000_000
  const fill = (piece: string) => piece.repeat(M / piece.length)
  const files = [
    ...['<a>', '<', '<!--', '<![CDATA[', '<?x ?>', '&l;', '<a b="', '<b/>', 'x<b/>', ' '].flatMap((piece) => [
      fill(piece),
      `<a>${fill(piece)}</a>`,
    ]),
    `<a b="${fill('>')}"/>`,
    `<a ${fill('b= ')}/>`,
  ]
  const begun = performance.now()
  for (const file of files) await readXml(file).catch((error) => assert.ok(error instanceof XmlError))
  assert.ok(performance.now() - begun < 1000 * files.length)
})
