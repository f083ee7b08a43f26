import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { forms } from '../test/fixtures/pages/forms.ts'
import { hasWord, normalizeText } from './guesses.ts'
import { ATTRIBUTES, BUTTON, EMAIL_NAME, OTHER_FORMS, PATH } from './whys.ts'
import { OTHERS, SENDS, SIGN_UP } from './words.ts'

// The tables of what forms say and what they are: test/fixtures/pages/words.tsv and forms.tsv.

const rowsOf = (name: string) =>
  readFileSync(new URL(`../test/fixtures/pages/${name}.tsv`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t') as string[])

/** Returns the texts that a pattern of the table describes. */
function textsOf(pattern: string): string[] {
  let at = 0
  const either = (): string[] => {
    const texts = inOrder()
    while (pattern[at] === '|') {
      at++
      texts.push(...inOrder())
    }
    return texts
  }
  const inOrder = () => {
    let texts = ['']
    while (at < pattern.length && !'|)'.includes(pattern[at]!)) {
      const parts = next()
      if ('?*'.includes(pattern[at] ?? '-')) parts.push('')
      if ('?*+'.includes(pattern[at] ?? '-')) at++
      texts = texts.flatMap((text) => parts.map((part) => text + part))
    }
    return texts
  }
  const next = (): string[] => {
    const character = pattern[at++]!
    if (character === '^') return ['']
    if (character === '\\') return pattern[at++] === 'w' ? ['us'] : ['']
    if (character === '(') {
      const parts = either()
      at++
      return parts
    }
    if (character !== '[') return [character]
    const end = pattern.indexOf(']', at)
    const parts = [...pattern.slice(at, end)]
    at = end + 1
    return parts
  }
  return either()
}

test('a pattern of the table stands for its texts', () => {
  assert.deepEqual(textsOf('sign ?up|(the )*end$|a[bc]'), ['sign up', 'signup', 'the end$', 'end$', 'ab', 'ac'])
})

test('a form is known by what its button, its attributes and its path say, in eleven languages', () => {
  // the texts that the script looks for each line of `OTHERS` in
  const LOOKED_FOR = [BUTTON | ATTRIBUTES | PATH, ATTRIBUTES, BUTTON, BUTTON | ATTRIBUTES, EMAIL_NAME]
  const PLACES = { button: BUTTON, 'at its beginning': BUTTON, attributes: ATTRIBUTES, path: PATH }
  const missed: string[] = []
  for (const [kind, where, language, words] of rowsOf('words')) {
    const places =
      where === 'name of the email field' ? [EMAIL_NAME] : where!.split(', ').map((one) => PLACES[one as 'button'])
    for (const pattern of textsOf(words!))
      for (const place of places) {
        const text = normalizeText(pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}ex`)
        const isKnown =
          kind === 'sign-up'
            ? hasWord(text, SIGN_UP)
            : kind === 'send'
              ? hasWord(text, SENDS)
              : OTHER_FORMS.some(([name, at, own]) => at & place && name === kind && hasWord(text, own)) &&
                OTHERS.some((own, line) => LOOKED_FOR[line]! & place && hasWord(text, own))
        if (!isKnown) missed.push(`${kind}, ${language}: ${text}`)
      }
  }
  assert.deepEqual(missed, [])
})

test('what people read on a page is no word of a form', () => {
  for (const text of [
    'Next',
    'Close',
    'Weiter',
    'Schließen',
    'Suivant',
    'Siguiente',
    'Cerrar',
    'Avanti',
    'Chiudi',
    'Próximo',
  ])
    assert.ok(!hasWord(normalizeText(text), SENDS), text)
  for (const text of [
    'Volgende',
    'Sluiten',
    'Dalej',
    'Zamknij',
    'Nästa',
    'Stäng',
    'Næste',
    'Luk',
    'Neste',
    'Lukk',
    'Back',
  ])
    assert.ok(!hasWord(normalizeText(text), SENDS), text)
})

test('every form of the table is built as a real one, with its verdict and its names', () => {
  for (const [row, , , , , verdict, names] of rowsOf('forms')) {
    const built = forms.find(({ form }) => row!.startsWith(form))
    assert.ok(built, row)
    assert.deepEqual([built.form, built.sends], [built.form, verdict!.startsWith('yes')])
    if (names) assert.equal(built.names, names.trim(), row)
  }
})
