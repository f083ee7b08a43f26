import { noFraudRules } from '#contract/fraud.ts'
import { standInPaypal } from '../fakes/paypal.ts'
import { fakeReceiver } from '../fakes/receiver.ts'
import { fakeStripe } from '../fakes/stripe.ts'
import { deliverStripeEvent, stripeEvent } from '../fakes/stripe-events.ts'
import { fakeWise } from '../fakes/wise.ts'
import { ADMINISTRATOR, expectOk } from './app.ts'
import { anOwner, aSignedUpPartner, type Person, type Site, startSite } from './journey.ts'
import { aBlueprint } from './links.ts'
import { bankDetails, connectWise } from './payouts.ts'
import { addShownThings } from './sweep.ts'

const year = new Date().getUTCFullYear()

/** A product with stand-ins for Stripe, Wise, PayPal and a receiver of its webhooks. */
export type SharedSite = Site & {
  stripe: Awaited<ReturnType<typeof fakeStripe>>
  wise: Awaited<ReturnType<typeof fakeWise>>
  paypal: Awaited<ReturnType<typeof standInPaypal>>
  receiver: Awaited<ReturnType<typeof fakeReceiver>>
}

export async function startSharedSite(variables: Record<string, string> = {}): Promise<SharedSite> {
  const [stripe, wise, paypal, receiver] = await Promise.all([
    fakeStripe(),
    fakeWise(),
    standInPaypal(),
    fakeReceiver(),
  ])
  const site = await startSite({
    STRIPE_API_URL: stripe.url,
    WISE_API_URL: wise.url,
    PAYPAL_API_URL: paypal.url,
    ALLOW_PRIVATE_WEBHOOK_TARGETS: '1',
    ...variables,
  })
  async function end() {
    await site.end()
    await Promise.all([stripe.close(), wise.close(), paypal.close(), receiver.close()])
  }
  return { ...site, stripe, wise, paypal, receiver, end }
}

/** An account with data for every screen, and others that are still empty. */
export type Populated = {
  site: SharedSite
  owner: Person & { id: string }
  /** Has a sub-partner invited by her, leads, payout details and a payout. */
  partner: Person & { id: string }
  administrator: { email: string; password: string }
  /** Has no partner yet. */
  newOwner: Person & { id: string }
  newPartner: Person & { id: string }
  /** Ids of its things, by their placeholder in addresses: `{partner}`. */
  things: Record<string, string>
}

const applicant = (firstName: string, lastName: string) => ({
  ...{ firstName, lastName, emailConfirmed: true },
  email: `${firstName}@${lastName}.example`.toLowerCase(),
})

/** Creates them; Stripe and Wise are connected. */
export async function populateAccount(site: SharedSite): Promise<Populated> {
  const { stripe, wise, receiver } = site
  const owner = await anOwner(site, {
    defaultCommissionSettings: { layerRates: [20, 5] },
    payoutDelay: 0,
    invitationsFromPartners: true,
  })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const newOwner = await anOwner(site, { name: 'Pinegate Travel' })
  const another = await anOwner(site, { name: 'Cobalt Fitness' })
  const newPartner = await aSignedUpPartner(site, another, { firstName: 'Noah', lastName: 'Bennett' })

  const call = async (token: string, method: string, path: string, body?: object) =>
    expectOk(await site.api(method, path, { token, body })).body
  const post = (path: string, body?: object) => call(owner.token, 'POST', path, body)
  const of = `/accounts/${owner.id}`

  stripe.store.set('partners10', { id: 'partners10', object: 'coupon', name: 'Partners 10%', valid: true, created: 1 })
  await connectWise(site, { ...owner, ownerEmail: owner.email, admin: '' }, wise)
  const connection = await post(`${of}/payment-providers/connect`, {
    provider: 'stripe',
    credentials: { restrictedKey: stripe.key },
  })
  const subPartner = await call(partner.token, 'POST', `/partners/${partner.id}/partners`, {
    firstName: 'Sam',
    lastName: 'Ortiz',
    email: 'sam@partners.example',
  })
  const { url: invitation } = await call(owner.token, 'GET', `/partners/${subPartner.id}/invitation`)
  await call(partner.token, 'POST', `/partners/${partner.id}/payout-settings`, bankDetails())
  await call(owner.token, 'PUT', `/partners/${partner.id}`, { approvedPayoutYears: [year] })
  await post(`${of}/promotion-codes`, { partnerId: partner.id, code: 'JANE20' })
  const link = await aBlueprint(site, owner, { name: 'Spring offer' })
  const person = { firstName: 'Hannah', lastName: 'Cole', company: 'Brightline Dental' }
  const email = 'hannah@brightline.example'
  const lead = await post(`${of}/leads`, { ...person, email, phone: '+1 415 555 0142', partnerId: partner.id })
  const nobodys = await post(`${of}/leads`, { firstName: 'Chidi', lastName: 'Okafor', email: 'chidi@okafor.example' })
  await post(`/leads/${nobodys.id}/sales`, { amount: 20_00, description: 'Credited to nobody' })
  const newLead = await post(`${of}/leads`, {
    firstName: 'Irene',
    lastName: 'Castell',
    email: 'irene@castell.example',
    partnerId: partner.id,
  })
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 500_00, description: 'Team plan' })
  await post(`/leads/${lead.id}/sales`, { amount: 90_00, currency: 'chf', description: 'Waits for a rate' })
  await post(`/sales/${sale.id}/refunds`, { amount: 100_00, reason: 'Fewer seats' })
  for (const [currency, date, rate] of [
    ['eur', '2026-02-09', 1.0851],
    ['eur', '2026-01-12', 1.09],
    ['gbp', '2026-01-12', 1.3],
  ])
    await post(`${of}/exchange-rates`, { currency, date, rate })
  const month = { metric: 'revenue', window: 'month', atLeast: 5000_00, bonus: 250_00 }
  await post(`/groups/${owner.id}/goals`, { name: 'Busy month', ...month })
  await post(`/groups/${owner.id}/goals`, {
    ...month,
    name: 'First ten',
    metric: 'sales',
    window: 'all-time',
    atLeast: 10,
  })
  await deliverStripeEvents(stripe, connection)
  const { apiKey } = await call(owner.token, 'PUT', `${of}/api-key`)
  await call(apiKey, 'POST', '/push/sales', { externalId: 'inv-1', email, amount: 20_00 })
  await call(owner.token, 'PUT', `${of}/embed-code`, { config: everyDefault, domains: ['shop.example.com'] })
  const question = { label: 'Where will you mention us?', kind: 'choice', required: true, choices: ['Blog', 'Video'] }
  await call(owner.token, 'PUT', `${of}/program`, { state: 'open', slug: 'harbor', questions: [question] })
  const answers = [{ label: question.label, value: 'Blog' }]
  const [, , { id: rejected }] = [
    await post(`${of}/applications`, { ...applicant('Rosa', 'Quist'), answers, by: 'jane-whitfield' }),
    // a customer
    await post(`${of}/applications`, { ...applicant('Hannah', 'Cole'), email, answers }),
    await post(`${of}/applications`, applicant('Ida', 'Sand')),
  ]
  await post(`${of}/applications/decisions`, { ids: [rejected], decision: 'reject', reason: 'incomplete' })
  const shown = await addShownThings({
    accountId: owner.id,
    partner,
    call: (method, path, body, token = owner.token) => call(token, method, path, body),
    text: () => 'A-1001',
  })
  await addCases({ post, call, owner, partner })
  await post(`${of}/payouts/refresh`)
  const { items } = await call(owner.token, 'GET', `${of}/payouts`)
  const webhook = await post(`${of}/outgoing-webhooks`, {
    name: 'CRM sync',
    url: receiver.url,
    events: ['lead.created'],
  })
  await post(`/outgoing-webhooks/${webhook.id}/test`)
  await receiver.waitFor(1)
  const incoming = await post(`${of}/incoming-webhooks`, {
    name: 'Demo form',
    target: 'lead',
    mapping: [{ field: 'email', path: 'contact.email' }],
  })
  const erased = await post(`${of}/partners`, { firstName: 'Otto', lastName: 'Vale', email: 'otto@partners.example' })
  await post(`/partners/${erased.id}/archive`, { reason: 'Asked to be forgotten' })
  await post(`/partners/${erased.id}/erase`, {})
  await fetch(incoming.url, { method: 'POST', body: JSON.stringify({ contact: { name: 'Lena' } }) })

  return {
    site,
    owner,
    partner,
    administrator: ADMINISTRATOR,
    newOwner,
    newPartner,
    things: {
      account: owner.id,
      // the default group
      group: owner.id,
      partner: partner.id,
      subPartner: subPartner.id,
      link: link.id,
      lead: lead.id,
      newLead: newLead.id,
      ...shown,
      payout: items[0].id,
      commission: sale.commissions[0].id,
      webhook: webhook.id,
      connection: connection.id,
      incoming: incoming.id,
      nothing: '0198c5a2-6b1e-7c3d-9f00-000000000001',
      setUpToken: new URL(invitation).hash,
    },
  }
}

type Calls = {
  post: (path: string, body?: object) => Promise<{ id: string }>
  call: (token: string, method: string, path: string, body?: object) => Promise<{ items: { id: string }[] }>
} & Pick<Populated, 'owner' | 'partner'>

/** Adds a case that was released, one on hold with its partner's answer, and a flagged one. */
async function addCases({ post, call, owner, partner }: Calls) {
  const of = `/accounts/${owner.id}`
  const judge = (action: 'hold' | 'flag') =>
    call(owner.token, 'PUT', `${of}/fraud-rules`, { ...noFraudRules, disposableMail: { action } })
  const soldTo = async (firstName: string, lastName: string) => {
    const email = `${firstName}@mailinator.com`.toLowerCase()
    const lead = await post(`${of}/leads`, { partnerId: partner.id, firstName, lastName, email })
    await post(`/leads/${lead.id}/sales`, { amount: 30_00 })
    const { items } = await call(owner.token, 'GET', `${of}/cases?sort=-createdAt`)
    return items[0]!.id
  }
  await judge('hold')
  await post(`/cases/${await soldTo('Nora', 'Field')}/release`, { reason: 'Known to us' })
  const held = await soldTo('Jane', 'Wells')
  await post(`/cases/${held}/question`, { text: 'Is this your own order?' })
  await call(partner.token, 'POST', `/partners/${partner.id}/answers`, { questionId: held, text: 'My sister’s.' })
  await judge('flag')
  await soldTo('Milo', 'Grant')
}

/** Sends two events that change nothing. */
async function deliverStripeEvents(stripe: SharedSite['stripe'], { webhookUrl }: { webhookUrl: string }) {
  const { secret } = stripe.endpoints().find(({ url }) => url === webhookUrl)!
  for (const type of ['payout.paid', 'payout.created'])
    await deliverStripeEvent(webhookUrl, stripeEvent(type, { id: 'po_1', object: 'payout' }), secret)
}

export const everyDefault = Object.fromEntries(
  ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton'].map((key) => [
    key,
    { key, selectorType: 'default', selectorValue: '' },
  ]),
)
