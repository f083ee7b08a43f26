import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { statusByCode } from './refusal-codes.ts'
import { refusals } from './refusals.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
/** The server, and the mistakes that it finds by the contract's own rules. */
const source = globSync(['server/**/*.ts', 'features/*/server/**/*.ts', 'contract/{terms,payout-details}.ts'], {
  cwd: root,
})
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => `${root}${file}`)
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

test('the server uses every reason, and every code has a reason', () => {
  const unused = Object.keys(refusals).filter((reason) => !source.includes(`'${reason}'`))
  assert.deepEqual(unused, [])
  const codes = new Set(Object.values(refusals).map(([code]) => code))
  assert.deepEqual([...codes].sort(), Object.keys(statusByCode).sort())
})

test('reasons are named like codes, and each sentence has one reason', () => {
  for (const reason of Object.keys(refusals)) assert.match(reason, /^[a-z]+(_[a-z]+)*$/)
  const sentences = Object.values(refusals).map(([code, text]) => `${code}: ${text}`)
  assert.deepEqual(
    sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index),
    [],
  )
})

for (const [reason, [code, text]] of Object.entries(refusals))
  test(`${reason} reads as a sentence`, () => {
    assert.match(text, /^(\p{Lu}|\{\{\w+\}\})/u)
    assert.doesNotMatch(text, / {2}|^\s|\s$|['‘]|\n/)
    // a message under a field has no period; a value that is a sentence brings its own
    if (code !== 'validation_failed') assert.match(text, /(\.|\}\})$/)
    const besideNames = text.replaceAll(/\{\{\w+\}\}/g, '')
    assert.doesNotMatch(besideNames, /\{\{|\}\}|\$/)
  })
