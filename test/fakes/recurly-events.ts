import { createHmac, randomUUID } from 'node:crypto'
import { decimalAmount } from '#contract/money.ts'
import type { Fields } from './server.ts'

/** Everything a site has, by id; transactions are in their invoices. */
export type RecurlyStore = Record<'accounts' | 'subscriptions' | 'invoices', Map<string, Fields>> & {
  /** By the id of their invoice. */
  redemptions: Map<string, Fields[]>
  /** The charge invoice of each credit invoice, by ids. */
  refundOf: Map<string, string>
}

/** A notification as it is delivered: it names an object, and nothing of it. */
export type RecurlyEvent = Fields & { id: string; object_type: string; site_id: string; event_type: string }

export const emptySite = (): RecurlyStore => ({
  ...{ accounts: new Map(), subscriptions: new Map(), invoices: new Map(), redemptions: new Map() },
  refundOf: new Map(),
})

export const SITE = 'site7m2p4q8r'

let made = 0
/** A new id in Recurly's form; later ones sort after earlier ones. */
export const recurlyId = () => `r${(++made).toString(36).padStart(11, '0')}`
const newUuid = () => randomUUID().replaceAll('-', '')
let numbered = 1000
const nextNumber = () => String(++numbered)

/** An amount as Recurly sends it: a number of units. */
const units = (amount: number, currency: string) => Number(decimalAmount(amount, currency))

const customFields = (values: Record<string, string> = {}) =>
  Object.entries(values).map(([name, value]) => ({ name, value }))

export type RecurlyFacts = {
  store: RecurlyStore
  /** The total, tax included, in minor units like all amounts here. */
  amount: number
  tax?: number
  /** The part of the total paid by credit of the account. */
  credit?: number
  currency?: string
  email?: string | null
  /** The code of an account, known or new. */
  code?: string
  country?: string
  /** Custom fields of each object. */
  fields?: Partial<Record<'account' | 'subscription' | 'charge', Record<string, string>>>
  /** The id of a known subscription, or null for a single charge. */
  subscription?: string | null
  /** The code of a coupon that took off a tenth. */
  coupon?: string
  /** One for everything if omitted; `amount` net. */
  items?: { amount: number; plan?: string; name?: string; quantity?: number }[]
  /** Amounts of several payments, which are together the total less the credit. */
  payments?: number[]
  site?: string
  at?: Date
}

/** A charge invoice, its account and its subscription, and their events. */
export function recurlyInvoice(facts: RecurlyFacts) {
  const { store, amount, tax = 0, credit = 0, currency = 'usd', site = SITE, at = new Date(), fields = {} } = facts
  const of = (minor: number) => units(minor, currency)
  const account = accountOf(facts, at)
  const subscription = facts.subscription === null ? null : subscriptionOf(facts, account, at)
  const discount = facts.coupon ? Math.round(amount / 10) : 0
  const due = amount - credit
  const id = recurlyId()
  const number = nextNumber()
  const named = { id, object: 'invoice', number, type: 'charge', state: 'paid' }
  const stamps = { created_at: at.toISOString(), updated_at: at.toISOString() }
  const event = (object_type: string, event_type: string, names: Fields, when = at): RecurlyEvent => ({
    ...{ id: recurlyId(), object_type, site_id: site, event_type, event_time: when.toISOString() },
    ...names,
  })
  const transactions: Fields[] = (facts.payments ?? (due > 0 ? [due] : [])).map((paid) => ({
    ...{ id: recurlyId(), object: 'transaction', uuid: newUuid(), type: 'purchase', origin: 'recurring' },
    ...{ status: 'success', success: true, amount: of(paid), currency: currency.toUpperCase(), refunded: false },
    ...{ original_transaction_id: null, account: mini(account), collected_at: at.toISOString() },
    ...stamps,
  }))
  const items = facts.items ?? [{ amount: amount - tax }]
  const invoice: Fields = {
    ...{ ...named, uuid: newUuid(), origin: subscription ? 'purchase' : 'renewal', collection_method: 'automatic' },
    ...{
      currency: currency.toUpperCase(),
      subtotal: of(amount - tax + discount),
      discount: of(discount),
      tax: of(tax),
    },
    ...{ total: of(amount), paid: of(due), balance: 0, refundable_amount: of(amount) },
    account: mini(account),
    address: { country: facts.country ?? null, city: 'Austin' },
    subscription_ids: subscription ? [subscription.id] : [],
    previous_invoice_id: null,
    line_items: items.map((item, place) => {
      const off = place === 0 ? discount : 0
      return {
        ...{ id: recurlyId(), object: 'line_item', type: 'charge', plan_code: item.plan ?? null, item_code: null },
        ...{ description: item.name ?? 'Gold', quantity: item.quantity ?? 1, currency: currency.toUpperCase() },
        ...{ subtotal: of(item.amount + off), discount: of(off), tax: of(place === 0 ? tax : 0), tax_inclusive: false },
        custom_fields: customFields(fields.charge),
      }
    }),
    has_more_line_items: false,
    transactions,
    credit_payments:
      credit > 0 ? [{ id: recurlyId(), object: 'credit_payment', action: 'payment', amount: of(credit) }] : [],
    ...{ ...stamps, due_at: at.toISOString(), closed_at: at.toISOString() },
  }
  store.invoices.set(id, invoice)
  if (facts.coupon)
    store.redemptions.set(id, [
      {
        id: recurlyId(),
        object: 'coupon_redemption',
        coupon: { object: 'coupon', code: facts.coupon },
        state: 'active',
      },
    ])

  /** Changes a transaction and the invoice that has it. */
  function change(whole: Fields, transaction: Fields, more: Fields, when: Date) {
    const updated_at = when.toISOString()
    Object.assign(transaction, more, { updated_at })
    Object.assign(whole, { updated_at })
  }

  /** Makes the credit invoice of a refund, of which `paidBack` goes to the buyer and the rest to the account's credit. */
  function credited(total: number, paidBack: number, given: RefundFacts) {
    const { when = new Date(at.getTime() + 60_000), status = 'success', payment = 0, withOriginal = true } = given
    const stamped = { created_at: when.toISOString(), updated_at: when.toISOString() }
    const own = { id: recurlyId(), object: 'invoice', number: nextNumber(), type: 'credit', state: 'closed' }
    const refund: Fields = {
      ...{ id: recurlyId(), object: 'transaction', uuid: newUuid(), type: 'refund', origin: 'recurly_admin', status },
      ...{ success: status === 'success', amount: of(paidBack), currency: currency.toUpperCase() },
      original_transaction_id: withOriginal ? (transactions[payment]?.id ?? null) : null,
      ...{ account: mini(account), collected_at: when.toISOString(), ...stamped },
    }
    const back: Fields = {
      ...{ ...own, uuid: newUuid(), origin: 'refund', currency: currency.toUpperCase(), total: of(-total) },
      ...{ tax: of(-Math.round((total * tax) / amount)), paid: of(-paidBack), balance: of(paidBack - total) },
      ...{ account: mini(account), subscription_ids: invoice.subscription_ids, line_items: [], credit_payments: [] },
      ...{ transactions: paidBack > 0 ? [refund] : [] },
      ...{ ...stamped, closed_at: when.toISOString() },
    }
    store.invoices.set(own.id, back)
    store.refundOf.set(own.id, id)
    return {
      credit: back,
      transaction: refund,
      refunded: event('payment', 'refunded', { uuid: refund.uuid }, when),
      becomes: (status: string, later = new Date(when.getTime() + 60_000)) =>
        change(back, refund, { status, success: status === 'success' }, later),
    }
  }

  return {
    ...{ invoice, account, subscription, number, id, transactions },
    paid: event('charge_invoice', 'paid', { invoice_number: number }),
    subscribed: event('subscription', 'created', { uuid: subscription?.uuid }),
    refund: (total: number, given: RefundFacts = {}) => credited(total, total, given),
    refundToCredit: (total: number) => credited(total, 0, {}),
    /** Takes back a payment before it has settled, and returns the event that reports it. */
    voids(payment = 0, when = new Date(at.getTime() + 60_000)) {
      const transaction = transactions[payment]!
      change(invoice, transaction, { status: 'void', success: false, voided_at: when.toISOString() }, when)
      return event('payment', 'voided', { uuid: transaction.uuid }, when)
    },
    /** Collects the invoice once more, and returns the event that reports it. */
    paidAgain(when = new Date(at.getTime() + 120_000)) {
      const again = structuredClone(transactions[0]!)
      transactions.push(again)
      const collected_at = when.toISOString()
      change(
        ...([invoice, again] as const),
        { id: recurlyId(), uuid: newUuid(), status: 'success', success: true, voided_at: null, collected_at },
        when,
      )
      invoice.closed_at = when.toISOString()
      return event('charge_invoice', 'paid', { invoice_number: number }, when)
    },
    /** The next invoice of the same subscription. */
    renew: (more: Partial<RecurlyFacts> = {}) =>
      recurlyInvoice({
        ...{ ...facts, code: String(account.code), subscription: subscription ? String(subscription.id) : null },
        ...more,
      }),
  }
}

type RefundFacts = {
  status?: string
  when?: Date
  /** The place of the payment that is refunded. */
  payment?: number
  withOriginal?: boolean
}

/** Returns the account with this code, or a new one. */
function accountOf({ store, email = null, code = `acc-${recurlyId()}`, fields = {} }: RecurlyFacts, at: Date): Fields {
  const known = [...store.accounts.values()].find((account) => account.code === code)
  if (known) return known
  const account: Fields = {
    ...{ id: recurlyId(), object: 'account', code, state: 'active', email, first_name: 'Dan', last_name: 'Roe' },
    ...{ company: null, custom_fields: customFields(fields.account) },
    ...{ created_at: at.toISOString(), updated_at: at.toISOString() },
  }
  store.accounts.set(String(account.id), account)
  return account
}

/** Returns the subscription with this id, or a new one. */
function subscriptionOf(facts: RecurlyFacts, account: Fields, at: Date): Fields {
  const { store, currency = 'usd', coupon, fields = {} } = facts
  const known = facts.subscription ? store.subscriptions.get(facts.subscription) : undefined
  if (known) return known
  const subscription: Fields = {
    ...{ id: recurlyId(), object: 'subscription', uuid: newUuid(), state: 'active', account: mini(account) },
    ...{ plan: { id: recurlyId(), code: 'gold', name: 'Gold' }, currency: currency.toUpperCase() },
    coupon_redemptions: coupon ? [{ id: recurlyId(), coupon: { object: 'coupon', code: coupon } }] : [],
    custom_fields: customFields(fields.subscription),
    ...{ created_at: at.toISOString(), updated_at: at.toISOString() },
  }
  store.subscriptions.set(String(subscription.id), subscription)
  return subscription
}

/** An account as other objects show it: without its custom fields. */
const mini = ({ id, code, email, first_name, last_name, company }: Fields) => ({
  ...{ id, object: 'account', code, email, first_name, last_name, company },
})

type Delivery = {
  /** Milliseconds since 1970. */
  at?: number
  /** The text to send in place of the event's own. */
  body?: string
  /** All secrets to sign with while one is being replaced; by default only `secret`. */
  secrets?: string[]
  /** The whole header in place of a computed one; null sends none. */
  signature?: string | null
}

/** Posts an event as Recurly does, signed over the raw bytes and their time. */
export async function deliverRecurly(url: string, event: Fields, secret: string, how: Delivery = {}) {
  const { at = Date.now(), body = JSON.stringify(event), secrets = [secret] } = how
  const computed = [at, ...secrets.map((key) => createHmac('sha256', key).update(`${at}.${body}`).digest('hex'))]
  const signature = how.signature === undefined ? computed.join(',') : how.signature
  const headers = {
    'content-type': 'application/json',
    'recurly-notification-id': randomUUID(),
    ...(signature !== null && { 'recurly-signature': signature }),
  }
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: response.status, body: await response.text(), signature }
}
