import { type Transaction, transaction } from '../../server/platform/database/pool.ts'
import type { Services } from '../../server/platform/services.ts'
import { archivePartner } from '../../server/program/partners/archive-partner.ts'
import { changePartner } from '../../server/program/partners/change-partner.ts'
import { markReturned } from '../../server/program/payouts/apply-transfer.ts'
import { approvePayout } from '../../server/program/payouts/approve.ts'
import { getBalances } from '../../server/program/payouts/balances.ts'
import { cancelPayout } from '../../server/program/payouts/cancel-payout.ts'
import { refreshPayouts } from '../../server/program/payouts/jobs.ts'
import { markPayoutPaid } from '../../server/program/payouts/mark-paid.ts'
import { voidSale } from '../../server/program/sales/change-sale.ts'
import { correctSale } from '../../server/program/sales/correct-sale.ts'
import { recordSale } from '../../server/program/sales/record-sale.ts'
import { applyRefund } from '../../server/program/sales/refund-sale.ts'
import { restoreSale } from '../../server/program/sales/restore-sale.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { aLedger, aSale, atTime, ledgerServices, ownerAuthor } from './ledger.ts'
import { type ModelTest, randomFrom, settleOutcome } from './model-test.ts'
import { aPaymentFile } from './payment-files.ts'
import * as model from './payout-model.ts'

// Random lives of partners who are archived, with their balance voided or paid out, and come back, while their
// customers continue to buy, refunds arrive and fail, and payouts are made, canceled and bounce.

const STARTS_AT = Date.parse('2026-03-02T10:00:00Z')
const STEPS = 60
/** Percent, of the referrer and of the parent. */
const RATES = [20, 10]

type Sale = {
  id: string
  partner: number
  amount: number
  lost: number
  refunds: number
  isVoid: boolean
  earners: number[]
}

export const voidedLives: ModelTest = {
  async begin(db) {
    const services = ledgerServices(db)
    return { live: (seed) => live(services, seed), end: () => services.outbound.close() }
  },
}

async function live(services: Services, seed: number): Promise<void> {
  const trace: string[] = []
  const time = { now: STARTS_AT }
  try {
    await atTime(time, () => course(services, time, seed, trace))
  } catch (error) {
    const { message, stack } = error as Error
    throw new Error(`voided, seed ${seed}: ${message}\n${trace.join('\n')}\n${stack}`)
  }
}

async function course(services: Services, time: { now: number }, seed: number, trace: string[]) {
  const { db } = services
  const { pick, below } = randomFrom(seed)
  const ledger = await aLedger(services, {
    rates: RATES.map(String),
    partners: [{}, { parent: 0 }],
    leads: [{ partner: 0 }, { partner: 1 }],
  })
  const { account, actor, partnerIds } = ledger
  const by = ownerAuthor(ledger)
  const book: model.Book = {
    partners: partnerIds.map(() => model.aPartner('', [2026])),
    approvals: new Map(),
    profile: null,
  }
  const sales: Sale[] = []
  const states = partnerIds.map(() => 'active')
  const within = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const anyPartner = () => below(partnerIds.length)
  const worth = ({ amount, lost, isVoid }: Sale, layer: number) =>
    isVoid ? 0 : ((amount - lost) * RATES[layer]!) / 100
  /** Changes a sale in the model, and the earnings from it. */
  const change = (sale: Sale, fields: Partial<Sale>) => {
    const before = { ...sale }
    Object.assign(sale, fields)
    for (const [layer, partner] of sale.earners.entries())
      if (partner >= 0) model.bookEarning(book, partner, sale.id, worth(sale, layer) - worth(before, layer))
  }
  const tell = (sale: Sale, refund: number, amount: number, status: 'succeeded' | 'failed') =>
    within((tx) =>
      applyRefund(tx, by, account, sale.id, {
        ...{ kind: 'refund', externalId: `r${refund}`, amount, status, reason: null, at: new Date(time.now) },
      }),
    )
  const payouts = () => db.many<model.Seen & { partnerId: string }>`
    select o.id, o.partner_id, o.status, coalesce(o.amount, 0) as amount, o.approved_at, coalesce((
      select sum(e.amount) from payout_entries b join commission_entries e on e.id = b.entry_id
      where b.payout_id = o.id and b.live), 0)::bigint as bound
    from payouts o where o.account_id = ${account.id}
    order by (o.status in ('gathering', 'canceled', 'returned')) desc, o.statement_number`
  const oneOf = async (...wanted: string[]) => {
    const found = (await payouts()).filter(({ status }) => wanted.includes(status))
    return found.length > 0 ? pick(found).id : undefined
  }
  const ofPayout = async (states: string[], work: (id: string) => Promise<unknown>) => {
    const id = await oneOf(...states)
    return id ? settleOutcome(work(id)) : 'none'
  }
  const filed = new Set<string>()
  const refunded: { sale: Sale; refund: number; amount: number; failed: boolean }[] = []

  const acts = {
    async sell() {
      const partner = anyPartner()
      const amount = 10_00 * (1 + below(20))
      const recorded = await recordSale(db, aSale(ledger, { leadId: ledger.leadIds[partner]!, amount }))
      const earners = [partner, ...(partner === 1 ? [0] : [])].map((one, layer) => {
        const { voided } = book.partners[one]!
        return (layer === 0 ? voided : states[one] !== 'active') ? -1 : one
      })
      const sale = { ...{ id: recorded.id, partner, amount, lost: 0, refunds: 0, isVoid: false }, earners }
      sales.push(sale)
      for (const [layer, one] of earners.entries())
        if (one >= 0) model.bookEarning(book, one, sale.id, worth(sale, layer))
      return `${partner} ${amount}`
    },
    async refund() {
      const open = sales.filter(({ amount, lost, isVoid }) => lost < amount && !isVoid)
      if (open.length === 0) return 'none'
      const sale = pick(open)
      const amount = below(2) ? sale.amount - sale.lost : Math.ceil((sale.amount - sale.lost) / 2 / 10) * 10
      const refund = sale.refunds++
      await tell(sale, refund, amount, 'succeeded')
      refunded.push({ sale, refund, amount, failed: false })
      change(sale, { lost: sale.lost + amount })
      return `${sale.id} ${amount}`
    },
    async 'refund fails'() {
      const open = refunded.filter(({ failed, sale }) => !failed && !sale.isVoid)
      if (open.length === 0) return 'none'
      const one = pick(open)
      await tell(one.sale, one.refund, one.amount, 'failed')
      one.failed = true
      change(one.sale, { lost: one.sale.lost - one.amount })
      return `${one.sale.id} ${one.amount}`
    },
    async correct() {
      const open = sales.filter(({ isVoid, refunds }) => !isVoid && refunds === 0)
      if (open.length === 0) return 'none'
      const sale = pick(open)
      const amount = 10_00 * (1 + below(20))
      const reported = { amount, taxAmount: 0, grossAmount: amount, currency: account.defaultCurrency }
      await within((tx) => correctSale(tx, by, account, sale.id, { reported, source: 'the provider' }))
      change(sale, { amount })
      return `${sale.id} ${amount}`
    },
    async 'void sale'() {
      const open = sales.filter(({ isVoid }) => !isVoid)
      if (open.length === 0) return 'none'
      const sale = pick(open)
      await within((tx) => voidSale(tx, by, account, sale.id, 'a mistake'))
      change(sale, { isVoid: true })
      return sale.id
    },
    async 'restore sale'() {
      const open = sales.filter(({ isVoid }) => isVoid)
      if (open.length === 0) return 'none'
      const sale = pick(open)
      await within((tx) => restoreSale(tx, by, account, sale.id, 'no mistake'))
      change(sale, { isVoid: false })
      return sale.id
    },
    async 'pay after all'() {
      const id = await oneOf('canceled')
      if (!id) return 'none'
      if (!filed.has(id)) await aPaymentFile({ db }, account.id, id)
      filed.add(id)
      return settleOutcome(within((tx) => markPayoutPaid(tx, actor, account, id, { reference: 'the bank after all' })))
    },
    refresh: () => refreshPayouts(services, account).then(() => 'done'),
    approve: () => ofPayout(['gathering'], (id) => within((tx) => approvePayout(tx, services, actor, account, id))),
    pay: () =>
      ofPayout(['approved'], (id) => within((tx) => markPayoutPaid(tx, actor, account, id, { reference: 'bank' }))),
    cancel: () => ofPayout(['approved'], (id) => cancelPayout(services, actor, account, id)),
    bounce: () =>
      ofPayout(['paid'], (id) =>
        within((tx) => markReturned(tx, account, id, { by, reason: 'back', change: { old: 'paid', new: 'back' } })),
      ),
    async archive() {
      const partner = anyPartner()
      const voids = below(4) > 0
      const how = { subPartners: 'keep', balance: voids ? 'void' : 'pay-out', reason: 'over' } as const
      const outcome = await settleOutcome(within((tx) => archivePartner(tx, by, account, partnerIds[partner]!, how)))
      if (outcome === 'done') {
        states[partner] = 'archived'
        if (voids) model.voidBalance(book, partner)
      }
      return `${partner} ${voids} ${outcome}`
    },
    async activate() {
      const partner = anyPartner()
      const access = { as: 'owner', account, subjectId: partnerIds[partner]!, partnerId: null } as const
      await within((tx) => changePartner(tx, services, by, access, { state: 'active' }))
      states[partner] = 'active'
      model.reinstatePartner(book, partner)
      return partner
    },
  }
  const bag = Object.entries(weights).flatMap(([name, weight]) => Array.from({ length: weight }, () => name))

  for (let step = 0; step < STEPS; step++) {
    const name = pick(bag) as keyof typeof acts
    trace.push(name)
    time.now += 60_000
    trace[trace.length - 1] = `${name}: ${await acts[name]()}`
    await watch()
  }
  const differences = await verifyLedger(db)
  if (differences.length > 0) throw new Error(`the ledger differs: ${JSON.stringify(differences[0])}`)

  async function watch() {
    for (const row of await payouts()) {
      const wrong = model.updateBook(book, { ...row, partner: partnerIds.indexOf(row.partnerId) })
      if (wrong) throw new Error(wrong)
    }
    const balances = await getBalances(db, account, 'all')
    for (const [partner, id] of partnerIds.entries()) {
      const { due, inPayout, paid } = balances.get(id)!
      const seen = JSON.stringify({ due, inPayout, paid })
      const expected = JSON.stringify(model.readBalance(book, partner))
      if (seen !== expected) throw new Error(`partner ${partner} has ${seen}, not ${expected}`)
    }
  }
}

const weights = {
  sell: 10,
  refund: 8,
  'refund fails': 5,
  correct: 2,
  'void sale': 3,
  'restore sale': 3,
  'pay after all': 4,
  refresh: 6,
  approve: 6,
  pay: 4,
  cancel: 5,
  bounce: 2,
  archive: 4,
  activate: 5,
} satisfies Record<string, number>
