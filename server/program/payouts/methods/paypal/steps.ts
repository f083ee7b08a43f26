import { createHash } from 'node:crypto'
import type { Api, PayoutProvider, Step, StepResult, TransferRequest } from '../method.ts'
import {
  batchName,
  describeUnsure,
  emailInDetails,
  foundAnswer,
  readBatch,
  refusalAnswer,
  toProviderTransfer,
} from './answers.ts'
import { createPaypalClient, type Paypal, type PaypalCredentials, PaypalError } from './client.ts'
import { paypalReasons } from './text.ts'

/** Returns the next call: the request to pay is repeated until PayPal has a batch, which is then read. */
export function nextStep({ memo, intent }: TransferRequest): Step {
  if (memo.transferId) return { name: 'read', needsDetails: true }
  return intent === 'stop' ? { name: 'find' } : { name: 'pay', mayMoveMoney: true, needsDetails: true }
}

export async function executeStep(api: Api, { name }: Step, request: TransferRequest): Promise<StepResult> {
  // PayPal finds no payment by our ids: only another request would tell, and it could pay
  if (name === 'find')
    return { result: 'undetermined', words: describeUnsure(paypalReasons.look({ batch: batchName(request) })) }
  const paypal = createPaypalClient(api)
  return name === 'pay' ? pay(paypal, request) : readPayment(paypal, request)
}

/** Minutes after a request in which PayPal may not show its batch yet. */
const NEW_MINUTES = 10

async function readPayment(paypal: Paypal, request: TransferRequest): Promise<StepResult> {
  try {
    return readBatch(await paypal.batch(request.memo.transferId!), request)
  } catch (error) {
    const isNew = request.now.getTime() < request.requestedAt.getTime() + NEW_MINUTES * 60_000
    if (!isNew || !(error instanceof PaypalError) || error.status !== 404) throw error
    throw new PaypalError('unknown', 'PayPal doesn’t show the payment yet.', { status: 404, retryAfter: 30 })
  }
}

async function pay(paypal: Paypal, request: TransferRequest): Promise<StepResult> {
  const receiver = emailInDetails(request)
  if (!receiver)
    return request.mayExist
      ? { result: 'undetermined', words: describeUnsure(paypalReasons.unreadable) }
      : { result: 'refused', words: paypalReasons.unreadable }
  const { key: senderItemId, amount, currency, reference: note, mayExist } = request
  try {
    const transferId = await paypal.pay({
      senderBatchId: batchName(request),
      senderItemId,
      receiver,
      amount,
      currency,
      note,
    })
    return { result: 'step-done', memo: { transferId } }
  } catch (error) {
    if (!(error instanceof PaypalError) || error.kind !== 'refused') throw error
    if (!error.usedFor) return refusalAnswer(error, !mayExist)
    const { batch } = error.usedFor
    if (batch) return foundAnswer(await paypal.batch(batch), request)
    if (!mayExist && request.wasRefused) return { result: 'no-payment' }
    return {
      result: 'undetermined',
      words: describeUnsure(paypalReasons.hasBatch({ batch: batchName(request) })),
    }
  }
}

/** PayPal lists no payments: those are read that are known by their id. */
export const page: PayoutProvider['page'] = async (api, profileId, { known, offset }) => {
  const paypal = createPaypalClient(api)
  const transfers = []
  for (const id of known.slice(offset, offset + PAGE)) {
    const batch = await paypal.batch(id).catch((error: unknown) => {
      if (error instanceof PaypalError && error.kind === 'withheld') return null
      throw error
    })
    if (batch) transfers.push(toProviderTransfer(batch, { profileId }))
  }
  return { transfers, next: offset + PAGE < known.length ? offset + PAGE : null }
}

const PAGE = 50

/** An app belongs to one PayPal account: payments of another one are not seen. Its id is kept as a digest. */
export const profiles: PayoutProvider['profiles'] = async (api) => {
  await createPaypalClient(api).check()
  return [{ id: paypalProfile(JSON.parse(api.token)), type: 'BUSINESS', fullName: null, businessName: null }]
}

export const paypalProfile = ({ clientId }: Pick<PaypalCredentials, 'clientId'>) =>
  createHash('sha256').update(clientId).digest('hex').slice(0, 16)
