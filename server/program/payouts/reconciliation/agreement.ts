import { system } from '../../../platform/by.ts'
import { lifeOf, thisLife } from '../../../platform/database/life.ts'
import { type Queryable, type Transaction, transaction } from '../../../platform/database/pool.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { recorded, send } from '../../../platform/events/happened.ts'
import { eachAlone } from '../../../platform/jobs/each-alone.ts'
import type { Jobs } from '../../../platform/jobs/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { type AccountFacts, accountFacts } from '../../access/account-facts.ts'
import { type Method, ProviderError, type ToldTransfer } from '../methods/method.ts'
import { carrying, methodOf } from '../methods/registry.ts'
import { numberNamed } from '../payout-number.ts'
import { readBackQueue } from '../queue.ts'
import { payoutsPaused } from '../signals.ts'
import { clearTrouble, noteTrouble } from '../trouble.ts'
import { keepNumbers, payoutsNamed } from './by-number.ts'

// Nothing is paid out of a database that may have forgotten what it paid: docs/decisions/0014-a-stale-restore.md.

const DAY = 86_400_000
/** How far back what was paid is read. */
const DAYS = 90
export const readSince = (now: Date) => new Date(now.getTime() - DAYS * DAY)

/**
 * The database is an older copy, and somebody still has to look: no other system is told what it believes to be news. Where
 * an account pays by hand, only a restore that is known of counts.
 */
export const isInstallPaused = () => sql`exists (
  select from payout_reconciliations r join payout_accounts pa on pa.account_id = r.account_id
    join accounts a on a.id = r.account_id
  where r.paused_at is not null and r.whole_install and (r.restored or pa.method = any(${carrying()}::text[]))
    and a.disabled_at is null)`

export async function pausedSince(db: Queryable, accountId: string): Promise<string | null> {
  const row = await db.maybe<{ pausedAt: string | null }>`
    select paused_at from payout_reconciliations where account_id = ${accountId}`
  return row?.pausedAt ?? null
}

/** Whether what was paid is known to be what stands here: in this life of the database, with nothing left to look at. */
export async function isFirm(db: Queryable, accountId: string): Promise<boolean> {
  const { firm } = await db.one<{ firm: boolean }>`
    select exists (
      select from payout_reconciliations
      where account_id = ${accountId} and paused_at is null and agreed_in = ${thisLife}) as firm`
  return firm
}

/** As above; if nobody has looked in this life, the carrier is asked first. Throws while it does not answer. */
export const makeFirm = async (services: Services, account: AccountFacts, method: Pick<Method, 'name' | 'carrier'>) =>
  (await isFirm(services.db, account.id)) || agree(services, account, method)

/** The worker that has a payout stops: what was firm when it began is no more. */
export class NotFirm extends Error {}

/** Another token or profile shows other transfers: they are looked at before the next payout, and again after a restore. */
export const forgetAgreement = (tx: Transaction, accountId: string) => tx.run`
  update payout_reconciliations set agreed_in = null, read_at = case when restored then null else read_at end,
    updated_at = ${tx.now}
  where account_id = ${accountId}`

/**
 * Looks, once in each life of the database, for a transfer at the carrier that only this ledger can have asked for and that
 * it has no record of, or for one with the number of a payout that it has not had paid. If ledger and carrier agreed before,
 * the database is an older copy, and payouts of the whole install wait; if the account was just connected, its own do:
 * another install may have paid from there. Lost records are younger than all known ones, so only the end is read. Returns
 * whether payouts may leave; throws if nobody answered.
 */
export async function agree(
  services: Services,
  account: AccountFacts,
  { name, carrier }: Pick<Method, 'name' | 'carrier'>,
): Promise<boolean> {
  const { db, jobs, log } = services
  const before = await db.maybe<{ pausedAt: string | null; agreedIn: string | null }>`
    select paused_at, agreed_in from payout_reconciliations where account_id = ${account.id}`
  if (before?.pausedAt) return false
  const life = await lifeOf(db)
  const lately: ToldTransfer[] = []
  try {
    const since = await lastAsked(db, account.id)
    let from: string | null = null
    do {
      const page = await carrier!.transfers(services, account, { since, from })
      lately.push(...(page?.transfers ?? []))
      from = page?.next ?? null
    } while (from !== null)
  } catch (error) {
    if (!(error instanceof ProviderError) || !error.noAccess) throw error
    await noteTrouble(db, account.id, name, { kind: error.noAccess, message: error.message })
    return false
  }
  await clearTrouble(db, account.id, name, 'any-call')
  return transaction(db, async (tx) => {
    const ours = lately.filter((transfer) => carrier!.isOurs(transfer))
    const asked = await forgottenOf(tx, account.id, ours)
    const filed = await forgottenByNumber(
      tx,
      account.id,
      lately.filter((transfer) => !ours.includes(transfer)),
    )
    const forgotten = [...asked, ...filed]
    await keepNumbers(tx, account.id, carrier!, lately)
    if (forgotten.length === 0) {
      await tx.run`
        insert into payout_reconciliations (account_id, agreed_in, updated_at) values (${account.id}, ${life}, ${tx.now})
        on conflict (account_id) do update set agreed_in = excluded.agreed_in, updated_at = excluded.updated_at`
      return pausedSince(tx, account.id).then((since) => since === null)
    }
    log.error(
      { accountId: account.id, transferIds: forgotten.slice(0, 10) },
      before?.agreedIn
        ? 'this database is older than what was paid from it; payouts and outgoing webhooks are paused'
        : 'an account was connected from which others were paid before; its payouts are paused',
    )
    // a number is no proof: anybody may write one into a transfer of their own, and stops their own payouts alone
    if (before?.agreedIn && asked.length > 0) await pauseAfterRestore(tx, jobs)
    else
      await pause(tx, jobs, {
        which: sql`${payingByCarrier()} and account_id = ${account.id}`,
        ...{ wholeInstall: false, restored: false },
      })
    return false
  })
}

/** When the carrier was last asked for a transfer, as far as is known here. */
async function lastAsked(db: Services['db'], accountId: string): Promise<Date> {
  const earliest = readSince(db.now)
  const { at } = await db.one<{ at: string | null }>`
    select max(a.announced_at) as at from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where o.account_id = ${accountId}`
  return at && Date.parse(at) > earliest.getTime() ? new Date(at) : earliest
}

/**
 * Transfers that no attempt asked for, in whatever account; an attempt known to have gone no further than its preparation
 * asked for none.
 */
async function forgottenOf(tx: Transaction, accountId: string, ours: ToldTransfer[]): Promise<string[]> {
  const rows = await tx.many<{ id: string }>`
    select t.id from unnest(${ours.map(({ id }) => id)}::text[], ${ours.map((one) => one.transactionId)}::uuid[])
      as t (id, transaction_id)
    where not exists (
        select from payout_attempts a where a.stage <> 'prepared' and (a.customer_transaction_id = t.transaction_id
          or a.transfer_id = t.id))
      and not exists (
        select from transfers_read r
        where r.account_id = ${accountId} and r.transfer_id = t.id and r.decision is not null)`
  return rows.map(({ id }) => id)
}

/**
 * Transfers of a batch file have ids of the carrier's own: of these those with the number of a payout that is not here, or
 * is due and was in no file.
 */
async function forgottenByNumber(tx: Transaction, accountId: string, others: ToldTransfer[]): Promise<string[]> {
  const named = await payoutsNamed(tx, accountId, others)
  const unexplained = others.filter(
    ({ id, reference, standing }) => numberNamed(reference) !== null && standing !== 'over' && !named.get(id)?.explains,
  )
  const rows = await tx.many<{ id: string }>`
    select t.id from unnest(${unexplained.map(({ id }) => id)}::text[]) as t (id)
    where not exists (select from payout_attempts a where a.transfer_id = t.id)
      and not exists (
        select from transfers_read r
        where r.account_id = ${accountId} and r.transfer_id = t.id and r.decision is not null)`
  return rows.map(({ id }) => id)
}

/**
 * Pauses whatever pays by itself in the whole install, and begins to read back what was paid: the database turned out to
 * have been put back from an older copy. Payouts that wait already go on waiting.
 */
export const pauseAfterRestore = (tx: Transaction, jobs: Jobs) =>
  pause(tx, jobs, { which: payingByCarrier(), wholeInstall: true, restored: false })

/**
 * Pauses payouts after the restore of a backup, before anybody works with it. Webhooks of the whole install wait for the
 * owners of accounts that pay by a carrier, and of those that notify others, too. Returns how many have to look.
 */
export const pauseRestored = async (tx: Transaction, jobs: Jobs, telling: string[]): Promise<number> => {
  await tx.run`
    insert into payout_accounts (account_id, updated_at)
    select id, ${tx.now} from unnest(${telling}::uuid[]) as id on conflict do nothing`
  const which = sql`(${payingByCarrier()} or account_id = any(${telling}::uuid[]))`
  // what was looked at before the backup was made says nothing of what was paid since
  await tx.run`update payout_reconciliations set paused_at = null where ${which}`
  return pause(tx, jobs, { which, wholeInstall: true, restored: true })
}

const payingByCarrier = () => sql`account_id in (
  select account_id from payout_accounts where method = any(${carrying()}::text[]))`

type Pause = { which: Sql; wholeInstall: boolean; restored: boolean }

async function pause(tx: Transaction, jobs: Jobs, { which, wholeInstall, restored }: Pause): Promise<number> {
  const paused = await tx.many<{ accountId: string; readingId: string }>`
    insert into payout_reconciliations as r (account_id, paused_at, whole_install, restored, reading_id, updated_at)
    select account_id, ${tx.now}, ${wholeInstall}, ${restored}, gen_random_uuid(), ${tx.now} from payout_accounts
    where ${which} order by account_id
    on conflict (account_id) do update set paused_at = excluded.paused_at, whole_install = excluded.whole_install,
      restored = excluded.restored, reading_id = excluded.reading_id, read_at = null, problem = null,
      updated_at = excluded.updated_at
    where r.paused_at is null
    returning account_id, reading_id`
  for (const { accountId, readingId } of paused) {
    await recorded(tx, system, accountId, 'account.payouts-paused', { id: accountId })
    await send(tx, accountId, payoutsPaused, { pausedAt: tx.now.toISOString() })
    await jobs.add(tx, readBackQueue, { accountId, readingId, from: null })
  }
  return paused.length
}

/** Looks for every account that was not looked at in this life of the database. One that is not let in is left to others. */
export async function agreeAll(services: Services): Promise<void> {
  const { db, log } = services
  const accounts = await db.many<AccountFacts & { method: string }>`
    select ${accountFacts}, pa.method from accounts a join payout_accounts pa on pa.account_id = a.id
      left join payout_reconciliations r on r.account_id = a.id
    where pa.method = any(${carrying()}::text[]) and a.disabled_at is null and r.paused_at is null
      and r.agreed_in is distinct from ${thisLife} and pa.trouble_with is distinct from pa.method`
  await eachAlone(log, 'compare-payouts', accounts, async ({ method, ...account }) => {
    await agree(services, account, methodOf(method)).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error
      log.info({ accountId: account.id, status: error.status }, 'what was paid could not be read; payouts wait')
    })
  })
}
