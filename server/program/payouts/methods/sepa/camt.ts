import { DateOnly } from '#contract/values.ts'
import type { XmlTree } from '../method.ts'
import {
  type Booking,
  bankResult,
  type Found,
  filesIn,
  isOurFile,
  isOurPayment,
  mentionedIn,
  NOTHING,
  outcomeOf,
} from './bank-result.ts'
import { codeIn, reasonOf } from './reasons.ts'
import { all, at, currencyOf, decimal, idIn, text } from './xml-tree.ts'

/** Reads an account's bookings: our transfers that left it, and those that came back. */
export function readAccount(account: XmlTree): Found[] {
  const id = at(account, 'Acct', 'Id')
  const owner = text(id, 'IBAN') ?? text(id, 'Othr', 'Id') ?? text(id, 'BBAN') ?? text(id, 'PrtryAcct', 'Id')
  return all(account, 'Ntry').flatMap((entry) => readEntry(entry, owner))
}

/** A booking whose bank gives no details is its own only transaction. */
const ONLY: XmlTree = { name: 'TxDtls', attributes: {}, text: '', children: [] }

function readEntry(entry: XmlTree, owner: string | null): Found[] {
  const status = at(entry, 'Sts')
  const isBooked = (text(status, 'Cd') ?? status?.text) === 'BOOK'
  const isReversal = ['true', '1'].includes(text(entry, 'RvslInd') ?? '')
  const paidOn = dayIn(text(entry, 'BookgDt', 'Dt') ?? text(entry, 'BookgDt', 'DtTm'))
  // the first versions have no element around the details
  const inside = all(entry, 'NtryDtls')
  const details = inside.length > 0 ? inside : [entry]
  const given = details.flatMap((one) => all(one, 'TxDtls'))
  const transactions = given.length > 0 ? given : [ONLY]
  const amount = at(entry, 'Amt')
  const amountOf = (transaction: XmlTree) =>
    at(transaction, 'Amt') ??
    at(transaction, 'AmtDtls', 'TxAmt', 'Amt') ??
    at(transaction, 'AmtDtls', 'InstdAmt', 'Amt') ??
    (transactions.length === 1 ? amount : undefined)
  const direction = text(entry, 'CdtDbtInd')
  const marks = transactions.map((one) => text(one, 'CdtDbtInd') ?? direction)
  // some banks mark the parts of a booking as the payees see them
  const sum = sumOf(transactions.map((one, place) => signed(amountOf(one), marks[place]!)))
  const areOwn = sum !== null && sum === signed(amount, direction)

  const found = transactions.map((transaction, place): Found => {
    const written = remittanceOf(transaction, transactions.length === 1 ? entry : undefined)
    const returned = at(transaction, 'RtrInf')
    const booking: Booking = {
      direction: areOwn ? marks[place]! : direction,
      isBooked,
      isReversal,
      isReturn: returned !== undefined || isReturnCode(at(transaction, 'BkTxCd')) || isReturnCode(at(entry, 'BkTxCd')),
    }
    const code = text(returned, 'Rsn', 'Cd') ?? (booking.isReturn ? codeIn(written) : null)
    const own = amountOf(transaction)
    const refs = at(transaction, 'Refs')
    const [id, instruction] = [idIn(refs, 'EndToEndId'), idIn(refs, 'InstrId')]
    const reference = !isOurPayment(id) && isOurPayment(instruction) ? instruction : id
    return {
      ...NOTHING,
      reference,
      target: decimal(own),
      source: decimal(own),
      outcome: outcomeOf(booking),
      said: said(booking, code, returned !== undefined),
      paidOn,
      bank: bankResult(
        {
          messageId: idIn(refs, 'PmtInfId'),
          payer: owner,
          payee: booking.direction === 'DBIT' ? text(transaction, 'RltdPties', 'CdtrAcct', 'Id', 'IBAN') : null,
          currency: currencyOf(own),
          isStatement: true,
          // a payment with an id of another form is not ours, whatever its text mentions
          mentioned: reference === null ? mentionedIn(written) : [],
          isReturn: booking.isReturn || isReversal,
        },
        code,
      ),
    }
  })
  if (found.some(({ reference }) => isOurPayment(reference))) return found
  const batches = details.flatMap((one) => all(one, 'Btch'))
  const refs = transactions.flatMap((one) => all(one, 'Refs'))
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
      target: decimal(amount),
      source: decimal(amount),
      outcome: outcomeOf(booking),
      said: said(booking, null, false),
      paidOn,
      bank: {
        ...bankResult({ whole: true, payer: owner, currency: currencyOf(amount), isStatement: true }, null),
        messageId: messageId ?? null,
        mentioned: files.length > 0 ? files : mentioned,
      },
    },
  ]
}

function said({ direction, isBooked, isReversal }: Booking, code: string | null, isReasoned: boolean) {
  if (isReasoned || code !== null) return reasonOf(code)
  if (!isBooked || direction !== 'CRDT') return `${direction ?? ''} ${isBooked ? 'BOOK' : 'PDNG'}`.trim()
  return isReversal ? 'it reversed the booking' : reasonOf(null)
}

/** Whether a code of a booking says that a transfer came back: ISO's, or the German banks'. */
const isReturnCode = (codes: XmlTree | undefined) =>
  text(codes, 'Domn', 'Fmly', 'SubFmlyCd') === 'RRTN' || text(codes, 'Prtry', 'Cd')?.split('+')[1] === '159'

/** Longest text of a booking that is read. */
const LONGEST_TEXT = 2000

/** Returns what a bank writes beside a transaction, with what it writes beside the whole `entry`. */
const remittanceOf = (transaction: XmlTree, entry: XmlTree | undefined) =>
  [
    ...all(transaction, 'RmtInf').flatMap((one) => [
      ...all(one, 'Ustrd'),
      ...all(one, 'Strd').flatMap((strd) => [at(strd, 'CdtrRefInf', 'Ref'), ...all(strd, 'AddtlRmtInf')]),
    ]),
    at(transaction, 'AddtlTxInf'),
    at(entry, 'AddtlNtryInf'),
  ]
    .flatMap((one) => one?.text ?? [])
    .join(' ')
    .slice(0, LONGEST_TEXT)

/** The day of a date, which may have a time or a time zone; null if there is no such day. */
const dayIn = (written: string | null) => DateOnly.safeParse(written?.slice(0, 10)).data ?? null

/** An amount in the smallest unit of an ISO amount, below zero if it left the account; null without an amount or a direction. */
function signed(amount: XmlTree | undefined, direction: string | null): bigint | null {
  const [whole, part = ''] = decimal(amount)?.split('.') ?? []
  if (whole === undefined || (direction !== 'CRDT' && direction !== 'DBIT')) return null
  const units = BigInt(whole + part.padEnd(5, '0'))
  return direction === 'CRDT' ? units : -units
}

const sumOf = (amounts: (bigint | null)[]) =>
  amounts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n)
