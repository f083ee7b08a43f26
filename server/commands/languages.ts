import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { nativeName, shippedLanguages } from '#contract/language.ts'
import { textsFor } from '../platform/check-words.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { countInWords } from '../platform/format-values.ts'
import {
  getWords,
  isLanguageTag,
  measureLanguage,
  readLanguageFile,
  readLanguages,
  speakLanguages,
} from '../platform/languages.ts'
import { findTranslation, listTexts, readEnglish, toCatalogues } from '../platform/word-files.ts'
import { type Define, defineReport } from './command.ts'

export const define: Define = (program) => {
  const languages = program
    .command('languages')
    .description('Show how complete each language is, and export or check files of words.')
  defineReport(
    languages
      .command('list', { isDefault: true })
      .description('Show each part of each language, with the files in DATA_DIR/languages.'),
    async () => {
      const { own, faults } = await speakInstall()
      const english = await readEnglish()
      const items = [...new Set([...shippedLanguages, ...own.keys()])].map((language) => {
        const parts = measureLanguage(language, getWords(language), english)
        return { language, parts: parts.map(({ part, all, missing }) => ({ part, all, missing: missing.length })) }
      })
      const lines = items.map(({ language, parts }) => {
        const shares = parts.map(({ part, all, missing }) => `${part} ${Math.floor((1 - missing / all) * 100)}%`)
        return `${language.padEnd(7)}${nativeName(language).padEnd(22)}${shares.join(', ')}`
      })
      return { lines: [...lines, ...faults], json: { items, faults } }
    },
  )
  defineReport<{ missing?: boolean }>(
    languages
      .command('export')
      .description('Write the words of a language to a file to correct or fill in; missing ones are English.')
      .argument('<language>', 'such as de, pl or pt-PT')
      .argument('[file]', 'a new file; LANGUAGE.json if omitted')
      .option('--missing', 'only the words that are missing'),
    async ([language = '', file = `${language}.json`], { missing = false }) => {
      if (!isLanguageTag(language))
        throw new StartRefusal(`${JSON.stringify(language)} isn’t a language such as pl or pt-PT.`)
      await speakInstall()
      const words = getWords(language)
      const texts = textsFor(language, await readEnglish()).flatMap((text) => {
        const own = findTranslation(words, text)
        return missing && own !== undefined ? [] : [{ ...text, text: own ?? text.text }]
      })
      const path = resolve(file)
      const content = `${JSON.stringify(toCatalogues(texts), null, 2)}\n`
      await writeFile(path, content, { flag: 'wx' }).catch((error: Error) => {
        throw new StartRefusal(`The file can’t be written: ${error.message}`)
      })
      const written = `${countInWords(texts.length, 'text')} written to ${path}.`
      return {
        lines: [written, `To use it, save it as ${language}.json in DATA_DIR/languages and start the product again.`],
        json: { language, file: path, texts: texts.length },
      }
    },
  )
  defineReport(
    languages
      .command('check')
      .description('Name what is wrong with a file of words, and exit with 1 then.')
      .argument('<file>', 'named by its language, as de.json is'),
    async ([file = '']) => {
      const { words, faults } = await readLanguageFile(resolve(file), await readEnglish())
      const texts = words ? listTexts(words).length : 0
      const counts = `${countInWords(texts, 'text')} can be shown; ${countInWords(faults.length, 'fault')}.`
      return { lines: [...faults, counts], json: { texts, faults }, exitCode: faults.length > 0 ? 1 : 0 }
    },
  )
  return languages
}

/** Reads the words as a start does; needs no database. */
async function speakInstall() {
  const found = await readLanguages(readConfig(process.env).dataDir)
  speakLanguages(found)
  return found
}
