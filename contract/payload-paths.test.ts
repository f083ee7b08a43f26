import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, listLeaves, parsePath, plainPath, toText, valueAt, valuesIn, writtenPath } from './payload-paths.ts'

const sample: Json = {
  contact: { email: 'lena@mail.example', 'first name': 'Lena', 'e.mail': 'dotted', 'a/b~c': 'slashed' },
  items: [{ name: 'One' }, { name: 'Two', more: [1, 2] }],
  fields: [
    { label: 'Email', value: 'lena@mail.example' },
    { label: ' Phone ', value: null },
    { field: { ref: 'name' }, text: 'Lena' },
  ],
  tags: ['only'],
  empty: {},
}

test('a path selects keys, positions and items by a field', () => {
  const reads: [string, unknown][] = [
    ['contact.email', 'lena@mail.example'],
    ['contact.first name', 'Lena'],
    ['/contact/e.mail', 'dotted'],
    ['/contact/a~1b~0c', 'slashed'],
    ['items.1.name', 'Two'],
    ['items[1].name', 'Two'],
    ['items[1].more[0]', 1],
    ['items[name=two].name', 'Two'],
    ['fields[label=Email].value', 'lena@mail.example'],
    ['fields[label=phone].value', null],
    ['fields[field.ref=name].text', 'Lena'],
    ['contact.missing', undefined],
    ['items.7.name', undefined],
    ['items.name', undefined],
    ['fields[label=nobody].value', undefined],
    ['contact[label=x]', undefined],
    ['contact.email.length', undefined],
    ['__proto__', undefined],
    ['constructor.name', undefined],
    ['items.length', undefined],
  ]
  for (const [path, wanted] of reads) assert.equal(valueAt(sample, path), wanted, path)
  assert.equal(valueAt([{ a: 1 }], '[a=1].a'), 1)
  assert.equal(valueAt([{ a: 1 }], '0.a'), 1)
})

test('a step in brackets may select several values, from an item or from the whole payload', () => {
  const taxes: Json = {
    extras: [{ type: 'tax', price: { value: '344' } }, { type: 'shipping' }, { type: 'Tax', price: { value: 48 } }],
  }
  const found = (path: string, item: Json = taxes) => valuesIn({ item, body: taxes }, path)
  assert.deepEqual(found('extras[type=tax].price.value'), ['344', 48])
  assert.deepEqual(found('$.extras[type=tax].price.value', {}), ['344', 48])
  assert.deepEqual(found('extras[type=shipping].price.value'), [])
  assert.deepEqual(found('extras.0.type'), ['tax'])
})

test('an invalid path is refused', () => {
  for (const path of ['', '.', 'a.', '.a', 'a..b', 'a[', 'a]', 'a[b', 'a[=x]', 'a[]', 'a[x]', 'a.'.repeat(30)])
    assert.equal(parsePath(path), null, path)
})

test('a single value is text, a list of one is its item, and every value of a sample has a path', () => {
  assert.equal(toText(valueAt(sample, 'tags')), 'only')
  assert.equal(toText(valueAt(sample, 'items')), null)
  assert.equal(toText(valueAt(sample, 'empty')), null)
  assert.equal(toText(false), 'false')
  const leaves = listLeaves(sample)
  assert.ok(leaves.length > 10)
  for (const { path, value } of leaves) assert.equal(toText(valueAt(sample, path)), value, path)
  assert.equal(writtenPath(['a', 'b.c']), '/a/b.c')
  assert.equal(listLeaves(Array.from({ length: 5000 }, (_, n) => n)).length, 300)
})

test('a path with a condition resolves to one with keys only', () => {
  const payload = {
    fields: [
      { label: 'Phone', value: 7 },
      { label: 'E.mail', value: { 'a/b': 1 } },
    ],
  }
  assert.equal(plainPath(payload, 'fields[label=e.mail].value'), 'fields.1.value')
  assert.equal(plainPath(payload, 'fields[0].label'), 'fields.0.label')
  assert.equal(plainPath(payload, '/fields/1/value/a~1b'), '/fields/1/value/a~1b')
  assert.equal(plainPath(payload, 'fields[label=Name].value'), undefined)
})

test('a step by a value picks among an object’s values too', () => {
  const payload = { fields: { a: { type: 'text', value: 'Anna' }, b: { type: 'email', value: 'anna@buyer.example' } } }
  assert.equal(valueAt(payload, 'fields[type=email].value'), 'anna@buyer.example')
  assert.equal(plainPath(payload, 'fields[type=email].value'), 'fields.b.value')
  assert.equal(valueAt(payload, 'fields[type=tel].value'), undefined)
})
