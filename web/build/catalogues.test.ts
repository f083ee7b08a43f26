import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedLanguages } from '#contract/language.ts'
import { createTextFinder, findFault, findMissing, textsFor } from '../../server/platform/check-words.ts'
import { listTexts, readCatalogues, readEnglish } from '../../server/platform/word-files.ts'

// A translation has the texts of English, the values of each, and the plurals of its own language.

const english = await readEnglish()
const findText = createTextFinder(english)

const isSentence = (text: string) => (text.replace(/\{\{\w+\}\}/g, '').match(/\p{L}{2,}/gu) ?? []).length > 4

for (const language of shippedLanguages)
  test(`the texts in ${language} are those of English, with the same values and link marks`, () => {
    const catalogues = readCatalogues(language)
    const faults = findMissing(textsFor(language, english), catalogues).map(
      ({ module, path, text }) => `${module}.${path} is missing: ${text}`,
    )
    for (const { module, path, text } of listTexts(catalogues)) {
      const known = findText({ module, path })
      const own = String(text)
      const fault = known ? findFault(known, path, own) : 'is surplus'
      if (fault) faults.push(`${module}.${path} ${fault}`)
      if (own === known?.text && isSentence(own)) faults.push(`${module}.${path} is English: ${own}`)
      if (language === 'fr' && / [:;!?»]|« /.test(own))
        faults.push(`${module}.${path} may break before its sign: ${own}`)
      if (/\p{L}'\p{L}/u.test(own)) faults.push(`${module}.${path} has a straight apostrophe: ${own}`)
    }
    assert.deepEqual(faults, [])
  })
