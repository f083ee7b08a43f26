import assert from 'node:assert/strict'
import { test } from 'node:test'
import i18next from 'i18next'
import { enApp } from '../../words/en-app.ts'
import { codesFor, MOST_PEOPLE, peopleIn, type Someone } from './people.ts'

i18next.addResourceBundle('en', 'translation', enApp, true)

const jane: Someone = { email: 'jane@x.example', firstName: 'Jane', lastName: 'Doe' }
const only = (text: string) => {
  const lines = peopleIn(text)
  assert.equal(lines.length, 1, text)
  const [line] = lines
  return line && 'person' in line ? line.person : line?.wrong
}

test('whoever is named in a line is understood, however it was copied', () => {
  for (const text of [
    'Jane Doe <jane@x.example>',
    '"Jane Doe" <jane@x.example>,',
    '"Doe, Jane" <jane@x.example>',
    'jane@x.example, Jane, Doe',
    'Jane;Doe;jane@x.example',
    'Jane\tDoe\tjane@x.example\t+1 415 555 0142',
    'jane@x.example\tJane Doe',
    'Jane Doe jane@x.example',
    '  “Jane” , “Doe” , “jane@x.example” ',
    'Jane Doe <mailto:jane@x.example>',
  ])
    assert.deepEqual(only(text), jane, text)
  for (const text of ['jane@x.example', 'jane@x.example <jane@x.example>', '"Jane@X.example" <jane@x.example>'])
    assert.deepEqual(only(text), { email: 'jane@x.example', firstName: null, lastName: null }, text)
  assert.deepEqual(only('Cher <cher@x.example>'), { email: 'cher@x.example', firstName: 'Cher', lastName: null })
  const long = { email: 'ana@x.example', firstName: 'Ana María', lastName: 'Ōsaka𠮷' }
  assert.deepEqual(only('Ana María Ōsaka𠮷 <ana@x.example>'), long)
})

test('several may share a line; heads and empty lines are passed over', () => {
  const text =
    '\uFEFFName,Email\r\n\r\nJane Doe <jane@x.example>; Sam Ortiz <sam@x.example>\rann@x.example, bob@x.example\n'
  const found = peopleIn(text).map((line) => [line.line, 'person' in line && line.person.email])
  assert.deepEqual(found, [
    [3, 'jane@x.example'],
    [3, 'sam@x.example'],
    [4, 'ann@x.example'],
    [4, 'bob@x.example'],
  ])
  for (const line of [
    'jane@x.example sam@x.example',
    'jane@x.example\tsam@x.example',
    'jane@x.example;sam@x.example',
    'Jane Doe <jane@x.example> Sam Ortiz <sam@x.example>',
    '"Doe, Jane" <jane@x.example>, "Ortiz, Sam" <sam@x.example>',
    '<jane@x.example><sam@x.example>',
  ])
    assert.deepEqual(
      peopleIn(line).map((found) => 'person' in found && found.person.email),
      ['jane@x.example', 'sam@x.example'],
      line,
    )
  assert.deepEqual(
    peopleIn('ann@x.example bob@x.example; cy@x.example').map((found) => 'person' in found && found.person.email),
    ['ann@x.example', 'bob@x.example', 'cy@x.example'],
  )
  assert.deepEqual(peopleIn(' \n\t\n'), [])
})

test('what is wrong is said by line: no address, a broken one, one that is there already, too many', () => {
  assert.equal(only('Jane Doe'), 'No email address found')
  assert.equal(only('jane@'), 'Enter a valid email address')
  assert.equal(only('Jane <>'), 'Enter a valid email address')
  for (const line of ['Jane jane@x.example or jane@work.example', 'jane@work.example <jane@x.example>'])
    assert.equal(only(line), 'Put each email address on its own line', line)
  assert.equal(typeof only('Jane\tDoe\tjane@x.example\tmanager@x.example'), 'object')
  assert.match(String(only(`${'J'.repeat(101)} Doe <jane@x.example>`)), /100/)
  const twice = peopleIn('jane@x.example\nJANE@x.example')
  assert.deepEqual(twice.at(1), { line: 2, text: 'JANE@x.example', wrong: 'Same email as line 1' })
  const many = peopleIn(Array.from({ length: MOST_PEOPLE + 1 }, (_, at) => `p${at}@x.example`).join('\n'))
  assert.deepEqual(
    many.filter((line) => 'wrong' in line).map(({ line }) => line),
    [MOST_PEOPLE + 1],
  )
})

test('two of one name get codes apart', () => {
  assert.deepEqual(codesFor([jane, { ...jane, email: 'other@x.example' }]), ['jane-doe', 'jane-doe-2'])
})
