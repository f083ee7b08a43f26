import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anAccount, startApp } from '../../../test/support/app.ts'
import { aConnectedShop, readAccountFacts } from '../../../test/support/leads.ts'
import {
  type Answer,
  findWinner,
  type Paid,
  type Pushed,
  type Rule,
  type Value,
  type World,
  whosePushed,
} from '../../../test/support/match-model.ts'
import { numberOfRuns } from '../../../test/support/model-test.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Transaction, transaction, withRollback } from '../../platform/database/pool.ts'
import { pushSales } from '../sales/push-sales.ts'
import { findLeadForPayment, type PaymentReferences } from './match-payment.ts'

const app = await startApp()
const { db } = app.services
const account = await anAccount(app)

/** Gives the same worlds in every run. */
const SEED = Number(process.env.SEED ?? 20_261_121)
/** With fewer runs, some rules and reasons never occur. */
const ENOUGH = 200
const RUNS = numberOfRuns(4)
const DAY = '2026-01-01'
const DAY_MS = 86_400_000

// Few names, so that people recur often.
const PARTNERS = 4
const emails = ['ann@buyer.example', 'bob@buyer.example', 'cas@buyer.example']
const customers = ['cus_1', 'cus_2', 'cus_3']
const promotions = ['SPRING', 'Summer 20', 'promo_1AbC', 'STRAßE']

const perhaps = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const model = fc.constantFrom('last-touch' as const, 'first-touch' as const)
const partnerPlace = fc.nat(PARTNERS - 1)
/** Some end before the payment, soon after it, or long after; some begin after it. */
const pauses: World['partners'][number]['paused'][] = [
  [-60, -1],
  [-60, 1],
  [-60, 60],
  [2, 60],
]
const perhapsPaused = fc.option(fc.constantFrom(...pauses), { nil: null, freq: 1 })

const aWorld: fc.Arbitrary<World> = fc
  .record({
    model,
    order: fc.constantFrom('click-first' as const, 'click-first' as const, 'code-first' as const),
    returning: fc.constantFrom('keep-partner' as const, 'keep-partner' as const, 'latest-click' as const),
    earns: fc.array(fc.boolean(), { minLength: PARTNERS, maxLength: PARTNERS }),
    paused: fc.array(perhapsPaused, { minLength: PARTNERS, maxLength: PARTNERS }),
    holders: fc.array(perhaps(partnerPlace), { minLength: promotions.length, maxLength: promotions.length }),
    boundLater: fc.array(fc.constantFrom(false, false, true), {
      minLength: promotions.length,
      maxLength: promotions.length,
    }),
    blueprints: fc.array(fc.record({ days: fc.constantFrom(1, 30, 365), model: perhaps(model) }), {
      minLength: 1,
      maxLength: 3,
    }),
    clicks: fc.array(
      fc.record({
        partner: partnerPlace,
        blueprint: perhaps(fc.nat(2)),
        daysAgo: fc.constantFrom(0, 0.99, 1, 29, 30, 31, 364.9, 365),
        isBot: fc.constantFrom(false, false, false, true),
      }),
      { maxLength: 5 },
    ),
    leads: fc.array(
      fc.record({
        partner: fc.option(partnerPlace, { nil: null, freq: 2 }),
        later: fc.constantFrom(false, false, false, true),
        email: perhaps(fc.constantFrom(...emails)),
        status: fc.constantFrom('new', 'qualified', 'won', 'lost', 'rejected', 'expired', 'duplicate'),
        first: fc.nat(5),
        isProtected: fc.boolean(),
        bought: fc.boolean(),
        click: perhaps(fc.nat(4)),
      }),
      { maxLength: 6 },
    ),
    externals: fc.array(perhaps(fc.nat(5)), { minLength: customers.length, maxLength: customers.length }),
    remembered: fc.array(perhaps(fc.nat(5)), { minLength: customers.length, maxLength: customers.length }),
  })
  .map(({ earns, paused, holders, boundLater, externals, remembered, ...drawn }) => {
    const blueprints = drawn.blueprints
    const clicks = drawn.clicks.map((click) => ({
      ...click,
      blueprint: click.blueprint === null ? null : click.blueprint % blueprints.length,
    }))
    const externalOf = (place: number) => customers.find((_, index) => externals[index] === place) ?? null
    const leads: World['leads'] = []
    for (const [place, lead] of drawn.leads.entries()) {
      // the original is never a duplicate itself; without one there is no duplicate
      const originals = leads.flatMap(({ status }, index) => (status === 'duplicate' ? [] : [index]))
      const isDuplicate = lead.status === 'duplicate' && originals.length > 0
      const externalId = externalOf(place)
      leads.push({
        ...lead,
        externalId,
        email: lead.email ?? (externalId ? null : `only-${place}@buyer.example`),
        status: isDuplicate ? 'duplicate' : lead.status === 'duplicate' ? 'new' : (lead.status as 'new'),
        first: isDuplicate ? originals[lead.first % originals.length]! : null,
        // a sale makes a lead of a duplicate
        bought: lead.bought && !isDuplicate,
        click: lead.click !== null && clicks.length > 0 ? lead.click % clicks.length : null,
      })
    }
    return {
      model: drawn.model,
      order: drawn.order,
      returning: drawn.returning,
      blueprints,
      clicks,
      leads,
      partners: earns.map((earn, place) => ({
        earns: earn,
        paused: paused[place]!,
        codes: [`partner-${place}`, `formerly-${place}`],
        promotionCodes: promotions.flatMap((code, index) =>
          holders[index] === place ? [{ code, later: boundLater[index]! }] : [],
        ),
      })),
      customers: customers.flatMap((id, index) => {
        const lead = remembered[index] ?? null
        return lead !== null && leads.length > 0 ? [{ id, lead: lead % leads.length }] : []
      }),
    }
  })

const aPayment = ({ clicks, leads }: World): fc.Arbitrary<Paid> => {
  const value = fc.oneof<fc.Arbitrary<Value>[]>(
    ...(clicks.length > 0 ? [fc.nat(clicks.length - 1).map((click) => ({ click }))] : []),
    ...(leads.length > 0 ? [fc.nat(leads.length - 1).map((lead) => ({ lead }))] : []),
    partnerPlace.map((place) => ({ code: `Partner-${place}` })),
    partnerPlace.map((place) => ({ code: `formerly-${place}` })),
    fc.constantFrom({ nothing: 'id' as const }, { nothing: 'text' as const }),
  )
  return fc.record({
    values: fc.array(value, { maxLength: 3 }),
    customer: fc.option(fc.constantFrom(...customers, 'cus_unseen'), { nil: null, freq: 2 }),
    promotionCodes: fc.array(fc.constantFrom(...promotions, ...promotions.map((code) => code.toLowerCase()), 'NONE'), {
      maxLength: 2,
    }),
    email: perhaps(fc.constantFrom(...emails, ` ${emails[0]!.toUpperCase()} `, 'new@buyer.example')),
    told: fc.constantFrom(0, 0, 1, 3, 90),
  })
}

type Ids = Record<'partners' | 'clicks' | 'leads', string[]>

/** Creates the account of this world; it lasts as long as the transaction. */
async function make(tx: Transaction, world: World): Promise<Ids> {
  const { id: accountId } = account
  const daysBefore = (days: number) => new Date(tx.now.getTime() - days * DAY_MS)
  const ids = {
    partners: world.partners.map(newId),
    clicks: world.clicks.map(newId),
    leads: world.leads.map(newId),
  }
  const blueprintIds = world.blueprints.map(newId)
  // on either side of the limit for counting as before a payment made now
  const [inTime, tooLate] = [5 * 60_000, 5 * 60_000 + 1].map((ms) => new Date(tx.now.getTime() + ms))
  await tx.run`update accounts set attribution_model = ${world.model}, attribution_order = ${world.order},
    returning_customers = ${world.returning} where id = ${accountId}`
  for (const [place, { earns, paused, codes, promotionCodes }] of world.partners.entries()) {
    const id = ids.partners[place]!
    const state = earns ? 'active' : place % 2 ? 'suspended' : 'archived'
    const [from, until] = (paused ?? []).map((minutes) => new Date(tx.now.getTime() + minutes * 60_000))
    await tx.run`
      insert into partners (id, account_id, email, referral_code, state, paused, created_on, created_at, updated_at)
      values (${id}, ${accountId}, ${`${id}@partner.example`}, ${codes[0]}, ${state},
        case when ${paused !== null} then tstzmultirange(tstzrange(${from ?? null}, ${until ?? null})) else '{}' end,
        ${DAY}, ${tx.now}, ${tx.now})`
    await tx.run`
      insert into referral_codes (account_id, code, partner_id, created_at)
      select ${accountId}, code, ${id}, ${tx.now} from unnest(${codes}::text[]) code`
    for (const { code, later } of promotionCodes)
      await tx.run`
        insert into promotion_codes (id, account_id, partner_id, code, created_at)
        values (${newId()}, ${accountId}, ${id}, ${code}, ${later ? tooLate : inTime})`
  }
  for (const [place, { days, model }] of world.blueprints.entries()) {
    const id = blueprintIds[place]!
    await tx.run`
      insert into link_blueprints (id, account_id, key, name, destination_url, domain, cookie_days, attribution_model,
        created_at, updated_at)
      values (${id}, ${accountId}, ${id.slice(-8)}, 'Link', 'https://shop.example/', 'shop.example', ${days}, ${model},
        ${tx.now}, ${tx.now})`
  }
  for (const [place, { partner, blueprint, daysAgo, isBot }] of world.clicks.entries())
    await tx.run`
      insert into clicks (id, account_id, blueprint_id, partner_id, day, source, is_bot, at)
      values (${ids.clicks[place]}, ${accountId}, ${blueprint === null ? null : blueprintIds[blueprint]},
        ${ids.partners[partner]}, ${DAY}, 'redirect', ${isBot}, ${daysBefore(daysAgo)})`
  for (const [place, lead] of world.leads.entries()) {
    const id = ids.leads[place]!
    const createdAt = new Date(tx.now.getTime() - 1000 + place)
    const nameOf = (of: string[], one: number | null) => (one === null ? null : of[one])
    await tx.run`
      insert into leads (id, account_id, partner_id, click_id, email, external_id, source, status, protected_until,
        duplicate_of_id, attributed_at, created_on, created_at, updated_at)
      values (${id}, ${accountId}, ${nameOf(ids.partners, lead.partner)}, ${nameOf(ids.clicks, lead.click)}, ${lead.email},
        ${lead.externalId}, 'api', ${lead.status}, ${daysBefore(lead.isProtected ? -1 : 1)},
        ${nameOf(ids.leads, lead.first)}, ${lead.later ? tooLate : inTime}, ${DAY}, ${createdAt}, ${createdAt})`
    if (lead.bought)
      await tx.run`
        insert into sales (id, account_id, lead_id, provider, amount, gross_amount, currency, account_amount,
          account_currency, fx_rate, sale_date, created_at)
        values (${newId()}, ${accountId}, ${id}, 'manual', 1, 1, 'usd', 1, 'usd', 1, ${DAY}, ${tx.now})`
  }
  for (const { id, lead } of world.customers)
    await tx.run`
      insert into shop_customers (account_id, shop_id, customer_id, lead_id, created_at)
      values (${accountId}, ${await aConnectedShop(tx, accountId)}, ${id}, ${ids.leads[lead]}, ${tx.now})`
  return ids
}

/** Returns the product's result for a payment, in the words of the model. */
async function found(tx: Transaction, ids: Ids, paid: Paid): Promise<Answer> {
  const text = (value: Value) => {
    if ('click' in value) return ids.clicks[value.click]!
    if ('lead' in value) return ids.leads[value.lead]!.toUpperCase()
    return 'code' in value ? ` ${value.code} ` : value.nothing === 'id' ? newId() : 'nobodys-code'
  }
  const refs: PaymentReferences = {
    references: paid.values.map(text),
    customer: paid.customer === null ? null : { shopId: await aConnectedShop(tx, account.id), id: paid.customer },
    promotionCodes: paid.promotionCodes,
    email: paid.email,
  }
  const recordedAt = paid.told === 0 ? null : new Date(tx.now.getTime() + paid.told * 60_000)
  const { match, tried } = await findLeadForPayment(tx, await readAccountFacts(tx, account.id), refs, tx.now, {
    recordedAt,
  })
  const why = tried.map(({ rule, outcome }) => `${rule} ${outcome}`)
  if (!match) return { rule: null, lead: null, partner: null, stays: false, why }
  if ('leadId' in match) {
    const other = match.creditTo?.partnerId ?? match.moveTo
    const partner = other ? ids.partners.indexOf(other) : null
    const stays = match.creditTo !== undefined
    return { rule: match.matchedBy as Rule, lead: ids.leads.indexOf(match.leadId), partner, stays, why }
  }
  const { matchedBy, partnerId } = match.makeLead
  return { rule: matchedBy as Rule, lead: null, partner: ids.partners.indexOf(partnerId), stays: false, why }
}

class Undone extends Error {}

test('random payments match the documented lead, with the documented reasons for the rules before', async () => {
  const seen = new Map<string, number>()
  const worlds = aWorld.chain((world) =>
    fc.tuple(fc.constant(world), fc.array(aPayment(world), { minLength: 8, maxLength: 8 })),
  )
  await fc.assert(
    fc.asyncProperty(worlds, async ([world, payments]) => {
      const making = transaction(asDatabaseOwner(db), async (tx) => {
        const ids = await make(tx, world)
        for (const paid of payments) {
          const expected = findWinner(world, paid)
          assert.deepEqual(await found(tx, ids, paid), expected, JSON.stringify(paid))
          const won = `${expected.rule} ${expected.stays ? 'credited' : 'matched'}`
          for (const one of [won, ...expected.why]) seen.set(one, (seen.get(one) ?? 0) + 1)
        }
        throw new Undone()
      })
      await making.catch((error) => {
        if (!(error instanceof Undone)) throw error
      })
    }),
    { seed: SEED, numRuns: RUNS },
  )
  if (RUNS < ENOUGH) return
  // every rule matched, and every reason occurred; otherwise the worlds are too poor
  const reasons = {
    click: ['absent', 'unknown', 'expired', 'bought-before', 'first-touch', 'customer-without-partner'],
    'lead-id': ['absent', 'unknown'],
    code: ['absent', 'unknown', 'inactive', 'bought-before', 'first-touch', 'customer-without-partner'],
    customer: ['absent', 'unknown', 'referred-later', 'outranked'],
    'external-id': ['absent', 'unknown', 'referred-later', 'outranked'],
    coupon: [
      ...['absent', 'unknown', 'inactive', 'given-later', 'bought-before', 'first-touch', 'customer-without-partner'],
      'outranked',
    ],
    email: ['absent', 'unknown', 'referred-later', 'outranked'],
  }
  for (const rule of ['click', 'code', 'coupon']) assert.ok(seen.has(`${rule} credited`), `${rule} credited comes up`)
  for (const [rule, all] of Object.entries(reasons))
    for (const reason of ['matched', ...all])
      assert.ok((seen.get(`${rule} ${reason}`) ?? 0) > 0, `${rule} ${reason} comes up`)
})

const aPush = ({ leads }: World): fc.Arbitrary<Pushed> =>
  fc.record({
    lead: leads.length > 0 ? fc.option(fc.nat(leads.length - 1), { nil: null, freq: 2 }) : fc.constant(null),
    external: fc.option(fc.constantFrom(...customers, 'cus_unseen'), { nil: null, freq: 2 }),
    email: perhaps(fc.constantFrom(...emails, 'new@buyer.example')),
    code: fc.option(
      fc.oneof(
        partnerPlace.map((place) => `Partner-${place}`),
        fc.constant('nobodys-code'),
      ),
      { nil: null, freq: 2 },
    ),
    promotion: perhaps(fc.constantFrom(...promotions, ...promotions.map((code) => code.toLowerCase()), 'NONE')),
  })

/** Returns the product's result for a pushed sale, and the sale's stored promotion codes. */
async function pushedTo(tx: Transaction, ids: Ids, { lead, external, email, code, promotion }: Pushed) {
  const facts = await readAccountFacts(tx, account.id)
  const access = { as: 'push', account: facts, subjectId: account.id, partnerId: null } as const
  const row = {
    ...{ externalId: newId(), leadExternalId: external, email, referralCode: code, promotionCode: promotion },
    ...{ leadId: lead === null ? null : ids.leads[lead]!, amount: 10_00 },
  }
  const [pushed] = await pushSales(tx, [{ access, row, by: system }])
  if (pushed instanceof Error) return { answer: null, codes: null }
  const sale = await tx.one<{
    matchedBy: Rule | null
    partnerId: string | null
    tried: { rule: Rule; outcome: string }[]
    promotionCodes: string[] | null
    partnerCode: boolean
  }>`
    select matched_by, partner_id, match_evidence as tried, promotion_codes, partner_code
    from sales where account_id = ${account.id} and id = ${pushed!.sale.id}`
  const partner = sale.partnerId === null ? null : ids.partners.indexOf(sale.partnerId)
  const why = sale.tried.map(({ rule, outcome }) => `${rule} ${outcome}`)
  return { answer: { rule: sale.matchedBy, partner, why }, codes: [sale.promotionCodes, sale.partnerCode] }
}

test('random pushed sales are credited as documented, in both orders of clicks and codes, and store their codes', async () => {
  const seen = new Set<string>()
  const worlds = aWorld.chain((world) =>
    fc.tuple(fc.constant(world), fc.array(aPush(world), { minLength: 5, maxLength: 5 })),
  )
  await fc.assert(
    fc.asyncProperty(worlds, async ([world, rows]) => {
      const making = transaction(asDatabaseOwner(db), async (tx) => {
        const ids = await make(tx, world)
        for (const row of rows) {
          const expected = whosePushed(world, row)
          const { answer, codes } = await withRollback(tx, () => pushedTo(tx, ids, row))
          assert.deepEqual(answer, expected, `${world.order} ${JSON.stringify(row)}`)
          const isPartners = world.partners.some(({ promotionCodes }) =>
            promotionCodes.some(({ code }) => code.toLowerCase() === row.promotion?.toLowerCase()),
          )
          if (codes) assert.deepEqual(codes, [row.promotion && [row.promotion.toUpperCase()], isPartners])
          for (const one of [`${expected?.rule} matched`, ...(expected?.why ?? [])]) seen.add(`${world.order} ${one}`)
        }
        throw new Undone()
      })
      await making.catch((error) => {
        if (!(error instanceof Undone)) throw error
      })
    }),
    { seed: SEED, numRuns: RUNS },
  )
  if (RUNS < ENOUGH) return
  for (const one of [
    ...['lead-id matched', 'external-id matched', 'email matched', 'code matched', 'coupon matched', 'null matched'],
    ...['coupon inactive', 'coupon given-later', 'coupon customer-without-partner', 'code inactive'],
    ...['email referred-later', 'email rejected', 'code outranked'],
  ])
    for (const order of ['click-first', 'code-first'])
      assert.ok(seen.has(`${order} ${one}`), `${order} ${one} comes up`)
  for (const one of ['click-first coupon outranked', 'code-first coupon bought-before', 'code-first lead-id outranked'])
    assert.ok(seen.has(one), `${one} comes up`)
})
