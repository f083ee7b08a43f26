import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enApp } from '../../web/words/en-app.ts'
import { PSEUDO_LETTERS, pseudo, pseudoLanguage } from './pseudo-language.ts'

test('every word is marked and placeholders stay', () => {
  assert.equal(pseudo('Add {{count}} partners'), 'Ááđđ {{count}} þááŕţñééŕš')
  assert.equal(pseudo('Write {referralCode}: 1,000+'), 'Ŵŕííţéé {referralCode}: 1,000+')
  assert.equal(pseudo('Payout ') + pseudo('PO-1'), pseudo('Payout PO-1'))
  assert.doesNotMatch(pseudo('THE QUICK brown fox jumps over the lazy dog'), /[a-z]/i)
})

test('the catalogue becomes about 35 % longer', () => {
  const texts = (words: object): string[] =>
    Object.values(words).flatMap((word) =>
      typeof word === 'string' ? [word.replace(/\{\{.*?\}\}/g, '')] : texts(word),
    )
  const all = texts(enApp).join('')
  const growth = pseudo(all).length / all.length
  assert.ok(growth > 1.33 && growth < 1.4, `${growth}`)
})

test('word modules export the same names and keys', async () => {
  const { load } = pseudoLanguage() as { load: (id: string) => Promise<string | undefined> }
  const code = await load(new URL('../../web/words/en-links.ts', import.meta.url).pathname)
  const marked = await import(`data:text/javascript,${encodeURIComponent(code as string)}`)
  const { linkWords } = await import('../../web/words/en-links.ts')
  assert.deepEqual(Object.keys(marked.linkWords), Object.keys(linkWords))
  assert.equal(marked.linkWords.destinationUrl, pseudo(linkWords.destinationUrl))
  assert.match(marked.linkWords.noneYet, new RegExp(PSEUDO_LETTERS))
  assert.equal(await load(new URL('../../web/format.ts', import.meta.url).pathname), undefined)
})
