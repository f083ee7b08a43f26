import { DateOnly } from '#contract/values.ts'
import type { XmlTree } from '../method.ts'
import {
  type Booking,
  bankResult,
  filesIn,
  isOurFile,
  isOurPayment,
  mentionedIn,
  NOTHING,
  ownReference,
  type ReportRow,
  toOutcome,
} from './bank-result.ts'
import { codeIn, formatReason } from './reasons.ts'
import { bankReasons } from './text.ts'
import { childrenNamed, elementAt, idIn, readCurrency, readDecimal, textAt } from './xml-tree.ts'

/** Reads an account's bookings: our transfers that left it, and those that came back. */
export function readAccount(account: XmlTree, statement: number): ReportRow[] {
  const id = elementAt(account, 'Acct', 'Id')
  const owner = textAt(id, 'IBAN') ?? textAt(id, 'Othr', 'Id') ?? textAt(id, 'BBAN') ?? textAt(id, 'PrtryAcct', 'Id')
  return childrenNamed(account, 'Ntry').flatMap((entry) => readEntry(entry, { owner, statement }))
}

/** A booking whose bank gives no details is its own only transaction. */
const ONLY: XmlTree = { name: 'TxDtls', attributes: {}, text: '', children: [] }

function readEntry(entry: XmlTree, { owner, statement }: { owner: string | null; statement: number }): ReportRow[] {
  const status = elementAt(entry, 'Sts')
  const isBooked = (textAt(status, 'Cd') ?? status?.text) === 'BOOK'
  const isReversal = ['true', '1'].includes(textAt(entry, 'RvslInd') ?? '')
  const paidOn = dayIn(textAt(entry, 'BookgDt', 'Dt') ?? textAt(entry, 'BookgDt', 'DtTm'))
  // the first versions have no element around the details
  const inside = childrenNamed(entry, 'NtryDtls')
  const details = inside.length > 0 ? inside : [entry]
  const given = details.flatMap((one) => childrenNamed(one, 'TxDtls'))
  const transactions = given.length > 0 ? given : [ONLY]
  const amount = elementAt(entry, 'Amt')
  const amountOf = (transaction: XmlTree) =>
    elementAt(transaction, 'Amt') ??
    elementAt(transaction, 'AmtDtls', 'TxAmt', 'Amt') ??
    elementAt(transaction, 'AmtDtls', 'InstdAmt', 'Amt') ??
    (transactions.length === 1 ? amount : undefined)
  const direction = textAt(entry, 'CdtDbtInd')
  const marks = transactions.map((one) => textAt(one, 'CdtDbtInd') ?? direction)
  // some banks mark the parts of a booking as the payees see them
  const sum = sumOf(transactions.map((one, place) => signed(amountOf(one), marks[place]!)))
  const areOwn = sum !== null && sum === signed(amount, direction)

  const found = transactions.map((transaction, place): ReportRow => {
    const written = remittanceOf(transaction, transactions.length === 1 ? entry : undefined)
    const returned = elementAt(transaction, 'RtrInf')
    const booking: Booking = {
      direction: areOwn ? marks[place]! : direction,
      isBooked,
      isReversal,
      isReturn:
        returned !== undefined ||
        isReturnCode(elementAt(transaction, 'BkTxCd')) ||
        isReturnCode(elementAt(entry, 'BkTxCd')),
    }
    const code = textAt(returned, 'Rsn', 'Cd') ?? (booking.isReturn ? codeIn(written) : null)
    const own = amountOf(transaction)
    const refs = elementAt(transaction, 'Refs')
    const [id, instruction] = [idIn(refs, 'EndToEndId'), idIn(refs, 'InstrId')]
    const reference = !isOurPayment(id) && isOurPayment(instruction) ? instruction : id
    return {
      ...NOTHING,
      reference,
      target: readDecimal(own),
      source: readDecimal(own),
      outcome: toOutcome(booking),
      reason: describeBooking(booking, code, returned !== undefined),
      paidOn,
      bank: bankResult(
        {
          messageId: idIn(refs, 'PmtInfId'),
          payer: owner,
          payee: booking.direction === 'DBIT' ? textAt(transaction, 'RltdPties', 'CdtrAcct', 'Id', 'IBAN') : null,
          currency: readCurrency(own),
          isStatement: true,
          // a payment with an id of another form is not ours, whatever its text mentions
          mentioned: reference === null ? mentionedIn(written) : [],
          isReturn: booking.isReturn || isReversal,
          booking: bankReference(refs) ?? (transactions.length === 1 ? bankReference(entry) : null),
          statement,
        },
        code,
      ),
    }
  })
  if (found.some(({ reference }) => isOurPayment(reference))) return found
  const batches = details.flatMap((one) => childrenNamed(one, 'Btch'))
  const refs = transactions.flatMap((one) => childrenNamed(one, 'Refs'))
  const messageId = [...batches, ...refs]
    .flatMap((one) => [idIn(one, 'PmtInfId'), idIn(one, 'MsgId')])
    .find((one) => isOurFile(one))
  // a file that was returned as a whole is not booked at once: the bank reports its payments one by one
  const only = found.length === 1 ? found[0]! : undefined
  const { mentioned = [] } = only?.bank ?? {}
  const files =
    messageId == null && only?.reference === null && mentioned.length === 0
      ? filesIn(remittanceOf(transactions[0]!, entry))
      : []
  if ((messageId == null && files.length === 0) || (direction !== 'DBIT' && !isReversal)) return found
  const booking: Booking = { direction, isBooked, isReversal, isReturn: false }
  return [
    {
      ...NOTHING,
      target: readDecimal(amount),
      source: readDecimal(amount),
      outcome: toOutcome(booking),
      reason: describeBooking(booking, null, false),
      paidOn,
      bank: {
        ...bankResult({ whole: true, payer: owner, currency: readCurrency(amount), isStatement: true }, null),
        booking: bankReference(entry),
        statement,
        messageId: messageId ?? null,
        mentioned: files.length > 0 ? files : mentioned,
      },
    },
  ]
}

function describeBooking({ direction, isBooked, isReversal }: Booking, code: string | null, isReasoned: boolean) {
  if (isReasoned || code !== null) return formatReason(code)
  if (!isBooked || direction !== 'CRDT') return `${direction ?? ''} ${isBooked ? 'BOOK' : 'PDNG'}`.trim()
  return isReversal ? bankReasons.reversedBooking : formatReason(null)
}

const bankReference = (element: XmlTree | undefined) => ownReference(idIn(element, 'AcctSvcrRef'))

/** Whether a code of a booking says that a transfer came back: ISO's, or the German banks'. */
const isReturnCode = (codes: XmlTree | undefined) =>
  textAt(codes, 'Domn', 'Fmly', 'SubFmlyCd') === 'RRTN' || textAt(codes, 'Prtry', 'Cd')?.split('+')[1] === '159'

/** Longest text of a booking that is read. */
const LONGEST_TEXT = 2000

/** Returns what a bank writes beside a transaction, with what it writes beside the whole `entry`. */
const remittanceOf = (transaction: XmlTree, entry: XmlTree | undefined) =>
  [
    ...childrenNamed(transaction, 'RmtInf').flatMap((one) => [
      ...childrenNamed(one, 'Ustrd'),
      ...childrenNamed(one, 'Strd').flatMap((strd) => [
        elementAt(strd, 'CdtrRefInf', 'Ref'),
        ...childrenNamed(strd, 'AddtlRmtInf'),
      ]),
    ]),
    elementAt(transaction, 'AddtlTxInf'),
    elementAt(entry, 'AddtlNtryInf'),
  ]
    .flatMap((one) => one?.text ?? [])
    .join(' ')
    .slice(0, LONGEST_TEXT)

/** The day of a date, which may have a time or a time zone; null if there is no such day. */
const dayIn = (written: string | null) => DateOnly.safeParse(written?.slice(0, 10)).data ?? null

/** An amount in the smallest unit of an ISO amount, below zero if it left the account; null without an amount or a direction. */
function signed(amount: XmlTree | undefined, direction: string | null): bigint | null {
  const [whole, part = ''] = readDecimal(amount)?.split('.') ?? []
  if (whole === undefined || (direction !== 'CRDT' && direction !== 'DBIT')) return null
  const units = BigInt(whole + part.padEnd(5, '0'))
  return direction === 'CRDT' ? units : -units
}

const sumOf = (amounts: (bigint | null)[]) =>
  amounts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n)
