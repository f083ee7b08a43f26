import type { Language } from '#contract/language.ts'
import type { ProseBlock } from '#contract/prose.ts'
import { holdsAddress } from '#contract/values.ts'
import { oneLine } from '../../platform/format-values.ts'
import { mailPhrases } from './text.ts'

export type Link = { label: string; url: string }

/** A table row: label and value. */
export type Fact = { label: string; value: string; note?: string | null }

/** A button, whose link may also be shown for copying. */
export type ButtonPart = { button: Link; showsLink?: true | undefined }

/** A paragraph, a list of rows, prose that an account wrote to its partners, or a button between them. */
export type Part = string | { heading?: string; facts: Fact[] } | { prose: ProseBlock[] } | ButtonPart

/** A mail without its address. The layout is the same for all; both forms are rendered from it. */
export type MailMessage = {
  /** The account in whose name it is sent; null for the install's own. */
  account: string | null
  subject: string
  /** The text a mailbox shows after the subject. */
  preview: string
  parts: Part[]
  button?: Link
  /** The button's link works without signing in, so it is also shown for copying. */
  showsLink?: true
  /** An alternative to the button. */
  other?: Link & { help: string }
  /** Sent in the look of its account: to partners, and to those who want to be. */
  inItsLook?: true
  /** The reason for getting it. */
  because: string
  /** The language of its subject and prose where an account wrote them, if it is another one than the letter's. */
  textLanguage?: Language
  /** The language in which it is written, if not English. */
  language?: Language
}

const LONGEST_NAME = 80

/**
 * Prevents links: mail programs link a word that looks like a host unless its dots are followed by a zero-width
 * character.
 */
const unlinked = (line: string) =>
  line
    .split(' ')
    .map((word) =>
      /^[\w.+-]+@[\w.-]+$/.test(word) ? word : word.replace(/[.\u3002\uff0e\uff61](?=\p{L}{2})/gu, '$&\u200b'),
    )
    .join(' ')

/**
 * Returns a name for use in mails. Names come from unknown people: one with an address is omitted, and none becomes a
 * link, so that mails contain only our own links.
 */
export function nameOr(name: string | null | undefined, otherwise: string): string {
  const line = oneLine(name ?? '')
  if (line === '' || holdsAddress(line)) return otherwise
  const signs = [...new Intl.Segmenter('en').segment(line)].map(({ segment }) => segment)
  return unlinked(signs.length > LONGEST_NAME ? `${signs.slice(0, LONGEST_NAME - 1).join('')}…` : line)
}

/** Returns a longer text of an account as one paragraph, in which nothing becomes a link. */
export const toPlainLine = (text: string | null) => unlinked(oneLine(text ?? ''))
export const quoteText = (text: string | null) => (text ? mailPhrases.quoted({ text: toPlainLine(text) }) : '')

/** The account's name, within a sentence and at its start. */
export const formatAccountName = (name: string | null) => nameOr(name, mailPhrases.yourProgram)
export const accountFirst = (name: string | null) => nameOr(name, mailPhrases.yourProgramFirst)

/** A letter to a user, about their login. */
export const toUser = (account: string | null) => ({
  account,
  because: mailPhrases.becauseUser,
})

/** A letter to the owner of an account with this name. */
export const toOwner = (account: string | null) => ({
  account,
  because: `You get this email because you own ${nameOr(account, 'an account')} on Tributary.`,
})

/** A letter to a person of the team of an account with this name. */
export const toTeam = (account: string | null) => ({
  account,
  because: `You get this email because you are on the team of ${nameOr(account, 'an account')} on Tributary.`,
})

/** A letter to a partner of an account with this name. */
export const toPartner = (account: string | null) => ({
  account,
  inItsLook: true as const,
  because: mailPhrases.becausePartner({ account: nameOr(account, mailPhrases.aProgram) }),
})

/** Most lines of a list in a mail; the rest is linked. */
export const MOST_LINES = 10

/** A list of the first of `count` rows, with the number of the others in words. */
export const listFirst = (count: number, facts: Fact[]): Part[] =>
  count > facts.length ? [{ facts }, mailPhrases.andMore({ count: count - facts.length })] : [{ facts }]
