import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Encoding } from '#contract/file-text.ts'
import { findSample, readFile } from './read-file.ts'

const fileText = (bytes: Uint8Array, encoding?: Encoding) => readFile('a.csv', bytes, encoding).csv

test('a file is decoded whatever its encoding', () => {
  const text = 'Name;E-Mail\r\nJürgen 😀;j@b.example'
  const utf8 = new TextEncoder().encode(text)
  assert.equal(fileText(utf8), text)
  assert.equal(fileText(Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8])), text)
  const units = Buffer.from(text, 'utf16le')
  assert.equal(fileText(Uint8Array.from([0xff, 0xfe, ...units])), text)
  assert.equal(fileText(Uint8Array.from([0xfe, 0xff, ...Buffer.from(units).swap16()])), text)
  assert.equal(fileText(Uint8Array.from([0x4a, 0xfc, 0x72, 0x67, 0x80])), 'Jürg€')
})

test('a file in no Unicode is read as chosen, and shows the words that differ', () => {
  const bytes = Uint8Array.from(Buffer.from('name\nPawe\xb3;\x8akoda\n', 'latin1'))
  assert.equal(readFile('a.csv', bytes).encoding, 'windows-1252')
  assert.equal(fileText(bytes, 'windows-1250'), 'name\nPaweł;Škoda\n')
  assert.equal(findSample(bytes, 'windows-1250'), 'Paweł, Škoda')
  assert.equal(readFile('a.csv', new TextEncoder().encode('Paweł')).encoding, null)
})

test('a file of a Mac, whose lines end by CR alone, is read in the encoding of a Mac', () => {
  const bytes = Uint8Array.from(Buffer.from('name\rAndr\x8e\r', 'latin1'))
  assert.deepEqual([fileText(bytes), readFile('a.csv', bytes).encoding], ['name\rAndré\r', 'macintosh'])
})
