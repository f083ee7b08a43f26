import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../server/platform/database/pool.ts'
import { type PayoutBatch, paypalPayouts } from '../test/fakes/paypal-payouts.ts'

/** Credentials of the stand-ins. */
export const STRIPE_KEY = 'rk_live_HarborAnalytics20'
export const STRIPE_SIGNING_SECRET = 'whsec_HarborAnalyticsDemo'
export const WISE_TOKEN = 'demo-wise-token-4821'
export const PAYPAL_APP = { clientId: 'AHarborAnalyticsDemo7302', clientSecret: 'EHarborAnalyticsDemo' }
/** An address without an account at PayPal: its payment waits to be claimed. */
export const UNKNOWN_TO_PAYPAL = 'mira.jansson@mail.example'

type Fields = Record<string, unknown>
type Call = { method: string; path: string; query: URLSearchParams; authorization: string; body: Fields }
type Answer = { status: number; body?: unknown }

const ok = (body: unknown): Answer => ({ status: 200, body })

async function serve(handle: (call: Call) => Answer) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
    const text = Buffer.concat(chunks).toString()
    const isJson = request.headers['content-type']?.startsWith('application/json')
    const { status, body } = handle({
      method: request.method ?? 'GET',
      path: pathname,
      query: searchParams,
      authorization: request.headers.authorization ?? '',
      body: isJson && text ? JSON.parse(text) : {},
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/**
 * Stripe as far as the demo needs it: the account behind the key, empty lists, and the invoices of payments whose events
 * the demo sends, which are otherwise complete. It accepts new webhook endpoints too.
 */
async function serveStripe() {
  const invoices = new Map<string, Fields>()
  const server = await serve(({ method, path, authorization }) => {
    const refuse = (status: number, message: string, code?: string): Answer => ({
      status,
      body: { error: { type: 'invalid_request_error', message, code } },
    })
    if (authorization !== `Bearer ${STRIPE_KEY}`) return refuse(401, 'Invalid API Key provided.')
    if (method === 'GET' && path === '/v1/account')
      return ok({
        id: 'acct_1Nq8HarborKf20',
        object: 'account',
        default_currency: 'usd',
        business_profile: { name: 'Harbor Analytics Inc.' },
        settings: { dashboard: { display_name: 'Harbor Analytics Inc.' } },
      })
    if (method === 'POST' && path === '/v1/webhook_endpoints')
      return ok({ id: 'we_1HarborDemo', object: 'webhook_endpoint', secret: STRIPE_SIGNING_SECRET })
    const id = path.split('/').at(-1)!
    if (method === 'DELETE') return ok({ id, deleted: true })
    if (invoices.has(id)) return ok(invoices.get(id))
    const isList = /^\/v1\/(checkout\/sessions|[a-z_]+)$/.test(path)
    return isList
      ? ok({ object: 'list', data: [], has_more: false, url: path })
      : refuse(404, `No such object: '${id}'`, 'resource_missing')
  })
  return { ...server, addInvoice: (invoice: Fields & { id: string }) => invoices.set(invoice.id, invoice) }
}

type Transfer = {
  id: number
  status: string
  /** The payer's profile at Wise, the first one's if it is missing. */
  profile?: string
  customerTransactionId: string
  targetAccount: number
  quoteUuid: string
  /** Cents. */
  amount: number
  from?: string
  to?: string
  /** True for a transfer made after the story: each read advances it. */
  moves: boolean
}
/** `from` is the payer's currency and `to` the payee's, dollars if they are missing. */
type Quote = Pick<Transfer, 'amount' | 'profile' | 'from' | 'to'> & { id: string; expirationTime: string }
/** `balance` is in dollars. */
type Kept = { lastId: number; balance: number; euros: number; quotes: Quote[]; transfers: Transfer[] }

/** Endings of bank accounts that are refused, as Wise refuses a mistyped one. */
const REFUSED_ACCOUNT = /0000$/
const FEE = 1.13
const ON_THE_WAY = ['processing', 'funds_converted', 'outgoing_payment_sent']

/** Units of the payees' currencies for a dollar. */
const rates: Record<string, number> = { USD: 1, EUR: 0.86, GBP: 0.76, BRL: 5.34, MXN: 18.4, CAD: 1.4, INR: 88.7 }

/** In the payer's currency the payee gets the amount; in others the rest after the fee, converted. */
function moneyOf({ amount: cents, from = 'USD', to = 'USD' }: Pick<Transfer, 'amount' | 'from' | 'to'>) {
  const amount = cents / 100
  const rate = Math.round(((rates[to] ?? 1) / (rates[from] ?? 1)) * 10_000) / 10_000
  const arrives = to === from ? amount : Math.round((amount - FEE) * rate * 100) / 100
  return { rate, sourceCurrency: from, targetCurrency: to, sourceAmount: amount, targetAmount: arrives }
}

/** The fields that Wise would ask for, simplified: alike in every currency but Brazil’s. */
function requirements(currency = 'USD') {
  const field = (key: string, name: string, valuesAllowed: { key: string; name: string }[] | null = null) => ({
    name,
    group: [
      {
        key,
        name,
        type: valuesAllowed ? 'select' : 'text',
        required: true,
        refreshRequirementsOnChange: false,
        minLength: null,
        maxLength: null,
        validationRegexp: null,
        valuesAllowed,
      },
    ],
  })
  const persons = [
    { key: 'PRIVATE', name: 'Person' },
    { key: 'BUSINESS', name: 'Business' },
  ]
  const holder = [
    field('legalType', 'Recipient type', persons),
    field('accountHolderName', 'Full name of the account holder'),
  ]
  const address = [
    field('address.city', 'City'),
    field('address.firstLine', 'Address'),
    field('address.postCode', 'Post code'),
  ]
  if (currency !== 'BRL') {
    const account = [field('bankCode', 'Bank code'), field('accountNumber', 'Account number')]
    return [{ type: 'local', title: 'Local bank account', fields: [...holder, ...account, ...address] }]
  }
  const kinds = [
    { key: 'CHECKING', name: 'Checking' },
    { key: 'SAVINGS', name: 'Savings' },
  ]
  const account = [
    field('cpf', 'CPF'),
    field('bankCode', 'Bank code'),
    field('branchCode', 'Branch code'),
    field('accountNumber', 'Account number'),
    field('accountType', 'Account type', kinds),
    field('address.country', 'Country', [{ key: 'BR', name: 'Brazil' }]),
    field('address.state', 'State'),
  ]
  return [{ type: 'brazil', title: 'Local bank account', fields: [...holder, ...account, ...address] }]
}

/** Wise as far as payouts need it, with balances in dollars and euros; its state is saved for the next start. */
async function serveWise(clock: Clock, store: Store) {
  const kept: Kept = {
    lastId: 51_200_000,
    balance: 250_000_00,
    euros: 90_000_00,
    quotes: [],
    transfers: [],
    ...(store.read() as Partial<Kept>),
  }
  let watched = false
  const keep = () => store.keep({ ...kept, quotes: kept.quotes.slice(-200) })

  const routes: [method: string, pattern: RegExp, handle: (id: string, call: Call) => Answer][] = [
    ['GET', /^\/v2\/profiles$/, () => ok(profiles)],
    ['POST', /^\/v3\/profiles\/(\d+)\/quotes$/, (profile, { body }) => makeQuote(profile, body)],
    ['GET', /^\/v3\/profiles\/\d+\/quotes\/(.+)$/, readQuote],
    ['GET', /^\/v1\/quotes\/([^/]+)\/account-requirements$/, required],
    ['POST', /^\/v1\/quotes\/([^/]+)\/account-requirements$/, required],
    ['POST', /^\/v1\/accounts$/, (_, { body }) => makeRecipient(body)],
    ['POST', /^\/v1\/transfer-requirements$/, () => ok([])],
    ['POST', /^\/v1\/transfers$/, (_, { body }) => makeTransfer(body)],
    [
      'GET',
      /^\/v1\/transfers$/,
      (_, { query }) => listTransfers(query.get('profile'), Number(query.get('offset') ?? 0)),
    ],
    ['GET', /^\/v1\/transfers\/(\d+)$/, (id) => withTransfer(id, look)],
    ['PUT', /^\/v1\/transfers\/(\d+)\/cancel$/, (id) => withTransfer(id, cancel)],
    ['POST', /^\/v3\/profiles\/\d+\/transfers\/(\d+)\/payments$/, (id) => withTransfer(id, fund)],
    ['POST', /^\/v3\/profiles\/\d+\/subscriptions$/, () => ok({ id: randomUUID() })],
    ['DELETE', /^\/v3\/profiles\/\d+\/subscriptions\//, () => ok({})],
  ]

  const server = await serve((call) => {
    if (call.authorization !== `Bearer ${WISE_TOKEN}`)
      return { status: 401, body: { error: 'invalid_token', error_description: 'Invalid token' } }
    for (const [method, pattern, handle] of routes) {
      const [found, id = ''] = pattern.exec(call.path) ?? []
      if (found === undefined || method !== call.method) continue
      const answer = handle(id, call)
      if (method !== 'GET' || watched) keep()
      return answer
    }
    return notFound
  })

  function makeQuote(profile: string, body: Fields): Answer {
    const { targetAmount, sourceAmount, targetCurrency, sourceCurrency } = body
    const [from, to] = [String(sourceCurrency), String(targetCurrency)]
    if (!(to in rates)) return refusal([{ path: 'targetCurrency', message: 'We don’t support this currency yet.' }])
    const amount = Math.round(Number(targetAmount ?? sourceAmount) * 100)
    const expirationTime = new Date(clock.now().getTime() + 1_800_000).toISOString()
    const quote: Quote = { id: randomUUID(), amount, expirationTime, profile, from, to }
    kept.quotes.push(quote)
    return ok(shownQuote(quote))
  }

  function required(quoteId: string): Answer {
    return ok(requirements(kept.quotes.find(({ id }) => id === quoteId)?.to))
  }

  function readQuote(id: string): Answer {
    const quote = kept.quotes.find((one) => one.id === id)
    return quote ? ok(shownQuote(quote)) : notFound
  }

  const shownQuote = ({ id, expirationTime, ...quote }: Quote) => ({
    id,
    status: new Date(expirationTime) > clock.now() ? 'PENDING' : 'EXPIRED',
    expirationTime,
    ...moneyOf(quote),
    payOut: 'BANK_TRANSFER',
    notices: [],
    paymentOptions: [{ payIn: 'BALANCE', payOut: 'BANK_TRANSFER', fee: { total: FEE } }],
  })

  function makeRecipient({ details }: Fields): Answer {
    const { accountNumber } = (details ?? {}) as { accountNumber?: string }
    if (REFUSED_ACCOUNT.test(accountNumber ?? ''))
      return refusal([{ path: 'accountNumber', message: 'Please enter a valid account number of 4 to 17 digits.' }])
    return ok({ id: ++kept.lastId, active: true })
  }

  function makeTransfer({ customerTransactionId, targetAccount, quoteUuid }: Fields): Answer {
    const transactionId = String(customerTransactionId).toLowerCase()
    const known = kept.transfers.find((transfer) => transfer.customerTransactionId === transactionId)
    if (known) return ok(shown(known))
    const quote = kept.quotes.find((one) => one.id === quoteUuid)
    if (!quote) return refusal([{ path: 'quoteUuid', message: 'This quote is not known.' }])
    const transfer: Transfer = {
      id: ++kept.lastId,
      status: 'incoming_payment_waiting',
      customerTransactionId: transactionId,
      targetAccount: Number(targetAccount),
      quoteUuid: quote.id,
      amount: quote.amount,
      profile: quote.profile,
      from: quote.from,
      to: quote.to,
      moves: watched,
    }
    kept.transfers.push(transfer)
    return ok(shown(transfer))
  }

  function shown({ amount, from, to, moves, profile, ...transfer }: Transfer) {
    const { sourceAmount: sourceValue, targetAmount: targetValue, ...rest } = moneyOf({ amount, from, to })
    return { ...transfer, ...rest, sourceValue, targetValue }
  }

  const listTransfers = (of: string | null, offset: number) =>
    ok(
      kept.transfers
        .filter(({ profile = WISE_PROFILE_ID }) => profile === of)
        .toReversed()
        .slice(offset, offset + 100)
        .map(shown),
    )

  function withTransfer(id: string, act: (transfer: Transfer) => Answer): Answer {
    const transfer = kept.transfers.find((one) => one.id === Number(id))
    return transfer ? act(transfer) : notFound
  }

  function look(transfer: Transfer): Answer {
    const answer = ok(shown(transfer))
    const next = ON_THE_WAY[ON_THE_WAY.indexOf(transfer.status) + 1]
    if (transfer.moves && ON_THE_WAY.includes(transfer.status) && next) transfer.status = next
    return answer
  }

  function cancel(transfer: Transfer): Answer {
    if (transfer.status !== 'incoming_payment_waiting')
      return { status: 409, body: { message: `A transfer that is ${transfer.status} cannot be cancelled.` } }
    transfer.status = 'cancelled'
    return ok(shown(transfer))
  }

  function fund(transfer: Transfer): Answer {
    if (transfer.status !== 'incoming_payment_waiting')
      return { status: 409, body: { message: 'This transfer is paid already.' } }
    const purse = transfer.from === 'EUR' ? 'euros' : 'balance'
    if (transfer.amount > kept[purse])
      return ok({ type: 'BALANCE', status: 'REJECTED', errorCode: 'transfer.insufficient_funds' })
    kept[purse] -= transfer.amount
    transfer.status = 'processing'
    return ok({ type: 'BALANCE', status: 'COMPLETED', errorCode: null })
  }

  return {
    ...server,
    /** Sets the dollar balance, in cents. */
    setBalance(cents: number) {
      kept.balance = cents
      keep()
    },
    /** Moves transfers to one of Wise's states. */
    move(from: string, to: string, isMeant: (transfer: Transfer) => boolean = () => true) {
      for (const transfer of kept.transfers) if (transfer.status === from && isMeant(transfer)) transfer.status = to
      keep()
    },
    /** From now on new transfers advance by themselves, a step with each read. */
    letThemMove() {
      watched = true
    },
  }
}

/**
 * PayPal's payouts by the stand-in of the tests, behind the sign-in of one app; a payment is made as soon as it is looked
 * at. What was paid is saved for the next start, which begins with full balances.
 */
async function servePaypal(clock: Clock, store: Store) {
  const payouts = paypalPayouts({ clock: () => clock.now(), balance: { USD: 100_000, EUR: 100_000 } })
  payouts.isNoMember(UNKNOWN_TO_PAYPAL)
  for (const { createdAt, item, ...batch } of (store.read().paypal ?? []) as PayoutBatch[])
    payouts.batches.set(batch.id, {
      ...batch,
      createdAt: new Date(createdAt),
      item: { ...item, processedAt: item.processedAt && new Date(item.processedAt) },
    })
  const basic = `Basic ${Buffer.from(`${PAYPAL_APP.clientId}:${PAYPAL_APP.clientSecret}`).toString('base64')}`
  const access = { access_token: 'A21AAHarborAnalyticsDemo', token_type: 'Bearer', expires_in: 32_400 }
  const refused: Answer = {
    status: 401,
    body: { error: 'invalid_client', error_description: 'Client Authentication failed' },
  }
  return serve((call) => {
    if (call.path === '/v1/oauth2/token') return call.authorization === basic ? ok(access) : refused
    if (call.authorization !== `Bearer ${access.access_token}`) return refused
    const answer = payouts.handle(call)
    store.keep({ paypal: [...payouts.batches.values()] })
    return answer ?? notFound
  })
}

type Store = ReturnType<typeof storeIn>

/** The stand-ins' state in one file; null keeps nothing. */
function storeIn(file: string | null) {
  let kept: Fields = {}
  try {
    if (file) kept = JSON.parse(readFileSync(file, 'utf8'))
  } catch {}
  return {
    read: () => kept,
    keep(change: Fields) {
      kept = { ...kept, ...change }
      if (file) writeFileSync(file, JSON.stringify(kept))
    },
  }
}

const notFound: Answer = { status: 404, body: { errors: [{ code: 'not.found', message: 'Not found', path: '' }] } }
const refusal = (errors: { path: string; message: string }[]): Answer => ({
  status: 422,
  body: { errors: errors.map((error) => ({ code: 'NOT_VALID', arguments: [error.path], ...error })) },
})

const profiles = [
  { id: 30_000_001, type: 'PERSONAL', fullName: 'Elena Marsh', businessName: null },
  { id: 30_000_002, type: 'BUSINESS', fullName: null, businessName: 'Harbor Analytics Inc.' },
  { id: 30_000_003, type: 'BUSINESS', fullName: null, businessName: 'Harbor Analytics Europe GmbH' },
]
export const WISE_PROFILE_ID = '30000002'
export const WISE_PROFILE_ID_EUROPE = '30000003'

export type DemoProviders = Awaited<ReturnType<typeof startStandIns>>

/** Stripe, Wise and PayPal on loopback, so that the demo's connections work without an account at any. */
export async function startStandIns({ clock, file = null }: { clock: Clock; file?: string | null }) {
  const store = storeIn(file)
  const [stripe, wise, paypal] = await Promise.all([serveStripe(), serveWise(clock, store), servePaypal(clock, store)])
  return { stripe, wise, paypal, close: () => Promise.all([stripe.close(), wise.close(), paypal.close()]) }
}

/** The providers' addresses as settings of the product. */
export const providerSettings = ({ stripe, wise, paypal }: DemoProviders) => ({
  STRIPE_API_URL: stripe.url,
  WISE_API_URL: wise.url,
  PAYPAL_API_URL: paypal.url,
})
