import type { BankResult, Result } from '../method.ts'
import { isOfDetails } from './reasons.ts'

/** A row of a report, before rows are counted. */
export type ReportRow = Omit<Result, 'row' | 'bank'> & { bank: BankResult }

export const NOTHING = {
  reference: null,
  recipient: null,
  name: null,
  target: null,
  source: null,
  paidOn: null,
  transfer: null,
}

/** `reason` is that of this one transfer: a reason that it shares with others says nothing of its payee. */
export const bankResult = (known: Partial<BankResult>, reason: string | null): BankResult => ({
  messageId: null,
  whole: false,
  payer: null,
  payee: null,
  currency: null,
  isStatement: false,
  mentioned: [],
  isReturn: false,
  nameCheck: null,
  booking: null,
  statement: 0,
  ...known,
  ofDetails: isOfDetails(reason),
})

/** Returns the bank's own reference of a booking, which it gives once. */
export const ownReference = (reference: string | null | undefined) =>
  reference === 'NONREF' ? null : (reference ?? null)

/** Whether an id has the form of our payments', or of our files'. */
export const isOurPayment = (id: string | null) => /^PO-\d/i.test(id ?? '')
export const isOurFile = (id: string | null) => /^TRB-/i.test(id ?? '')

/** Whether it has an id of the form that we give. */
export const isOurs = ({ reference, bank }: ReportRow) =>
  isOurPayment(reference) || bank.mentioned.length > 0 || (bank.whole && isOurFile(bank.messageId))

/** The most references that a text may hold: one with more is a list, and names none. */
const MOST_MENTIONED = 10
/** A reference of ours as a whole word, also behind a label such as `EREF+` or `/EREF/`. */
const MENTIONED = /(?<![\p{L}\p{N}_-])PO-\d{1,7}(?:-[A-Z\d]{1,4})?(?![\p{L}\p{N}_-])/giu

/** Returns the references of our form in a text that may have been broken into lines in several ways. */
export function mentionedIn(...ways: string[]): string[] {
  const found = new Set(ways.flatMap((text) => (text.match(MENTIONED) ?? []).map((one) => one.toUpperCase())))
  return found.size > MOST_MENTIONED ? [] : [...found]
}

const MENTIONED_FILE = /(?<![\p{L}\p{N}_-])TRB-[A-Z\d]{1,12}-\d{1,9}(?:-[A-Z\d]{1,4})?(?![\p{L}\p{N}_-])/giu

/** Returns the ids of our files in a text that may have been broken into lines in several ways. */
export const filesIn = (...ways: string[]): string[] => [
  ...new Set(ways.flatMap((text) => (text.match(MENTIONED_FILE) ?? []).map((one) => one.toUpperCase()))),
]

/** A booking, by its direction as its account sees it. */
export type Booking = {
  direction: string | null
  isBooked: boolean
  /** The bank marks it as the reversal of a booking, or as the return of a transfer. */
  isReversal: boolean
  isReturn: boolean
}

export function toOutcome({ direction, isBooked, isReversal, isReturn }: Booking): ReportRow['outcome'] {
  if (!isBooked) return 'open'
  // our own id in a credit: the transfer came back, whatever else the bank says
  if (direction === 'CRDT') return 'back'
  if (direction !== 'DBIT') return 'open'
  // a reversed return took the money away again; some banks reverse a transfer by a mark alone
  return isReversal || isReturn ? 'unclear' : 'paid'
}
