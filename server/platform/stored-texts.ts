import { isEnglish, withLanguage } from '#contract/language.ts'
import { readSay } from '#contract/words.ts'
import { dayInWords, monthInWords } from './format-values.ts'
import { lazyValue } from './lazy-value.ts'

// Sentences of ours that are stored with what they are about, in English: events, files and a team read them so. A
// partner reads them in their language, by the place that they have in a module of words.

type Values = Record<string, string>
type Words = { readonly [key: string]: unknown }
type Sentence = { english: string; say(values: Values): string }

const NAME = /\{\{(\w+)\}\}/

/**
 * Returns what says a stored text of these words in the current language; other texts, typed by a person or written by
 * an earlier release, stay as they are. A value named `why` is a stored text again, `day` and `month` are formatted.
 */
export function storedTexts(...words: object[]): (text: string) => string {
  // not at the start: most installs read English alone
  const known = lazyValue(() => {
    const sentences = withLanguage('en', () => words.flatMap((one) => sentencesOf(one as Words)))
    const whole = new Map(sentences.filter(({ english }) => !NAME.test(english)).map((one) => [one.english, one.say]))
    const patterns = sentences
      .filter(({ english }) => NAME.test(english))
      .map(({ english, say }) => ({ own: literalOf(english).length, pattern: toPattern(english), say }))
      // the one that says most by itself
      .toSorted((one, other) => other.own - one.own)
    return { whole, patterns }
  })
  const translate = (text: string): string => {
    if (isEnglish()) return text
    const { whole, patterns } = known()
    const same = whole.get(text)
    if (same) return same({})
    for (const { pattern, say } of patterns) {
      const values = readValues(pattern.exec(text)?.groups, translate)
      if (values) return say(values)
    }
    return text
  }
  return translate
}

const sentencesOf = (words: Words): Sentence[] =>
  Object.keys(words).flatMap((key): Sentence[] => {
    const english = words[key]
    if (typeof english === 'string') return [{ english, say: () => words[key] as string }]
    if (typeof english !== 'function') return sentencesOf(english as Words)
    const say = (values: Values) => (words[key] as (values: Values) => string)(values)
    return [{ english: readSay(english as never).texts.other, say }]
  })

const literalOf = (english: string) => english.replaceAll(new RegExp(NAME, 'g'), '')

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function toPattern(english: string): RegExp {
  const parts = english.split(NAME)
  const source = parts.map((part, at) => {
    if (at % 2 === 0) return escaped(part)
    return parts.indexOf(part) < at ? `\\k<${part}>` : `(?<${part}>[^]+)`
  })
  return new RegExp(`^${source.join('')}$`)
}

const ofTime: Record<string, (time: string) => string> = {
  day: dayInWords,
  month: (day) => monthInWords(day.slice(0, 7)),
}

/** Returns the values in the current language; undefined if one of them can't be of this sentence. */
function readValues(found: Values | undefined, translate: (text: string) => string): Values | undefined {
  if (!found) return undefined
  const values = Object.entries(found).map(([name, text]) => {
    if (name === 'why') return [name, translate(text)] as const
    const format = ofTime[name]
    return [name, format ? readTime(text, format) : text] as const
  })
  return values.every(([, value]) => value !== undefined) ? (Object.fromEntries(values) as Values) : undefined
}

function readTime(text: string, format: (day: string) => string): string | undefined {
  const at = Date.parse(`${text} UTC`)
  if (Number.isNaN(at)) return undefined
  const day = new Date(at).toISOString().slice(0, 10)
  return withLanguage('en', () => format(day)) === text ? format(day) : undefined
}
