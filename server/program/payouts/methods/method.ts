import { blockerPhrases } from '#contract/blocker-phrases.ts'
import type { DetailKind } from '#contract/detail-kinds.ts'
import type { LocalBankDetails } from '#contract/payout-details.ts'
import type { PayoutField, PayoutFieldSet } from '#contract/payout-form.ts'
import type {
  AutoPayoutSettings,
  AutoPayoutSettingsChange,
  PayoutDetails,
  SepaDebtor,
} from '#contract/payout-settings.ts'
import type { BlockerCode, NameCheck, PayoutMethod } from '#contract/payouts.ts'
import type { RefusalReason } from '#contract/refusals.ts'

/**
 * A payout method: a folder here and a line in `registry.ts`. An adapter: it gets plain data and the means to call its
 * provider, and returns plain data. The core owns everything stored, the states and the time.
 */
export type Method = {
  /** Its name in the contract. */
  name: PayoutMethod
  /** Its name in sentences. */
  label: string
  /**
   * The kinds of payout details that it reaches, from accounts in these currencies. One that needs nothing of its payees
   * gives the rewards of a group of customers with this name, and has none of the blockers about details and papers.
   */
  pays: { needs?: 'nothing'; kinds: 'any' | readonly DetailKind[]; currencies: 'any' | readonly string[] }
  /** The method's own blockers, in addition to those of the partner and the balance. */
  blockers: readonly MethodBlocker[]
  /** Words of its sentences that are stored with payouts in English; a partner reads them in their language. */
  reasons?: object
  /** The connection an owner enters before payouts by it; a method without one is always ready. */
  settings?: MethodSettings
  /** Asks the provider what is wrong with these details, by field; returns nothing without an answer. */
  checkDetails?(
    api: Api,
    profileId: string,
    query: { details: PayoutDetails; currency: string; payee: PayeeKind },
  ): Promise<Record<string, string | MethodRefusal>>
  /** Bank accounts whose fields its provider defines. */
  localBanks?: LocalBanks
  /** Pays automatically once a payout is approved. Without it, a person pays and marks the payout as paid. */
  provider?: PayoutProvider
  /** Events that the provider sends. */
  events?: Events
  /** Payouts are paid by a file, which a person uploads. */
  file?: FileFormat
}

export type LocalBanks = {
  /** Asks the provider, with the draft if there is one. Throws `ProviderError` if it does not answer. */
  form(
    api: Api,
    profileId: string,
    wanted: { from: string; payee: PayeeKind; draft: LocalBankDetails | null },
  ): Promise<{ sets: AskedSet[] } | { wrong: MethodRefusal } | { refused: Record<string, string> }>
  /** Returns what is wrong with these values, by the name of the field; pure. */
  wrong(set: AskedSet, fields: Record<string, string>): Record<string, MethodRefusal>
}

/** Fields as a provider defines them; their patterns are external, and run on the server alone. */
export type AskedField = PayoutField & { pattern: string | null }
export type AskedSet = Omit<PayoutFieldSet, 'fields'> & { fields: AskedField[] }

/** The calls of one connection to a provider, at this install's address of it. */
export type Api = {
  apiUrl: string
  apiVersion: string
  /** The credentials, as they were entered or as the method had them kept. */
  token: string
  /** Access that the credentials gave for a while; kept in this process until its end, by the core's clock. */
  access: { get(): string | null; keep(access: string, seconds: number): void }
  /** Sends a request; `unreachable`: there was no usable answer, and why, in words. */
  send(
    url: string,
    request: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<{ status: number; headers: Record<string, string>; text: string } | { unreachable: string }>
  /** Logs a failed call. */
  note(call: object, message: string): void
}

/** A refusal of the contract as data; `field` is the wrong one of the body. */
export type MethodRefusal = {
  wrong: RefusalReason
  field?: string
  values?: Record<string, string>
  details?: Record<string, unknown>
}

/** A fault of the customer at the payment provider, as it is stored. */
export type CustomerProblem = 'customer-deleted' | 'customer-currency-differs'

export type MethodBlocker = {
  code: BlockerCode
  /** Does not stop a person from approving. */
  soft?: true
  /** Concerns the payout details; also applies to a payout that failed because of them. */
  ofDetails?: true
  /** When it applies; the core turns it into SQL. */
  when:
    | 'nothing-on'
    | 'out-of-reach'
    | 'details-rejected'
    | CustomerProblem
    | 'no-customer'
    | { currencyNotIn: readonly string[] }
  words: Record<Reader, (facts: BlockerFacts) => string>
}

/** The provider refused the details: it would refuse them again. */
export const detailsRejected: MethodBlocker = {
  code: 'details-rejected',
  ofDetails: true,
  when: 'details-rejected',
  words: {
    owner: ({ rejectedReason }) => `Payout details were rejected${rejectedReason ? `: ${rejectedReason}` : ''}`,
    partner: () => blockerPhrases.detailsRejected,
  },
}

export type Reader = 'owner' | 'partner'

/** Values that blocker messages interpolate. Dates are `YYYY-MM-DD` in the account's time zone. */
export type BlockerFacts = {
  year: number
  /** The year that a payment would be in, once approved for it. */
  payYear?: number
  minimumPayout: number
  currency: string
  /** End of the last fraud hold. */
  heldUntil: string | null
  /** First date of automatic payouts to changed details. */
  availableOn: string | null
  rejectedReason: string | null
  /** A person without the right to pay who booked an adjustment in it. */
  adjustedBy?: string | null
  /** The person whose first approval counts. */
  approvedFirstBy?: string | null
}

/** A profile of a connection: the account at the provider that payouts are paid from. */
export type Profile = { id: string; type: string; fullName: string | null; businessName: string | null }

/** An account's connection without its credentials. */
export type Connection = {
  tokenHint: string | null
  profile: Profile | null
  /** The profiles that the token could access when last read. */
  profiles: Profile[]
}

/** The settings that do not depend on a connection. */
export type AutomaticSettings = Pick<
  AutoPayoutSettings,
  'enabled' | 'maxPerPayout' | 'maxPerRun' | 'approvalsAboveCeiling' | 'pendingChange'
>

/** Translates between a connection and the fields of the contract. */
export type MethodSettings = {
  /** Its part of the account's payout settings; `trouble` is the reason that its calls fail. */
  present(connection: Connection, trouble: string | null): Omit<AutoPayoutSettings, keyof AutomaticSettings>
  /** The connection as the activity may show it. */
  audited(connection: Connection): Record<string, unknown>
  /** The credentials and the profile that a change provides: null removes, undefined keeps. */
  given(change: AutoPayoutSettingsChange): { token?: string | null | undefined; profileId?: string | null | undefined }
  /** The token of a header; null if it has none. */
  tokenIn(authorization: string): string | null
  wrong: Record<'tokenNotSent' | 'tokenMissing' | 'tokenNeeded' | 'profileMissing' | 'profileOutOfReach', MethodRefusal>
  /** Why the profiles could not be read for a change of the settings; `listed`: for the list of a token's profiles. */
  unread(error: ProviderError, listed: boolean): MethodRefusal
}

/** Events at `/hooks/{name}`: each is only a hint to read one of our transfers. */
export type Events = {
  kinds: readonly string[]
  subscribe(api: Api, profileId: string, kind: string, url: string): Promise<string>
  unsubscribe(api: Api, profileId: string, subscriptionId: string): Promise<void>
  /** Whether the event is signed with the key, null for the provider's published one, or only a test of the address. */
  judge(event: {
    headers: Record<string, unknown>
    body: Buffer | null
    key: string | null
  }): 'signed' | 'test' | MethodRefusal
  /** The transfer of a signed event; null if it names none. */
  transferOf(body: Buffer): string | null
}

/**
 * Pays by an API. Told what is known of a payout, it names the next call, makes it and answers; the core judges, saves
 * and moves (process-payout.ts).
 */
export type PayoutProvider = {
  /** The site on which an owner acts on a transfer. */
  site: string
  /** Shown while only the owner can pay a transfer. */
  payByHand?: string
  /** Business days without a bounce after which a transfer counts as having arrived; null if days prove nothing. */
  settlesAfterBusinessDays: number | null
  /**
   * Minutes between checks of a payout under way, in addition to events, and once its money has left, if others; days of
   * daily checks after it is paid.
   */
  looks: { everyMinutes: number; sentEveryMinutes?: number; paidForDays: number }
  /** The provider has no key but numbers, for which it pays once. */
  numbers?: Numbers
  /** The next call for this payout; pure. */
  nextStep(request: TransferRequest): Step
  /** Makes a call, once. Throws `ProviderError` if its result is unknown or access was refused. */
  execute(api: Api, step: Step, request: TransferRequest): Promise<StepResult>
  /** Returns the profiles that the token can access. Throws `ProviderError` if it is not accepted. */
  profiles(api: Api): Promise<Profile[]>
  /**
   * Returns a page of the transfers that a profile requested since then, with the offset of the next; those `known` by
   * their id if the provider lists none.
   */
  page(
    api: Api,
    profileId: string,
    query: { since: Date; offset: number; currency: string; known: string[] },
  ): Promise<{ transfers: ProviderTransfer[]; next: number | null }>
}

/**
 * Each attempt of an account gets the next number, committed before the first call and never given to another. A number
 * that the provider knows for a payment which is unknown here was lost from this database. `perSecond`: calls that may
 * move money, of one account. `askedForDays`: afterwards the provider may have forgotten a number, so that a call whose
 * result is unknown is no longer repeated.
 */
export type Numbers = { perSecond: number; askedForDays: number }

/** Values that an attempt has collected, by names of the method's own; `transferId` once its transfer exists. */
export type AttemptState = { transferId?: string | null; [name: string]: string | null | undefined }

export type PayeeKind = { kind: DetailKind; country: string | null; currency: string }

/** Everything a method gets about a payout. */
export type TransferRequest = {
  /** Pay it; stop it, since its approval no longer holds; or only read its transfer. */
  intent: 'pay' | 'stop' | 'read'
  /** The provider creates one transfer per key. */
  key: string
  /** The account's public id, and its number for this attempt; null without numbers. */
  account: string
  number: number | null
  /** Each request so far was refused, which the provider may remember. */
  wasRefused: boolean
  /** Our reference, to be shown on the recipient's statement. */
  reference: string
  /** The profile that the attempt pays from. */
  profileId: string
  amount: number
  currency: string
  /** The payee's bank or service, as approved: country in capitals, currency in lower case. */
  payee: PayeeKind
  memo: AttemptState
  /** Whether a transfer may exist. */
  mayExist: boolean
  startedAt: Date
  /** Time of the first request for its transfer. */
  requestedAt: Date
  now: Date
  /** The details that the approval fixed, for a step that needs them; null if they cannot be opened. */
  details?: PayoutDetails | null
}

/** A call to the provider. `mayMoveMoney`: money may move from now on, whatever the answer. */
export type Step = { name: string; mayMoveMoney?: true; makesPayee?: true; needsDetails?: true }

export type StepResult =
  /** Done; `state` describes the attempt while it has no transfer. */
  | { result: 'step-done'; memo: Partial<AttemptState>; state?: string; rate?: string | null; fee?: number | null }
  /** Proven to have had no effect. */
  | { result: 'refused'; words: string; ofDetails?: boolean }
  /** Not paid; `forbidden`: only the owner can. */
  | { result: 'insufficient-funds'; words: string; problem: 'balance' | 'forbidden' }
  /** There is nothing of it at the provider. */
  | { result: 'no-payment' }
  /** The outcome at the provider can't be found out, and another call may pay: a person decides. */
  | { result: 'undetermined'; words: string }
  /** Nothing was done: the number was used for another payment, which this database has forgotten. */
  | { result: 'number-taken'; by: ProviderTransfer }
  | TransferReading

/** A transfer as read. */
export type TransferReading = {
  standing: TransferStanding
  transferId: string
  /** The provider's own word. */
  state: string
  /** How it differs from the request, in words. */
  wrong: string | null
  /** A notice on the payout while the transfer stays as it is: an open question, a review, a payment not claimed. */
  notice: string | null
  /** Why the transfer ended without being paid, in a sentence; `ofDetails`: because of the payout details. */
  words: string
  ofDetails?: boolean
  /** The last day on which the payee can accept it. */
  claimBy?: string | null
  /** In minor units of the account's currency. */
  fee?: number
  /** The money as it arrives, in minor units of that currency; null for values that the provider does not report. */
  payee?: { amount: number | null; currency: string | null }
}

/**
 * A format of payment files, which a person uploads at a bank or a provider. The time of the upload is unknown, so a
 * payout in one may have left: only a person removes it.
 */
export type FileFormat = {
  /** Its name in the names of files. */
  format: string
  extension: 'csv' | 'xml'
  /** The method whose due payouts are put in it; others only if a person chooses them. */
  takes: PayoutMethod
  /** Payees are registered at the provider first; the file then names them by id. */
  payees?: {
    /** Creates a recipient for these details; `refused`: the details are, and why, in words. */
    make(api: Api, profileId: string, details: PayoutDetails): Promise<{ recipient: string } | { refused: string }>
    /** The refusal without a token and a profile, and if the provider rejects the token. */
    notConnected: MethodRefusal
    denied(error: ProviderError): MethodRefusal
  }
  /**
   * The reference of a payout in its file of this turn, or with the file's own mark; without it, a payout of an earlier
   * file needs a new number.
   */
  reference?(name: string, turn: number, mark: string | null): string
  /** The largest amount of one payment, in minor units. */
  most?: number
  /** The file: rows of a table by column, or its text. Equal arguments make equal files. */
  make(head: FileHead, payments: FilePayment[]): { rows: Record<string, FileCell>[] } | { text: string }
  /** Reads a file of results; null for one of another format. */
  read(file: ResultsFile): Result[] | MethodRefusal | null
  /** Whether a table with these columns can only be one of its results. */
  isResults?(columns: string[]): boolean
}

/** The parts that a payment file has once. Times are in UTC. */
export type FileHead = {
  messageId: string
  createdAt: string
  executionDate: string | null
  accountName: string
  payer: FilePayer | null
}

/** The account at a bank that a file is paid from; those stored before bookings could be chosen have none. */
export type FilePayer = Omit<SepaDebtor, 'booking'> & Partial<Pick<SepaDebtor, 'booking'>>

/** A payment in a file; `name` is its payout's. */
export type FilePayment = {
  name: string
  reference: string
  amount: number
  currency: string
  recipient: string | null
  details: PayoutDetails
  payee: { currency: string; hint: string | null }
}

/** Free text; or a number, a date or a fixed word. */
export type FileCell = { text: string } | { plain: string | null }

/** A table, the documents of an XML file, or another text. */
export type ResultsFile = { table: ResultsTable } | { documents: XmlTree[] } | { text: string }
export type ResultsTable = { columns: string[]; rows: { row: number; cells: string[] }[] }
/** An element of an XML file by its local name, with the text directly in it. */
export type XmlTree = { name: string; attributes: Record<string, string>; text: string; children: XmlTree[] }

/** A payment in a results file; null for values that it lacks. */
export type Result = {
  /** Line of the table, or place among the entries. */
  row: number
  /** Place of its document in the file, if it may hold several: they may tell of the same booking. */
  part?: number
  reference: string | null
  recipient: string | null
  name: string | null
  /** Decimal texts: the amount for the recipient, and the amount to be debited. */
  target: string | null
  source: string | null
  /** Paid; ended before it left; returned; none of these yet; or for a person to find out. */
  outcome: 'paid' | 'over' | 'back' | 'open' | 'unclear'
  /** The reason in words, or the file's own word. */
  reason: string
  paidOn: string | null
  transfer: string | null
  /** For banks, which repeat our ids: what else identifies the payment. */
  bank?: BankResult
}

export type BankResult = {
  /** The id of our file; null if only a payment is named. */
  messageId: string | null
  /** It is about every payment of the file, and its amount is their sum. */
  whole: boolean
  /** The account debited, and the payee's. A statement always names the former. */
  payer: string | null
  payee: string | null
  currency: string | null
  isStatement: boolean
  /** The reason concerns the payee's account. */
  ofDetails: boolean
  /** References of our form in its text, if no id names the payment; of our files if it's about a whole one. */
  mentioned: string[]
  /** The bank's finding about the payee's name. */
  nameCheck: NameCheck['result'] | null
  /** The bank says itself that the money of a credit came back. */
  isReturn: boolean
  /** The bank's own reference of the booking, and which of the file's statements has it. */
  booking: string | null
  statement: number
}

/**
 * `unfunded`: waits for money. `sent`: the money has left. `arrived`: the payee has it. `bounced`: it is on its way
 * back; `back`: it is back for good. `over`: ended, and if money had left, it is back. `refused`: ended without money
 * having left; `short`: for want of it, so that another attempt may pay. `other`: unknown.
 */
export type TransferStanding =
  | 'unfunded'
  | 'moving'
  | 'sent'
  | 'arrived'
  | 'bounced'
  | 'back'
  | 'over'
  | 'refused'
  | 'short'
  | 'other'

/** Whether a transfer can no longer pay, whatever its outcome. */
export const hasEnded = (standing: TransferStanding) => ['over', 'back', 'refused', 'short'].includes(standing)

/** A transfer as reported by the provider; unreported values are null. */
export type ProviderTransfer = {
  id: string
  paidFrom: string
  transactionId: string | null
  reference: string | null
  recipientId: string | null
  quoteId: string | null
  /** The amount of this transfer's payout, in minor units of the account's currency. */
  amount: number | null
  /** The provider's own word, and its meaning here. */
  state: string
  standing: TransferStanding
  madeAt: string | null
  /** The account's number for it; null without numbers. */
  paymentNumber: number | null
}

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
  get noAccess(): 'unauthorized' | 'forbidden' | null {
    if (this.status === 401 || this.status === GONE) return 'unauthorized'
    return this.status === 403 || this.status === 404 ? 'forbidden' : null
  }
}
