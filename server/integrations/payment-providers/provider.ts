import type { Coupon, codeKinds, PromotionCodeRule } from '#contract/payment-providers.ts'
import type { PaymentProvider, SaleLine } from '#contract/sales.ts'
import type { Outbound } from '../../platform/http/outbound.ts'
import type { RefundReport } from '../../program/sales/refund-sale.ts'

/**
 * `refused`: the key is not accepted at all. `forbidden`: not for this. `missing`: the object does not exist.
 * `unavailable`: no usable answer; retrying may help. `invalid`: the request is wrong. `keyless`: there is no key.
 */
export type PaymentProviderFailure = 'refused' | 'forbidden' | 'missing' | 'unavailable' | 'invalid' | 'keyless'

/** A failed call to a provider; the message is the provider's if it has one. */
export class PaymentProviderError extends Error {
  readonly kind: PaymentProviderFailure
  /** The field of the connect form concerned; the first if omitted. */
  readonly field: string | undefined
  /** Wait in milliseconds requested by the provider. */
  readonly retryAfterMs: number | null
  /** The time from which the provider lists its history; null unless an earlier one was requested. */
  readonly listedFrom: Date | null
  constructor(
    kind: PaymentProviderFailure,
    message: string,
    {
      field,
      retryAfterMs = null,
      listedFrom = null,
    }: { field?: string; retryAfterMs?: number | null; listedFrom?: Date | null } = {},
  ) {
    super(message)
    this.name = 'ProviderError'
    this.kind = kind
    this.field = field
    this.retryAfterMs = retryAfterMs
    this.listedFrom = listedFrom
  }
}

/** One field of the connect form. */
export type CredentialField = {
  key: string
  label: string
  help: string | null
  secret: boolean
  optional?: boolean
  shape: RegExp
  /** The expected value, if the shape is wrong. */
  words: string
  /** The provider's page that creates this key with the rights it needs. */
  createUrl?: string
}

/** The owner's entries or the results of OAuth, by the adapter's field names. Empty ones are left out. */
export type Credentials = Readonly<Record<string, string>>

/** The operator's own application at a provider, with which owners connect without keys. */
export type Application = { clientId: string | null; secretKey: string | null; webhookSecret: string | null }

/** Access to a provider: `apiUrl` null means its own address. */
export type ProviderAccess = {
  apiUrl: string | null
  application: Application
  outbound: Outbound
  now: Date
  /** The key may open another account than the one that sent the event: the provider names none. */
  mayBeAnother?: boolean
}

/** The provider's account of a key; unknown values are null. */
export type ProviderAccount = {
  accountName: string | null
  defaultCurrency: string | null
  providerAccountId: string | null
  livemode: boolean
}

/** A request to an address: `url` is the one registered at the provider, whatever the server's current name. */
export type EventDelivery = {
  raw: Buffer
  headers: Record<string, string | string[] | undefined>
  url: string
  credentials: Credentials
  reach: ProviderAccess
}

/**
 * An event's envelope and body. The envelope is read once, on arrival, and stored separately: parts of it may come from
 * headers.
 */
export type ReceivedEvent = {
  id: string
  type: string
  at: Date
  /** The provider's account; null if not given. */
  account: string | null
  /** Null if not given. */
  livemode: boolean | null
  body: string
}

/** A stored event; its account is that of its shop. */
export type StoredEvent = Omit<ReceivedEvent, 'livemode'>

/**
 * A provider's object, reduced to the facts a payment needs. Of two versions the one with the higher `rank` counts,
 * between equals the newer.
 */
export type ProviderObject = {
  kind: string
  id: string
  rank: number
  at: Date
  data: Record<string, unknown>
  /** The group whose objects this payment shares with others, such as a subscription. */
  group?: string | null
}

/** The facts gathered about one payment. */
export type PaymentFacts = {
  key: string
  /** Keys under which objects of this payment may have been stored before its own was known. */
  aliases?: string[]
  objects: ProviderObject[]
}

/** A shop's stored objects. */
export type StoredObjects = {
  /** Returns the objects of a payment, and those it shares with others. */
  listByPayment(key: string): Promise<ProviderObject[]>
  /** Returns the key of the payment that an object belongs to. */
  findPaymentKey(kind: string, id: string): Promise<string | null>
}

export type GatheredFacts = {
  payments: PaymentFacts[]
  /** Objects of all payments of a group. */
  shared: { group: string; objects: ProviderObject[] }[]
  /** A person who has not paid yet, but carried a reference. */
  prospect: Payer | null
  /** Why the provider ended the connection, in words. */
  revoked: string | null
  /** The call that was not possible, or not answered. `needed`: nothing may be booked without it. */
  lacking: { error: PaymentProviderError; needed: boolean } | null
}

/** The payer and their references; everything may be absent. */
export type Payer = {
  customerId: string | null
  /** In lower case. */
  email: string | null
  name: string | null
  /** Two capitals. */
  country: string | null
  /** Click ids, lead ids or referral codes. */
  references: string[]
  /** The promotion codes the buyer entered, as texts and as the provider's ids. */
  promotionCodes: string[]
}

/** A payment as shown by its objects, in minor units of `currency` as the contract counts them. */
export type ProviderPayment = Payer & {
  externalId: string
  /** Net of tax and shipping. */
  amount: number
  taxAmount: number
  grossAmount: number
  currency: string
  at: Date
  description: string | null
  subscriptionId: string | null
  /** Net, in `currency`; null if the provider reports none, or they are not known yet. */
  lines: SaleLine[] | null
  /** The provider's fingerprint of the card; omitted if it reports none. */
  card?: string | null | undefined
  /**
   * Amounts in each one's own currency, also of lines. `mayBeByHand`: a refund of the same amount that was entered by
   * hand is this one.
   */
  refunds: (RefundReport & { externalId: string; currency: string; mayBeByHand?: boolean })[]
}

/** The credentials from a consent: stored as the connection's, and renewed from `refreshAt` on if they expire. */
export type Granted = { credentials: Credentials; refreshAt: Date | null }

/**
 * Connecting by the provider's consent page, with the operator's application. Its secret replaces PKCE, which is for
 * applications that cannot have one. Calls throw ProviderError.
 */
export type ProviderOAuth = {
  /** Returns the address the owner is sent to; they come back with `state`. */
  authorizeUrl(reach: ProviderAccess, ask: { state: string; redirectUri: string }): string
  /** Exchanges the owner's `code` for credentials. `invalid`, `refused`: not accepted. */
  exchange(reach: ProviderAccess, answer: { code: string; redirectUri: string }): Promise<Granted>
  /** Renews expiring tokens; omitted if they do not expire. `invalid`, `refused`: a new consent is needed. */
  refresh?(credentials: Credentials, reach: ProviderAccess): Promise<Granted>
  revoke(credentials: Credentials, reach: ProviderAccess): Promise<void>
}

/** A promotion code to make. `id` is ours, and stays with the code there; `turn` counts its candidates. */
export type CodeToMake = {
  id: string
  code: string
  turn: number
  partnerId: string
  rule: PromotionCodeRule
  /** The currency of the provider's account. */
  currency: string
  /** Its partner is a customer, whose friends use it for their first purchase, where the provider can say so. */
  firstPurchaseOnly: boolean
}

/** A coupon with its discount. */
export type DiscountCoupon = Coupon & Pick<PromotionCodeRule, 'percentOff' | 'amountOff' | 'currency'>

/** Making promotion codes at a provider. Calls throw ProviderError. */
export type CodeMaking = {
  kind: (typeof codeKinds)[number]
  /** Throws `forbidden`, with what to add, if the credentials may not make codes. */
  tryRight(credentials: Credentials, reach: ProviderAccess): Promise<void>
  coupons?(credentials: Credentials, reach: ProviderAccess): Promise<DiscountCoupon[]>
  /** Finds the code if we have made it; null if there is none, or another's. */
  find(credentials: Credentials, reach: ProviderAccess, code: CodeToMake): Promise<string | null>
  /** Makes the code, turned on, and returns the provider's id; null if the code is taken. */
  make(credentials: Credentials, reach: ProviderAccess, code: CodeToMake): Promise<string | null>
  /** Turns a code of ours on or off. `missing`: it no longer exists. */
  turn(credentials: Credentials, reach: ProviderAccess, madeId: string, on: boolean): Promise<void>
}

/** A credit that we added to a customer's balance, in minor units as the contract counts them. */
export type MadeCredit = { id: string; payoutId: string; accountId: string; amount: number; currency: string }

/** Adding credit to customers' own records at a provider. Calls throw ProviderError. */
export type CreditMaking = {
  /** Throws `forbidden`, with what to add, if the credentials may not add credit. */
  checkRight(credentials: Credentials, reach: ProviderAccess): Promise<void>
  /** Returns the currency in which a customer is billed, null before the first bill; null without the customer. */
  findCustomer(
    credentials: Credentials,
    reach: ProviderAccess,
    customerId: string,
  ): Promise<{ currency: string | null } | null>
  /** Returns every credit that we added to the customer's balance. */
  listCredits(credentials: Credentials, reach: ProviderAccess, customerId: string): Promise<MadeCredit[]>
  /** Adds credit and returns the provider's id. A repeat with the same key returns the first answer for a while. */
  addCredit(
    credentials: Credentials,
    reach: ProviderAccess,
    credit: Omit<MadeCredit, 'id'> & { customerId: string; key: string; description: string },
  ): Promise<string>
}

/** Returns the provider's answer whether a customer had paid before this time. Throws while it has not been asked. */
export type PaidBefore = (customerId: string, before: Date) => boolean

/** A payment provider. It only translates, without rules or bookings. */
export type ProviderAdapter = {
  provider: PaymentProvider
  name: string
  methods: ('oauth' | 'credentials')[]
  /** The provider's complaints about credentials are shown at the first, unless the error names another. */
  fields: [CredentialField, ...CredentialField[]]
  /** The field that checks events. An optional one may be entered later. */
  signingField: string
  /** The steps for a webhook that needs more than its URL, in sentences; omitted if we can create it. */
  webhookSteps?: string
  /** The command that forwards events to the URL after it, for addresses that the provider doesn't reach. */
  forwardCommand?: string
  /** The events that matter; others are stored as ignored. */
  eventTypes: readonly string[]
  oauth?: ProviderOAuth
  codes?: CodeMaking
  credits?: CreditMaking
  /**
   * Connections made by one of `methods` get their events at the address of the application at the provider,
   * `/hooks/providers/{provider}/platform`, and each event names its account. Those by OAuth are signed with the
   * application's own secret, which `receive` then finds in the signing field. For the others `accountOf` returns the
   * provider account that a delivery claims, null if unreadable; `receive` checks it with that connection's
   * credentials.
   */
  application?: {
    methods: ('oauth' | 'credentials')[]
    accountOf?(raw: Buffer, headers: EventDelivery['headers']): string | null
  }
  /** Tries the credentials. Throws ProviderError. */
  readAccount(credentials: Credentials, reach: ProviderAccess): Promise<ProviderAccount>
  /**
   * Subscribes `url` to the provider's events; returns the value of the signing field. Called while that field is
   * empty; if it must be entered, after every change and check, and then creates only what is missing. Throws
   * ProviderError.
   */
  makeEndpoint?(credentials: Credentials, url: string, reach: ProviderAccess): Promise<{ id: string; secret: string }>
  /** `makeEndpoint` finds what it made before and turns it on again: it's also called when the owner checks a fault. */
  remakesEndpoint?: true
  /** Returns a fault of the endpoint created, in a sentence; null if there is none. Throws ProviderError. */
  endpointTrouble?(credentials: Credentials, endpointId: string, reach: ProviderAccess): Promise<string | null>
  /** Removes what we created at the provider, such as the endpoint. Throws ProviderError. */
  disconnect?(credentials: Credentials, endpointId: string | null, reach: ProviderAccess): Promise<void>
  /** Whether an unsigned request only tests a connection's address: it's answered, and nothing is stored. */
  isPing?(raw: Buffer): boolean
  /**
   * Returns the events of a delivery; null if its signature is wrong or too old. Throws ProviderError: `invalid` if it
   * is signed but no event, `unavailable` if that could not be determined.
   */
  receive(delivery: EventDelivery): Promise<ReceivedEvent[] | null>
  /**
   * Gathers an event's facts, completed by the provider's answers if there are credentials. Throws ProviderError,
   * `invalid`, for an event that can't be read; else only on bugs.
   */
  readFacts(
    event: StoredEvent,
    credentials: Credentials | null,
    reach: ProviderAccess,
    stored: StoredObjects,
  ): Promise<GatheredFacts>
  /** Returns null while nothing was paid or reported; a payment of zero if the amount paid turned out to be zero. */
  toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null
  /** Returns what these objects tell of refunds and disputes without their payment, whose sale is in `currency`. */
  toRefunds(key: string, objects: ProviderObject[], currency: string): ProviderPayment['refunds']
  /**
   * Returns the history since then, as the events that reported it or would have, page by page until `next` is null, in
   * any order. Throws ProviderError: `invalid` with `listedFrom` if the provider's history does not reach that far.
   */
  readHistory?(
    credentials: Credentials,
    reach: ProviderAccess,
    since: Date,
    cursor: string | null,
  ): Promise<{ events: ReceivedEvent[]; next: string | null }>
  /**
   * Returns the present state of a payment's objects, as the events that would have reported it. Throws ProviderError:
   * `missing` if there are none any more.
   */
  readAgain?(
    credentials: Credentials,
    reach: ProviderAccess,
    objects: Pick<ProviderObject, 'kind' | 'id' | 'data'>[],
  ): Promise<ReceivedEvent[]>
  /** Returns whether a customer had paid anything before this time. Throws ProviderError. */
  paidBefore?(credentials: Credentials, reach: ProviderAccess, customerId: string, before: Date): Promise<boolean>
  /** A refund may be removed without an event: each night those of the last days are read again. */
  removesRefunds?: true
}
