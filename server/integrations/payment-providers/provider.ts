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
  constructor(kind: ProviderFailure, message: string) {
    super(message)
    this.name = 'ProviderError'
    this.kind = kind
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
  /** What to enter instead, where the shape is wrong. */
  words: string
}

/** How an adapter reaches its provider: `apiUrl` null is the provider's own address. */
export type Reach = { apiUrl: string | null; outbound: Outbound; now: Date }

/** The provider's account behind a key; what it does not tell is null. */
export type ProviderAccount = {
  accountName: string | null
  defaultCurrency: string | null
  providerAccountId: string | null
  livemode: boolean
}

/** An event's envelope; `body` is the parsed whole. */
export type ProviderEvent = {
  id: string
  type: string
  livemode: boolean
  at: Date
  body: Record<string, unknown>
}

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
  /** What this payment's things share with other payments, such as a subscription. */
  group?: string | null
}

/** What was learned of one payment. */
export type Sighting = {
  key: string
  /** Names under which things of this payment may have been kept before its key was known. */
  aliases: string[]
  objects: ProviderObject[]
}

export type Gathered = {
  sightings: Sighting[]
  /** What belongs to all payments of a group. */
  shared: { group: string; objects: ProviderObject[] }[]
  /** Somebody who has not paid yet but told whose customer he is. */
  newcomer: Payer | null
  /** The provider ended the connection, in words. */
  revoked: string | null
  /** What could not be asked, or was not answered. `needed`: nothing may be booked without it. */
  lacking: { error: ProviderError; needed: boolean } | null
}

/** Who paid and what he carried along; everything may be absent. */
export type Payer = {
  customerId: string | null
  /** In lower case. */
  email: string | null
  name: string | null
  /** Click ids, lead ids or referral codes. */
  references: string[]
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

/** A payment provider. It only translates: rules and money are not its business. */
export type ProviderAdapter = {
  provider: PaymentProvider
  name: string
  methods: ('oauth' | 'credentials')[]
  fields: CredentialField[]
  /** Of the credentials, which one calls the API and which one signs events. */
  keyField: string
  webhookSecretField: string
  /** The events that say something; others are kept as ignored. */
  eventTypes: readonly string[]
  /** Tries the key. Throws ProviderError. */
  readAccount(key: string, reach: Reach): Promise<ProviderAccount>
  /** Has the provider send its events to `url`. Throws ProviderError. */
  makeEndpoint(key: string, url: string, reach: Reach): Promise<{ id: string; secret: string }>
  removeEndpoint(key: string, id: string, reach: Reach): Promise<void>
  /** Whether the bytes are the provider's, signed with this secret and not long ago. */
  verify(raw: Buffer, headers: Record<string, string | string[] | undefined>, secret: string, now: Date): boolean
  /** Throws where it is no event. */
  readEvent(raw: string): ProviderEvent
  /**
   * What an event tells, completed by asking the provider. `known` answers what is kept of a payment, `paymentKey` under
   * which one a thing is kept. Throws nothing but bugs.
   */
  gather(
    event: ProviderEvent,
    key: string | null,
    reach: Reach,
    known: {
      of(paymentKey: string): Promise<ProviderObject[]>
      keyOf(kind: string, id: string): Promise<string | null>
    },
  ): Promise<Gathered>
  /** Null while nothing was paid, or nobody announced it. */
  paymentOf(key: string, objects: ProviderObject[]): ProviderPayment | null
}
