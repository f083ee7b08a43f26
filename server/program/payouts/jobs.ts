import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { type AccountFacts, accountFacts } from '../access/access.ts'
import type { JobData } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/services.ts'
import { runAutomaticPayouts } from './approve.ts'
import { gather, tellWhatIsDue } from './gather.ts'
import { WiseError } from './methods/wise/client.ts'
import { clearWiseError, wiseOf } from '../../payouts/methods/wise/connection.ts'
import { advance } from '../../payouts/methods/wise/pay-out.ts'
import { countUnapproved } from './payouts.ts'
import { findPayoutAccount, RUN_AT } from './terms.ts'

/** How often Wise is asked about an open transfer, beside its events. */
const POLL_MINUTES = 10
/** A bounce may come long after a payout counts as paid: so long it is looked at, once a day. */
const WATCH_PAID_DAYS = 90
const POLL_BATCH = 500
/** Of payouts `o`: Wise may still have news. */
const isOpen = sql`(o.status in ('approved', 'processing', 'awaiting-funding', 'sent')
  or (o.status = 'returned' and exists (select from payout_entries b where b.payout_id = o.id and b.live)))`

/** Of payouts `o`: Wise shows its transfer, or has not been asked for long. */
const isShown = (now: Date) => sql`(o.look_after is null or o.look_after <= ${now})`

/**
 * The job of a payout under way. Whatever is unknown fails it, so that it comes again: after 1, 2, 4 … seconds, and when
 * Wise names a time, then. Beyond a day the poll goes on.
 */
export async function payOut(services: Services, { payoutId, poll }: JobData['pay-out']): Promise<void> {
  try {
    if ((await advance(services, payoutId)) === 'busy' && !poll)
      throw new Error(`payout ${payoutId} is being worked on; it is looked at again`)
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    if (poll) return services.log.info({ payoutId, status: error.status }, 'Wise could not be asked about a payout')
    if (error.retryAfter === null) throw error
    const startAfter = error.retryAfter
    await transaction(services.db, (tx) => services.jobs.add(tx, 'pay-out', { payoutId }, { startAfter }))
  }
}

/** Looks at open transfers in turn, and starts the automatic runs whose hour has come. */
export async function payoutsEveryMinute(services: Services): Promise<void> {
  await pollTransfers(services)
  await runDueAccounts(services)
}

/** Gathers what has fallen due, asks after tokens that Wise refused, and tells of what has been unknown for a day. */
export async function payoutsEveryHour(services: Services): Promise<void> {
  const { db } = services
  const accounts = await db.many<AccountFacts>`select ${accountFacts} from accounts a where a.disabled_at is null`
  await eachAlone(
    services,
    accounts,
    'what has fallen due could not be gathered; it is tried again in an hour',
    (account) => transaction(db, (tx) => gatherAndTell(tx, account)),
  )
  await recheckTokens(services)
  await reportUnknown(services)
}

/** Adds a job for each open transfer that nobody has looked at for ten minutes. Answers how many. */
export const pollTransfers = (services: Services): Promise<number> =>
  transaction(services.db, async (tx) => {
    const payouts = await tx.many<{ id: string }>`
      update payouts set checked_at = ${tx.now}
      where id in (
        select o.id from payouts o join accounts a on a.id = o.account_id
        where o.method = 'wise' and a.disabled_at is null and ${isShown(tx.now)} and (
          (${isOpen} and coalesce(o.checked_at, o.approved_at) <= ${tx.now}::timestamptz - make_interval(mins => ${POLL_MINUTES}))
          or (o.status = 'paid' and o.paid_at > ${tx.now}::timestamptz - make_interval(days => ${WATCH_PAID_DAYS})
            and coalesce(o.checked_at, o.paid_at) <= ${tx.now}::timestamptz - interval '1 day'))
        order by o.checked_at nulls first limit ${POLL_BATCH} for update of o skip locked)
      returning id`
    for (const { id } of payouts) await services.jobs.add(tx, 'pay-out', { payoutId: id, poll: true })
    return payouts.length
  })

async function runDueAccounts(services: Services) {
  const { db } = services
  const accounts = await db.many<AccountFacts>`
    select ${accountFacts} from accounts a join payout_accounts pa on pa.account_id = a.id
    where pa.enabled and pa.wise_error is null and a.disabled_at is null
      and coalesce(pa.last_run_on, '-infinity') < (${db.now}::timestamptz at time zone a.time_zone)::date
      and extract(hour from ${db.now}::timestamptz at time zone a.time_zone) >= ${RUN_AT}`
  await eachAlone(services, accounts, 'an automatic run failed; it is tried again in a minute', (account) =>
    transaction(db, (tx) => gatherAndRun(tx, services, account, true)),
  )
}

/** One account after the other; what fails for one is logged and stops no other. */
async function eachAlone<T extends { id: string }>(
  { log }: Services,
  accounts: T[],
  whatFailed: string,
  work: (account: T) => Promise<unknown>,
) {
  for (const account of accounts)
    try {
      await work(account)
    } catch (error) {
      log.error({ accountId: account.id, err: error }, whatFailed)
    }
}

async function gatherAndRun(tx: Transaction, services: Services, account: AccountFacts, daily: boolean) {
  await gatherAndTell(tx, account)
  await runAutomaticPayouts(tx, services, account, { daily })
}

async function gatherAndTell(tx: Transaction, account: AccountFacts) {
  await tellWhatIsDue(tx, account)
  await gather(tx, account)
}

const AT_ONCE = 4
const REFRESH_MS = 15_000

/**
 * Gathers, makes the automatic run and reads open transfers back, now. Wise may be slow: after fifteen seconds the rest
 * is left to the poll. Answers how many payouts can be approved and how many are blocked.
 */
export async function refreshPayouts(services: Services, account: AccountFacts) {
  const { db, log } = services
  await transaction(db, (tx) => gatherAndRun(tx, services, account, false))
  const payouts = await db.many<{ id: string }>`
    select o.id from payouts o
    where o.account_id = ${account.id} and o.method = 'wise' and ${isOpen} and o.status <> 'approved' and ${isShown(db.now)}
    order by o.checked_at nulls first`
  const until = Date.now() + REFRESH_MS
  const next = payouts.values()
  const readOn = async () => {
    for (const { id } of next) {
      if (Date.now() > until) return
      await advance(services, id).catch((error: unknown) => {
        if (error instanceof WiseError)
          log.info({ payoutId: id, status: error.status }, 'Wise could not be asked about a payout')
        else log.error({ payoutId: id, err: error }, 'a payout could not be looked at; the others go on')
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  return countUnapproved(db, account)
}

/** A refusal of the token may have been for a while. */
async function recheckTokens(services: Services) {
  const { db } = services
  const accounts = await db.many<{ id: string }>`
    select account_id as id from payout_accounts where wise_error_kind = 'unauthorized'`
  await eachAlone(services, accounts, 'a Wise token could not be tried', async ({ id }) => {
    const wise = wiseOf(services, id, (await findPayoutAccount(db, id))!)
    const taken = await wise?.profiles().then(
      () => true,
      () => false,
    )
    if (taken) await clearWiseError(db, id, 'any-call')
  })
}

async function reportUnknown({ db, log }: Services) {
  const unknown = await db.many<{ payoutId: string; error: string }>`
    select a.payout_id, a.error from payout_attempts a join payouts o on o.id = a.payout_id
    where o.status = 'processing' and a.error is not null and a.transfer_id is null
      and a.at < ${db.now}::timestamptz - interval '24 hours'`
  for (const attempt of unknown) log.error(attempt, 'Wise has not told for a day whether a payout has its transfer')
}
