import { system } from '../../../platform/author.ts'
import { newId } from '../../../platform/database/ids.ts'
import { readIncarnation, thisLife } from '../../../platform/database/incarnation.ts'
import { type Queryable, type Transaction, transaction } from '../../../platform/database/pool.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { recordActivity, sendSignal } from '../../../platform/events/emit-event.ts'
import { forEachIsolated } from '../../../platform/jobs/each-alone.ts'
import type { Jobs } from '../../../platform/jobs/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { type AccountFacts, accountFacts } from '../../access/account-facts.ts'
import { markUnsure } from '../../invoicing/series.ts'
import { clearTrouble, noteMethodTrouble } from '../connections.ts'
import { skipNumbers } from '../given-names.ts'
import { hasEnded, ProviderError, type ProviderTransfer } from '../methods/method.ts'
import { type ApiMethod, apiMethodNames, apiMethods } from '../methods/registry.ts'
import { isOurs } from '../payout-attempts.ts'
import { numberNamed } from '../payout-number.ts'
import { pausedSince } from '../payout-terms.ts'
import { readBackQueue } from '../queue.ts'
import { payoutsPaused } from '../signals.ts'
import { payoutsNamed, reserveNumbers } from './by-number.ts'
import { isListing, readTransfers, saveTransfers, type TransferRead } from './read-transfers.ts'

// Refuses payouts from a database that may lack past payments: docs/decisions/0014-restoring-an-old-backup.md.

const DAY = 86_400_000
/** Days of past payments that are read. */
const DAYS = 90
export const readSince = (now: Date) => new Date(now.getTime() - DAYS * DAY)

/**
 * Whether the database is an older copy that owners have not reviewed: no event is then sent to other systems as news.
 * For an account that pays by hand, only a restore that is known counts.
 */
export const isInstallPaused = () => sql`exists (
  select 1 from payout_reconciliations r join payout_accounts pa on pa.account_id = r.account_id
    join accounts a on a.id = r.account_id
  where r.paused_at is not null and r.whole_install and (r.restored or pa.methods && ${apiMethodNames}::text[])
    and a.disabled_at is null)`

/**
 * Whether the ledger is known to contain all payments: compared since the database was last restored, with nothing left
 * to review.
 */
export async function isReconciled(db: Queryable, accountId: string): Promise<boolean> {
  const firm = await db.maybe`
    select from payout_reconciliations
    where account_id = ${accountId} and paused_at is null and agreed_in = ${thisLife}`
  return firm !== undefined
}

/** Like `isReconciled`; if not compared yet, reads from the providers first. Throws while one does not respond. */
export const ensureReconciled = async (services: Services, account: AccountFacts) =>
  (await isReconciled(services.db, account.id)) || reconcileTransfers(services, account)

/** Stops the worker that has a payout: the ledger is no longer firm. */
export class NotReconciledError extends Error {}

/**
 * Resets the comparison: another token or profile shows other transfers, to be compared before the next payout, and
 * again after a restore.
 */
export const resetReconciliation = (tx: Transaction, accountId: string) => tx.run`
  update payout_reconciliations set agreed_in = null, read_at = case when restored then null else read_at end,
    updated_at = ${tx.now}
  where account_id = ${accountId}`

/**
 * Compares once after every restore: looks for a transfer at a provider that only this ledger can have requested but
 * has no record of, or for one with the number of a payout that it did not send. If ledger and provider agreed before,
 * the database is an older copy, and payouts of the whole install pause; if the account was just connected, only its
 * own do: another install may have paid from there. Lost records are younger than all known ones, so only the end is
 * read. A provider that lists none guards itself, by the numbers of its payments. Returns whether payouts may leave;
 * throws without an answer.
 */
export async function reconcileTransfers(services: Services, account: AccountFacts): Promise<boolean> {
  const { db, jobs, log } = services
  const before = await db.maybe<{ pausedAt: string | null; agreedIn: string | null }>`
    select paused_at, agreed_in from payout_reconciliations where account_id = ${account.id}`
  if (before?.pausedAt) return false
  const life = await readIncarnation(db)
  const lately: ProviderTransfer[] = []
  const since = await lastAsked(db, account.id)
  for (const method of apiMethods.filter(isListing)) {
    const read = await readLately(services, account, method, since)
    if (!read) return false
    lately.push(...read)
  }
  return transaction(db, async (tx) => {
    const ours = lately.filter(isOurs)
    const byKey = await findForgotten(tx, account.id, ours)
    const byNumber = await findForgottenByNumber(
      tx,
      account.id,
      lately.filter((transfer) => !ours.includes(transfer)),
    )
    const forgotten = [...byKey, ...byNumber]
    await reserveNumbers(tx, account.id, lately)
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
    // a number is no proof: anyone may write one into their own transfer, which stops only their own payouts
    if (before?.agreedIn && byKey.length > 0) await pauseAfterRestore(tx, jobs)
    else
      await pause(tx, jobs, {
        which: sql`${payingByCarrier()} and account_id = ${account.id}`,
        wholeInstall: false,
        restored: false,
      })
    return false
  })
}

/** Returns the transfers requested from this provider since then; null if it refuses access. */
async function readLately(services: Services, account: AccountFacts, method: ApiMethod, since: Date) {
  const { db } = services
  const lately: ProviderTransfer[] = []
  try {
    let from: string | null = null
    do {
      const page = await readTransfers(services, account, { since, from, among: [method] })
      if (!page) return []
      lately.push(...page.transfers)
      from = page.next
    } while (from !== null)
  } catch (error) {
    if (!(error instanceof ProviderError) || !error.noAccess) throw error
    await noteMethodTrouble(db, account.id, method.name, { kind: error.noAccess, message: error.message })
    return null
  }
  await clearTrouble(db, account.id, method.name, 'any-call')
  return lately
}

/** Returns when a transfer was last requested from the provider, as far as recorded here. */
async function lastAsked(db: Services['db'], accountId: string): Promise<Date> {
  const earliest = readSince(db.now)
  const { at } = await db.one<{ at: string | null }>`
    select max(a.announced_at) as at from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where o.account_id = ${accountId}`
  return at && Date.parse(at) > earliest.getTime() ? new Date(at) : earliest
}

/** Returns transfers that no attempt of any account requested; an attempt still in preparation requested none. */
async function findForgotten(tx: Transaction, accountId: string, ours: ProviderTransfer[]): Promise<string[]> {
  const attempts = await tx.many<{ transactionId: string; transferId: string | null }>`
    select customer_transaction_id as transaction_id, transfer_id from payout_attempts
    where stage <> 'prepared' and (customer_transaction_id = any(${ours.map((one) => one.transactionId)}::uuid[])
      or transfer_id = any(${ours.map(({ id }) => id)}::text[]))`
  const known = new Set(attempts.flatMap((one) => [one.transactionId, one.transferId]))
  return undecided(
    tx,
    accountId,
    ours.filter(({ id, transactionId }) => !known.has(id) && !known.has(transactionId)),
  )
}

/** Returns the ids of those of these transfers on which the owner has not decided. */
async function undecided(tx: Transaction, accountId: string, transfers: ProviderTransfer[]): Promise<string[]> {
  const ids = transfers.map(({ id }) => id)
  const rows = await tx.many<{ id: string }>`
    select transfer_id as id from transfers_read
    where account_id = ${accountId} and transfer_id = any(${ids}::text[]) and decision is not null`
  const decided = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !decided.has(id))
}

/**
 * Transfers of a batch file have ids chosen by the provider: returns those with the number of a payout that does not
 * exist here, or is due and was in no file.
 */
async function findForgottenByNumber(
  tx: Transaction,
  accountId: string,
  others: ProviderTransfer[],
): Promise<string[]> {
  const named = await payoutsNamed(tx, accountId, others)
  const unexplained = others.filter(
    ({ id, reference, standing }) => numberNamed(reference) !== null && !hasEnded(standing) && !named.get(id)?.explains,
  )
  const attempts = await tx.many<{ id: string }>`
    select transfer_id as id from payout_attempts where transfer_id = any(${unexplained.map(({ id }) => id)}::text[])`
  const known = new Set(attempts.map(({ id }) => id))
  return undecided(
    tx,
    accountId,
    unexplained.filter(({ id }) => !known.has(id)),
  )
}

/**
 * Pauses the payouts of the install, and starts reading past payments back: the database turned out to be an older copy.
 * Payouts already paused stay so. Numbers skip ahead, those of accounts that pay by a provider once their owners have
 * reviewed what it has seen; invoices wait for theirs.
 */
export async function pauseAfterRestore(tx: Transaction, jobs: Jobs) {
  await pause(tx, jobs, { which: payingByCarrier(), wholeInstall: true, restored: false })
  await pauseByHand(tx, jobs)
  await skipNumbers(tx, sql`not ${payingByCarrier()}`)
  await markUnsure(tx)
}

/**
 * Pauses payouts after the restore of a backup, before anyone works with it. Webhooks of the whole install wait for the
 * owners of accounts that pay by a provider, and of the given accounts, too. Returns the number of accounts to review.
 */
export const pauseRestored = async (tx: Transaction, jobs: Jobs, telling: string[]): Promise<number> => {
  await addPayoutAccounts(tx, sql`id = any(${telling}::uuid[])`)
  const which = sql`(${payingByCarrier()} or account_id = any(${telling}::uuid[]))`
  // a review before the backup does not cover later payments
  await tx.run`update payout_reconciliations set paused_at = null`
  const waiting = await pause(tx, jobs, { which, wholeInstall: true, restored: true })
  const byHand = await pauseByHand(tx, jobs)
  await skipNumbers(tx, sql`true`)
  return waiting + byHand
}

/**
 * Pauses payouts of all other accounts that owe or have paid anything: no provider can list what they paid by file or by
 * hand since the copy, so its owner confirms that it was entered again. Webhooks don't wait for them.
 */
async function pauseByHand(tx: Transaction, jobs: Jobs): Promise<number> {
  const withMoney = sql`exists (select from commission_entries e where e.account_id = a.id)`
  await addPayoutAccounts(tx, withMoney)
  const which = sql`account_id in (select a.id from accounts a where ${withMoney}) and not ${payingByCarrier()}`
  return pause(tx, jobs, { which, wholeInstall: false, restored: true })
}

const addPayoutAccounts = (tx: Transaction, which: Sql) => tx.run`
  insert into payout_accounts (account_id, updated_at)
  select id, ${tx.now} from accounts a where ${which} on conflict do nothing`

const payingByCarrier = () => sql`account_id in (
  select account_id from payout_accounts where methods && ${apiMethodNames}::text[])`

/**
 * Pauses the account's payouts for a payment that its provider has under one of the account's numbers, but which is
 * unknown here, until the owner has decided on it.
 */
export async function pauseForUnknownTransfer(tx: Transaction, jobs: Jobs, accountId: string, forgotten: TransferRead) {
  await pause(tx, jobs, { which: sql`account_id = ${accountId}`, wholeInstall: false, restored: false })
  const { readingId } = await tx.one<{ readingId: string }>`
    select reading_id from payout_reconciliations where account_id = ${accountId}`
  await saveTransfers(tx, { accountId, readingId }, [forgotten])
  await reserveNumbers(tx, accountId, [forgotten])
  await skipNumbers(tx, sql`account_id = ${accountId}`)
}

type Pause = { which: Sql; wholeInstall: boolean; restored: boolean }

async function pause(tx: Transaction, jobs: Jobs, { which, wholeInstall, restored }: Pause): Promise<number> {
  const accounts = await tx.many<{ id: string }>`
    select account_id as id from payout_accounts where ${which} order by account_id`
  const paused = await tx.many<{ accountId: string; readingId: string }>`
    insert into payout_reconciliations as r (account_id, paused_at, whole_install, restored, reading_id, updated_at)
    select account_id, ${tx.now}, ${wholeInstall}, ${restored}, reading_id, ${tx.now}
    from unnest(${accounts.map(({ id }) => id)}::uuid[], ${accounts.map(newId)}::uuid[]) as a (account_id, reading_id)
    on conflict (account_id) do update set paused_at = excluded.paused_at, whole_install = excluded.whole_install,
      restored = excluded.restored, reading_id = excluded.reading_id, read_at = null, problem = null,
      updated_at = excluded.updated_at
    where r.paused_at is null
    returning account_id, reading_id`
  for (const { accountId, readingId } of paused) {
    await recordActivity(tx, system, accountId, 'account.payouts-paused', { id: accountId })
    await sendSignal(tx, accountId, payoutsPaused, { pausedAt: tx.now.toISOString() })
    await jobs.add(tx, readBackQueue, { accountId, readingId, from: null })
  }
  return paused.length
}

/** Compares every account not compared since the last restore. One without access is skipped. */
export async function agreeAll(services: Services): Promise<void> {
  const { db, log } = services
  const life = await readIncarnation(db)
  const accounts = await db.many<AccountFacts>`
    select ${accountFacts} from accounts a join payout_accounts pa on pa.account_id = a.id
      left join payout_reconciliations r on r.account_id = pa.account_id
    where pa.methods && ${apiMethodNames}::text[] and a.disabled_at is null and r.paused_at is null
      and r.agreed_in is distinct from ${life}
      and (pa.trouble_with is null or not pa.trouble_with = any(pa.methods))`
  await forEachIsolated(log, 'compare-payouts', accounts, async (account) => {
    await reconcileTransfers(services, account).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error
      log.info({ accountId: account.id, status: error.status }, 'what was paid could not be read; payouts wait')
    })
  })
}
