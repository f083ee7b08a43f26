import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverStripeEvent, type StripeEvent, stripePayment, toSeconds } from '../../../test/fakes/stripe-events.ts'
import { anAccount, anEmail, aPartner, expectOk, PASSWORD, turnableClock } from '../../../test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'
import { partnerPeople } from '../../../test/support/partner-people.ts'
import { aConnection, SIGNING_SECRET, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { transaction } from '../../platform/database/pool.ts'
import { retention } from '../../retention.ts'
import { deleteMemberVisits } from '../auth/member-visits.ts'
import { runErasure } from '../privacy/run-erasure.ts'

const DAY = 86_400_000
const NOON = '2026-03-02T12:00:00Z'
const clock = turnableClock(NOON)
const { app, stripe } = await startWithStripe({ clock, config: { trustProxy: ['127.0.0.1'] } })
const { db } = app.services
const { aMember } = partnerPeople(app)
const from = (address: string) => ({ 'x-forwarded-for': address })

type Policy = 'allow' | 'flag' | 'hold' | 'refuse'
const shops = new Map<Policy, ReturnType<typeof openShop>>()
/** An account with this policy, a link, and Stripe; one for each policy. */
function aShop(policy: Policy) {
  const shop = shops.get(policy) ?? openShop(policy)
  shops.set(policy, shop)
  return shop
}

async function openShop(selfReferralPolicy: Policy) {
  const account = await anAccount(app, { selfReferralPolicy, defaultCommissionSettings: { layerRates: [20, 10] } })
  const call = async (method: string, path: string, body?: object) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const { apiKey } = await call('PUT', `/accounts/${account.id}/api-key`)
  const blueprint = await aBlueprint(app, account)
  const connection = await aConnection(app, account, stripe)

  const push = async (path: string, body: object) => expectOk(await app.api('POST', path, { token: apiKey, body })).body
  /** A lead from a visit at this address. */
  const aLeadFrom = async (address: string, partner: { referralCode: string }) => {
    const clickId = clickInAddress(
      await visitLink(app, blueprint.key, partner.referralCode, { headers: from(address) }),
    )
    return push('/push/leads', { email: anEmail('visitor'), clickId })
  }
  /** Returns why a new sale to this lead is on hold; read from its row, since the clock may have ended the owner's session. */
  const reasonOf = async (lead: { id: string }) => {
    const { id } = await push('/push/sales', { leadId: lead.id, amount: 100_00, externalId: anEmail('sale') })
    return (await db.one<{ reason: string | null }>`select hold_reason as reason from sales where id = ${id}`).reason
  }
  const sell = async (lead: { id: string }) => {
    const { id } = await push('/push/sales', { leadId: lead.id, amount: 100_00, externalId: anEmail('sale') })
    return call('GET', `/sales/${id}`)
  }
  const book = async (...events: StripeEvent[]) => {
    for (const event of events) {
      const { status } = await deliverStripeEvent(connection.webhookUrl, event, SIGNING_SECRET, {
        at: toSeconds(clock.now()),
      })
      assert.equal(status, 200)
      await workOff(app)
    }
  }
  /** Books a card payment at Stripe; returns the sale. */
  const pay = async (email: string, card: string | undefined) => {
    const payment = stripePayment({
      email,
      amount: 100_00,
      createdAt: clock.now(),
      store: stripe.store,
      ...(card && { card }),
    })
    await book(payment.checkoutCompleted, payment.chargeSucceeded)
    return saleOf(payment)
  }
  const saleOf = async ({ intent }: { intent: { id: unknown } }) => {
    const { id } = await db.one<{ id: string }>`
      select id from sales where account_id = ${account.id} and external_id = ${String(intent.id)}`
    return call('GET', `/sales/${id}`)
  }
  const aLead = (partner: { id: string }, email = anEmail('buyer')) =>
    call('POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email })
  return { account, call, book, aLeadFrom, sell, reasonOf, pay, aLead }
}

const aPartnerOf = async (policy: Policy, fields: Record<string, unknown> = {}) => {
  const { account } = await aShop(policy)
  return aPartner(app, account, fields, { signIn: true })
}
const signIn = async (email: string, address: string) =>
  expectOk(await app.api('POST', '/auth/sign-in', { body: { email, password: PASSWORD }, headers: from(address) })).body

const VISIT = 'The visit came from a network the partner used that day.'
const CARD = 'The partner has paid with this card too.'
let networks = 0
const aNetwork = () => `8.8.${networks++}.1`

test('a visit from the network of the partner holds the commission at most, and each policy does as it says', async () => {
  for (const [policy, expected] of [
    ['allow', null],
    ['flag', ['flag', VISIT]],
    ['hold', ['hold', VISIT]],
    ['refuse', ['hold', VISIT]],
  ] as const) {
    const shop = await aShop(policy)
    const partner = await aPartnerOf(policy)
    const home = aNetwork()
    await signIn(partner.email, home)
    const sale = await shop.sell(await shop.aLeadFrom(home, partner))
    assert.deepEqual(sale.hold && [sale.hold.policy, sale.hold.reason], expected, policy)
    const [entry] = sale.commissions
    assert.equal(entry.amount, 20_00, policy)
    assert.equal((await shop.sell(await shop.aLeadFrom(aNetwork(), partner))).hold, null, policy)
  }
})

test('the network counts for the day of the visit, for people of the referrer, also if they sign in later that day', async (t) => {
  t.after(() => clock.set(NOON))
  const shop = await aShop('hold')
  const parent = await aPartnerOf('hold')
  const partner = await aPartnerOf('hold', { parentPartnerId: parent.id })
  const member = await aMember(shop.account, partner, 'member')
  const [home, office, upstairs, elsewhere] = [aNetwork(), aNetwork(), aNetwork(), aNetwork()]
  const leads = {
    home: await shop.aLeadFrom(home, partner),
    office: await shop.aLeadFrom(office, partner),
    upstairs: await shop.aLeadFrom(upstairs, partner),
    elsewhere: await shop.aLeadFrom(elsewhere, partner),
  }
  await signIn(partner.email, home)
  await signIn(member.email, office)
  await signIn(parent.email, upstairs)
  await signIn(shop.account.ownerEmail, elsewhere)
  const reasons = []
  for (const lead of Object.values(leads)) reasons.push(await shop.reasonOf(lead))
  assert.deepEqual(reasons, [VISIT, VISIT, null, null])
  clock.advance(DAY)
  const { refreshToken } = await signIn(partner.email, aNetwork())
  const nextDay = await shop.aLeadFrom(home, partner)
  assert.equal(await shop.reasonOf(nextDay), null)
  expectOk(await app.api('POST', '/auth/refresh', { body: { refreshToken }, headers: from(home) }))
  assert.equal(await shop.reasonOf(nextDay), VISIT, 'a renewed session is a visit')
})

test('after a release, the network of that visit no longer holds the customer’s next sales', async () => {
  const shop = await aShop('hold')
  const partner = await aPartnerOf('hold')
  const home = aNetwork()
  await signIn(partner.email, home)
  const lead = await shop.aLeadFrom(home, partner)
  const [first, second] = [await shop.sell(lead), await shop.sell(lead)]
  assert.deepEqual([first.hold.reason, second.hold.reason], [VISIT, VISIT])
  await shop.call('POST', `/sales/${first.id}/void`, { reason: 'Theirs' })
  assert.equal((await shop.sell(lead)).hold.reason, VISIT, 'a void sale decides nothing about others')
  await shop.call('POST', `/sales/${second.id}/release`, { reason: 'From the office next door' })
  assert.equal((await shop.sell(lead)).hold, null)
  assert.equal((await shop.sell(await shop.aLeadFrom(home, partner))).hold.reason, VISIT)
})

test('the address of a proxy or of this machine names no network', async () => {
  const shop = await aShop('hold')
  const partner = await aPartnerOf('hold')
  for (const shared of ['127.0.0.1', '10.1.2.3', '172.17.0.1', '192.168.0.9', '100.64.0.1', 'fd00::1', '::1']) {
    await signIn(partner.email, shared)
    assert.equal((await shop.sell(await shop.aLeadFrom(shared, partner))).hold, null, shared)
  }
})

test('a lead moved to the partner whose network the visit had is not that partner’s visit', async () => {
  const shop = await aShop('hold')
  const [referrer, other] = [await aPartnerOf('hold'), await aPartnerOf('hold')]
  const home = aNetwork()
  await signIn(other.email, home)
  const lead = await shop.aLeadFrom(home, referrer)
  assert.equal((await shop.sell(lead)).hold, null)
  await shop.call('POST', `/leads/${lead.id}/reassign`, { partnerId: other.id, reason: 'theirs' })
  assert.equal((await shop.sell(lead)).hold, null)
})

test('visits are kept only for people of partners, as long as clicks, and until the person is erased', async (t) => {
  t.after(() => clock.set(NOON))
  const partner = await aPartnerOf('hold')
  const home = aNetwork()
  const visits = async () =>
    (await db.one<{ count: number }>`select count(*) as count from member_visits where partner_id = ${partner.id}`)
      .count
  for (let times = 0; times < 3; times++) await signIn(partner.email, home)
  assert.equal(await visits(), 1)
  const { owners } = await db.one<{ owners: number }>`
    select count(*) as owners from member_visits v
    where not exists (select from user_roles r where r.user_id = v.user_id and r.partner_id = v.partner_id)`
  assert.equal(owners, 0)
  clock.advance(399 * DAY)
  await retention.memberVisits(app.services)
  assert.equal(await visits(), 1)
  clock.advance(2 * DAY)
  await retention.memberVisits(app.services)
  assert.equal(await visits(), 0)
  await signIn(partner.email, home)
  const { id } = await db.one<{ id: string }>`select id from users where email = ${partner.email}`
  await transaction(db, (tx) => deleteMemberVisits(tx, id))
  assert.equal(await visits(), 0)
})

test('a card that paid a purchase of the partner’s own is theirs, and each policy does as it says', async () => {
  for (const [policy, expected] of [
    ['allow', null],
    ['flag', ['flag', CARD, 20_00]],
    ['hold', ['hold', CARD, 20_00]],
    ['refuse', ['refuse', CARD, undefined]],
  ] as const) {
    const shop = await aShop(policy)
    const partner = await aPartnerOf(policy)
    const card = anEmail('card')
    const strangers = await shop.aLead(partner)
    assert.equal((await shop.pay(strangers.email, card)).hold, null, 'their own purchase comes later')
    await shop.pay(partner.email.toUpperCase(), card)
    const { hold, commissions } = await shop.pay((await shop.aLead(partner)).email, card)
    assert.deepEqual(hold && [hold.policy, hold.reason, commissions[0]?.amount], expected, policy)
    assert.equal((await shop.pay((await shop.aLead(partner)).email, anEmail('card'))).hold, null, policy)
    assert.equal((await shop.pay((await shop.aLead(partner)).email, undefined)).hold, null, policy)
  }
})

test('a purchase is the partner’s own by the lead’s or payer’s email, with any partner or none, in this account alone', async () => {
  const shop = await aShop('hold')
  const parent = await aPartnerOf('hold')
  const [partner, other] = [await aPartnerOf('hold', { parentPartnerId: parent.id }), await aPartnerOf('hold')]
  const member = await aMember(shop.account, partner, 'member')
  const reasonOf = async (card: string) =>
    (await shop.pay((await shop.aLead(partner)).email, card)).hold?.reason ?? null
  const cards = Array.from({ length: 5 }, () => anEmail('card')) as [string, string, string, string, string]
  await shop.aLead(other, partner.email)
  await shop.pay(partner.email, cards[0])
  await shop.pay(member.email, cards[1])
  await shop.pay(parent.email, cards[2])
  await (await aShop('flag')).pay(partner.email, cards[3])
  // paid by another, for the lead that the partner is
  const lead = await shop.aLead(other, member.email)
  const paid = await shop.pay(anEmail('assistant'), cards[4])
  await shop.call('POST', `/sales/${paid.id}/attribute`, { leadId: lead.id, reason: 'theirs' })
  assert.deepEqual([await reasonOf(cards[0]), await reasonOf(cards[1])], [CARD, CARD])
  assert.deepEqual([await reasonOf(cards[2]), await reasonOf(cards[3])], [null, null])
  assert.equal(await reasonOf(cards[4]), CARD)
})

test('card, email and network together are one finding, refused if the policy refuses', async () => {
  const shop = await aShop('refuse')
  const partner = await aPartnerOf('refuse')
  const [card, home] = [anEmail('card'), aNetwork()]
  await shop.pay(partner.email, card)
  await signIn(partner.email, home)
  const lead = await shop.aLeadFrom(home, partner)
  expectOk(await app.api('PUT', `/leads/${lead.id}`, { token: shop.account.token, body: { email: partner.email } }))
  const { hold, commissions } = await shop.pay(partner.email, card)
  assert.equal(hold.policy, 'refuse')
  assert.equal(hold.reason, `The lead’s email is the referring partner’s own. ${CARD} ${VISIT}`)
  assert.deepEqual(commissions, [])
})

test('a card told by a later event is kept, and a later event without one leaves it', async () => {
  const shop = await aShop('hold')
  const partner = await aPartnerOf('hold')
  const card = anEmail('card')
  const own = stripePayment({ email: partner.email, amount: 50_00, createdAt: clock.now(), store: stripe.store, card })
  const kept = () => db.one<{ hasCard: boolean }>`
    select card_hash is not null as has_card from sales where external_id = ${String(own.intent.id)}`
  for (let calls = 0; calls < 3; calls++) stripe.fail(/payment_intents|charges|sessions/, { status: 403, body: {} })
  await shop.book(own.checkoutCompleted)
  assert.deepEqual(await kept(), { hasCard: false })
  await shop.book(own.chargeSucceeded)
  assert.deepEqual(await kept(), { hasCard: true })
  await shop.book(own.refund(10_00).refundCreated)
  assert.deepEqual(await kept(), { hasCard: true })
  assert.equal((await shop.pay((await shop.aLead(partner)).email, card)).hold.reason, CARD)
})

test('a sale credited late is judged by its card, and an erased customer’s sale has none', async () => {
  const shop = await aShop('hold')
  const partner = await aPartnerOf('hold')
  const card = anEmail('card')
  await shop.pay(partner.email, card)
  const late = await shop.pay(anEmail('late'), card)
  assert.equal(late.hold, null)
  const lead = await shop.aLead(partner)
  const attributed = { leadId: lead.id, reason: 'theirs' }
  await shop.call('POST', `/sales/${late.id}/attribute`, attributed)
  assert.equal((await shop.call('GET', `/sales/${late.id}`)).hold.reason, CARD)
  const { id: erasureId } = await shop.call('POST', `/leads/${lead.id}/erase`, {})
  await runErasure(app.services, { accountId: shop.account.id, erasureIds: [erasureId] })
  const { emptied, left } = await db.one<{ emptied: boolean; left: number }>`
    select card_hash is null as emptied,
      (select count(*) from provider_objects o join provider_payments p
        on p.account_id = o.account_id and p.shop_id = o.shop_id and p.payment_key = o.payment_key
        where p.account_id = s.account_id and p.sale_id = s.id and position(${card} in o.data::text) > 0) as left
    from sales s where account_id = ${shop.account.id} and id = ${late.id}`
  assert.deepEqual([emptied, left], [true, 0])
})

test('a partner reads neutral words of a hold for network or card', async () => {
  const shop = await aShop('hold')
  const partner = await aPartnerOf('hold')
  const card = anEmail('card')
  await shop.pay(partner.email, card)
  await shop.pay((await shop.aLead(partner)).email, card)
  const { body } = expectOk(await app.api('GET', `/partners/${partner.id}/commissions`, { token: partner.token }))
  assert.doesNotMatch(JSON.stringify(body), /card|network/i)
})
