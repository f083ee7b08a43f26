/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources of templates are read here */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enApp } from '../words/en-app.ts'
import { shellWords } from '../words/en-shell.ts'
import { placesOfWords, sectionsIn } from './words-of-screens.ts'

test('keys are found in every notation', () => {
  const code = "t('leads.status.new'); const head = 'sales.amount'; import './a.tsx'; x.fields.y"
  assert.deepEqual(sectionsIn(code), ['leads', 'sales'])
  assert.deepEqual(sectionsIn('t(`partners.state_${state}`)'), ['partners'])
  assert.deepEqual(sectionsIn('t(`badges.${of}.x`)'), ['badges'])
})

test('every section outside the shell has the module that adds it', async () => {
  const places = await placesOfWords()
  const expected = Object.keys(enApp).filter((section) => !(section in shellWords))
  assert.deepEqual([...places.keys()].sort(), expected.sort())
  assert.match(places.get('leads')!.source, /addResourceBundle\('en', 'translation', \{ leads: leadWords \}, true\)/)
  assert.match(places.get('table')!.source, /addResourceBundle\('en', 'translation', pieceWords, true\)/)
})
