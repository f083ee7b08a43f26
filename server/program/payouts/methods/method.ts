import type {
  AutoPayoutSettings,
  AutoPayoutSettingsChange,
  BlockerCode,
  DepositInfo,
  PayoutFormat,
  PayoutMethod,
} from '#contract/payouts.ts'
import type { Cell } from '../../../platform/csv/csv.ts'
import type { Queryable, Transaction } from '../../../platform/database/pool.ts'
import type { Sql } from '../../../platform/database/sql.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import type { Services } from '../../../platform/services.ts'
import type { AccountFacts } from '../../access/account-facts.ts'
import type { App } from '../../access/route.ts'
import type { Difference } from '../../stats/verify.ts'
import type { LockedPayout } from '../binding.ts'
import type { BlockerFacts, Reader } from '../blockers.ts'
import type { Move } from '../move.ts'

/**
 * A way of paying partners, and all that the rest of the product knows of it. A method is a folder here and a line in
 * `registry.ts`. It keeps what it needs in tables of its own, and moves a payout only by what it is `Carried`.
 */
export type Method = {
  /** The contract's word for it. */
  name: PayoutMethod
  /** The method's own blockers, beside those of the partner and the balance. */
  blockers: readonly MethodBlocker[]
  /** Settings an owner enters before the account can be paid by it; a method without any is always ready. */
  settings?: MethodSettings
  /** Asks whoever pays what is wrong with these details, by field, before any transaction; nothing where there is no answer. */
  checkDetails?(services: Services, account: AccountFacts, details: DepositInfo): Promise<Record<string, string>>
  /** Calls and events of its own. */
  routes?(app: App): void
  /** Pays by itself once a payout is approved. Without, a person pays and marks the payout as paid. */
  carrier?: Carrier
  /** Payouts are approved by being put in a file, which a person uploads where it is paid. */
  batch?: Batch
}

export type MethodBlocker = {
  code: BlockerCode
  /** A person may approve all the same. */
  soft?: true
  /** It is about the payout details, and stands on a payout that failed over them too. */
  ofDetails?: true
  /** When it stands, in SQL about the payout details `d`. */
  stands(account: AccountFacts): Sql
  words: Record<Reader, (facts: BlockerFacts) => string>
}

type CoreSettings = 'enabled' | 'maxPerPayout' | 'maxPerRun'

export type MethodSettings = {
  /** Its part of the account's payout settings; `trouble` is what stands against its calls. */
  present(
    db: Queryable,
    accountId: string,
    trouble: string | null,
  ): Promise<Partial<Omit<AutoPayoutSettings, CoreSettings>>>
  /** Whether the change hands over another way to the money, for which the password has to be proved. */
  connects?(change: AutoPayoutSettingsChange): boolean
  /**
   * Asks whoever has to be asked about a change, before any transaction, and returns how to make it in one. Refuses
   * what cannot be taken.
   */
  prepare(
    services: Services,
    account: AccountFacts,
    change: AutoPayoutSettingsChange,
  ): Promise<(tx: Transaction) => Promise<SettingsOutcome>>
}

export type SettingsOutcome = {
  /** Payouts of the account can leave this way now; where not, why automatic ones cannot be switched on. */
  missing: Refusal | null
  /** Whether the change clears the trouble of the connection. */
  clears: boolean
  /** The change as the activity may show it. */
  audited: { old: Record<string, unknown>; new: Record<string, unknown> }
  /** To be done once the change is committed. */
  afterwards?(): Promise<void>
}

/** Services to ask a provider with outside of a job, such as from a command. */
export type Asking = Pick<Services, 'db' | 'config' | 'log' | 'outbound' | 'secrets'>

export type Carrier = {
  /** The name in sentences. */
  label: string
  /**
   * Brings a payout as far as it can come now; it is called at approval, by the clock, on an event and by a person, and
   * may be called any time, also after a death at any line. Before money leaves it asks `judge` again; a payout that is
   * to be canceled or approved anew is stopped by it, too. Throws `ProviderError` where the answer is not known, so that
   * the job comes again.
   */
  advance(carried: Carried): Promise<void>
  /** How often a payout under way is looked at, beside events, and how long one that is paid is still watched, daily. */
  looks: { everyMinutes: number; paidForDays: number }
  /** The usual fee of one payout, in minor units of the account's currency; null if it is not known. */
  usualFee(tx: Transaction, accountId: string): Promise<number | null>
  /** Whether the account's calls are taken; asked every hour while they were not. */
  isTaken(services: Services, accountId: string): Promise<boolean>
  /**
   * A page of the transfers requested since then, whatever is stored here about them, with the start of the next page. Null
   * if nobody can be asked.
   */
  transfers(
    services: Asking,
    account: AccountFacts,
    page: { since: Date; from: string | null },
  ): Promise<TransferPage | null>
  /** The numbers under which the product asks for a payout's transfers, the first first. */
  transactionIds(payoutId: string, count: number): string[]
  /** Whether nobody but this product, or a copy of it, can have asked for it. */
  isOurs(transfer: Pick<ToldTransfer, 'transactionId' | 'reference'>): boolean
  /** Reads the past back and compares it with what the product holds. */
  verify(services: Asking): Promise<Verified>
  /** Whether it lets each account in that is connected and not disabled; writes nothing. */
  tryTokens(services: Asking): Promise<Tried>
}

/**
 * A file of payouts that a person hands on. Nobody knows when it is, so that a payout in it may have left: only a person
 * takes it out again.
 */
export type Batch = {
  /** The contract's word for it. */
  format: PayoutFormat
  header: readonly string[]
  /**
   * Asks whoever has to be asked for what the rows of these payees need, before any transaction. Refuses where nothing can
   * be had; a payee of whom there is no answer is in neither list.
   */
  prepare(services: Services, account: AccountFacts, payees: Payee[]): Promise<Prepared>
  /** Writes down what was prepared for a payout that is approved now. */
  keep(tx: Transaction, payoutId: string, prepared: Ready): Promise<void>
  /** The rows of the file for these payouts, without those that can no longer be in it. */
  rowsOf(db: Queryable, account: AccountFacts, payouts: InBatch[]): Promise<Cell[][]>
  /** The given of each payout that is in a file. */
  given(db: Queryable, payoutIds: string[]): Promise<Given[]>
  /** The rows of the file that tells what became of a batch. Refuses: one that is no such file. */
  read(csv: string): Result[]
}

export type Payee = { partnerId: string; detailsVersion: string; details: DepositInfo }
/** A recipient prepared for a payee's details, in the method's own words. */
export type Ready = { partnerId: string; detailsVersion: string; by: string; recipient: string }
export type Prepared = { ready: Ready[]; rejected: { payee: Payee; words: string }[] }
export type InBatch = { id: string; statementNumber: number; amount: number; details: DepositInfo }
/** `amount` is null in files of releases before it was saved. */
export type Given = { payoutId: string; recipient: string; amount: number | null }

/** A row of a results file; null is what the file does not tell. */
export type Result = {
  row: number
  reference: string | null
  statementNumber: number | null
  recipient: string | null
  name: string | null
  /** As a decimal text: what the recipient is to get, and what is to leave. */
  target: string | null
  source: string | null
  /** Paid; over before it left; back after it had, or before; or none of these yet. */
  outcome: 'paid' | 'over' | 'back' | 'open'
  /** In the words of the file. */
  said: string
  paidOn: string | null
  transfer: string | null
}

export type TransferPage = { transfers: ToldTransfer[]; next: string | null }

/** A transfer as the carrier tells it; what it does not tell is null. */
export type ToldTransfer = {
  id: string
  paidFrom: string
  transactionId: string | null
  reference: string | null
  recipientId: string | null
  quoteId: string | null
  /** The amount of a payout of this transfer, in minor units of the account's currency. */
  amount: number | null
  /** In the carrier's word, and what that means. */
  state: string
  standing: 'unfunded' | 'moving' | 'sent' | 'bounced' | 'over' | 'other'
  madeAt: string | null
}

/** The differences, the number of transfers compared, and the accounts that could not be read. */
export type Verified = { differences: Difference[]; compared: number; unread: Unread[] }
/** `away`: in words, why it answered nobody; else whom it refused. */
export type Tried = { asked: number; away: string | null; refused: Unread[] }
export type Unread = { accountId: string; reason: string }

/** A payout that was approved for a method, as it stands. */
export type UnderWay = {
  id: string
  accountId: string
  partnerId: string
  status: LockedPayout['status']
  amount: number
  currency: string
  statementNumber: number
  detailsVersion: string
  stopReason: 'canceled' | 'details-changed' | null
  /** The owner asked to try once more what waits for money. */
  fundAgain: boolean
  sentAt: string | null
  /** How often its transfer was withheld, since it was last shown. */
  looksRefused: number
}

/**
 * Whether what was approved still holds: `undo`, the approval is undone; `cancel`, the payout ends because the owner
 * asked for it.
 */
export type Verdict = { holds: true } | Undone
export type Undone = { holds: false; end: 'cancel' } | { holds: false; end: 'undo'; because: string }

/** `unauthorized` ends with any call that is taken, `forbidden` with a payment or new settings. */
export type Trouble = { kind: 'unauthorized' | 'forbidden'; message: string }

/** A payout in the hands of its method, and all that the method may do to it. */
export type Carried = {
  services: Services
  account: AccountFacts
  payoutId: string
  /** A transaction in which this worker surely still holds the payout; throws where another has taken it over. */
  hold<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Told of each moment between which a process may die, so that tests let it die there. */
  onStep(step: string): void | Promise<void>

  /** Nothing once it is no longer this method's. */
  read(db: Queryable): Promise<UnderWay | undefined>
  /** The details that the approval fixed; null where they do not open. */
  details(): Promise<DepositInfo | null>
  /** Whether the approval holds, judged anew. */
  judge(tx: Transaction, payout: UnderWay): Promise<Verdict>
  /** Does what the verdict asks for, where surely nothing of the payout can leave any more. */
  undo(tx: Transaction, payout: UnderWay, verdict: Undone): Promise<void>
  /** `reason` is shown on the payout, `because` kept with the event alone. */
  move(tx: Transaction, name: CarrierMove, how?: { reason?: string; because?: string }): Promise<void>
  /** The money came back for good: the payout is returned and its entries are due again. */
  giveBack(tx: Transaction, reason: string, change: { old: string; new: string }): Promise<void>
  /** Its entries were given back. */
  isFreed(tx: Transaction, payout: UnderWay): Promise<boolean>
  /** Exactly the details of this approval are not taken: none like them is tried before they change. */
  rejectDetails(tx: Transaction, payout: UnderWay, words: string): Promise<void>
  /** Says on the payout why it stands where it does. */
  say(tx: Transaction, words: string): Promise<void>
  /** These words hold no longer. */
  unsay(tx: Transaction, words: string): Promise<void>
  /** The next look by the clock is reckoned from here. */
  looked(tx: Transaction): Promise<void>
  /** A look was answered: what was withheld is shown again. */
  shown(tx: Transaction): Promise<void>
  /** A look was refused: the next comes after one hour, two, four and so on, a week at most. */
  lookLater(tx: Transaction): Promise<void>
  /** The provider asked to be left alone for so many seconds. */
  lookAfter(tx: Transaction, seconds: number): Promise<void>
  /** Starts what the owner asked for by `fundAgain`. */
  triesAgain(tx: Transaction): Promise<void>
  /** It is advanced again at once. */
  comeAgain(tx: Transaction): Promise<void>
  /** The account's calls are not taken: its automatic payouts pause, in these words, until they are. */
  pause(trouble: Trouble): Promise<void>
  /** A call was taken, or a payment. */
  resume(proof: 'any-call' | 'payment'): Promise<void>
}

/** The moves that a method makes; the others are a person's. */
export type CarrierMove = Extract<
  Move,
  'begin' | 'step-back' | 'wait' | 'go-on' | 'send' | 'arrive' | 'fail' | 'bounce'
>

/** The status of what is no longer there, by which any way in is meant. */
export const GONE = 410

/** The provider could not be reached, or gave no usable answer: the call may or may not have had its effect. */
export class ProviderError extends Error {
  readonly status: number | null
  /** Seconds that it asks to wait. */
  readonly retryAfter: number | null
  constructor(message: string, more: { status?: number | null; retryAfter?: number | null } = {}) {
    super(message)
    this.name = 'ProviderError'
    this.status = more.status ?? null
    this.retryAfter = more.retryAfter ?? null
  }

  /** The provider does not let us in: asking again is useless until a person has done something. */
  get noAccess(): Trouble['kind'] | null {
    if (this.status === 401 || this.status === GONE) return 'unauthorized'
    return this.status === 403 || this.status === 404 ? 'forbidden' : null
  }
}
