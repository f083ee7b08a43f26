import { test } from 'node:test'
import { NewLead } from '#contract/leads.ts'
import { NewPartner } from '#contract/partners.ts'
import type { Terms, TermsRule } from '#contract/terms.ts'
import { freeSteps, playHistory } from '../../../test/support/histories.ts'
import { aLedger, aSale, ledgerServices, ownerAuthor } from '../../../test/support/ledger.ts'
import { listSeeds, type Random, randomFrom, settleOutcome } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { createGroup, deleteGroup } from '../groups/groups.ts'
import { createLead } from '../leads/create-lead.ts'
import { changeLeadStatus } from '../leads/lead-status.ts'
import { reassignLead } from '../sales/attribute-sale.ts'
import { voidSale } from '../sales/change-sale.ts'
import { correctSale, correctSubscription } from '../sales/correct-sale.ts'
import { recordSale } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { saveTerms } from '../terms/save-terms.ts'
import { archivePartner } from './archive-partner.ts'
import { changePartner } from './change-partner.ts'
import { createPartner } from './create-partner.ts'
import { deletePartner } from './delete-partner.ts'

// Partners who come, get other parents and groups, and leave, while their customers' sales move one another: whatever
// was before, nothing fails but by a refusal, and the ledger verifies.

const db = await freshDatabase()
const services = ledgerServices(db)

const within = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)

/** Terms that often pay deep layers nothing by one rule, and something by another. */
function anyTerms({ chance, between, pick, below }: Random): Terms {
  const layers = () => between(1, 5)
  const pay = () =>
    chance(60)
      ? { layerRates: Array.from({ length: layers() }, () => pick([0, 0, 10, 20])) }
      : { layerAmounts: Array.from({ length: layers() }, () => pick([0, below(600)])) }
  const rules = Array.from({ length: between(0, 3) }, (): TermsRule => {
    const when = pick<TermsRule['when']>([
      { firstPayments: between(1, 3) },
      { firstMonths: between(1, 2) },
      { amountFrom: below(500) },
    ])
    return { name: null, on: 'sale', when, ...pay() }
  })
  const cap = () => (chance(20) ? between(1, 900) : null)
  return { rules, otherwise: pay(), maxPerCustomer: cap(), maxPerMonth: cap(), maxPerYear: cap() }
}

async function begin(seed: number) {
  const random = randomFrom(seed)
  const ledger = await aLedger(services, {
    ...{
      selfReferralPolicy: random.pick(['allow', 'refuse', 'hold'] as const),
      recurringMonths: random.pick([null, 1]),
    },
    ...{ partners: [{}], leads: [] },
  })
  const { account } = ledger
  const world = {
    ...{ ledger, account, by: ownerAuthor(ledger), made: 0 },
    ...{ partners: [...ledger.partnerIds], groups: [account.id], leads: [] as string[] },
    sold: [] as { id: string; amount: number }[],
  }
  for (const name of ['join', 'join', 'join', 'terms', 'lead', 'lead', 'sell'] as const)
    await settleOutcome(acts[name](world, random))
  return world
}
type World = Awaited<ReturnType<typeof begin>>
type Act = (world: World, random: Random) => Promise<unknown>

const access = ({ account }: World, subjectId: string) => ({
  as: 'owner' as const,
  account,
  subjectId,
  partnerId: null,
})
const change = (world: World, id: string, fields: Parameters<typeof changePartner>[4]) =>
  within((tx) => changePartner(tx, services, world.by, access(world, id), fields))

const acts = {
  async join(world, { chance, pick }) {
    const { account, by, partners, groups } = world
    const email = `joined-${world.made++}@${account.id}.example`
    const parentPartnerId = chance(80) ? pick(partners.slice(-3)) : null
    const body = NewPartner.parse({ email, parentPartnerId, groupId: pick(groups), sendInvitation: false })
    const { id } = await within((tx) => createPartner(tx, services, by, access(world, account.id), body))
    partners.push(id)
  },
  parent: (world, { chance, pick }) =>
    change(world, pick(world.partners), { parentPartnerId: chance(70) ? pick(world.partners) : null }),
  group(world, { pick }) {
    const appliesTo = pick(['all-sales', 'new-customers'] as const)
    return change(world, pick(world.partners), { groupId: pick(world.groups), appliesTo })
  },
  state: (world, { pick }) => change(world, pick(world.partners), { state: pick(['active', 'suspended'] as const) }),
  archive: ({ by, account, partners }, { pick }) =>
    within((tx) =>
      archivePartner(tx, by, account, pick(partners), {
        ...{ subPartners: pick(['move-up', 'keep'] as const), balance: pick(['pay-out', 'void'] as const) },
        reason: 'Left',
      }),
    ),
  async delete(world, { chance, pick }) {
    const { account, by, partners } = world
    if (partners.length < 2) return
    const id = pick(partners)
    const children = await db.many<{ id: string }>`
      select id from partners where account_id = ${account.id} and parent_partner_id = ${id}`
    for (const sub of chance(70) ? children : []) await change(world, sub.id, { parentPartnerId: null })
    await within((tx) => deletePartner(tx, by, account, id))
    partners.splice(partners.indexOf(id), 1)
  },
  async newGroup(world, random) {
    const body = { name: `Group ${world.made++}`, terms: anyTerms(random) }
    world.groups.push((await within((tx) => createGroup(tx, world.by, world.account.id, body))).id)
  },
  async deleteGroup({ by, account, groups }, { pick }) {
    const id = pick(groups)
    await within((tx) => deleteGroup(tx, by, account.id, id))
    groups.splice(groups.indexOf(id), 1)
  },
  terms: ({ by, account, partners }, random) =>
    within(async (tx) => {
      await blockBookings(tx, account.id)
      const subject = random.chance(50)
        ? ({ kind: 'account', id: account.id } as const)
        : ({ kind: 'partner', id: random.pick(partners) } as const)
      const appliesTo = random.pick(['all-sales', 'new-customers'] as const)
      await saveTerms(tx, by, account.id, subject, { terms: anyTerms(random), appliesTo })
    }),
  async lead(world, { pick }) {
    const { account, by, partners, leads } = world
    // those who came last, so that there are others above without a history
    const partnerId = pick(partners.slice(-2))
    const body = NewLead.parse({ email: `lead-${world.made++}@${account.id}.example`, partnerId })
    leads.push((await within((tx) => createLead(tx, by, account, body))).id)
  },
  status: ({ by, account, leads }, { pick }) =>
    within((tx) => {
      const status = pick(['qualified', 'rejected', 'new', 'lost'] as const)
      const input = { status, reason: 'other' as const, note: undefined, sharedNote: undefined }
      return changeLeadStatus(tx, by, account, pick(leads), input)
    }),
  reassign: ({ by, account, partners, leads }, { chance, pick }) =>
    within((tx) => {
      const to = { partnerId: chance(85) ? pick(partners) : null, reason: 'Another one' }
      return reassignLead(tx, by, account, pick(leads), { ...to, creditEarlierSales: chance(50) })
    }),
  async sell({ ledger, leads, sold }, { between, pick, chance, below }) {
    const amount = pick([0, 1, 2, between(3, 99), between(100, 5000)])
    const saleDate = `2026-0${between(1, 3)}-${pick(['01', '15', '28'])}`
    const subscriptionId = chance(40) ? `sub_${below(3)}` : null
    const sale = aSale(ledger, { amount, leadId: pick(leads), saleDate, subscriptionId })
    sold.push({ id: (await recordSale(db, sale)).id, amount })
  },
  refund: ({ account, sold }, { pick, below, between }) =>
    within((tx) => {
      const { id, amount } = pick(sold)
      const status = pick(['pending', 'succeeded', 'failed', 'canceled'] as const)
      const input = { externalId: `refund ${below(3)}`, amount: between(1, amount + 1), status }
      return applyRefund(tx, system, account, id, { kind: 'refund', reason: null, at: tx.now, ...input })
    }),
  correct: ({ account, sold }, { pick, between }) =>
    within((tx) => {
      const amount = pick([0, between(1, 6000)])
      const input = { amount, taxAmount: 0, grossAmount: amount, currency: 'usd' }
      return correctSale(tx, system, account, pick(sold).id, { reported: input, source: 'Stripe' })
    }),
  subscription: ({ account, sold }, { pick, below }) =>
    within((tx) => correctSubscription(tx, account, pick(sold).id, `sub_${below(3)}`)),
  void: ({ by, account, sold }, { pick }) => within((tx) => voidSale(tx, by, account, pick(sold).id, 'A mistake')),
} satisfies Record<string, Act>

const settled = ([name, act]: [string, Act]) => [name, (...of: Parameters<Act>) => settleOutcome(act(...of))]
const histories = {
  begin,
  steps: freeSteps<World>(Object.fromEntries(Object.entries(acts).map(settled))),
  weights: { join: 3, lead: 3, sell: 4, parent: 2, delete: 3, correct: 2 },
  length: 74,
  ledger: db,
}

test('partners leave lines of sales in every order, and later sales, corrections and refunds are booked', async () => {
  for (const seed of listSeeds(2)) await playHistory(histories, seed)
})
