import type { FileFormat, Result } from '../method.ts'

/**
 * Wise's column names, in its batch templates and in the list of transfers. Only letters are compared: 'Target amount
 * (after fees)' is `targetamountafterfees`. Wise changes the names and their order.
 */
const names = {
  reference: ['paymentreference', 'reference'],
  recipient: ['recipientid', 'targetaccountid', 'targetrecipientid'],
  name: ['name', 'recipientname', 'targetname'],
  status: ['status', 'transferstatus', 'paymentstatus', 'state'],
  amount: ['amount'],
  amountCurrency: ['amountcurrency'],
  target: ['targetamount', 'targetamountafterfees'],
  source: ['sourceamount'],
  transfer: ['transferid', 'id', 'transfernumber'],
  finished: ['finishedon', 'completedon', 'datecompleted', 'finished'],
} as const
type Column = keyof typeof names

/** Columns that no bank's list has. */
const own: Column[] = ['recipient', 'status', 'transfer', 'target', 'source', 'amountCurrency']

const outcomes: Record<string, Result['outcome']> = {
  completed: 'paid',
  complete: 'paid',
  sent: 'paid',
  paid: 'paid',
  outgoingpaymentsent: 'paid',
  cancelled: 'over',
  canceled: 'over',
  rejected: 'over',
  failed: 'over',
  refunded: 'back',
  fundsrefunded: 'back',
  chargedback: 'back',
}

const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

function placesOf(columns: string[]) {
  const called = columns.map(letters)
  const place = (column: Column) => called.findIndex((name) => (names[column] as readonly string[]).includes(name))
  const places = Object.fromEntries((Object.keys(names) as Column[]).map((column) => [column, place(column)]))
  const has = (column: Column) => places[column]! >= 0
  const missing = [
    ...(has('status') ? [] : ['status']),
    ...(has('reference') ? [] : ['paymentReference']),
    ...(has('amount') || has('target') || has('source') ? [] : ['amount']),
    ...(has('recipient') || has('name') ? [] : ['recipientId']),
  ]
  return { places, has, missing }
}

/** A file of any program may have a reference, a name, an amount and a status, but no id of a recipient or a target. */
export function isResults(columns: string[]): boolean {
  const { has, missing } = placesOf(columns)
  return missing.length === 0 && (has('recipient') || has('target'))
}

/** Reads Wise's file; wrong without the columns for payout, amount and result. */
export const readResults: FileFormat['read'] = (file) => {
  if (!('table' in file)) return null
  const { columns, rows } = file.table
  const { places, has, missing } = placesOf(columns)
  // a bank's list of bookings has some of these names too
  const isOfWise = own.some(has)
  if (missing.length === 4 || (missing.length > 0 && !isOfWise)) return { wrong: 'results_not_readable', field: 'csv' }
  if (missing.length > 0) return { wrong: 'results_columns', field: 'csv', values: { columns: missing.join(', ') } }
  return rows.map(({ row, cells }) => {
    const cell = (column: Column) => cells[places[column]!]?.trim() || null
    const status = cell('status') ?? ''
    // if Wise names no side, the amount is the one we sent, so it is compared with both
    const side = cell('amountCurrency')?.toLowerCase()
    return {
      row,
      reference: cell('reference')?.slice(0, 100) ?? null,
      recipient: cell('recipient'),
      name: cell('name'),
      target: plain((side === 'source' ? null : cell('amount')) ?? cell('target')),
      source: plain((side === 'target' ? null : cell('amount')) ?? cell('source')),
      outcome: outcomes[letters(status)] ?? 'open',
      reason: status.slice(0, 100),
      paidOn: /^\d{4}-\d{2}-\d{2}/.exec(cell('finished') ?? '')?.[0] ?? null,
      transfer: /^[\w-]{1,40}$/.exec(cell('transfer') ?? '')?.[0] ?? null,
    }
  })
}

/** Removes the commas between thousands. */
const plain = (amount: string | null) =>
  amount && /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(amount) ? amount.replaceAll(',', '') : amount
