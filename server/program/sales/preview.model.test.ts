import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PreviewedSale } from '#contract/sales.ts'
import type { Terms, TermsRule, TermsSource } from '#contract/terms.ts'
import { freeSteps, playHistory } from '../../../test/support/histories.ts'
import {
  aLedger,
  aSale,
  atTime,
  type Ledger,
  ledgerServices,
  ownClock,
  ownerAuthor,
  type Plan,
} from '../../../test/support/ledger.ts'
import { listSeeds, type Random, randomFrom, settleOutcome } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { previewRates } from '../commissions/preview-rates.ts'
import { createGroup } from '../groups/groups.ts'
import { changeLeadStatus } from '../leads/lead-status.ts'
import { moveToGroup } from '../terms/moves.ts'
import { saveTerms } from '../terms/save-terms.ts'
import { reassignLead } from './attribute-sale.ts'
import { voidSale } from './change-sale.ts'
import { previewCommission } from './preview-commission.ts'
import { recordSale } from './record-sale.ts'
import { applyRefund } from './refund-sale.ts'
import { requireLines } from './sale-lines.ts'

// A preview is what would be booked: of a sale, while terms, groups, parents and leads change; and of other terms for
// last month, which a second account has from the start.

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
const NOW = Date.parse('2026-11-10T12:00:00Z')
const PARTNERS = 6
const LEADS = 6
const PRODUCTS = ['pro', 'starter']

const within = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)

function anyPay({ chance, below, between, pick }: Random) {
  const layers = between(1, 4)
  return chance(60)
    ? { layerRates: Array.from({ length: layers }, () => pick([0, 10, 23.3333, 20])) }
    : { layerAmounts: Array.from({ length: layers }, () => below(600)) }
}

function anyTerms(random: Random, caps: boolean): Terms {
  const { chance, between, pick, below } = random
  const rules = Array.from({ length: between(0, 3) }, (): TermsRule => {
    const when = pick<TermsRule['when']>([
      { firstPayments: between(1, 3) },
      { firstMonths: between(1, 2) },
      { products: [pick(PRODUCTS)] },
      { amountFrom: below(500) },
      { countries: ['DE'] },
      { promotionCode: pick(['used', 'not-used'] as const) },
      { metadata: [{ key: 'plan', values: ['pro'] }] },
    ])
    return { name: 'Rule', on: 'sale', when, ...anyPay(random) }
  })
  const cap = () => (caps && chance(30) ? between(1, 900) : null)
  return { rules, otherwise: anyPay(random), maxPerCustomer: cap(), maxPerMonth: cap(), maxPerYear: cap() }
}

const anyPlan = ({ chance, below }: Random): Plan => ({
  selfReferralPolicy: 'allow',
  partners: Array.from({ length: PARTNERS }, (_, at) => ({ parent: at === 0 || chance(20) ? null : below(at) })),
  leads: Array.from({ length: LEADS }, () => ({ partner: below(PARTNERS), blueprint: chance(50) })),
})

function anySale({ chance, pick, between, below }: Random, saleDate: string) {
  const amount = pick([1, 2, between(3, 99), between(100, 5000)])
  const cut = 1 + below(amount - 1)
  const lines = [{ productId: pick(PRODUCTS), amount: cut }, { amount: amount - cut }]
  return {
    ...{ amount, saleDate, lines: amount > 1 && chance(50) ? lines : [], country: pick(['DE', 'US']) },
    ...(chance(40) && { promotionCode: 'SPRING' }),
    metadata: (chance(40) ? { plan: 'pro' } : {}) as Record<string, string>,
  }
}

type Given = ReturnType<typeof anySale>

const sell = (ledger: Ledger, leadId: string, { lines, promotionCode, ...facts }: Given, externalId: string | null) => {
  const codes = promotionCode ? [promotionCode] : []
  const reported = { promotionCodes: codes, partnerCode: codes.length > 0, lines: requireLines(facts.amount, lines) }
  return recordSale(db, aSale(ledger, { ...facts, ...reported, leadId, externalId, matchedBy: 'manual' }))
}

const refund = ({ account }: Ledger, saleId: string, externalId: string, amount: number) =>
  within((tx) =>
    applyRefund(tx, system, account, saleId, {
      ...{ kind: 'refund', externalId, amount, status: 'succeeded', reason: null, at: tx.now },
    }),
  )

/** Returns the account with a group and the code SPRING, and how to change its terms. */
async function aProgram(plan: Plan) {
  const ledger = await aLedger(services, plan)
  const { account, partnerIds } = ledger
  const by = ownerAuthor(ledger)
  const group = (await within((tx) => createGroup(tx, by, account.id, { name: 'Gold' }))).id
  const link = await db.one<{ id: string }>`select id from link_blueprints where account_id = ${account.id}`
  await db.run`
    insert into promotion_codes (id, account_id, partner_id, code, used_code, pending, created_at)
    values (gen_random_uuid(), ${account.id}, ${partnerIds[0]!}, 'SPRING', 'SPRING', false, ${db.now})`
  const idOf = (kind: TermsSource, at = 0) =>
    ({ account: account.id, group, link: link.id, partner: partnerIds[at]! })[kind]
  const change = (work: (tx: Transaction) => Promise<unknown>) =>
    within(async (tx) => {
      await blockBookings(tx, account.id)
      await work(tx)
    })
  const save = (kind: TermsSource, terms: Terms | null, { at = 0, appliesTo = 'all-sales' as Reach } = {}) =>
    change((tx) => saveTerms(tx, by, account.id, { kind, id: idOf(kind, at) }, { terms, appliesTo }))
  const move = (at: number, groupId: string, appliesTo: Reach = 'all-sales') =>
    change((tx) => moveToGroup(tx, by, account.id, partnerIds[at]!, { groupId, appliesTo }))
  return { ledger, by, group, idOf, save, move }
}

type Reach = 'all-sales' | 'new-customers'

async function begin(seed: number) {
  const program = await aProgram(anyPlan(randomFrom(seed)))
  return { ...program, ...program.ledger, sold: [] as string[], refunds: 0 }
}
type World = Awaited<ReturnType<typeof begin>>

const anyReach = ({ pick }: Random) => pick<Reach>(['all-sales', 'new-customers'])

const steps = freeSteps<World>({
  async sell({ ledger, account, leadIds, sold }, random) {
    const { pick, between } = random
    const leadId = pick(leadIds)
    const sale = anySale(random, `2026-0${between(1, 3)}-${pick(['01', '03', '15'])}`)
    const { entries } = await previewCommission(db, account, PreviewedSale.parse({ leadId, ...sale }))
    const { id } = await sell(ledger, leadId, sale, null)
    sold.push(id)
    const booked = await db.many`
      select partner_id, layer, amount, rate_ppm / 10000.0 as rate, flat_amount as flat from commission_entries
      where sale_id = ${id} order by layer`
    const previewed = entries.map(({ displayName: _, ...entry }) => entry)
    assert.deepEqual(
      previewed,
      booked.map((row) => ({ ...row, rate: row.rate === null ? null : Number(row.rate) })),
    )
  },
  async terms({ save }, random) {
    const kind = random.pick<TermsSource>(['account', 'group', 'link', 'partner'])
    const terms = kind !== 'account' && random.chance(25) ? null : anyTerms(random, true)
    await save(kind, terms, { at: random.below(PARTNERS), appliesTo: anyReach(random) })
  },
  move: ({ account, group, move }, random) =>
    move(random.below(PARTNERS), random.pick([group, account.id]), anyReach(random)),
  async parent({ partnerIds }, { between, below }) {
    const at = between(1, PARTNERS - 1)
    await db.run`update partners set parent_partner_id = ${partnerIds[below(at)]!} where id = ${partnerIds[at]!}`
  },
  state: ({ partnerIds }, { pick, chance }) => db.run`
    update partners set state = ${pick(['active', 'suspended'])}, void_reason = ${chance(20) ? 'left' : null}
    where id = ${pick(partnerIds)}`,
  status({ by, account, leadIds }, { pick }) {
    const status = pick(['rejected', 'new', 'qualified'] as const)
    const change = { status, reason: 'other' as const, note: undefined, sharedNote: undefined }
    return settleOutcome(within((tx) => changeLeadStatus(tx, by, account, pick(leadIds), change)))
  },
  reassign({ by, account, partnerIds, leadIds }, { pick }) {
    const body = { partnerId: pick(partnerIds), reason: 'Another one' }
    return settleOutcome(within((tx) => reassignLead(tx, by, account, pick(leadIds), body)))
  },
  async refund(world, { pick, between }) {
    const id = pick(world.sold)
    if (id) await refund(world.ledger, id, `r${world.refunds++}`, between(1, 300))
  },
  async void({ by, account, sold }, { below }) {
    const [id] = sold.splice(below(sold.length), 1)
    if (id) await within((tx) => voidSale(tx, by, account, id, 'A mistake'))
  },
})

async function previewOtherTerms(seed: number) {
  const random = randomFrom(seed)
  const { pick, chance, below, between } = random
  // a refund frees room under a cap at its own time, which a preview leaves out
  const caps = chance(50)
  const plan = anyPlan(random)
  const known: [TermsSource, Terms | null, number][] = [
    ['account', anyTerms(random, caps), 0],
    ['group', anyTerms(random, caps), 0],
    ['link', chance(60) ? anyTerms(random, caps) : null, 0],
    ...plan.partners.map((_, at): [TermsSource, Terms | null, number] => {
      return ['partner', chance(30) ? anyTerms(random, caps) : null, at]
    }),
  ]
  const members = plan.partners.flatMap((_, at) => (chance(50) ? [at] : []))
  const kind = pick<TermsSource>(['account', 'group', 'link', 'partner'])
  const [at, terms] = [below(PARTNERS), kind !== 'account' && chance(20) ? null : anyTerms(random, caps)]
  const days = Array.from({ length: 14 }, () => `2026-10-${String(between(1, 31)).padStart(2, '0')}`).sort()
  const sales = days.map((day) => {
    const sale = anySale(random, day)
    return { sale, lead: below(LEADS), lost: !caps && chance(30) ? between(1, sale.amount) : 0 }
  })
  const play = async (isChanged: boolean) => {
    const { ledger, group, idOf, save, move } = await aProgram(plan)
    for (const [owner, own, of] of known) await save(owner, own, { at: of })
    for (const member of members) await move(member, group)
    if (isChanged) await save(kind, terms, { at })
    for (const [place, { sale, lead, lost }] of sales.entries()) {
      const { id } = await sell(ledger, ledger.leadIds[lead]!, sale, `sale-${10 + place}`)
      if (lost > 0) await refund(ledger, id, 'r', lost)
    }
    const paid = await db.value<number>`
      select coalesce(sum(amount), 0)::bigint from commission_entries where account_id = ${ledger.account.id}`
    return { account: ledger.account, id: idOf(kind, at), paid }
  }
  const [now, then] = [await play(false), await play(true)]
  const of = { account: {}, group: { groupId: now.id }, link: { blueprintId: now.id }, partner: { partnerId: now.id } }
  const effect = await previewRates(db, now.account, { ...of[kind], terms, appliesTo: 'all-sales' })
  const context = JSON.stringify({ seed, kind, at, terms, known, members, sales, plan })
  assert.equal(effect.wouldHavePaid - effect.paid, then.paid - now.paid, context)
}

test('the preview of a sale is what is booked, whatever changed before', () =>
  atTime({ now: NOW }, async () => {
    for (const seed of listSeeds(2))
      await playHistory({ begin, steps, weights: { sell: 4, terms: 2 }, length: 36 }, seed)
  }))

test('the preview of other terms is what they would have paid last month', () =>
  atTime({ now: NOW }, async () => {
    for (const seed of listSeeds(4)) await previewOtherTerms(seed)
  }))
