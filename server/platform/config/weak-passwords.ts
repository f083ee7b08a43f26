import { readFileSync } from 'node:fs'
import { wrongField } from '../refusal.ts'

const COMMON = new Set(
  readFileSync(new URL('./weak-passwords.txt', import.meta.url), 'utf8')
    .split(/\s+/)
    .filter(Boolean),
)
const SHORTEST_WORD = 4
const longestFirst = (words: Iterable<string>) =>
  [...words].filter((word) => word.length >= SHORTEST_WORD).sort((a, b) => b.length - a.length)
const COMMON_WORDS = longestFirst(COMMON)

/** Fewest characters besides well-known words. */
const LEAST_REST = 6
/** Most well-known words; a longer phrase cannot be guessed by its words. */
const MOST_WORDS = 2

/**
 * Whether a password is well known, or little more than a well-known or personal word: `context` contains e-mails and
 * names. The contract checks the length.
 */
export function isCommonPassword(password: string, context: readonly (string | null)[]) {
  const plain = password.normalize('NFKC').toLowerCase()
  const words = contextWords(context)
  return [plain, withoutLeet(plain)].some((form) => isCommon(form, words))
}

/** Refuses: `validation_failed` for a common password. */
export function refuseCommonPassword(password: string, context: readonly (string | null)[]) {
  if (isCommonPassword(password, context)) throw wrongField('password', 'password_too_common')
}

function isCommon(text: string, context: string[]) {
  const compact = text.replace(/[^\p{L}\p{N}]/gu, '')
  if (COMMON.has(text) || COMMON.has(compact)) return true
  if (new Set(text).size <= 3 || /^(.{1,4})\1+.{0,3}$/su.test(text)) return true
  let rest = compact
  /** Removes words from the rest; returns how many it contained. */
  const remove = (words: string[]) => {
    let found = 0
    for (const word of words)
      if (rest.includes(word)) {
        rest = rest.replaceAll(word, '')
        found++
      }
    return found
  }
  const [personal, common] = [remove(context), remove(COMMON_WORDS)]
  return personal + common > 0 && common <= MOST_WORDS && rest.length < LEAST_REST
}

const LEET: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }
const withoutLeet = (text: string) => text.replace(/[013457@$!]/g, (sign) => LEET[sign] ?? sign)

function contextWords(context: readonly (string | null)[]) {
  const words = new Set(['tributary'])
  for (const text of context) {
    const whole = (text ?? '').toLowerCase()
    const [local = '', domain = ''] = whole.split('@')
    for (const word of [whole, local, domain, ...whole.split(/[^\p{L}\p{N}]+/u)])
      words.add(word.replace(/[^\p{L}\p{N}]/gu, ''))
  }
  return longestFirst(words)
}
