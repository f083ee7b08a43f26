import { DateOnly } from '#contract/values.ts'
import type { BankResult, FileFormat, Result, XmlTree } from '../method.ts'
import { isOfDetails, reasonOf } from './reasons.ts'

// A bank's reports are read by local element names, in any version: pain.002 on orders, camt.053 and camt.054 on an
// account. Entries that name none of our ids are about other business and are left out.

/** Reads a bank's report; null if it is none. */
export const readResults: FileFormat['read'] = (file) => {
  if (!('xml' in file)) return null
  const report = at(file.xml, 'CstmrPmtStsRpt')
  const statement = at(file.xml, 'BkToCstmrStmt')
  const notification = at(file.xml, 'BkToCstmrDbtCdtNtfctn')
  const found = report
    ? readReport(report)
    : statement
      ? readAccounts(all(statement, 'Stmt'))
      : notification
        ? readAccounts(all(notification, 'Ntfctn'))
        : null
  if (!found) return { wrong: 'results_not_readable', field: 'file' }
  return found.filter(isNamed).map((result, index) => ({ row: index + 1, ...result }))
}

type Found = Omit<Result, 'row' | 'bank'> & { bank: BankResult }

/** Whether it has an id of the form that we give. */
const isNamed = ({ reference, bank }: Found) =>
  /^PO-\d/i.test(reference ?? '') || (bank.whole && /^TRB-/i.test(bank.messageId ?? ''))

const NOTHING = {
  ...{ reference: null, recipient: null, name: null, target: null, source: null, paidOn: null, transfer: null },
}

/** A report on orders: only rejections count, each by the most exact status that the bank gives. */
function readReport(report: XmlTree): Found[] {
  const group = at(report, 'OrgnlGrpInfAndSts')
  const messageId = text(group, 'OrgnlMsgId')
  const orders = all(report, 'OrgnlPmtInfAndSts')
  const whole = (order: XmlTree | undefined, status: string | null, reason: string | null): Found => ({
    ...NOTHING,
    ...outcomeOf(status, reason),
    bank: bankResult({ messageId: idIn(order, 'OrgnlPmtInfId') ?? messageId, whole: true }, null),
  })
  const groupReason = codeOf(group)
  const found = orders.flatMap((order) => {
    const status = text(order, 'PmtInfSts') ?? text(group, 'GrpSts')
    const reason = codeOf(order) ?? groupReason
    const transactions = all(order, 'TxInfAndSts').map((transaction): Found => {
      const own = codeOf(transaction)
      const original = at(transaction, 'OrgnlTxRef')
      const amount = at(original, 'Amt', 'InstdAmt')
      return {
        ...NOTHING,
        ...outcomeOf(text(transaction, 'TxSts') ?? status, own ?? reason),
        reference: text(transaction, 'OrgnlEndToEndId'),
        target: decimal(amount),
        source: decimal(amount),
        bank: bankResult(
          {
            messageId,
            payer: text(original, 'DbtrAcct', 'Id', 'IBAN'),
            payee: text(original, 'CdtrAcct', 'Id', 'IBAN'),
            currency: currencyOf(amount),
          },
          own,
        ),
      }
    })
    // a bank may name only some of the transfers that it rejected together
    const isWhole = transactions.length === 0 || status === 'RJCT'
    return isWhole ? [...transactions, whole(order, status, reason)] : transactions
  })
  return orders.length > 0 ? found : [whole(undefined, text(group, 'GrpSts'), groupReason)]
}

const outcomeOf = (status: string | null, reason: string | null) => ({
  outcome: status === 'RJCT' ? ('over' as const) : ('open' as const),
  said: status === 'RJCT' ? reasonOf(reason) : (status ?? ''),
})

/** An account's bookings: our transfers that left it, and those that came back. */
const readAccounts = (accounts: XmlTree[]): Found[] =>
  accounts.flatMap((account) => {
    const owner = text(account, 'Acct', 'Id', 'IBAN')
    return all(account, 'Ntry').flatMap((entry) => readEntry(entry, owner))
  })

function readEntry(entry: XmlTree, owner: string | null): Found[] {
  const status = at(entry, 'Sts')
  const isBooked = (text(status, 'Cd') ?? status?.text) === 'BOOK'
  const isReversal = ['true', '1'].includes(text(entry, 'RvslInd') ?? '')
  const day = dayIn(text(entry, 'BookgDt', 'Dt') ?? text(entry, 'BookgDt', 'DtTm'))
  const details = all(entry, 'NtryDtls')
  const transactions = details.flatMap((one) => all(one, 'TxDtls'))
  const amount = at(entry, 'Amt')
  const outcome = (direction: string | null, isReturn: boolean): Found['outcome'] => {
    if (!isBooked) return 'open'
    // our own id in a credit: the transfer came back, whatever else the bank says
    if (direction === 'CRDT') return 'back'
    if (direction !== 'DBIT') return 'open'
    // a reversed return took the money away again; some banks reverse a transfer by a mark alone
    return isReversal || isReturn ? 'unclear' : 'paid'
  }
  const said = (direction: string | null, returned: XmlTree | undefined) => {
    if (returned) return reasonOf(text(returned, 'Rsn', 'Cd'))
    if (!isBooked || direction !== 'CRDT') return `${direction ?? ''} ${isBooked ? 'BOOK' : 'PDNG'}`.trim()
    return isReversal ? 'it reversed the booking' : reasonOf(null)
  }
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
    const direction = areOwn ? marks[place]! : text(entry, 'CdtDbtInd')
    const returned = at(transaction, 'RtrInf')
    const own = amountOf(transaction)
    return {
      ...NOTHING,
      reference: text(transaction, 'Refs', 'EndToEndId'),
      target: decimal(own),
      source: decimal(own),
      outcome: outcome(direction, returned !== undefined),
      said: said(direction, returned),
      paidOn: day,
      bank: bankResult(
        {
          messageId: idIn(transaction, 'Refs', 'PmtInfId'),
          payer: owner,
          payee: direction === 'DBIT' ? text(transaction, 'RltdPties', 'CdtrAcct', 'Id', 'IBAN') : null,
          currency: currencyOf(own),
          isStatement: true,
        },
        text(returned, 'Rsn', 'Cd'),
      ),
    }
  })
  if (found.some(({ reference }) => /^PO-\d/i.test(reference ?? ''))) return found
  const batches = [
    ...details.map((one) => idIn(one, 'Btch', 'PmtInfId')),
    ...transactions.map((one) => idIn(one, 'Refs', 'PmtInfId')),
  ]
  const messageId = batches.find((id) => id !== null) ?? null
  // a file that was returned as a whole is not booked at once: the bank reports its payments one by one
  if (messageId === null || (direction !== 'DBIT' && !isReversal)) return found
  return [
    {
      ...NOTHING,
      target: decimal(amount),
      source: decimal(amount),
      outcome: outcome(direction, false),
      said: said(direction, undefined),
      paidOn: day,
      bank: bankResult({ messageId, whole: true, payer: owner, currency: currencyOf(amount), isStatement: true }, null),
    },
  ]
}

/** `reason` is that of this one transfer: a reason that it shares with others says nothing of its payee. */
const bankResult = (known: Partial<BankResult>, reason: string | null): BankResult => ({
  ...{ messageId: null, whole: false, payer: null, payee: null, currency: null, isStatement: false },
  ...known,
  ofDetails: isOfDetails(reason),
})

const codeOf = (element: XmlTree | undefined) => text(element, 'StsRsnInf', 'Rsn', 'Cd')

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

const decimal = (amount: XmlTree | undefined) =>
  /^\d{1,15}(\.\d{1,5})?$/.test(amount?.text ?? '') ? amount!.text : null
const currencyOf = (amount: XmlTree | undefined) => amount?.attributes.Ccy?.toLowerCase() ?? null

const all = (element: XmlTree, name: string) => element.children.filter((child) => child.name === name)

/** Returns the first element at this path. */
const at = (element: XmlTree | undefined, ...path: string[]): XmlTree | undefined =>
  path.reduce((inside, name) => inside?.children.find((child) => child.name === name), element)

/** Longest text taken from a file. */
const LONGEST = 100

const text = (element: XmlTree | undefined, ...path: string[]): string | null =>
  at(element, ...path)?.text.slice(0, LONGEST) || null

/** Returns an id, which banks that do not repeat it fill in by a word of the standard. */
const idIn = (element: XmlTree | undefined, ...path: string[]) => {
  const id = text(element, ...path)
  return id?.toUpperCase() === 'NOTPROVIDED' ? null : id
}
