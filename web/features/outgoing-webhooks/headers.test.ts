import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerMistakes, headerRows, placeMessages, toHeaders } from './headers.ts'

const known = ['X-Api-Key', 'x-team']

test('a header left empty keeps its value; blank rows are not sent', () => {
  assert.deepEqual(headerRows([]), [{ name: '', value: '' }])
  assert.deepEqual(toHeaders(headerRows(known), known), { 'X-Api-Key': '•••', 'x-team': '•••' })
  const rows = [
    { name: ' X-Api-Key ', value: 'new' },
    { name: '', value: '' },
    { name: 'X-Other', value: 'a' },
  ]
  assert.deepEqual(toHeaders(rows, known), { 'X-Api-Key': 'new', 'X-Other': 'a' })
})

test('a header needs a unique name and a value', () => {
  const wrong = (...rows: [name: string, value: string][]) =>
    Object.fromEntries(
      Object.entries(
        headerMistakes(
          rows.map(([name, value]) => ({ name, value })),
          known,
        ),
      ).filter(([, message]) => message),
    )
  assert.deepEqual(wrong(['', ''], ['X-Api-Key', ''], ['X-Other', 'a']), {})
  assert.deepEqual(wrong(['', 'a'], ['X-Other', '']), {
    'headers.0.name': 'Header Name is required',
    'headers.1.value': 'Header Value is required',
  })
  // A renamed header is a new one, which has no saved value.
  assert.deepEqual(wrong(['x-api-key', '']), { 'headers.0.value': 'Header Value is required' })
  assert.deepEqual(wrong(['X-Other', 'a'], ['x-other', 'b']), { 'headers.1.name': 'Use each header name once' })
  assert.deepEqual(wrong(['x'.repeat(101), 'a'.repeat(1001)]), {
    'headers.0.name': 'Use at most 100 characters',
    'headers.0.value': 'Use at most 1000 characters',
  })
})

test('a server error about a header appears in its row', () => {
  const rows = [
    { name: '', value: '' },
    { name: ' Host', value: 'a' },
  ]
  assert.deepEqual(placeMessages({ 'headers.Host': 'No', url: 'Wrong', headers: 'Too many' }, rows), {
    'headers.1.name': 'No',
    url: 'Wrong',
    headers: 'Too many',
  })
})
