import { type ProviderJson, parseObject, parseObjects, parseText } from '../parse-values.ts'
import type { ProviderAdapter, ReceivedEvent } from '../provider.ts'
import { type ChargebeeApi, createChargebeeApi } from './api.ts'
import { changedAt } from './objects.ts'

const TYPES = JSON.stringify(['payment', 'refund', 'payment_reversal'])

/** Most ids in one question, so that its address stays short. */
const AT_ONCE = 40

/**
 * Lists transactions, with the invoices and payers of payments, and then new subscriptions, as the events that would
 * report them. A cursor has the list and Chargebee's own offset.
 */
export const readHistory: NonNullable<ProviderAdapter['readHistory']> = async (credentials, reach, since, cursor) => {
  const api = createChargebeeApi(credentials, reach)
  const [list = '', offset = ''] = cursor?.split(/ (.*)/s) ?? []
  // a moment earlier: the filter leaves out the second itself
  const after = String(Math.floor(since.getTime() / 1000) - 1)
  if (list === 'subscriptions') {
    const { rows, next } = await api.page(
      'subscription',
      { 'created_at[after]': after, ...sortedBy('created_at') },
      offset,
    )
    return { events: rows.map(subscriptionEvent), next: next && `subscriptions ${next}` }
  }
  const parameters = {
    'updated_at[after]': after,
    'type[in]': TYPES,
    include_deleted: 'true',
    ...sortedBy('updated_at'),
  }
  const { rows, next } = await api.page('transaction', parameters, offset)
  const transactions = rows.map(({ transaction }) => parseObject(transaction))
  const events = await eventsFor(api, transactions)
  return { events: events.filter(({ at }) => at >= since), next: next ? `transactions ${next}` : 'subscriptions' }
}

const sortedBy = (field: string) => ({ 'sort_by[asc]': field })

async function eventsFor(api: ChargebeeApi, transactions: ProviderJson[]): Promise<ReceivedEvent[]> {
  const payments = transactions.filter(({ type, status }) => type === 'payment' && status === 'success')
  const invoices = await allOf(api, 'invoice', payments.flatMap(invoicesOf))
  const all = [...invoices.values()]
  const [customers, subscriptions] = await Promise.all([
    allOf(api, 'customer', fieldOf(all, 'customer_id')),
    allOf(api, 'subscription', fieldOf(all, 'subscription_id')),
  ])
  return transactions.map((transaction) => {
    if (transaction.type !== 'payment') return listed('payment_refunded', transaction, { transaction })
    const own = some(invoices, invoicesOf(transaction))
    return listed('payment_succeeded', transaction, {
      transaction,
      invoices: own,
      customers: some(customers, fieldOf(own, 'customer_id')),
      subscriptions: some(subscriptions, fieldOf(own, 'subscription_id')),
    })
  })
}

const fieldOf = (rows: ProviderJson[], field: string) => rows.map((row) => row[field])
const invoicesOf = ({ linked_invoices }: ProviderJson) => fieldOf(parseObjects(linked_invoices), 'invoice_id')

type RowsById = Map<unknown, ProviderJson>

const some = (found: RowsById, ids: unknown[]): ProviderJson[] =>
  [...found].filter(([id]) => ids.includes(id)).map(([, row]) => row)

/** Returns objects by their ids. */
async function allOf(
  api: ChargebeeApi,
  name: 'invoice' | 'customer' | 'subscription',
  named: unknown[],
): Promise<RowsById> {
  const ids = [...new Set(named)].filter((id) => typeof id === 'string' && id !== '')
  const found: RowsById = new Map()
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const { rows } = await api.page(name, { 'id[in]': JSON.stringify(ids.slice(first, first + AT_ONCE)) })
    for (const row of rows) found.set(parseObject(row[name]).id, parseObject(row[name]))
  }
  return found
}

const subscriptionEvent = ({ subscription, customer }: ProviderJson) =>
  listed('subscription_created', parseObject(subscription), { subscription, customer })

/** Lists have no event ids, so one is derived from the object and its last change. */
function listed(type: string, of: ProviderJson, content: ProviderJson): ReceivedEvent {
  const at = changedAt(of, new Date(0))
  return {
    id: `${type} ${parseText(of.id)} ${at.toISOString()}`,
    type,
    at,
    account: null,
    livemode: null,
    body: JSON.stringify({ event_type: type, content }),
  }
}
