import type { PaymentProvider } from '#contract/sales.ts'
import type { Outbound } from '../../platform/http/outbound.ts'
import type { RefundReport } from '../../program/sales/refund-sale.ts'

/**
 * `refused`: the key is not accepted at all. `forbidden`: not for this. `missing`: there is no such thing.
 * `unavailable`: no usable answer; asking again may help. `invalid`: what was sent is wrong. `keyless`: there is no key
 * to ask with.
 */
export type ProviderFailure = 'refused' | 'forbidden' | 'missing' | 'unavailable' | 'invalid' | 'keyless'

/** The provider answered badly, or not; the message is in its own words where it has some. */
export class ProviderError extends Error {
  readonly kind: ProviderFailure
  /** The field of the connect form that it is about; the first where left out. */
  readonly field: string | undefined
  /** How long the provider wants to be left alone, where it says so. */
  readonly retryAfterMs: number | null
  constructor(
    kind: ProviderFailure,
    message: string,
    { field, retryAfterMs = null }: { field?: string; retryAfterMs?: number | null } = {},
  ) {
    super(message)
    this.name = 'ProviderError'
    this.kind = kind
    this.field = field
    this.retryAfterMs = retryAfterMs
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
}

/** The owner's entries or those of OAuth, by the names of the adapter's fields. Empty ones are left out. */
export type Credentials = Readonly<Record<string, string>>

/** The operator's own application at a provider, by which owners connect without keys. */
export type Application = { clientId: string | null; secretKey: string | null; webhookSecret: string | null }

/** How an adapter reaches its provider: `apiUrl` null is the provider's own address. */
export type Reach = {
  apiUrl: string | null
  application: Application
  outbound: Outbound
  now: Date
  /** The key may open another account than the one that told: the provider names none. */
  mayBeAnother?: boolean
}

/** The provider's account behind a key; what it does not tell is null. */
export type ProviderAccount = {
  accountName: string | null
  defaultCurrency: string | null
  providerAccountId: string | null
  livemode: boolean
}

/** A request to an address: `url` is its text as the provider was given it, whatever the server is called today. */
export type Delivery = {
  raw: Buffer
  headers: Record<string, string | string[] | undefined>
  url: string
  credentials: Credentials
  reach: Reach
}

/**
 * An event's envelope, and what it says. The envelope is read once, when the event comes, and kept beside the text:
 * some of it may have stood in headers.
 */
export type ProviderEvent = {
  id: string
  type: string
  at: Date
  /** The provider's account that it is of; null where it does not say. */
  account: string | null
  /** Null where it does not say. */
  livemode: boolean | null
  body: string
}

/** An event as it was kept; its account is the one that its shop is known by. */
export type StoredEvent = Omit<ProviderEvent, 'livemode'>

/**
 * A thing of the provider's, reduced to what a payment is read from. Of two sightings the one with the higher `rank`
 * counts, between equals the newer.
 */
export type ProviderObject = {
  kind: string
  id: string
  rank: number
  at: Date
  data: Record<string, unknown>
  /** The group whose things this payment shares with others, such as a subscription. */
  group?: string | null
}

/** The facts gathered of one payment. */
export type Sighting = {
  key: string
  /** Names under which things of this payment may have been kept before its key was known. */
  aliases: string[]
  objects: ProviderObject[]
}

export type Gathered = {
  sightings: Sighting[]
  /** The things of all payments of a group. */
  shared: { group: string; objects: ProviderObject[] }[]
  /** Somebody who has not paid yet but told whose customer they are. */
  newcomer: Payer | null
  /** Why the provider ended the connection, in words. */
  revoked: string | null
  /** The question that could not be asked, or was not answered. `needed`: nothing may be booked without it. */
  lacking: { error: ProviderError; needed: boolean } | null
}

/** The payer and the data they carried along; everything may be absent. */
export type Payer = {
  customerId: string | null
  /** In lower case. */
  email: string | null
  name: string | null
  /** Click ids, lead ids or referral codes. */
  references: string[]
  /** The promotion codes the buyer entered, as they read and as the provider knows them. */
  promotionCodes: string[]
}

/** A payment as its objects tell it, in minor units of `currency` as the contract counts them. */
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
  /** Amounts in the currency that each names. */
  refunds: (RefundReport & { externalId: string; currency: string })[]
}

/** The credentials by a consent: stored as those of the connection, and renewed from `refreshAt` on if they expire. */
export type Granted = { credentials: Credentials; refreshAt: Date | null }

/**
 * Connecting by the provider's own consent page, with the operator's application. Its secret takes the place of PKCE,
 * which providers offer to applications that can keep none. Calls throw ProviderError.
 */
export type ProviderOAuth = {
  /** The address the owner is sent to; `state` comes back with them. */
  authorizeUrl(reach: Reach, ask: { state: string; redirectUri: string }): string
  /** The credentials for the `code` that the owner came back with. `invalid`, `refused`: none. */
  exchange(reach: Reach, answer: { code: string; redirectUri: string }): Promise<Granted>
  /** New tokens before these expire. Left out where they do not. `invalid`, `refused`: the consent has to be given again. */
  refresh?(credentials: Credentials, reach: Reach): Promise<Granted>
  revoke(credentials: Credentials, reach: Reach): Promise<void>
}

/** A payment provider. It only translates: rules and money are not its business. */
export type ProviderAdapter = {
  provider: PaymentProvider
  name: string
  methods: ('oauth' | 'credentials')[]
  /** What the provider says against the credentials is shown at the first, unless the error names another. */
  fields: [CredentialField, ...CredentialField[]]
  /** Of the fields, the one that events are checked with. An optional one may be entered later. */
  signingField: string
  /** The events that say something; others are kept as ignored. */
  eventTypes: readonly string[]
  oauth?: ProviderOAuth
  /**
   * Connections made by one of `methods` get their events at the one address of the application at the provider,
   * `/hooks/providers/{provider}/platform`, and each event names its account. Those of connections by OAuth are signed with
   * the application's own secret, which `receive` then finds in the signing field. For the others `accountOf` says which of
   * the provider's accounts a delivery claims to be of, null where it cannot be read; `receive` checks it with that
   * connection's credentials.
   */
  application?: {
    methods: ('oauth' | 'credentials')[]
    accountOf?(raw: Buffer, headers: Delivery['headers']): string | null
  }
  /** Tries the credentials. Throws ProviderError. */
  readAccount(credentials: Credentials, reach: Reach): Promise<ProviderAccount>
  /**
   * Has the provider send its events to `url`; returns what the signing field is to hold. Asked while that field is empty;
   * where it must be entered, after every change and check, so that it then makes only what is not there. Throws ProviderError.
   */
  makeEndpoint?(credentials: Credentials, url: string, reach: Reach): Promise<{ id: string; secret: string }>
  /** A fault of the endpoint that was made, in a sentence; null if there is none. Throws ProviderError. */
  endpointTrouble?(credentials: Credentials, endpointId: string, reach: Reach): Promise<string | null>
  /** Takes back what was made at the provider: the endpoint, where it was made by us. Throws ProviderError. */
  disconnect?(credentials: Credentials, endpointId: string | null, reach: Reach): Promise<void>
  /**
   * The events of a delivery; null where it is not signed as it should be, or not lately. Throws ProviderError:
   * `invalid` where it is signed and yet no event, `unavailable` where that could not be found out.
   */
  receive(delivery: Delivery): Promise<ProviderEvent[] | null>
  /**
   * An event's facts, completed by asking the provider, if there are credentials. `known` returns the stored things of a
   * payment, and the payment under which a thing is stored. Throws nothing but bugs.
   */
  gather(
    event: StoredEvent,
    credentials: Credentials | null,
    reach: Reach,
    known: {
      of(paymentKey: string): Promise<ProviderObject[]>
      keyOf(kind: string, id: string): Promise<string | null>
    },
  ): Promise<Gathered>
  /** Null while nothing was paid, or nobody announced it; of nothing where what was paid turned out to be none. */
  paymentOf(key: string, objects: ProviderObject[]): ProviderPayment | null
  /**
   * The history since then, as the events that reported it or would have, page by page until `next` is null, in any order.
   * Throws ProviderError: `invalid` if the provider does not remember that far back.
   */
  history?(
    credentials: Credentials,
    reach: Reach,
    since: Date,
    cursor: string | null,
  ): Promise<{ events: ProviderEvent[]; next: string | null }>
}
