import type { PayoutDetails } from '#contract/payout-settings.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import { yearIn } from '../../platform/time/days.ts'
import { type AccountFacts, accountFacts } from '../access/account-facts.ts'
import { applyReading, awaitFunding, handleRejection, holdWithReason, type Paid } from './apply-transfer.ts'
import { applyVerdict, checkApproval, judgeAttempt } from './check-approval.ts'
import {
  clearTrouble,
  findPayingProfile,
  noteMethodTrouble,
  type Open,
  openConnection,
  waitForTurn,
} from './connections.ts'
import { openDetails, payoutDetailsPlace } from './deposit-details.ts'
import { LeaseLost, withLease } from './lease.ts'
import {
  ProviderError,
  type ProviderTransfer,
  type Step,
  type StepResult,
  type TransferReading,
  type TransferRequest,
} from './methods/method.ts'
import { getPayoutMethod, isApiMethod } from './methods/registry.ts'
import { deleteRecipient, knownRecipients, saveRecipient } from './payees.ts'
import {
  type ActiveAttempt,
  type ActivePayout,
  type Attempt,
  insertAttempt,
  isFinished,
  isUnrequested,
  latestAttempt,
  nextPaymentNumber,
  readActiveAttempt,
  readUnderWay,
  saveAttempt,
  transactionId,
  wasUsedBefore,
} from './payout-attempts.ts'
import { payoutName } from './payout-number.ts'
import { lockPayoutAccount } from './payout-terms.ts'
import { payOutQueue } from './queue.ts'
import { payoutReasons } from './reason-text.ts'
import {
  ensureReconciled,
  isReconciled,
  NotReconciledError,
  pauseForUnknownTransfer,
} from './reconciliation/reconcile-transfers.ts'
import { backOffNextCheck, delayNextCheck, markChecked } from './status-checks.ts'
import { setReason, transitionPayout } from './transitions.ts'

const DAY = 86_400_000

type Options = {
  /** Called between steps so tests can kill the process there. */
  onStep?: (step: string) => void | Promise<void>
}

/** A payout in the hands of this worker. */
type Work = Paid & {
  services: Services
  /** Runs a transaction in which this worker surely still has the payout; throws if another has taken over. */
  hold<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  onStep(step: string): void | Promise<void>
}
type Connected = Work & { connection: Open }

/**
 * Advances a payout by its method as far as possible now, one worker at a time. Leaves manual payouts alone, also all
 * payouts of a disabled account, and of one whose ledger may lack past payments. Returns 'busy' while another worker
 * has the payout.
 */
export async function advancePayout(
  services: Services,
  payoutId: string,
  { onStep = () => {} }: Options = {},
): Promise<'busy' | 'done'> {
  const { db, log } = services
  const account = await db.maybe<AccountFacts>`
    select ${accountFacts} from payouts o join accounts a on a.id = o.account_id where o.id = ${payoutId}`
  if (!account) return 'done'
  const result = await withLease(db, { accountId: account.id, payoutId }, async ({ hold }) => {
    const payout = await db.maybe<{ method: string }>`
      select method from payouts where account_id = ${account.id} and id = ${payoutId} and method is not null`
    if (!payout) return
    const method = getPayoutMethod(payout.method)
    if (!isApiMethod(method) || account.disabledAt) return
    if (!(await ensureReconciled(services, account))) return
    const holdFirm: typeof hold = (work) =>
      hold(async (tx) => {
        if (!(await isReconciled(tx, account.id))) throw new NotReconciledError(`payouts of account ${account.id} wait`)
        return work(tx)
      })
    try {
      await drive({ services, account, payoutId, method, hold: holdFirm, onStep })
    } catch (error) {
      if (!(error instanceof LeaseLost) && !(error instanceof NotReconciledError)) throw error
      log.warn({ payoutId, why: error.message }, 'the work on a payout ended early; it is looked at again')
    }
  })
  return result === 'busy' ? 'busy' : 'done'
}

/**
 * Makes a payout's transfer and funds it, or reads it back and follows it. Every result is committed before the next
 * call, so that after a crash at any line the rows show how to continue. The approval is judged again before each call
 * that could move money. An unknown result (a time-out, a reset, a 5xx) is retried with the same key, never treated as
 * failed.
 */
async function drive(work: Work) {
  const { services, account, method } = work
  const connection = await openConnection(services, account.id, method.name)
  if (!connection) return work.hold((tx) => withoutConnection(tx, work))
  const connected = { ...work, connection }
  try {
    if (await advanceByStatus(connected)) await clearTrouble(services.db, account.id, method.name, 'any-call')
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    await handleFailure(work, error)
  }
}

/** Advances by the payout's status; returns whether the provider accepted a call. */
async function advanceByStatus(work: Connected): Promise<boolean> {
  const { db } = work.services
  const status = (await readUnderWay(db, work))?.status
  if (status === 'approved' || status === 'processing') return startOrResumeTransfer(work)
  if (!status || !['awaiting-funding', 'sent', 'paid', 'returned'].includes(status)) return false
  const at = await readActiveAttempt(db, work)
  // no transfer waits for the money: one is asked for
  if (status === 'awaiting-funding' && (!at?.attempt.memo.transferId || isFinished(at.attempt)))
    return startOrResumeTransfer(work)
  if (!at?.attempt.memo.transferId) return false
  await continueTransfer(work, await readCurrentTransfer(work, at))
  return true
}

async function startOrResumeTransfer(work: Connected): Promise<boolean> {
  const { services, account, method, onStep } = work
  const at = await work.hold((tx) => openAttempt(tx, work))
  if (!at) return false
  await onStep('attempt-saved')
  if (at.attempt.memo.transferId) await continueTransfer(work, await readCurrentTransfer(work, at))
  else if (at.isApproved) {
    const made = await requestTransfer(work)
    if (!made) return false
    await clearTrouble(services.db, account.id, method.name, 'payment')
    await continueTransfer(work, made)
  } else await resolveUnknownRequest(work, at)
  return true
}

/** Saves the attempt and its key before the first call; ends an attempt that no longer fits. */
async function openAttempt(
  tx: Transaction,
  work: Connected,
): Promise<(ActiveAttempt & { isApproved: boolean }) | undefined> {
  const { payoutId, account, method, connection } = work
  const payout = await readUnderWay(tx, work)
  if (!payout || !['approved', 'processing', 'awaiting-funding'].includes(payout.status)) return undefined
  const last = await latestAttempt(tx, work)
  const live = last && !isFinished(last) ? last : undefined
  const verdict = await judgeAttempt(tx, work, payout, live)
  if (live && !isUnrequested(live)) return { payout, attempt: live, isApproved: verdict.isValid }
  if (!verdict.isValid) {
    if (live) await abandon(tx, live)
    if (!(await applyVerdict(tx, account, payout, verdict))) return undefined
  }
  const { status } = (await readUnderWay(tx, work))!
  await markChecked(tx, account.id, payoutId)
  if (status === 'awaiting-funding' && !live && !isDueAgain(tx.now, payout, last)) return undefined
  const { profileId } = connection
  if (!profileId)
    return void (await holdWithReason(tx, work, status, 'requeue', payoutReasons.noProfile({ provider: method.label })))
  if (status === 'approved') await transitionPayout(tx, account, payoutId, 'start')
  if (status === 'awaiting-funding') await clearFundRequest(tx, work)
  if (!live || !verdict.isValid) {
    const number = (last?.number ?? 0) + 1
    await insertAttempt(
      tx,
      { payout, method },
      {
        id: newId(),
        number,
        transactionId: transactionId(payoutId, number),
        profileId,
        year: yearIn(account.timeZone, tx.now),
      },
    )
  }
  const at = await readActiveAttempt(tx, work)
  return at && { ...at, isApproved: true }
}

/**
 * The account's number for an attempt about to make its first call; null if its method has none. Assigned no earlier,
 * so that few numbers are skipped: an older copy of the database finds forgotten payments by counting on.
 */
async function numberFor(tx: Transaction, { account, method }: Work, { paymentNumber }: Attempt) {
  if (!method.provider.numbers || paymentNumber !== null) return paymentNumber
  await lockPayoutAccount(tx, account.id)
  return nextPaymentNumber(tx, account.id, method.name)
}

/** Whether a payout whose attempt was denied for want of money gets another: each is a new payment at its provider. */
const isDueAgain = (now: Date, { fundAgain }: ActivePayout, last: Attempt | undefined) =>
  fundAgain || !last || now.getTime() - Date.parse(last.at) >= DAY

const clearFundRequest = (tx: Transaction, { account, payoutId }: Work) =>
  tx.run`update payouts set fund_again = false where account_id = ${account.id} and id = ${payoutId}`

const abandon = (tx: Transaction, attempt: Attempt) => saveAttempt(tx, attempt, { state: 'abandoned', stage: 'over' })

/** Most steps of one run: its quote or recipient may expire meanwhile and is renewed twice. */
const MOST_STEPS = 8

/** Takes the method's steps up to a transfer; undefined if the payout ended otherwise. */
async function requestTransfer(work: Connected): Promise<TransferReading | undefined> {
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const chosen = await work.hold((tx) => chooseNextStep(tx, work))
    if (!chosen) return undefined
    const { step, request, at } = chosen
    if (step.mayMoveMoney && !request.mayExist) await work.onStep(`${step.name}-announced`)
    const answer = await executeStep(work, chosen)
    if ('transferId' in answer) return saveTransfer(work, at.attempt, answer)
    if (answer.result === 'step-done') await saveStepResult(work, chosen, answer)
    else if (!(await work.hold((tx) => handleStepWithoutTransfer(tx, work, chosen, answer)))) return undefined
  }
  const { label } = work.method
  throw new ProviderError('unknown', `${label} didn’t accept this payout in time.`)
}

/**
 * Handles a result without a transfer. Returns whether to continue: only a recipient of an earlier attempt was refused,
 * and is created again.
 */
async function handleStepWithoutTransfer(
  tx: Transaction,
  work: Work,
  { request, at }: Chosen,
  answer: Exclude<StepResult, TransferReading | { result: 'step-done' }>,
): Promise<boolean> {
  switch (answer.result) {
    case 'refused':
      return refuse(tx, work, at, answer)
    case 'insufficient-funds':
      // the first request was denied: nothing can exist, and the same attempt may call again
      if (!request.mayExist)
        await saveAttempt(tx, at.attempt, {
          state: at.attempt.state,
          stage: 'prepared',
          memo: { refused: 'before' },
        })
      await awaitFunding(tx, work, answer)
      return false
    case 'no-payment':
      await abandon(tx, at.attempt)
      await tx.run`update payouts set fund_again = true where account_id = ${work.account.id} and id = ${work.payoutId}`
      await requeue(tx, work)
      return false
    case 'number-taken':
      await pauseForUnknownPayment(tx, work, at, answer.by)
      return false
    case 'undetermined':
      await requireManualReview(tx, work, at, answer.words)
      return false
    default:
      return false
  }
}

/** Shows on the payout that only a person can find out, and checks less and less often. */
async function requireManualReview(
  tx: Transaction,
  { account, payoutId }: Work,
  { attempt }: ActiveAttempt,
  words: string,
) {
  const notice = payoutReasons.decide({ why: words })
  await saveAttempt(tx, attempt, { state: 'unsure', error: notice })
  await setReason(tx, account.id, payoutId, notice)
  await backOffNextCheck(tx, account.id, payoutId)
}

/**
 * Ends an attempt whose number was used for a payment that is unknown here: this database is an older copy. Nothing was
 * paid; the account's payouts pause until its owner has reviewed that payment.
 */
async function pauseForUnknownPayment(
  tx: Transaction,
  work: Work,
  { payout, attempt }: ActiveAttempt,
  by: ProviderTransfer,
) {
  const { account, payoutId, method, services } = work
  const { label } = method
  const words = payoutReasons.otherPayment({ provider: label })
  await saveAttempt(tx, attempt, { state: 'taken', stage: 'over', error: words })
  if (payout.status !== 'approved') await transitionPayout(tx, account, payoutId, 'requeue', { reason: words })
  services.log.error(
    { accountId: account.id, transferId: by.id },
    `${label} knows a payment that is not recorded here; payouts of the account are paused`,
  )
  await pauseForUnknownTransfer(tx, services.jobs, account.id, { ...by, method: method.name })
}

type Chosen = { step: Step; request: TransferRequest; at: ActiveAttempt }

/**
 * Returns the next step if the approval still holds; else ends the attempt if it has not requested a transfer yet. If
 * the step requests one, records that it may exist from now on, whatever the answer.
 */
async function chooseNextStep(tx: Transaction, work: Connected): Promise<Chosen | undefined> {
  const at = await readActiveAttempt(tx, work)
  if (!at || isFinished(at.attempt)) return undefined
  const { payout, attempt } = at
  const { label } = work.method
  const { nextStep, numbers } = work.method.provider
  const request = buildTransferRequest(tx.now, at, 'pay')
  const step = nextStep(request)
  const isRequest = step.mayMoveMoney === true
  if (isUnrequested(attempt) || (numbers && isRequest)) {
    const verdict = await judgeAttempt(tx, work, payout, attempt)
    if (!verdict.isValid) {
      if (isUnrequested(attempt)) await abandon(tx, attempt)
      if (!isUnrequested(attempt) || (await applyVerdict(tx, work.account, payout, verdict))) await requeue(tx, work)
      return undefined
    }
  }
  if (
    isRequest &&
    numbers &&
    request.mayExist &&
    tx.now.getTime() >= request.requestedAt.getTime() + numbers.askedForDays * DAY
  )
    return void (await requireManualReview(
      tx,
      work,
      at,
      payoutReasons.silent({ provider: label, days: numbers.askedForDays }),
    ))
  if (!isRequest || !isUnrequested(attempt)) return { step, request, at }
  const number = await numberFor(tx, work, attempt)
  await saveAttempt(tx, attempt, {
    state: 'transferring',
    stage: 'open',
    announcedAt: tx.now,
    ...(number !== null && { paymentNumber: number }),
  })
  return { step, request: { ...request, number }, at }
}

const buildTransferRequest = (
  now: Date,
  { payout, attempt }: ActiveAttempt,
  intent: TransferRequest['intent'],
): TransferRequest => ({
  now,
  intent,
  key: attempt.customerTransactionId,
  account: payout.accountName,
  number: attempt.paymentNumber,
  wasRefused: attempt.memo.refused !== undefined,
  reference: payoutName(payout),
  profileId: attempt.profileId,
  amount: attempt.amount ?? payout.payAmount,
  currency: attempt.currency ?? payout.currency,
  memo: attempt.memo,
  payee: { kind: payout.payeeKind, country: payout.payeeCountry, currency: payout.payeeCurrency },
  mayExist: !isUnrequested(attempt),
  startedAt: new Date(attempt.at),
  requestedAt: new Date(attempt.announcedAt ?? attempt.at),
})

/** Asks the provider. A transfer whose first request was denied surely does not exist. */
async function executeStep(work: Connected, { step, request, at }: Chosen): Promise<StepResult> {
  const { method, services } = work
  const { payout, attempt } = at
  if (step.makesPayee) {
    const [known] = await knownRecipients(services.db, payout.accountId, request.profileId, [payout])
    if (known) return { result: 'step-done', memo: { recipientId: known.recipient }, state: 'recipient-known' }
  }
  if (step.mayMoveMoney && method.provider.numbers) await waitForTurn(services.db, payout.accountId, method)
  try {
    return await executeAtProvider(work, step, request)
  } catch (error) {
    if (step.mayMoveMoney && !request.mayExist && error instanceof ProviderError && error.kind !== 'unknown')
      await work.hold((tx) => saveAttempt(tx, attempt, { state: attempt.state, stage: 'prepared' }))
    throw error
  }
}

/** Makes a step's call, with the details if it needs them. */
async function executeAtProvider(work: Connected, step: Step, request: TransferRequest): Promise<StepResult> {
  const more = step.needsDetails ? { details: await fixedDetails(work) } : {}
  return work.method.provider.execute(work.connection.api, step, { ...request, ...more })
}

/** Returns the details that the approval fixed; null if they cannot be opened. */
async function fixedDetails({ services: { db, secrets }, account, payoutId }: Work): Promise<PayoutDetails | null> {
  const { sealed } = await db.one<{ sealed: Buffer | null }>`
    select details_sealed as sealed from payouts where account_id = ${account.id} and id = ${payoutId}`
  return sealed && openDetails(secrets, sealed, payoutDetailsPlace(payoutId, account.id))
}

/** Saves what a step has made; a transfer that was not made for want of it surely does not exist. */
async function saveStepResult(
  work: Connected,
  { step, request, at }: Chosen,
  answer: Extract<StepResult, { result: 'step-done' }>,
) {
  const { memo, state, rate, fee } = answer
  if (!step.mayMoveMoney || memo.transferId) await work.onStep(`${step.name}-made`)
  await work.hold(async (tx) => {
    await saveAttempt(tx, at.attempt, {
      memo,
      ...(state && { state, stage: 'prepared' }),
      ...(rate !== undefined && { rate }),
      ...(fee !== undefined && { fee }),
      error: null,
    })
    if (step.makesPayee) await saveRecipient(tx, work.account.id, request.profileId, at.payout, memo.recipientId!)
  })
  if (!step.mayMoveMoney || memo.transferId) await work.onStep(`${step.name}-saved`)
}

/**
 * Rejects the payout; returns true if only a recipient made for an earlier attempt was refused, which is made again.
 */
async function refuse(
  tx: Transaction,
  work: Work,
  { payout, attempt }: ActiveAttempt,
  { words, ofDetails = false }: Extract<StepResult, { result: 'refused' }>,
): Promise<boolean> {
  const { recipientId } = attempt.memo
  if (ofDetails && recipientId && (await wasUsedBefore(tx, attempt))) {
    await saveAttempt(tx, attempt, { memo: { recipientId: null }, state: 'quoted', stage: 'prepared' })
    await deleteRecipient(tx, payout.accountId, payout.partnerId, recipientId)
    return true
  }
  await handleRejection(tx, work, payout, { attempt, words, ofDetails })
  return false
}

async function saveTransfer(work: Work, attempt: Attempt, reading: TransferReading): Promise<TransferReading> {
  const { transferId, state, standing } = reading
  await work.onStep('transfer-made')
  const stage = standing === 'over' ? 'over' : 'open'
  await work.hold((tx) => saveAttempt(tx, attempt, { memo: { transferId }, state, stage, error: null }))
  await work.onStep('transfer-saved')
  return reading
}

/**
 * Looks for a transfer whose approval ended after it was requested; it is not requested again. If found it is
 * cancelled; if there is none, the attempt is over.
 */
async function resolveUnknownRequest(work: Connected, at: ActiveAttempt) {
  const found = await executeNextStep(work, at, 'stop')
  if ('transferId' in found) return continueTransfer(work, await saveTransfer(work, at.attempt, found))
  await work.hold(async (tx) => {
    const now = await readActiveAttempt(tx, work)
    if (!now || now.attempt.id !== at.attempt.id || now.attempt.memo.transferId) return
    if (found.result === 'undetermined') return requireManualReview(tx, work, now, found.words)
    await abandon(tx, now.attempt)
    const verdict = await judgeAttempt(tx, work, now.payout, at.attempt)
    if (verdict.isValid) await transitionPayout(tx, work.account, work.payoutId, 'requeue')
    const stays = verdict.isValid || (await applyVerdict(tx, work.account, now.payout, verdict))
    if (stays) await requeue(tx, work)
  })
}

/** Makes the next call for this intent. */
async function executeNextStep(
  work: Connected,
  at: ActiveAttempt,
  intent: TransferRequest['intent'],
): Promise<StepResult> {
  const request = buildTransferRequest(work.services.db.now, at, intent)
  return executeAtProvider(work, work.method.provider.nextStep(request), request)
}

const readCurrentTransfer = (work: Connected, at: ActiveAttempt) =>
  executeNextStep(work, at, 'read') as Promise<TransferReading>

/** Acts on a transfer just read; one that waits for money is cancelled if the approval no longer holds, else paid. */
async function continueTransfer(work: Connected, reading: TransferReading) {
  const now = await applyReadingAndJudge(work, reading)
  if (!now || reading.standing !== 'unfunded') return
  if (now.wrong || !now.isApproved) await cancelAndApply(work, now, now.wrong)
  else if (isToBeFunded(now)) await fund(work, now)
  else if (now.attempt.fundingProblem === 'forbidden')
    await work.hold((tx) => setReason(tx, work.account.id, work.payoutId, work.method.provider.payByHand!))
}

/** Stores the state of a transfer, and judges the approval. `known` describes how it differs from the request. */
const applyReadingAndJudge = (work: Work, read: TransferReading, known: string | null = null) =>
  work.hold(async (tx) => {
    const { services, payoutId, method } = work
    const before = await readActiveAttempt(tx, work)
    if (!before || before.attempt.memo.transferId !== read.transferId) return undefined
    const reading = { ...read, wrong: known ?? read.wrong }
    const { wrong, transferId } = reading
    if (wrong)
      services.log.error(
        { payoutId, transferId, wrong },
        `${method.label} returned a transfer that doesn’t match the payout`,
      )
    const restarts = await applyReading(tx, work, before.payout, { attempt: before.attempt, reading })
    if (restarts) await requeue(tx, work)
    const at = await readActiveAttempt(tx, work)
    return at && { ...at, wrong, isApproved: (await judgeAttempt(tx, work, at.payout, at.attempt)).isValid }
  })

/**
 * Whether to fund now: the first time, at the owner's request, and at every check after a lack of balance; never again
 * if only the owner can pay.
 */
const isToBeFunded = ({ payout: { status, fundAgain }, attempt: { fundedAt, fundingProblem } }: ActiveAttempt) =>
  !fundedAt &&
  (status === 'processing' || (status === 'awaiting-funding' && (fundAgain || fundingProblem === 'balance')))

/** Pays the transfer, which was just read and waits for money. */
async function fund(work: Connected, at: ActiveAttempt) {
  const { account, payoutId, onStep } = work
  const { payout, attempt } = at
  const isApproved = await work.hold(async (tx) => {
    await clearFundRequest(tx, work)
    const now = await readActiveAttempt(tx, work)
    return now && (await judgeAttempt(tx, work, now.payout, now.attempt)).isValid
  })
  if (!isApproved) return cancelAndApply(work, at, null)
  const answer = await executeNextStep(work, at, 'pay').catch(async (error: unknown) => {
    if (error instanceof ProviderError && error.kind === 'unauthorized')
      await work.hold((tx) => awaitFunding(tx, work, { problem: 'balance', words: error.message }))
    throw error
  })
  const isShort = 'problem' in answer
  const isDone = 'result' in answer && answer.result === 'step-done'
  if (isDone || isShort) await onStep('funding-made')
  if (isShort) return work.hold((tx) => awaitFunding(tx, work, answer))
  if (isDone) {
    await work.hold(async (tx) => {
      await saveAttempt(tx, attempt, { fundedAt: tx.now, fundingProblem: null, error: null })
      if (payout.status === 'awaiting-funding') await transitionPayout(tx, account, payoutId, 'resume')
    })
    await onStep('funding-saved')
  }
  await applyReadingAndJudge(work, await readCurrentTransfer(work, at))
}

/**
 * Cancels the unfunded transfer because it is `wrong` or the approval no longer holds, unless it was paid meanwhile.
 * Then updates the payout from it.
 */
async function cancelAndApply(work: Connected, at: ActiveAttempt, wrong: string | null) {
  await applyReadingAndJudge(work, (await executeNextStep(work, at, 'stop')) as TransferReading, wrong)
}

/**
 * Handles a payout without a connection: one that surely has no transfer can be canceled meanwhile, others show why
 * they wait.
 */
async function withoutConnection(tx: Transaction, work: Work) {
  const { account, payoutId } = work
  const payout = await readUnderWay(tx, work)
  if (!payout || !['approved', 'processing', 'awaiting-funding'].includes(payout.status)) return
  await markChecked(tx, account.id, payoutId)
  const provider = work.method.label
  const last = await latestAttempt(tx, work)
  if (last && !isFinished(last) && !isUnrequested(last)) {
    if (payout.status === 'processing')
      await setReason(
        tx,
        account.id,
        payoutId,
        payoutReasons[last.memo.transferId ? 'unread' : 'unknown']({ provider }),
      )
    return
  }
  const verdict = await checkApproval(tx, account, payout)
  if (!verdict.isValid) await applyVerdict(tx, account, payout, verdict)
  else await holdWithReason(tx, work, payout.status, 'requeue', payoutReasons.notConnected({ provider }))
}

/**
 * Handles a failed call. Unknown result: recorded, and thrown so that the job is retried. No access: the account
 * pauses; a payout that surely has no transfer becomes approved again, so that it may be cancelled meanwhile. A
 * transfer that the provider does not show affects only its payout, which shows the problem and is checked less and
 * less often.
 */
async function handleFailure(work: Work, error: ProviderError) {
  const { payoutId, account, method, services } = work
  const { kind, message, status, retryAfter } = error
  const { label } = method
  const denied = kind === 'unauthorized' || kind === 'forbidden' ? kind : null
  await work.hold(async (tx) => {
    const now = await readActiveAttempt(tx, work)
    if (!now) return
    const { payout, attempt } = now
    await markChecked(tx, account.id, payoutId)
    await saveAttempt(tx, attempt, { error: message })
    if (retryAfter !== null) await delayNextCheck(tx, account.id, payoutId, retryAfter)
    if (kind === 'withheld') {
      if (await isOutOfReach(tx, work, now)) await requireManualReview(tx, work, now, message)
      else {
        await backOffNextCheck(tx, account.id, payoutId)
        // a paid payout gets no message
        if (payout.status !== 'paid') await setReason(tx, account.id, payoutId, message)
      }
    }
    if (denied && payout.status === 'processing' && isUnrequested(attempt)) {
      const verdict = await checkApproval(tx, account, payout)
      if (verdict.isValid) await transitionPayout(tx, account, payoutId, 'requeue', { reason: message })
      else await applyVerdict(tx, account, payout, verdict)
    }
  })
  if (denied) {
    await noteMethodTrouble(services.db, account.id, method.name, { kind: denied, message })
    return services.log.warn({ payoutId, status }, `${label} refuses access; automatic payouts are paused`)
  }
  if (kind === 'withheld') return services.log.info({ payoutId, status }, `${label} does not show a transfer`)
  throw error
}

/** Whether the outcome of a pending payment is visible only to credentials that are no longer connected. */
const isOutOfReach = async (tx: Transaction, { account, method }: Work, { payout, attempt }: ActiveAttempt) =>
  method.provider.numbers !== undefined &&
  ['processing', 'awaiting-funding'].includes(payout.status) &&
  attempt.profileId !== (await findPayingProfile(tx, account.id, method.name))

/** Queues another run at once. */
const requeue = (tx: Transaction, { services, payoutId }: Work) => services.jobs.add(tx, payOutQueue, { payoutId })
