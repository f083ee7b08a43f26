import assert from 'node:assert/strict'
import { test } from 'node:test'
import { system } from '#server/platform/author.ts'
import { dayIn } from '#server/platform/time/days.ts'
import { recordSale } from '#server/program/sales/record-sale.ts'
import { anAccount, aPartner, expectOk, type Reply, startApp, waitUntil } from '#test/support/app.ts'
import { placesWith } from '#test/support/canaries.ts'
import { freeSteps, playHistory } from '#test/support/histories.ts'
import { listSeeds, type Random, randomFrom } from '#test/support/model-test.ts'
import type { Claim } from '../contract.ts'

// Random lives of claims: partners claim orders and payers that exist, that come late or never; sales arrive, are
// attributed, voided and refunded, leads move, partners are suspended, and owners accept and refuse, two at once in two
// processes, while the account changes whose the orders of returning customers are. A plain model has the answer of each act, in one order or the other. In the end people are erased.

const config = { secretKey: Buffer.alloc(32, 7) }
const app = await startApp({ worker: true, config })
const twin = await startApp({ db: app.services.db, config })
const { db } = app.services

type Model = {
  active: boolean[]
  /** Each order of a returning customer is whose it is said to be. */
  eachOrder: boolean
  /** The partner of each person's lead: -1 without a partner, null without a lead. */
  leads: (number | null)[]
  sales: ModelSale[]
  claims: { partner: number; named: string; state: Claim['state']; sale: number | null; lead: number | null }[]
}
/** `isTheirs`: it is one of its person's lead. */
type ModelSale = {
  person: number
  partner: number | null
  isTheirs: boolean
  isVoid: boolean
  amount: number
  lost: number
  inactive: boolean
}
type Act =
  | { act: 'claim'; partner: number; named: string }
  | { act: 'accept'; claim: number; sale: number }
  | { act: 'accept-lead'; claim: number; person: number }
  | { act: 'refuse'; claim: number }
  | { act: 'attribute'; sale: number; partner: number }
  | { act: 'void'; sale: number }
  | { act: 'refund'; sale: number }
  | { act: 'move'; person: number; partner: number }
  | { act: 'suspend'; partner: number }
  | { act: 'change-setting' }

/** Credits a sale in the model; returns a refusal, or nothing. */
function credit(model: Model, sale: number, partner: number): string | undefined {
  const one = model.sales[sale]!
  if (isKept(model, sale, partner)) return 'payer_has_other_partner'
  const lead = model.leads[one.person]!
  if (lead !== partner && !model.active[partner]) return 'partner_earns_nothing'
  if (lead === null || lead === -1) model.leads[one.person] = partner
  Object.assign(one, { partner, isTheirs: true, inactive: !model.active[partner] })
  return undefined
}

/** Whether a sale goes with its payer, who is another partner's: someone who has not bought, or any customer. */
function isKept({ sales, leads, eachOrder }: Model, sale: number, partner: number) {
  const { person } = sales[sale]!
  const lead = leads[person]!
  const hasBought = sales.some((one) => one.person === person && one.isTheirs)
  return lead !== null && lead !== -1 && lead !== partner && !(eachOrder && hasBought)
}

/** Returns the state of a sale among the candidates of a partner's claim. */
function stateOf(model: Model, sale: number, partner: number) {
  const one = model.sales[sale]!
  if (one.isVoid) return 'void'
  if (one.partner !== null) return one.partner === partner ? 'credited' : 'of-other-partner'
  return isKept(model, sale, partner) ? 'of-other-partner' : 'ready'
}

const rules: { [A in Act['act']]: (model: Model, act: Extract<Act, { act: A }>) => string | undefined } = {
  claim(model, { partner, named }) {
    if (!model.active[partner]) return 'partner_inactive'
    const known = model.claims.some((one) => one.partner === partner && one.named === named && one.state === 'open')
    if (!known) model.claims.push({ partner, named, state: 'open', sale: null, lead: null })
    return undefined
  },
  accept(model, { claim, sale }) {
    const [one, of] = [model.claims[claim]!, model.sales[sale]!]
    if (one.state !== 'open') return 'claim_decided'
    if (of.partner !== null && of.partner !== one.partner) return 'claim_sale_of_other_partner'
    if (of.isVoid) return 'sale_is_void'
    const refused = of.partner === null ? credit(model, sale, one.partner) : undefined
    if (refused) return refused === 'partner_earns_nothing' ? 'claim_partner_inactive' : refused
    Object.assign(one, { state: 'accepted', sale })
    return undefined
  },
  'accept-lead'(model, { claim, person }) {
    const one = model.claims[claim]!
    if (one.state !== 'open') return 'claim_decided'
    const lead = model.leads[person]
    if (lead !== -1 && lead !== one.partner) return 'claim_lead_of_other_partner'
    if (lead === -1 && !model.active[one.partner]) return 'claim_partner_inactive'
    model.leads[person] = one.partner
    Object.assign(one, { state: 'accepted', lead: person })
    return undefined
  },
  refuse(model, { claim }) {
    const one = model.claims[claim]!
    if (one.state !== 'open') return 'claim_decided'
    one.state = 'refused'
    return undefined
  },
  attribute(model, { sale, partner }) {
    const one = model.sales[sale]!
    if (one.partner !== null) return 'sale_has_partner'
    if (one.isVoid) return 'sale_is_void'
    return credit(model, sale, partner)
  },
  void(model, { sale }) {
    const one = model.sales[sale]!
    if (one.isVoid) return 'sale_already_void'
    one.isVoid = true
    return undefined
  },
  refund(model, { sale }) {
    const one = model.sales[sale]!
    if (one.isVoid) return 'void_sale_not_refunded'
    if (one.lost === one.amount) return 'sale_already_refunded'
    one.lost += one.amount / 4
    return undefined
  },
  move(model, { person, partner }) {
    if (!model.active[partner]) return 'partner_earns_nothing'
    model.leads[person] = partner
    return undefined
  },
  suspend(model, { partner }) {
    model.active[partner] = !model.active[partner]
    return undefined
  },
  'change-setting'(model) {
    model.eachOrder = !model.eachOrder
    return undefined
  },
}
const apply = (model: Model, act: Act) => (rules[act.act] as (model: Model, act: Act) => string | undefined)(model, act)

async function begin(seed: number) {
  const random = randomFrom(seed)
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, timeZone: 'UTC' })
  const call = (method: string, path: string, body?: unknown, token = account.token) =>
    random.pick([app, twin]).api(method, path, { token, body })
  const partners: { id: string; token: string }[] = []
  for (const firstName of ['Ada', 'Bob', 'Cleo'])
    partners.push(await aPartner(app, account, { firstName, lastName: `cl${seed}p` }, { signIn: true }))
  const model: Model = {
    ...{ active: [true, true, true], eachOrder: false, leads: [null, null, null, null], sales: [], claims: [] },
  }
  const ids = { claimIds: [] as string[], saleIds: [] as string[] }
  return { account, call, partners, today: dayIn('UTC', db.now), model, ...ids }
}
type World = Awaited<ReturnType<typeof begin>>

// each account has words of its own, as its people are looked for in the whole database
const emailOf = ({ account }: World, person: number) => `canary${person}-${account.id}@shop.example`
const orderOf = ({ account }: World, sale: number) => `order-${sale}-${account.id}`
const leadIdOf = (world: World, person: number) => db.value<string>`
  select id from leads where account_id = ${world.account.id} and email = ${emailOf(world, person)}`

const send: { [A in Act['act']]: (world: World, act: Extract<Act, { act: A }>) => Promise<Reply> } = {
  claim({ call, partners, today }, { partner, named }) {
    const body = named.includes('@') ? { email: named, day: today, note: `${named} told me` } : { orderId: named }
    return call('POST', `/partners/${partners[partner]!.id}/claims`, body, partners[partner]!.token)
  },
  accept: ({ call, claimIds, saleIds }, { claim, sale }) =>
    call('POST', `/claims/${claimIds[claim]}/accept`, { saleId: saleIds[sale] }),
  'accept-lead': async (world, { claim, person }) =>
    world.call('POST', `/claims/${world.claimIds[claim]}/accept`, { leadId: await leadIdOf(world, person) }),
  refuse: ({ call, claimIds }, { claim }) =>
    call('POST', `/claims/${claimIds[claim]}/refuse`, { reason: 'Not theirs' }),
  attribute: ({ call, partners, saleIds }, { sale, partner }) =>
    call('POST', `/sales/${saleIds[sale]}/attribute`, { partnerId: partners[partner]!.id, reason: 'Theirs' }),
  void: ({ call, saleIds }, { sale }) => call('POST', `/sales/${saleIds[sale]}/void`, { reason: 'Mistake' }),
  refund: ({ call, model, saleIds }, { sale }) =>
    call('POST', `/sales/${saleIds[sale]}/refunds`, { amount: model.sales[sale]!.amount / 4, reason: 'Returned' }),
  async move(world, { person, partner }) {
    const body = { partnerId: world.partners[partner]!.id, reason: 'Moved' }
    return world.call('POST', `/leads/${await leadIdOf(world, person)}/reassign`, body)
  },
  suspend: ({ call, model, partners }, { partner }) =>
    call(
      'PUT',
      `/partners/${partners[partner]!.id}`,
      model.active[partner] ? { state: 'suspended', reason: 'Checks' } : { state: 'active' },
    ),
  'change-setting': ({ account, call, model }) =>
    call('PATCH', `/accounts/${account.id}`, { returningCustomers: model.eachOrder ? 'keep-partner' : 'latest-click' }),
}

async function arrive(world: World, { below }: Random) {
  const { account, model, saleIds, today } = world
  const [person, amount] = [below(4), 40_00 * (1 + below(5))]
  const lead = model.leads[person]!
  const sale = await recordSale(db, {
    ...{ account, provider: 'manual', matchedBy: null, by: system },
    leadId: lead === null ? null : await leadIdOf(world, person),
    ...{ externalId: orderOf(world, saleIds.length), payerEmail: emailOf(world, person), saleDate: today },
    ...{ currency: 'usd', amount, grossAmount: amount, taxAmount: 0 },
  })
  saleIds.push(sale.id)
  const partner = lead === null || lead === -1 ? null : lead
  const inactive = partner !== null && !model.active[partner]
  model.sales.push({ person, partner, isTheirs: lead !== null, isVoid: false, amount, lost: 0, inactive })
}

async function makeLead(world: World, { below }: Random) {
  const { account, call, model, partners } = world
  const person = model.leads.indexOf(null)
  if (person < 0) return
  const partner = below(4) - 1
  if (partner >= 0 && !model.active[partner]) return
  const body = { email: emailOf(world, person), partnerId: partners[partner]?.id }
  expectOk(await call('POST', `/accounts/${account.id}/leads`, body))
  model.leads[person] = partner
}

/** Acts, often about what a claim names. */
const choices: Record<string, (world: World, random: Random) => Act> = {
  claim(world, { below, chance }) {
    const named = chance(70) ? orderOf(world, below(world.saleIds.length + 2)) : emailOf(world, below(5))
    return { act: 'claim', partner: below(3), named }
  },
  accept(world, { below, chance }) {
    const claim = below(world.claimIds.length)
    const order = world.saleIds.findIndex((_, at) => orderOf(world, at) === world.model.claims[claim]?.named)
    return { act: 'accept', claim, sale: order >= 0 && chance(40) ? order : below(world.saleIds.length) }
  },
  acceptLead: ({ claimIds }, { below }) => ({ act: 'accept-lead', claim: below(claimIds.length), person: below(4) }),
  refuse: ({ claimIds }, { below }) => ({ act: 'refuse', claim: below(claimIds.length) }),
  attribute: ({ saleIds }, { below }) => ({ act: 'attribute', sale: below(saleIds.length), partner: below(3) }),
  void: ({ saleIds }, { below }) => ({ act: 'void', sale: below(saleIds.length) }),
  refund: ({ saleIds }, { below }) => ({ act: 'refund', sale: below(saleIds.length) }),
  move: (_, { below }) => ({ act: 'move', person: below(4), partner: below(3) }),
  suspend: (_, { below }) => ({ act: 'suspend', partner: below(3) }),
  changeSetting: () => ({ act: 'change-setting' }),
}
const weights = {
  ...{ arrive: 5, makeLead: 5, accept: 4, claim: 2, acceptLead: 2 },
  ...{ refuse: 2, attribute: 2, refund: 2, move: 2 },
}

const isPossible = ({ claimIds, saleIds, model }: World, act: Act) =>
  (!('claim' in act) || act.claim < claimIds.length) &&
  (!('sale' in act) || act.sale < saleIds.length) &&
  (!('person' in act) || model.leads[act.person] !== null)

/** Makes acts at once; the answers must be those of the model in one of their orders. */
async function make(world: World, acts: Act[]) {
  const results = await Promise.all(
    acts.map(async (act) => {
      const reply = await (send[act.act] as (world: World, act: Act) => Promise<Reply>)(world, act)
      return { reply, said: reply.status < 300 ? 'ok' : (reply.body.error?.reason as string) }
    }),
  )
  const answers = results.map(({ said }) => said)
  const inOrder = [...acts.keys()]
  const possible = [inOrder, inOrder.toReversed()].map((order) => {
    const after = structuredClone(world.model)
    const outcomes: string[] = []
    for (const at of order) outcomes[at] = apply(after, acts[at]!) ?? 'ok'
    return { after, said: outcomes }
  })
  const found = possible.find(({ said: outcomes }) => outcomes.every((one, at) => one === answers[at]))
  const expected = possible.map(({ said: outcomes }) => outcomes.join(' | ')).join(' or ')
  assert.ok(found, `${acts.map((act) => JSON.stringify(act)).join(' | ')}: ${answers.join(' | ')}, not ${expected}`)
  world.model = found.after
  for (const [at, { reply }] of results.entries())
    if (acts[at]!.act === 'claim' && reply.status === 201 && !world.claimIds.includes(reply.body.id))
      world.claimIds.push(reply.body.id)
}

/** Acts whose answers show their order, and may be made at once; the others run one after another. */
const together: Act['act'][] = ['accept', 'accept-lead', 'refuse', 'attribute']

const steps = freeSteps<World>({
  arrive,
  makeLead,
  ...Object.fromEntries(
    Object.entries(choices).map(([name, choose]) => [
      name,
      async (world: World, random: Random) => {
        const [act, other] = [choose, random.pick(Object.values(choices))].map((one) => one(world, random))
        if (!isPossible(world, act!)) return
        const isPair = [act, other].every((one) => together.includes(one!.act) && isPossible(world, one!))
        await make(world, isPair && random.chance(60) ? [act!, other!] : [act!])
      },
    ]),
  ),
})

async function end(world: World) {
  const { account, call, partners, model, claimIds, saleIds } = world
  const get = async (path: string) => expectOk(await call('GET', path)).body
  const { items } = await get(`/accounts/${account.id}/claims?limit=100`)
  const claims = new Map<string, Claim>(items.map((claim: Claim) => [claim.id, claim]))
  assert.equal(claims.size, model.claims.length)
  for (const [at, { state, partner, sale }] of model.claims.entries()) {
    const claim = claims.get(claimIds[at]!)!
    assert.deepEqual([claim.state, claim.partnerId], [state, partners[partner]!.id], `claim ${at}`)
    assert.equal(claim.saleId, sale === null ? null : saleIds[sale], `sale of claim ${at}`)
    const { candidates } = await get(`/claims/${claim.id}`)
    for (const one of candidates)
      if (one.kind === 'sale')
        assert.equal(one.state, stateOf(model, saleIds.indexOf(one.id), partner), `candidate ${one.id} of claim ${at}`)
  }
  const decisions = await db.many<{ count: number }>`
    select count(*) as count from passing_events
    where account_id = ${account.id} and type = 'claim.decided' group by subject_id`
  assert.deepEqual([...new Set(decisions.map(({ count }) => count))], decisions.length > 0 ? [1] : [])
  assert.equal(decisions.length, model.claims.filter(({ state }) => state !== 'open').length)
  for (const [at, one] of model.sales.entries()) {
    const entries = await db.many<{ partnerId: string; amount: number; kind: string }>`
      select partner_id, amount, kind from commission_entries
      where account_id = ${account.id} and sale_id = ${saleIds[at]}`
    assert.ok(entries.filter(({ kind }) => kind === 'earned').length <= 1, `sale ${at} is credited once`)
    const partnerId = one.partner === null ? undefined : partners[one.partner]!.id
    for (const entry of entries) assert.equal(entry.partnerId, partnerId, `partner of sale ${at}`)
    if (one.inactive) continue
    const earned = one.partner === null || one.isVoid ? 0 : (one.amount - one.lost) / 5
    assert.equal(
      entries.reduce((sum, { amount }) => sum + amount, 0),
      earned,
      `commission of sale ${at}`,
    )
  }

  // no claim, note or mail still names an erased person
  const person = model.leads.findIndex((lead) => lead !== null)
  if (person < 0) return
  const id = await leadIdOf(world, person)
  expectOk(await call('POST', `/leads/${id}/erase`, {}))
  await waitUntil(async () => {
    const { items } = await get(`/accounts/${account.id}/erasures`)
    return items.every(({ done }: { done: boolean }) => done)
  })
  assert.deepEqual(await placesWith(app, [emailOf(world, person)]), [])
}

for (const seed of listSeeds(1))
  test(`each claim is decided once and credits a sale once, seed ${seed}`, () =>
    playHistory({ begin, steps, weights, length: 36, end, ledger: db }, seed))
