import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { dayIn, yearIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { lastDayOf } from '../access/each-night.ts'
import { nextRunDay, paydayTasks } from '../access/paydays.ts'
import { requiredVersion } from '../agreement/accepted.ts'
import { type InvoicingSettings, invoicingOf } from '../invoicing/settings.ts'
import { type LimitsNow, limitsOf, oneIsEnough } from './limits.ts'
import type { Method } from './methods/method.ts'
import { methodOf } from './ways.ts'

/** An account's current payout terms. Amounts in minor units of its currency. */
export type PayoutTerms = {
  account: AccountFacts
  /** The method of a payout approved now, automatically or not. */
  method: Method
  automatic: boolean
  limits: LimitsNow
  maxPerRun: number | null
  /** Reason that automatic payouts pause. */
  trouble: string | null
  /** True while automatic payouts wait for the owner to review earlier ones. */
  paused: boolean
  /** Date in the account's time zone. */
  today: string
  year: number
  /** Date of the next automatic run. */
  nextRunDay: string
  /** The version of the agreement that a partner must have accepted today, or a newer one; null for none. */
  requiredAgreement: number | null
  /** How the account issues invoices for its partners. */
  invoicing: InvoicingSettings
}

export type PayoutAccount = {
  enabled: boolean
  method: string
  /** The provider's message when it refused the calls of the method `troubleWith`. */
  trouble: string | null
  troubleWith: string | null
  limits: LimitsNow
  maxPerRun: number | null
}

/** Task of the automatic run. */
export const AUTOMATIC_RUN = paydayTasks.run

type PayoutAccountRow = Omit<PayoutAccount, 'limits'> & { maxPerPayout: number | null }

export async function findPayoutAccount(db: Queryable, accountId: string): Promise<PayoutAccount | undefined> {
  const row = await db.maybe<PayoutAccountRow>`
    select enabled, method, trouble, trouble_with, max_per_payout, max_per_run
    from payout_accounts where account_id = ${accountId}`
  if (!row) return undefined
  const { maxPerPayout, ...rest } = row
  return { ...rest, limits: await limitsOf(db, accountId, maxPerPayout) }
}

/** Locks the payout account, inserted if missing: numbers are assigned and runs are made one at a time. */
export async function lockPayoutAccount(tx: Transaction, accountId: string): Promise<PayoutAccount> {
  await tx.run`
    insert into payout_accounts (account_id, updated_at) values (${accountId}, ${tx.now}) on conflict do nothing`
  await tx.one`select account_id from payout_accounts where account_id = ${accountId} for update`
  return (await findPayoutAccount(tx, accountId))!
}

/** Returns when payouts began to wait for the owner to review earlier ones; null if they do not. */
export async function pausedSince(db: Queryable, accountId: string): Promise<string | null> {
  const row = await db.maybe<{ pausedAt: string | null }>`
    select paused_at from payout_reconciliations where account_id = ${accountId}`
  return row?.pausedAt ?? null
}

export async function payoutTermsOf(db: Queryable, account: AccountFacts): Promise<PayoutTerms> {
  const payoutAccount = await findPayoutAccount(db, account.id)
  const { timeZone } = account
  const today = dayIn(timeZone, db.now)
  const method = methodOf(payoutAccount?.method ?? 'manual')
  const paused = Boolean(method.carrier && (await pausedSince(db, account.id)))
  const automatic = Boolean(method.carrier && payoutAccount?.enabled && !paused)
  const trouble = payoutAccount?.troubleWith === method.name ? payoutAccount.trouble : null
  const doneOn = await lastDayOf(db, account.id, AUTOMATIC_RUN)
  return {
    account,
    method,
    automatic,
    limits: payoutAccount?.limits ?? oneIsEnough(null),
    maxPerRun: payoutAccount?.maxPerRun ?? null,
    trouble,
    paused,
    today,
    year: yearIn(timeZone, db.now),
    nextRunDay: nextRunDay(account, db.now, doneOn),
    requiredAgreement: await requiredVersion(db, account.id, today),
    invoicing: await invoicingOf(db, account.id),
  }
}
