import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { eachAlone } from '../../platform/jobs/each-alone.ts'
import type { Services } from '../../platform/services.ts'
import { dayIn } from '../../platform/time/days.ts'
import { type AccountFacts, accountFacts } from './account-facts.ts'

type Work = (tx: Transaction, account: AccountFacts, services: Services) => Promise<unknown>

const everyAccount = () => sql`true`

/**
 * Runs `work` once a day for each enabled and `eligible` account, from this hour in the account's time zone; a missed
 * run is made up for on the same day. The day is claimed in the work's own transaction, so a failed run is retried,
 * without stopping other accounts. If `work` returns false, it is rolled back and the day stays open.
 */
export const eachNight = (task: string, hour: number, work: Work, eligible: Task['eligible'] = everyAccount) =>
  dueAccounts({ task, hour, eligible }, (account, services) =>
    transaction(services.db, async (tx) => {
      if ((await claimDay(tx, account, task)) > 0 && (await work(tx, account, services)) === false) throw STILL_OPEN
    }).catch((error: unknown) => {
      if (error !== STILL_OPEN) throw error
    }),
  )

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
    await eachAlone(log, task, accounts, (account) => work(account, services))
  }

const STILL_OPEN = new Error('the day is still open')

/** Returns 0 if the day is already done. */
const claimDay = (tx: Transaction, { id, timeZone }: AccountFacts, task: string) => tx.run`
  insert into account_days as d (account_id, task, done_on) values (${id}, ${task}, ${dayIn(timeZone, tx.now)})
  on conflict (account_id, task) do update set done_on = excluded.done_on where d.done_on < excluded.done_on`

/** The last day, in the account's time zone, on which a task was done. */
export async function lastDayOf(db: Queryable, accountId: string, task: string): Promise<string | null> {
  const row = await db.maybe<{ doneOn: string }>`
    select done_on from account_days where account_id = ${accountId} and task = ${task}`
  return row?.doneOn ?? null
}
