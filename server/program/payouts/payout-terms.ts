import { paydayFrom } from '#contract/paydays.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { dayIn, yearIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type CustomerGroup, customerGroups } from '../access/customer-groups.ts'
import { findLastTaskDays } from '../access/each-night.ts'
import { FIRST_RUN_TASK, nextRunDay, runTask } from '../access/paydays.ts'
import { requiredVersion } from '../agreement/accepted.ts'
import { getInvoicingSettings, type InvoicingSettings } from '../invoicing/settings.ts'
import { getLimits, type LimitsNow, oneIsEnough } from './limits.ts'
import { methodSecrets } from './method-secrets.ts'
import type { Method } from './methods/method.ts'
import { connecting, getPayoutMethod, isApiMethod } from './methods/registry.ts'

/** An account's current payout terms. Amounts in minor units of its currency. */
export type PayoutTerms = {
  account: AccountFacts
  /** The methods that are on, in the owner's order, without by hand. */
  ways: EnabledMethod[]
  /** The groups of customers. */
  customerGroups: CustomerGroup[]
  /** The method of the file being made, which replaces each payout's own. */
  into?: Method
  limits: LimitsNow
  maxPerRun: number | null
  /** True while payouts wait for the owner to review earlier ones. */
  paused: boolean
  /** Date in the account's time zone. */
  today: string
  year: number
  /** Date of the next automatic run. */
  nextRunDay: string
  /** The version of the agreement that a partner must have accepted today, or a newer one; null for none. */
  requiredAgreement: number | null
  /** How the account issues invoices, and whether nothing is paid without a tax form. */
  invoicing: InvoicingSettings
}

/** A method that is on; `automatic` if it pays on paydays without a person, `trouble` is why it cannot now. */
export type EnabledMethod = { method: Method; automatic: boolean; trouble: string | null }

export type PayoutAccount = {
  /** Whether the connected method pays automatically. */
  enabled: boolean
  methods: string[]
  /** The provider's message when it refused the calls of the method `troubleWith`. */
  trouble: string | null
  troubleWith: string | null
  limits: LimitsNow
  maxPerRun: number | null
}

/** Returns the task of a method's automatic run. */
export const runTaskName = (name: string) => (name === connecting.name ? FIRST_RUN_TASK : runTask(name))

type PayoutAccountRow = Omit<PayoutAccount, 'limits'> & { maxPerPayout: number | null }

export async function findPayoutAccount(db: Queryable, accountId: string): Promise<PayoutAccount | undefined> {
  const row = await db.maybe<PayoutAccountRow>`
    select enabled, methods, trouble, trouble_with, max_per_payout, max_per_run
    from payout_accounts where account_id = ${accountId}`
  if (!row) return undefined
  const { maxPerPayout, ...rest } = row
  return { ...rest, limits: await getLimits(db, accountId, maxPerPayout) }
}

/** Locks the payout account, inserted if missing: numbers are assigned and runs are made one at a time. */
export async function lockPayoutAccount(tx: Transaction, accountId: string): Promise<PayoutAccount> {
  await tx.run`
    insert into payout_accounts (account_id, updated_at) values (${accountId}, ${tx.now}) on conflict do nothing`
  await tx.one`select account_id from payout_accounts where account_id = ${accountId} for update`
  return (await findPayoutAccount(tx, accountId))!
}

/** The order with this method on or off; one just set up comes after the others. */
export const orderWith = (methods: string[], name: string, on: boolean) =>
  on && methods.includes(name) ? methods : [...methods.filter((one) => one !== name), ...(on ? [name] : [])]

/** Returns when payouts began to wait for the owner to review earlier ones; null if they do not. */
export const pausedSince = async (db: Queryable, accountId: string): Promise<string | null> =>
  (await findPause(db, accountId))?.pausedAt ?? null

/**
 * Whether payouts wait for that while these methods are on: what a provider has shown doesn't stop an owner who has
 * disconnected it; a known restore stops everyone.
 */
async function arePaused(db: Queryable, accountId: string, on: Method[]): Promise<boolean> {
  const pause = await findPause(db, accountId)
  return Boolean(pause?.pausedAt && (pause.restored || on.some(isApiMethod)))
}

/** Whether an account's payouts wait for the owner to review earlier ones. */
export const arePayoutsPaused = async (db: Queryable, accountId: string): Promise<boolean> =>
  arePaused(db, accountId, ((await findPayoutAccount(db, accountId))?.methods ?? []).map(getPayoutMethod))

const findPause = (db: Queryable, accountId: string) => db.maybe<{ pausedAt: string | null; restored: boolean }>`
  select paused_at, restored from payout_reconciliations where account_id = ${accountId}`

export async function getPayoutTerms(db: Queryable, account: AccountFacts): Promise<PayoutTerms> {
  const payoutAccount = await findPayoutAccount(db, account.id)
  const { timeZone } = account
  const today = dayIn(timeZone, db.now)
  const on = (payoutAccount?.methods ?? []).map(getPayoutMethod)
  const secrets = on.length > 0 ? await methodSecrets(db, account.id) : []
  const paused = await arePaused(db, account.id, on)
  const ways = on.map((method): EnabledMethod => {
    const own = secrets.find((one) => one.method === method.name)
    const isEnabled = own ? own.automatic : method === connecting && payoutAccount!.enabled
    const trouble = own ? own.trouble : payoutAccount!.troubleWith === method.name ? payoutAccount!.trouble : null
    return { method, automatic: isApiMethod(method) && isEnabled && !paused, trouble }
  })
  const tasks = ways.flatMap(({ method, automatic, trouble }) =>
    automatic && !trouble ? [runTaskName(method.name)] : [],
  )
  const doneOn = await findLastTaskDays(db, account.id, tasks)
  // the first run of any method; without one, the next payday
  const [nextRun] = tasks.map((task) => nextRunDay(account, db.now, doneOn.get(task) ?? null)).sort()
  return {
    account,
    ways,
    customerGroups: account.hasCustomerGroups ? await customerGroups(db, account.id) : [],
    limits: payoutAccount?.limits ?? oneIsEnough(null),
    maxPerRun: payoutAccount?.maxPerRun ?? null,
    paused,
    today,
    year: yearIn(timeZone, db.now),
    nextRunDay: nextRun ?? paydayFrom(account.paydays, today),
    requiredAgreement: await requiredVersion(db, account.id, today),
    invoicing: await getInvoicingSettings(db, account.id),
  }
}
