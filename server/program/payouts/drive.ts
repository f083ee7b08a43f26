import type { PayoutDetails } from '#contract/payout-settings.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import { yearIn } from '../../platform/time/days.ts'
import { type AccountFacts, accountFacts } from '../access/account-facts.ts'
import { awaitFunding, follow, type Paid, reject, waitFor } from './answers.ts'
import { applyVerdict, approvalVerdict, judgeAttempt } from './approval-holds.ts'
import { clearTrouble, noteMethodTrouble, type Open, openConnection, profileOf, waitForTurn } from './connections.ts'
import { openDetails, payoutDetailsPlace } from './deposit-details.ts'
import { LeaseLost, withLease } from './lease.ts'
import { lookAfter, looked, lookLater } from './looks.ts'
import {
  type Answer,
  ProviderError,
  type Step,
  type Told,
  type ToldTransfer,
  type TransferReading,
} from './methods/method.ts'
import { move, say } from './move.ts'
import { forgetRecipient, keepRecipient, knownRecipients } from './payees.ts'
import {
  type At,
  type Attempt,
  insertAttempt,
  isOver,
  isSilent,
  latestAttempt,
  nextPaymentNumber,
  readAt,
  readUnderWay,
  saveAttempt,
  transactionId,
  type UnderWay,
  wasUsedBefore,
} from './payout-attempts.ts'
import { payoutName } from './payout-number.ts'
import { lockPayoutAccount } from './payout-terms.ts'
import { payOutQueue } from './queue.ts'
import { isFirm, makeFirm, NotFirm, pauseForgotten } from './reconciliation/agreement.ts'
import { isCarrying, methodOf } from './ways.ts'

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
export async function advance(
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
    const method = methodOf(payout.method)
    if (!isCarrying(method) || account.disabledAt) return
    if (!(await makeFirm(services, account))) return
    const holdFirm: typeof hold = (work) =>
      hold(async (tx) => {
        if (!(await isFirm(tx, account.id))) throw new NotFirm(`payouts of account ${account.id} wait`)
        return work(tx)
      })
    try {
      await drive({ services, account, payoutId, method, hold: holdFirm, onStep })
    } catch (error) {
      if (!(error instanceof LeaseLost) && !(error instanceof NotFirm)) throw error
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
    if (await bringOn(connected)) await clearTrouble(services.db, account.id, method.name, 'any-call')
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    await handleFailure(work, error)
  }
}

/** Advances by the payout's status; returns whether the provider accepted a call. */
async function bringOn(work: Connected): Promise<boolean> {
  const { db } = work.services
  const status = (await readUnderWay(db, work))?.status
  if (status === 'approved' || status === 'processing') return payOut(work)
  if (!status || !['awaiting-funding', 'sent', 'paid', 'returned'].includes(status)) return false
  const at = await readAt(db, work)
  // no transfer waits for the money: one is asked for
  if (status === 'awaiting-funding' && (!at?.attempt.memo.transferId || isOver(at.attempt))) return payOut(work)
  if (!at?.attempt.memo.transferId) return false
  await goOn(work, await look(work, at))
  return true
}

async function payOut(work: Connected): Promise<boolean> {
  const { services, account, method, onStep } = work
  const at = await work.hold((tx) => begin(tx, work))
  if (!at) return false
  await onStep('attempt-saved')
  if (at.attempt.memo.transferId) await goOn(work, await look(work, at))
  else if (at.holds) {
    const made = await makeTransfer(work)
    if (!made) return false
    await clearTrouble(services.db, account.id, method.name, 'payment')
    await goOn(work, made)
  } else await findOut(work, at)
  return true
}

/** Saves the attempt and its key before the first call; ends an attempt that no longer fits. */
async function begin(tx: Transaction, work: Connected): Promise<(At & { holds: boolean }) | undefined> {
  const { payoutId, account, method, connection } = work
  const payout = await readUnderWay(tx, work)
  if (!payout || !['approved', 'processing', 'awaiting-funding'].includes(payout.status)) return undefined
  const last = await latestAttempt(tx, work)
  const live = last && !isOver(last) ? last : undefined
  const verdict = await judgeAttempt(tx, work, payout, live)
  if (live && !isSilent(live)) return { payout, attempt: live, holds: verdict.holds }
  if (!verdict.holds) {
    if (live) await abandon(tx, live)
    if (!(await applyVerdict(tx, account, payout, verdict))) return undefined
  }
  const { status } = (await readUnderWay(tx, work))!
  await looked(tx, account.id, payoutId)
  if (status === 'awaiting-funding' && !live && !isDueAgain(tx.now, payout, last)) return undefined
  const { profileId } = connection
  if (!profileId) return void (await waitFor(tx, work, status, 'step-back', wordsOf(work).noProfile))
  if (status === 'approved') await move(tx, account, payoutId, 'begin')
  if (status === 'awaiting-funding') await doNotFundAgain(tx, work)
  if (!live || !verdict.holds) {
    const number = (last?.number ?? 0) + 1
    await insertAttempt(
      tx,
      { payout, method },
      {
        ...{ id: newId(), number, transactionId: transactionId(payoutId, number), profileId },
        year: yearIn(account.timeZone, tx.now),
      },
    )
  }
  const at = await readAt(tx, work)
  return at && { ...at, holds: true }
}

/**
 * The account's number for an attempt about to make its first call; null if its method has none. Assigned no earlier,
 * so that few numbers are skipped: an older copy of the database finds forgotten payments by counting on.
 */
async function numberFor(tx: Transaction, { account, method }: Work, { paymentNumber }: Attempt) {
  if (!method.carrier.numbers || paymentNumber !== null) return paymentNumber
  await lockPayoutAccount(tx, account.id)
  return nextPaymentNumber(tx, account.id, method.name)
}

/** Whether a payout whose attempt was denied for want of money gets another: each is a new payment at its provider. */
const isDueAgain = (now: Date, { fundAgain }: UnderWay, last: Attempt | undefined) =>
  fundAgain || !last || now.getTime() - Date.parse(last.at) >= DAY

const doNotFundAgain = (tx: Transaction, { account, payoutId }: Work) =>
  tx.run`update payouts set fund_again = false where account_id = ${account.id} and id = ${payoutId}`

const abandon = (tx: Transaction, attempt: Attempt) => saveAttempt(tx, attempt, { state: 'abandoned', stage: 'over' })

/** Most steps of one run: its quote or recipient may expire meanwhile and is renewed twice. */
const MOST_STEPS = 8

/** Takes the method's steps up to a transfer; undefined if the payout ended otherwise. */
async function makeTransfer(work: Connected): Promise<TransferReading | undefined> {
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const chosen = await work.hold((tx) => choose(tx, work))
    if (!chosen) return undefined
    const { step, told, at } = chosen
    if (step.mayMoveMoney && !told.isAsked) await work.onStep(`${step.name}-announced`)
    const answer = await ask(work, chosen)
    if ('transferId' in answer) return keepTransfer(work, at.attempt, answer)
    if (answer.is === 'on') await keep(work, chosen, answer)
    else if (!(await work.hold((tx) => handleNone(tx, work, chosen, answer)))) return undefined
  }
  const { label } = work.method
  throw new ProviderError('unknown', `${label} didn’t accept this payout in time.`)
}

/**
 * Handles a result without a transfer. Returns whether to continue: only a recipient of an earlier attempt was refused,
 * and is created again.
 */
async function handleNone(
  tx: Transaction,
  work: Work,
  { told, at }: Chosen,
  answer: Exclude<Answer, TransferReading | { is: 'on' }>,
): Promise<boolean> {
  switch (answer.is) {
    case 'refused':
      return refuse(tx, work, at, answer)
    case 'short':
      // the first request was denied: nothing can exist, and the same attempt may call again
      if (!told.isAsked)
        await saveAttempt(tx, at.attempt, {
          ...{ state: at.attempt.state, stage: 'prepared' },
          memo: { refused: 'before' },
        })
      await awaitFunding(tx, work, answer)
      return false
    case 'nothing':
      await abandon(tx, at.attempt)
      await tx.run`update payouts set fund_again = true where account_id = ${work.account.id} and id = ${work.payoutId}`
      await comeAgain(tx, work)
      return false
    case 'taken':
      await loseNumber(tx, work, at, answer.by)
      return false
    case 'unsure':
      await leaveToPerson(tx, work, at, answer.words)
      return false
    default:
      return false
  }
}

/** Shows on the payout that only a person can find out, and checks less and less often. */
async function leaveToPerson(tx: Transaction, { account, payoutId }: Work, { attempt }: At, words: string) {
  const said = `${words} If it was paid, mark it as paid; if not, cancel it.`
  await saveAttempt(tx, attempt, { state: 'unsure', error: said })
  await say(tx, account.id, payoutId, said)
  await lookLater(tx, account.id, payoutId)
}

/**
 * Ends an attempt whose number was used for a payment that is unknown here: this database is an older copy. Nothing was
 * paid; the account's payouts pause until its owner has reviewed that payment.
 */
async function loseNumber(tx: Transaction, work: Work, { payout, attempt }: At, by: ToldTransfer) {
  const { account, payoutId, method, services } = work
  const { label } = method
  const words = `${label} has another payment under this number, which isn’t recorded here.`
  await saveAttempt(tx, attempt, { state: 'taken', stage: 'over', error: words })
  if (payout.status !== 'approved') await move(tx, account, payoutId, 'step-back', { reason: words })
  services.log.error(
    { accountId: account.id, transferId: by.id },
    `${label} knows a payment that is not recorded here; payouts of the account are paused`,
  )
  await pauseForgotten(tx, services.jobs, account.id, { ...by, method: method.name })
}

type Chosen = { step: Step; told: Told; at: At }

/**
 * Returns the next step if the approval still holds; else ends the attempt if it has not requested a transfer yet. If
 * the step requests one, records that it may exist from now on, whatever the answer.
 */
async function choose(tx: Transaction, work: Connected): Promise<Chosen | undefined> {
  const at = await readAt(tx, work)
  if (!at || isOver(at.attempt)) return undefined
  const { payout, attempt } = at
  const { label } = work.method
  const { next, numbers } = work.method.carrier
  const told = toldOf(tx.now, at, 'pay')
  const step = next(told)
  const isRequest = step.mayMoveMoney === true
  if (isSilent(attempt) || (numbers && isRequest)) {
    const verdict = await judgeAttempt(tx, work, payout, attempt)
    if (!verdict.holds) {
      if (isSilent(attempt)) await abandon(tx, attempt)
      if (!isSilent(attempt) || (await applyVerdict(tx, work.account, payout, verdict))) await comeAgain(tx, work)
      return undefined
    }
  }
  if (
    isRequest &&
    numbers &&
    told.isAsked &&
    tx.now.getTime() >= told.announcedAt.getTime() + numbers.askedForDays * DAY
  )
    return void (await leaveToPerson(
      tx,
      work,
      at,
      `${label} hasn’t reported for ${numbers.askedForDays} days whether it paid this.`,
    ))
  if (!isRequest || !isSilent(attempt)) return { step, told, at }
  const number = await numberFor(tx, work, attempt)
  await saveAttempt(tx, attempt, {
    ...{ state: 'transferring', stage: 'open', announcedAt: tx.now },
    ...(number !== null && { paymentNumber: number }),
  })
  return { step, told: { ...told, number }, at }
}

const toldOf = (now: Date, { payout, attempt }: At, intent: Told['intent']): Told => ({
  ...{ now, intent },
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
  isAsked: !isSilent(attempt),
  startedAt: new Date(attempt.at),
  announcedAt: new Date(attempt.announcedAt ?? attempt.at),
})

/** Asks the provider. A transfer whose first request was denied surely does not exist. */
async function ask(work: Connected, { step, told, at }: Chosen): Promise<Answer> {
  const { method, services } = work
  const { payout, attempt } = at
  if (step.makesPayee) {
    const [known] = await knownRecipients(services.db, payout.accountId, told.profileId, [payout])
    if (known) return { is: 'on', memo: { recipientId: known.recipient }, state: 'recipient-known' }
  }
  if (step.mayMoveMoney && method.carrier.numbers) await waitForTurn(services.db, payout.accountId, method)
  try {
    return await askCarrier(work, step, told)
  } catch (error) {
    if (step.mayMoveMoney && !told.isAsked && error instanceof ProviderError && error.kind !== 'unknown')
      await work.hold((tx) => saveAttempt(tx, attempt, { state: attempt.state, stage: 'prepared' }))
    throw error
  }
}

/** Makes a step's call, with the details if it needs them. */
async function askCarrier(work: Connected, step: Step, told: Told): Promise<Answer> {
  const more = step.needsDetails ? { details: await fixedDetails(work) } : {}
  return work.method.carrier.ask(work.connection.api, step, { ...told, ...more })
}

/** Returns the details that the approval fixed; null if they cannot be opened. */
async function fixedDetails({ services: { db, secrets }, account, payoutId }: Work): Promise<PayoutDetails | null> {
  const { sealed } = await db.one<{ sealed: Buffer | null }>`
    select details_sealed as sealed from payouts where account_id = ${account.id} and id = ${payoutId}`
  return sealed && openDetails(secrets, sealed, payoutDetailsPlace(payoutId, account.id))
}

/** Saves what a step has made; a transfer that was not made for want of it surely does not exist. */
async function keep(work: Connected, { step, told, at }: Chosen, answer: Answer & { is: 'on' }) {
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
    if (step.makesPayee) await keepRecipient(tx, work.account.id, told.profileId, at.payout, memo.recipientId!)
  })
  if (!step.mayMoveMoney || memo.transferId) await work.onStep(`${step.name}-saved`)
}

/**
 * Rejects the payout; returns true if only a recipient made for an earlier attempt was refused, which is made again.
 */
async function refuse(
  tx: Transaction,
  work: Work,
  { payout, attempt }: At,
  { words, ofDetails = false }: Answer & { is: 'refused' },
): Promise<boolean> {
  const { recipientId } = attempt.memo
  if (ofDetails && recipientId && (await wasUsedBefore(tx, attempt))) {
    await saveAttempt(tx, attempt, { memo: { recipientId: null }, state: 'quoted', stage: 'prepared' })
    await forgetRecipient(tx, payout.accountId, payout.partnerId, recipientId)
    return true
  }
  await reject(tx, work, payout, { attempt, words, ofDetails })
  return false
}

async function keepTransfer(work: Work, attempt: Attempt, reading: TransferReading): Promise<TransferReading> {
  const { transferId, state, is } = reading
  await work.onStep('transfer-made')
  const stage = is === 'over' ? 'over' : 'open'
  await work.hold((tx) => saveAttempt(tx, attempt, { memo: { transferId }, state, stage, error: null }))
  await work.onStep('transfer-saved')
  return reading
}

/**
 * Looks for a transfer whose approval ended after it was requested; it is not requested again. If found it is
 * cancelled; if there is none, the attempt is over.
 */
async function findOut(work: Connected, at: At) {
  const found = await once(work, at, 'stop')
  if ('transferId' in found) return goOn(work, await keepTransfer(work, at.attempt, found))
  await work.hold(async (tx) => {
    const now = await readAt(tx, work)
    if (!now || now.attempt.id !== at.attempt.id || now.attempt.memo.transferId) return
    if (found.is === 'unsure') return leaveToPerson(tx, work, now, found.words)
    await abandon(tx, now.attempt)
    const verdict = await judgeAttempt(tx, work, now.payout, at.attempt)
    if (verdict.holds) await move(tx, work.account, work.payoutId, 'step-back')
    const stays = verdict.holds || (await applyVerdict(tx, work.account, now.payout, verdict))
    if (stays) await comeAgain(tx, work)
  })
}

/** Makes the next call for this intent. */
async function once(work: Connected, at: At, intent: Told['intent']): Promise<Answer> {
  const told = toldOf(work.services.db.now, at, intent)
  return askCarrier(work, work.method.carrier.next(told), told)
}

const look = (work: Connected, at: At) => once(work, at, 'look') as Promise<TransferReading>

/** Acts on a transfer just read; one that waits for money is cancelled if the approval no longer holds, else paid. */
async function goOn(work: Connected, reading: TransferReading) {
  const now = await followNow(work, reading)
  if (!now || reading.is !== 'unfunded') return
  if (now.wrong || !now.holds) await stopTransfer(work, now, now.wrong)
  else if (isToBeFunded(now)) await fund(work, now)
  else if (now.attempt.fundingProblem === 'forbidden')
    await work.hold((tx) => say(tx, work.account.id, work.payoutId, work.method.carrier.payByHand!))
}

/** Stores the state of a transfer, and judges the approval. `known` describes how it differs from the request. */
const followNow = (work: Work, read: TransferReading, known: string | null = null) =>
  work.hold(async (tx) => {
    const { services, payoutId, method } = work
    const before = await readAt(tx, work)
    if (!before || before.attempt.memo.transferId !== read.transferId) return undefined
    const reading = { ...read, wrong: known ?? read.wrong }
    const { wrong, transferId } = reading
    if (wrong)
      services.log.error(
        { payoutId, transferId, wrong },
        `${method.label} returned a transfer that doesn’t match the payout`,
      )
    const anew = await follow(tx, work, before.payout, { attempt: before.attempt, reading })
    if (anew) await comeAgain(tx, work)
    const at = await readAt(tx, work)
    return at && { ...at, wrong, holds: (await judgeAttempt(tx, work, at.payout, at.attempt)).holds }
  })

/**
 * Whether to fund now: the first time, at the owner's request, and at every check after a lack of balance; never again
 * if only the owner can pay.
 */
const isToBeFunded = ({ payout: { status, fundAgain }, attempt: { fundedAt, fundingProblem } }: At) =>
  !fundedAt &&
  (status === 'processing' || (status === 'awaiting-funding' && (fundAgain || fundingProblem === 'balance')))

/** Pays the transfer, which was just read and waits for money. */
async function fund(work: Connected, at: At) {
  const { account, payoutId, onStep } = work
  const { payout, attempt } = at
  const holds = await work.hold(async (tx) => {
    await doNotFundAgain(tx, work)
    const now = await readAt(tx, work)
    return now && (await judgeAttempt(tx, work, now.payout, now.attempt)).holds
  })
  if (!holds) return stopTransfer(work, at, null)
  const answer = await once(work, at, 'pay').catch(async (error: unknown) => {
    if (error instanceof ProviderError && error.kind === 'unauthorized')
      await work.hold((tx) => awaitFunding(tx, work, { problem: 'balance', words: error.message }))
    throw error
  })
  const isShort = 'problem' in answer
  if (answer.is === 'on' || isShort) await onStep('funding-made')
  if (isShort) return work.hold((tx) => awaitFunding(tx, work, answer))
  if (answer.is === 'on') {
    await work.hold(async (tx) => {
      await saveAttempt(tx, attempt, { fundedAt: tx.now, fundingProblem: null, error: null })
      if (payout.status === 'awaiting-funding') await move(tx, account, payoutId, 'go-on')
    })
    await onStep('funding-saved')
  }
  await followNow(work, await look(work, at))
}

/**
 * Cancels the unfunded transfer because it is `wrong` or the approval no longer holds, unless it was paid meanwhile.
 * Then updates the payout from it.
 */
async function stopTransfer(work: Connected, at: At, wrong: string | null) {
  await followNow(work, (await once(work, at, 'stop')) as TransferReading, wrong)
}

/**
 * Handles a payout without a connection: one that surely has no transfer can be canceled meanwhile, others show why
 * they wait.
 */
async function withoutConnection(tx: Transaction, work: Work) {
  const { account, payoutId } = work
  const payout = await readUnderWay(tx, work)
  if (!payout || !['approved', 'processing', 'awaiting-funding'].includes(payout.status)) return
  await looked(tx, account.id, payoutId)
  const words = wordsOf(work)
  const last = await latestAttempt(tx, work)
  if (last && !isOver(last) && !isSilent(last)) {
    if (payout.status === 'processing')
      await say(tx, account.id, payoutId, last.memo.transferId ? words.unread : words.unknown)
    return
  }
  const verdict = await approvalVerdict(tx, account, payout)
  if (!verdict.holds) await applyVerdict(tx, account, payout, verdict)
  else await waitFor(tx, work, payout.status, 'step-back', words.notConnected)
}

const wordsOf = ({ method: { label } }: Work) => ({
  noProfile: `No ${label} profile is selected. Choose one, or cancel this payout.`,
  notConnected: `${label} isn’t connected. Connect it again, or cancel this payout.`,
  unknown: `We don’t know yet whether ${label} created the transfer. Connect ${label} again to check.`,
  unread: `${label} isn’t connected, so the transfer can’t be checked. Connect ${label} again.`,
})

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
    const now = await readAt(tx, work)
    if (!now) return
    const { payout, attempt } = now
    await looked(tx, account.id, payoutId)
    await saveAttempt(tx, attempt, { error: message })
    if (retryAfter !== null) await lookAfter(tx, account.id, payoutId, retryAfter)
    if (kind === 'withheld') {
      if (await isOutOfReach(tx, work, now)) await leaveToPerson(tx, work, now, message)
      else {
        await lookLater(tx, account.id, payoutId)
        // a paid payout gets no message
        if (payout.status !== 'paid') await say(tx, account.id, payoutId, message)
      }
    }
    if (denied && payout.status === 'processing' && isSilent(attempt)) {
      const verdict = await approvalVerdict(tx, account, payout)
      if (verdict.holds) await move(tx, account, payoutId, 'step-back', { reason: message })
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
const isOutOfReach = async (tx: Transaction, { account, method }: Work, { payout, attempt }: At) =>
  method.carrier.numbers !== undefined &&
  ['processing', 'awaiting-funding'].includes(payout.status) &&
  attempt.profileId !== (await profileOf(tx, account.id, method.name))

/** Queues another run at once. */
const comeAgain = (tx: Transaction, { services, payoutId }: Work) => services.jobs.add(tx, payOutQueue, { payoutId })
