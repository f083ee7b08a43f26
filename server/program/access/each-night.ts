import { isPayday } from '#contract/paydays.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { forEachIsolated } from '../../platform/jobs/each-alone.ts'
import type { Services } from '../../platform/services.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import { type AccountFacts, accountFacts, getAccountFacts } from './account-facts.ts'
import { hasHourCome, paydayTasks, paydayToRun } from './paydays.ts'

type Work = (tx: Transaction, account: AccountFacts, services: Services) => Promise<unknown>

const everyAccount = () => sql`true`

/**
 * Runs `work` once a day for each enabled and `eligible` account, from this hour in the account's time zone; a missed
 * run is made up for on the same day. The day is claimed in the work's own transaction, so a failed run is retried,
 * without stopping other accounts. If `work` returns false, it is rolled back and the day stays open.
 */
export const eachNight = (task: string, hour: number, work: Work, eligible: Task['eligible'] = everyAccount) =>
  dueAccounts({ task, hour, eligible }, (account, services) =>
    untilDone(services.db, async (tx) => {
      const isClaimed = (await claimDay(tx, account, task)) > 0
      return isClaimed ? work(tx, account, services) : undefined
    }),
  )

/**
 * Runs `work` once for each payday of each enabled and `eligible` account, from its hour on or, unless the work is
 * `onTheDay`, at the first chance after it. The payday is claimed like a day of `eachNight`; the account is read after
 * the claim, so that a change of its paydays comes before or after the run.
 */
export const eachPayday =
  (task: string, work: Work, { eligible, onTheDay = false }: Pick<Task, 'eligible'> & { onTheDay?: boolean }) =>
  async (services: Services): Promise<void> => {
    const { db, log } = services
    const accounts = await db.many<AccountFacts & { doneOn: string | null }>`
      select ${accountFacts}, d.done_on from accounts a left join account_days d on d.account_id = a.id and d.task = ${task}
      where a.disabled_at is null and ${eligible(db.now)}
        and coalesce(d.done_on, '-infinity') < (${db.now}::timestamptz at time zone a.time_zone)::date`
    await forEachIsolated(log, task, accounts, async ({ doneOn, ...account }) => {
      const day = paydayToRun(account, db.now, doneOn)
      if (day === null || (onTheDay && day !== dayIn(account.timeZone, db.now))) return
      await untilDone(db, async (tx) => {
        if ((await claimDay(tx, account, task, day)) === 0) return undefined
        const now = (await getAccountFacts(tx, [account.id])).get(account.id)
        return now && isPayday(now.paydays, day) ? work(tx, now, services) : false
      })
    })
  }

/** Before another setting of an account's paydays is saved: those whose hour has come are not made by it. */
export async function settlePaydays(tx: Transaction, account: Claimed): Promise<void> {
  const today = dayIn(account.timeZone, tx.now)
  const day = hasHourCome(account.timeZone, tx.now) ? today : addDays(today, -1)
  for (const task of paydayTasks) await claimDay(tx, account, task, day)
}

/** Before the automatic runs of this task are switched on: paydays before today are not made. */
export const settleEarlierPaydays = (tx: Transaction, account: Claimed, task: string) =>
  claimDay(tx, account, task, addDays(dayIn(account.timeZone, tx.now), -1))

/** Rolls `work` back if it returns false. */
const untilDone = (db: Database, work: (tx: Transaction) => Promise<unknown>) =>
  transaction(db, async (tx) => {
    if ((await work(tx)) === false) throw STILL_OPEN
  }).catch((error: unknown) => {
    if (error !== STILL_OPEN) throw error
  })

/**
 * Like `eachNight`, for work of several transactions, after which the day is claimed: after a crash, or by another
 * process at the same time, it is done again and must then find nothing left to do. `whileDisabled`: for disabled
 * accounts too.
 */
export const eachNightInParts = (
  task: string,
  hour: number,
  work: (account: AccountFacts, services: Services) => Promise<unknown>,
  { eligible = everyAccount, whileDisabled = false }: Partial<Pick<Task, 'eligible' | 'whileDisabled'>> = {},
) =>
  dueAccounts({ task, hour, eligible, whileDisabled }, async (account, services) => {
    await work(account, services)
    await transaction(services.db, (tx) => claimDay(tx, account, task))
  })

type Task = { task: string; hour: number; eligible: (now: Date) => Sql; whileDisabled?: boolean }

const dueAccounts =
  (
    { task, hour, eligible, whileDisabled = false }: Task,
    work: (account: AccountFacts, services: Services) => Promise<unknown>,
  ) =>
  async (services: Services): Promise<void> => {
    const { db, log } = services
    const accounts = await db.many<AccountFacts>`
      select ${accountFacts} from accounts a left join account_days d on d.account_id = a.id and d.task = ${task}
      where (${whileDisabled} or a.disabled_at is null) and ${eligible(db.now)}
        and extract(hour from ${db.now}::timestamptz at time zone a.time_zone) >= ${hour}
        and coalesce(d.done_on, '-infinity') < (${db.now}::timestamptz at time zone a.time_zone)::date`
    await forEachIsolated(log, task, accounts, (account) => work(account, services))
  }

const STILL_OPEN = new Error('the day is still open')

type Claimed = Pick<AccountFacts, 'id' | 'timeZone'>

/** Returns 0 if the day is already done. */
const claimDay = (tx: Transaction, { id, timeZone }: Claimed, task: string, day = dayIn(timeZone, tx.now)) => tx.run`
  insert into account_days as d (account_id, task, done_on) values (${id}, ${task}, ${day})
  on conflict (account_id, task) do update set done_on = excluded.done_on where d.done_on < excluded.done_on`

/** The last day, in the account's time zone, on which each of these tasks was done. */
export async function findLastTaskDays(
  db: Queryable,
  accountId: string,
  tasks: string[],
): Promise<Map<string, string>> {
  if (tasks.length === 0) return new Map()
  const rows = await db.many<{ task: string; doneOn: string }>`
    select task, done_on from account_days where account_id = ${accountId} and task = any(${tasks}::text[])`
  return new Map(rows.map(({ task, doneOn }) => [task, doneOn]))
}
