import { userAuthor } from '../server/platform/author.ts'
import type { Transaction } from '../server/platform/database/pool.ts'
import { dayIn } from '../server/platform/time/days.ts'
import { voidSale } from '../server/program/sales/change-sale.ts'
import { recordByHand } from '../server/program/sales/record-by-hand.ts'
import { recordSale } from '../server/program/sales/record-sale.ts'
import { refundByHand } from '../server/program/sales/refund-sale.ts'
import { codeFor } from './promotion-codes.ts'
import type { ScriptedSale } from './scripted.ts'
import { DAY_MS, type Harbor, type Story, toMoment } from './story.ts'
import type { Payment, StripePayments } from './stripe-payments.ts'

export type Customer = {
  leadId: string
  email: string
  name: string
  /** Dollars by default. */
  currency?: string
}

const plans = [
  { name: 'Starter plan', price: 'starter_monthly', amount: 89_00, weight: 40, monthly: true },
  { name: 'Team plan', price: 'team_monthly', amount: 240_00, weight: 30, monthly: true },
  { name: 'Growth plan', price: 'growth_monthly', amount: 480_00, weight: 12, monthly: true },
  { name: 'Annual plan, 5 seats', price: 'team_annual', amount: 1480_00, weight: 10, monthly: false },
  { name: 'Onboarding package', price: 'onboarding', amount: 640_00, weight: 8, monthly: false },
]
const ways: [way: 'stripe' | 'hand' | 'api', weight: number][] = [
  ['stripe', 82],
  ['hand', 8],
  ['api', 10],
]
/** Part of the subscribers who stay another month. */
const STAYING = 0.72
const MONTH_MS = 30.4 * DAY_MS
/** Part of the buyers who are refunded: about a quarter of the amount, or all of it. */
const PARTLY = 0.04
const WHOLLY = 0.025

export type Sales = ReturnType<typeof planSales>

/** All payments and refunds of Harbor Analytics' customers. */
export function planSales(story: Story, harbor: Harbor, stripe: StripePayments) {
  const { course, random, before } = story
  const { account } = harbor
  const owner = userAuthor(harbor.owner)
  let pushed = 2000

  /** Plans a customer's purchases from `first` on: once, or every month while they stay. */
  function planPurchases(customer: Customer, first: Date) {
    const [way] = random.weighted(ways, ([, weight]) => weight)
    const plan = random.weighted(plans, ({ weight }) => weight)
    const tax = way === 'stripe' && random.chance(0.3) ? Math.round(plan.amount * 0.08) : 0
    const customerId = stripe.customer()
    const subscription = plan.monthly && way === 'stripe' ? stripe.subscription() : null
    for (let month = 1, at = first; at < before(0); month++, at = new Date(at.getTime() + MONTH_MS)) {
      const description = month > 1 ? `${plan.name}, month ${month}` : plan.name
      const payment: Payment = {
        amount: plan.amount,
        tax,
        currency: customer.currency ?? 'usd',
        description,
        email: customer.email,
        name: customer.name,
        customer: customerId,
        subscription,
        price: plan.price,
      }
      const fate = random.between(0, 1)
      const refunded = fate < PARTLY ? Math.round(plan.amount / 4) : fate < PARTLY + WHOLLY ? plan.amount + tax : 0
      const givenBack = refunded
        ? { at: new Date(at.getTime() + random.between(2, 21) * DAY_MS), amount: refunded }
        : null
      // every second customer enters the code of the partner who referred them
      const entersCode = month === 1 && customer.email.length % 2 === 0
      if (way === 'stripe') planByStripe(payment, at, givenBack, entersCode ? customer.leadId : null)
      else planByOthers(way, customer, payment, at, givenBack)
      if (!plan.monthly || fate < PARTLY + WHOLLY || !random.chance(STAYING)) return
    }
  }

  type GivenBack = { at: Date; amount: number } | null

  function planByStripe(payment: Payment, at: Date, givenBack: GivenBack, codeOfLead: string | null) {
    const { currency } = payment
    planPayment(payment, at, codeOfLead, (intent) => {
      if (givenBack && givenBack.at < before(0))
        course.at(givenBack.at, (tx) =>
          stripe.refund(tx, intent, { amount: givenBack.amount, currency, status: 'succeeded' }),
        )
    })
  }

  /** Sends the payments of the last day as Stripe does. */
  function planPayment(payment: Payment, at: Date, codeOfLead: string | null, then: (intent: string) => void) {
    if (before(1) <= at) course.alone(at, () => stripe.payByEvent(payment).then(then))
    else
      course.at(at, async (tx) => {
        const code = codeOfLead && (await codeFor(tx, harbor, codeOfLead))
        then(await stripe.pay(tx, { ...payment, code }))
      })
  }

  function planByOthers(way: 'hand' | 'api', customer: Customer, payment: Payment, at: Date, givenBack: GivenBack) {
    course.at(at, async (tx) => {
      const saleId = await (way === 'hand' ? sellByHand : sellByApi)(tx, customer, payment)
      if (givenBack && givenBack.at < before(0)) planRefundByHand(saleId, givenBack)
    })
  }

  function planRefundByHand(saleId: string, { at, amount, line }: NonNullable<GivenBack> & { line?: string }) {
    const lines = line ? [{ id: line, amount }] : null
    course.at(at, (tx) =>
      refundByHand(tx, owner, account, saleId, { amount, lines, reason: 'Asked for the money back' }),
    )
  }

  type Sold = Pick<ScriptedSale, 'amount' | 'description' | 'price' | 'lines'> & { currency: string }

  const linesOf = ({ amount, description: name, price, lines = price ? [{ name, price, amount }] : [] }: Sold) =>
    lines.map((line, at) => ({
      id: `${at + 1}`,
      productId: null,
      priceId: line.price,
      sku: null,
      name: line.name,
      quantity: 1,
      amount: line.amount,
    }))

  async function sellByHand(tx: Transaction, { leadId }: Customer, sold: Sold) {
    const { amount, currency, description } = sold
    const access = { as: 'owner' as const, account, subjectId: leadId, partnerId: null }
    return (await recordByHand(tx, owner, access, { amount, currency, description, lines: linesOf(sold) })).id
  }

  async function sellByApi(tx: Transaction, { leadId }: Customer, sold: Sold) {
    const { amount, currency, description } = sold
    const { id } = await recordSale(tx, {
      account,
      leadId,
      amount,
      currency,
      description,
      taxAmount: 0,
      grossAmount: amount,
      provider: 'api',
      externalId: `order-${++pushed}`,
      saleDate: dayIn(account.timeZone, tx.now),
      matchedBy: 'lead-id',
      lines: linesOf(sold),
      by: { type: 'api-key', id: account.id },
    })
    return id
  }

  /** Plans a sale of the script with its refunds and its dispute. */
  function planScripted(customer: Customer, customerId: string, sale: ScriptedSale) {
    const { amount, description, price, currency = 'usd', refunds = [], dispute } = sale
    const at = toMoment(story, sale.days)
    if (sale.by) {
      const sell = sale.by === 'hand' ? sellByHand : sellByApi
      return course.at(at, async (tx) => {
        const saleId = await sell(tx, customer, { ...sale, currency })
        for (const { days, ...refund } of refunds) planRefundByHand(saleId, { at: toMoment(story, days), ...refund })
      })
    }
    const { email, name } = customer
    const payment: Payment = {
      amount,
      description,
      price,
      currency,
      email,
      name,
      tax: 0,
      customer: customerId,
      subscription: null,
    }
    planPayment(payment, at, null, (intent) => {
      for (const refund of refunds) planRefund(intent, currency, refund)
      if (dispute) planDispute(intent, { amount, currency }, dispute)
    })
  }

  type Refund = NonNullable<ScriptedSale['refunds']>[number]

  function planRefund(intent: string, currency: string, { days, amount, failed }: Refund) {
    course.at(toMoment(story, days), async (tx) => {
      const id = await stripe.refund(tx, intent, { amount, currency, status: 'succeeded' })
      if (failed === undefined) return
      const end = { id, amount, currency, status: 'failed' } as const
      course.at(toMoment(story, failed), (tx) => stripe.refund(tx, intent, end))
    })
  }

  type Dispute = NonNullable<ScriptedSale['dispute']>

  function planDispute(intent: string, sum: { amount: number; currency: string }, { days, reason, end }: Dispute) {
    course.at(toMoment(story, days), async (tx) => {
      const id = await stripe.dispute(tx, intent, { ...sum, reason, status: 'needs_response' })
      if (!end) return
      course.at(toMoment(story, end.days), (tx) =>
        stripe.dispute(tx, intent, { ...sum, id, reason, status: end.status }),
      )
    })
  }

  /** Plans payments of people without a known referrer; two look like leads. */
  function planStrangers() {
    const strangers = [
      { days: 34, name: 'Beatrice Lund', email: 'b.lund@lundarchitects.example', amount: 240_00 },
      { days: 6, name: 'Okafor & Sons', email: 'accounts@okaforsons.example', amount: 1480_00 },
      { days: 2, name: 'Hannah Cole', email: 'hannah+billing@brightline.example', amount: 480_00 },
    ]
    for (const { days, ...stranger } of strangers)
      course.at(toMoment(story, days), (tx) =>
        stripe.pay(tx, {
          ...stranger,
          tax: 0,
          currency: 'usd',
          description: 'Team plan',
          customer: stripe.customer(),
          subscription: null,
        }),
      )
  }

  /** Plans a sale that the owner enters twice, and voids. */
  function planMistake(customer: Customer) {
    course.at(toMoment(story, 23), async (tx) => {
      const sold = { amount: 2400_00, currency: 'usd', description: 'Team plan, entered twice' }
      const saleId = await sellByHand(tx, customer, sold)
      course.at(toMoment(story, 22), (tx) => voidSale(tx, owner, account, saleId, 'Entered twice'))
    })
  }

  return { planPurchases, planScripted, planStrangers, planMistake, newCustomer: stripe.customer }
}
