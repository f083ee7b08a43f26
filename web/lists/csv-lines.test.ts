import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLines } from './csv-lines.ts'

test('lines are counted wherever the file is split, except line breaks inside a field', () => {
  const file = new TextEncoder().encode('\ufeff"id","name"\r\n"1","a ""b""\r\nc, 😀"\r\n"2",""\r\n')
  for (let at = 0; at <= file.length; at++) {
    const count = csvLines()
    count(file.subarray(0, at))
    assert.equal(count(file.subarray(at)), 3, `cut at ${at}`)
  }
})
