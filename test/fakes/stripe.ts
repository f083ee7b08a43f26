import { type Answer, type Call, type Fields, startServer } from './server.ts'
import {
  deliverStripeEvent,
  type StripeEvent,
  type StripeObject,
  type StripeStore,
  stripeId,
  toApiVersion,
  toSeconds,
  toStripeList,
} from './stripe-events.ts'

/** Filters of each list besides `limit`, `starting_after`, `ending_before`, `created` and `expand`. */
const collections: Record<string, { object: string; filters: string[] }> = {
  charges: { object: 'charge', filters: ['customer', 'payment_intent'] },
  credit_notes: { object: 'credit_note', filters: ['customer', 'invoice'] },
  refunds: { object: 'refund', filters: ['charge', 'payment_intent'] },
  disputes: { object: 'dispute', filters: ['charge', 'payment_intent'] },
  invoices: { object: 'invoice', filters: ['customer', 'status', 'subscription', 'collection_method'] },
  invoice_payments: { object: 'invoice_payment', filters: ['invoice', 'payment', 'status'] },
  'checkout/sessions': {
    object: 'checkout.session',
    filters: ['customer', 'payment_intent', 'payment_link', 'status', 'subscription'],
  },
  events: { object: 'event', filters: ['type', 'types', 'delivery_success'] },
  customers: { object: 'customer', filters: ['email'] },
  payment_intents: { object: 'payment_intent', filters: ['customer'] },
  subscriptions: { object: 'subscription', filters: ['customer', 'status'] },
  promotion_codes: { object: 'promotion_code', filters: ['active', 'code', 'coupon', 'customer'] },
  coupons: { object: 'coupon', filters: [] },
  balance_transactions: { object: 'balance_transaction', filters: ['source', 'type', 'currency'] },
  customer_balance_transactions: { object: 'customer_balance_transaction', filters: ['customer'] },
  webhook_endpoints: { object: 'webhook_endpoint', filters: [] },
}

/** Objects by which the payments of invoices can be listed; a charge is none. */
const PAYS_INVOICES = ['payment_intent', 'payment_record']

type Options = {
  /** The account's restricted key. */
  key?: string
  /** Fields of `GET /v1/account` that differ from a plain US shop. */
  account?: Fields & { id?: string }
  /** Enables the OAuth paths, for calls with the platform's key and `Stripe-Account`. */
  platform?: { clientId: string; secretKey: string }
  /** Shape of replies to calls without `Stripe-Version`. */
  apiVersion?: string
  clock?: () => Date
}

/** Stripe on loopback: account, webhook endpoints, lists and reads over `store`, OAuth; fill it with `stripePayment`. */
export async function fakeStripe(options: Options = {}) {
  const { platform, apiVersion = '2025-04-30.basil', clock = () => new Date() } = options
  let { key = 'rk_test_StandIn0000000000000001' } = options
  /** A key of the account's live mode. */
  const liveKey = key.replace('rk_test_', 'rk_live_')
  /** Keys of other accounts, which are empty. */
  const strangers = new Map<string, string>()
  const account = { ...plainAccount, ...options.account, id: options.account?.id ?? 'acct_1StandInShop' }
  const store: StripeStore = new Map()
  const secrets = new Map<string, string>()
  const forbidden = new Set<string>()
  const remembered = new Map<string, { request: string; answer: Answer; at: number }>()
  const codes = new Map<string, Date>()
  const troubles: Trouble[] = []
  let connected = true
  let denied = false

  const server = await startServer((call) => {
    const answer = call.path.startsWith('/oauth/') ? oauth(call) : once(call)
    return {
      ...answer,
      headers: { 'request-id': stripeId('req'), 'stripe-version': versionOf(call), ...answer.headers },
    }
  })
  const versionOf = (call: Call) => String(call.headers['stripe-version'] ?? apiVersion)

  /**
   * A repeat with the same Idempotency-Key gets the first answer, also a 500, for 24 hours; with other fields it is
   * refused.
   */
  function once(call: Call): Answer {
    const refused = refuseKey(call)
    if (refused) return refused
    const idempotencyKey = call.method === 'POST' ? call.headers['idempotency-key'] : undefined
    if (typeof idempotencyKey !== 'string') return answerTo(call)
    const request = `${call.path} ${call.raw}`
    const before = remembered.get(idempotencyKey)
    const at = clock().getTime()
    if (!before || at - before.at >= DAY_MS) {
      const trouble = troubles.shift()
      const done = trouble === 'error-before' ? broken : answerTo(call)
      const answer = trouble === 'error-after' ? broken : done
      remembered.set(idempotencyKey, { request, answer, at })
      return answer
    }
    if (before.request === request) return { ...before.answer, headers: { 'idempotent-replayed': 'true' } }
    return refuse(
      400,
      'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      {
        type: 'idempotency_error',
      },
    )
  }

  function refuseKey(call: Call): Answer | null {
    const given = keyOf(call)
    if (!given)
      return refuse(
        401,
        'You did not provide an API key. You need to provide your API key in the Authorization header.',
      )
    if (platform && given === platform.secretKey) {
      if (connected && call.headers['stripe-account'] === account.id) return null
      const message = `The provided key '${mask(given)}' does not have access to account '${call.headers['stripe-account']}' (or that account does not exist). Application access may have been revoked.`
      return refuse(403, message, { code: 'account_invalid' })
    }
    return given === key || given === liveKey || strangers.has(given)
      ? null
      : refuse(401, `Invalid API Key provided: ${mask(given)}`)
  }

  function answerTo(call: Call): Answer {
    const stranger = strangers.get(keyOf(call) ?? '')
    if (stranger && call.path === '/v1/account') return { status: 200, body: { ...account, id: stranger } }
    if (stranger) return { status: 200, body: toStripeList([], call.path) }
    const [, customerId] = call.path.match(/^\/v1\/customers\/([^/]+)\/balance_transactions$/) ?? []
    if (customerId !== undefined) return creditsOf(call, decodeURIComponent(customerId))
    const [, name = '', id, part] =
      call.path.match(/^\/v1\/(checkout\/sessions|[a-z_]+)(?:\/([^/]+)(?:\/(lines|line_items))?)?$/) ?? []
    if (forbidden.has(part ?? name))
      return refuse(403, missingRight(key, account.id, name), { code: 'more_permissions_required' })
    if (name === 'account' && call.method === 'GET') return { status: 200, body: account }
    const collection = collections[name]
    if (!collection) return unknownPath(call)
    if (call.method === 'GET' && id && part) return linesOf(call, id, part)
    if (call.method === 'GET') return id ? read(call, collection.object, id) : list(call, name, collection)
    if (name === 'webhook_endpoints' && call.method === 'POST' && !id) return createEndpoint(call)
    if (name === 'checkout/sessions' && call.method === 'POST' && !id) return createSession(call)
    if (name === 'promotion_codes' && call.method === 'POST')
      return id ? changePromotionCode(call, id) : createPromotionCode(call)
    if (name === 'webhook_endpoints' && call.method === 'DELETE' && id) return deleteEndpoint(id)
    return unknownPath(call)
  }

  /** An open checkout session; it is in no list until it is paid. */
  function createSession({ body }: Call): Answer {
    const { mode, line_items, success_url, client_reference_id: reference } = body
    for (const [param, value] of Object.entries({ mode, line_items, success_url }))
      if (!value) return refuse(400, `Missing required param: ${param}.`, { param })
    if (reference !== undefined && !/^.{1,200}$/.test(String(reference)))
      return refuse(400, 'Invalid string: client_reference_id', { param: 'client_reference_id' })
    const session = {
      id: stripeId('cs'),
      object: 'checkout.session',
      created: toSeconds(clock()),
      status: 'open',
      mode,
    }
    return { status: 200, body: { ...session, url: `https://checkout.stripe.com/c/pay/${session.id}` } }
  }

  /** The transactions of a customer's balance: a negative amount is credit, kept by currency. */
  function creditsOf(call: Call, id: string): Answer {
    const name = 'customer_balance_transactions'
    if (forbidden.has(name))
      return refuse(403, missingRight(key, account.id, name), { code: 'more_permissions_required' })
    const customer = store.get(id)
    if (customer?.object !== 'customer' || customer.deleted) return missing('customer', id, 'customer')
    if (call.method === 'GET') {
      const { limit, starting_after } = call.query
      const query = { ...(limit !== undefined && { limit }), ...(starting_after !== undefined && { starting_after }) }
      return list({ ...call, query: { ...query, customer: id } }, name, collections[name]!)
    }
    const { amount, currency, metadata = {}, description = null } = call.body
    if (!/^-?[1-9]\d*$/.test(String(amount))) return refuse(400, 'Invalid integer: amount', { param: 'amount' })
    if (!/^[a-z]{3}$/.test(String(currency))) return refuse(400, `Invalid currency: ${currency}`, { param: 'currency' })
    const balances = (customer.invoice_credit_balance ?? {}) as Record<string, number>
    const ending = (balances[String(currency)] ?? 0) + Number(amount)
    customer.invoice_credit_balance = { ...balances, [String(currency)]: ending }
    const made: StripeObject = {
      id: stripeId('cbtxn'),
      object: 'customer_balance_transaction',
      created: toSeconds(clock()),
      amount: Number(amount),
      currency,
      customer: id,
      metadata,
      description,
      type: 'adjustment',
      ending_balance: ending,
      livemode: false,
    }
    store.set(made.id, made)
    return { status: 200, body: made }
  }

  function list(call: Call, name: string, { object, filters }: { object: string; filters: string[] }): Answer {
    const { limit = '10', starting_after, ending_before, created, expand: _, ...asked } = call.query
    const stranger = Object.keys(asked).find((field) => !filters.includes(field))
    if (stranger)
      return refuse(400, `Received unknown parameter: ${stranger}`, { code: 'parameter_unknown', param: stranger })
    const size = Number(limit)
    if (!Number.isInteger(size) || size < 1 || size > 100)
      return refuse(400, `Invalid integer: ${limit}`, { param: 'limit' })
    const invalid = object === 'event' && Array.isArray(asked.types) && (asked.types.length > 20 || asked.type)
    if (invalid) return refuse(400, 'You may pass up to 20 types, and not `type` beside them.', { param: 'types' })
    if (asked.payment) {
      const { type, ...named } = asked.payment as Fields
      if (!type) return refuse(400, 'Missing required param: payment[type].', { param: 'payment[type]' })
      const unknown = Object.keys(named).find((field) => !PAYS_INVOICES.includes(field))
      if (unknown) return refuse(400, `Received unknown parameter: payment[${unknown}]`, { code: 'parameter_unknown' })
      if (!PAYS_INVOICES.includes(String(type)))
        return refuse(400, 'Invalid payment[type]: must be one of payment_intent or payment_record', {
          param: 'payment[type]',
        })
    }

    const newestFirst = [...store.values()]
      .filter(
        (candidate) => candidate.object === object && within(candidate.created, created) && fits(candidate, asked),
      )
      .reverse()
      .sort((a, b) => b.created - a.created)
    const mark = starting_after ?? ending_before
    const at = newestFirst.findIndex(({ id }) => id === mark)
    if (mark && at < 0) return missing(object, String(mark), starting_after ? 'starting_after' : 'ending_before')
    const rest = starting_after ? newestFirst.slice(at + 1) : newestFirst
    const page = ending_before ? newestFirst.slice(Math.max(0, at - size), at) : rest.slice(0, size)
    const hasMore = ending_before ? at > size : rest.length > size
    return {
      status: 200,
      body: toStripeList(
        page.map((found) => show(call, found, 'data.')),
        `/v1/${name}`,
        hasMore,
      ),
    }
  }

  function read(call: Call, object: string, id: string): Answer {
    const found = store.get(id)
    if (found?.object === object && found.deleted) return { status: 200, body: { id, object, deleted: true } }
    return found?.object === object ? { status: 200, body: show(call, found) } : missing(object, id, 'id')
  }

  /** A page of the lines of an invoice, or of the line items of a checkout session. */
  function linesOf(call: Call, id: string, part: string): Answer {
    const { limit = '10', starting_after } = call.query
    const found = store.get(id)
    const shown = found && part === 'lines' ? toApiVersion(versionOf(call), found, store, Infinity) : null
    const rows = (shown?.lines ?? store.get(`${id}/${part}`)) as { data: Fields[] } | undefined
    if (!rows) return missing('list', id, 'id')
    const from = starting_after ? rows.data.findIndex((row) => row.id === starting_after) + 1 : 0
    const page = rows.data.slice(from, from + Number(limit))
    return { status: 200, body: toStripeList(page, call.path, from + page.length < rows.data.length) }
  }

  /** Returns the object in the requested version, with the ids named by `expand[]` replaced by their objects. */
  function show(call: Call, object: StripeObject, under = ''): Fields {
    const shown = toApiVersion(versionOf(call), object, store)
    const wanted = Array.isArray(call.query.expand) ? call.query.expand.map(String) : []
    const names = wanted
      .filter((path) => path.startsWith(under))
      .map((path) => path.slice(under.length).split('.')[0] ?? '')
    const expanded = names.map((field) => [field, expansion(object, shown, field)])
    return structuredClone({ ...shown, ...Object.fromEntries(expanded) })
  }

  function expansion(object: StripeObject, shown: Fields, field: string): unknown {
    const belonging = (kind: string, link: string) =>
      [...store.values()].filter((other) => other.object === kind && other[link] === object.id)
    if (object.object === 'invoice' && field === 'payments')
      return toStripeList(belonging('invoice_payment', 'invoice'), '/v1/invoice_payments')
    if (object.object === 'charge' && field === 'refunds')
      return toStripeList(belonging('refund', 'charge').reverse(), '/v1/refunds')
    const named = shown[field]
    if (Array.isArray(named)) return named.map((one) => store.get(String(one)) ?? one)
    return store.get(String(named)) ?? named
  }

  /** A code is unique among active ones, in any letter case. */
  const activeCode = (code: string) =>
    [...store.values()].find(
      (one) => one.object === 'promotion_code' && one.active && String(one.code).toLowerCase() === code.toLowerCase(),
    )

  function createPromotionCode(call: Call): Answer {
    const { body } = call
    const isNew = versionOf(call) >= '2025-09-30'
    const promotion = (body.promotion ?? {}) as Fields
    if (isNew ? 'coupon' in body : 'promotion' in body)
      return refuse(400, `Received unknown parameter: ${isNew ? 'coupon' : 'promotion'}`, { code: 'parameter_unknown' })
    const coupon = String((isNew ? promotion.coupon : body.coupon) ?? '')
    if (store.get(coupon)?.object !== 'coupon') return missing('coupon', coupon, isNew ? 'promotion[coupon]' : 'coupon')
    const code = String(body.code ?? stripeId('CODE'))
    if (!/^[A-Za-z0-9-]{1,500}$/.test(code)) return refuse(400, `Invalid code: ${code}`, { param: 'code' })
    if (activeCode(code))
      return refuse(400, `An active promotion code with \`code: ${code}\` already exists.`, {
        code: 'resource_already_exists',
      })
    const made = {
      ...{ id: stripeId('promo'), object: 'promotion_code', created: toSeconds(clock()), livemode: false },
      ...{ active: true, code, coupon, metadata: body.metadata ?? {}, restrictions: body.restrictions ?? {} },
    }
    store.set(made.id, made)
    return { status: 200, body: made }
  }

  function changePromotionCode({ body }: Call, id: string): Answer {
    const found = store.get(id)
    if (found?.object !== 'promotion_code') return missing('promotion_code', id, 'id')
    const active = body.active === undefined ? found.active : body.active === 'true'
    const other = active && !found.active ? activeCode(String(found.code)) : undefined
    if (other) return refuse(400, `An active promotion code with \`code: ${found.code}\` already exists.`)
    Object.assign(found, { active })
    return { status: 200, body: found }
  }

  function createEndpoint({ body }: Call): Answer {
    const events = Object.values((body.enabled_events ?? {}) as Record<string, string>)
    if (!events.length)
      return refuse(400, 'Missing required param: enabled_events.', {
        param: 'enabled_events',
        code: 'parameter_missing',
      })
    if (!/^https?:\/\/\S+$/.test(String(body.url)))
      return refuse(400, 'Invalid URL: An explicit scheme (such as https) must be provided.', {
        param: 'url',
        code: 'url_invalid',
      })
    const endpoint = {
      ...{
        id: stripeId('we'),
        object: 'webhook_endpoint',
        created: toSeconds(clock()),
        status: 'enabled',
        livemode: false,
      },
      ...{
        url: String(body.url),
        enabled_events: events,
        api_version: body.api_version ?? null,
        metadata: body.metadata ?? {},
      },
      ...{ description: body.description ?? null, application: null },
    }
    const secret = `whsec_${stripeId('x').slice(2)}`
    store.set(endpoint.id, endpoint)
    secrets.set(endpoint.id, secret)
    return { status: 200, body: { ...endpoint, secret } }
  }

  function deleteEndpoint(id: string): Answer {
    if (!secrets.delete(id)) return missing('webhook_endpoint', id, 'webhook_endpoint')
    store.delete(id)
    return { status: 200, body: { id, object: 'webhook_endpoint', deleted: true } }
  }

  function oauth(call: Call): Answer {
    const fail = (error: string, error_description: string, status = 400): Answer => ({
      status,
      body: { error, error_description },
    })
    if (!platform) return unknownPath(call)
    if (call.path === '/oauth/authorize') {
      const { client_id, redirect_uri, state = '', scope = 'read_only' } = call.query
      if (client_id !== platform.clientId)
        return fail('invalid_client', 'No application matches the supplied client identifier')
      if (denied) {
        denied = false
        const refusal = { error: 'access_denied', error_description: 'The user denied your request' }
        return {
          status: 302,
          headers: { location: `${redirect_uri}?${new URLSearchParams({ ...refusal, state: String(state) })}` },
        }
      }
      const code = stripeId('ac')
      codes.set(code, clock())
      const back = new URLSearchParams({ scope: String(scope), state: String(state), code })
      return { status: 302, headers: { location: `${redirect_uri}?${back}` } }
    }
    if (keyOf(call) !== platform.secretKey && call.body.client_secret !== platform.secretKey)
      return fail('invalid_client', 'Invalid API Key provided', 401)
    if (call.path === '/oauth/token') {
      const issued = codes.get(String(call.body.code))
      codes.delete(String(call.body.code))
      if (call.body.grant_type !== 'authorization_code')
        return fail('unsupported_grant_type', 'Grant type must be authorization_code')
      const fresh = issued && clock().getTime() - issued.getTime() <= 300_000
      if (!fresh) return fail('invalid_grant', `Authorization code does not exist: ${call.body.code}`)
      connected = true
      const tokens = {
        access_token: stripeId('sk_test'),
        refresh_token: stripeId('rt'),
        stripe_publishable_key: stripeId('pk_test'),
      }
      return {
        status: 200,
        body: { ...tokens, livemode: false, token_type: 'bearer', stripe_user_id: account.id, scope: 'read_write' },
      }
    }
    if (call.path === '/oauth/deauthorize') {
      if (!connected || call.body.stripe_user_id !== account.id)
        return fail('invalid_client', 'This application is not connected to the account', 401)
      connected = false
      return { status: 200, body: { stripe_user_id: account.id } }
    }
    return unknownPath(call)
  }

  return {
    ...server,
    get key() {
      return key
    },
    account,
    liveKey,
    /** The next calls with a new key are answered 500, before or after their work, and so is each repeat of the key. */
    breakNext(...next: Trouble[]) {
      troubles.push(...next)
    },
    /** Creates a new restricted key; the former one is refused from now on. */
    rollKey() {
      key = stripeId('rk_test')
      return key
    },
    /** Denies the next request for consent. */
    deny() {
      denied = true
    },
    /** Withdraws the account's consent, without notifying the platform. */
    withdraw() {
      connected = false
    },
    /** A key of another account. */
    strangersKey(accountId: string, mode: 'test' | 'live' = 'test') {
      const made = stripeId(`rk_${mode}`)
      strangers.set(made, accountId)
      return made
    },
    /** The objects that lists and reads return; pass it to the builders. */
    store,
    /** Withdraws rights from the key: `forbid('account')`, `forbid('webhook_endpoints')`; the 403 names the `acct_`. */
    forbid(...names: string[]) {
      for (const name of names) forbidden.add(name)
    },
    allow(...names: string[]) {
      for (const name of names) forbidden.delete(name)
    },
    /** The registered endpoints with their secrets. */
    endpoints: () =>
      [...secrets].map(([id, secret]) => ({
        ...(store.get(id) as StripeObject & { url: string; enabled_events: string[] }),
        secret,
      })),
    /** Sends an event to every registered endpoint for its type, signed with that endpoint's secret. */
    send(event: StripeEvent) {
      const takers = this.endpoints().filter(
        ({ enabled_events: types }) => types.includes('*') || types.includes(event.type),
      )
      return Promise.all(takers.map(({ url, secret }) => deliverStripeEvent(url, event, secret)))
    },
  }
}

type Trouble = 'error-before' | 'error-after' | undefined

const DAY_MS = 86_400_000
const broken: Answer = { status: 500, body: { error: { type: 'api_error', message: 'An unknown error occurred' } } }

const plainAccount = {
  object: 'account',
  type: 'standard',
  country: 'US',
  default_currency: 'usd',
  email: 'shop@northwind.example',
  business_profile: { name: 'Northwind Shop', url: 'https://northwind.example' },
  charges_enabled: true,
  details_submitted: true,
  payouts_enabled: true,
  settings: { dashboard: { display_name: 'Northwind Shop', timezone: 'America/New_York' } },
}

function within(created: number, range: unknown) {
  if (range === undefined) return true
  if (typeof range === 'string') return created === Number(range)
  const { gte, gt, lte, lt } = range as Record<string, string>
  if (gte !== undefined && created < Number(gte)) return false
  if (gt !== undefined && created <= Number(gt)) return false
  if (lte !== undefined && created > Number(lte)) return false
  return lt === undefined || created < Number(lt)
}

function fits(object: StripeObject, asked: Fields): boolean {
  return Object.entries(asked).every(([field, wanted]) => {
    if (field === 'types') return Object.values(wanted as Fields).includes(object.type)
    if (field === 'type' && String(wanted).endsWith('*'))
      return String(object.type).startsWith(String(wanted).slice(0, -1))
    if (field === 'delivery_success') return true
    if (field === 'payment')
      return Object.entries(wanted as Fields).every(([part, value]) => (object.payment as Fields)[part] === value)
    if (field === 'subscription' && object.object === 'invoice') {
      return (object.parent as { subscription_details: Fields } | null)?.subscription_details.subscription === wanted
    }
    return object[field] === wanted
  })
}

function keyOf({ headers: { authorization = '' } }: Call) {
  const [scheme, value = ''] = authorization.split(' ')
  return scheme === 'Basic' ? Buffer.from(value, 'base64').toString('utf8').split(':')[0] : value
}

const mask = (key: string) => `${key.slice(0, 8)}${'*'.repeat(12)}${key.slice(-4)}`

function refuse(status: number, message: string, more: Fields = {}): Answer {
  return { status, body: { error: { type: 'invalid_request_error', message, ...more } } }
}

const missing = (object: string, id: string, param: string) =>
  refuse(404, `No such ${object.replace(/[._]/g, ' ')}: '${id}'`, { code: 'resource_missing', param })

const unknownPath = ({ method, path }: Call) =>
  refuse(
    404,
    `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  )

function missingRight(key: string, account: string, name: string) {
  const right =
    name === 'account' ? 'rak_accounts_kyc_basic_read' : `rak_${name.replace('/', '_').replace(/s$/, '')}_write`
  return `The provided key '${mask(key)}' does not have the required permissions for this endpoint on account '${account}'. Having the '${right}' permission would allow this request to continue.`
}
