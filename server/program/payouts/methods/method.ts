import type {
  AutoPayoutSettings,
  AutoPayoutSettingsChange,
  BlockerCode,
  DepositInfo,
  Payout,
  PayoutFormat,
  PayoutMethod,
} from '#contract/payouts.ts'
import type { Cell } from '../../../platform/csv/csv.ts'
import type { Queryable, Transaction } from '../../../platform/database/pool.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import type { Services } from '../../../platform/services.ts'
import type { AccountFacts } from '../../access/account-facts.ts'
import type { App } from '../../access/route.ts'

/**
 * A payout method; the rest of the product depends on nothing else of it. A method is a folder here and a line in
 * `registry.ts`. It stores its connection in its own tables, and changes no payout.
 */
export type Method = {
  /** Its name in the contract. */
  name: PayoutMethod
  /** The method's own blockers, in addition to those of the partner and the balance. */
  blockers: readonly MethodBlocker[]
  /** Settings an owner enters before payouts by it; a method without any is always ready. */
  settings?: MethodSettings
  /**
   * Asks the provider what is wrong with these details, by field, outside of a transaction; returns nothing without an
   * answer.
   */
  checkDetails?(services: Services, account: AccountFacts, details: DepositInfo): Promise<Record<string, string>>
  /** Registers its own calls and events. */
  routes?(app: App): void
  /** Pays automatically once a payout is approved. Without it, a person pays and marks the payout as paid. */
  carrier?: Carrier
  /** Payouts are approved by being put into a file, which a person uploads at the provider. */
  batch?: Batch
}

export type MethodBlocker = {
  code: BlockerCode
  /** Does not stop a person from approving. */
  soft?: true
  /** Concerns the payout details; also applies to a payout that failed because of them. */
  ofDetails?: true
  /** When it applies; the core turns it into SQL. */
  when: 'always' | 'details-rejected' | { currencyNotIn: readonly string[] }
  words: Record<Reader, (facts: BlockerFacts) => string>
}

export type Reader = 'owner' | 'partner'

/** Values that blocker messages interpolate. Dates are `YYYY-MM-DD` in the account's time zone. */
export type BlockerFacts = {
  year: number
  minimumPayout: number
  currency: string
  /** End of the last fraud hold. */
  heldUntil: string | null
  /** First date of automatic payouts to changed details. */
  availableOn: string | null
  rejectedReason: string | null
}

type CoreSettings = 'enabled' | 'maxPerPayout' | 'maxPerRun'

export type MethodSettings = {
  /** Returns its part of the account's payout settings; `trouble` is the reason that its calls fail. */
  present(
    db: Queryable,
    accountId: string,
    trouble: string | null,
  ): Promise<Partial<Omit<AutoPayoutSettings, CoreSettings>>>
  /** Whether the change provides other credentials, for which the password has to be proved. */
  connects?(change: AutoPayoutSettingsChange): boolean
  /**
   * Makes the external checks of a change outside of a transaction, and returns how to write it in one. Refuses an
   * invalid change.
   */
  prepare(
    services: Services,
    account: AccountFacts,
    change: AutoPayoutSettingsChange,
  ): Promise<(tx: Transaction) => Promise<SettingsOutcome>>
}

export type SettingsOutcome = {
  /** Null if payouts of the account can be sent by it now; else why automatic ones cannot be enabled. */
  missing: Refusal | null
  /** Whether the change clears the connection's trouble. */
  clears: boolean
  /** The change as the activity may show it. */
  audited: { old: Record<string, unknown>; new: Record<string, unknown> }
  /** Runs once the change is committed. */
  afterwards?(): Promise<void>
}

/** Services for asking a provider outside of a job, such as from a command. */
export type Asking = Pick<Services, 'db' | 'config' | 'log' | 'outbound' | 'secrets'>

/**
 * Pays by an API. Told what is known of a payout, it names the next call, makes it and answers; the core judges, saves
 * and moves (drive.ts).
 */
export type Carrier = {
  /** Name in sentences. */
  label: string
  /** The site on which an owner acts on a transfer. */
  site: string
  /** Shown while only the owner can pay a transfer. */
  payByHand: string
  /** Business days without a bounce after which a transfer counts as having arrived. */
  settlesAfterBusinessDays: number
  /** Minutes between checks of a payout under way, in addition to events, and days of daily checks after it is paid. */
  looks: { everyMinutes: number; paidForDays: number }
  /** The next call for this payout; pure. */
  next(told: Told): Step
  /** Returns the account's connection; null without one. */
  connect(services: Asking, accountId: string): Promise<Connection | null>
  /** The accounts with a connection. */
  connected(db: Queryable): Promise<string[]>
  /** The profile that an account pays from now. */
  paysFrom(db: Queryable, accountId: string): Promise<string | null>
  payees: Payees
}

/** An account's connection: the profile selected now, and how to ask. */
export type Connection = {
  profileId: string | null
  /** Makes a call, once. Throws `ProviderError` if its result is unknown or access was refused. */
  ask(step: Step, told: Told): Promise<Answer>
  /** Throws `ProviderError` if the credentials are not accepted. */
  check(): Promise<unknown>
  /** Returns a page of the transfers that a profile requested since then, with the offset of the next. */
  page(
    profileId: string,
    asked: { since: Date; offset: number; currency: string },
  ): Promise<{ transfers: ToldTransfer[]; next: number | null }>
}

/** The provider's ids that an attempt has collected. */
export type Memo = {
  recipientId: string | null
  quoteId: string | null
  quoteExpiresAt: string | null
  transferId: string | null
}

/** Everything a method is told of a payout. */
export type Told = {
  /** Pay it; stop it, since its approval no longer holds; or only look at its transfer. */
  intent: 'pay' | 'stop' | 'look'
  /** The provider creates one transfer per key. */
  key: string
  statementNumber: number
  /** The profile that the attempt pays from. */
  profileId: string
  amount: number
  currency: string
  memo: Memo
  /** Whether a transfer may exist. */
  isAsked: boolean
  startedAt: Date
  /** Time of the first request for its transfer. */
  announcedAt: Date
  now: Date
  /** The details that the approval fixed, for a step that makes a payee; null if they cannot be opened. */
  details?: DepositInfo | null
}

/** A call to the provider. `mayMoveMoney`: money may move from now on, whatever the answer. */
export type Step = { name: string; mayMoveMoney?: true; makesPayee?: true }

export type Answer =
  /** Done; `state` describes the attempt while it has no transfer. */
  | { is: 'on'; memo: Partial<Memo>; state?: string; rate?: string | null; fee?: number | null }
  /** Proven to have had no effect. */
  | { is: 'refused'; words: string; ofDetails?: boolean }
  /** The transfer was not paid; `forbidden`: only the owner can. */
  | { is: 'short'; words: string; problem: 'balance' | 'forbidden' }
  /** There is nothing of it at the provider. */
  | { is: 'nothing' }
  | Reading

/** A transfer as read. */
export type Reading = {
  is: TransferStanding
  transferId: string
  /** The provider's own word. */
  state: string
  /** How it differs from the request, in words. */
  wrong: string | null
  /** The provider waits for an answer by the customer or the recipient. */
  hasIssues: boolean
  /** The end of a transfer whose money came back, in a sentence. */
  words: string
}

/** Known payees at the provider, by version of the details. */
export type Payees = {
  known(db: Queryable, profileId: string, payees: OfPayee[]): Promise<{ partnerId: string; recipientId: string }[]>
  /** Stores the recipient unless the details have changed. */
  keep(db: Queryable, payee: OfPayee & { profileId: string }, recipientId: string): Promise<unknown>
  forget(tx: Transaction, partnerId: string, recipientId: string): Promise<unknown>
}
export type OfPayee = { partnerId: string; detailsVersion: string }

/**
 * A file of payouts that a person uploads. The time of the upload is unknown, so a payout in it may have left: only a
 * person removes it.
 */
export type Batch = {
  /** Its name in the contract. */
  format: PayoutFormat
  header: readonly string[]
  /**
   * Asks the provider for the data that the rows of these payees need, outside of a transaction. Refuses if none can be
   * had; a payee without an answer is in neither list.
   */
  prepare(services: Services, account: AccountFacts, payees: Payee[]): Promise<Prepared>
  /** Stores the prepared data for a payout that is approved now. */
  keep(tx: Transaction, payoutId: string, prepared: Ready): Promise<void>
  /** Returns the rows of the file for these payouts, without those that can no longer be in it. */
  rowsOf(db: Queryable, account: AccountFacts, payouts: InBatch[]): Promise<Cell[][]>
  /** Returns the stored data of each payout that is in a file. */
  given(db: Queryable, payoutIds: string[]): Promise<Given[]>
  /** Parses a file of results. Refuses: any other file. */
  read(csv: string): Result[]
}

export type Payee = { partnerId: string; detailsVersion: string; details: DepositInfo }
/** A recipient prepared for a payee's details; `by` and `recipient` are the method's own values. */
export type Ready = { partnerId: string; detailsVersion: string; by: string; recipient: string }
export type Prepared = { ready: Ready[]; rejected: { payee: Payee; words: string }[] }
export type InBatch = { id: string; statementNumber: number; amount: number; details: DepositInfo }
/** `amount` is null in files from releases that did not store it. */
export type Given = { payoutId: string; recipient: string; amount: number | null }

/** A row of a results file; null for values that the file lacks. */
export type Result = {
  row: number
  reference: string | null
  statementNumber: number | null
  recipient: string | null
  name: string | null
  /** Decimal texts: the amount for the recipient, and the amount to be debited. */
  target: string | null
  source: string | null
  /** Paid; ended before it left; returned; or none of these yet. */
  outcome: 'paid' | 'over' | 'back' | 'open'
  /** The file's own word. */
  said: string
  paidOn: string | null
  transfer: string | null
}

export type TransferStanding = 'unfunded' | 'moving' | 'sent' | 'bounced' | 'over' | 'other'

/** A transfer as reported by the carrier; unreported values are null. */
export type ToldTransfer = {
  id: string
  paidFrom: string
  transactionId: string | null
  reference: string | null
  recipientId: string | null
  quoteId: string | null
  /** The amount of this transfer's payout, in minor units of the account's currency. */
  amount: number | null
  /** The carrier's own word, and its meaning here. */
  state: string
  standing: TransferStanding
  madeAt: string | null
}

export type Unread = { accountId: string; reason: string }

/** A payout's state as stored; `gathering` is shown as open or due. */
export type StoredStatus = 'gathering' | Exclude<Payout['status'], 'open' | 'due'>

/** `unauthorized` ends with any accepted call, `forbidden` with a payment or new settings. */
export type Trouble = { kind: 'unauthorized' | 'forbidden'; message: string }

/** Status of a provider resource that no longer exists. */
export const GONE = 410

/**
 * `unknown`: the call may or may not have had an effect. `refused`: proven to have none, with the provider's words.
 * `unauthorized`, `forbidden`: the provider does not accept the token, or not for this. `withheld`: the provider does
 * not show this transfer to the token, which may work for others.
 */
export type ProviderFailure = 'unknown' | 'refused' | 'unauthorized' | 'forbidden' | 'withheld'

/** A call to a provider that failed. */
export class ProviderError extends Error {
  readonly kind: ProviderFailure
  readonly status: number | null
  /** Seconds to wait, as requested by the provider. */
  readonly retryAfter: number | null
  constructor(
    kind: ProviderFailure,
    message: string,
    more: { status?: number | null; retryAfter?: number | null } = {},
  ) {
    super(message)
    this.name = 'ProviderError'
    this.kind = kind
    this.status = more.status ?? null
    this.retryAfter = more.retryAfter ?? null
  }

  /** The kind of refused access: retrying is useless until a person has acted. */
  get noAccess(): Trouble['kind'] | null {
    if (this.status === 401 || this.status === GONE) return 'unauthorized'
    return this.status === 403 || this.status === 404 ? 'forbidden' : null
  }
}
