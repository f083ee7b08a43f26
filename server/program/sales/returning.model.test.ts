import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aShopOf, factsOf } from '../../../test/support/leads.ts'
import { aLedger, atTime, byOwner, type Ledger, ledgerServices, ownClock } from '../../../test/support/ledger.ts'
import { type Random, randomFrom, seeds } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import {
  book,
  earnedBy,
  isActive,
  type ModelOrder,
  type ModelSale,
  type ModelWorld,
} from '../../../test/support/returning-model.ts'
import { recordPayment } from '../../integrations/payment-providers/book-payment.ts'
import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { archivePartner } from '../partners/archive-partner.ts'
import { changePartner } from '../partners/change-partner.ts'
import { emptyPartner } from '../partners/erase-partner.ts'
import { count } from '../stats/count.ts'
import { verifyLedger } from '../stats/verify.ts'
import { reassignLead } from './attribute-sale.ts'
import { voidSale } from './change-sale.ts'
import { pushSales } from './push-sales.ts'
import { applyRefund } from './refund-sale.ts'
import { restoreSale } from './restore-sale.ts'

// Random histories of a shop whose customers come back by several partners' clicks and codes, against a plain model of
// whose each order is. The seed of a failure is in its message; SEED and RUNS try others.

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)

const DAY_MS = 86_400_000
const STEPS = 40
const PARENTS = [null, 3, 1, null]
const WINDOWS = [7, 30]
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

type Click = NonNullable<ModelOrder['click']>
/** A life under way: the model beside the account, with the sales as both know them. */
type Course = {
  random: Random
  ledger: Ledger
  world: ModelWorld
  shopId: string
  blueprints: string[]
  /** The clicks of each customer. */
  clicks: Click[][]
  sales: { model: ModelSale; id: string; restorable: boolean }[]
  /** The time from which a customer's orders are told; earlier ones would come before their referral. */
  since: number[]
  time: { now: number }
  steps: string[]
}

async function live(seed: number) {
  const random = randomFrom(seed)
  const time = { now: Date.UTC(2026, 0, 5, 12, 7, 3, 111) }
  await atTime(time, async () => {
    const course = await begin(random, time)
    try {
      for (let step = 0; step < STEPS; step++) {
        time.now += random.pick([1, 20, 40, 80, 200]) * 3_600_000 + 17
        await act(course)
      }
      await compare(course)
    } catch (error) {
      throw new Error(`seed ${seed}: ${course.steps.join('; ')}`, { cause: error })
    }
  })
}

async function begin(random: Random, time: { now: number }): Promise<Course> {
  const rates = [20, 10, 5].slice(0, random.between(1, 3))
  const recurringMonths = random.pick([null, 1, 2])
  const ledger = await aLedger(services, {
    ...{ rates: rates.map(String), recurringMonths, partners: PARENTS.map((parent) => ({ parent })) },
    // one comes with the first order; of the others one has a partner already
    leads: [{ partner: null }, { partner: 0 }],
  })
  const { account, partnerIds } = ledger
  const order = random.pick(['click-first', 'code-first'] as const)
  await db.run`update accounts set attribution_order = ${order} where id = ${account.id}`
  const blueprints: string[] = []
  for (const days of WINDOWS) {
    const id = newId()
    blueprints.push(id)
    await db.run`
      insert into link_blueprints (id, account_id, key, name, destination_url, domain, cookie_days, created_at, updated_at)
      values (${id}, ${account.id}, ${id.slice(-8)}, 'Link', 'https://shop.example/', 'shop.example', ${days}, ${db.now}, ${db.now})`
  }
  for (const [place, id] of partnerIds.entries()) {
    await db.run`insert into promotion_codes (id, account_id, partner_id, code, created_at)
      values (${newId()}, ${account.id}, ${id}, ${`CODE-${place}`}, ${db.now})`
    await db.run`insert into referral_codes (account_id, code, partner_id, created_at)
      values (${account.id}, ${`partner-${place + 1}`}, ${id}, ${db.now}) on conflict do nothing`
  }
  const world: ModelWorld = {
    ...{ setting: 'keep-partner', order, rates, recurringMonths, sales: [] },
    partners: PARENTS.map((parent) => ({ parent, pauses: [], gone: false })),
    customers: [null, null, 0].map((partner) => ({ partner, bought: false, ownClick: null })),
  }
  const shopId = await aShopOf(db, account.id)
  const since = world.customers.map(() => time.now)
  return {
    random,
    ledger,
    world,
    shopId,
    blueprints,
    clicks: world.customers.map(() => []),
    sales: [],
    since,
    time,
    steps: [],
  }
}

async function act(course: Course) {
  const { random, sales } = course
  const roll = random.below(100)
  if (roll < 20) return click(course)
  if (roll < 65) return order(course)
  if (roll < 70 && sales.length > 0) return repeat(course)
  if (roll < 78 && sales.length > 0) return refund(course)
  if (roll < 83 && sales.length > 0) return voidOrRestore(course)
  if (roll < 90) return changeState(course)
  if (roll < 97) return changeSetting(course)
  return reassign(course)
}

async function click({ random, ledger, world, blueprints, clicks, time, steps }: Course) {
  const partner = random.below(PARENTS.length)
  const customer = random.below(clicks.length)
  if (!isActive(world, partner)) return
  const place = random.below(WINDOWS.length)
  const [id, day, accountId, partnerId] = [newId(), dayOf(time.now), ledger.account.id, ledger.partnerIds[partner]!]
  const blueprintId = blueprints[place]!
  await db.run`insert into clicks (id, account_id, blueprint_id, partner_id, day, source, at)
    values (${id}, ${accountId}, ${blueprintId}, ${partnerId}, ${day}, 'redirect', ${db.now})`
  await transaction(db, (tx) => count(tx, [{ accountId, partnerId, blueprintId, day, clicks: 1, uniqueClicks: 1 }]))
  clicks[customer]!.push({ id, partner, at: time.now, day, days: WINDOWS[place]! })
  steps.push(`click of ${customer} by ${partner}, ${WINDOWS[place]} days`)
}

async function order(course: Course) {
  const { random, world, clicks, since, time, steps } = course
  const customer = random.below(world.customers.length)
  const { bought, partner } = world.customers[customer]!
  const perhaps = <T>(percent: number, value: () => T) => (random.chance(percent) ? value() : null)
  const anyone = () => random.below(PARENTS.length)
  // a customer without a lead comes by a partner; the first order of one who has a partner names no other
  const isFirst = !bought
  const subscription = perhaps(60, () => `sub-${customer}-${random.below(2)}`)
  const way = !isFirst && random.chance(35) ? ('push' as const) : ('provider' as const)
  const theirs = clicks[customer]!
  const hasClick = way === 'provider' && theirs.length > 0 && !(isFirst && partner !== null)
  const given = hasClick ? perhaps(60, () => random.pick([theirs.at(-1)!, random.pick(theirs)])) : null
  const late = way === 'push' || isFirst ? 0 : random.pick([0, 0, 0, 3, 12]) * DAY_MS
  const at = Math.max(time.now - late, since[customer]!, given?.at ?? 0)
  const named = isFirst && partner !== null ? 0 : 30
  const known = world.partners.flatMap(({ gone }, place) => (gone && way === 'push' ? [] : [place]))
  const told: ModelOrder = {
    ...{
      name: `order-${String(course.sales.length).padStart(3, '0')}`,
      customer,
      at,
      day: dayOf(at),
      way,
      subscription,
    },
    net: random.between(100, 20_000),
    click: given,
    // the codes of an erased partner are unknown, which a push refuses
    code: perhaps(named, () => random.pick(known)) ?? null,
    coupon: perhaps(named, anyone),
  }
  if (customer === 0 && isFirst && !brings(world, told)) return
  const { setting } = world
  const id = await tell(course, told)
  const model = book(world, told)
  // earlier payments would come before the referral
  if (isFirst || world.customers[customer]!.partner !== partner) since[customer] = time.now
  steps.push(`${setting} ${describe(told)} -> ${model.partner} ${model.whose}`)
  course.sales.push({ model, id, restorable: false })
  const sale = await db.one<{ partnerId: string | null; latestClick: string | null; leadPartnerId: string | null }>`
    select s.partner_id, s.latest_click, l.partner_id as lead_partner_id
    from sales s join leads l on l.account_id = s.account_id and l.id = s.lead_id
    where s.account_id = ${course.ledger.account.id} and s.id = ${id}`
  const placeOf = (partnerId: string | null) =>
    partnerId === null ? null : course.ledger.partnerIds.indexOf(partnerId)
  assert.deepEqual(
    { partner: placeOf(sale.partnerId), whose: sale.latestClick ?? 'customers', stays: placeOf(sale.leadPartnerId) },
    { partner: model.partner, whose: model.whose, stays: world.customers[customer]!.partner },
  )
}

/** Whether the order of someone unknown names a partner who gets new credit. */
const brings = (world: ModelWorld, { click: given, code, coupon, at }: ModelOrder) =>
  (given && at - given.at < given.days * DAY_MS) ||
  [code, coupon].some((one) => one !== null && isActive(world, one, at))

const describe = ({ name, way, customer, day, click: given, code, coupon, subscription, net }: ModelOrder) =>
  `${name} ${way} of ${customer} on ${day}, ${net}, click ${given?.partner} code ${code} coupon ${coupon} ${subscription}`

/** Tells an order as its provider or the account's own system does; returns its sale. */
async function tell({ ledger, shopId }: Course, told: ModelOrder): Promise<string> {
  const { customer, name, net, at, click: given, code, coupon, subscription: subscriptionId, way } = told
  const account = await factsOf(db, ledger.account.id)
  // the ledger's leads are the second and the third customer
  const email = customer === 0 ? `new@${account.id}.example` : `lead-${customer - 1}@${account.id}.example`
  const referralCode = code === null ? null : `partner-${code + 1}`
  return transaction(db, async (tx) => {
    if (way === 'push') {
      const access = { as: 'push', account, subjectId: account.id, partnerId: null } as const
      const row = { externalId: name, email, amount: net, referralCode, subscriptionId }
      const [answer] = await pushSales(tx, [
        { access, row: { ...row, promotionCode: coupon === null ? null : `code-${coupon}` }, by: system },
      ])
      if (answer instanceof Error) throw answer
      return answer!.sale.id
    }
    const adapter = { provider: 'stripe', name: 'Stripe' } as never
    const booking = { shopId, connectionId: null as never, account, adapter }
    const payment = {
      ...{ customerId: `cus-${customer}`, email, name: null, country: null, externalId: name, description: null },
      ...{ references: [given?.id, referralCode].filter((value) => value != null), subscriptionId, lines: null },
      ...{ amount: net, taxAmount: 0, grossAmount: net, currency: 'usd', at: new Date(at), refunds: [] },
      promotionCodes: coupon === null ? [] : [`code-${coupon}`],
    }
    const { saleId } = await recordPayment(tx, booking, payment, null)
    return saleId
  })
}

async function repeat(course: Course) {
  const { model, id } = course.random.pick(course.sales)
  course.steps.push(`${model.name} again`)
  assert.equal(await tell(course, model), id)
}

async function refund({ random, ledger, sales, steps }: Course) {
  const { model, id } = random.pick(sales)
  const left = model.net - model.lost
  if (left === 0 || model.isVoid) return
  const amount = random.chance(40) ? left : random.between(1, left)
  const kind = random.pick(['refund', 'refund', 'dispute'] as const)
  steps.push(`${kind} ${amount} of ${model.name}`)
  const report = { kind, externalId: newId(), amount, status: 'succeeded', reason: null, at: db.now } as const
  await transaction(db, (tx) => applyRefund(tx, system, ledger.account, id, report))
  model.lost += amount
}

async function voidOrRestore({ random, ledger, world, sales, steps }: Course) {
  const sale = random.pick(sales)
  const { model, id } = sale
  const earners = [model.partner, ...model.line.map(({ partner }) => partner)]
  if (model.isVoid && earners.some((one) => one !== null && world.partners[one]!.gone)) return
  const act = model.isVoid ? restoreSale : voidSale
  steps.push(`${model.isVoid ? 'restore' : 'void'} ${model.name}`)
  await transaction(db, (tx) => act(tx, byOwner(ledger), ledger.account, id, 'By mistake'))
  model.isVoid = !model.isVoid
}

async function changeState({ random, ledger, world, time, steps }: Course) {
  const place = random.below(PARENTS.length)
  const partner = world.partners[place]!
  if (partner.gone) return
  const id = ledger.partnerIds[place]!
  const by = byOwner(ledger)
  const isOff = !isActive(world, place)
  const what = isOff ? 'reactivate' : random.pick(['suspend', 'suspend', 'archive', 'void', 'erase'] as const)
  steps.push(`${what} ${place}`)
  await transaction(db, async (tx) => {
    const account = await factsOf(tx, ledger.account.id)
    const access = { as: 'owner', account, subjectId: id, partnerId: null } as never
    if (what === 'reactivate' || what === 'suspend')
      await changePartner(tx, services as never, by, access, { state: isOff ? 'active' : 'suspended' })
    else
      await archivePartner(tx, by, account, id, {
        ...{ subPartners: 'stay', balance: what === 'void' ? 'void' : 'pay-out', reason: 'Left' },
      } as never)
    if (what === 'erase') await emptyPartner(tx, by, account, id)
  })
  if (isOff) for (const pause of partner.pauses) pause.until ??= time.now
  else partner.pauses.push({ from: time.now, until: null })
  if (what === 'void' || what === 'erase') partner.gone = true
}

async function changeSetting({ random, ledger, world, steps }: Course) {
  world.setting = random.pick(['keep-partner', 'latest-click', 'latest-click'] as const)
  steps.push(world.setting)
  await db.run`update accounts set returning_customers = ${world.setting} where id = ${ledger.account.id}`
}

async function reassign({ random, ledger, world, sales, since, time, steps }: Course) {
  const [sale] = random.shuffled(sales)
  const place = random.below(PARENTS.length)
  if (!sale || !isActive(world, place)) return
  const { customer } = sale.model
  steps.push(`reassign ${customer} to ${place}`)
  await transaction(db, async (tx) => {
    const { leadId } = await tx.one<{ leadId: string }>`
      select lead_id from sales where account_id = ${ledger.account.id} and id = ${sale.id}`
    const body = { partnerId: ledger.partnerIds[place]!, reason: 'By hand', creditEarlierSales: false }
    await reassignLead(tx, byOwner(ledger), await factsOf(tx, ledger.account.id), leadId, body)
  })
  world.customers[customer]!.partner = place
  since[customer] = time.now
}

async function compare({ ledger, world }: Course) {
  const { account, partnerIds } = ledger
  const rows = await db.many<{ partnerId: string; earned: number }>`
    select partner_id, sum(amount)::int as earned from commission_entries
    where account_id = ${account.id} and kind in ('earned', 'reversal', 'restoration') group by partner_id`
  const has = partnerIds.map((id) => rows.find(({ partnerId }) => partnerId === id)?.earned ?? 0)
  const known = (amounts: number[]) => amounts.map((amount, place) => (world.partners[place]!.gone ? 'gone' : amount))
  assert.deepEqual(known(has), known(earnedBy(world)))
}

for (const seed of seeds(6))
  test(`orders of returning customers are whose the model says, seed ${seed}`, () => live(seed))

test('the ledger of all of them adds up', async () => {
  // partners are erased here without the rest of what an erasure empties
  const differences = (await verifyLedger(db)).filter(({ check }) => !check.includes('erased'))
  assert.deepEqual(differences, [])
})
