import { decimalAmount, fromDecimal } from '#contract/money.ts'
import { type Api, ProviderError, type ProviderFailure } from '../method.ts'
import { paypalReasons } from './text.ts'

/** PayPal's words about a request or a payment, and its name of the error, in capitals. */
export type Complaint = { name: string; words: string }

export class PaypalError extends ProviderError {
  /** PayPal's name of the error. */
  readonly called: string | null
  /** The request's field that is wrong, as `items[0].receiver`. */
  readonly field: string | null
  /** The batch that already used this batch id; null if PayPal does not name it. */
  readonly usedFor: { batch: string | null } | null
  constructor(
    kind: ProviderFailure,
    message: string,
    more: {
      status?: number
      retryAfter?: number | null
      called?: string | null
      field?: string | null
      usedFor?: PaypalError['usedFor']
    } = {},
  ) {
    super(kind, message, more)
    this.name = 'PaypalError'
    this.called = more.called ?? null
    this.field = more.field ?? null
    this.usedFor = more.usedFor ?? null
  }
}

/** A batch of one payment, as read; null for what PayPal omits. */
export type Batch = {
  id: string
  status: string
  senderBatchId: string | null
  createdAt: string | null
  error: Complaint | null
  payment: Payment | null
}

export type Payment = {
  status: string
  senderItemId: string | null
  receiver: string | null
  note: string | null
  /** In lower case. */
  currency: string | null
  /** Minor units. */
  amount: number | null
  fee: { amount: number; currency: string } | null
  processedAt: string | null
  error: Complaint | null
}

/** The app's credentials, as they are sealed. */
export type PaypalCredentials = { clientId: string; clientSecret: string }

type Json = { [key: string]: Json | undefined }

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const textOrNull = (value: unknown) => text(value) || null
const list = (value: unknown) => (Array.isArray(value) ? value : []) as Json[]

/** Seconds before its end at which access is renewed. */
const EARLY = 60

export type Paypal = ReturnType<typeof createPaypalClient>

/**
 * Creates a client of PayPal for one app. Each call throws `PaypalError`; nothing is retried here but a call whose
 * access has ended.
 */
export function createPaypalClient({ apiUrl, token, access, send, note }: Api) {
  const { clientId, clientSecret } = JSON.parse(token) as PaypalCredentials

  async function ask(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Json> {
    const answer = await send(`${apiUrl}/${path}`, { method, headers, ...(body !== undefined && { body }) })
    if ('unreachable' in answer) throw new PaypalError('unknown', `PayPal can’t be reached: ${answer.unreachable}`)
    const { status } = answer
    const parsed = parse(answer.text)
    if (status >= 200 && status < 300 && parsed) return parsed
    // PayPal's support finds a call by this id
    const call = { method, path: `/${path}`, status, paypalDebugId: answer.headers['paypal-debug-id'] }
    note(call, 'a call to PayPal failed')
    throw status >= 200 && status < 300 ? unreadable(status) : failure(status, parsed, answer.headers)
  }

  /** Signs in; the access is kept until shortly before its end. */
  async function signIn(): Promise<string> {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const headers = {
      authorization: `Basic ${basic}`,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const answer = await ask('POST', 'v1/oauth2/token', headers, 'grant_type=client_credentials').catch(
      (error: unknown) => {
        // a wrong client id is refused with 400 by some of PayPal's hosts
        if (error instanceof PaypalError && error.kind === 'refused')
          throw new PaypalError('unauthorized', error.message, { status: 401 })
        throw error
      },
    )
    const given = text(answer.access_token)
    if (!given) throw unreadable(200)
    access.keep(given, Math.max(0, (Number(answer.expires_in) || 0) - EARLY))
    return given
  }

  async function call(method: string, path: string, body?: object): Promise<Json> {
    const kept = access.get()
    const sendWith = (bearer: string) =>
      ask(
        method,
        path,
        {
          authorization: `Bearer ${bearer}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        body && JSON.stringify(body),
      )
    if (kept === null) return sendWith(await signIn())
    return sendWith(kept).catch(async (error: unknown) => {
      if (!(error instanceof PaypalError) || error.status !== 401) throw error
      access.keep('', 0)
      return sendWith(await signIn())
    })
  }

  return {
    /** Tries the credentials. */
    async check(): Promise<void> {
      await signIn()
    },

    /**
     * Pays one recipient in their own batch; returns PayPal's id of it. Without `PayPal-Request-Id`, which guards
     * nothing here: a batch id that was used in the last 30 days is refused.
     */
    async pay(payment: {
      senderBatchId: string
      senderItemId: string
      receiver: string
      amount: number
      currency: string
      note: string
    }): Promise<string> {
      const { senderBatchId, senderItemId, receiver, amount, currency, note } = payment
      const answer = await call('POST', 'v1/payments/payouts', {
        sender_batch_header: { sender_batch_id: senderBatchId, email_subject: 'You have a payment' },
        items: [
          {
            recipient_type: 'EMAIL',
            amount: { value: decimalAmount(amount, currency), currency: currency.toUpperCase() },
            receiver,
            note,
            sender_item_id: senderItemId,
          },
        ],
      })
      const id = text(answer.batch_header?.payout_batch_id)
      if (!isId(id)) throw unreadable(201)
      return id
    },

    /** Reads a batch; another PayPal account's is withheld. */
    async batch(id: string): Promise<Batch> {
      const answer = await call('GET', `v1/payments/payouts/${id}`).catch((error: unknown) => {
        if (error instanceof PaypalError && (error.status === 403 || error.status === 404))
          throw new PaypalError('withheld', paypalReasons.withheld({ why: error.message }), {
            status: error.status,
          })
        throw error
      })
      return readBatch(answer, id)
    },
  }
}

/** Our ids of batches are put into an address. */
const isId = (id: string) => /^[A-Za-z0-9_-]{1,64}$/.test(id)

function readBatch(answer: Json, id: string): Batch {
  const header = answer.batch_header
  const status = text(header?.batch_status)
  if (!status) throw unreadable(200)
  const [item] = list(answer.items)
  return {
    id,
    status,
    senderBatchId: textOrNull(header?.sender_batch_header?.sender_batch_id),
    createdAt: instantOf(header?.time_created),
    error: complaintOf(answer.errors) ?? complaintOf(header?.errors),
    payment: item ? readPayment(item) : null,
  }
}

function readPayment(item: Json): Payment {
  const { payout_item: sendWith } = item
  const currency = textOrNull(sendWith?.amount?.currency)?.toLowerCase() ?? null
  const feeIn = textOrNull(item.payout_item_fee?.currency)?.toLowerCase() ?? null
  const fee = feeIn ? fromDecimal(item.payout_item_fee?.value, feeIn) : null
  return {
    status: text(item.transaction_status),
    currency,
    senderItemId: textOrNull(sendWith?.sender_item_id)?.toLowerCase() ?? null,
    receiver: textOrNull(sendWith?.receiver),
    note: textOrNull(sendWith?.note),
    amount: currency ? fromDecimal(sendWith?.amount?.value, currency) : null,
    fee: fee !== null && feeIn ? { amount: fee, currency: feeIn } : null,
    processedAt: instantOf(item.time_processed),
    error: complaintOf(item.errors),
  }
}

/** PayPal has one error, or a list of them. */
function complaintOf(given: Json | undefined): Complaint | null {
  const error = Array.isArray(given) ? list(given)[0] : given
  const name = text(error?.name)
  return name ? { name, words: withoutAddresses(text(error?.message)) || name } : null
}

function instantOf(written: unknown): string | null {
  const at = Date.parse(text(written))
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** Parses an object with numbers as text, so that amounts stay exact. */
function parse(source: string): Json | undefined {
  try {
    const parsed: unknown = JSON.parse(source, (_key, value, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? String(value)) : value,
    )
    return parsed && typeof parsed === 'object' && !Array.isArray(parsed) ? (parsed as Json) : undefined
  } catch {
    return undefined
  }
}

const unreadable = (status: number) =>
  new PaypalError('unknown', 'PayPal returned a response we couldn’t read.', { status })

function failure(status: number, answer: Json | undefined, headers: Record<string, string>): PaypalError {
  const [detail] = list(answer?.details)
  const message = withoutAddresses(
    text(detail?.description) || text(detail?.issue) || text(answer?.message) || text(answer?.error_description),
  )
  const about = { status, called: textOrNull(answer?.name), field: textOrNull(detail?.field) }
  if (status === 401) return new PaypalError('unauthorized', message || paypalReasons.credentialsRejected, about)
  if (status === 403) return new PaypalError('forbidden', message || paypalReasons.noPermission, about)
  // a 409 is an earlier request with this batch id that PayPal still works on
  if (status < 400 || [404, 408, 409, 425, 429].includes(status) || status >= 500) {
    const seconds = Number(headers['retry-after'])
    const retryAfter = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) : null
    const words =
      status === 429
        ? 'PayPal asked us to slow down.'
        : message
          ? `PayPal answered ${status}: ${message}`
          : paypalReasons.answered({ status: String(status) })
    return new PaypalError('unknown', words, { ...about, retryAfter })
  }
  return new PaypalError('refused', message || paypalReasons.answered({ status: String(status) }), {
    ...about,
    usedFor: usedFor(answer),
  })
}

/**
 * Returns for which batch the batch id was used, if that is why PayPal refuses it. Seen in its sandbox in autumn 2026
 * with a link; earlier ones, with the issue 'Duplicate batch request', had none.
 */
function usedFor(answer: Json | undefined): PaypalError['usedFor'] {
  const detail = list(answer?.details).find(
    ({ field, issue }) => /sender_batch_id/i.test(text(field)) && /duplicate|already (exists|used)/i.test(text(issue)),
  )
  if (!detail) return null
  const links = [...list(detail.link), ...list(detail.links), ...list(answer?.links)]
  const batches = links.map(
    ({ href }) => /\/v1\/payments\/payouts\/([A-Za-z0-9_-]{1,64})(?:[/?#]|$)/.exec(text(href))?.[1],
  )
  return { batch: batches.find((batch) => batch !== undefined) ?? null }
}

/** Masks e-mail addresses and long numbers: PayPal's words are shown to people who may not read the details. */
const withoutAddresses = (words: string) =>
  words.replace(/[^\s@]{1,64}@\S{1,255}/g, '•••').replace(/\d[\d -]{5,}\d/g, '•••')
