import { minorDigits } from '#contract/money.ts'
import { paypalId } from './paypal-events.ts'
import type { Answer, Call, Fields } from './server.ts'

const DAY = 86_400_000
/** A batch id that was used may be used again after so long; so long an unclaimed payment waits for its recipient. */
const DAYS = 30

/** A payment's own state: PayPal's words, or one that PayPal has yet to invent. */
export type ItemStatus = string
export type PayoutBatch = {
  id: string
  senderBatchId: string
  status: string
  createdAt: Date
  item: {
    id: string
    status: ItemStatus
    receiver: string
    value: string
    currency: string
    senderItemId: string
    note: string
    error: { name: string; message: string } | null
    processedAt: Date | null
    /** Whether the money is with the recipient, or waits for them. */
    isOut: boolean
  }
  /** Why the batch itself was denied. */
  error: { name: string; message: string } | null
}

export type PayoutOptions = {
  clock?: (() => Date) | undefined
  /** Whole currency units per currency, 100,000 usd by default; others have no balance. */
  balance?: Record<string, number> | undefined
  /** Each read advances a payment by a step: from pending to the outcome for its recipient. */
  autoProgress?: boolean | undefined
}

/** The parts of a call that an answer depends on. */
type Asking = Pick<Call, 'method' | 'path' | 'body'> & Partial<Pick<Call, 'unreadable'>>

/** States in which the money is with the recipient, or waits for them. */
const OUT = ['SUCCESS', 'UNCLAIMED', 'PENDING', 'ONHOLD']
const BACK = ['FAILED', 'BLOCKED', 'RETURNED', 'REFUNDED', 'REVERSED']

/**
 * PayPal's payouts on loopback, one item per batch: validation, the batch id that pays once in thirty days, balances,
 * recipients without an account. `handle` answers a signed-in call; null for one that is not about payouts.
 */
export function paypalPayouts({
  clock = () => new Date(),
  balance = { USD: 100_000 },
  autoProgress = true,
}: PayoutOptions) {
  const batches = new Map<string, PayoutBatch>()
  const balances = new Map(
    Object.entries(balance).map(([currency, value]) => [currency, minor(String(value), currency)]),
  )
  const unregistered = new Set<string>()
  const refusing = new Map<string, string>()
  let moving = autoProgress
  let linkless = false
  let fundsFirst = false
  let deniesLate = false

  function handle({ method, path, body, unreadable = false }: Asking): Answer | null {
    if (path === '/v1/payments/payouts' && method === 'POST')
      return unreadable ? refuse(400, 'MALFORMED_REQUEST', 'The request was malformed.') : create(body)
    const id = /^\/v1\/payments\/payouts\/([^/]+)$/.exec(path)?.[1]
    if (id && method === 'GET') return show(batches.get(id))
    return path.startsWith('/v1/payments/payouts') ? missing() : null
  }

  function create({ sender_batch_header: header, items }: Fields): Answer {
    const complaints = complaintsAbout((header ?? {}) as Fields, items)
    if (complaints.length > 0) return refuse(400, 'VALIDATION_ERROR', 'Invalid request - see details', complaints)
    const [asked] = items as Asked[]
    const { sender_batch_id: senderBatchId } = header as { sender_batch_id: string }
    const { value, currency } = asked!.amount
    const isShort = () => (balances.get(currency) ?? 0) < minor(value, currency) && !deniesLate
    const short = () => refuse(422, 'INSUFFICIENT_FUNDS', 'Sender does not have sufficient funds')
    if (fundsFirst && isShort()) return short()
    const again = [...batches.values()].find(
      (batch) => batch.senderBatchId === senderBatchId && clock().getTime() - batch.createdAt.getTime() < DAYS * DAY,
    )
    if (again) return duplicate(again)
    if (isShort()) return short()
    const batch: PayoutBatch = {
      ...{ id: paypalId(), senderBatchId, status: 'PENDING', createdAt: clock(), error: null },
      item: {
        ...{ id: paypalId(), status: 'PENDING', receiver: asked!.receiver, value, currency },
        ...{ senderItemId: asked!.sender_item_id, note: asked!.note, error: null, processedAt: null, isOut: false },
      },
    }
    batches.set(batch.id, batch)
    take(batch, true)
    return { status: 201, body: { batch_header: headerOf(batch), links: linksOf(batch) } }
  }

  const duplicate = (batch: PayoutBatch) =>
    refuse(400, 'USER_BUSINESS_ERROR', 'User business error.', [
      linkless
        ? { field: 'SENDER_BATCH_ID', issue: 'Duplicate batch request' }
        : {
            ...{ field: 'SENDER_BATCH_ID', location: 'body' },
            issue: 'Batch with given sender_batch_id already exists',
            link: linksOf(batch),
          },
    ])

  function show(batch: PayoutBatch | undefined): Answer {
    if (!batch) return missing()
    if (moving) goOn(batch)
    const { item } = batch
    const shown = {
      ...{ payout_item_id: item.id, transaction_id: item.id, transaction_status: item.status },
      payout_item_fee: { currency: item.currency, value: '0.25' },
      payout_batch_id: batch.id,
      payout_item: {
        ...{ recipient_type: 'EMAIL', amount: { value: item.value, currency: item.currency }, note: item.note },
        ...{ receiver: item.receiver, sender_item_id: item.senderItemId, recipient_wallet: 'PAYPAL' },
      },
      ...(item.processedAt && { time_processed: wholeSeconds(item.processedAt) }),
      ...(item.error && { errors: { ...item.error, details: [] } }),
    }
    const body = {
      ...{ total_items: 1, total_pages: 1, batch_header: headerOf(batch), items: [shown], links: linksOf(batch) },
      ...(batch.error && { errors: batch.error }),
    }
    return { status: 200, body }
  }

  /** Advances a payment as far as possible without its recipient. */
  function goOn(batch: PayoutBatch) {
    const { status, receiver, processedAt } = batch.item
    const refusal = refusing.get(receiver)
    if (batch.status === 'PENDING' && deniesLate && (balances.get(batch.item.currency) ?? 0) < 0)
      return deny(batch.id, 'INSUFFICIENT_FUNDS', 'Add funds to your account to complete the payout.')
    if (status === 'PENDING' && refusal) set(batch.id, 'FAILED', refusal)
    else if (status === 'PENDING' && unregistered.has(receiver)) set(batch.id, 'UNCLAIMED', 'RECEIVER_UNREGISTERED')
    else if (status === 'PENDING') set(batch.id, 'SUCCESS')
    else if (status === 'UNCLAIMED' && clock().getTime() - processedAt!.getTime() >= DAYS * DAY)
      set(batch.id, 'RETURNED')
  }

  function take({ item }: PayoutBatch, isOut: boolean) {
    if (item.isOut === isOut) return
    const { value, currency } = item
    balances.set(currency, (balances.get(currency) ?? 0) + (isOut ? -1 : 1) * minor(value, currency))
    item.isOut = isOut
  }

  /** Sets the state of a payment. Its money is back unless it is paid or may be; an unheard-of state moves none. */
  function set(id: string, status: ItemStatus, error?: string) {
    const batch = batches.get(id)!
    const { item } = batch
    if (OUT.includes(status)) take(batch, true)
    else if (BACK.includes(status)) take(batch, false)
    item.status = status
    item.error = error ? { name: error, message: wordsOf(error) } : null
    item.processedAt = status === 'PENDING' ? null : (item.processedAt ?? clock())
    if (batch.status !== 'DENIED') batch.status = status === 'PENDING' ? 'PROCESSING' : 'SUCCESS'
  }

  /** Denies a whole batch. */
  function deny(id: string, name: string, message = wordsOf(name)) {
    set(id, 'FAILED', name)
    Object.assign(batches.get(id)!, { status: 'DENIED', error: { name, message } })
  }

  return {
    handle,
    batches,
    set,
    deny,
    /** The batches to a recipient, oldest first. */
    batchesTo: (receiver: string) => [...batches.values()].filter(({ item }) => item.receiver === receiver),
    /** Minor units that a recipient has, or that wait for them. */
    paidTo: (receiver: string) =>
      [...batches.values()]
        .filter(({ item }) => item.receiver === receiver && item.isOut)
        .reduce((sum, { item }) => sum + minor(item.value, item.currency), 0),
    /** Recipients without an account at PayPal: their payments wait thirty days. */
    isNoMember: (receiver: string) => void unregistered.add(receiver),
    /** The recipient opens an account: what waits for them is theirs. */
    joins(receiver: string) {
      unregistered.delete(receiver)
      for (const { id, item } of batches.values())
        if (item.receiver === receiver && item.status === 'UNCLAIMED') set(id, 'SUCCESS')
    },
    /** Payments to this recipient fail with this error; `null` ends it. */
    refuses(receiver: string, error: string | null) {
      if (error) refusing.set(receiver, error)
      else refusing.delete(receiver)
    },
    progress: (on: boolean) => {
      moving = on
    },
    /** Refuses a used batch id without naming its batch, as PayPal once did. */
    hideLinks: (on = true) => {
      linkless = on
    },
    /** The balance is looked at before the batch id. */
    looksAtFundsFirst: (on = true) => {
      fundsFirst = on
    },
    /** Takes batches above the balance and denies them when they are read. */
    deniesLate: (on = true) => {
      deniesLate = on
    },
    topUp: (currency: string, value: number) =>
      void balances.set(currency, (balances.get(currency) ?? 0) + minor(String(value), currency)),
    balanceOf: (currency: string) => balances.get(currency) ?? null,
  }
}

type Asked = {
  receiver: string
  amount: { value: string; currency: string }
  sender_item_id: string
  note: string
}

function complaintsAbout({ sender_batch_id: id, email_subject: subject }: Fields, items: unknown): Fields[] {
  const complaint = (field: string, issue: string) => ({ field, location: 'body', issue })
  if (!Array.isArray(items) || items.length === 0) return [complaint('items', 'Required field is missing')]
  const found: Fields[] = []
  if (typeof id === 'string' && (id.length > 256 || id === '')) found.push(complaint('sender_batch_id', 'Too long'))
  if (String(subject ?? '').length > 255) found.push(complaint('email_subject', 'Too long'))
  for (const [at, item] of (items as Fields[]).entries()) {
    const { value, currency } = (item.amount ?? {}) as Fields
    const digits = currencies.includes(String(currency)) ? minorDigits(String(currency).toLowerCase()) : 2
    const amount = digits ? new RegExp(`^\\d{1,12}(\\.\\d{1,${digits}})?$`) : /^\d{1,12}$/
    if (item.recipient_type !== 'EMAIL' || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(String(item.receiver)))
      found.push(complaint(`items[${at}].receiver`, 'Receiver is invalid or does not match with type'))
    if (!currencies.includes(String(currency)))
      found.push(complaint(`items[${at}].amount.currency`, 'Currency is not supported'))
    if (!amount.test(String(value)) || Number(value) <= 0)
      found.push(complaint(`items[${at}].amount.value`, 'Amount is invalid'))
    if (String(item.sender_item_id ?? '').length > 63) found.push(complaint(`items[${at}].sender_item_id`, 'Too long'))
  }
  return found
}

const currencies = 'AUD BRL CAD CZK DKK EUR HKD ILS JPY MYR MXN NOK NZD PHP PLN GBP SGD SEK CHF THB USD'.split(' ')

const wordsOf = (name: string) => {
  const text = name.toLowerCase().replaceAll('_', ' ')
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

const minor = (value: string, currency: string) => Math.round(Number(value) * 10 ** minorDigits(currency.toLowerCase()))

const headerOf = ({ id, status, createdAt, senderBatchId, item }: PayoutBatch) => ({
  ...{ payout_batch_id: id, batch_status: status, time_created: wholeSeconds(createdAt) },
  sender_batch_header: { sender_batch_id: senderBatchId, email_subject: 'You have a payment' },
  ...{ funding_source: 'BALANCE', amount: { value: item.value, currency: item.currency } },
  fees: { value: '0.25', currency: item.currency },
})

// PayPal's links lead to its own host, not to the stand-in
const linksOf = ({ id }: PayoutBatch) => [
  { href: `https://api.sandbox.paypal.com/v1/payments/payouts/${id}`, rel: 'self', method: 'GET' },
]

const wholeSeconds = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z')

const refuse = (status: number, name: string, message: string, details: Fields[] = []): Answer => ({
  status,
  body: { name, message, debug_id: paypalId(), information_link: 'https://developer.paypal.com', details, links: [] },
})

const missing = () => refuse(404, 'INVALID_RESOURCE_ID', 'Requested resource ID was not found.')
