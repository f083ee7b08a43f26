import type { ProviderTransfer, StepResult, TransferReading, TransferRequest } from '../method.ts'
import { type Batch, type Complaint, PaypalError } from './client.ts'
import { paypalReasons } from './text.ts'

/** The meaning of PayPal's states of a payment; others are new to this release and change nothing. */
const meanings = new Map<string, Exclude<TransferReading['standing'], 'other'>>([
  ['PENDING', 'moving'],
  ['ONHOLD', 'moving'],
  ['SUCCESS', 'arrived'],
  ['UNCLAIMED', 'sent'],
  ['FAILED', 'refused'],
  ['BLOCKED', 'refused'],
  ['RETURNED', 'back'],
  ['REFUNDED', 'back'],
  ['REVERSED', 'back'],
])

/** Errors for want of money in the balance. */
const FUNDS = ['INSUFFICIENT_FUNDS', 'NEGATIVE_BALANCE', 'NON_HOLDING_CURRENCY']

/** Errors for which the same address would be refused again. */
const ofAddress = (name: string) =>
  name.startsWith('RECEIVER_') ||
  ['INVALID_EMAIL', 'UNVERIFIED_RECIPIENT_NOT_SUPPORTED', 'SELF_PAY_NOT_ALLOWED', 'CLOSED_MARKET'].includes(name)

/** Days that an unclaimed payment waits for its recipient. */
const CLAIM_DAYS = 30

/** The name of a payment's batch: a number that no other payment of the account has. */
export const batchName = ({ account, number }: Pick<TransferRequest, 'account' | 'number'>) =>
  `trb-${account}-${number}`
const numberIn = (name: string | null) => Number(/^trb-.+-(\d{1,9})$/.exec(name ?? '')?.[1] ?? Number.NaN) || null

/** Returns the address of PayPal details; null if they cannot be opened, or are of another kind. */
export const emailInDetails = ({ details }: Pick<TransferRequest, 'details'>) =>
  details && 'email' in details ? details.email : null

/** Reads the requested payment from a batch. A payment that differs from the request is `other`. */
export function readBatch(batch: Batch, request: TransferRequest): TransferReading {
  const { id, payment } = batch
  const state = payment?.status || batch.status
  const wrong = differs(batch, request)
  const standing = wrong ? 'other' : standingOf(batch)
  const claimBy = standing === 'sent' ? dayOf(payment?.processedAt ?? request.now.toISOString(), CLAIM_DAYS) : null
  return {
    standing,
    transferId: id,
    state,
    wrong,
    claimBy,
    notice: wrong ?? noticeOf(standing, batch),
    ofDetails: ofAddress(complaintIn(batch)?.name ?? ''),
    words: wordsOf(standing, batch),
    ...(payment?.fee && payment.fee.currency === request.currency && { fee: payment.fee.amount }),
    payee: { amount: payment?.amount ?? null, currency: payment?.currency ?? null },
  }
}

/** A batch whose payment PayPal doesn't list yet is treated like an unknown state. */
function standingOf(batch: Batch): TransferReading['standing'] {
  const meaning = meanings.get(batch.payment?.status ?? '')
  const isDenied = batch.status === 'DENIED' || batch.status === 'CANCELED'
  if (meaning !== 'refused' && !(isDenied && (meaning === 'moving' || !batch.payment))) return meaning ?? 'other'
  return FUNDS.includes(complaintIn(batch)?.name ?? '') ? 'short' : 'refused'
}

const complaintIn = ({ payment, error }: Batch): Complaint | null => payment?.error ?? error

function noticeOf(standing: TransferReading['standing'], batch: Batch): string | null {
  const { payment } = batch
  if (standing === 'moving')
    return payment?.error?.words ?? (payment?.status === 'ONHOLD' ? paypalReasons.onHold : null)
  if (standing !== 'other' || !payment) return null
  return payment.status ? paypalReasons.unknownState({ state: payment.status }) : paypalReasons.noState
}

function wordsOf(standing: TransferReading['standing'], batch: Batch): string {
  const ended: Record<string, string> = paypalReasons.ended
  if (standing === 'back') return ended[batch.payment!.status] ?? paypalReasons.returned
  return complaintIn(batch)?.words ?? paypalReasons.denied
}

/** Returns how PayPal's payment differs from the request, in words; null if it does not. What it lacks differs. */
function differs({ senderBatchId, payment }: Batch, request: TransferRequest): string | null {
  if (request.number !== null && senderBatchId !== null && senderBatchId !== batchName(request))
    return paypalReasons.otherPayment
  if (!payment) return null
  if (payment.senderItemId !== request.key) return paypalReasons.otherPayment
  if (payment.amount !== request.amount || payment.currency !== request.currency) return paypalReasons.otherAmount
  const address = emailInDetails(request)
  if (address !== null && payment.receiver?.toLowerCase() !== address.toLowerCase()) return paypalReasons.otherAddress
  return null
}

/**
 * Judges a batch that already has our batch id: it is the requested payment, or one forgotten here. Throws a
 * `PaypalError` of unknown outcome while PayPal lists no payment of it, so that it is read again.
 */
export function foundAnswer(batch: Batch, request: TransferRequest): StepResult {
  if (!batch.payment && standingOf(batch) === 'other')
    throw new PaypalError('unknown', `PayPal doesn’t show the payment of batch ${batchName(request)} yet.`)
  if (batch.payment && differs(batch, request) !== null)
    return { result: 'number-taken', by: toProviderTransfer(batch, request) }
  return readBatch(batch, request)
}

/** Converts a batch to the common form of transfers. */
export function toProviderTransfer(batch: Batch, { profileId }: Pick<TransferRequest, 'profileId'>): ProviderTransfer {
  const { id, payment } = batch
  return {
    id,
    paidFrom: profileId,
    recipientId: null,
    quoteId: null,
    paymentNumber: numberIn(batch.senderBatchId),
    transactionId: payment?.senderItemId ?? null,
    reference: payment?.note ?? null,
    amount: payment?.amount ?? null,
    state: payment?.status || batch.status,
    standing: standingOf(batch),
    madeAt: batch.createdAt,
  }
}

/** Returns the meaning of PayPal's refusal. `isFirst`: none was sent before, so that nothing can exist. */
export function refusalAnswer(error: PaypalError, isFirst: boolean): StepResult {
  const { called, message, field } = error
  if (FUNDS.includes(called ?? '')) return { result: 'insufficient-funds', problem: 'balance', words: message }
  if (isFirst)
    return { result: 'refused', words: message, ofDetails: /receiver/.test(field ?? '') || ofAddress(called ?? '') }
  return { result: 'undetermined', words: describeUnsure(paypalReasons.says({ words: message })) }
}

export const describeUnsure = (why: string) => paypalReasons.unsure({ why })

const dayOf = (at: string, later: number) => new Date(Date.parse(at) + later * 86_400_000).toISOString().slice(0, 10)
