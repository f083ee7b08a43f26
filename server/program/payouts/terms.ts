import type { AutoPayoutSettings } from '#contract/accounts.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/access.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'

/** How an account pays out, as it stands now. Amounts in minor units of its currency. */
export type Terms = {
  account: AccountFacts
  /** `wise` when a token and a profile are stored, whether or not payouts leave by themselves. */
  method: 'wise' | 'manual'
  automatic: boolean
  maxPerPayout: number | null
  maxPerRun: number | null
  wiseError: string | null
  /** In the account's time zone. */
  today: string
  year: number
  /** The day of the next automatic run. */
  nextRunDay: string
  runIsDue: boolean
}

export type PayoutAccount = {
  enabled: boolean
  wiseTokenSealed: Buffer | null
  wiseTokenHint: string | null
  wiseProfile: AutoPayoutSettings['wiseProfile']
  wiseProfiles: AutoPayoutSettings['wiseProfilesAvailable']
  wiseSubscriptionId: string | null
  wiseError: string | null
  maxPerPayout: number | null
  maxPerRun: number | null
  lastRunOn: string | null
}

/** The hour of the daily run, in the account's time zone. */
export const RUN_AT = 6

export const findPayoutAccount = (db: Queryable, accountId: string) => db.maybe<PayoutAccount>`
  select enabled, wise_token_sealed, wise_token_hint, wise_profile, wise_profiles, wise_subscription_id, wise_error,
    max_per_payout, max_per_run, last_run_on
  from payout_accounts where account_id = ${accountId}`

/** The same, made if it is not there, and locked: numbers are given and runs are made one at a time. */
export async function lockPayoutAccount(tx: Transaction, accountId: string): Promise<PayoutAccount> {
  await tx.run`
    insert into payout_accounts (account_id, updated_at) values (${accountId}, ${tx.now}) on conflict do nothing`
  await tx.one`select account_id from payout_accounts where account_id = ${accountId} for update`
  return (await findPayoutAccount(tx, accountId))!
}

export async function termsOf(db: Queryable, account: AccountFacts): Promise<Terms> {
  const payoutAccount = await findPayoutAccount(db, account.id)
  const { timeZone } = account
  const today = dayIn(timeZone, db.now)
  const method = payoutAccount?.wiseTokenSealed && payoutAccount.wiseProfile ? 'wise' : 'manual'
  const automatic = method === 'wise' && payoutAccount!.enabled
  const ranToday = (payoutAccount?.lastRunOn ?? '') >= today
  return {
    account,
    method,
    automatic,
    maxPerPayout: payoutAccount?.maxPerPayout ?? null,
    maxPerRun: payoutAccount?.maxPerRun ?? null,
    wiseError: payoutAccount?.wiseError ?? null,
    today,
    year: Number(today.slice(0, 4)),
    nextRunDay: ranToday ? addDays(today, 1) : today,
    runIsDue: automatic && !payoutAccount!.wiseError && !ranToday && hourIn(timeZone, db.now) >= RUN_AT,
  }
}

const hourIn = (timeZone: string, at: Date) =>
  Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(at))

/** Currencies that Wise keeps a balance in and converts from; dollars arrive whatever leaves. */
const WISE_BALANCES = new Set(
  'usd eur gbp aud nzd cad sgd jpy chf sek nok dkk pln huf czk ron bgn hkd try ils zar mxn brl myr aed inr idr php thb'.split(
    ' ',
  ),
)

export const isPaidByWise = (currency: string) => WISE_BALANCES.has(currency)
