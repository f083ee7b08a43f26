import { v5 } from 'uuid'
import { newId } from '../../../platform/database/ids.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import type { AccountFacts } from '../../../program/access/access.ts'
import type { Services } from '../../../platform/services.ts'
import { openDetails, payoutDetailsPlace } from '../../../program/payouts/deposit-details.ts'
import { type Lease, LeaseLost, withLease } from '../../../program/payouts/lease.ts'
import { move } from '../../../program/payouts/move.ts'
import { findPayoutAccount } from '../../../program/payouts/terms.ts'
import { type Transfer, type Wise, WiseError } from '../../../program/payouts/methods/wise/client.ts'
import { clearWiseError, noteWiseError, wiseOf } from './connection.ts'
import { follow } from '../../../program/payouts/methods/wise/follow.ts'
import { applyVerdict, insertAttempt, judge, quoteDiffers, transferDiffers, yearOf } from '../../../program/payouts/methods/wise/intent.ts'
import {
  type Attempt,
  accountOf,
  isOver,
  isSilent,
  latestAttempt,
  saveAttempt,
  sayWhy,
  type UnderWay,
  underWay,
} from '../../../program/payouts/methods/wise/attempts.ts'

/** The moments between which a process may die; tests let it die there. */
export type Step =
  | 'attempt-saved'
  | 'quoted'
  | 'quote-saved'
  | 'recipient-made'
  | 'recipient-saved'
  | 'transfer-announced'
  | 'transfer-made'
  | 'transfer-saved'
  | 'funded'
  | 'funding-saved'
type Options = { onStep?: (step: Step) => void | Promise<void> }

type Work = {
  services: Services
  wise: Wise
  account: AccountFacts
  profileId: string | null
  lease: Lease
  onStep: (step: Step) => void | Promise<void>
}

/** A payout and the attempt that is being made for it. */
type At = { payout: UnderWay; attempt: Attempt }

/**
 * Brings a payout as far as it can come now: makes its transfer at Wise and funds it, or reads it back and follows.
 * Every result is committed before the next call, so it may be called any time, also after a death at any line:
 * it goes on where the rows say it is. What was approved is judged again before each call. What is unknown (a time-out,
 * a reset, a 5xx) is asked again with the same transaction id, never called failed; it throws `WiseError` of the kind
 * 'unknown', for the job to come again. Answers 'busy' while another worker has the payout.
 */
export async function advance(
  services: Services,
  payoutId: string,
  { onStep = () => {} }: Options = {},
): Promise<'busy' | 'done'> {
  const { db, log } = services
  const result = await withLease(db, payoutId, async (lease) => {
    const payout = await underWay(db, payoutId)
    if (!payout) return
    const account = await accountOf(db, payout.accountId)
    if (account.disabledAt) return
    const payoutAccount = await findPayoutAccount(db, account.id)
    const wise = payoutAccount && wiseOf(services, account.id, payoutAccount)
    if (!wise) return lease.hold((tx) => withoutWise(tx, account, payoutId))
    const work: Work = { services, wise, account, profileId: payoutAccount.wiseProfile?.id ?? null, lease, onStep }
    try {
      const asked = await bringOn(work, payout)
      if (asked && payoutAccount.wiseError) await clearWiseError(db, account.id, 'any-call')
    } catch (error) {
      if (error instanceof LeaseLost) return log.warn({ payoutId }, 'another worker took the payout over')
      if (!(error instanceof WiseError)) throw error
      await settleFailure(work, payoutId, error)
    }
  })
  return result === 'busy' ? 'busy' : 'done'
}

/** Answers whether Wise took a call. */
async function bringOn(work: Work, payout: UnderWay): Promise<boolean> {
  switch (payout.status) {
    case 'approved':
    case 'processing':
      return payOut(work, payout.id)
    case 'awaiting-funding':
    case 'sent':
    case 'paid':
    case 'returned': {
      const attempt = await latestAttempt(work.services.db, payout.id)
      if (!attempt?.transferId) return false
      await readBack(work, payout.id, attempt.transferId)
      return true
    }
    default:
      return false
  }
}

async function payOut(work: Work, payoutId: string): Promise<boolean> {
  const at = await begin(work, payoutId)
  if (!at) return false
  if (at.attempt.transferId) await readBack(work, payoutId, at.attempt.transferId)
  else if (at.holds) {
    const transfer = await makeTransfer(work, at)
    if (!transfer) return false
    await clearWiseError(work.services.db, work.account.id, 'transfer')
    await goOn(work, payoutId, transfer)
  } else await findOut(work, at)
  return true
}

/** The attempt and its transaction id are there before the first call; an attempt that no longer fits ends here. */
async function begin(work: Work, payoutId: string): Promise<(At & { holds: boolean }) | undefined> {
  const { lease, account, profileId, onStep } = work
  const begun = await lease.hold(async (tx) => {
    const payout = await underWay(tx, payoutId)
    if (payout?.status !== 'approved' && payout?.status !== 'processing') return undefined
    const last = await latestAttempt(tx, payoutId)
    const live = last && !isOver(last) ? last : undefined
    const verdict = await judge(tx, account, payout, live)
    if (live && !isSilent(live)) return { payout, attempt: live, holds: verdict.holds }
    if (!verdict.holds) {
      if (live) await saveAttempt(tx, live.id, { state: 'abandoned' })
      if (!(await applyVerdict(tx, account, payout, verdict))) return undefined
    }
    if (!profileId) return withoutProfile(tx, account, payoutId)
    const { status } = (await underWay(tx, payoutId))!
    if (status === 'approved') await move(tx, account, payoutId, 'begin')
    if (!live || !verdict.holds) {
      const number = (last?.number ?? 0) + 1
      const transactionOf = { transactionId: transactionId(payoutId, number), profileId, year: yearOf(tx, account) }
      await insertAttempt(tx, payout, { id: newId(), number, ...transactionOf })
    }
    await tx.run`update payouts set checked_at = ${tx.now} where id = ${payoutId}`
    const at = await reload(tx, payoutId)
    return at && { ...at, holds: true }
  })
  if (begun) await onStep('attempt-saved')
  return begun
}

async function withoutProfile(tx: Transaction, account: AccountFacts, payoutId: string): Promise<undefined> {
  const { status } = (await underWay(tx, payoutId))!
  if (status === 'processing') await move(tx, account, payoutId, 'step-back', { reason: NO_PROFILE })
  else await sayWhy(tx, payoutId, NO_PROFILE)
}

const NO_PROFILE = 'No Wise profile is chosen. Choose one, or cancel this payout.'
const NO_WISE = 'Wise is not connected. Connect it again, or cancel this payout.'
const NOT_TOLD = 'Wise has not told whether it made the transfer. Connect Wise again so that it can be asked.'
const UNREAD = 'Wise is not connected, so the transfer cannot be read. Connect Wise again.'

/** Without a token nothing can be asked: what surely has no transfer can be canceled meanwhile, the rest says why it waits. */
async function withoutWise(tx: Transaction, account: AccountFacts, payoutId: string) {
  const payout = await underWay(tx, payoutId)
  if (!payout || !['approved', 'processing', 'awaiting-funding'].includes(payout.status)) return
  await tx.run`update payouts set checked_at = ${tx.now} where id = ${payoutId}`
  const last = await latestAttempt(tx, payoutId)
  if (last && !isOver(last) && !isSilent(last)) {
    if (payout.status === 'processing') await sayWhy(tx, payoutId, last.transferId ? UNREAD : NOT_TOLD)
    return
  }
  const verdict = await judge(tx, account, payout, undefined)
  if (!verdict.holds) await applyVerdict(tx, account, payout, verdict)
  else if (payout.status === 'processing') await move(tx, account, payoutId, 'step-back', { reason: NO_WISE })
  else await sayWhy(tx, payoutId, NO_WISE)
}

/** The same for ever for a payout's nth attempt: Wise makes one transfer for it. */
export const transactionId = (payoutId: string, number: number) => v5(String(number), payoutId)

async function reload(tx: Transaction, payoutId: string): Promise<At | undefined> {
  const payout = await underWay(tx, payoutId)
  const attempt = await latestAttempt(tx, payoutId)
  return payout && attempt ? { payout, attempt } : undefined
}

/**
 * The payout and its attempt as they stand, if what was approved still holds; else the attempt, which has asked for no
 * transfer yet, ends with it and nothing is answered.
 */
async function confirmed(tx: Transaction, { services, account }: Work, payoutId: string): Promise<At | undefined> {
  const at = await reload(tx, payoutId)
  if (!at) return undefined
  const verdict = await judge(tx, account, at.payout, at.attempt)
  if (verdict.holds) return at
  await saveAttempt(tx, at.attempt.id, { state: 'abandoned' })
  if (await applyVerdict(tx, account, at.payout, verdict)) await services.jobs.add(tx, 'pay-out', { payoutId })
  return undefined
}

/** Quote, recipient, transfer: each asked for only where the rows do not have it yet. Nothing where it ended otherwise. */
async function makeTransfer(work: Work, begun: At): Promise<Transfer | undefined> {
  const { lease, onStep } = work
  const payoutId = begun.payout.id
  let at: At | undefined = begun
  // a quote may run out, a recipient may be gone: each is renewed once
  for (let round = 0; round < 3 && at; round++) {
    const askedBefore: boolean = at.attempt.state === 'transferring'
    if (!askedBefore) {
      if (!(await ensureQuote(work, at)) || !(await ensureRecipient(work, payoutId))) return undefined
      at = await announceTransfer(work, payoutId)
      if (!at) return undefined
      await onStep('transfer-announced')
    }
    const outcome = await askForTransfer(work, at, askedBefore)
    if (outcome === 'rejected') return undefined
    if (outcome !== 'again') return keepTransfer(work, at, outcome)
    at = await lease.hold((tx) => reload(tx, payoutId))
  }
  throw new WiseError('unknown', 'Wise takes no quote for this payout in time.')
}

/** From here on a transfer may exist, whatever is heard of it. */
const announceTransfer = (work: Work, payoutId: string) =>
  work.lease.hold(async (tx) => {
    const at = await confirmed(tx, work, payoutId)
    if (!at) return undefined
    await saveAttempt(tx, at.attempt.id, { state: 'transferring', announcedAt: tx.now })
    return reload(tx, payoutId)
  })

async function keepTransfer({ lease, onStep }: Work, { attempt }: At, transfer: Transfer): Promise<Transfer> {
  if (transfer.customerTransactionId !== null && transfer.customerTransactionId !== attempt.customerTransactionId)
    throw new WiseError('unknown', 'Wise answered with a transfer that is not the one of this payout.')
  await onStep('transfer-made')
  await lease.hold((tx) =>
    saveAttempt(tx, attempt.id, { transferId: transfer.id, state: transfer.status, error: null }),
  )
  await onStep('transfer-saved')
  return transfer
}

async function askForTransfer(
  work: Work,
  { payout, attempt }: At,
  askedBefore: boolean,
): Promise<Transfer | 'again' | 'rejected'> {
  const { wise } = work
  const asking = {
    quote: attempt.quoteId!,
    recipient: attempt.recipientId!,
    transactionId: attempt.customerTransactionId,
  }
  try {
    const sourceOfFunds = payout.amount > LARGE ? await wise.sourceOfFunds(asking) : null
    return await wise.createTransfer({ ...asking, reference: referenceOf(payout), sourceOfFunds })
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind === 'unknown') throw error
    const approvalRule = error.kind === 'forbidden' && /approv/i.test(error.message)
    if (error.kind !== 'refused' && !approvalRule) {
      // not let in, so surely not made; unless an earlier call was
      if (!askedBefore) await work.lease.hold((tx) => saveAttempt(tx, attempt.id, { state: 'recipient-known' }))
      throw error
    }
    // an earlier call, whose answer is unknown, may have made it all the same
    if (askedBefore) {
      const found = await findTransfer(work, attempt)
      if (found) return found
    }
    return refusedTransfer(work, payout, attempt, error)
  }
}

const findTransfer = ({ wise }: Work, { wiseProfileId, customerTransactionId, at }: Attempt) =>
  wise.findTransfer(wiseProfileId, customerTransactionId, new Date(at))

/** A call takes 20 s at most; so long after the announcement none can be on its way any more. */
const QUIET_SECONDS = 60

/**
 * What was approved holds no longer, and Wise was asked for the transfer already: it is looked for, never asked for
 * again. A transfer that is found is cancelled; where there is none, the attempt is over.
 */
async function findOut(work: Work, { payout, attempt }: At) {
  const { services, lease, account } = work
  const found = await findTransfer(work, attempt)
  if (found) return goOn(work, payout.id, await keepTransfer(work, { payout, attempt }, found))
  const quietAt = Date.parse(attempt.announcedAt ?? attempt.at) + QUIET_SECONDS * 1000
  if (services.db.now.getTime() < quietAt)
    throw new WiseError('unknown', 'Wise may still be making the transfer.', { retryAfter: QUIET_SECONDS })
  await lease.hold(async (tx) => {
    const at = await reload(tx, payout.id)
    if (!at || at.attempt.id !== attempt.id || at.attempt.transferId) return
    await saveAttempt(tx, attempt.id, { state: 'abandoned' })
    const verdict = await judge(tx, account, at.payout, attempt)
    if (verdict.holds) await move(tx, account, payout.id, 'step-back')
    const stays = verdict.holds || (await applyVerdict(tx, account, at.payout, verdict))
    if (stays) await services.jobs.add(tx, 'pay-out', { payoutId: payout.id })
  })
}

/** Above this Wise asks where the money comes from: 80,000 of the currency, as it does in dollars. */
const LARGE = 80_000_00

/** Wise takes ten characters. */
const referenceOf = ({ statementNumber }: UnderWay) => `PO-${statementNumber}`.slice(0, 10)

/** Proven that no transfer exists. What has only run out is renewed; anything else is Wise's refusal. */
async function refusedTransfer(
  work: Work,
  payout: UnderWay,
  attempt: Attempt,
  error: WiseError,
): Promise<'again' | 'rejected'> {
  const { wise, lease } = work
  const quote = await wise.quote(attempt.wiseProfileId, attempt.quoteId!, payout.currency).catch((failure: unknown) => {
    if (failure instanceof WiseError && failure.kind !== 'unknown') return null
    throw failure
  })
  if (quote?.status === 'EXPIRED') {
    await lease.hold((tx) =>
      saveAttempt(tx, attempt.id, { quoteId: null, quoteExpiresAt: null, state: 'recipient-known' }),
    )
    return 'again'
  }
  const ofRecipient = error.complaints.some((complaint) => complaint.path === 'targetAccount')
  if (ofRecipient && (await wasReused(work, attempt))) {
    await lease.hold(async (tx) => {
      await saveAttempt(tx, attempt.id, { recipientId: null, state: 'quoted' })
      await tx.run`
        update payout_settings set wise_recipient_id = null, wise_recipient_profile_id = null
        where partner_id = ${payout.partnerId} and wise_recipient_id = ${attempt.recipientId}`
    })
    return 'again'
  }
  await lease.hold((tx) => reject(tx, work, payout, attempt, error.message, ofRecipient))
  return 'rejected'
}

const wasReused = async ({ services: { db } }: Work, { id, recipientId }: Attempt) =>
  (
    await db.one<{ reused: boolean }>`
    select exists (select from payout_attempts where recipient_id = ${recipientId} and id <> ${id}) as reused`
  ).reused

/** Answers whether there is a quote to go on with. */
async function ensureQuote(work: Work, { payout, attempt }: At): Promise<boolean> {
  const { wise, lease, services, onStep } = work
  const fresh =
    attempt.quoteId &&
    (!attempt.quoteExpiresAt || Date.parse(attempt.quoteExpiresAt) - 60_000 > services.db.now.getTime())
  if (fresh) return true
  if (!(await lease.hold((tx) => confirmed(tx, work, payout.id)))) return false
  let quote: Awaited<ReturnType<Wise['createQuote']>>
  try {
    quote = await wise.createQuote(attempt.wiseProfileId, payout)
    const wrong = quote.blocked ?? quoteDiffers(quote, attempt)
    if (wrong) throw new WiseError('refused', wrong)
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind !== 'refused') throw error
    await lease.hold((tx) => reject(tx, work, payout, attempt, error.message, false))
    return false
  }
  await onStep('quoted')
  const state = attempt.recipientId ? 'recipient-known' : 'quoted'
  const { id: quoteId, expiresAt: quoteExpiresAt, rate, fee } = quote
  await lease.hold((tx) => saveAttempt(tx, attempt.id, { quoteId, quoteExpiresAt, rate, fee, state, error: null }))
  await onStep('quote-saved')
  return true
}

/** The details that approval fixed, as a recipient at Wise; one made earlier for the same details serves again. */
async function ensureRecipient(work: Work, payoutId: string): Promise<boolean> {
  const { lease, onStep } = work
  const at = await lease.hold((tx) => confirmed(tx, work, payoutId))
  if (!at) return false
  const { payout, attempt } = at
  if (attempt.recipientId) return true
  const recipientId = (await knownRecipient(work, at)) ?? (await makeRecipient(work, at))
  if (!recipientId) return false
  await onStep('recipient-made')
  await lease.hold(async (tx) => {
    await saveAttempt(tx, attempt.id, { recipientId, state: 'recipient-known', error: null })
    await tx.run`
      update payout_settings set wise_recipient_id = ${recipientId}, wise_recipient_profile_id = ${attempt.wiseProfileId}
      where partner_id = ${payout.partnerId} and version = ${attempt.detailsVersion}`
  })
  await onStep('recipient-saved')
  return true
}

async function knownRecipient({ services }: Work, { payout, attempt }: At): Promise<string | undefined> {
  const known = await services.db.maybe<{ recipientId: string }>`
    select wise_recipient_id as recipient_id from payout_settings
    where partner_id = ${payout.partnerId} and version = ${attempt.detailsVersion}
      and wise_recipient_profile_id = ${attempt.wiseProfileId} and wise_recipient_id is not null`
  return known?.recipientId
}

async function makeRecipient(work: Work, { payout, attempt }: At): Promise<string | undefined> {
  const { wise, services, lease, account } = work
  const details = openDetails(services.secrets, payout.detailsSealed, payoutDetailsPlace(payout.id, account.id))
  if (!details) {
    await lease.hold((tx) => reject(tx, work, payout, attempt, UNREADABLE, false))
    return undefined
  }
  try {
    return await wise.createRecipient(attempt.wiseProfileId, details)
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind !== 'refused') throw error
    await lease.hold((tx) => reject(tx, work, payout, attempt, describe(error), true))
    return undefined
  }
}

const UNREADABLE = 'The payout details cannot be opened. Ask the partner to enter them again.'

/** A proven refusal: the payout has failed in Wise's words, and details that Wise does not take are not tried again. */
async function reject(
  tx: Transaction,
  { account }: Work,
  payout: UnderWay,
  attempt: Attempt,
  words: string,
  ofRecipient: boolean,
) {
  await saveAttempt(tx, attempt.id, { state: 'rejected', error: words })
  if (ofRecipient)
    await tx.run`
      update payout_settings set rejected_reason = ${words}, updated_at = updated_at
      where partner_id = ${payout.partnerId} and version = ${attempt.detailsVersion}`
  const now = (await underWay(tx, payout.id))!
  const verdict = await judge(tx, account, now, undefined)
  if (verdict.holds) await move(tx, account, payout.id, 'fail', { reason: words })
  else await applyVerdict(tx, account, now, verdict)
}

/** Wise's words beside the fields they are about. */
const describe = ({ complaints, message }: WiseError) =>
  complaints
    .map(({ path, message: words }) => (path && fieldLabels[path] ? `${fieldLabels[path]}: ${words}` : words))
    .join(' ') || message

const fieldLabels: Record<string, string> = {
  legalType: 'Legal Type',
  accountHolderName: 'Account Holder Name',
  abartn: 'Routing Number',
  accountNumber: 'Account Number',
  accountType: 'Account Type',
  'address.country': 'Country',
  'address.state': 'State',
  'address.city': 'City',
  'address.firstLine': 'Address',
  'address.postCode': 'Zip Code',
}

/** Reads the transfer and does what its state asks for. */
const readBack = async (work: Work, payoutId: string, transferId: string) =>
  goOn(work, payoutId, await work.wise.transfer(transferId))

const WAITING = 'incoming_payment_waiting'

/** Follows a transfer that was just read; one that waits is cancelled where what was approved no longer holds, else paid. */
async function goOn(work: Work, payoutId: string, transfer: Transfer) {
  const now = await followNow(work, payoutId, transfer)
  if (!now || transfer.status !== WAITING) return
  if (now.wrong || !now.holds) await stopTransfer(work, payoutId, transfer.id, now.wrong)
  else if (isToBeFunded(now.payout, now.attempt)) await fund(work, now)
  else if (now.attempt.fundingProblem === 'forbidden') await work.lease.hold((tx) => sayWhy(tx, payoutId, FORBIDDEN))
}

/** Writes down what a transfer says of itself, and how the approval stands then. */
const followNow = (
  { services, lease, account }: Work,
  payoutId: string,
  transfer: Transfer,
  known: string | null = null,
) =>
  lease.hold(async (tx) => {
    const before = await reload(tx, payoutId)
    if (!before || before.attempt.transferId !== transfer.id) return undefined
    const wrong = known ?? transferDiffers(transfer, before.attempt)
    if (wrong) services.log.error({ payoutId, transferId: transfer.id, wrong }, 'Wise answers with a wrong transfer')
    const anew = await follow(tx, account, before.payout, before.attempt, transfer.status, wrong)
    if (anew) await services.jobs.add(tx, 'pay-out', { payoutId })
    const at = await reload(tx, payoutId)
    return at && { ...at, wrong, holds: (await judge(tx, account, at.payout, at.attempt)).holds }
  })

/** At first, when the owner asks, and for want of balance with every look; where only the owner can pay, never again. */
const isToBeFunded = ({ status, fundAgain }: UnderWay, { fundedAt, fundingProblem }: Attempt) =>
  !fundedAt &&
  (status === 'processing' || (status === 'awaiting-funding' && (fundAgain || fundingProblem === 'balance')))

/** Pays the transfer, which was just read and waits for it. */
async function fund(work: Work, { payout, attempt }: At) {
  const { wise, lease, account, onStep } = work
  const transferId = attempt.transferId!
  const holds = await lease.hold(async (tx) => {
    await tx.run`update payouts set fund_again = false where id = ${payout.id}`
    const now = await reload(tx, payout.id)
    return now && (await judge(tx, account, now.payout, now.attempt)).holds
  })
  if (!holds) return stopTransfer(work, payout.id, transferId, null)
  const wait = (problem: 'balance' | 'forbidden', words: string) =>
    lease.hold((tx) => awaitFunding(tx, account, payout.id, problem, words))
  try {
    const { completed, errorCode } = await wise.fund(attempt.wiseProfileId, transferId)
    await onStep('funded')
    if (!completed) return await wait('balance', refusedFunding(errorCode, payout.currency))
    await lease.hold(async (tx) => {
      await saveAttempt(tx, attempt.id, { fundedAt: tx.now, fundingProblem: null, error: null })
      if (payout.status === 'awaiting-funding') await move(tx, account, payout.id, 'go-on')
    })
    await onStep('funding-saved')
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind === 'unknown') throw error
    if (error.kind === 'forbidden') return await wait('forbidden', FORBIDDEN)
    if (error.kind === 'unauthorized') {
      await wait('balance', error.message)
      throw error
    }
    const again = await wise.transfer(transferId)
    if (again.status === WAITING) return await wait('balance', error.message)
  }
  await followNow(work, payout.id, await wise.transfer(transferId))
}

const FORBIDDEN = 'Wise does not let this account pay by API. Pay the transfer on wise.com.'

const refusedFunding = (code: string | null, currency: string) => {
  if (code === 'transfer.insufficient_funds') return `The ${currency.toUpperCase()} balance in Wise is too low.`
  if (code === 'balance.payment-option-unavailable') return `There is no ${currency.toUpperCase()} balance in Wise.`
  return `Wise refused the payment${code ? ` (${code})` : ''}.`
}

async function awaitFunding(
  tx: Transaction,
  account: AccountFacts,
  payoutId: string,
  problem: 'balance' | 'forbidden',
  words: string,
) {
  const at = await reload(tx, payoutId)
  if (!at) return
  await saveAttempt(tx, at.attempt.id, { fundingProblem: problem, error: words })
  if (at.payout.status === 'processing') await move(tx, account, payoutId, 'wait', { reason: words })
  else await sayWhy(tx, payoutId, words)
}

/** Cancels the unfunded transfer at Wise, for what is `wrong` with it or because the approval holds no longer; too late, where it was paid meanwhile. Then it is followed. */
async function stopTransfer(work: Work, payoutId: string, transferId: string, wrong: string | null) {
  const { wise } = work
  let transfer: Transfer
  try {
    transfer = await wise.cancelTransfer(transferId)
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind !== 'refused') throw error
    transfer = await wise.transfer(transferId)
  }
  await followNow(work, payoutId, transfer, wrong)
}

/**
 * Unknown: noted, and thrown for the job to come again. No access: the account pauses; a payout that surely has no
 * transfer goes back to approved, so that it may be cancelled meanwhile. A transfer that Wise does not show is the trouble
 * of its payout alone, which says so and is looked at ever more rarely.
 */
async function settleFailure({ services, lease, account }: Work, payoutId: string, error: WiseError) {
  const { db, log } = services
  const denied = error.kind === 'unauthorized' || error.kind === 'forbidden' ? error.kind : null
  await lease.hold(async (tx) => {
    const now = await reload(tx, payoutId)
    if (!now) return
    const { payout, attempt } = now
    await tx.run`update payouts set checked_at = ${tx.now} where id = ${payoutId}`
    await saveAttempt(tx, attempt.id, { error: error.message })
    if (error.kind === 'withheld') await lookLater(tx, payout, error.message)
    if (denied && payout.status === 'processing' && isSilent(attempt)) {
      const verdict = await judge(tx, account, payout, undefined)
      if (verdict.holds) await move(tx, account, payoutId, 'step-back', { reason: error.message })
      else await applyVerdict(tx, account, payout, verdict)
    }
  })
  if (denied) {
    await noteWiseError(db, account.id, { kind: denied, message: error.message })
    return log.warn({ payoutId, status: error.status }, 'Wise refuses access; automatic payouts pause')
  }
  if (error.kind === 'withheld') return log.info({ payoutId, status: error.status }, 'Wise does not show a transfer')
  throw error
}

/** After one hour, two, four and so on, a week at most. What is paid stays paid without a word. */
async function lookLater(tx: Transaction, payout: UnderWay, words: string) {
  await tx.run`
    update payouts set looks_refused = looks_refused + 1,
      look_after = ${tx.now}::timestamptz + make_interval(hours => least(power(2, least(looks_refused, 10))::integer, 168))
    where id = ${payout.id}`
  if (payout.status !== 'paid') await sayWhy(tx, payout.id, words)
}
