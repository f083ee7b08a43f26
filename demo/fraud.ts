import { noFraudRules } from '#contract/fraud.ts'
import { userAuthor } from '../server/platform/author.ts'
import { newId } from '../server/platform/database/ids.ts'
import type { Transaction } from '../server/platform/database/pool.ts'
import { visitorHash } from '../server/platform/http/visitor-hash.ts'
import { dayIn } from '../server/platform/time/days.ts'
import { recordMemberVisit } from '../server/program/auth/member-visits.ts'
import { recordClicks } from '../server/program/clicks/record-clicks.ts'
import { saveFraudRules } from '../server/program/fraud/rules.ts'
import { captureLead } from '../server/program/leads/capture-lead.ts'
import { recordSale } from '../server/program/sales/record-sale.ts'
import { DAY_MS, type Harbor, type Story, toMoment } from './story.ts'
import type { StripePayments } from './stripe-payments.ts'

/** Days before today from which the rules are on. */
const RULES = 29

type Doubtful = {
  days: number
  code: string
  name: [first: string, last: string]
  email: string
  amount: number
  /** Of the visit. */
  paid?: string[]
  from?: string
  /** Bought this many days before the referral. */
  boughtBefore?: number
  /** Visited from where the partner is signed in. */
  home?: boolean
  /** Paid by a card with which the partner bought a week before. */
  card?: string
}

const doubtful: Doubtful[] = [
  { days: 27, code: 'lena-fischer', name: ['Ansel', 'Root'], email: 'ansel@mailinator.com', amount: 89_00 },
  {
    days: 24,
    code: 'camille',
    name: ['Tove', 'Lind'],
    email: 'tove@lindworks.example',
    amount: 240_00,
    paid: ['gclid'],
  },
  {
    days: 21,
    code: 'hugo',
    name: ['Per', 'Holm'],
    email: 'per@holm.example',
    amount: 89_00,
    from: 'best.coupons.example',
  },
  {
    days: 18,
    code: 'lena-fischer',
    name: ['Iris', 'Falk'],
    email: 'iris@falk.example',
    amount: 240_00,
    boughtBefore: 40,
  },
  { days: 15, code: 'camille', name: ['Noor', 'Vance'], email: 'noor@yopmail.com', amount: 89_00 },
  { days: 13, code: 'hugo', name: ['Elio', 'Prat'], email: 'elio@prat.example', amount: 480_00, paid: ['msclkid'] },
  {
    days: 11,
    code: 'lena-fischer',
    name: ['Saga', 'Wik'],
    email: 'saga@wik.example',
    amount: 240_00,
    from: 'deals24.example',
  },
  { days: 9, code: 'camille', name: ['Bram', 'Oost'], email: 'bram@oost.example', amount: 89_00, boughtBefore: 70 },
  { days: 7, code: 'hugo', name: ['Lux', 'Amar'], email: 'lux@guerrillamail.com', amount: 240_00 },
  {
    days: 5,
    code: 'lena-fischer',
    name: ['Odd', 'Berg'],
    email: 'odd@berg.example',
    amount: 480_00,
    paid: ['gclid', 'utm_medium'],
    boughtBefore: 30,
  },
  { days: 3, code: 'camille', name: ['Uma', 'Rao'], email: 'uma@rao.example', amount: 89_00, from: 'deals.example' },
  { days: 2, code: 'hugo', name: ['Finn', 'Dahl'], email: 'finn@mailinator.com', amount: 240_00, paid: ['fbclid'] },
  { days: 8, code: 'camille', name: ['Ida', 'Noss'], email: 'ida@noss.example', amount: 89_00, home: true },
  { days: 6, code: 'hugo', name: ['Leo', 'Brandt'], email: 'leo@brandt.example', amount: 240_00, card: 'Zc7Qw1' },
]

/** Plans the fraud rules and the sales that they find. */
export function planFraud(story: Story, harbor: Harbor, stripe: StripePayments) {
  const { course, services } = story
  const { account, owner, id: accountId, partners } = harbor
  course.at(toMoment(story, RULES), (tx) =>
    saveFraudRules(tx, userAuthor(owner), accountId, {
      ...noFraudRules,
      existingCustomer: { action: 'hold' },
      paidAds: { action: 'hold', campaigns: ['harbor-brand'] },
      bannedReferrer: { action: 'flag', hosts: ['*.coupons.example', 'deals*'] },
      disposableMail: { action: 'hold' },
    }),
  )
  for (const [index, one] of doubtful.entries()) {
    const { card } = one
    // the scripted partners, or another in a smaller demo
    const partnerOf = () => partners.get(one.code) ?? [...partners.values()][index % partners.size]!
    if (card)
      course.at(toMoment(story, one.days + 7), async (tx) => {
        const { email, name } = await tx.one<{ email: string; name: string }>`
          select email, concat_ws(' ', first_name, last_name) as name from partners where id = ${partnerOf()}`
        await stripe.pay(tx, paymentOf(email, name, card))
      })
    if (one.boughtBefore)
      course.at(toMoment(story, one.days + one.boughtBefore), (tx) => sell(tx, one, null).then(() => undefined))
    course.at(toMoment(story, one.days), async (tx) => {
      const partnerId = partnerOf()
      const clickId = one.paid || one.from || one.home ? await visit(tx, one, partnerId) : null
      const { leadId } = await captureLead(tx, account, {
        source: 'manual',
        firstName: one.name[0],
        lastName: one.name[1],
        email: one.email,
        attribution: {
          partnerId,
          blueprintId: null,
          linkId: null,
          subId: null,
          country: null,
          clickId,
          matchedBy: 'click',
        },
        by: userAuthor(owner),
      })
      if (card) await stripe.pay(tx, paymentOf(one.email, one.name.join(' '), card))
      else await sell(tx, one, leadId)
    })
  }

  const paymentOf = (email: string, name: string, card: string) => ({
    amount: 240_00,
    tax: 0,
    currency: 'usd',
    email,
    name,
    card,
    description: 'Team plan',
    customer: stripe.customer(),
    subscription: null,
  })

  const sell = (tx: Transaction, { amount, email }: Doubtful, leadId: string | null) =>
    recordSale(tx, {
      account,
      leadId,
      provider: 'manual',
      externalId: null,
      payerEmail: email,
      amount,
      taxAmount: 0,
      grossAmount: amount,
      currency: null,
      saleDate: tx.now,
      matchedBy: leadId ? ('manual' as const) : null,
      by: userAuthor(owner),
    })

  async function visit(tx: Transaction, { paid, from, home }: Doubtful, partnerId: string) {
    const id = newId()
    const at = new Date(tx.now.getTime() - DAY_MS / 24)
    const ipHash = home ? visitorHash(services.secrets, HOME, at) : null
    const visitor = { ipHash, userAgentClass: 'desktop', country: null, landingPath: '/' } as const
    const link = { blueprintId: null, linkId: null, subId: null, isBot: false, source: 'redirect' } as const
    await recordClicks(tx, [
      {
        id,
        accountId,
        partnerId,
        day: dayIn(account.timeZone, at),
        at,
        ...visitor,
        ...link,
        referrerHost: from ?? null,
        paidParameters: paid ?? null,
      },
    ])
    if (home) await signInAtHome(tx, partnerId)
    return id
  }

  /** The partner's people are signed in at the network of the visit. */
  async function signInAtHome(tx: Transaction, partnerId: string) {
    const people = await tx.many<{ userId: string }>`select user_id from user_roles where partner_id = ${partnerId}`
    for (const { userId } of people) await recordMemberVisit(tx, services.secrets, userId, HOME)
  }
}

const HOME = '198.51.100.24'
