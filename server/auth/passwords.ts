import { readFileSync } from 'node:fs'
import { hash, verify } from '@node-rs/argon2'
import { Refusal, wrongField } from '../refusal.ts'

/** Argon2id (2) with 64 MiB and three passes: security.md, section 5. */
const ARGON2 = { algorithm: 2, memoryCost: 65_536, timeCost: 3, parallelism: 1 }
/** Of a random password nobody kept: an unknown e-mail costs the same time as a known one. */
const DUMMY = '$argon2id$v=19$m=65536,t=3,p=1$fBY5reJ7yV3E5a2PSqsCMA$dRpZy3PCBIvjNhRZL/dkTZJv2noGd1T/byf4sASs/bs'

const AT_ONCE = 4
const WAITING = 64

let running = 0
const waiting: (() => void)[] = []

/** Four at a time, as each takes 64 MiB. Refuses: `unavailable` when 64 wait already. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1
  else if (waiting.length >= WAITING)
    throw new Refusal('unavailable', 'Too many people are signing in at once. Please try again.', { retryAfter: 2 })
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    // whoever is next takes over this turn
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** What is stored of a password. Takes about a tenth of a second: never inside a transaction. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, ARGON2))

/** Whether this is the password. Takes as long when there is none (`null`), and is then false. */
export const isPassword = (stored: string | null, password: string): Promise<boolean> =>
  inTurn(async () => (await verify(stored ?? DUMMY, password)) && stored !== null)

const COMMON = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split(/\s+/)
    .filter(Boolean),
)
const SHORTEST_WORD = 4
const longestFirst = (words: Iterable<string>) =>
  [...words].filter((word) => word.length >= SHORTEST_WORD).sort((a, b) => b.length - a.length)
const COMMON_WORDS = longestFirst(COMMON)

/** So few characters beside well-known words protect nothing. */
const LEAST_REST = 6
/** A phrase of more words than these is not guessed by its words. */
const MOST_WORDS = 2

/**
 * Refuses a password that is well known, or little more than a well-known word or one that belongs to the person:
 * `context` are e-mails and names. The length is checked by the contract.
 */
export function refuseCommonPassword(password: string, context: readonly (string | null)[]) {
  const plain = password.normalize('NFKC').toLowerCase()
  const words = contextWords(context)
  if ([plain, withoutLeet(plain)].some((form) => isCommon(form, words)))
    throw wrongField('password', 'This password is too common')
}

function isCommon(text: string, context: string[]) {
  const compact = text.replace(/[^\p{L}\p{N}]/gu, '')
  if (COMMON.has(text) || COMMON.has(compact)) return true
  if (new Set(text).size <= 3 || /^(.{1,4})\1+.{0,3}$/su.test(text)) return true
  let rest = compact
  let removed = 0
  for (const word of context)
    if (rest.includes(word)) {
      rest = rest.replaceAll(word, '')
      removed += 1
    }
  let common = 0
  for (const word of COMMON_WORDS)
    if (rest.includes(word)) {
      rest = rest.replaceAll(word, '')
      common += 1
    }
  return removed + common > 0 && common <= MOST_WORDS && rest.length < LEAST_REST
}

const LEET: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }
const withoutLeet = (text: string) => text.replace(/[013457@$!]/g, (sign) => LEET[sign] ?? sign)

function contextWords(context: readonly (string | null)[]) {
  const words = new Set(['tributary'])
  for (const text of context) {
    const local = (text ?? '').toLowerCase().replace(/@.*$/s, '')
    for (const word of [local, ...local.split(/[^\p{L}\p{N}]+/u)]) words.add(word.replace(/[^\p{L}\p{N}]/gu, ''))
  }
  return longestFirst(words)
}
