import type { RefreshedPayouts } from '#contract/payouts.ts'
import { system } from '../../platform/author.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { sendSignal } from '../../platform/events/emit-event.ts'
import { forEachIsolated } from '../../platform/jobs/each-alone.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/services.ts'
import { dayIn } from '../../platform/time/days.ts'
import { type AccountFacts, accountFacts } from '../access/account-facts.ts'
import { eachPayday } from '../access/each-night.ts'
import { isPaydayToday, MAIL_TASK } from '../access/paydays.ts'
import { emitEntryEvents } from '../commissions/emit-entry-events.ts'
import { entriesWithPayout, isBonusJudged, isEntryOnHold } from '../commissions/entry-status.ts'
import { type ApprovalMeans, runAutomaticPayouts } from './approve.ts'
import { clearTrouble, listRejectedConnections, openConnection } from './connections.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { type PayoutProvider, ProviderError } from './methods/method.ts'
import { apiMethodNames, apiMethods, connecting, findPayoutProvider } from './methods/registry.ts'
import { lockPayoutAccount, runTaskName } from './payout-terms.ts'
import { countByPerson, countUnapproved } from './payouts.ts'
import { advancePayout } from './process-payout.ts'
import { type PayOutJob, payOutQueue } from './queue.ts'
import { paydayCame } from './signals.ts'

const POLL_BATCH = 500
/**
 * Payouts `o` that may still change at the provider. 'offset 0': one index search each; otherwise the planner might
 * read all live entries.
 */
const isOpen = (
  accountId = sql`o.account_id`,
) => sql`(o.status in ('approved', 'processing', 'awaiting-funding', 'sent')
  or (o.status = 'returned' and exists (
    select from payout_entries b where b.account_id = ${accountId} and b.payout_id = o.id and b.live offset 0)))`

/** Payouts `o` whose transfer is visible, or whose next look is due. */
const isShown = (now: Date) => sql`(o.look_after is null or o.look_after <= ${now})`

/**
 * Runs the job of a payout under way. An unknown result fails it, so that it is retried: after 1, 2, 4 … seconds, but no
 * sooner than the provider asks. After a day only the poll continues.
 */
export async function payOut(services: Services, { payoutId, poll, tries = 0 }: PayOutJob): Promise<void> {
  try {
    if ((await advancePayout(services, payoutId)) === 'busy' && !poll)
      throw new Error(`payout ${payoutId} is being worked on; it is looked at again`)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (poll) return services.log.info({ payoutId, status: error.status }, NOT_ASKED)
    if (error.retryAfter === null) throw error
    const startAfter = Math.max(error.retryAfter, Math.min(2 ** tries, LONGEST_PAUSE))
    const again = { payoutId, tries: tries + 1 }
    await transaction(services.db, (tx) => services.jobs.add(tx, payOutQueue, again, { startAfter }))
  }
}

/** Seconds, as of retries. */
const LONGEST_PAUSE = 900

const NOT_ASKED = 'a payout could not be asked about'

/** Gathers amounts that have become due, and sends their events. */
export async function gatherDue({ db, log }: Services): Promise<void> {
  const accounts = await db.many<AccountFacts>`select ${accountFacts} from accounts a where a.disabled_at is null`
  await forEachIsolated(log, 'gather-payouts', accounts, (account) =>
    transaction(db, (tx) => gatherAndEmit(tx, account)),
  )
}

/** Adds a job for each open payout that was not checked within its method's interval. Returns how many. */
export async function pollTransfers({ db, jobs }: Services): Promise<number> {
  let count = 0
  for (const { name, provider } of apiMethods) count += await poll(db, jobs, name, provider.looks)
  return count
}

async function poll(db: Database, jobs: Jobs, name: string, looks: PayoutProvider['looks']) {
  const { now } = db
  const { everyMinutes, sentEveryMinutes = everyMinutes, paidForDays } = looks
  const interval = sql`make_interval(mins => case when o.status = 'sent' then ${sentEveryMinutes}::integer else ${everyMinutes}::integer end)`
  const isDue = (accountId?: Sql) => sql`o.method = ${name} and ${isShown(now)} and (
    (${isOpen(accountId)} and coalesce(o.checked_at, o.approved_at) <= ${now}::timestamptz - ${interval})
    or (o.status = 'paid' and o.paid_at > ${now}::timestamptz - make_interval(days => ${paidForDays})
      and coalesce(o.checked_at, o.paid_at) <= ${now}::timestamptz - interval '1 day'))`
  const due = await db.many<{ id: string; accountId: string }>`
    select o.id, o.account_id from payouts o join accounts a on a.id = o.account_id
    where a.disabled_at is null and ${isDue()} order by o.checked_at nulls first limit ${POLL_BATCH}`
  let count = 0
  // by account, since only its own machine can skip locked rows; checked again, as another process may have checked
  // meanwhile
  for (const [accountId, some] of Map.groupBy(due, (one) => one.accountId))
    count += await transaction(db, async (tx) => {
      const payouts = await tx.many<{ id: string }>`
        update payouts set checked_at = ${now}
        where account_id = ${accountId} and id in (
          select o.id from payouts o
          where o.account_id = ${accountId} and o.id = any(${some.map(({ id }) => id)}::uuid[]) and ${isDue(sql`${accountId}`)}
          for update skip locked)
        returning id`
      for (const { id } of payouts) await jobs.add(tx, payOutQueue, { payoutId: id, poll: true })
      return payouts.length
    })
  return count
}

const oneAfterAnother =
  <T>(works: ((given: T) => Promise<void>)[]) =>
  async (given: T) => {
    for (const work of works) await work(given)
  }

const isRunning = sql`pa.enabled and pa.trouble_with is distinct from ${connecting.name}`
const runsByItself = (name: string) => sql`${name} = any(pa.methods) and exists (
  select from method_secrets s
  where s.account_id = pa.account_id and s.method = ${name} and s.automatic and s.trouble is null)`

/** Makes the automatic runs of each account whose payday has come: one of each method, as one may be in trouble. */
export const runDueAccounts = oneAfterAnother(
  apiMethods.map(({ name }) =>
    eachPayday(
      runTaskName(name),
      async (tx, account, services) => (await gatherAndRun(tx, services, account, name)) !== null,
      {
        eligible: () => sql`a.id in (
          select pa.account_id from payout_accounts pa left join payout_reconciliations r on r.account_id = pa.account_id
          where r.paused_at is null and ${name === connecting.name ? isRunning : runsByItself(name)})`,
      },
    ),
  ),
)

/** Tells, on each payday, that payouts wait which no run takes. Every day, this would be too often. */
export const emitPaydays = eachPayday(
  MAIL_TASK,
  async (tx, account) => {
    await gatherAndEmit(tx, account)
    if ((await countByPerson(tx, account)) > 0)
      await sendSignal(tx, account.id, paydayCame, { day: dayIn(account.timeZone, tx.now) })
  },
  {
    onTheDay: true,
    eligible: () => sql`a.paydays ->> 'every' <> 'day'`,
  },
)

async function gatherAndRun(tx: Transaction, means: ApprovalMeans, account: AccountFacts, method?: string) {
  await gatherForRun(tx, account)
  return runAutomaticPayouts(tx, means, account, method)
}

/** Gathers what is due before a run approves it, and locks the partners whom it may concern. */
export async function gatherForRun(tx: Transaction, account: AccountFacts) {
  // before the account's payouts, as everybody locks them
  await tx.run`
    select from partners where account_id = ${account.id} and id in (
      select partner_id from payouts where account_id = ${account.id} and status = 'gathering')
    order by id for share`
  await gatherAndEmit(tx, account)
}

async function gatherAndEmit(tx: Transaction, account: AccountFacts) {
  await emitDueEntries(tx, account)
  await gatherPayouts(tx, account)
}

/**
 * Sends one event for every entry that has become payable since the last run: its day has come, it was booked
 * afterwards, or its sale's hold has ended, automatically or by a person.
 */
async function emitDueEntries(tx: Transaction, account: AccountFacts): Promise<void> {
  await lockPayoutAccount(tx, account.id)
  const until = await tx.value<string>`
    select coalesce(due_told_until, '-infinity')::text from payout_accounts where account_id = ${account.id}`
  // two ranges, each found by an index
  await tx.run`
    insert into untold_entries (entry_id, account_id)
    select id, account_id from commission_entries
    where account_id = ${account.id} and available_at <= ${tx.now}
      and (available_at > ${until}::timestamptz
        or (created_at > ${until}::timestamptz and created_at <= ${tx.now}))`
  const entries = await tx.many<{ id: string }>`
    delete from untold_entries u using ${entriesWithPayout}
    where u.account_id = ${account.id} and t.account_id = u.account_id and t.id = u.entry_id and not ${isEntryOnHold(tx.now, account.id)}
      and not ${isBonusJudged(account.id)}
    returning t.id`
  await emitEntryEvents(
    tx,
    entries.map(({ id }) => ({ by: system, accountId: account.id, type: 'commission.due', id })),
  )
  await tx.run`update payout_accounts set due_told_until = ${tx.now} where account_id = ${account.id}`
}

const AT_ONCE = 4
const REFRESH_MS = 15_000

/**
 * Gathers, makes the automatic run on a payday and reads open transfers back, now. A provider may be slow: after fifteen seconds
 * the poll does the rest. Returns how many payouts can be approved and how many are blocked.
 */
export async function refreshPayouts(services: Services, account: AccountFacts, { gatherOnly }: RefreshedPayouts = {}) {
  const { db, log } = services
  if (gatherOnly) {
    await transaction(db, (tx) => gatherPayouts(tx, account))
    return countUnapproved(db, account)
  }
  await transaction(db, async (tx) => {
    if (isPaydayToday(account, tx.now)) await gatherAndRun(tx, services, account)
    else await gatherAndEmit(tx, account)
  })
  const payouts = await db.many<{ id: string }>`
    select o.id from payouts o
    where o.account_id = ${account.id} and o.method = any(${apiMethodNames}::text[]) and ${isOpen(sql`${account.id}`)} and o.status <> 'approved' and ${isShown(db.now)}
    order by o.checked_at nulls first`
  const until = Date.now() + REFRESH_MS
  const next = payouts.values()
  const readOn = async () => {
    for (const { id } of next) {
      if (Date.now() > until) return
      await advancePayout(services, id).catch((error: unknown) => {
        if (error instanceof ProviderError) log.info({ payoutId: id, status: error.status }, NOT_ASKED)
        else log.error({ payoutId: id, err: error }, 'a payout could not be checked; the others continue')
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  return countUnapproved(db, account)
}

/** Retries rejected connections; the rejection may have been temporary. */
export async function recheckTrouble(services: Services): Promise<void> {
  const { db, log } = services
  await forEachIsolated(log, 'recheck-payout-methods', await listRejectedConnections(db), async ({ id, method }) => {
    const connection = await openConnection(services, id, method)
    const isAccepted =
      connection &&
      (await findPayoutProvider(method)
        ?.profiles(connection.api)
        .then(
          () => true,
          () => false,
        ))
    if (isAccepted) await clearTrouble(db, id, method, 'any-call')
  })
}

/** Logs payouts whose result has been unknown for a day. */
export async function reportUnknown({ db, log }: Services): Promise<void> {
  const unknown = await db.many<{ payoutId: string; method: string; error: string }>`
    select a.payout_id, o.method, a.error from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where o.status = 'processing' and a.error is not null and a.transfer_id is null
      and a.at < ${db.now}::timestamptz - interval '24 hours'`
  for (const attempt of unknown) log.error(attempt, 'it has been unclear for a day whether a payout has its transfer')
}
