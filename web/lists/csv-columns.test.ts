import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOfFile } from './csv-columns.ts'

const usualNames = ['id', 'firstName', 'lastName', 'status', 'sales', 'revenue', 'currency', 'createdAt']
const endpoint = { columnNames: [...usualNames, 'note'], usualNames }
const [name, status, sales, revenue] = [
  { csv: ['firstName', 'lastName'] },
  { field: 'status' },
  { field: 'sales' },
  { field: 'revenue' },
]
const columnsParameter = (columns: object[], hidden: string[] = [], onlyShown = false) =>
  columnsOfFile({ endpoint, columns, hidden, onlyShown })

test('columns of the table come in its order; unshown ones stay where the file has them', () => {
  assert.equal(
    columnsParameter([name, revenue, sales, status]),
    'id,firstName,lastName,revenue,sales,status,currency,createdAt,note',
  )
  assert.equal(
    columnsOfFile({ endpoint: { columnNames: usualNames, usualNames }, columns: [name], hidden: [] }),
    undefined,
  )
})

test('a hidden column is omitted with all its fields', () => {
  const owner = { field: 'owner', csv: ['firstName', 'lastName'] }
  assert.equal(columnsParameter([owner, status], ['owner']), 'id,status,sales,revenue,currency,createdAt,note')
  // a list that once had a column of that name, or shows it on wider screens only
  assert.equal(
    columnsParameter([name], ['sales', 'gone']),
    'id,firstName,lastName,status,revenue,currency,createdAt,note',
  )
})

test('a file may begin with other columns than its table', () => {
  assert.equal(
    columnsOfFile({ endpoint, columns: [name, status], hidden: ['sales'], first: ['createdAt', 'status', 'sales'] }),
    'createdAt,status,id,firstName,lastName,revenue,currency,note',
  )
})

test('a restricted reader gets only the table’s columns, the ID and the currency of amounts', () => {
  assert.equal(columnsParameter([name, revenue, status], [], true), 'id,firstName,lastName,revenue,status,currency')
})
