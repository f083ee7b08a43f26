/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources of templates are read here */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { filesOfWords, pseudoLanguage, toPseudo } from './pseudo-language.ts'
import { textsIn } from './words-syntax.ts'

test('every word is marked and placeholders stay', () => {
  assert.equal(toPseudo('Add partners'), 'Ááđđ þááŕţñééŕš')
  assert.equal(toPseudo('Write {referralCode}: 1,000+'), 'Ŵŕííţéé {referralCode}: 1,000+')
  assert.equal(toPseudo('Payout ') + toPseudo('PO-1'), toPseudo('Payout PO-1'))
  assert.doesNotMatch(toPseudo('THE QUICK brown fox jumps over the lazy dog'), /[a-z]/i)
})

test('the catalogue becomes about 35 % longer', () => {
  const all = filesOfWords.flatMap((file) => textsIn(file, readFileSync(file, 'utf8'))).join('')
  const growth = toPseudo(all).length / all.length
  assert.ok(growth > 1.32 && growth < 1.4, `${growth}`)
})

test('every file of words is still a module in the pseudo-language', () => {
  const { transform } = pseudoLanguage() as { transform: (code: string, id: string) => { code: string } }
  for (const file of filesOfWords)
    assert.doesNotThrow(() => stripTypeScriptTypes(transform(readFileSync(file, 'utf8'), file).code), file)
})

test('modules of words keep their keys, values and plurals', () => {
  const { transform } = pseudoLanguage() as { transform: (code: string, id: string) => { code: string } | undefined }
  const marked = (name: string, code: string) =>
    transform(code, fileURLToPath(new URL(`../../web/words/${name}`, import.meta.url)))?.code
  const source = [
    "import { plural, type Word } from './say.ts'",
    "export const words = { 'a-b': 'Add it’s {code}', c: ({ count, of }: { count: number; of: Word }) =>",
    "  plural(count, 'one', `${count} of ${of} \\`x\\``) }",
  ].join('\n')
  const expected = [
    "import { plural, type Word } from './say.ts'",
    `export const words = { 'a-b': "${toPseudo('Add it’s {code}')}", c: ({ count, of }: { count: number; of: Word }) =>`,
    `  plural(count, "${toPseudo('one')}", \`\${count}${toPseudo(' of ')}\${of} \\\`${toPseudo('x')}\\\`\`) }`,
  ].join('\n')
  assert.equal(marked('links.ts', source), expected)
  assert.equal(marked('say.ts', source), undefined)
  assert.equal(marked('../format.ts', source), undefined)
})
