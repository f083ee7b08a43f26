import { DateOnly } from '#contract/values.ts'
import {
  type Booking,
  bankResult,
  filesIn,
  isOurs,
  mentionedIn,
  NOTHING,
  ownReference,
  type ReportRow,
  toOutcome,
} from './bank-result.ts'
import { codeIn, formatReason } from './reasons.ts'
import { bankReasons } from './text.ts'

/** Whether a text begins as MT940 does, perhaps after the header of a network; MT942 has no opening balance. */
export const isMt940 = (text: string) =>
  /(?:^|[\r\n]|\{4:)\ufeff?:20:/.test(text.slice(0, 1000)) && /[\r\n]:25:/.test(text) && /[\r\n]:60[FM]:/.test(text)

/** Reads the bookings of an MT940 file: fields by their tags, each statement from its account to its end. */
export function readMt940(file: string): ReportRow[] {
  const found: ReportRow[] = []
  let account: string | null = null
  let currency: string | null = null
  let statement = 0
  let line: string[] | null = null
  const book = (lines: string[]) => {
    const booking = line && bookingOf(line, lines, account, currency)
    if (booking && isOurs(booking)) found.push({ ...booking, bank: { ...booking.bank, statement } })
    line = null
  }
  for (const [tag, lines] of fieldsOf(file)) {
    // a text that follows no booking is about the statement
    if (tag === '86') {
      book(lines)
      continue
    }
    book([])
    if (tag === '20') [account, currency, statement] = [null, null, statement + 1]
    else if (tag === '25') account = lines[0]!.trim().slice(0, 100)
    else if (tag === '60F' || tag === '60M')
      currency = /^[CD]\d{6}([A-Z]{3})/.exec(lines[0]!)?.[1]?.toLowerCase() ?? null
    else if (tag === '61') line = lines
  }
  book([])
  return found
}

/** The most characters of a text that are read: six lines of 65 are the standard. */
const LONGEST_TEXT = 2000

/** Yields the fields of a file: a tag between colons at the start of a line, with its lines. */
function* fieldsOf(file: string): Generator<[tag: string, lines: string[]]> {
  let tag: string | undefined
  let lines: string[] = []
  let length = 0
  for (const line of file.split(/\r\n|\n|\r/)) {
    const begun = /^(?:\{4:)?:(\d\d[A-Z]?):(.*)$/.exec(line)
    const isEnd = /^-\}?\s*$/.test(line)
    if (begun || isEnd) {
      if (tag) yield [tag, lines]
      tag = begun?.[1]
      lines = [begun?.[2]?.slice(0, LONGEST_TEXT) ?? '']
      length = 0
    } else if (length < LONGEST_TEXT) {
      lines.push(line.slice(0, LONGEST_TEXT))
      length += line.length
    }
  }
  if (tag) yield [tag, lines]
}

/**
 * Value day, day of booking, mark (R for a reversal, E for one only expected), currency's letter, amount, kind. Some banks
 * leave the day of booking blank, the comma of a whole amount out, or spaces around the kind.
 */
const LINE =
  /^(\d{6})(\d{4}| {4})?([RE]?)([CD])[A-Z]?(\d{1,15}(?:,\d{0,2})?)(?: ?[A-Z]([A-Z\d ]{3})([^/]*)(?:\/\/(\S{1,16}))?)?/

function bookingOf(line: string[], lines: string[], account: string | null, currency: string | null): ReportRow | null {
  const parts = LINE.exec(line[0]!)
  if (!parts) return null
  const [, valued, booked, mark, side, amount, kind, customerReference, bankReference] = parts
  const { written, ways, payee, code: textCode } = textOf(lines)
  const isReversal = mark === 'R'
  // the reversal of a debit brings its money back
  const direction = (side === 'C') === !isReversal ? 'CRDT' : 'DBIT'
  const isReturn = kind === '159' || textCode === '159'
  const booking: Booking = { direction, isBooked: mark !== 'E', isReversal, isReturn }
  const decimal = amount!.replace(',', '.').replace(/\.$/, '')
  const reason = isReturn ? codeIn(written) : null
  const mentioned = mentionedIn(customerReference ?? '', ...ways)
  // a file that was returned as a whole is not booked at once: the bank reports its payments one by one
  const mayBeSum = mentioned.length === 0 && (direction === 'DBIT' || isReversal)
  const files = mayBeSum ? filesIn(...ways) : []
  return {
    ...NOTHING,
    target: decimal,
    source: decimal,
    outcome: toOutcome(booking),
    reason: isReversal && reason === null ? bankReasons.reversedBooking : formatReason(reason),
    paidOn: dayOf(valued!, booked),
    bank: bankResult(
      {
        payer: account,
        payee: direction === 'DBIT' ? payee : null,
        currency,
        isStatement: true,
        ...(files.length > 0 ? { whole: true, mentioned: files } : { mentioned }),
        isReturn: isReturn || isReversal,
        booking: ownReference(bankReference),
      },
      reason,
    ),
  }
}

/** A bank's text: the ways in which its lines may belong together, the payee's IBAN, and the German code of the booking. */
function textOf(lines: string[]) {
  const joined = lines.join('').slice(0, LONGEST_TEXT)
  const german = /^(\d{3})(\D)(?=\d\d)/.exec(joined)
  if (german) {
    const parts = joined.slice(3).split(german[2]!)
    const texts = parts.filter((part) => /^(2\d|6[0-3])/.test(part)).map((part) => part.slice(2))
    // labels such as SVWZ+ begin a part; any other part continues the one before, with or without a space
    const inOrder = (between: string) =>
      texts.map((part) => (/^[A-Z]{4}\+/.test(part) ? ` ${part}` : between + part)).join('')
    const account = parts.find((part) => part.startsWith('31'))?.slice(2)
    return {
      code: german[1]!,
      written: inOrder(''),
      ways: [inOrder(''), inOrder(' ')],
      payee: ibanIn(account),
    }
  }
  // between slashes lines are cut anywhere; in plain text a line may also end where a word does
  const isSlashed = joined.startsWith('/')
  return {
    code: null,
    written: joined,
    ways: isSlashed ? [joined] : [joined, lines.join(' ').slice(0, LONGEST_TEXT)],
    payee: ibanIn(/\/IBAN\/([A-Z\d]+)/.exec(joined)?.[1]),
  }
}

const ibanIn = (text: string | undefined) => (/^[A-Z]{2}\d\d[A-Z\d]{11,30}$/.test(text ?? '') ? text! : null)

/** The day of a booking, which is given without its year; else the value day. */
function dayOf(valued: string, bookingDay: string | undefined): string | null {
  const booked = bookingDay?.trim() || undefined
  const [year, month] = [Number(valued.slice(0, 2)) + 2000, Number(valued.slice(2, 4))]
  const bookedIn = Number(booked?.slice(0, 2) ?? month)
  const turns = month - bookedIn > 6 ? 1 : bookedIn - month > 6 ? -1 : 0
  const days = booked ?? valued.slice(2)
  return DateOnly.safeParse(`${year + turns}-${days.slice(0, 2)}-${days.slice(2)}`).data ?? null
}
