import { type By, system } from '../../platform/by.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { clearTrouble, noteTrouble } from './connection-trouble.ts'
import { openDetails, payoutDetailsPlace } from './deposit-details.ts'
import { gather } from './gather.ts'
import { judge, undo } from './judge.ts'
import type { Carried, Method, UnderWay } from './methods/method.ts'
import { free, move, say } from './move.ts'
import { payOutQueue } from './queue.ts'

type Holder = Pick<Carried, 'hold' | 'onStep'> & { method: Method }

/** Returns the payout's handle for its method: the only ways in which a method changes it. */
export function carry(
  services: Services,
  account: AccountFacts,
  payoutId: string,
  { method, hold, onStep }: Holder,
): Carried {
  const read = (db: Queryable) => readUnderWay(db, payoutId, method.name)
  return {
    ...{ services, account, payoutId, hold, onStep, read },
    details: () => fixedDetails(services, account, payoutId),
    judge: (tx, payout) => judge(tx, account, payout),
    undo: (tx, payout, verdict) => undo(tx, account, payout, verdict),
    move: (tx, name, how) => move(tx, account, payoutId, name, how),
    giveBack: (tx, reason, change) => giveBack(tx, account, payoutId, { reason, change }),
    isFreed,
    rejectDetails,
    say: (tx, words) => say(tx, payoutId, words),
    unsay: async (tx, words) => {
      await tx.run`update payouts set failure_reason = null where id = ${payoutId} and failure_reason = ${words}`
    },
    looked: (tx) => tx.run`update payouts set checked_at = ${tx.now} where id = ${payoutId}`.then(() => {}),
    shown: (tx) => shown(tx, payoutId),
    lookLater: (tx) => lookLater(tx, payoutId),
    lookAfter: (tx, seconds) => lookAfter(tx, payoutId, seconds),
    triesAgain: (tx) => tx.run`update payouts set fund_again = false where id = ${payoutId}`.then(() => {}),
    comeAgain: (tx) => services.jobs.add(tx, payOutQueue, { payoutId }),
    pause: (trouble) => noteTrouble(services.db, account.id, method.name, trouble),
    resume: (proof) => clearTrouble(services.db, account.id, method.name, proof),
  }
}

const readUnderWay = (db: Queryable, id: string, method: string) => db.maybe<UnderWay>`
  select id, account_id, partner_id, status, amount, currency, statement_number, details_version, stop_reason, fund_again, sent_at,
    looks_refused
  from payouts where id = ${id} and method = ${method}`

async function fixedDetails({ db, secrets }: Services, account: AccountFacts, payoutId: string) {
  const { sealed } = await db.one<{ sealed: Buffer | null }>`
    select details_sealed as sealed from payouts where id = ${payoutId}`
  return sealed && openDetails(secrets, sealed, payoutDetailsPlace(payoutId, account.id))
}

/** Marks the payout as returned after the money came back for good; its entries are due again. */
export async function giveBack(
  tx: Transaction,
  account: AccountFacts,
  payoutId: string,
  { by = system, reason, change }: { by?: By; reason: string; change: { old: string; new: string } },
) {
  const { status, partnerId } = await tx.one<{ status: string; partnerId: string }>`
    select status, partner_id from payouts where id = ${payoutId} for update`
  if (status === 'returned') await say(tx, payoutId, reason)
  else await move(tx, account, payoutId, 'bounce', { by, reason })
  await free(tx, account, payoutId, partnerId)
  await gather(tx, account, [partnerId])
  await recorded(tx, by, account.id, 'payout.entries-released', { id: payoutId, changes: { transfer: change } })
}

/**
 * Whether the payout is returned and its entries are free, maybe paid by another payout: this one no longer changes.
 */
async function isFreed(tx: Transaction, { id, status }: UnderWay): Promise<boolean> {
  if (status !== 'returned') return false
  const { bound } = await tx.one<{ bound: boolean }>`
    select exists (select from payout_entries where payout_id = ${id} and live) as bound`
  return !bound
}

async function rejectDetails(tx: Transaction, { partnerId, detailsVersion }: UnderWay, words: string) {
  await tx.run`
    update payout_settings set rejected_reason = ${words}
    where partner_id = ${partnerId} and version = ${detailsVersion}`
}

async function shown(tx: Transaction, payoutId: string) {
  await tx.run`
    update payouts set checked_at = ${tx.now}, looks_refused = 0, look_after = null,
      failure_reason = case when looks_refused = 0 then failure_reason end
    where id = ${payoutId}`
}

async function lookLater(tx: Transaction, payoutId: string) {
  await tx.run`
    update payouts set looks_refused = looks_refused + 1,
      look_after = ${tx.now}::timestamptz + make_interval(hours => least(power(2, least(looks_refused, 10))::integer, 168))
    where id = ${payoutId}`
}

async function lookAfter(tx: Transaction, payoutId: string, seconds: number) {
  await tx.run`
    update payouts set look_after = greatest(look_after, ${tx.now}::timestamptz + make_interval(secs => ${seconds}))
    where id = ${payoutId}`
}
