import type { PayoutDetails } from '#contract/payout-settings.ts'
import type {
  Api,
  FileFormat,
  PayoutProvider,
  ProviderTransfer,
  Step,
  StepResult,
  TransferReading,
  TransferRequest,
} from '../method.ts'
import { createWise, isRefused, type Quote, type Transfer, type Wise, WiseError } from './client.ts'
import { fieldAt } from './fields.ts'
import { wiseReasons } from './text.ts'

/** Wise's state of an existing transfer that waits for money. */
const UNFUNDED = 'incoming_payment_waiting'

/** The meaning of Wise's states of a transfer; others are ignored. */
export const meanings = new Map<string, Exclude<TransferReading['standing'], 'other'>>([
  [UNFUNDED, 'unfunded'],
  ['incoming_payment_initiated', 'moving'],
  ['processing', 'moving'],
  ['funds_converted', 'moving'],
  ['outgoing_payment_sent', 'sent'],
  ['bounced_back', 'bounced'],
  ['cancelled', 'over'],
  ['funds_refunded', 'over'],
  ['charged_back', 'over'],
])

/** Returns the next call to Wise: each of quote, recipient and transfer only if it is missing. */
export function nextStep({ memo, intent, mayExist, now }: TransferRequest): Step {
  if (memo.transferId) {
    if (intent === 'read') return { name: 'read' }
    return intent === 'stop' ? { name: 'stop' } : { name: 'funding', mayMoveMoney: true }
  }
  if (intent === 'stop') return { name: 'find' }
  if (mayExist) return { name: 'transfer', mayMoveMoney: true }
  const { quoteId, quoteExpiresAt, recipientId } = memo
  if (!quoteId || isOld(quoteExpiresAt, now)) return { name: 'quote' }
  return recipientId
    ? { name: 'transfer', mayMoveMoney: true }
    : { name: 'recipient', makesPayee: true, needsDetails: true }
}

/** Whether a quote has less than a minute left, by the clock of this server. */
const isOld = (expiresAt: string | null | undefined, now: Date) =>
  Boolean(expiresAt) && Date.parse(expiresAt!) - 60_000 <= now.getTime()

export async function executeStep(api: Api, { name }: Step, request: TransferRequest): Promise<StepResult> {
  const wise = createWise(api)
  switch (name) {
    case 'quote':
      return quote(wise, request)
    case 'recipient':
      return recipient(wise, request)
    case 'transfer':
      return transfer(wise, request)
    case 'find':
      return find(wise, request)
    case 'funding':
      return fund(wise, request)
    case 'stop':
      return stop(wise, request)
    default:
      return read(await wise.transfer(request.memo.transferId!), request)
  }
}

async function quote(wise: Wise, request: TransferRequest): Promise<StepResult> {
  try {
    const made = await wise.createQuote(request.profileId, request)
    const wrong = made.blocked ?? quoteDiffers(made, request)
    if (wrong) return { result: 'refused', words: wrong }
    const { id: quoteId, expiresAt: quoteExpiresAt, rate, fee } = made
    if (isOld(quoteExpiresAt, request.now)) throw new WiseError('unknown', outOfDate(quoteExpiresAt!, request.now))
    const state = request.memo.recipientId ? 'recipient-known' : 'quoted'
    return { result: 'step-done', memo: { quoteId, quoteExpiresAt }, state, rate, fee }
  } catch (error) {
    if (!isRefused(error)) throw error
    return { result: 'refused', words: error.message }
  }
}

const outOfDate = (expiresAt: string, now: Date) =>
  `Wise’s new quote ends at ${expiresAt}, but the clock of this server is at ${now.toISOString()}. Set the server’s clock; the payout is tried again by itself.`

async function recipient(wise: Wise, { profileId, details }: TransferRequest): Promise<StepResult> {
  if (!details) return { result: 'refused', words: wiseReasons.unreadable }
  const made = await createPayee(wise, profileId, details)
  if ('refused' in made) return { result: 'refused', words: made.refused, ofDetails: true }
  return { result: 'step-done', memo: { recipientId: made.recipient }, state: 'recipient-known' }
}

type MakePayee = NonNullable<FileFormat['payees']>['make']

export const makePayee: MakePayee = (api, profileId, details) => createPayee(createWise(api), profileId, details)

async function createPayee(wise: Wise, profileId: string, details: PayoutDetails): ReturnType<MakePayee> {
  try {
    return { recipient: await wise.createRecipient(profileId, details) }
  } catch (error) {
    if (!isRefused(error)) throw error
    return { refused: describe(error) }
  }
}

/** Describes Wise's complaints with the names of our fields. */
const describe = ({ complaints, message }: WiseError) =>
  complaints
    .map(({ path, message: words }) => {
      const field = fieldAt(path)
      return field ? `${field.label}: ${words}` : words
    })
    .join(' ') || message

/** The reference on the recipient's statement: Wise accepts ten characters. */
export const referenceFor = ({ reference }: { reference: string }) => reference.slice(0, 10)

/** Amount in minor units above which Wise asks for the source of funds: 80,000 of the currency, as in dollars. */
const LARGE = 80_000_00

async function transfer(wise: Wise, request: TransferRequest): Promise<StepResult> {
  const { memo, key, amount, mayExist } = request
  const asking = { quote: memo.quoteId!, recipient: memo.recipientId!, transactionId: key }
  try {
    const sourceOfFunds = amount > LARGE ? await wise.sourceOfFunds(asking) : null
    return read(
      ours(await wise.createTransfer({ ...asking, reference: referenceFor(request), sourceOfFunds }), request),
      request,
    )
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind === 'unknown') throw error
    const approvalRule = error.kind === 'forbidden' && /approv/i.test(error.message)
    if (error.kind !== 'refused' && !approvalRule) throw error
    // an earlier call with an unknown result may have created it
    const found = mayExist && (await findTransfer(wise, request))
    return found ? read(ours(found, request), request) : refusedTransfer(wise, request, error)
  }
}

/** Handles a proven refusal: no transfer exists. An expired quote is renewed; anything else is Wise's refusal. */
async function refusedTransfer(
  wise: Wise,
  { profileId, memo, currency }: TransferRequest,
  { message, complaints }: WiseError,
): Promise<StepResult> {
  const quote = await wise.quote(profileId, memo.quoteId!, currency).catch((failure: unknown) => {
    if (failure instanceof WiseError && failure.kind !== 'unknown') return null
    throw failure
  })
  if (quote?.status === 'EXPIRED')
    return { result: 'step-done', memo: { quoteId: null, quoteExpiresAt: null }, state: 'recipient-known' }
  const ofDetails = complaints.some((complaint) => complaint.path === 'targetAccount')
  return { result: 'refused', words: message, ofDetails }
}

/** Seconds after the announcement until no call can be pending; a call takes at most 20 s. */
const QUIET_SECONDS = 60

async function find(wise: Wise, request: TransferRequest): Promise<StepResult> {
  const found = await findTransfer(wise, request)
  if (found) return read(ours(found, request), request)
  if (request.now.getTime() < request.requestedAt.getTime() + QUIET_SECONDS * 1000)
    throw new WiseError('unknown', 'Wise may still be creating the transfer.', { retryAfter: QUIET_SECONDS })
  return { result: 'no-payment' }
}

const findTransfer = (wise: Wise, { profileId, key, startedAt }: TransferRequest) =>
  wise.findTransfer(profileId, key, startedAt)

function ours(transfer: Transfer, { key }: TransferRequest): Transfer {
  if (transfer.customerTransactionId !== null && transfer.customerTransactionId !== key)
    throw new WiseError('unknown', 'Wise returned a transfer that belongs to a different payout.')
  return transfer
}

async function fund(wise: Wise, { profileId, memo, currency }: TransferRequest): Promise<StepResult> {
  const transferId = memo.transferId!
  try {
    const { completed, errorCode } = await wise.fund(profileId, transferId)
    return completed
      ? { result: 'step-done', memo: {} }
      : { result: 'insufficient-funds', problem: 'balance', words: refusedFunding(errorCode, currency) }
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind === 'unknown' || error.kind === 'unauthorized') throw error
    if (error.kind === 'forbidden')
      return { result: 'insufficient-funds', problem: 'forbidden', words: wiseReasons.forbidden }
    const again = await wise.transfer(transferId)
    return again.status === UNFUNDED
      ? { result: 'insufficient-funds', problem: 'balance', words: error.message }
      : { result: 'no-payment' }
  }
}

const refusedFunding = (code: string | null, currency: string) => {
  if (code === 'transfer.insufficient_funds') return wiseReasons.balanceTooLow({ currency: currency.toUpperCase() })
  if (code === 'balance.payment-option-unavailable') return wiseReasons.noBalance({ currency: currency.toUpperCase() })
  return code ? wiseReasons.refusedWith({ code }) : wiseReasons.refused
}

/** Cancels the unfunded transfer, unless it was paid meanwhile. */
async function stop(wise: Wise, request: TransferRequest): Promise<StepResult> {
  const transferId = request.memo.transferId!
  try {
    return read(await wise.cancelTransfer(transferId), request)
  } catch (error) {
    if (!isRefused(error)) throw error
    return read(await wise.transfer(transferId), request)
  }
}

const read = (transfer: Transfer, request: TransferRequest): TransferReading => ({
  standing: meanings.get(transfer.status) ?? 'other',
  transferId: transfer.id,
  state: transfer.status,
  wrong: transferDiffers(transfer, request),
  notice: transfer.hasIssues ? wiseReasons.openQuestion : null,
  words: transfer.status === 'charged_back' ? wiseReasons.chargedBack : wiseReasons.refunded,
  payee: { amount: transfer.targetValue, currency: transfer.targetCurrency },
})

export const page: PayoutProvider['page'] = async (api, profileId, { since, offset, currency }) => {
  const { transfers, next } = await createWise(api).transfersPage(profileId, since, offset)
  return { transfers: transfers.map((transfer) => toProviderTransfer(transfer, profileId, currency)), next }
}

/** Returns a transfer as any provider reports one; `currency` is the account's. */
function toProviderTransfer(transfer: Transfer, paidFrom: string, currency: string): ProviderTransfer {
  const { id, customerTransactionId, reference, recipientId, quoteId, status, createdAt } = transfer
  return {
    id,
    paidFrom,
    reference,
    recipientId,
    quoteId,
    transactionId: customerTransactionId,
    amount: transfer.targetCurrency === currency ? transfer.targetValue : transfer.sourceValue,
    state: status,
    standing: meanings.get(status) ?? 'other',
    madeAt: createdAt,
    paymentNumber: null,
  }
}

/** Whether the amount fixed is what the payee gets, instead of what the account is debited. */
const isTargetFixed = ({ currency, payee }: Pick<TransferRequest, 'currency' | 'payee'>) => currency === payee.currency

/** Returns how Wise's quote differs from the request, in words; null if it does not. */
function quoteDiffers(quote: Quote, request: TransferRequest): string | null {
  const { amount, currency, payee } = request
  const fixed = isTargetFixed(request) ? quote.targetAmount : quote.sourceAmount
  if (differs(fixed, amount)) return wiseReasons.otherQuotedAmount
  if (differs(quote.sourceCurrency, currency) || differs(quote.targetCurrency, payee.currency))
    return wiseReasons.otherQuotedCurrency
  return null
}

/** Returns how Wise's transfer differs from the request, in words; null if it does not. */
function transferDiffers(transfer: Transfer, request: TransferRequest): string | null {
  const { memo, amount } = request
  if (differs(transfer.recipientId, memo.recipientId)) return wiseReasons.otherRecipient
  if (differs(transfer.quoteId, memo.quoteId)) return wiseReasons.otherQuote
  if (isTargetFixed(request) && differs(transfer.targetValue, amount)) return wiseReasons.otherAmount
  return null
}

/** Whether two values differ; a missing one does not. */
const differs = (actual: string | number | null, wanted: string | number | null | undefined) =>
  actual !== null && wanted != null && actual !== wanted
