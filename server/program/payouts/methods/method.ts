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
import type { Difference } from '../../stats/verify.ts'

/**
 * A payout method; the rest of the product knows nothing else of it. A method is a folder here and a line in
 * `registry.ts`. It stores its data in its own tables, and changes a payout only through its `Carried`.
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

export type Carrier = {
  /** Name in sentences. */
  label: string
  /**
   * Advances a payout as far as possible now; called at approval, by the clock, on an event and by a person, at any
   * time, also after a crash at any line. Calls `judge` again before money leaves, and also stops a payout that is to
   * be canceled or approved again. Throws `ProviderError` if the result is unknown, so that the job is retried.
   */
  advance(carried: Carried): Promise<void>
  /** Minutes between checks of a payout under way, in addition to events, and days of daily checks after it is paid. */
  looks: { everyMinutes: number; paidForDays: number }
  /** Returns the usual fee of one payout, in minor units of the account's currency; null if unknown. */
  usualFee(tx: Transaction, accountId: string): Promise<number | null>
  /** Whether the provider accepts the account's calls; checked every hour while it does not. */
  isTaken(services: Services, accountId: string): Promise<boolean>
  /**
   * Returns a page of the transfers requested since then, whatever is stored here about them, with the start of the
   * next page. Null without a connection to ask.
   */
  transfers(
    services: Asking,
    account: AccountFacts,
    page: { since: Date; from: string | null },
  ): Promise<TransferPage | null>
  /** Returns the transaction ids of a payout's transfers, in order. */
  transactionIds(payoutId: string, count: number): string[]
  /** Whether only this product, or a copy of it, can have requested it. */
  isOurs(transfer: Pick<ToldTransfer, 'transactionId' | 'reference'>): boolean
  /** Reads past transfers back and compares them with the stored payouts. */
  verify(services: Asking): Promise<Verified>
  /** Tries the credentials of each connected account that is not disabled; writes nothing. */
  tryTokens(services: Asking): Promise<Tried>
}

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

export type TransferPage = { transfers: ToldTransfer[]; next: string | null }

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
  standing: 'unfunded' | 'moving' | 'sent' | 'bounced' | 'over' | 'other'
  madeAt: string | null
}

/** The differences, the number of transfers compared, and the accounts that could not be read. */
export type Verified = { differences: Difference[]; compared: number; unread: Unread[] }
/** `away`: why the provider could not be asked, in words; otherwise `refused` lists the rejected accounts. */
export type Tried = { asked: number; away: string | null; refused: Unread[] }
export type Unread = { accountId: string; reason: string }

/** A payout's state as stored; `gathering` is shown as open or due. */
export type StoredStatus = 'gathering' | Exclude<Payout['status'], 'open' | 'due'>

/** The current state of a payout that was approved for a method. */
export type UnderWay = {
  id: string
  accountId: string
  partnerId: string
  status: StoredStatus
  amount: number
  currency: string
  statementNumber: number
  detailsVersion: string
  stopReason: 'canceled' | 'details-changed' | null
  /** The owner requested another try for a payout that waits for money. */
  fundAgain: boolean
  sentAt: string | null
  /** Consecutive checks in which its transfer was not visible. */
  looksRefused: number
}

/**
 * Whether what was approved still holds: `undo`, the approval is undone; `cancel`, the payout ends because the owner
 * asked for it.
 */
export type Verdict = { holds: true } | Undone
export type Undone = { holds: false; end: 'cancel' } | { holds: false; end: 'undo'; because: string }

/** `unauthorized` ends with any accepted call, `forbidden` with a payment or new settings. */
export type Trouble = { kind: 'unauthorized' | 'forbidden'; message: string }

/** A payout being processed by its method, and everything that the method may do to it. */
export type Carried = {
  services: Services
  account: AccountFacts
  payoutId: string
  /** Runs a transaction in which this worker surely still has the payout; throws if another has taken over. */
  hold<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Called between steps so tests can kill the process there. */
  onStep(step: string): void | Promise<void>

  /** Undefined once it is no longer this method's. */
  read(db: Queryable): Promise<UnderWay | undefined>
  /** The details that the approval fixed; null if they cannot be opened. */
  details(): Promise<DepositInfo | null>
  /** Judges again whether the approval holds. */
  judge(tx: Transaction, payout: UnderWay): Promise<Verdict>
  /** Carries out the verdict when nothing of the payout can leave any more. */
  undo(tx: Transaction, payout: UnderWay, verdict: Undone): Promise<void>
  /** `reason` is shown on the payout, `because` is stored only with the event. */
  move(tx: Transaction, name: CarrierMove, how?: { reason?: string; because?: string }): Promise<void>
  /** Marks the payout as returned after the money came back for good; its entries are due again. */
  giveBack(tx: Transaction, reason: string, change: { old: string; new: string }): Promise<void>
  /** Whether its entries were freed. */
  isFreed(tx: Transaction, payout: UnderWay): Promise<boolean>
  /** Marks exactly the details of this approval as rejected: no payout to them is tried until they change. */
  rejectDetails(tx: Transaction, payout: UnderWay, words: string): Promise<void>
  /** Stores the reason of its state, shown on the payout. */
  say(tx: Transaction, words: string): Promise<void>
  /** Removes these words, which no longer apply. */
  unsay(tx: Transaction, words: string): Promise<void>
  /** Starts the interval until the clock's next check. */
  looked(tx: Transaction): Promise<void>
  /** Records a successful check: the transfer is visible again. */
  shown(tx: Transaction): Promise<void>
  /** Records a refused check: the next comes after one hour, two, four and so on, a week at most. */
  lookLater(tx: Transaction): Promise<void>
  /** Delays the next check by this many seconds, as the provider asked. */
  lookAfter(tx: Transaction, seconds: number): Promise<void>
  /** Starts the retry that the owner requested by `fundAgain`. */
  triesAgain(tx: Transaction): Promise<void>
  /** Queues another advance at once. */
  comeAgain(tx: Transaction): Promise<void>
  /** Pauses the account's automatic payouts, with these words, until its calls are accepted again. */
  pause(trouble: Trouble): Promise<void>
  /** Records that a call, or a payment, was accepted. */
  resume(proof: 'any-call' | 'payment'): Promise<void>
}

/** The moves that a method makes; the others are made by a person. */
export type CarrierMove = 'begin' | 'step-back' | 'wait' | 'go-on' | 'send' | 'arrive' | 'fail' | 'bounce'

/** Status of a provider resource that no longer exists. */
export const GONE = 410

/** The provider could not be reached, or gave no usable answer: the call may or may not have had an effect. */
export class ProviderError extends Error {
  readonly status: number | null
  /** Seconds to wait, as requested by the provider. */
  readonly retryAfter: number | null
  constructor(message: string, more: { status?: number | null; retryAfter?: number | null } = {}) {
    super(message)
    this.name = 'ProviderError'
    this.status = more.status ?? null
    this.retryAfter = more.retryAfter ?? null
  }

  /** The kind of refused access: retrying is useless until a person has acted. */
  get noAccess(): Trouble['kind'] | null {
    if (this.status === 401 || this.status === GONE) return 'unauthorized'
    return this.status === 403 || this.status === 404 ? 'forbidden' : null
  }
}
