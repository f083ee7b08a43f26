import { holdsAddress } from '#contract/values.ts'
import { countInWords } from '../../platform/in-words.ts'

export type Link = { label: string; url: string }

/** A line of a table: what it is about, and what is said of it. */
export type Fact = { label: string; value: string; note?: string | null }

/** A paragraph, or lines below each other. */
export type Part = string | { heading?: string; facts: Fact[] }

/** A mail before it has an address. Its layout is the same for all; both its forms are made of what stands here. */
export type Letter = {
  /** In whose name it is sent; null is the install's own. */
  account: string | null
  subject: string
  /** The text a mailbox shows beside the subject. */
  preview: string
  parts: Part[]
  button?: Link
  /** The button holds a link that works by itself, so it is also shown to be copied. */
  showsLink?: true
  /** Another way beside the button. */
  other?: Link & { help: string }
  /** Why somebody gets it. */
  because: string
}

/** How a letter is written from what it is about, and what it might be about: previews and tests read the sample. */
export type Writer<Data> = { write(data: Data): Letter; sample: Data }

/** Makes one of a function and its sample. */
export const writer = <Data>(sample: Data, write: (data: Data) => Letter): Writer<Data> => ({ write, sample })

/** Names come from people: none may begin a new header or paragraph, or turn the text around it. */
export const oneLine = (text: string) =>
  text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()

const LONGEST_NAME = 80

/** Mail programs make a link of a word that reads like a host: a sign without width behind its dots keeps them from it. */
const unlinked = (line: string) =>
  line
    .split(' ')
    .map((word) =>
      /^[\w.+-]+@[\w.-]+$/.test(word) ? word : word.replace(/[.\u3002\uff0e\uff61](?=\p{L}{2})/gu, '$&\u200b'),
    )
    .join(' ')

/**
 * A name as our mails say it. They come from people we do not know: one that holds an address is left out, and none
 * becomes a link, so that our mails carry only our own.
 */
export function said(name: string | null | undefined, otherwise: string): string {
  const line = oneLine(name ?? '')
  if (line === '' || holdsAddress(line)) return otherwise
  const signs = [...new Intl.Segmenter('en').segment(line)].map(({ segment }) => segment)
  return unlinked(signs.length > LONGEST_NAME ? `${signs.slice(0, LONGEST_NAME - 1).join('')}…` : line)
}

/** The account by its name, within a sentence and at its beginning. */
export const accountOf = (name: string | null) => said(name, 'your partner program')
export const accountFirst = (name: string | null) => said(name, 'Your partner program')

export const becauseOwner = (accountName: string | null) =>
  `You get this email because you own ${said(accountName, 'an account')} on Tributary.`

export const becausePartner = (accountName: string | null) =>
  `You get this email because you are a partner of ${said(accountName, 'a program')} on Tributary.`

/** Lists in mails are short; the rest is a click away. */
export const MOST_LINES = 10

/** Says how many lines were left out. */
export const andMore = (count: number, shown: number): Part[] =>
  count > shown ? [`And ${countInWords(count - shown, 'more', 'more')}.`] : []
