import assert from 'node:assert/strict'
import { test } from 'node:test'
import { system } from '#server/platform/author.ts'
import { dayIn } from '#server/platform/time/days.ts'
import { recordSale } from '#server/program/sales/record-sale.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { anAccount, aPartner, expectOk, type Reply, startApp, waitUntil } from '#test/support/app.ts'
import { placesWith } from '#test/support/canaries.ts'
import { listSeeds, type Random, randomFrom } from '#test/support/model-test.ts'
import type { Claim } from '../contract.ts'

// Random lives of claims: partners claim orders and payers that exist, that come late or never; sales arrive, are
// attributed, voided and refunded, leads move, partners are suspended, and owners accept and refuse, two at once in two
// processes, while the account changes whose the orders of returning customers are. A plain model has the answer of each act, in one order or the other. In the end people are erased.

const STEPS = Number(process.env.STEPS ?? 40)
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

async function aLife(seed: number, { below, pick, chance }: Random, trace: string[]) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, timeZone: 'UTC' })
  const call = (method: string, path: string, body?: unknown, token = account.token) =>
    pick([app, twin]).api(method, path, { token, body })
  const get = async (path: string) => expectOk(await call('GET', path)).body
  const partners: { id: string; token: string }[] = []
  for (const firstName of ['Ada', 'Bob', 'Cleo'])
    partners.push(await aPartner(app, account, { firstName, lastName: `cl${seed}p` }, { signIn: true }))
  const today = dayIn('UTC', db.now)
  const emailOf = (person: number) => `canary${seed}-${person}@shop.example`
  const orderOf = (sale: number) => `order-${seed}-${sale}`
  let model: Model = {
    ...{ active: [true, true, true], eachOrder: false, leads: [null, null, null, null], sales: [], claims: [] },
  }
  const [claimIds, saleIds]: [string[], string[]] = [[], []]
  const leadIdOf = async (person: number) =>
    (await db.one<{ id: string }>`select id from leads where account_id = ${account.id} and email = ${emailOf(person)}`)
      .id

  const send: { [A in Act['act']]: (act: Extract<Act, { act: A }>) => Promise<Reply> } = {
    claim({ partner, named }) {
      const body = named.includes('@') ? { email: named, day: today, note: `${named} told me` } : { orderId: named }
      return call('POST', `/partners/${partners[partner]!.id}/claims`, body, partners[partner]!.token)
    },
    accept: ({ claim, sale }) => call('POST', `/claims/${claimIds[claim]}/accept`, { saleId: saleIds[sale] }),
    'accept-lead': async ({ claim, person }) =>
      call('POST', `/claims/${claimIds[claim]}/accept`, { leadId: await leadIdOf(person) }),
    refuse: ({ claim }) => call('POST', `/claims/${claimIds[claim]}/refuse`, { reason: 'Not theirs' }),
    attribute: ({ sale, partner }) =>
      call('POST', `/sales/${saleIds[sale]}/attribute`, { partnerId: partners[partner]!.id, reason: 'Theirs' }),
    void: ({ sale }) => call('POST', `/sales/${saleIds[sale]}/void`, { reason: 'Mistake' }),
    refund: ({ sale }) =>
      call('POST', `/sales/${saleIds[sale]}/refunds`, { amount: model.sales[sale]!.amount / 4, reason: 'Returned' }),
    move: async ({ person, partner }) =>
      call('POST', `/leads/${await leadIdOf(person)}/reassign`, { partnerId: partners[partner]!.id, reason: 'Moved' }),
    suspend: ({ partner }) =>
      call(
        'PUT',
        `/partners/${partners[partner]!.id}`,
        model.active[partner] ? { state: 'suspended', reason: 'Checks' } : { state: 'active' },
      ),
    'change-setting': () =>
      call('PATCH', `/accounts/${account.id}`, {
        returningCustomers: model.eachOrder ? 'keep-partner' : 'latest-click',
      }),
  }
  const sent = async (act: Act) => {
    const reply = await (send[act.act] as (act: Act) => Promise<Reply>)(act)
    return { reply, refused: reply.status < 300 ? undefined : (reply.body.error?.reason as string) }
  }

  async function arrive() {
    const [person, amount] = [below(4), 40_00 * (1 + below(5))]
    const lead = model.leads[person]!
    const sale = await recordSale(db, {
      ...{
        account,
        leadId: lead === null ? null : await leadIdOf(person),
        provider: 'manual',
        matchedBy: null,
        by: system,
      },
      ...{ externalId: orderOf(saleIds.length), payerEmail: emailOf(person), saleDate: today, currency: 'usd' },
      ...{ amount, grossAmount: amount, taxAmount: 0 },
    })
    saleIds.push(sale.id)
    const partner = lead === null || lead === -1 ? null : lead
    const inactive = partner !== null && !model.active[partner]
    model.sales.push({ person, partner, isTheirs: lead !== null, isVoid: false, amount, lost: 0, inactive })
  }
  async function makeLead() {
    const person = model.leads.indexOf(null)
    if (person < 0) return
    const partner = below(4) - 1
    if (partner >= 0 && !model.active[partner]) return
    const partnerId = partner < 0 ? undefined : partners[partner]!.id
    expectOk(await call('POST', `/accounts/${account.id}/leads`, { email: emailOf(person), partnerId }))
    model.leads[person] = partner
  }

  /** An act that can be made now, often about what a claim names. */
  function choose(): Act | undefined {
    const [partner, sale, claim] = [below(3), below(saleIds.length), below(claimIds.length)]
    const person = below(4)
    const named = chance(70) ? orderOf(below(saleIds.length + 2)) : emailOf(below(5))
    const about = claimIds.length > 0 && saleIds.length > 0
    const order = about ? model.sales.findIndex((_, at) => orderOf(at) === model.claims[claim]!.named) : -1
    const acts: (Act | false)[] = [
      { act: 'claim', partner, named },
      about && { act: 'accept', claim, sale: order >= 0 && chance(80) ? order : sale },
      about && { act: 'accept', claim, sale },
      claimIds.length > 0 && model.leads[person] !== null && { act: 'accept-lead', claim, person },
      claimIds.length > 0 && { act: 'refuse', claim },
      saleIds.length > 0 && { act: 'attribute', sale, partner },
      saleIds.length > 0 && chance(40) && { act: 'void', sale },
      saleIds.length > 0 && { act: 'refund', sale },
      model.leads[person] !== null && { act: 'move', person, partner },
      chance(50) && { act: 'suspend', partner },
      chance(50) && { act: 'change-setting' },
    ]
    return pick(acts) || undefined
  }

  /** Makes acts at once; the answers must be those of the model in one of their orders. */
  async function make(acts: Act[]) {
    const results = await Promise.all(acts.map(sent))
    const answers = results.map(({ refused }) => refused ?? 'ok')
    trace.push(`${acts.map((act) => JSON.stringify(act)).join(' | ')} → ${answers.join(' | ')}`)
    const orders =
      acts.length === 1
        ? [[0]]
        : [
            [0, 1],
            [1, 0],
          ]
    const possible = orders.map((order) => {
      const after = structuredClone(model)
      const outcomes: string[] = []
      for (const at of order) outcomes[at] = apply(after, acts[at]!) ?? 'ok'
      return { after, said: outcomes }
    })
    const found = possible.find(({ said: outcomes }) => outcomes.every((one, at) => one === answers[at]))
    assert.ok(found, `expected ${possible.map(({ said: outcomes }) => outcomes.join(' | ')).join(' or ')}`)
    model = found.after
    for (const [at, { reply }] of results.entries())
      if (acts[at]!.act === 'claim' && reply.status === 201 && !claimIds.includes(reply.body.id))
        claimIds.push(reply.body.id)
  }
  /** Acts that run one after another, because their answers don't show their order. */
  const together: Act['act'][] = ['accept', 'accept-lead', 'refuse', 'attribute']

  async function isAsModelled() {
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
          assert.equal(
            one.state,
            stateOf(model, saleIds.indexOf(one.id), partner),
            `candidate ${one.id} of claim ${at}`,
          )
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
    assert.deepEqual(await verifyLedger(db), [])
  }

  for (let step = 0; step < STEPS; step++) {
    const chosen = step % 3 === 0 ? (chance(50) ? 'sale' : 'lead') : choose()
    if (chosen === 'sale') await arrive()
    else if (chosen === 'lead') await makeLead()
    else if (chosen) {
      const other = together.includes(chosen.act) && chance(60) ? choose() : undefined
      const pair = other && together.includes(other.act) ? [chosen, other] : [chosen]
      await make(pair)
    }
  }
  await isAsModelled()

  // no claim, note or mail still names an erased person
  const person = model.leads.findIndex((lead) => lead !== null)
  if (person < 0) return
  const id = await leadIdOf(person)
  expectOk(await call('POST', `/leads/${id}/erase`, {}))
  await waitUntil(async () => {
    const { items } = await get(`/accounts/${account.id}/erasures`)
    return items.every(({ done }: { done: boolean }) => done)
  })
  assert.deepEqual(await placesWith(app, [emailOf(person)]), [])
  assert.deepEqual(await verifyLedger(db), [])
}

for (const seed of listSeeds(1))
  test(`each claim is decided once and credits a sale once, seed ${seed}`, async () => {
    const trace: string[] = []
    await aLife(seed, randomFrom(seed), trace).catch((error: Error) => {
      throw new Error(`seed ${seed}: ${error.message}\n${trace.join('\n')}`, { cause: error })
    })
  })
