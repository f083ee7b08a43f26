import type { PayoutDetails } from '#contract/payout-settings.ts'
import { transaction } from '../../server/platform/database/pool.ts'
import type { Services } from '../../server/platform/services.ts'
import type { AccountFacts } from '../../server/program/access/account-facts.ts'
import type { Actor } from '../../server/program/access/actor.ts'
import { changeAutoPayoutSettings } from '../../server/program/payouts/auto-payout-settings.ts'
import { connectApp } from '../../server/program/payouts/connect-app.ts'
import { removeMethod } from '../../server/program/payouts/method-settings.ts'
import { standInPaypal } from '../fakes/paypal.ts'
import type { Failure } from '../fakes/server.ts'
import { fakeWise } from '../fakes/wise.ts'
import type { Random } from './model-test.ts'
import { bankDetails } from './payouts.ts'

/** A payment as its provider has it. */
export type Payment = {
  id: string
  /** Our key for it. */
  key: string
  /** The account number or address that it goes to. */
  account: string
  /** Minor units. */
  amount: number
  /** The account at the provider that pays it. */
  place: number
  /** It can no longer pay. */
  isOver: boolean
  /** It was never paid from the balance. */
  isUnpaid: boolean
}

type Owner = { services: Services; account: AccountFacts; actor: () => Actor }

/** A method of payouts with its provider on loopback, as the lives of payouts use both. */
export type Rail = {
  name: 'wise' | 'paypal'
  /** The services with the provider's address. */
  servicesOf(services: Services): Services
  places: readonly number[]
  /** Payout details to this account, an own number. */
  details(account: string): PayoutDetails
  accountOf(details: PayoutDetails): string
  connect(owner: Owner, place: number, automatic: boolean): Promise<unknown>
  /** Pays from another account of the provider. */
  moveTo(owner: Owner, place: number, automatic: boolean): Promise<unknown>
  disconnect(owner: Owner): Promise<unknown>
  setAutomatic(owner: Owner, automatic: boolean): Promise<unknown>
  payments(): Payment[]
  topUp(place: number, value: number): void
  calls: readonly string[]
  failures: readonly Failure[]
  fail(call: string, failure: Failure, times: number): void
  calm(): void
  /** Events at the provider, by weight. */
  events: Record<string, { weight: number; happens(random: Pick<Random, 'pick' | 'below'>): unknown }>
  /** Waits until everything in progress has ended. */
  finish(): void
  /** Names of a worker's steps. */
  steps: readonly string[]
  close(): Promise<void>
}

type Means = { clock: () => Date; balance: number }

const WAITING = 'incoming_payment_waiting'
const OVER = ['cancelled', 'funds_refunded', 'charged_back']
const onward: Record<string, 'funds_converted' | 'outgoing_payment_sent' | 'cancelled'> = {
  processing: 'funds_converted',
  funds_converted: 'outgoing_payment_sent',
  bounced_back: 'cancelled',
}

export async function wiseRail({ clock, balance }: Means): Promise<Rail> {
  const wise = await fakeWise({ clock, balance: { USD: balance } })
  const paidByHand = new Set<number>()
  const inState = (state: string) => [...wise.transfers.values()].filter(({ status }) => status === state)
  const change = ({ services, account, actor }: Owner, body: Parameters<typeof changeAutoPayoutSettings>[3]) =>
    changeAutoPayoutSettings(services, actor(), account, body)
  const moveOn = () => {
    for (const { id, status } of wise.transfers.values()) {
      const next = onward[status]
      if (next) wise.setState(id, next)
    }
  }
  return {
    name: 'wise',
    servicesOf: (services) => ({
      ...services,
      config: { ...services.config, wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey } },
    }),
    places: [wise.businessId, wise.personalId],
    details: (accountNumber) => bankDetails({ accountNumber }) as PayoutDetails,
    accountOf: (details) => (details as { accountNumber: string }).accountNumber,
    connect: (owner, place, enabled) => change(owner, { wiseToken: wise.token, wiseProfileId: String(place), enabled }),
    moveTo: (owner, place) => change(owner, { wiseProfileId: String(place) }),
    disconnect: (owner) => change(owner, { wiseToken: null }),
    setAutomatic: (owner, enabled) => change(owner, { enabled }),
    payments: () =>
      [...wise.transfers.values()].map((transfer) => {
        const { details } = wise.recipients.get(transfer.targetAccount) as unknown as {
          details: { accountNumber: string }
        }
        return {
          ...{ id: String(transfer.id), key: transfer.customerTransactionId, account: details.accountNumber },
          amount: Math.round(Number(transfer.targetValue) * 100),
          place: Number(transfer.business ?? wise.personalId),
          isOver: OVER.includes(transfer.status),
          isUnpaid: transfer.status === WAITING || transfer.status === 'cancelled' || paidByHand.has(transfer.id),
        }
      }),
    topUp: (place, value) => wise.topUp('USD', value, place),
    calls: [
      'POST *quotes',
      'POST /v1/accounts',
      'POST /v1/transfers',
      'POST /v1/transfers',
      'POST *payments',
      'PUT *cancel',
      'GET /v1/transfers',
      'GET /v1/transfers/*',
    ],
    failures: [
      { status: 401, body: { error: 'invalid_token', error_description: 'Invalid token' } },
      { status: 403 },
      { status: 404 },
      ...lost,
    ],
    fail: wise.fail,
    calm: wise.calm,
    events: {
      'pay on wise.com': {
        weight: 1,
        happens({ pick }) {
          const waiting = inState(WAITING)
          if (waiting.length === 0) return 'none'
          const { id } = pick(waiting)
          paidByHand.add(id)
          wise.payByHand(id)
          return id
        },
      },
      'cancel on wise.com': {
        weight: 1,
        happens({ pick }) {
          const waiting = inState(WAITING)
          if (waiting.length === 0) return 'none'
          const { id } = pick(waiting)
          wise.setState(id, 'cancelled')
          return id
        },
      },
      'move on': { weight: 4, happens: moveOn },
      bounce: {
        weight: 1,
        happens({ pick }) {
          const sent = inState('outgoing_payment_sent')
          if (sent.length === 0) return 'none'
          const { id } = pick(sent)
          wise.setState(id, 'bounced_back')
          return id
        },
      },
    },
    finish: moveOn,
    steps: [
      ...['attempt-saved', 'quote-made', 'quote-saved', 'recipient-made', 'recipient-saved'],
      ...['transfer-announced', 'transfer-made', 'transfer-saved', 'funding-made', 'funding-saved'],
    ],
    close: wise.close,
  }
}

/** Lost responses, and responses that leave the outcome open. */
const lost: Failure[] = [
  { status: 429, retryAfter: 1 },
  { status: 500 },
  { status: 500, after: true },
  'reset-after',
  'reset-before',
  'hang-after',
  'garbage',
]

export async function paypalRail({ clock, balance }: Means): Promise<Rail> {
  const paypal = await standInPaypal({ clock, otherApps: 1, payouts: { balance: { USD: balance } } })
  const { apps, clientSecret } = paypal
  const batches = () =>
    apps.flatMap(({ batches }, place) => [...batches.values()].map((batch) => ({ ...batch, place })))
  const inState = (...states: string[]) => batches().filter(({ item }) => states.includes(item.status))
  const set = ({ id, place }: { id: string; place: number }, status: string) => apps[place]!.set(id, status)
  const save = ({ services, account, actor }: Owner, body: Parameters<typeof connectApp>[4]) =>
    connectApp(services, actor(), account, 'paypal', body)
  const connect: Rail['connect'] = (owner, place, automatic) =>
    save(owner, { clientId: apps[place]!.clientId, clientSecret, automatic })
  const anyOf =
    (states: string[], becomes: string): Rail['events'][string]['happens'] =>
    ({ pick }) => {
      const some = inState(...states)
      if (some.length === 0) return 'none'
      const one = pick(some)
      set(one, becomes)
      return one.id
    }
  const addresses = () => [...new Set(batches().map(({ item }) => item.receiver))]
  const each = (work: (payouts: (typeof apps)[number]) => void) => apps.forEach(work)
  return {
    name: 'paypal',
    servicesOf: (services) => ({
      ...services,
      config: {
        ...services.config,
        providers: {
          ...services.config.providers,
          paypal: { ...services.config.providers.paypal, apiUrl: paypal.url },
        },
      },
    }),
    places: apps.map((_, place) => place),
    details: (account) => ({ kind: 'paypal', email: `${account}@paypal.example` }),
    accountOf: (details) => (details as { email: string }).email,
    connect,
    moveTo: connect,
    disconnect: ({ services, account, actor }) =>
      transaction(services.db, (tx) => removeMethod(tx, actor(), account, 'paypal')),
    setAutomatic: (owner, automatic) => save(owner, { automatic }),
    payments: () =>
      batches().map(({ id, item, place }) => ({
        ...{ id, key: item.senderItemId, account: item.receiver, place },
        amount: Math.round(Number(item.value) * 100),
        isOver: !item.isOut,
        isUnpaid: false,
      })),
    topUp: (place, value) => apps[place]!.topUp('USD', value),
    calls: [
      'POST /v1/oauth2/token',
      ...Array.from({ length: 4 }, () => 'POST /v1/payments/payouts'),
      ...Array.from({ length: 3 }, () => 'GET /v1/payments/payouts/*'),
    ],
    failures: [
      { status: 401, body: { name: 'AUTHENTICATION_FAILURE', message: 'Authentication failed.' } },
      { status: 403, body: { name: 'AUTHORIZATION_ERROR', message: 'Authorization error occurred.' } },
      { status: 404, body: { name: 'INVALID_RESOURCE_ID', message: 'Requested resource ID was not found.' } },
      { status: 409, body: { name: 'PREVIOUS_REQUEST_IN_PROGRESS', message: 'In progress.' }, after: true },
      ...lost,
    ],
    fail: paypal.fail,
    calm: () => {
      paypal.calm()
      each((payouts) => {
        payouts.hideLinks(false)
        payouts.looksAtFundsFirst(false)
        payouts.deniesLate(false)
        payouts.progress(true)
      })
    },
    events: {
      'an address without an account': {
        weight: 2,
        happens({ pick }) {
          const known = addresses()
          if (known.length === 0) return 'none'
          const address = pick(known)
          each(({ isNoMember }) => isNoMember(address))
          return address
        },
      },
      joins: {
        weight: 2,
        happens({ pick }) {
          const known = addresses()
          if (known.length === 0) return 'none'
          const address = pick(known)
          each(({ joins }) => joins(address))
          return address
        },
      },
      'an address is refused': {
        weight: 1,
        happens({ pick }) {
          const known = addresses()
          if (known.length === 0) return 'none'
          const address = pick(known)
          const error = pick(['RECEIVER_ACCOUNT_LOCKED', 'RISK_DECLINE', 'INSUFFICIENT_FUNDS', null])
          each(({ refuses }) => refuses(address, error))
          return `${address} ${error}`
        },
      },
      'is returned': { weight: 1, happens: anyOf(['UNCLAIMED'], 'RETURNED') },
      'is reversed': { weight: 1, happens: anyOf(['SUCCESS', 'UNCLAIMED'], 'REVERSED') },
      'is held': { weight: 1, happens: anyOf(['PENDING', 'SUCCESS'], 'ONHOLD') },
      'is something new': { weight: 1, happens: anyOf(['PENDING', 'ONHOLD', 'SUCCESS'], 'TELEPORTED') },
      'goes on': { weight: 3, happens: anyOf(['ONHOLD', 'TELEPORTED'], 'SUCCESS') },
      slow: { weight: 1, happens: ({ pick }) => each(({ progress }) => progress(pick([true, false]))) },
      'other ways': {
        weight: 1,
        happens({ pick }) {
          const [hides, first, late] = [pick([true, false]), pick([true, false]), pick([true, false])]
          each((payouts) => {
            payouts.hideLinks(hides)
            payouts.looksAtFundsFirst(first)
            payouts.deniesLate(late)
          })
          return `${hides} ${first} ${late}`
        },
      },
    },
    finish() {
      for (const address of addresses())
        each((payouts) => {
          payouts.joins(address)
          payouts.refuses(address, null)
        })
      for (const one of inState('ONHOLD', 'TELEPORTED', 'PENDING', 'UNCLAIMED')) set(one, 'SUCCESS')
    },
    steps: ['attempt-saved', 'pay-announced', 'pay-made', 'pay-saved', 'transfer-made', 'transfer-saved'],
    close: paypal.close,
  }
}
