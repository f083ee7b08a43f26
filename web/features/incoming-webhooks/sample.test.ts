import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '#contract/payload-paths.ts'
import { findReaders, toSampleLines } from './sample.ts'

const sample = { contact: { 'e.mail': 'a@b.example' }, fields: [{ label: 'Phone', value: 7 }], gone: null, none: {} }

test('a sample is shown line by line, each with its path', () => {
  assert.deepEqual(
    toSampleLines(sample).map(({ path, depth, value }) => [path, depth, value]),
    [
      ['contact', 0, null],
      ['/contact/e.mail', 1, '"a@b.example"'],
      ['fields', 0, null],
      ['fields.0', 1, null],
      ['fields.0.label', 2, '"Phone"'],
      ['fields.0.value', 2, '7'],
      ['gone', 0, 'null'],
      ['none', 0, null],
    ],
  )
  assert.equal(toSampleLines(Array.from({ length: 500 }, (_, at) => at)).length, 300)
  assert.deepEqual(toSampleLines('text'), [])
})

test('a line lists the fields that read it, in every notation of their paths', () => {
  const readers = findReaders(sample, {
    each: '',
    fields: [
      { label: 'Email', path: '/contact/e.mail' },
      { label: 'Phone', path: 'fields[label=phone].value' },
      { label: 'Company', path: 'fields[0].value' },
      { label: 'First Name', path: 'contact.name' },
      { label: 'Last Name', path: '' },
    ],
  })
  assert.deepEqual(Object.fromEntries(readers), {
    '/contact/e.mail': ['Email'],
    'fields.0.value': ['Phone', 'Company'],
  })
})

test('a rule for each item of a list reads its first one, and the whole payload after $.', () => {
  const fields = [
    { label: 'Amount', path: 'total' },
    { label: 'Sale', path: '$.id' },
  ]
  const read = (payload: Json, each: string) => Object.fromEntries(findReaders(payload, { each, fields }))
  const order = { id: 801, refunds: [{ total: '-6.45' }, { total: '-1.00' }] }
  assert.deepEqual(read(order, 'refunds'), { 'refunds.0.total': ['Amount'], id: ['Sale'] })
  assert.deepEqual(read([{ total: 1 }], '$'), { '0.total': ['Amount'] })
  assert.deepEqual(read({ id: 801, refunds: [] }, 'refunds'), {})
})
