import { randomUUID } from 'node:crypto'
import { type Answer, type Call, type Fields, type Matcher, matchesCall, startServer } from './server.ts'
import { type DeliveryHow, deliverWiseEvent, signingKeys, wholeSeconds } from './wise-events.ts'
import { complaintsAboutAccount, formsFor, paysIn, type WiseForm } from './wise-forms.ts'
import {
  buildComplaint,
  type buildField,
  type Complaint,
  cancellable,
  fundingCountries,
  minorUnits,
  simulated,
  type TransferState,
  toDecimal,
  transferRequirements,
  wiseRefusal,
} from './wise-rules.ts'

type Options = {
  token?: string
  /** Country of all profiles. Funding by API works for US, CA, AU, NZ, SG and MY; elsewhere it is refused with 403. */
  country?: string
  /** Whole currency units per currency, of each profile's STANDARD balances; other currencies have no balance. */
  balance?: Record<string, number>
  /** Target units for one source unit, as `{'EUR-USD': 1.08}`; 1 by default. */
  rates?: Record<string, number>
  clock?: () => Date
  /** Each read of a funded transfer advances it: processing, funds_converted, outgoing_payment_sent. */
  autoProgress?: boolean
  /** Returns the loopback address for a subscribed https address; without it subscriptions are stored, not called. */
  reach?: (url: string) => string
}

type Profile = Fields & { id: number; type: 'PERSONAL' | 'BUSINESS' }
type Quote = Fields & { id: string; profile: number; sourceCurrency: string; targetCurrency: string; status: string }
type Recipient = Fields & { id: number; active: boolean }
type Transfer = Fields & {
  id: number
  status: TransferState
  quoteUuid: string
  targetAccount: number
  customerTransactionId: string
}
type Batch = Fields & { id: string; version: number; status: string; transferIds: number[]; sourceCurrency: string }
type Subscription = Fields & { id: string; trigger_on: string; delivery: { version: string; url: string } }
type Params = Record<string, string>

/** Ids are unique among the stand-ins of a process. */
let made = 50_000_000

/**
 * Wise on loopback, by the classic paths and by quarters: profiles, balances, quotes, recipients, transfers, funding,
 * batches, subscriptions and the sandbox's simulation, with Wise's checks; state events are signed with its own key.
 */
export async function fakeWise(options: Options = {}) {
  const { token = '7d1c0b1e-0000-4000-8000-stand-in-wise', country = 'US', clock = () => new Date() } = options
  const { balance = { USD: 100_000 }, rates = {}, autoProgress = false, reach } = options
  const profiles = makeProfiles(country)
  const [personal, business] = profiles
  const quotes = new Map<string, Quote>()
  const recipients = new Map<number, Recipient>()
  const transfers = new Map<number, Transfer>()
  const byTransactionId = new Map<string, Transfer>()
  const batches = new Map<string, Batch>()
  const subscriptions = new Map<string, Subscription>()
  const history = new Map<number, { state: TransferState; at: Date }[]>()
  const balances = profiles.flatMap((profile) =>
    Object.entries(balance).map(([currency, value], index) => ({
      ...{ id: profile.id * 10 + index, profile: profile.id, currency, minor: minorUnits(value, currency) ?? 0 },
    })),
  )
  made += 100_000
  let lastId = made
  let blocked: string | null = null
  let approvalNeeded = false
  let moving = autoProgress
  let questions: ReturnType<typeof buildField>[] = []
  let ownForms: ((draft: Fields) => unknown) | null = null

  const routes: [
    method: string,
    classic: string | null,
    path: string,
    handle: (call: Call, params: Params) => Answer,
  ][] = [
    ['GET', 'v2', '/profiles', () => ok(profiles)],
    ['GET', 'v2', '/profiles/:pid', (_, { pid }) => found(profiles.find(({ id }) => id === Number(pid)))],
    ['GET', 'v4', '/profiles/:pid/balances', listBalances],
    ['POST', 'v3', '/profiles/:pid/quotes', createQuote],
    ['GET', 'v3', '/profiles/:pid/quotes/:qid', (_, { qid }) => found(readQuote(qid))],
    ['PATCH', 'v3', '/profiles/:pid/quotes/:qid', patchQuote],
    ['GET', 'v1', '/quotes/:qid/account-requirements', (_, { qid }) => found(requirements(qid))],
    ['POST', 'v1', '/quotes/:qid/account-requirements', ({ body }, { qid }) => found(requirements(qid, body))],
    ['POST', 'v1', '/accounts', createRecipient],
    ['GET', 'v1', '/accounts', ({ query }) => ok(listRecipients(query))],
    ['GET', 'v2', '/accounts', ({ query }) => ok({ content: listRecipients(query), size: 20 })],
    ['GET', 'v1', '/accounts/:aid', (_, { aid }) => found(recipients.get(Number(aid)))],
    ['GET', 'v2', '/accounts/:aid', (_, { aid }) => found(recipients.get(Number(aid)))],
    ['DELETE', 'v2', '/accounts/:aid', deactivateRecipient],
    [
      'POST',
      'v1',
      '/transfer-requirements',
      ({ body }) => ok(transferRequirements(needsSource(readQuote(String(body.quoteUuid))))),
    ],
    ['POST', 'v1', '/transfers', ({ body }) => createTransfer(body)],
    ['GET', 'v1', '/transfers', listTransfers],
    ['GET', 'v1', '/transfers/:tid', (_, { tid }) => readTransfer(Number(tid))],
    ['PUT', 'v1', '/transfers/:tid/cancel', (_, { tid }) => cancelTransfer(Number(tid))],
    ['POST', 'v3', '/profiles/:pid/transfers/:tid/payments', fundTransfer],
    ['POST', 'v3', '/profiles/:pid/batch-groups', createBatch],
    ['GET', 'v3', '/profiles/:pid/batch-groups/:bid', (_, { bid }) => found(batches.get(bid!))],
    ['PATCH', 'v3', '/profiles/:pid/batch-groups/:bid', completeBatch],
    ['POST', 'v3', '/profiles/:pid/batch-groups/:bid/transfers', addToBatch],
    ['POST', 'v3', '/profiles/:pid/batch-payments/:bid/payments', fundBatch],
    ['POST', 'v3-only', '/profiles/:pid/subscriptions', subscribe],
    ['GET', 'v3-only', '/profiles/:pid/subscriptions', () => ok([...subscriptions.values()])],
    ['GET', 'v3-only', '/profiles/:pid/subscriptions/:sid', (_, { sid }) => found(subscriptions.get(sid!))],
    [
      'DELETE',
      'v3-only',
      '/profiles/:pid/subscriptions/:sid',
      (_, { sid }) => (subscriptions.delete(sid!) ? { status: 204 } : found(undefined)),
    ],
    [
      'GET',
      'v1',
      '/simulation/transfers/:tid/:state',
      (_, { tid, state }) => simulate(Number(tid), state as TransferState),
    ],
    ['POST', 'v1', '/simulation/balance/topup', ({ body }) => topUpCall(body)],
  ]

  const lies: { matcher: Matcher; fields: Fields }[] = []
  const server = await startServer((call) => {
    const answer = lying(call, answerTo(call))
    return { ...answer, headers: { 'x-trace-id': randomUUID().replaceAll('-', ''), ...answer.headers } }
  })

  function lying(call: Call, answer: Answer): Answer {
    if (answer.status >= 300) return answer
    const fields = lies.filter(({ matcher }) => matchesCall(matcher, call)).map((lie) => lie.fields)
    return fields.length === 0 ? answer : { ...answer, body: Object.assign({}, answer.body, ...fields) }
  }

  function answerTo(call: Call): Answer {
    if (call.headers.authorization !== `Bearer ${token}`) {
      return { status: 401, body: { error: 'invalid_token', error_description: 'Invalid token' } }
    }
    const [, version = '', path = ''] = call.path.match(/^\/(v\d|\d{4}Q[1-4])(\/.*)$/) ?? []
    const quarterly = ['2026Q3', '2026Q4'].includes(version)
    for (const [method, classic, pattern, handle] of routes) {
      const versionFits = quarterly ? !classic?.endsWith('-only') : classic?.slice(0, 2) === version
      const params = method === call.method && versionFits ? match(pattern, path) : null
      if (!params) continue
      if (call.unreadable) return plainError(400, 'Bad Request', 'JSON parse error', call.path)
      if (params.pid && !profiles.some(({ id }) => id === Number(params.pid)))
        return plainError(403, 'Forbidden', 'Access to this profile is denied', call.path)
      return handle(call, params)
    }
    return plainError(404, 'Not Found', 'No message available', call.path)
  }

  function listBalances({ query }: Call, { pid }: Params): Answer {
    if (!query.types) return wiseRefusal([buildComplaint('types', 'types is required')], 400)
    const own = balances.filter(({ profile }) => profile === Number(pid))
    return ok(
      own.map(({ id, currency, minor }) => ({
        ...{ id, currency, type: 'STANDARD', name: null, visible: true, primary: true },
        amount: { value: toDecimal(minor, currency), currency },
        reservedAmount: { value: 0, currency },
      })),
    )
  }

  function createQuote({ body }: Call, { pid }: Params): Answer {
    const { sourceCurrency, targetCurrency, sourceAmount = null, targetAmount = null, targetAccount = null } = body
    const complaints: Complaint[] = []
    for (const [path, code] of Object.entries({ sourceCurrency, targetCurrency })) {
      if (!/^[A-Z]{3}$/.test(String(code)))
        complaints.push(buildComplaint(path, 'Please use an ISO 4217 currency code.'))
    }
    if ((sourceAmount === null) === (targetAmount === null)) {
      complaints.push(buildComplaint('sourceAmount', 'Either sourceAmount or targetAmount must be given, not both.'))
    }
    const [side, value, currency] =
      targetAmount === null ? ['source', sourceAmount, sourceCurrency] : ['target', targetAmount, targetCurrency]
    const minor = minorUnits(value, String(currency))
    if (complaints.length === 0 && !paysIn(targetCurrency))
      complaints.push(buildComplaint('targetCurrency', 'We don’t support this currency yet.'))
    if (complaints.length === 0 && minor === null)
      complaints.push(buildComplaint(`${side}Amount`, 'Please enter a valid amount.'))
    if (targetAccount !== null && !recipients.get(Number(targetAccount))?.active)
      complaints.push(buildComplaint('targetAccount', 'Recipient not found.'))
    if (complaints.length > 0) return wiseRefusal(complaints)

    const from = String(sourceCurrency)
    const to = String(targetCurrency)
    const rate = from === to ? 1 : (rates[`${from}-${to}`] ?? 1)
    const fee = (converted: number) => 39 + (from === to ? 0 : Math.ceil(converted * 0.0041))
    const converted = side === 'target' ? Math.round(minor! / rate) : minor! - fee(minor!)
    const source = side === 'target' ? converted + fee(converted) : minor!
    const target = side === 'target' ? minor! : Math.round(converted * rate)
    if (target <= 0) return wiseRefusal([buildComplaint('sourceAmount', 'The amount does not cover the fee.')])
    const held = balances.some((one) => one.profile === Number(pid) && one.currency === from)
    const option = (payIn: string, dearer: number, disabled: boolean) => ({
      ...{
        payIn,
        payOut: 'BANK_TRANSFER',
        disabled,
        estimatedDelivery: new Date(clock().getTime() + 86_400_000).toISOString(),
      },
      disabledReason: disabled
        ? { code: 'balance.payment-option-unavailable', message: `Open a ${from} balance first.` }
        : null,
      fee: {
        transferwise: toDecimal(source - converted + dearer, from),
        payIn: 0,
        discount: 0,
        partner: 0,
        total: toDecimal(source - converted + dearer, from),
      },
      ...{
        sourceAmount: toDecimal(source + dearer, from),
        targetAmount: toDecimal(target, to),
        sourceCurrency: from,
        targetCurrency: to,
      },
    })
    const now = clock()
    const quote: Quote = {
      ...{
        id: randomUUID(),
        profile: Number(pid),
        user: 1,
        sourceCurrency: from,
        targetCurrency: to,
        rate,
        rateType: 'FIXED',
      },
      ...{
        sourceAmount: toDecimal(source, from),
        targetAmount: toDecimal(target, to),
        targetAccount,
        payOut: 'BANK_TRANSFER',
      },
      ...{ preferredPayIn: body.preferredPayIn ?? null, providedAmountType: side!.toUpperCase(), status: 'PENDING' },
      ...{ createdTime: now.toISOString(), expirationTime: new Date(now.getTime() + 1_800_000).toISOString() },
      notices: blocked ? [{ type: 'BLOCKED', text: blocked, link: null }] : [],
      paymentOptions: [option('BANK_TRANSFER', 12, false), option('BALANCE', 0, !held)],
    }
    quotes.set(quote.id, quote)
    return ok(quote)
  }

  function readQuote(id = ''): Quote | undefined {
    const quote = quotes.get(id)
    if (quote?.status === 'PENDING' && clock().toISOString() > String(quote.expirationTime)) quote.status = 'EXPIRED'
    return quote
  }

  function requirements(quoteId = '', draft: Fields = {}) {
    const quote = quotes.get(quoteId)
    return quote && (ownForms ? ownForms(draft) : formsFor(quote.targetCurrency, draft, questions))
  }

  function patchQuote({ body, headers }: Call, { qid }: Params): Answer {
    if (!headers['content-type']?.startsWith('application/merge-patch+json'))
      return plainError(415, 'Unsupported Media Type', 'Content type is not supported', '')
    const quote = readQuote(qid)
    if (!quote) return found(undefined)
    if (body.targetAccount !== undefined && !recipients.get(Number(body.targetAccount))?.active) {
      return wiseRefusal([buildComplaint('targetAccount', 'Recipient not found.')])
    }
    if (quote.status !== 'PENDING')
      return wiseRefusal([buildComplaint('status', 'The quote can no longer be changed.')])
    const { targetAccount = quote.targetAccount, payOut = quote.payOut } = body
    return ok(Object.assign(quote, { targetAccount, payOut }))
  }

  function createRecipient({ body }: Call): Answer {
    if (!profiles.some(({ id }) => id === body.profile))
      return wiseRefusal([buildComplaint('profile', 'Profile not found.')], 400)
    const customForms = ownForms ? (ownForms(body) as WiseForm[]) : undefined
    const complaints = complaintsAboutAccount(body, customForms)
    if (complaints.length > 0) return wiseRefusal(complaints)
    const { legalType, ...details } = body.details as Fields
    const ending = String(details.accountNumber ?? details.IBAN ?? details.clabe).slice(-4)
    const summary = `${body.currency} account ending in ${ending}`
    const recipient: Recipient = {
      ...{
        id: ++lastId,
        creatorId: 1,
        profileId: body.profile,
        profile: body.profile,
        currency: body.currency,
        country: body.currency === 'USD' ? 'US' : null,
      },
      ...{
        name: { fullName: body.accountHolderName },
        accountHolderName: body.accountHolderName,
        type: body.type,
        active: true,
      },
      legalEntityType: legalType === 'PRIVATE' ? 'PERSON' : 'BUSINESS',
      details: { ...details, legalType },
      ...{ accountSummary: summary, longAccountSummary: summary },
      ownedByCustomer: body.ownedByCustomer ?? false,
    }
    recipients.set(recipient.id, recipient)
    return ok(recipient)
  }

  const listRecipients = ({ profile, profileId, currency }: Fields) =>
    [...recipients.values()].filter(
      (one) =>
        one.active &&
        [undefined, String(one.profileId)].includes((profile ?? profileId) as string) &&
        [undefined, one.currency].includes(currency),
    )

  function deactivateRecipient(_: Call, { aid }: Params): Answer {
    const recipient = recipients.get(Number(aid))
    if (!recipient?.active) return found(undefined)
    return ok(Object.assign(recipient, { active: false }))
  }

  function createTransfer(body: Fields, batch?: Batch): Answer {
    const { customerTransactionId, quoteUuid, targetAccount, details = {} } = body
    if (!isUuid(customerTransactionId))
      return wiseRefusal([buildComplaint('customerTransactionId', 'customerTransactionId must be a UUID.')], 400)
    const again = byTransactionId.get(String(customerTransactionId).toLowerCase())
    if (again) return ok(again)
    const quote = readQuote(String(quoteUuid))
    const recipient = recipients.get(Number(targetAccount))
    if (!quote) return wiseRefusal([buildComplaint('quoteUuid', 'Quote not found.')])
    if (quote.status === 'ACCEPTED' || quote.status === 'FUNDED') {
      return wiseRefusal([
        buildComplaint('quoteUuid', 'Quote has already been used for another transfer.', 'quote.already.used'),
      ])
    }
    const { reference = '', sourceOfFunds } = details as Fields
    const notice = (quote.notices as Fields[]).find(({ type }) => type === 'BLOCKED')
    const rules: [string, boolean, string][] = [
      ['quoteUuid', quote.status === 'EXPIRED', 'Quote has expired.'],
      ['quoteUuid', notice !== undefined, String(notice?.text)],
      ['targetAccount', !recipient?.active, 'Recipient not found.'],
      [
        'targetAccount',
        Boolean(recipient) && recipient?.currency !== quote.targetCurrency,
        'The recipient has another currency than the quote.',
      ],
      [
        'targetAccount',
        Boolean(quote.targetAccount) && quote.targetAccount !== targetAccount,
        'The recipient is not the one of the quote.',
      ],
      [
        'reference',
        !/^[a-zA-Z0-9\- ]{0,10}$/.test(String(reference ?? '')),
        'Please use at most 10 letters, digits, spaces and dashes.',
      ],
      ['sourceOfFunds', needsSource(quote) && !sourceOfFunds, 'Please tell where the money comes from.'],
      ['profile', approvalNeeded, 'Transfer cannot be created: missing approval'],
    ]
    const complaints = rules.filter(([, broken]) => broken).map(([path, , message]) => buildComplaint(path, message))
    if (complaints.length > 0) return wiseRefusal(complaints)

    const transfer: Transfer = {
      ...{
        id: ++lastId,
        user: 1,
        targetAccount: Number(targetAccount),
        sourceAccount: null,
        quote: null,
        quoteUuid: quote.id,
      },
      ...{ status: 'incoming_payment_waiting' as TransferState, reference: String(reference ?? ''), rate: quote.rate },
      ...{ created: clock().toISOString().slice(0, 19).replace('T', ' '), details, hasActiveIssues: false },
      business: quote.profile === personal!.id ? null : quote.profile,
      ...{ sourceCurrency: quote.sourceCurrency, sourceValue: quote.sourceAmount },
      ...{ targetCurrency: quote.targetCurrency, targetValue: quote.targetAmount },
      customerTransactionId: String(customerTransactionId).toLowerCase(),
      ...(batch ? { batchGroupId: batch.id } : {}),
    }
    quote.status = 'ACCEPTED'
    transfers.set(transfer.id, transfer)
    byTransactionId.set(transfer.customerTransactionId, transfer)
    history.set(transfer.id, [])
    change(transfer, 'incoming_payment_waiting', null)
    return ok(transfer)
  }

  function listTransfers({ query }: Call): Answer {
    const profile = Number(query.profile ?? personal!.id)
    const { status, createdDateStart, createdDateEnd, limit = 10, offset = 0 } = query
    const day = (text: unknown) => String(text).slice(0, 10)
    const fitting = [...transfers.values()].filter(
      (one) =>
        (one.business ?? personal!.id) === profile &&
        (status === undefined || String(status).split(',').includes(one.status)) &&
        (createdDateStart === undefined || day(one.created) >= day(createdDateStart)) &&
        (createdDateEnd === undefined || day(one.created) <= day(createdDateEnd)),
    )
    return ok(fitting.reverse().slice(Number(offset), Number(offset) + Number(limit)))
  }

  function readTransfer(id: number): Answer {
    const transfer = transfers.get(id)
    if (!transfer) return found(undefined)
    const answer = ok(structuredClone(transfer))
    const next = ({ processing: 'funds_converted', funds_converted: 'outgoing_payment_sent' } as const)[
      transfer.status as 'processing'
    ]
    if (moving && next) setState(id, next)
    return answer
  }

  function cancelTransfer(id: number): Answer {
    const transfer = transfers.get(id)
    if (!transfer) return found(undefined)
    if (!cancellable.includes(transfer.status)) {
      return wiseRefusal(
        [buildComplaint('transferId', 'Transfer can no longer be cancelled.', 'transfer.cancellation.not.allowed')],
        409,
      )
    }
    setState(id, 'cancelled')
    return ok(transfer)
  }

  function fundTransfer({ body }: Call, { pid, tid }: Params): Answer {
    const transfer = transfers.get(Number(tid))
    if (!transfer || (transfer.business ?? personal!.id) !== Number(pid)) return found(undefined)
    if (body.type !== 'BALANCE') return wiseRefusal([buildComplaint('type', 'Only BALANCE is supported.')], 400)
    const refused = refuseFunding()
    if (refused) return refused
    if (transfer.status !== 'incoming_payment_waiting') {
      return wiseRefusal(
        [buildComplaint('transferId', 'The transfer is already funded or cancelled.', 'payment.exists')],
        409,
      )
    }
    const errorCode = takeFromBalance([transfer], Number(pid))
    return errorCode
      ? ok({ type: 'BALANCE', status: 'REJECTED', errorCode })
      : { status: 201, body: { type: 'BALANCE', status: 'COMPLETED', errorCode: null } }
  }

  /** Personal tokens outside the funding countries need strong customer authentication. */
  function refuseFunding(): Answer | null {
    if (fundingCountries.includes(country)) return null
    const body = {
      timestamp: clock().toISOString(),
      status: 403,
      error: 'Forbidden',
      message: 'You are forbidden to send this request',
      path: '',
    }
    return { status: 403, headers: { 'x-2fa-approval': randomUUID(), 'x-2fa-approval-result': 'REJECTED' }, body }
  }

  function takeFromBalance(all: Transfer[], pid: number): string | null {
    const currency = String(all[0]!.sourceCurrency)
    const purse = balances.find((one) => one.profile === pid && one.currency === currency)
    if (!purse) return 'balance.payment-option-unavailable'
    const cost = all.reduce((sum, one) => sum + minorUnits(one.sourceValue, currency)!, 0)
    if (purse.minor < cost) return 'transfer.insufficient_funds'
    purse.minor -= cost
    for (const one of all) {
      readQuote(one.quoteUuid)!.status = 'FUNDED'
      setState(one.id, 'processing')
    }
    return null
  }

  function createBatch({ body }: Call): Answer {
    const complaints = ['sourceCurrency', 'name']
      .filter((path) => !body[path])
      .map((path) => buildComplaint(path, `${path} is required`))
    if (complaints.length > 0) return wiseRefusal(complaints, 400)
    const batch: Batch = {
      ...{ id: randomUUID(), version: 0, name: body.name, sourceCurrency: String(body.sourceCurrency), status: 'NEW' },
      ...{ transferIds: [], payInDetails: [] },
    }
    batches.set(batch.id, batch)
    return { status: 201, body: batch }
  }

  function addToBatch({ body }: Call, { bid }: Params): Answer {
    const batch = batches.get(bid!)
    if (!batch) return found(undefined)
    if (batch.status !== 'NEW' || batch.transferIds.length >= 1000)
      return wiseRefusal([buildComplaint('batchGroupId', 'The batch takes no more transfers.')], 409)
    const answer = createTransfer(body, batch)
    const { id } = answer.body as { id?: number }
    if (id && !batch.transferIds.includes(id)) {
      batch.transferIds.push(id)
      batch.version += 1
    }
    return answer
  }

  function completeBatch({ body }: Call, { bid }: Params): Answer {
    const batch = batches.get(bid!)
    if (!batch) return found(undefined)
    if (body.version !== batch.version)
      return wiseRefusal([buildComplaint('version', 'The batch has changed since.')], 409)
    return ok(Object.assign(batch, { status: body.status, version: batch.version + 1 }))
  }

  function fundBatch(_: Call, { pid, bid }: Params): Answer {
    const batch = batches.get(bid!)
    if (!batch) return found(undefined)
    const refused = refuseFunding()
    if (refused) return refused
    if (batch.status !== 'COMPLETED' || batch.transferIds.length === 0)
      return wiseRefusal([buildComplaint('batchGroupId', 'The batch is not complete.')], 409)
    const errorCode = takeFromBalance(
      batch.transferIds.map((id) => transfers.get(id)!),
      Number(pid),
    )
    return ok({
      id: randomUUID(),
      batchGroupId: batch.id,
      type: 'BALANCE',
      status: errorCode ? 'REJECTED' : 'COMPLETED',
      errorCode,
    })
  }

  function subscribe({ body }: Call, { pid }: Params): Answer {
    const delivery = (body.delivery ?? {}) as Subscription['delivery']
    const triggers = [
      'transfers#state-change',
      'transfers#active-cases',
      'transfers#refund',
      'transfers#payout-failure',
      'balances#credit',
    ]
    const complaints: Complaint[] = []
    if (!triggers.includes(String(body.trigger_on)))
      complaints.push(buildComplaint('trigger_on', 'Unknown event type.'))
    if (!/^https:\/\/\S+$/.test(String(delivery.url)))
      complaints.push(buildComplaint('delivery.url', 'The URL must be https.'))
    if (!['2.0.0', '4.0.0'].includes(delivery.version))
      complaints.push(buildComplaint('delivery.version', 'Unknown version.'))
    if (complaints.length > 0) return wiseRefusal(complaints)
    const subscription = {
      ...{ id: randomUUID(), name: body.name, trigger_on: String(body.trigger_on), delivery },
      ...{
        scope: { domain: 'profile', id: pid },
        created_by: { type: 'user', id: '1' },
        created_at: clock().toISOString(),
      },
    }
    subscriptions.set(subscription.id, subscription)
    const trial = stateEvent(
      { ...aTransfer, id: 0 } as Transfer,
      'incoming_payment_waiting',
      null,
      clock(),
      subscription.id,
    )
    if (reach) quietly(deliverWiseEvent(reach(delivery.url), trial, { test: true }))
    return ok(subscription)
  }

  function simulate(id: number, state: TransferState): Answer {
    const transfer = transfers.get(id)
    if (!transfer) return found(undefined)
    if (!simulated[state]?.includes(transfer.status)) {
      return wiseRefusal(
        [buildComplaint('status', `A transfer that is ${transfer.status} cannot become ${state}.`)],
        409,
      )
    }
    setState(id, state)
    return ok(transfer)
  }

  function topUpCall({ profileId, balanceId, currency, amount }: Fields): Answer {
    const purse = balances.find((one) => one.id === balanceId && one.profile === profileId && one.currency === currency)
    const minor = minorUnits(amount, String(currency))
    if (!purse || minor === null) return wiseRefusal([buildComplaint(purse ? 'amount' : 'balanceId', 'Not valid')], 400)
    purse.minor += minor
    const after = { id: purse.id, value: toDecimal(purse.minor, purse.currency), currency: purse.currency }
    return ok({ transactionId: ++lastId, state: 'COMPLETED', balancesAfter: [after] })
  }

  function setState(id: number, state: TransferState) {
    const transfer = transfers.get(id)
    if (!transfer) throw new Error(`No transfer ${id}`)
    const was = transfer.status
    const gone = ['cancelled', 'funds_refunded', 'charged_back']
    if (gone.includes(state) && !gone.includes(was) && readQuote(transfer.quoteUuid)?.status === 'FUNDED') {
      const purse = balances.find(
        (one) => one.profile === (transfer.business ?? personal!.id) && one.currency === transfer.sourceCurrency,
      )
      if (purse) purse.minor += minorUnits(transfer.sourceValue, purse.currency)!
    }
    change(transfer, state, was)
  }

  function change(transfer: Transfer, state: TransferState, was: TransferState | null) {
    transfer.status = state
    const at = clock()
    history.get(transfer.id)!.push({ state, at })
    for (const { id, trigger_on, delivery } of subscriptions.values()) {
      if (reach && trigger_on === 'transfers#state-change')
        quietly(deliverWiseEvent(reach(delivery.url), stateEvent(transfer, state, was, at, id)))
    }
  }

  const stateEvent = (transfer: Transfer, state: string, was: string | null, at: Date, subscription: string) => ({
    data: {
      resource: {
        type: 'transfer',
        id: transfer.id,
        profile_id: transfer.business ?? personal!.id,
        account_id: transfer.targetAccount,
      },
      current_state: state,
      previous_state: was,
      occurred_at: wholeSeconds(at),
    },
    subscription_id: subscription,
    event_type: 'transfers#state-change',
    schema_version: '2.0.0',
    sent_at: wholeSeconds(clock()),
  })

  return {
    ...server,
    token,
    /** The personal and the business profile. */
    profiles,
    personalId: personal!.id,
    businessId: business!.id,
    quotes,
    recipients,
    transfers,
    batches,
    subscriptions,
    /** PEM of the public key for the events' signatures: `WISE_WEBHOOK_KEY`. */
    publicKey: signingKeys().publicKey,
    /** The past states of a transfer, oldest first. */
    statesOf: (id: number) => (history.get(id) ?? []).map(({ state }) => state),
    transferBy: (customerTransactionId: string) => byTransactionId.get(customerTransactionId.toLowerCase()),
    /**
     * Moves a transfer to any state at once; money returns to the balance on cancelled, funds_refunded, charged_back.
     */
    setState,
    /** The owner pays a drafted transfer on wise.com. */
    payByHand: (id: number) => setState(id, 'processing'),
    /** Switches the automatic advance with each read. */
    progress: (on: boolean) => {
      moving = on
    },
    /** Whole currency units in a balance, of the business profile. */
    balanceOf: (currency: string, profile = business!.id) => {
      const purse = balances.find((one) => one.profile === profile && one.currency === currency)
      return purse ? toDecimal(purse.minor, currency) : null
    },
    /** Adds whole currency units to a balance, opening it if there is none. */
    topUp(currency: string, value: number, profile = business!.id) {
      const minor = minorUnits(value, currency) ?? 0
      const purse = balances.find((one) => one.profile === profile && one.currency === currency)
      if (purse) purse.minor += minor
      else balances.push({ id: profile * 10 + balances.length, profile, currency, minor })
    },
    /** New quotes have this BLOCKED notice; `null` ends it. */
    blockQuotes: (text: string | null) => {
      blocked = text
    },
    /** Puts wrong fields into successful answers to these calls, until it is ended. */
    lie(matcher: Matcher, fields: Fields) {
      const lie = { matcher, fields }
      lies.push(lie)
      return { end: () => void lies.splice(lies.indexOf(lie), 1) }
    },
    /** Adds these fields to the form of a recipient. */
    askFor: (fields: ReturnType<typeof buildField>[]) => {
      questions = fields
    },
    /** Sets Wise's requirements for every currency to these, until null; their content may be anything. */
    tellForms: (forms: ((draft: Fields) => unknown) | null) => {
      ownForms = forms
    },
    /** The owner's approval rule in Wise refuses the creation of transfers. */
    requireApproval: (on = true) => {
      approvalNeeded = on
    },
    /**
     * Posts a state event of a transfer as Wise does; state, previous state and time can be set, for late and reordered
     * ones.
     */
    deliverStateChange(
      url: string,
      id: number,
      how: DeliveryHow & { state?: string; previous?: string | null; at?: Date } = {},
    ) {
      const steps = history.get(id) ?? []
      const {
        state = steps.at(-1)?.state ?? 'unknown',
        previous = steps.at(-2)?.state ?? null,
        at = steps.at(-1)?.at ?? clock(),
      } = how
      const transfer = transfers.get(id) ?? ({ ...aTransfer, id } as Transfer)
      return deliverWiseEvent(
        url,
        stateEvent(transfer, state, previous, at, [...subscriptions.keys()][0] ?? randomUUID()),
        how,
      )
    },
    /** Posts `transfers#payout-failure`, which has no `resource`. */
    deliverPayoutFailure(url: string, id: number, description: string, how: DeliveryHow = {}) {
      const data = {
        transfer_id: id,
        profile_id: business!.id,
        failure_reason_code: 'WRONG_ID_NUMBER',
        failure_description: description,
        occurred_at: wholeSeconds(clock()),
      }
      return deliverWiseEvent(
        url,
        {
          data,
          subscription_id: randomUUID(),
          event_type: 'transfers#payout-failure',
          schema_version: '2.0.0',
          sent_at: wholeSeconds(clock()),
        },
        how,
      )
    },
    deliver: deliverWiseEvent,
  }
}

// an event is only a hint: a receiver that fails misses it, and the stand-in goes on
const quietly = (delivery: Promise<unknown>) => void delivery.catch(() => undefined)

const aTransfer = { status: 'unknown', quoteUuid: '', targetAccount: 0, customerTransactionId: '', business: null }

function makeProfiles(country: string): Profile[] {
  const same = {
    userId: 1,
    email: 'nora@northwind.example',
    currentState: 'VISIBLE',
    address: { countryIso2Code: country, city: 'Springfield' },
  }
  return [
    { id: 30_000_001, type: 'PERSONAL', fullName: 'Nora Wind', firstName: 'Nora', lastName: 'Wind', ...same },
    { id: 30_000_002, type: 'BUSINESS', fullName: 'Northwind LLC', businessName: 'Northwind LLC', ...same },
  ]
}

const needsSource = (quote?: Quote) => quote?.targetCurrency === 'USD' && Number(quote.targetAmount) > 80_000

const isUuid = (value: unknown) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(String(value))

const ok = (body: unknown): Answer => ({ status: 200, body: structuredClone(body) })

const found = (body: unknown): Answer =>
  body === undefined
    ? { status: 404, body: { errors: [{ code: 'not.found', message: 'Not found', path: '', arguments: [] }] } }
    : ok(body)

const plainError = (status: number, error: string, message: string, path: string): Answer => ({
  status,
  body: { timestamp: new Date().toISOString(), status, error, message, path },
})

/** Returns the named parts of a `path` that matches `pattern`. */
function match(pattern: string, path: string): Params | null {
  const names = pattern.split('/')
  const parts = path.split('/')
  const same =
    names.length === parts.length && names.every((name, index) => name.startsWith(':') || name === parts[index])
  if (!same) return null
  return Object.fromEntries(
    names.flatMap((name, index) => (name.startsWith(':') ? [[name.slice(1), parts[index]!]] : [])),
  )
}
