import { strict as assert } from 'node:assert'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Invoice, Treatment } from '#contract/invoices.ts'
import { importAccount } from '../../server/integrations/data-transfer/import-account.ts'
import { system } from '../../server/platform/author.ts'
import { type Database, rolledBack, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import { addAdjustment } from '../../server/program/commissions/adjustments.ts'
import { issueCorrection } from '../../server/program/invoices/correct.ts'
import { changeInvoicing } from '../../server/program/invoices/invoicing.ts'
import { listInvoices } from '../../server/program/invoices/present.ts'
import { saveInvoiceDetails } from '../../server/program/invoicing/details.ts'
import { emptyInvoices } from '../../server/program/invoicing/records.ts'
import { markUnsure } from '../../server/program/invoicing/series.ts'
import { markReturned } from '../../server/program/payouts/apply-transfer.ts'
import { approvePayout } from '../../server/program/payouts/approve.ts'
import { gatherPayouts } from '../../server/program/payouts/gather-payouts.ts'
import { markPayoutPaid, markPayoutsPaid } from '../../server/program/payouts/mark-paid.ts'
import { presentPayouts } from '../../server/program/payouts/payouts.ts'
import { type Transition, transitionPayout } from '../../server/program/payouts/transitions.ts'
import { endAsCanceled, setBack } from '../../server/program/payouts/undo-approval.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { exportArchive } from './archives.ts'
import { acme, hamburg } from './invoices.ts'
import { aLedger, atTime, ledgerServices, ownClock, ownerAuthor } from './ledger.ts'
import { type ModelTest, randomFrom, settleOutcome } from './model-test.ts'
import { freshDatabase } from './postgres.ts'

// Random lives of payouts under invoicing. A second, simple model keeps the list of documents that must be there.

const waitsForLock = (db: Database) => db.value<boolean>`
  select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`

const HOUR = 3_600_000
const STEPS = 70

export const invoiceLives: ModelTest = {
  async begin(db) {
    const services = ledgerServices(db)
    const target = await freshDatabase({ clock: ownClock })
    return {
      live: (seed) => live(db, target, services, seed),
      async end() {
        await services.outbound.close()
      },
    }
  },
}

async function live(db: Database, target: Database, services: ReturnType<typeof ledgerServices>, seed: number) {
  const trace: string[] = []
  const time = { now: Date.parse('2026-10-20T09:00:00Z') }
  try {
    await atTime(time, () => lead(db, target, services, seed, { time, trace }))
  } catch (error) {
    throw new Error(`invoices, seed ${seed}: ${(error as Error).stack}\n${trace.join('\n')}`)
  }
}

/** Partners to be, with the treatment by an account in Germany, France and the United States, written by hand. */
const KINDS = {
  standard: { body: hamburg, DE: 'standard', FR: 'reverse-charge', US: 'outside-scope' },
  unnumbered: { body: { ...hamburg, vatId: null, smallBusiness: true }, DE: null, FR: null, US: 'outside-scope' },
  freelancer: {
    body: { ...hamburg, vatId: null, taxNumber: '22/815/08154' },
    DE: 'standard',
    FR: null,
    US: 'outside-scope',
  },
  small: {
    body: { ...hamburg, vatId: null, taxNumber: '22/815/08154', smallBusiness: true },
    DE: 'exempt',
    FR: null,
    US: 'outside-scope',
  },
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

/** The content of a document; `seller` is null once they were erased from it. */
type Fixed = {
  amount: number
  treatment: Treatment
  rate: number
  tax: number
  payer: string
  seller: { country: string; street: string; vatId: string | null; taxNumber: string | null } | null
} | null
type Document = {
  kind: Invoice['kind']
  payoutId: string
  partnerId: string
  fixed: NonNullable<Fixed>
  number: string | null
  at: number
  /** Taken back by a later one. */
  isCredited: boolean
}
const emptied = (seller: NonNullable<NonNullable<Fixed>['seller']>) => ({
  ...seller,
  ...{ street: '', vatId: null, taxNumber: null },
})
type PayoutRow = { id: string; partnerId: string; status: string; amount: number | null; method: string | null }

async function lead(
  db: Database,
  target: Database,
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
  const sellers: NonNullable<Fixed>['seller'][] = partnerIds.map(() => null)
  const erased = new Set<string>()
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
    const tax = (doubled - (doubled % 200)) / 200 + (doubled % 200 >= 100 ? 1 : 0)
    const seller = { ...sellers[partnerIds.indexOf(partnerId)]! }
    return { amount, treatment, rate, tax, payer: settings.payer, seller }
  }
  const issue = (kind: Document['kind'], payoutId: string, partnerId: string, terms: NonNullable<Fixed>) => {
    const number = series.unsure ? null : `${series.prefix}${series.next++}`
    documents.push({ kind, payoutId, partnerId, fixed: { ...terms }, number, at: time.now, isCredited: false })
  }
  const openInvoice = (payoutId: string) =>
    documents.find((one) => one.payoutId === payoutId && one.kind === 'invoice' && !one.isCredited)
  const credit = (invoice: Document) => {
    invoice.isCredited = true
    issue('credit-note', invoice.payoutId, invoice.partnerId, invoice.fixed)
  }
  const partnerOf = async (payoutId: string) =>
    (
      await db.one<{ partnerId: string }>`
      select partner_id from payouts where account_id = ${account.id} and id = ${payoutId}`
    ).partnerId
  const leaves = async (id: string) => {
    if (out.has(id)) return
    out.add(id)
    const [terms, partnerId] = [fixed.get(id), await partnerOf(id)]
    // details that were emptied since the approval are printed empty
    if (terms)
      issue('invoice', id, partnerId, erased.has(partnerId) ? { ...terms, seller: emptied(terms.seller!) } : terms)
  }
  const comesBack = (id: string) => {
    const invoice = openInvoice(id)
    if (out.delete(id) && invoice) credit(invoice)
    return 'done'
  }
  /** Corrects an invoice in the model, and returns the outcome. */
  const corrects = (invoice: Document | undefined) => {
    if (series.unsure) return 'series_unsure'
    if (!invoice || invoice.isCredited) return 'credited_already'
    const { partnerId, fixed: before } = invoice
    const { enabled } = settings
    settings.enabled = true
    const now = termsNow(partnerId, before.amount)
    settings.enabled = enabled
    if (!now || erased.has(partnerId)) return 'correction_impossible'
    if (now.tax !== before.tax) return 'tax_would_change'
    if (isDeepStrictEqual(now, before)) return 'nothing_to_correct'
    credit(invoice)
    issue('invoice', invoice.payoutId, partnerId, now)
    return 'done'
  }
  const reasonOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error) => {
        if (error instanceof Refusal) return error.reason
        throw error
      },
    )
  const idOf = async ({ number }: Document) =>
    (
      await db.one<{ id: string }>`
      select id from invoices where account_id = ${account.id} and prefix || number = ${number}`
    ).id
  const correction = (id: string) => (tx: Transaction) => issueCorrection(tx, by, account, id, 'they moved')
  /** Does both works; the second begins before the first commits, and waits for its locks. */
  const overlap = async (...[first, second]: ((tx: Transaction) => Promise<unknown>)[]) => {
    let later: Promise<string> | undefined
    const outcome = await reasonOf(
      inTransaction(async (tx) => {
        await first!(tx)
        await tx.finish()
        later = reasonOf(inTransaction(second!))
        for (let again = 0; again < 200 && (await waitsForLock(db)) === false; again++) await setTimeout(5)
      }),
    )
    return [outcome, await (later ?? reasonOf(inTransaction(second!)))]
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
      if (erased.has(partnerIds[at]!)) return 'erased'
      // most only move
      const kind = kinds[at] !== null && chance(60) ? kinds[at]! : pick(Object.keys(KINDS) as Kind[])
      const street = `Straße ${below(5)}`
      const place = { accountId: account.id, partnerId: partnerIds[at]!, accountName: 'Acme' }
      const address = { ...hamburg.address, addressLine: street }
      const body = { ...KINDS[kind].body, address, agreed: true } as const
      await inTransaction((tx) => saveInvoiceDetails(tx, by, place, body))
      kinds[at] = kind
      const { country, vatId, taxNumber } = body
      sellers[at] = { country, street, vatId, taxNumber }
      return `${at} ${kind} ${street}`
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
      await leaves(row.id)
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
        await leaves(id)
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
      await leaves(id)
    },
    async 'send again'() {
      const row = await onePayout('processing', 'returned')
      if (row?.method !== 'wise' || !(await isBound(row.id))) return
      await moves(row, 'send')
      await leaves(row.id)
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
    async correct() {
      const numbered = documents.filter(({ kind, number }) => kind === 'invoice' && number !== null)
      if (numbered.length === 0) return
      const open = numbered.filter(({ isCredited }) => !isCredited)
      const invoice = pick(open.length > 0 && chance(80) ? open : numbered)
      const outcome = await reasonOf(inTransaction(correction(await idOf(invoice))))
      assert.equal(outcome, corrects(invoice))
      return `${invoice.number} ${outcome}`
    },
    async 'correct at once'() {
      const open = documents.filter(
        ({ kind, number, isCredited }) => kind === 'invoice' && number !== null && !isCredited,
      )
      if (open.length === 0) return
      const invoice = pick(open)
      const id = await idOf(invoice)
      const outcomes = await overlap(correction(id), correction(id))
      assert.deepEqual(outcomes, [corrects(invoice), corrects(invoice)])
      return `${invoice.number} ${outcomes}`
    },
    async 'correct while it comes back'() {
      const row = await onePayout('returned', 'sent', 'processing', 'paid')
      const invoice = row && openInvoice(row.id)
      if (!invoice || invoice.number === null || !(await isBound(row.id))) return
      const correcting = correction(await idOf(invoice))
      const change = { old: 'a', new: 'b' }
      const returning = (tx: Transaction) => markReturned(tx, account, row.id, { reason: 'refunded', change })
      const isFirst = chance(50)
      const outcomes = await (isFirst ? overlap(correcting, returning) : overlap(returning, correcting))
      const expected = isFirst ? [corrects(invoice), comesBack(row.id)] : [comesBack(row.id), corrects(invoice)]
      assert.deepEqual(outcomes, expected)
      return `${invoice.number} ${outcomes}`
    },
    async 'erase seller'() {
      if (chance(80)) return 'not now'
      const at = below(partnerIds.length)
      const partnerId = partnerIds[at]!
      await inTransaction(async (tx) => {
        await emptyInvoices(tx, account.id, partnerId)
        await tx.run`
          update invoice_details set legal_name = null, address = null, vat_id = null, tax_number = null
          where account_id = ${account.id} and partner_id = ${partnerId}`
      })
      const kind = kinds[at]
      if (kind && kind !== 'overseas') kinds[at] = 'unregistered'
      sellers[at] &&= emptied(sellers[at])
      erased.add(partnerId)
      for (const one of documents) if (one.partnerId === partnerId) one.fixed.seller = null
      return at
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
  const often = ['owe', 'approve', 'send', 'mark paid', 'give back', 'details', 'correct']
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
  // moved to another install, where it goes on
  const { path } = await exportArchive(db, account.id)
  await importAccount(target, services, path)
  await checkDocuments(target)
  const open = documents.find(({ kind, number, isCredited }) => kind === 'invoice' && number !== null && !isCredited)
  if (open) {
    const id = await idOf(open)
    const outcome = await reasonOf(transaction(target, (tx) => issueCorrection(tx, system, account, id, 'they moved')))
    assert.equal(outcome, corrects(open))
    await checkDocuments(target)
  }
  assert.deepEqual(await verifyLedger(target), [])

  async function checkDocuments(database: Database) {
    const { items, jumps, unsure } = await listInvoices(database, account.id, { limit: 1000, sort: 'createdAt' })
    const contents = await database.many<{ id: string; content: string }>`
      select id, concat_ws(' ', snapshot -> 'account' ->> 'country', tax_rate::float, snapshot -> 'partner' ->> 'country',
        snapshot -> 'partner' -> 'address' ->> 'addressLine', snapshot -> 'partner' ->> 'vatId',
        snapshot -> 'partner' ->> 'taxNumber') as content
      from invoices where account_id = ${account.id}`
    const contentOf = new Map(contents.map(({ id, content }) => [id, content]))
    const describeDocument = ({ kind, payoutId, number }: Pick<Document, 'kind' | 'payoutId' | 'number'>) =>
      `${payoutId} ${kind} ${number}`
    const full = (one: Document) => {
      const { amount, tax, treatment, payer, rate, seller } = one.fixed
      const { country, street, vatId, taxNumber } = seller ?? {
        country: null,
        street: null,
        vatId: null,
        taxNumber: null,
      }
      const content = [payer, rate, country, street, vatId, taxNumber].filter((each) => each !== null)
      return `${describeDocument(one)} ${amount} ${tax} ${treatment} ${content.join(' ')}`
    }
    assert.deepEqual(
      items
        .map((one) => `${describeDocument(one)} ${one.net} ${one.tax} ${one.treatment} ${contentOf.get(one.id)}`)
        .toSorted(),
      documents.map(full).toSorted(),
    )
    assert.deepEqual([jumps.length, unsure], [series.jumps, series.unsure])
  }

  async function check() {
    await checkDocuments(db)
    const rows = await db.many<{ id: string; taxAmount: number }>`
      select id, tax_amount from payouts where account_id = ${account.id} and status <> 'gathering'`
    for (const { id, taxAmount } of rows) assert.equal(taxAmount, fixed.get(id)?.tax ?? 0, `VAT of ${id}`)
    const due = (await payouts('gathering')).map(({ id }) => id)
    for (const { id, partnerId, amount, taxAmount } of await presentPayouts(db, account, due))
      assert.equal(taxAmount, amount > 0 ? (termsNow(partnerId, amount)?.tax ?? 0) : 0, `VAT of ${id}, due`)
  }
}
