import { randomUUID } from 'node:crypto'
import { decimalAmount, fromDecimal } from '#contract/money.ts'
import type { EuroAddress } from '#contract/payout-details.ts'
import type { PayoutDetails } from '#contract/payout-settings.ts'
import { type Api, GONE, type PayeeKind, type Profile, ProviderError, type ProviderFailure } from '../method.ts'
import { wiseReasons } from './text.ts'

/**
 * Wise's calls with the version of each under `classic`; a quarter such as `2026Q4` replaces all of them except
 * webhooks, which the quarterly scheme does not cover. The only place of paths and versions.
 */
const paths = {
  profiles: { version: 'v2', path: () => '/profiles' },
  quotes: { version: 'v3', path: (profile: string) => `/profiles/${profile}/quotes` },
  quote: { version: 'v3', path: (profile: string, id: string) => `/profiles/${profile}/quotes/${id}` },
  accountRequirements: { version: 'v1', path: (id: string) => `/quotes/${id}/account-requirements` },
  recipients: { version: 'v1', path: () => '/accounts' },
  transferRequirements: { version: 'v1', path: () => '/transfer-requirements' },
  transfers: { version: 'v1', path: () => '/transfers' },
  transfer: { version: 'v1', path: (id: string) => `/transfers/${id}` },
  cancel: { version: 'v1', path: (id: string) => `/transfers/${id}/cancel` },
  payments: { version: 'v3', path: (profile: string, id: string) => `/profiles/${profile}/transfers/${id}/payments` },
  subscriptions: { version: 'v3', path: (profile: string) => `/profiles/${profile}/subscriptions`, always: true },
  subscription: {
    version: 'v3',
    path: (profile: string, id: string) => `/profiles/${profile}/subscriptions/${id}`,
    always: true,
  },
} as const

type Complaint = { path: string | null; message: string; code: string | null }

export class WiseError extends ProviderError {
  readonly complaints: Complaint[]
  constructor(
    kind: ProviderFailure,
    message: string,
    more: { status?: number; complaints?: Complaint[]; retryAfter?: number | null } = {},
  ) {
    super(kind, message, more)
    this.name = 'WiseError'
    this.complaints = more.complaints ?? []
  }
}

/** Whether Wise certainly did nothing, and gave the reason. */
export const isRefused = (error: unknown): error is WiseError => error instanceof WiseError && error.kind === 'refused'

export type Quote = {
  id: string
  status: string
  expiresAt: string | null
  /** Target units for one source unit. */
  rate: string | null
  /** Minor units of the source currency; null if Wise gives none. */
  fee: number | null
  /** Wise's reason why this must not continue. */
  blocked: string | null
  /** Minor units of the target. */
  targetAmount: number | null
  /** In lower case, like the next. */
  targetCurrency: string | null
  /** Minor units of the source. */
  sourceAmount: number | null
  /** In lower case. */
  sourceCurrency: string | null
}
/** A transfer; null for fields that Wise omits. */
export type Transfer = {
  id: string
  status: string
  customerTransactionId: string | null
  recipientId: string | null
  quoteId: string | null
  /** In lower case. */
  targetCurrency: string
  /** Minor units of the target. */
  targetValue: number | null
  /** Minor units of the source. */
  sourceValue: number | null
  /** The reference on the recipient's statement. */
  reference: string | null
  /** Wise waits for an answer by the customer or the recipient. */
  hasIssues: boolean
  createdAt: string | null
}
/** A page of transfers, and the offset of the next. */
type TransferList = { transfers: Transfer[]; next: number | null }
export type Funding = { completed: boolean; errorCode: string | null }

/** Wise's answer with every number as text, so that no amount becomes a float. */
type Json = { [key: string]: Json | undefined }

/** Currency of an amount for which Wise names none. */
const TARGET = 'USD'
const PAGE = 100
// the runtime has JSON.rawJSON, TypeScript's library does not yet
const rawNumber = (JSON as unknown as { rawJSON(text: string): object }).rawJSON
const text = (value: unknown) => (typeof value === 'string' ? value : '')
const textOrNull = (value: unknown) => text(value) || null
const list = (value: unknown) => (Array.isArray(value) ? value : []) as Json[]

export type Wise = ReturnType<typeof createWise>

/**
 * Creates a client of Wise for one token. Each call throws `WiseError`; nothing is retried here, because only the
 * caller knows which calls may be repeated.
 */
export function createWise({ apiUrl, apiVersion, token, send, note }: Api) {
  const address = (call: { version: string; always?: boolean }, path: string) =>
    `${apiUrl}/${apiVersion === 'classic' || call.always ? call.version : apiVersion}${path}`

  /** Sends a call. A missing path may mean that this version was removed: then the payout is not to blame. */
  async function ask(method: string, url: string, body?: object, more: Record<string, string> = {}): Promise<Json> {
    const profiles = address(paths.profiles, paths.profiles.path())
    return askOnce(method, url, body, more).catch(async (error: unknown) => {
      if (!(error instanceof WiseError) || !isNowhere(error)) throw error
      const served = url !== profiles && (await askOnce('GET', profiles).then(() => true, isServed))
      throw served ? error : notServed(apiVersion)
    })
  }

  async function askOnce(method: string, url: string, body?: object, more: Record<string, string> = {}): Promise<Json> {
    const correlationId = randomUUID()
    const answer = await send(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'x-external-correlation-id': correlationId,
        ...(body && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if ('unreachable' in answer) throw new WiseError('unknown', `Wise can’t be reached: ${answer.unreachable}`)
    const { status, headers, text } = answer
    const parsed = parse(text)
    const isTaken = status >= 200 && status < 300
    if (isTaken && (parsed !== undefined || status === 204)) return (parsed ?? {}) as Json
    // Wise's support finds a call by either id
    const call = { method, path: new URL(url).pathname, status, correlationId, wiseTraceId: headers['x-trace-id'] }
    note(call, 'a call to Wise failed')
    throw isTaken ? unreadable(status) : failure(status, parsed, headers)
  }

  /** Sends a call about an existing transfer: if Wise hides it from this token, the token itself may be fine. */
  const askAbout = (method: string, url: string) =>
    ask(method, url).catch((error: unknown) => {
      if (error instanceof WiseError && (error.status === 403 || error.status === 404))
        throw new WiseError('withheld', wiseReasons.withheld({ why: error.message }), {
          status: error.status,
        })
      throw error
    })

  /** Returns transfers of the profile created since the day before `since`, beginning with the `offset`th. */
  async function transfersPage(profile: string, since: Date, offset: number): Promise<TransferList> {
    const query = new URLSearchParams({
      profile,
      createdDateStart: new Date(since.getTime() - 86_400_000).toISOString(),
      limit: String(PAGE),
      offset: String(offset),
    })
    const answer = await askAbout('GET', `${address(paths.transfers, paths.transfers.path())}?${query}`)
    if (!Array.isArray(answer)) throw unreadable(200)
    return { transfers: list(answer).map(readTransfer), next: answer.length < PAGE ? null : offset + PAGE }
  }

  /** Yields all transfers, page by page. */
  async function* transfersSince(profile: string, since: Date): AsyncGenerator<Transfer> {
    for (let offset: number | null = 0; offset !== null; ) {
      const page: TransferList = await transfersPage(profile, since, offset)
      yield* page.transfers
      offset = page.next
    }
  }

  return {
    /** Returns the profiles that the token can access. */
    async profiles(): Promise<Profile[]> {
      const answer = await ask('GET', address(paths.profiles, paths.profiles.path()))
      if (!Array.isArray(answer)) throw unreadable(200)
      return list(answer).map((profile) => ({
        id: text(profile.id),
        type: text(profile.type).toUpperCase(),
        fullName: textOrNull(profile.fullName),
        businessName: textOrNull(profile.businessName),
      }))
    },

    /** Requests a quote: the payee's amount is fixed in the account's own currency, otherwise the amount debited. */
    async createQuote(profile: string, payout: { amount: number; currency: string; payee: PayeeKind }): Promise<Quote> {
      const source = payout.currency.toUpperCase()
      const target = payout.payee.currency.toUpperCase()
      const amount = rawNumber(decimalAmount(payout.amount, source))
      const body = {
        sourceCurrency: source,
        targetCurrency: target,
        ...(source === target
          ? { targetAmount: amount, sourceAmount: null }
          : { sourceAmount: amount, targetAmount: null }),
        payOut: 'BANK_TRANSFER',
        preferredPayIn: 'BALANCE',
      }
      return readQuote(await ask('POST', address(paths.quotes, paths.quotes.path(profile)), body), source)
    },

    async quote(profile: string, id: string, currency: string): Promise<Quote> {
      return readQuote(await ask('GET', address(paths.quote, paths.quote.path(profile, id))), currency)
    },

    /** Creates a recipient for these details; Wise's recipients never change, so changed details need another. */
    async createRecipient(profile: string, details: PayoutDetails): Promise<string> {
      const recipient = toRecipient(profile, details)
      const answer = await ask('POST', address(paths.recipients, paths.recipients.path()), recipient)
      if (recipientDiffers(answer, details)) throw new WiseError('refused', wiseReasons.otherDetails)
      return identifier(answer)
    },

    /** Returns Wise's requirements for the quote as they are: in general, or for a draft of a recipient. */
    requirements: (quote: string, draft: WiseRecipient | null): Promise<unknown> =>
      ask(
        draft ? 'POST' : 'GET',
        address(paths.accountRequirements, paths.accountRequirements.path(quote)),
        draft ?? undefined,
        { 'accept-minor-version': '1' },
      ),

    /** Returns Wise's question about the source of large sums; null if there is none. */
    async sourceOfFunds(transfer: { quote: string; recipient: string; transactionId: string }): Promise<string | null> {
      const answer = await ask('POST', address(paths.transferRequirements, paths.transferRequirements.path()), {
        targetAccount: whole(transfer.recipient),
        quoteUuid: transfer.quote,
        customerTransactionId: transfer.transactionId,
        details: {},
      })
      const forms = list(answer)
      const groups = forms.flatMap((form) => list(form.fields)).flatMap((field) => list(field.group))
      const values = groups
        .filter((group) => text(group.key) === 'sourceOfFunds')
        .flatMap((group) => list(group.valuesAllowed))
      const chosen = values.find((value) => /business/i.test(text(value.key))) ?? values[0]
      return chosen ? text(chosen.key) : null
    },

    /** Creates a transfer; idempotent per `transactionId`. */
    async createTransfer(transfer: {
      quote: string
      recipient: string
      transactionId: string
      reference: string
      sourceOfFunds: string | null
    }): Promise<Transfer> {
      const answer = await ask('POST', address(paths.transfers, paths.transfers.path()), {
        targetAccount: whole(transfer.recipient),
        quoteUuid: transfer.quote,
        customerTransactionId: transfer.transactionId,
        details: {
          reference: transfer.reference,
          ...(transfer.sourceOfFunds && { sourceOfFunds: transfer.sourceOfFunds }),
        },
      })
      return readTransfer(answer)
    },

    async transfer(id: string): Promise<Transfer> {
      return readTransfer(await askAbout('GET', address(paths.transfer, paths.transfer.path(id))))
    },

    transfersPage,

    /** Finds the transfer created for this transaction id since `since`, reading all of them; or undefined. */
    async findTransfer(profile: string, transactionId: string, since: Date): Promise<Transfer | undefined> {
      for await (const transfer of transfersSince(profile, since))
        if (transfer.customerTransactionId === transactionId.toLowerCase()) return transfer
      return undefined
    },

    /** Pays a drafted transfer from the profile's balance. A 2xx may still be a refusal: check `completed`. */
    async fund(profile: string, transfer: string): Promise<Funding> {
      const answer = await ask('POST', address(paths.payments, paths.payments.path(profile, transfer)), {
        type: 'BALANCE',
      })
      const status = text(answer.status).toUpperCase()
      if (status !== 'COMPLETED' && status !== 'REJECTED') throw unreadable(200)
      return { completed: status === 'COMPLETED', errorCode: textOrNull(answer.errorCode) }
    },

    /** Cancels a transfer that has not left. */
    async cancelTransfer(id: string): Promise<Transfer> {
      return readTransfer(await askAbout('PUT', address(paths.cancel, paths.cancel.path(id))))
    },

    /** Subscribes `url` to one kind of event in the profile; returns the subscription's id. */
    async subscribe(profile: string, kind: string, url: string): Promise<string> {
      const answer = await ask('POST', address(paths.subscriptions, paths.subscriptions.path(profile)), {
        name: 'Tributary payouts',
        trigger_on: kind,
        delivery: { version: '2.0.0', url },
      })
      return identifier(answer)
    },

    async unsubscribe(profile: string, id: string): Promise<void> {
      await ask('DELETE', address(paths.subscription, paths.subscription.path(profile, id)))
    },
  }
}

/** Encodes an identifier that Wise expects as a number. */
const whole = (id: string) => (/^\d{1,18}$/.test(id) ? rawNumber(id) : id)

function identifier(answer: Json): string {
  const id = text(answer.id)
  if (!id) throw unreadable(200)
  return id
}

function readTransfer(answer: Json): Transfer {
  const status = text(answer.status)
  if (!status) throw unreadable(200)
  return {
    id: identifier(answer),
    status,
    customerTransactionId: textOrNull(answer.customerTransactionId)?.toLowerCase() ?? null,
    recipientId: textOrNull(answer.targetAccount),
    quoteId: textOrNull(answer.quoteUuid),
    targetCurrency: textOrNull(answer.targetCurrency)?.toLowerCase() ?? TARGET.toLowerCase(),
    targetValue: fromDecimal(answer.targetValue, text(answer.targetCurrency) || TARGET),
    sourceValue: fromDecimal(answer.sourceValue, text(answer.sourceCurrency) || TARGET),
    reference: textOrNull(answer.details?.reference) ?? textOrNull(answer.reference),
    hasIssues: (answer.hasActiveIssues as unknown) === true,
    createdAt: instantOf(text(answer.created)),
  }
}

/** Returns the details in Wise's form, with unmasked numbers. */
export function toRecipient(profile: string, details: PayoutDetails): WiseRecipient {
  const of = { profile: whole(profile), ownedByCustomer: false }
  switch (details.kind) {
    case 'iban': {
      const { legalType, iban, bic, address } = details
      return {
        ...of,
        currency: 'EUR',
        type: 'iban',
        accountHolderName: details.name,
        details: { legalType, IBAN: iban, ...(bic && { BIC: bic }), address: addressOf(address) },
      }
    }
    case 'local-bank': {
      const { accountHolderName, email, ...fields } = details.fields
      return {
        ...of,
        currency: details.currency.toUpperCase(),
        type: details.type,
        ...(accountHolderName && { accountHolderName }),
        ...(email && { email }),
        details: nested(fields),
      }
    }
    case 'paypal':
      throw new Error('Wise has no recipients at PayPal')
    default: {
      const { legalType, routingNumber, accountNumber, accountType, address } = details
      return {
        ...of,
        currency: 'USD',
        type: 'aba',
        accountHolderName: details.name,
        details: {
          legalType,
          abartn: routingNumber,
          accountNumber,
          accountType,
          address: { ...addressOf(address), state: address.state.toUpperCase() },
        },
      }
    }
  }
}

export type WiseRecipient = {
  profile: object | string
  ownedByCustomer: boolean
  currency: string
  type: string
  accountHolderName?: string
  email?: string
  details: object
}

const addressOf = ({ country, city, zipCode, addressLine }: EuroAddress) => ({
  country: country.toUpperCase(),
  city,
  postCode: zipCode,
  firstLine: addressLine,
})

/** Makes objects of names with dots: `address.city` is the city in the address. */
function nested(fields: Record<string, string>): object {
  const made: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(fields)) {
    const parts = name.split('.')
    let at = made
    for (const part of parts.slice(0, -1)) {
      const inner = at[part]
      const next = typeof inner === 'object' && inner !== null ? inner : Object.create(null)
      at[part] = next
      at = next as Record<string, unknown>
    }
    at[parts.at(-1)!] = value
  }
  return made
}

/** Parses Wise's '2026-09-05 10:20:30' in UTC, and ISO 8601. */
function instantOf(written: string): string | null {
  const at = Date.parse(/^[\d-]+ [\d:.]+$/.test(written) ? `${written.replace(' ', 'T')}Z` : written)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** Whether Wise returned other bank details than it was given. It may omit them, or mask digits. */
function recipientDiffers({ details: reported }: Json, details: PayoutDetails): boolean {
  const bare = (number: string) => number.replace(/[\s.-]/g, '')
  const other = (shown: unknown, given: string) =>
    /^[A-Z]{0,2}\d[\dA-Z]*$/.test(bare(text(shown))) && bare(text(shown)) !== bare(given)
  switch (details.kind) {
    case 'iban':
      return other(reported?.IBAN ?? reported?.iban, details.iban)
    case 'local-bank':
      return ['accountNumber', 'IBAN', 'clabe'].some(
        (name) => details.fields[name] !== undefined && other(reported?.[name], details.fields[name]),
      )
    case 'paypal':
      return true
    default:
      return other(reported?.accountNumber, details.accountNumber) || other(reported?.abartn, details.routingNumber)
  }
}

function readQuote(answer: Json, currency: string): Quote {
  const payOut = text(answer.payOut)
  const option = list(answer.paymentOptions).find(
    (one) => text(one.payIn) === 'BALANCE' && (!payOut || !one.payOut || text(one.payOut) === payOut),
  )
  const blocked = list(answer.notices).find((notice) => text(notice.type) === 'BLOCKED')
  return {
    id: identifier(answer),
    status: text(answer.status),
    expiresAt: textOrNull(answer.expirationTime),
    rate: textOrNull(answer.rate),
    fee: option ? fromDecimal(option.fee?.total, currency) : null,
    blocked: blocked ? withoutNumbers(text(blocked.text)) || wiseReasons.refusedPayout : null,
    targetAmount: fromDecimal(answer.targetAmount ?? option?.targetAmount, text(answer.targetCurrency) || TARGET),
    targetCurrency: textOrNull(answer.targetCurrency)?.toLowerCase() ?? null,
    sourceAmount: fromDecimal(answer.sourceAmount, currency),
    sourceCurrency: textOrNull(answer.sourceCurrency)?.toLowerCase() ?? null,
  }
}

/** Parses JSON with numbers as text: `125.50` and ids of any length stay exact. */
function parse(source: string): unknown {
  try {
    return JSON.parse(source, (_key, value, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? String(value)) : value,
    )
  } catch {
    return undefined
  }
}

const isNowhere = ({ status }: WiseError) => status === 404 || status === GONE
const isServed = (error: unknown) => !(error instanceof WiseError && isNowhere(error))

const notServed = (version: string) =>
  new WiseError('unauthorized', version === 'classic' ? wiseReasons.noVersions : wiseReasons.noVersion({ version }), {
    status: GONE,
  })

const unreadable = (status: number) =>
  new WiseError('unknown', 'Wise returned a response we couldn’t read.', { status })

function failure(status: number, parsed: unknown, headers: Record<string, string>): WiseError {
  const complaints = complaintsOf(parsed as Json)
  const message = complaints.map((complaint) => complaint.message).join(' ')
  if (status === 401) return new WiseError('unauthorized', message || wiseReasons.tokenRejected, { status, complaints })
  if (status === 403)
    return new WiseError('forbidden', message || wiseReasons.noPermission, {
      status,
      complaints,
    })
  if (status < 400 || status === 408 || status === 429 || status >= 500) {
    const seconds = Number(headers['retry-after'])
    const retryAfter = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) : null
    const words =
      status === 429
        ? 'Wise asked us to slow down.'
        : message
          ? `Wise answered ${status}: ${message}`
          : wiseReasons.answered({ status: String(status) })
    return new WiseError('unknown', words, { status, complaints, retryAfter })
  }
  return new WiseError('refused', message || wiseReasons.answered({ status: String(status) }), { status, complaints })
}

/** Masks long numbers, since Wise may quote bank details, and its words are shown to people who may not read those. */
const withoutNumbers = (words: string) => words.replace(/\d[\d -]{3,}\d/g, '•••')

/**
 * Parses Wise's three forms of errors: a list of `errors`, one `message` with its `path`, and OAuth's
 * `error_description`.
 */
function complaintsOf(answer: Json | undefined): Complaint[] {
  if (!answer || typeof answer !== 'object') return []
  const errors = list(answer.errors)
  if (errors.length > 0)
    return errors.map((error) => ({
      path: textOrNull(error.path),
      message: withoutNumbers(text(error.message)) || text(error.code) || 'not valid',
      code: textOrNull(error.code),
    }))
  const message = withoutNumbers(text(answer.error_description) || text(answer.message) || text(answer.error))
  return message ? [{ path: null, message, code: textOrNull(answer.error) }] : []
}
