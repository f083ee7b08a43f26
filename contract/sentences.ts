import { formatNumber } from './format.ts'
import { isEnglish } from './language.ts'
import { findTranslation as findIn } from './words.ts'

/** Sentences of schemas that hold more than numbers: what stands in the place of each value is data, or a sentence too. */
const patterns: readonly [RegExp, key: string][] = [
  [/^(.+) is required$/, '{{field}} is required'],
  [/^Check "(.+?)"\. (.+)$/, 'Check "{{field}}". {{mistake}}'],
  [/^The (?:field|parameter) "(.*)" is not recognized$/, 'The field "{{field}}" is not recognized'],
  [/^Use (?!at |true|a |an |the |only |\d)(.+)$/, 'Use {{values}}'],
  [/^Choose one of (.+)$/, 'Choose one of {{values}}'],
  [/^Sort by (.+), or put - before one$/, 'Sort by {{values}}, or put - before one'],
  [/^Send only (.+)$/, 'Send only {{field}}'],
]

/** Finds a sentence; those of the forms before signing in are a module of their own. */
const findTranslation = (sentence: string) => findIn('first-sentences', sentence) ?? findIn('sentences', sentence)

const NUMBER = /\d{1,3}(?:,\d{3})+|\d+/g

/**
 * Returns a sentence of a schema in the current language: 'Use at most 40 characters' by its key 'Use at most {{n}}
 * characters', numbers in the reader's format. It stays English without a translation.
 */
export function translateSentence(sentence: string): string {
  if (isEnglish()) return sentence
  const whole = findTranslation(sentence)
  if (whole !== undefined) return whole
  const numbers = sentence.match(NUMBER) ?? []
  const counted = findTranslation(sentence.replace(NUMBER, '{{n}}'))
  if (counted !== undefined) {
    let at = 0
    return counted.replaceAll('{{n}}', () => formatNumber(Number(numbers[at++]?.replaceAll(',', '') ?? 0)))
  }
  for (const [pattern, key] of patterns) {
    const text = findTranslation(key)
    const found = text === undefined ? null : pattern.exec(sentence)
    if (found)
      return text!.replace(/\{\{(\w+)\}\}/g, (_, name) =>
        name === 'mistake' ? translateSentence(found[2]!) : found[1]!,
      )
  }
  return sentence
}
