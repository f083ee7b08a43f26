import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileText } from './read-file.ts'

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
