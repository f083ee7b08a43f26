import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withLanguage } from '#contract/language.ts'
import { translateSentence } from '#contract/sentences.ts'
import { secondsInWords } from './format-values.ts'
import { preferredLanguage } from './languages.ts'
import { refusal, refusalBody, wrongField } from './refusal.ts'

test('the language is the one that the caller prefers of those that are shipped, with its country', () => {
  const cases: [header: string | undefined, language: string][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['de-CH,de;q=0.9,en;q=0.8', 'de-CH'],
    ['pt-PT', 'pt-PT'],
    ['PT-br', 'pt-BR'],
    ['ja, fr-CA;q=0.5, en;q=0.1', 'fr-CA'],
    ['en;q=0.5, nl;q=0.9', 'nl'],
    ['en-GB,de;q=0.9', 'en'],
    ['de;q=0, it;q=0.2', 'it'],
    ['ja,zh-Hans', 'en'],
    [' de ; q=0.3 ,es;q=0.4', 'es'],
    ['de;q=2', 'en'],
    ['../../etc/passwd,de', 'de'],
    ['__proto__', 'en'],
    [`${'xx,'.repeat(25)}de`, 'en'],
    ['de,'.repeat(3000), 'en'],
    // made up
    ['de-ZZ', 'de'],
    ['fr-a1b2c3d4', 'fr'],
    ['pt-Latn-XQ', 'pt'],
  ]
  for (const [header, language] of cases) assert.equal(preferredLanguage(header), language, header)
})

test('a refusal is said in the language of its reader; its code, reason and values are the same in each', () => {
  const tooMany = refusal('too_many_calls', { wait: () => secondsInWords(30) })
  const english = refusalBody(tooMany)
  assert.equal(english.message, 'Too many calls. Please try again in 30 seconds.')
  const german = withLanguage('de-AT', () => refusalBody(tooMany))
  assert.match(german.message, /30 Sekunden/)
  assert.deepEqual(german, { ...english, message: german.message })
  assert.deepEqual(english.values, { wait: '30 seconds' })
})

test('a field’s message is translated: that of its refusal, and the sentence of its schema, but not a value', () => {
  const german = withLanguage('de', () => refusalBody(wrongField('email', 'email_missing')))
  assert.equal(german.fields?.email, german.message)
  assert.notEqual(german.message, 'Email is required')
  const taken = refusal('promotion_code_taken', { partner: 'Enter text' })
  assert.match(withLanguage('de', () => refusalBody(taken)).message, /Enter text/)
})

test('a schema’s sentence has its numbers in the reader’s format, and its lists and names as they are', () => {
  const german = (sentence: string) => withLanguage('de', () => translateSentence(sentence))
  assert.match(german('Use at most 1,000 characters'), /1\.000 Zeichen/)
  assert.match(german('Use asc, desc'), /asc, desc/)
  const named = german('Check "email". Enter text')
  assert.match(named, /email/)
  assert.ok(!/Check|Enter/.test(named))
  assert.equal(german('No such sentence'), 'No such sentence')
  assert.equal(translateSentence('Use at most 1,000 characters'), 'Use at most 1,000 characters')
})
