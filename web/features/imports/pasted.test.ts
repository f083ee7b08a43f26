import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsvFile } from './pasted.ts'

const people = (text: string) => {
  const [header, ...rows] = toCsvFile(text).split('\n')
  assert.equal(header, 'email,firstName,lastName', text)
  return rows
}
const emails = (text: string) => people(text).map((row) => row.split(',')[0])

test('a person on a line is recognized, however the line was copied', () => {
  for (const text of [
    'Jane Doe <jane@x.example>',
    '"Jane Doe" <jane@x.example>,',
    '"Doe, Jane" <jane@x.example>',
    'jane@x.example, Jane, Doe',
    'Jane, Doe, jane@x.example',
    'Jane;Doe;jane@x.example',
    'Jane\tDoe\tjane@x.example\t+1 415 555 0142',
    'Jane\tDoe\tjane@x.example\tmanager@x.example',
    'jane@x.example\tJane Doe',
    'Jane Doe jane@x.example',
    '  “Jane” , “Doe” , “jane@x.example” ',
    'Jane Doe <mailto:jane@x.example>',
  ])
    assert.deepEqual(people(text), ['jane@x.example,Jane,Doe'], text)
  for (const text of ['jane@x.example', 'jane@x.example <jane@x.example>'])
    assert.deepEqual(people(text), ['jane@x.example,,'], text)
  assert.deepEqual(people('"Jane@X.example" <jane@x.example>'), ['jane@x.example,,'])
  assert.deepEqual(people('Cher <cher@x.example>'), ['cher@x.example,Cher,'])
  assert.deepEqual(people('Ana María Ōsaka𠮷 <ana@x.example>'), ['ana@x.example,Ana María,Ōsaka𠮷'])
  assert.deepEqual(people('Jane "JD", Doe, jane@x.example'), ['jane@x.example,"Jane ""JD",Doe'])
})

test('several people may share a line, and empty lines are skipped', () => {
  assert.deepEqual(
    emails('\uFEFF\r\nJane Doe <jane@x.example>; Sam Ortiz <sam@x.example>\rann@x.example, bob@x.example\n'),
    ['jane@x.example', 'sam@x.example', 'ann@x.example', 'bob@x.example'],
  )
  for (const line of [
    'jane@x.example sam@x.example',
    'jane@x.example\tsam@x.example',
    'jane@x.example;sam@x.example',
    'Jane Doe <jane@x.example> Sam Ortiz <sam@x.example>',
    '"Doe, Jane" <jane@x.example>, "Ortiz, Sam" <sam@x.example>',
    '<jane@x.example><sam@x.example>',
  ])
    assert.deepEqual(emails(line), ['jane@x.example', 'sam@x.example'], line)
  assert.deepEqual(emails('ann@x.example bob@x.example; cy@x.example'), [
    'ann@x.example',
    'bob@x.example',
    'cy@x.example',
  ])
  assert.deepEqual(people(' \n\t\n'), [])
})

test('a line without one address becomes a row with all of it as email, so that the import names its problem', () => {
  assert.deepEqual(people('ann@x.example\nJane Doe'), ['ann@x.example,,', 'Jane Doe,,'])
  assert.deepEqual(people('jane@'), ['jane@,,'])
  assert.deepEqual(people('Jane <>'), [',Jane,'])
  for (const line of ['Jane jane@x.example or jane@work.example', 'jane@work.example <jane@x.example>'])
    assert.deepEqual(people(line), [`${line},,`])
  assert.deepEqual(people('ann@x.example\nANN@x.example'), ['ann@x.example,,', 'ANN@x.example,,'])
})

test('a table with a header stays as pasted', () => {
  for (const table of [
    'Name,Email\nJane Doe,jane@x.example',
    'E-mail\njane@x.example',
    'order_id;amount\n1;2',
    'First\tEmail\nJane\tjane@x.example',
  ])
    assert.equal(toCsvFile(`\uFEFF${table}`), table)
})
