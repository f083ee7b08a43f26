import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { freeSteps, playHistory } from '../../../test/support/histories.ts'
import { listSeeds } from '../../../test/support/model-test.ts'
import { aShop } from '../../../test/support/same-person-shop.ts'

// Two external IDs and three emails in any combination, with Same person pressed once, twice and twice at once, between
// refunds, voids, restores, reassignments and erasures, against a model of who is who.

const app = await startApp({ worker: true })
const { db } = app.services

type Lead = {
  id: string
  email: string | null
  ext: string | null
  partner: string | null
  original: Lead | null
  erased: boolean
}
type Sale = { id: string; payer: string | null; lead: Lead; partner: string | null; net: number; void: boolean }
type Hook = 'leadHook' | 'saleHook'
type Delivery = {
  id: string
  hook: Hook
  made: Lead | Sale
  sent: { ext: string | null; email: string }
  other: Lead | null
}
type World = { leads: Lead[]; sales: Sale[]; deliveries: Delivery[]; noted: Record<Hook, string | null> }

const isSale = (made: Lead | Sale): made is Sale => 'payer' in made
const ownerOf = ({ leads }: World, ext: string | null) => leads.find((lead) => ext !== null && lead.ext === ext)
const known = ({ leads }: World, email: string) => leads.find((lead) => lead.email === email && !lead.original)
const otherLead = (world: World, ext: string | null, email: string) => {
  const owner = ownerOf(world, ext)
  return owner && owner.email !== email ? owner : null
}
const emailsOf = ({ deliveries }: World, hook: Hook, ext: string) =>
  new Set(deliveries.flatMap((one) => (one.hook === hook && one.other && one.sent.ext === ext ? [one.sent.email] : [])))

function receiveDelivery(world: World, delivery: Delivery) {
  const { hook, sent, other } = delivery
  world.deliveries.push(delivery)
  const noted = world.noted[hook]
  const isFree = noted === null || emailsOf(world, hook, noted).size === 0
  if (other && sent.ext && isFree && emailsOf(world, hook, sent.ext).size > 1) world.noted[hook] = sent.ext
}

/** Makes one of two leads, as far as nothing of the former credits a partner. */
function settle(world: World, delivery: Delivery) {
  const { made, sent, hook } = delivery
  const to = delivery.other!.original ?? delivery.other!
  const sale = isSale(made) ? made : null
  const former = isSale(made) ? made.lead : made
  const credits = world.sales.some(({ lead, partner }) => lead === former && partner !== null)
  const joins = former !== to && !credits && (former.partner === null || former.partner === to.partner)
  if (sale && sale.partner === null) Object.assign(sale, { lead: to, partner: to.partner })
  if (joins) {
    for (const one of world.sales) if (one.lead === former) one.lead = to
    if (!former.original) {
      for (const lead of world.leads) if (lead.original === former) lead.original = to
      Object.assign(former, { original: to, ext: null })
    }
  }
  if ((joins || former === to) && !known(world, sent.email)) to.email = sent.email
  delivery.other = null
  const noted = world.noted[hook]
  if (noted && emailsOf(world, hook, noted).size < 2) world.noted[hook] = null
}

function erase(world: World, lead: Lead) {
  const first = lead.original ?? lead
  const linked = world.leads.filter(
    (one) => one === lead || one === first || one.original === first || one.original === lead,
  )
  const [emails, exts] = [linked.map(({ email }) => email), linked.map(({ ext }) => ext)]
  const theirs = world.leads.filter(
    (one) =>
      linked.includes(one) ||
      (one.email !== null && emails.includes(one.email)) ||
      (one.ext !== null && exts.includes(one.ext)),
  )
  const [allEmails, allExts] = [theirs.map(({ email }) => email), theirs.map(({ ext }) => ext)]
  const isTheirs = (made: Lead | Sale) => theirs.includes(isSale(made) ? made.lead : made)
  for (const one of world.deliveries) {
    const { sent, other, made } = one
    const isNamed = allEmails.includes(sent.email) || (sent.ext !== null && allExts.includes(sent.ext))
    const isPaid = isSale(made) && made.payer !== null && allEmails.includes(made.payer)
    if (isNamed || isPaid || isTheirs(made) || (other && theirs.includes(other))) one.other = null
  }
  for (const hook of ['leadHook', 'saleHook'] as const)
    if (world.noted[hook] && allExts.includes(world.noted[hook])) world.noted[hook] = null
  for (const sale of world.sales)
    if (theirs.includes(sale.lead) || (sale.payer && allEmails.includes(sale.payer))) sale.payer = null
  for (const one of theirs) Object.assign(one, { email: null, ext: null, erased: true })
}

async function begin() {
  const world: World = { leads: [], sales: [], deliveries: [], noted: { leadHook: null, saleHook: null } }
  return { shop: await aShop(app), world, at: 0 }
}
type Life = Awaited<ReturnType<typeof begin>>

const steps = freeSteps<Life>({
  async order({ shop, world, at }, random) {
    const [ext, email] = [random.pick(['55', '56', null]), random.pick(EMAILS)]
    const ref = random.chance(25) ? random.pick([shop.jane, shop.bob]) : null
    const amount = random.between(1, 9) * 10_00
    const payload = { externalId: `order-${at}`, leadExternalId: ext, email, amount, ref: ref?.referralCode }
    const { id, made } = await shop.saleHook.take(payload)
    let lead = known(world, email)
    if (!lead) {
      lead = { id: await leadOf(made.id), email, ext: null, partner: null, original: null, erased: false }
      if (!ownerOf(world, ext)) lead.ext = ext
      world.leads.push(lead)
    }
    if (lead.partner === null && ref) lead.partner = ref.id
    const sale = { id: made.id, payer: email, lead, partner: lead.partner, net: amount, void: false }
    world.sales.push(sale)
    receiveDelivery(world, {
      id,
      hook: 'saleHook',
      made: sale,
      sent: { ext, email },
      other: otherLead(world, ext, email),
    })
  },
  async lead({ shop, world, at }, random) {
    const [ext, email] = [random.pick(['55', '56']), random.pick(EMAILS)]
    const { id, made } = await shop.leadHook.take({ externalId: ext, email, at })
    let lead = known(world, email)
    if (!lead) {
      lead = { id: made.id, email, ext: null, partner: null, original: null, erased: false }
      world.leads.push(lead)
    }
    if (lead.ext === null && !ownerOf(world, ext)) lead.ext = ext
    receiveDelivery(world, {
      id,
      hook: 'leadHook',
      made: lead,
      sent: { ext, email },
      other: otherLead(world, ext, email),
    })
  },
  async press({ shop, world }, random) {
    const named = world.deliveries.filter(({ other }) => other !== null)
    const all = named.length > 0 && random.chance(90) ? named : world.deliveries
    const delivery = random.pick(all)
    if (!delivery) return
    const hook = shop[delivery.hook]
    if (!delivery.other) {
      const { status, body } = await hook.press(delivery.id)
      assert.deepEqual([status, body.error.reason], [409, 'delivery_names_no_other'])
      return
    }
    const times = random.between(1, 2)
    const answers = await Promise.all(Array.from({ length: times }, () => hook.press(delivery.id)))
    for (const { status } of answers) assert.ok([202, 409].includes(status))
    assert.ok(answers.some(({ status }) => status === 202))
    await waitUntil(async () => (await hook.delivery(delivery.id)).others.length === 0)
    settle(world, delivery)
  },
  async refund({ shop, world, at }, random) {
    const sale = random.pick(world.sales.filter((one) => !one.void && one.net > 10_00))
    if (!sale) return
    expectOk(await shop.call('POST', `/sales/${sale.id}/refunds`, { amount: 10_00, reason: `refund ${at}` }))
    sale.net -= 10_00
  },
  async void({ shop, world }, random) {
    const sale = random.pick(world.sales.filter((one) => !one.void))
    if (!sale) return
    expectOk(await shop.call('POST', `/sales/${sale.id}/void`, { reason: 'mistake' }))
    sale.void = true
  },
  async restore({ shop, world }, random) {
    const sale = random.pick(world.sales.filter((one) => one.void && !one.lead.erased))
    if (!sale) return
    expectOk(await shop.call('POST', `/sales/${sale.id}/restore`, { reason: 'no mistake' }))
    sale.void = false
  },
  async reassign({ shop, world }, random) {
    const lead = random.pick(world.leads.filter((one) => !one.original && !one.erased))
    if (!lead) return
    const partner = random.pick([shop.jane, shop.bob])
    expectOk(await shop.call('POST', `/leads/${lead.id}/reassign`, { partnerId: partner.id, reason: 'theirs' }))
    lead.partner = partner.id
  },
  async erase({ shop, world }, random) {
    const lead = random.chance(30) ? random.pick(world.leads.filter((one) => !one.erased)) : undefined
    if (!lead) return
    expectOk(await shop.call('POST', `/leads/${lead.id}/erase`, {}))
    await waitUntil(async () =>
      (await shop.get(`/accounts/${shop.account.id}/erasures`)).items.every(({ done }: { done: boolean }) => done),
    )
    erase(world, lead)
  },
})
const EMAILS = ['anna@mail.example', 'ben@mail.example', 'carl@mail.example']

const leadOf = (saleId: string) => db.value<string>`select lead_id from sales where id = ${saleId}`

async function check(life: Life) {
  const { shop, world } = life
  life.at++
  const accountId = shop.account.id
  const sales = await db.many`
    select s.id, s.lead_id, s.partner_id, s.payer_email, coalesce((
      select sum(amount) from commission_entries e where e.account_id = ${accountId} and e.sale_id = s.id), 0)::bigint as earned
    from sales s where s.account_id = ${accountId} order by s.id`
  assert.deepEqual(
    sales,
    sorted(world.sales).map(({ id, lead, partner, payer, net, void: isVoid }) => ({
      ...{ id, leadId: lead.id, partnerId: partner, payerEmail: payer },
      earned: partner && !isVoid ? net / 5 : 0,
    })),
    'sales',
  )
  const leads = await db.many`
    select id, email, external_id, partner_id, duplicate_of_id, erased_at is not null as erased from leads
    where account_id = ${accountId} order by id`
  assert.deepEqual(
    leads,
    sorted(world.leads).map(({ id, email, ext, partner, original, erased }) => ({
      ...{ id, email, externalId: ext, partnerId: partner, duplicateOfId: original?.id ?? null, erased },
    })),
    'leads',
  )
  const deliveries = await db.many`
    select id, others_id -> 0 ->> 'leadId' as lead_id from incoming_deliveries where account_id = ${accountId} order by id`
  assert.deepEqual(
    deliveries,
    sorted(world.deliveries).map(({ id, other }) => ({ id, leadId: other?.id ?? null })),
    'deliveries',
  )
  for (const hook of ['leadHook', 'saleHook'] as const) {
    const noted = world.noted[hook]
    const shown = noted && emailsOf(world, hook, noted).size > 0 ? noted : null
    assert.equal((await shop[hook].read()).attention?.value ?? null, shown, hook)
  }
}

const sorted = <T extends { id: string }>(all: T[]) => all.toSorted((a, b) => (a.id < b.id ? -1 : 1))

const histories = {
  ...{ begin, steps, weights: { order: 4, lead: 2, press: 4 }, length: 21, check },
  ledger: db,
}

test('in random lives of external IDs and emails everyone is who the model says, and each sale earns once', async () => {
  for (const seed of listSeeds(2)) await playHistory(histories, seed)
})
