import { type ProviderJson, parseObjects, parseTime } from '../parse-values.ts'
import type { ProviderAdapter, ReceivedEvent } from '../provider.ts'
import { createRecurlyApi } from './api.ts'
import { changedAt, isPayment, parseId, readEvent } from './objects.ts'

/**
 * Lists the invoices changed since then, oldest change first, as Recurly advises, as the notifications of what happened
 * to them: a charge invoice was paid, or a payment of it voided; a credit invoice has the refunds. An invoice changes
 * for other reasons too, long after it was paid.
 */
export const readHistory: NonNullable<ProviderAdapter['readHistory']> = async (credentials, reach, since, cursor) => {
  const { rows, next } = await createRecurlyApi(credentials, reach).page(cursor ?? invoicesSince(since))
  const events = rows.flatMap((row) => [...paid(row), ...changed(row)])
  return { events: events.filter(({ at }) => at >= since), next }
}

const invoicesSince = (since: Date) =>
  `invoices?${new URLSearchParams({
    type: 'non-legacy',
    sort: 'updated_at',
    order: 'asc',
    limit: '100',
    begin_time: since.toISOString(),
  })}`

/** Returns whether an account had an invoice before this time of which a payment paid a part. */
export const paidBefore: NonNullable<ProviderAdapter['paidBefore']> = async (credentials, reach, code, before) => {
  const query = new URLSearchParams({ type: 'charge', state: 'paid', end_time: before.toISOString(), limit: '100' })
  const path = `accounts/code-${encodeURIComponent(code)}/invoices?${query}`
  const { rows } = await createRecurlyApi(credentials, reach).page(path)
  return rows.some(({ paid }) => Number(paid) > 0)
}

function paid(invoice: ProviderJson): ReceivedEvent[] {
  const { type, state, closed_at, number } = invoice
  const at = parseTime(closed_at) ?? changedAt(invoice)
  if (type !== 'charge' || state !== 'paid' || !at) return []
  return [eventOf('charge_invoice', 'paid', at, { invoice_number: number }, invoice)]
}

/** Returns the events of payments and refunds; a transaction is listed without its invoice. */
function changed(invoice: ProviderJson): ReceivedEvent[] {
  const { id, number, type } = invoice
  return parseObjects(invoice.transactions).flatMap((transaction) => {
    const at = changedAt(transaction)
    const what = transaction.type === 'refund' ? 'refunded' : isVoid(transaction) ? 'voided' : null
    if (!at || !what) return []
    const whole = { ...transaction, invoice: { id, number, type } }
    return [eventOf('payment', what, at, { uuid: transaction.uuid }, whole)]
  })
}

const isVoid = (transaction: ProviderJson) => isPayment(transaction) && transaction.status === 'void'

/** Returns the notification that would report an object's current state, together with the object. */
const eventOf = (object_type: string, event_type: string, at: Date, names: ProviderJson, read: ProviderJson) =>
  readEvent(
    JSON.stringify({ id: parseId(read.id), object_type, event_type, event_time: at.toISOString(), ...names, read }),
  )
