import { v5 } from 'uuid'
import { newId } from '../../../database/ids.ts'
import type { Transaction } from '../../../database/pool.ts'
import type { AccountFacts } from '../../../http/access.ts'
import type { Services } from '../../../services.ts'
import { openDetails, payoutDetailsPlace } from '../../deposit-details.ts'
import { type Lease, LeaseLost, withLease } from '../../lease.ts'
import { findPayoutAccount } from '../../terms.ts'
import { type Transfer, type Wise, WiseError } from './client.ts'
import { clearWiseError, noteWiseError, wiseOf } from './connection.ts'
import { applyStop, change, follow } from './follow.ts'
import {
  type Attempt,
  accountOf,
  latestAttempt,
  overStates,
  saveAttempt,
  type UnderWay,
  underWay,
} from './situation.ts'

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

/**
 * Brings a payout as far as it can come now: makes its transfer at Wise and funds it, or reads it back and follows.
 * Every result is committed before the next call, so it may be called any time, also after a death at any line:
 * it goes on where the rows say it is. What is unknown (a time-out, a reset, a 5xx) is asked again with the same
 * transaction id, never called failed; it throws `WiseError` of the kind 'unknown', for the job to come again.
 * Answers 'busy' while another worker has the payout.
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
    const payoutAccount = await findPayoutAccount(db, account.id)
    const wise = payoutAccount && wiseOf(services, account.id, payoutAccount)
    if (!wise || account.disabledAt) return
    const work: Work = { services, wise, account, profileId: payoutAccount.wiseProfile?.id ?? null, lease, onStep }
    try {
      await bringOn(work, payout)
      if (payoutAccount.wiseError) await clearWiseError(db, account.id, 'any-call')
    } catch (error) {
      if (error instanceof LeaseLost) return log.warn({ payoutId }, 'another worker took the payout over')
      if (!(error instanceof WiseError)) throw error
      await settleFailure(work, payoutId, error)
    }
  })
  return result === 'busy' ? 'busy' : 'done'
}

async function bringOn(work: Work, payout: UnderWay): Promise<void> {
  switch (payout.status) {
    case 'approved':
    case 'processing':
      return payOut(work, payout)
    case 'awaiting-funding':
    case 'sent':
    case 'paid':
    case 'returned': {
      const attempt = await latestAttempt(work.services.db, payout.id)
      if (attempt?.transferId) await readBack(work, payout, attempt)
    }
  }
}

async function payOut(work: Work, found: UnderWay) {
  const begun = found.status === 'approved' ? await begin(work, found) : await resume(work, found)
  if (!begun) return
  const { payout, attempt } = begun
  if (attempt.transferId) return readBack(work, payout, attempt)
  if (payout.stopReason && attempt.state !== 'transferring') return abandon(work, payout, attempt)
  const made = await makeTransfer(work, payout, attempt)
  if (!made) return
  await clearWiseError(work.services.db, work.account.id, 'transfer')
  await goOn(work, made.payout, made.attempt, made.transfer)
}

/** The attempt and its transaction id are there before the first call. */
const begin = ({ lease, profileId, onStep }: Work, payout: UnderWay) =>
  lease
    .hold(async (tx) => {
      if (!profileId) return undefined
      const changed = await tx.run`
        update payouts set status = 'processing', failure_reason = null, updated_at = ${tx.now}, checked_at = ${tx.now}
        where id = ${payout.id} and status = 'approved' and stop_reason is null`
      if (changed === 0) return undefined
      const last = await latestAttempt(tx, payout.id)
      if (!last || overStates.includes(last.state)) {
        const number = (last?.number ?? 0) + 1
        await tx.run`
          insert into payout_attempts (id, payout_id, number, customer_transaction_id, wise_profile_id, state, at, updated_at)
          values (${newId()}, ${payout.id}, ${number}, ${transactionId(payout.id, number)}, ${profileId}, 'created',
            ${tx.now}, ${tx.now})`
      }
      return reload(tx, payout.id)
    })
    .then(async (begun) => {
      if (begun) await onStep('attempt-saved')
      return begun
    })

/** The same for ever for a payout's nth attempt: Wise makes one transfer for it. */
export const transactionId = (payoutId: string, number: number) => v5(String(number), payoutId)

const resume = ({ lease }: Work, { id }: UnderWay) => lease.hold((tx) => reload(tx, id))

async function reload(tx: Transaction, payoutId: string) {
  const payout = await underWay(tx, payoutId)
  const attempt = await latestAttempt(tx, payoutId)
  return payout && attempt ? { payout, attempt } : undefined
}

type Made = { payout: UnderWay; attempt: Attempt; transfer: Transfer }

/** Quote, recipient, transfer: each asked for only where the rows do not have it yet. Nothing where it ended otherwise. */
async function makeTransfer(work: Work, payout: UnderWay, attempt: Attempt): Promise<Made | undefined> {
  const { wise, onStep } = work
  let at = { payout, attempt }
  // a quote may run out, a recipient may be gone: each is renewed once
  for (let round = 0; round < 3; round++) {
    const asked = at.attempt.state === 'transferring'
    if (!asked) {
      const quoted = await ensureQuote(work, at.payout, at.attempt)
      if (!quoted) return undefined
      at = quoted
      const known = await ensureRecipient(work, at.payout, at.attempt)
      if (!known) return undefined
      at = known
      const announced = await save(work, at, { state: 'transferring' })
      if (!announced) return undefined
      at = announced
      await onStep('transfer-announced')
    }
    const outcome = await askForTransfer(work, at.payout, at.attempt, asked)
    if (outcome === 'again') {
      const next = await resume(work, payout)
      if (!next) return undefined
      at = next
      continue
    }
    if (outcome === 'rejected') return undefined
    await onStep('transfer-made')
    const saved = await work.lease.hold(async (tx) => {
      await saveAttempt(tx, at.attempt.id, { transferId: outcome.id, state: outcome.status, error: null })
      return reload(tx, payout.id)
    })
    await onStep('transfer-saved')
    return saved && { ...saved, transfer: outcome }
  }
  throw new WiseError('unknown', 'Wise takes no quote for this payout in time.')

  async function askForTransfer(
    work: Work,
    payout: UnderWay,
    attempt: Attempt,
    askedBefore: boolean,
  ): Promise<Transfer | 'again' | 'rejected'> {
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
        const found = await wise.findTransfer(
          attempt.wiseProfileId,
          attempt.customerTransactionId,
          new Date(attempt.at),
        )
        if (found) return found
      }
      return refusedTransfer(work, payout, attempt, error)
    }
  }
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
  await lease.hold((tx) => reject(tx, work.account, payout, attempt, error.message, ofRecipient))
  return 'rejected'
}

const wasReused = async ({ services: { db } }: Work, { id, recipientId }: Attempt) =>
  (
    await db.one<{ reused: boolean }>`
    select exists (select from payout_attempts where recipient_id = ${recipientId} and id <> ${id}) as reused`
  ).reused

async function ensureQuote(work: Work, payout: UnderWay, attempt: Attempt) {
  const { wise, lease, onStep } = work
  const fresh =
    attempt.quoteId &&
    (!attempt.quoteExpiresAt || Date.parse(attempt.quoteExpiresAt) - 60_000 > work.services.db.now.getTime())
  if (fresh) return { payout, attempt }
  let quote: Awaited<ReturnType<Wise['createQuote']>>
  try {
    quote = await wise.createQuote(attempt.wiseProfileId, payout)
    if (quote.blocked) throw new WiseError('refused', quote.blocked)
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind !== 'refused') throw error
    await lease.hold((tx) => reject(tx, work.account, payout, attempt, error.message, false))
    return undefined
  }
  await onStep('quoted')
  const saved = await save(
    work,
    { payout, attempt },
    {
      quoteId: quote.id,
      quoteExpiresAt: quote.expiresAt,
      rate: quote.rate,
      fee: quote.fee,
      state: attempt.recipientId ? 'recipient-known' : 'quoted',
    },
  )
  await onStep('quote-saved')
  return saved
}

/** The details that approval fixed, as a recipient at Wise; one made earlier for the same details serves again. */
async function ensureRecipient(work: Work, payout: UnderWay, attempt: Attempt) {
  const { wise, services, lease, account, onStep } = work
  if (attempt.recipientId) return { payout, attempt }
  const known = await services.db.maybe<{ recipientId: string }>`
    select wise_recipient_id as recipient_id from payout_settings
    where partner_id = ${payout.partnerId} and version = ${payout.detailsVersion}
      and wise_recipient_profile_id = ${attempt.wiseProfileId} and wise_recipient_id is not null`
  let recipientId = known?.recipientId
  if (!recipientId) {
    try {
      const details = openDetails(services.secrets, payout.detailsSealed, payoutDetailsPlace(payout.id, account.id))
      recipientId = await wise.createRecipient(attempt.wiseProfileId, details)
    } catch (error) {
      if (!(error instanceof WiseError) || error.kind !== 'refused') throw error
      await lease.hold((tx) => reject(tx, account, payout, attempt, describe(error), true))
      return undefined
    }
  }
  await onStep('recipient-made')
  const made = recipientId
  const saved = await save(
    work,
    { payout, attempt },
    { recipientId: made, state: 'recipient-known' },
    (tx) =>
      tx.run`
      update payout_settings set wise_recipient_id = ${made}, wise_recipient_profile_id = ${attempt.wiseProfileId}
      where partner_id = ${payout.partnerId} and version = ${payout.detailsVersion}`,
  )
  await onStep('recipient-saved')
  return saved
}

/** Commits what has arrived; nothing is answered where the payout is to stop. */
async function save(
  work: Work,
  { payout, attempt }: { payout: UnderWay; attempt: Attempt },
  change: Parameters<typeof saveAttempt>[2],
  beside: (tx: Transaction) => Promise<unknown> = async () => {},
) {
  return work.lease.hold(async (tx) => {
    const now = await underWay(tx, payout.id)
    if (now?.stopReason) {
      await giveUp(tx, work.account, now, attempt)
      return undefined
    }
    await saveAttempt(tx, attempt.id, { ...change, error: null })
    await beside(tx)
    return reload(tx, payout.id)
  })
}

const abandon = ({ lease, account }: Work, payout: UnderWay, attempt: Attempt) =>
  lease.hold((tx) => giveUp(tx, account, payout, attempt))

/** No transfer was asked for, so none exists: the stop takes effect at once. */
async function giveUp(tx: Transaction, account: AccountFacts, payout: UnderWay, attempt: Attempt) {
  await saveAttempt(tx, attempt.id, { state: 'abandoned' })
  await applyStop(tx, account, payout)
}

/** A proven refusal: the payout has failed in Wise's words, and details that Wise does not take are not tried again. */
async function reject(
  tx: Transaction,
  account: AccountFacts,
  payout: UnderWay,
  attempt: Attempt,
  words: string,
  ofRecipient: boolean,
) {
  await saveAttempt(tx, attempt.id, { state: 'rejected', error: words })
  if (ofRecipient)
    await tx.run`
      update payout_settings set rejected_reason = ${words}, updated_at = updated_at
      where partner_id = ${payout.partnerId} and version = ${payout.detailsVersion}`
  const now = await underWay(tx, payout.id)
  if (now?.stopReason) return applyStop(tx, account, now)
  await change(tx, account, payout, 'failed', words)
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
async function readBack(work: Work, payout: UnderWay, attempt: Attempt) {
  const transfer = await work.wise.transfer(attempt.transferId!)
  await goOn(work, payout, attempt, transfer)
}

const WAITING = 'incoming_payment_waiting'

async function goOn(work: Work, payout: UnderWay, attempt: Attempt, transfer: Transfer) {
  const now = await work.lease.hold(async (tx) => {
    await follow(tx, work.account, payout, attempt, transfer.status)
    return reload(tx, payout.id)
  })
  if (!now || transfer.status !== WAITING) return
  if (now.payout.stopReason) return stopTransfer(work, now.payout, now.attempt)
  if (isToBeFunded(now.payout, now.attempt)) await fund(work, now.payout, now.attempt)
}

/** At first, when the owner asks, and for want of balance with every look; where only the owner can pay, never again. */
const isToBeFunded = ({ status, fundAgain }: UnderWay, { fundedAt, fundingProblem }: Attempt) =>
  !fundedAt &&
  (status === 'processing' || (status === 'awaiting-funding' && (fundAgain || fundingProblem === 'balance')))

/** Pays the transfer, which was just read and waits for it. */
async function fund(work: Work, payout: UnderWay, attempt: Attempt) {
  const { wise, lease, account, onStep } = work
  const transferId = attempt.transferId!
  const stopped = await lease.hold(async (tx) => {
    await tx.run`update payouts set fund_again = false where id = ${payout.id}`
    return (await underWay(tx, payout.id))?.stopReason
  })
  if (stopped) return stopTransfer(work, { ...payout, stopReason: stopped }, attempt)
  const wait = (problem: 'balance' | 'forbidden', words: string) =>
    lease.hold((tx) => awaitFunding(tx, account, payout, attempt, problem, words))
  try {
    const { completed, errorCode } = await wise.fund(attempt.wiseProfileId, transferId)
    await onStep('funded')
    if (!completed) return await wait('balance', refusedFunding(errorCode, payout.currency))
    await lease.hold(async (tx) => {
      await saveAttempt(tx, attempt.id, { fundedAt: tx.now, fundingProblem: null, error: null })
      if (payout.status === 'awaiting-funding') await change(tx, account, payout, 'processing')
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
  const now = await lease.hold((tx) => reload(tx, payout.id))
  const transfer = await wise.transfer(transferId)
  if (now) await lease.hold((tx) => follow(tx, account, now.payout, now.attempt, transfer.status))
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
  payout: UnderWay,
  attempt: Attempt,
  problem: 'balance' | 'forbidden',
  words: string,
) {
  await saveAttempt(tx, attempt.id, { fundingProblem: problem, error: words })
  if (payout.status !== 'awaiting-funding') return change(tx, account, payout, 'awaiting-funding', words)
  await tx.run`
    update payouts set failure_reason = ${words}, updated_at = ${tx.now}
    where id = ${payout.id} and failure_reason is distinct from ${words}`
}

/** Cancels the unfunded transfer at Wise, then does what the stop was for. Too late, where it was paid meanwhile. */
async function stopTransfer(work: Work, payout: UnderWay, attempt: Attempt) {
  const { wise, lease, account } = work
  let transfer: Transfer
  try {
    transfer = await wise.cancelTransfer(attempt.transferId!)
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind !== 'refused') throw error
    transfer = await wise.transfer(attempt.transferId!)
  }
  await lease.hold((tx) => follow(tx, account, payout, attempt, transfer.status))
}

/**
 * Unknown: noted, and thrown for the job to come again. No access: the account pauses; a payout that surely has no
 * transfer goes back to approved, so that it may be cancelled meanwhile.
 */
async function settleFailure({ services, lease, account }: Work, payoutId: string, error: WiseError) {
  const denied = error.kind === 'unauthorized' || error.kind === 'forbidden' ? error.kind : null
  await lease.hold(async (tx) => {
    const now = await reload(tx, payoutId)
    if (!now) return
    await tx.run`update payouts set checked_at = ${tx.now} where id = ${payoutId}`
    await saveAttempt(tx, now.attempt.id, { error: error.message })
    const { payout, attempt } = now
    if (denied && payout.status === 'processing' && !attempt.transferId && attempt.state !== 'transferring')
      await tx.run`
        update payouts set status = 'approved', failure_reason = ${error.message}, updated_at = ${tx.now}
        where id = ${payoutId} and status = 'processing'`
  })
  if (denied) {
    await noteWiseError(services.db, account.id, { kind: denied, message: error.message })
    services.log.warn({ payoutId, status: error.status }, 'Wise refuses access; automatic payouts pause')
    return
  }
  throw error
}
