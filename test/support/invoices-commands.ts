import { strict as assert } from 'node:assert'
import type { Invoice, Treatment } from '#contract/invoices.ts'
import { system } from '../../server/platform/author.ts'
import { type Database, rolledBack, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { addAdjustment } from '../../server/program/commissions/adjustments.ts'
import { changeInvoicing } from '../../server/program/invoices/invoicing.ts'
import { listInvoices } from '../../server/program/invoices/present.ts'
import { saveInvoiceDetails } from '../../server/program/invoicing/details.ts'
import { markUnsure } from '../../server/program/invoicing/series.ts'
import { markReturned } from '../../server/program/payouts/apply-transfer.ts'
import { approvePayout } from '../../server/program/payouts/approve.ts'
import { gatherPayouts } from '../../server/program/payouts/gather-payouts.ts'
import { markPayoutPaid, markPayoutsPaid } from '../../server/program/payouts/mark-paid.ts'
import { presentPayouts } from '../../server/program/payouts/payouts.ts'
import { type Transition, transitionPayout } from '../../server/program/payouts/transitions.ts'
import { endAsCanceled, setBack } from '../../server/program/payouts/undo-approval.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { acme, hamburg } from './invoices.ts'
import { aLedger, atTime, ledgerServices, ownerAuthor } from './ledger.ts'
import { type ModelTest, randomFrom, settleOutcome } from './model-test.ts'

// Random lives of payouts under invoicing. A second, simple model keeps the list of documents that must be there.

const HOUR = 3_600_000
const STEPS = 70

export const invoiceLives: ModelTest = {
  async begin(db) {
    const services = ledgerServices(db)
    return {
      live: (seed) => live(db, services, seed),
      async end() {
        await services.outbound.close()
      },
    }
  },
}

async function live(db: Database, services: ReturnType<typeof ledgerServices>, seed: number) {
  const trace: string[] = []
  const time = { now: Date.parse('2026-10-20T09:00:00Z') }
  try {
    await atTime(time, () => lead(db, services, seed, { time, trace }))
  } catch (error) {
    throw new Error(`invoices, seed ${seed}: ${(error as Error).stack}\n${trace.join('\n')}`)
  }
}

/** Partners to be, with the treatment by an account in Germany, France and the United States, written by hand. */
const KINDS = {
  standard: { body: hamburg, DE: 'standard', FR: 'reverse-charge', US: 'outside-scope' },
  small: { body: { ...hamburg, vatId: null, smallBusiness: true }, DE: 'exempt', FR: null, US: 'outside-scope' },
  abroad: {
    body: { ...hamburg, country: 'FR', vatId: 'FR12345678901' },
    DE: 'reverse-charge',
    FR: 'standard',
    US: 'outside-scope',
  },
  monaco: {
    body: { ...hamburg, country: 'MC', vatId: 'FR12000045678' },
    DE: 'reverse-charge',
    FR: 'standard',
    US: 'outside-scope',
  },
  unregistered: { body: { ...hamburg, country: 'FR', vatId: null }, DE: null, FR: null, US: 'outside-scope' },
  overseas: { body: { ...hamburg, country: 'US', vatId: null }, DE: 'reverse-charge', FR: 'reverse-charge', US: null },
} satisfies Record<string, { body: object } & Record<'DE' | 'FR' | 'US', Treatment | null>>
type Kind = keyof typeof KINDS

const PAYERS = {
  DE: { country: 'DE', vatId: acme.vatId },
  FR: { country: 'FR', vatId: 'FR12345678901' },
  US: { country: 'US', vatId: null },
}

type Fixed = { amount: number; treatment: Treatment; rate: number; tax: number } | null
type Document = {
  kind: Invoice['kind']
  payoutId: string
  fixed: NonNullable<Fixed>
  number: string | null
  at: number
}
type PayoutRow = { id: string; partnerId: string; status: string; amount: number | null; method: string | null }

async function lead(
  db: Database,
  services: ReturnType<typeof ledgerServices>,
  seed: number,
  { time, trace }: { time: { now: number }; trace: string[] },
) {
  const { below, pick, chance, shuffled } = randomFrom(seed)
  const ledger = await aLedger(services, {
    ...{ timeZone: pick(['UTC', 'Pacific/Auckland', 'America/New_York']), payoutDelay: 0 },
    partners: [{}, {}, {}, {}],
  })
  const { account, actor, partnerIds } = ledger
  const by = ownerAuthor(ledger)
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)

  // the model
  const settings = { enabled: true, payer: 'DE' as keyof typeof PAYERS, rate: 19 }
  const kinds: (Kind | null)[] = partnerIds.map(() => null)
  const series = { prefix: 'INV-', next: 1, unsure: false, jumps: 0 }
  const fixed = new Map<string, Fixed>()
  const out = new Set<string>()
  const documents: Document[] = []

  const termsNow = (partnerId: string, amount: number): Fixed => {
    const kind = kinds[partnerIds.indexOf(partnerId)]
    const treatment = kind && settings.enabled ? KINDS[kind][settings.payer] : null
    if (!treatment) return null
    const rate = treatment === 'standard' ? settings.rate : 0
    const doubled = amount * rate * 2
    return { amount, treatment, rate, tax: (doubled - (doubled % 200)) / 200 + (doubled % 200 >= 100 ? 1 : 0) }
  }
  const document = (kind: Document['kind'], payoutId: string) => {
    const terms = fixed.get(payoutId)
    if (!terms) return
    const number = series.unsure ? null : `${series.prefix}${series.next++}`
    documents.push({ kind, payoutId, fixed: terms, number, at: time.now })
  }
  const leaves = (id: string) => {
    if (out.has(id)) return
    out.add(id)
    document('invoice', id)
  }
  const comesBack = (id: string) => {
    if (out.delete(id)) document('credit-note', id)
  }

  const payouts = (...states: string[]) => db.many<PayoutRow>`
    select id, partner_id, status, amount, method from payouts
    where account_id = ${account.id} and status = any(${states}) order by statement_number`
  const onePayout = async (...states: string[]) => {
    const found = await payouts(...states)
    return found.length > 0 ? pick(found) : undefined
  }
  const isBound = async (id: string) =>
    (await db.maybe`
      select from payout_entries where account_id = ${account.id} and payout_id = ${id} and live limit 1`) !== undefined
  const amountOf = async (id: string) =>
    (await db.one<{ amount: number }>`select amount from payouts where account_id = ${account.id} and id = ${id}`)
      .amount
  const moves = (row: PayoutRow, name: Transition) =>
    inTransaction((tx) => transitionPayout(tx, account, row.id, name, { by: system }))
  const gather = () => inTransaction((tx) => gatherPayouts(tx, account))
  const settle = (change: Parameters<typeof changeInvoicing>[3]) =>
    inTransaction((tx) => changeInvoicing(tx, by, account.id, change))

  const acts = {
    async owe() {
      const partnerId = pick(partnerIds)
      const amount = 1 + below(50_00)
      await inTransaction((tx) => addAdjustment(tx, by, account, partnerId, { amount, reason: 'agreed' }))
      return amount
    },
    async refund() {
      const partnerId = pick(partnerIds)
      const amount = -1 - below(10_00)
      await inTransaction((tx) => addAdjustment(tx, by, account, partnerId, { amount, reason: 'refunded' }))
      return amount
    },
    async details() {
      const at = below(partnerIds.length)
      const kind = pick(Object.keys(KINDS) as Kind[])
      const place = { accountId: account.id, partnerId: partnerIds[at]!, accountName: 'Acme' }
      const body = { ...KINDS[kind].body, agreed: true } as const
      await inTransaction((tx) => saveInvoiceDetails(tx, by, place, body))
      kinds[at] = kind
      return `${at} ${kind}`
    },
    async settings() {
      settings.enabled = chance(75)
      settings.payer = chance(60) ? 'DE' : pick(['FR', 'US'])
      settings.rate = pick([19, 7, 20, 5.5, 0])
      series.prefix = pick(['INV-', 'A/', 'R26-'])
      const { enabled, rate: vatRate, payer } = settings
      await settle({ ...acme, ...PAYERS[payer], enabled, vatRate, prefix: series.prefix })
      return `${enabled} ${payer} ${vatRate} ${series.prefix}`
    },
    async approve() {
      await gather()
      const row = await onePayout('gathering')
      if (!row) return
      const outcome = await settleOutcome(inTransaction((tx) => approvePayout(tx, services, actor, account, row.id)))
      if (outcome === 'done') fixed.set(row.id, termsNow(row.partnerId, await amountOf(row.id)))
      return outcome
    },
    async 'mark paid'() {
      await gather()
      const row = await onePayout('gathering', 'approved', 'failed')
      if (!row) return
      const outcome = await settleOutcome(
        inTransaction((tx) => markPayoutPaid(tx, actor, account, row.id, { reference: 'bank' })),
      )
      if (outcome !== 'done') return outcome
      if (row.status === 'gathering') fixed.set(row.id, termsNow(row.partnerId, await amountOf(row.id)))
      leaves(row.id)
      return outcome
    },
    async 'mark many paid'() {
      await gather()
      const found = shuffled(await payouts('gathering', 'approved', 'sent'))
      if (found.length === 0) return
      const ids = found.map(({ id }) => id)
      const { results } = await inTransaction((tx) => markPayoutsPaid(tx, actor, account, { ids, reference: 'run' }))
      const done = results.filter(({ error }) => !error).map(({ id }) => id)
      const numbered = await payouts('paid')
      for (const { id, partnerId, amount } of numbered.filter((one) => done.includes(one.id))) {
        const before = found.find((one) => one.id === id)!
        if (before.status === 'gathering') fixed.set(id, termsNow(partnerId, amount!))
        leaves(id)
      }
      return done.length
    },
    async 'nearly paid'() {
      await gather()
      const row = await onePayout('gathering', 'approved')
      if (row)
        await settleOutcome(rolledBack(db, (tx) => markPayoutPaid(tx, actor, account, row.id, { reference: 'undone' })))
    },
    async send() {
      const row = await onePayout('approved')
      if (!row) return
      const { id } = row
      await inTransaction(async (tx) => {
        await tx.run`update payouts set method = 'wise' where account_id = ${account.id} and id = ${id}`
        await transitionPayout(tx, account, id, 'start', { by: system })
      })
      await moves(row, 'send')
      leaves(id)
    },
    async 'send again'() {
      const row = await onePayout('processing', 'returned')
      if (row?.method !== 'wise' || !(await isBound(row.id))) return
      await moves(row, 'send')
      leaves(row.id)
    },
    async 'go on'() {
      const row = await onePayout('sent')
      if (row) await moves(row, 'resume')
    },
    async arrive() {
      const row = await onePayout('sent')
      if (row) await moves(row, 'confirm-paid')
    },
    async bounce() {
      const row = await onePayout('sent', 'paid')
      if (row?.method === 'wise') await moves(row, 'return')
    },
    async 'give back'() {
      const row = await onePayout('returned', 'sent', 'processing', 'paid')
      if (!row || !(await isBound(row.id))) return
      const change = { old: 'a', new: 'b' }
      await inTransaction((tx) => markReturned(tx, account, row.id, { reason: 'refunded', change }))
      comesBack(row.id)
    },
    async 'set back'() {
      const row = await onePayout('approved', 'failed')
      if (!row) return
      await inTransaction((tx) => setBack(tx, account, row.id, 'changed', by))
      fixed.delete(row.id)
    },
    async cancel() {
      const row = await onePayout('approved')
      if (row) await inTransaction((tx) => endAsCanceled(tx, by, account, row.id, row.amount!))
    },
    async restore() {
      if (chance(60)) return 'not now'
      await inTransaction((tx) => markUnsure(tx))
      series.unsure = true
      return 'now'
    },
    async number() {
      const nextNumber = series.next + below(3)
      const outcome = await settleOutcome(settle({ nextNumber, reason: 'as issued' }))
      assert.equal(outcome, 'done')
      if (nextNumber > series.next) series.jumps++
      series.next = nextNumber
      if (!series.unsure) return nextNumber
      series.unsure = false
      for (const one of documents.filter(({ number }) => number === null))
        one.number = `${series.prefix}${series.next++}`
      return `${nextNumber} after a restore`
    },
    async hours() {
      time.now += (1 + below(40)) * HOUR
    },
  }
  const often = ['owe', 'approve', 'send', 'mark paid', 'give back', 'details']
  const bag = (Object.keys(acts) as (keyof typeof acts)[]).flatMap((name) =>
    Array.from({ length: often.includes(name) ? 3 : 1 }, () => name),
  )

  await settle({ ...acme, enabled: true })
  await acts.details()
  for (let step = 0; step < STEPS; step++) {
    const name = pick(bag)
    // each act at its own moment: what waits for a number is in the order of time
    time.now += 1000
    trace.push(`${step} ${name}`)
    trace[trace.length - 1] += `: ${(await acts[name]()) ?? ''}`
    await check()
  }
  assert.deepEqual(await verifyLedger(db), [])

  async function check() {
    const { items, jumps, unsure } = await listInvoices(db, account.id, { limit: 1000, sort: 'createdAt' })
    const describeDocument = ({ kind, payoutId, number }: Pick<Document, 'kind' | 'payoutId' | 'number'>) =>
      `${payoutId} ${kind} ${number}`
    const full = (one: Document) =>
      `${describeDocument(one)} ${one.fixed.amount} ${one.fixed.tax} ${one.fixed.treatment}`
    assert.deepEqual(
      items.map((one) => `${describeDocument(one)} ${one.net} ${one.tax} ${one.treatment}`).toSorted(),
      documents.map(full).toSorted(),
    )
    assert.deepEqual([jumps.length, unsure], [series.jumps, series.unsure])
    const rows = await db.many<{ id: string; taxAmount: number }>`
      select id, tax_amount from payouts where account_id = ${account.id} and status <> 'gathering'`
    for (const { id, taxAmount } of rows) assert.equal(taxAmount, fixed.get(id)?.tax ?? 0, `VAT of ${id}`)
    const due = (await payouts('gathering')).map(({ id }) => id)
    for (const { id, partnerId, amount, taxAmount } of await presentPayouts(db, account, due))
      assert.equal(taxAmount, amount > 0 ? (termsNow(partnerId, amount)?.tax ?? 0) : 0, `VAT of ${id}, due`)
  }
}
