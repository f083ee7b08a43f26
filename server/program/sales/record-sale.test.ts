import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { pino } from 'pino'
import { Sale } from '#contract/sales.ts'
import { aLedger, aSale, type Ledger, ledgerServices, ownerAuthor, type Plan } from '../../../test/support/ledger.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { apiKeyAuthor, system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Database, openDatabase, type Transaction, transaction } from '../../platform/database/pool.ts'
import { Refusal } from '../../platform/refusal.ts'
import { buildOwnerView } from '../access/access.ts'
import { addAdjustment } from '../commissions/adjustments.ts'
import { approvePayout } from '../payouts/approve.ts'
import { getBalances } from '../payouts/balances.ts'
import { gatherPayouts } from '../payouts/gather-payouts.ts'
import { verifyLedger } from '../stats/verify.ts'
import { attributeSale, reassignLead } from './attribute-sale.ts'
import { voidSale } from './change-sale.ts'
import { presentSales } from './present-sales.ts'
import { lockPushedRefunds, pushRefund } from './push-refund.ts'
import { recordSale, recordSales, type SaleToRecord } from './record-sale.ts'
import { applyRefund, type RefundReport } from './refund-sale.ts'

const db = await freshDatabase({ max: 20 })
const services = ledgerServices(db)

const chain: Plan = {
  rates: ['10', '5'],
  partners: [{}, { parent: 0 }],
  leads: [{ partner: 1 }, { partner: 1 }, { partner: 0 }],
}

const refundOf = (amount: number, more: Partial<RefundReport> = {}): RefundReport => ({
  ...{ kind: 'refund', externalId: newId(), amount, status: 'succeeded', reason: null, at: new Date() },
  ...more,
})

const refund = ({ account }: Ledger, saleId: string, report: RefundReport, on: Database = db) =>
  transaction(on, (tx) => applyRefund(tx, system, account, saleId, report))

/** The unapproved payout of a partner, after gathering. */
async function gathered({ account, partnerIds }: Ledger, partner: number) {
  await transaction(db, (tx) => gatherPayouts(tx, account))
  const row = await db.one<{ id: string }>`
    select id from payouts where partner_id = ${partnerIds[partner]} and status = 'gathering'`
  return row.id
}

const approve = ({ account, actor }: Ledger, payoutId: string) =>
  transaction(db, (tx) => approvePayout(tx, services, actor, account, payoutId))

const entriesOf = (saleId: string) => db.many<{ id: string; layer: number; kind: string; amount: number }>`
  select id, layer, kind, amount from commission_entries where sale_id = ${saleId} order by layer, created_at, id`

const figures = async (saleId: string) =>
  (await entriesOf(saleId)).map(({ layer, kind, amount }) => `${layer} ${kind} ${amount}`)

const refuses = (work: (tx: Transaction) => Promise<unknown>, expected: { code: string; message?: RegExp }) =>
  assert.rejects(transaction(db, work), expected)

/** The serving role has no right to it, and a trigger blocks roles that do. */
async function refusesEvenTheOwner(work: (tx: Transaction) => Promise<unknown>) {
  await refuses(work, { code: '42501', message: /permission denied/ })
  await assert.rejects(transaction(asDatabaseOwner(db), work), { code: '23001', message: /append-only/ })
}

describe('the database itself refuses', () => {
  let ledger: Ledger
  let saleId: string
  let otherSaleId: string
  let refundId: string
  let entryId: string
  before(async () => {
    ledger = await aLedger(services, chain)
    saleId = (await recordSale(db, aSale(ledger, { amount: 100_00 }))).id
    otherSaleId = (await recordSale(db, aSale(ledger, { amount: 100_00 }))).id
    refundId = (await refund(ledger, saleId, refundOf(50_00))).id
    entryId = (await entriesOf(saleId))[0]!.id
    await gathered(ledger, 1)
  })

  const append = (tx: Transaction, kind: string, layer: number, amount: number, cause: string | null, sale = saleId) =>
    tx.run`
      insert into commission_entries (id, account_id, sale_id, refund_id, partner_id, layer, rate_ppm, base_amount, amount,
        currency, kind, available_at, day, created_at)
      values (${newId()}, ${ledger.account.id}, ${sale}, ${cause}, ${ledger.partnerIds[1 - layer]}, ${layer}, 100000, 10000,
        ${amount}, 'usd', ${kind}, now(), '2026-03-02', now())`

  test('to change or delete ledger entries', async () => {
    const changes = [
      (tx: Transaction) => tx.run`update commission_entries set amount = 1 where id = ${entryId}`,
      (tx: Transaction) => tx.run`delete from commission_entries where id = ${entryId}`,
      (tx: Transaction) => tx.run`truncate commission_entries cascade`,
    ]
    for (const change of changes) await refusesEvenTheOwner(change)
    // an erasure may empty a reason, which nothing ever fills
    await refuses((tx) => tx.run`update commission_entries set reason = 'none' where id = ${entryId}`, {
      code: '23001',
      message: /append-only/,
    })
  })

  test('to change or delete audited events', async () => {
    await transaction(db, (tx) =>
      addAdjustment(tx, ownerAuthor(ledger), ledger.account, ledger.partnerIds[0]!, { amount: 1, reason: 'x' }),
    )
    const changes = [
      (tx: Transaction) => tx.run`update events set type = 'nothing'`,
      (tx: Transaction) => tx.run`delete from events where audited`,
      (tx: Transaction) => tx.run`truncate events cascade`,
    ]
    for (const change of changes) await refusesEvenTheOwner(change)
  })

  test('to reverse more than was earned', async () => {
    const tooMuch = { code: '23514', message: /would leave/ }
    await refuses((tx) => append(tx, 'reversal', 0, -10_01, null, otherSaleId), tooMuch)
    // half of it is reversed already
    await refuses((tx) => append(tx, 'reversal', 0, -5_01, null), tooMuch)
    await refuses((tx) => append(tx, 'reversal', 1, -2_51, null), tooMuch)
  })

  test('to restore more than was reversed', async () => {
    const tooMuch = { code: '23514', message: /would leave/ }
    await refuses((tx) => append(tx, 'restoration', 0, 1, null, otherSaleId), tooMuch)
    await refuses((tx) => append(tx, 'restoration', 0, 5_01, refundId), tooMuch)
  })

  test('a second entry of one source, partner, layer and kind', async () => {
    const once = { code: '23505', message: /commission_entries_each/ }
    await refuses((tx) => append(tx, 'earned', 0, 1, null), once)
    await refuses((tx) => append(tx, 'reversal', 0, -1, refundId), once)
  })

  test('an entry of the wrong sign, or of nothing', async () => {
    await refuses((tx) => append(tx, 'earned', 0, -1, null, otherSaleId), { code: '23514' })
    await refuses((tx) => append(tx, 'reversal', 0, 1, null), { code: '23514' })
    await refuses((tx) => append(tx, 'reversal', 0, 0, null), { code: '23514' })
  })

  test('an entry in two live payouts', async () => {
    const own = await aLedger(services, chain)
    await recordSale(db, aSale(own, { amount: 100_00 }))
    const first = await gathered(own, 1)
    await approve(own, first)
    await refuses(
      async (tx) => {
        const second = newId()
        await tx.run`
          insert into payouts (id, account_id, partner_id, statement_number, status, amount, currency, created_at, updated_at)
          values (${second}, ${own.account.id}, ${own.partnerIds[1]}, 99, 'approved', 1000, 'usd', now(), now())`
        await tx.run`
          insert into payout_entries (payout_id, entry_id, account_id, approved_at)
          select ${second}, entry_id, account_id, now() from payout_entries where payout_id = ${first}`
      },
      { code: '23505', message: /payout_entries_live/ },
    )
  })

  test('a payout that is not the sum of its entries', async () => {
    const own = await aLedger(services, chain)
    await recordSale(db, aSale(own, { amount: 100_00 }))
    const payoutId = await gathered(own, 1)
    const upper = await gathered(own, 0)
    const differs = { code: '23514', message: /entries sum to/ }
    await refuses((tx) => tx.run`update payouts set status = 'approved', amount = 1000 where id = ${payoutId}`, differs)
    await approve(own, payoutId)
    await refuses((tx) => tx.run`update payouts set amount = amount + 1 where id = ${payoutId}`, differs)
    await refuses((tx) => tx.run`update payout_entries set live = false where payout_id = ${payoutId}`, differs)
    await refusesEvenTheOwner((tx) => tx.run`delete from payout_entries where payout_id = ${payoutId}`)
    await refuses((tx) => tx.run`update payouts set status = 'canceled' where id = ${payoutId}`, {
      code: '23514',
      message: /holds entries/,
    })
    await refuses(
      async (tx) => {
        await tx.run`update payouts set status = 'approved', amount = 500 where id = ${upper}`
        await tx.run`
          insert into payout_entries (payout_id, entry_id, account_id, approved_at)
          select ${upper}, id, account_id, now() from commission_entries
          where account_id = ${own.account.id} and partner_id = ${own.partnerIds[0]}`
        await tx.run`update payouts set partner_id = ${own.partnerIds[1]} where id = ${upper}`
      },
      { code: '23514', message: /another partner/ },
    )
  })

  test('a second unapproved payout of one partner', async () => {
    const own = await aLedger(services, chain)
    await recordSale(db, aSale(own, { amount: 100_00 }))
    await gathered(own, 1)
    await refuses(
      (tx) => tx.run`
        insert into payouts (id, account_id, partner_id, statement_number, currency, created_at, updated_at)
        values (${newId()}, ${own.account.id}, ${own.partnerIds[1]}, 99, 'usd', now(), now())`,
      { code: '23505', message: /payouts_one_gathering/ },
    )
  })

  test("another account's lead, partner, sale or refund", async () => {
    const foreign = await aLedger(services, chain)
    const sale = aSale(ledger, { amount: 1_00, leadId: foreign.leadIds[0]! })
    await assert.rejects(recordSale(db, sale), { code: '23503' })
  })
})

describe('at the same moment', () => {
  const fifty = Array.from({ length: 50 }, (_, index) => index)

  test('fifty reports of one payment make one sale', async () => {
    const ledger = await aLedger(services, chain)
    const sale = aSale(ledger, { amount: 33_33, externalId: 'one and only' })
    const answers = await Promise.all(fifty.map(() => recordSale(db, sale)))
    assert.equal(new Set(answers.map((answer) => answer.id)).size, 1)
    assert.equal(answers.filter((answer) => answer.created).length, 1)
    assert.deepEqual(await figures(answers[0]!.id), ['0 earned 333', '1 earned 167'])
    const { sales } = await db.one<{ sales: number }>`
      select sales from lead_stats where lead_id = ${ledger.leadIds[0]}`
    assert.equal(sales, 1)
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('one list that names a payment twice makes one sale', async () => {
    const ledger = await aLedger(services, chain)
    const sale = aSale(ledger, { amount: 33_33, externalId: 'twice' })
    const next = aSale(ledger, { amount: 10_00 })
    const answers = await transaction(db, (tx) => recordSales(tx, [sale, sale, next]))
    assert.deepEqual(
      answers.map((answer) => answer.created),
      [true, false, true],
    )
    assert.equal(answers[0]!.id, answers[1]!.id)
    const sequences = await db.many<{ sequence: number }>`
      select sequence from sales where lead_id = ${ledger.leadIds[0]} order by sequence`
    assert.deepEqual(
      sequences.map((row) => row.sequence),
      [1, 2],
    )
  })

  test('fifty reports of one refund take it once', async () => {
    const ledger = await aLedger(services, chain)
    const { id } = await recordSale(db, aSale(ledger, { amount: 33_33 }))
    const report = refundOf(11_11, { externalId: 'again and again' })
    const answers = await Promise.all(fifty.map(() => refund(ledger, id, report)))
    assert.equal(new Set(answers.map((answer) => answer.id)).size, 1)
    assert.equal(answers.filter((answer) => answer.created).length, 1)
    assert.deepEqual(await figures(id), ['0 earned 333', '0 reversal -111', '1 earned 167', '1 reversal -56'])
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('fifty refunds of a fiftieth each leave exactly nothing', async () => {
    const ledger = await aLedger(services, chain)
    const { id } = await recordSale(db, aSale(ledger, { amount: 33_50 }))
    await Promise.all(fifty.map(() => refund(ledger, id, refundOf(67))))
    const { left } = await db.one<{ left: number }>`
      select sum(amount)::bigint as left from commission_entries where sale_id = ${id}`
    assert.equal(left, 0)
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('a refund and an approval: the refund is netted before or after, never lost', async () => {
    let clawedBack = 0
    for (let round = 0; round < 15; round++) {
      const ledger = await aLedger(services, chain)
      const { id } = await recordSale(db, aSale(ledger, { amount: 100_00 }))
      const payoutId = await gathered(ledger, 1)
      const [, approval] = await Promise.allSettled([refund(ledger, id, refundOf(25_00)), approve(ledger, payoutId)])
      if (approval.status === 'rejected') throw approval.reason
      const balance = (await getBalances(db, ledger.account, [ledger.partnerIds[1]!])).get(ledger.partnerIds[1]!)!
      const { amount } = await db.one<{ amount: number }>`select amount from payouts where id = ${payoutId}`
      assert.ok(amount === 10_00 || amount === 7_50, `the payout is ${amount}`)
      assert.deepEqual(balance, { held: 0, due: 7_50 - amount, onHold: 0, inPayout: amount, paid: 0 })
      const { claws } = await db.one<{ claws: number }>`
        select count(*) as claws from commission_entries where sale_id = ${id} and clawback`
      assert.equal(claws, amount === 10_00 ? 1 : 0)
      clawedBack += claws
    }
    assert.deepEqual(await verifyLedger(db), [])
    assert.ok(clawedBack <= 15)
  })

  test('two approvals of one payout bind its entries once', async () => {
    const ledger = await aLedger(services, chain)
    await recordSale(db, aSale(ledger, { amount: 100_00 }))
    const payoutId = await gathered(ledger, 1)
    const answers = await Promise.allSettled(fifty.slice(0, 8).map(() => approve(ledger, payoutId)))
    assert.equal(answers.filter((answer) => answer.status === 'fulfilled').length, 1)
    for (const answer of answers)
      if (answer.status === 'rejected') assert.equal((answer.reason as Refusal).code, 'invalid_state')
    assert.deepEqual(await verifyLedger(db), [])
  })
})

describe('groups over the same leads and accounts', () => {
  /** Counts deadlocks that PostgreSQL resolved in this database: each backend reports them when it ends. */
  async function deadlocksAfter(work: (own: Database) => Promise<unknown>) {
    const own = openDatabase({ url: db.url, log: pino({ level: 'silent' }), max: 8, patience: 6 })
    const count = async () =>
      (
        await db.one<{ deadlocks: number }>`
        select deadlocks from pg_stat_database where datname = current_database()`
      ).deadlocks
    const before = await count()
    try {
      await work(own)
    } finally {
      await own.close()
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    return (await count()) - before
  }

  /** Pseudorandom numbers, the same in every run. */
  function numbers(seed: number) {
    let state = seed
    return (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * below)
    }
  }

  test('concurrent sales, refunds, voids and new partners never deadlock', async () => {
    const ledgers = [await aLedger(services, chain), await aLedger(services, chain)]
    const known: { ledger: Ledger; id: string }[] = []
    const lane = async (own: Database, seed: number) => {
      const any = numbers(seed)
      for (let turn = 0; turn < 12; turn++) {
        const sale = known[any(known.length || 1)]
        const kind = any(6)
        if (kind < 3 || !sale) {
          const group = Array.from({ length: 1 + any(6) }, () => {
            const ledger = ledgers[any(2)]!
            const saleDate = `2026-03-0${1 + any(5)}`
            const externalId = `sale ${any(60)}`
            return {
              ledger,
              sale: aSale(ledger, { amount: 1_00 + any(50_00), leadId: ledger.leadIds[any(3)]!, saleDate, externalId }),
            }
          })
          const sales = group.map((item) => item.sale)
          const recorded = await transaction(own, (tx) => recordSales(tx, sales))
          recorded.forEach(({ id, created }, index) => {
            if (created) known.push({ ledger: group[index]!.ledger, id })
          })
        } else if (kind < 5)
          await refund(
            sale.ledger,
            sale.id,
            refundOf(1 + any(30_00), { externalId: `refund ${any(90)} of ${sale.id}` }),
            own,
          )
        else await transaction(own, (tx) => voidSale(tx, system, sale.ledger.account, sale.id, 'x')).catch(refusalOnly)
      }
    }
    const deadlocks = await deadlocksAfter((own) =>
      Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => lane(own, seed))),
    )
    assert.equal(deadlocks, 0)
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('lists of refunds in one transaction each, on the same sales in any order', async () => {
    const ledger = await aLedger(services, chain)
    const { account } = ledger
    const pushed = ledger.leadIds.map((leadId, index) =>
      aSale(ledger, {
        amount: 500_00,
        leadId,
        provider: 'api',
        externalId: `pushed ${index}`,
        saleDate: `2026-03-0${index + 1}`,
      }),
    )
    await transaction(db, (tx) => recordSales(tx, pushed))
    const list = async (own: Database, index: number) => {
      const any = numbers(index)
      const rows = Array.from({ length: 5 }, (_, row) => ({
        ...{ externalId: `refund ${index} ${row}`, amount: 1_00 + any(3_00) },
        saleExternalId: `pushed ${any(3)}`,
      }))
      if (index % 4 === 0) return recordSale(own, aSale(ledger, { amount: 1_00, leadId: ledger.leadIds[any(3)]! }))
      return transaction(own, async (tx) => {
        await lockPushedRefunds(tx, account.id, rows)
        for (const row of rows) await pushRefund(tx, system, account, row)
      })
    }
    // as many at once as there are connections, so that no one waits for one
    const lane = async (own: Database, first: number) => {
      for (let index = first; index < 16; index += 8) await list(own, index)
    }
    const deadlocks = await deadlocksAfter((own) => Promise.all(Array.from({ length: 8 }, (_, n) => lane(own, n))))
    assert.equal(deadlocks, 0)
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('a lead gets its partner while its sales are refunded and attributed', async () => {
    const deadlocks = await deadlocksAfter(async (own) => {
      for (let round = 0; round < 3; round++) {
        const ledger = await aLedger(services, { ...chain, leads: [{ partner: null }, { partner: 0 }] })
        const { account, leadIds, partnerIds } = ledger
        const ids: string[] = []
        for (let sale = 0; sale < 6; sale++) {
          const leadId = sale < 4 ? leadIds[0]! : null
          ids.push((await recordSale(own, aSale(ledger, { amount: 50_00, leadId }))).id)
        }
        const by = ownerAuthor(ledger)
        const attribution = { leadId: leadIds[1]!, reason: 'theirs' }
        await Promise.all([
          transaction(own, (tx) =>
            reassignLead(tx, by, account, leadIds[0]!, {
              ...{ partnerId: partnerIds[1]!, reason: 'theirs' },
              creditEarlierSales: true,
            }),
          ),
          ...ids.map((id) => refund(ledger, id, refundOf(10_00), own)),
          ...ids.slice(4).map((id) => transaction(own, (tx) => attributeSale(tx, by, account, id, attribution))),
          ...leadIds.map((leadId) => recordSale(own, aSale(ledger, { amount: 20_00, leadId }))),
        ])
      }
    })
    assert.equal(deadlocks, 0)
    assert.deepEqual(await verifyLedger(db), [])
  })
})

const refusalOnly = (error: unknown) => {
  if (!(error instanceof Refusal)) throw error
}

test('every one of ten layers is paid, and nobody above the tenth', async () => {
  const rates = ['10', '9', '8', '7', '6', '5', '4', '3', '2', '1']
  const partners = Array.from({ length: 11 }, (_, n) => ({ parent: n === 0 ? null : n - 1 }))
  const ledger = await aLedger(services, { rates, partners, leads: [{ partner: 10 }] })
  const { id } = await recordSale(db, aSale(ledger, { amount: 100_00 }))
  const paid = await db.many<{ layer: number; amount: number; partnerId: string }>`
    select layer, amount, partner_id from commission_entries where sale_id = ${id} order by layer`
  assert.deepEqual(
    paid.map(({ layer, amount, partnerId }) => [layer, amount, ledger.partnerIds.indexOf(partnerId)]),
    rates.map((rate, layer) => [layer, Number(rate) * 100, 10 - layer]),
  )
})

test('a sale of zero wins no lead; the first larger one does', async () => {
  const ledger = await aLedger(services, { ...chain, leads: [{ partner: 1 }] })
  const status = async () =>
    (await db.one<{ status: string }>`select status from leads where id = ${ledger.leadIds[0]}`).status
  await recordSale(db, aSale(ledger, { amount: 0 }))
  assert.equal(await status(), 'new')
  await recordSale(db, aSale(ledger, { amount: 1 }))
  assert.equal(await status(), 'won')
})

describe('a commit that holds sales of several accounts', () => {
  const buyer: Plan = { rates: ['10'], recurringMonths: 1, partners: [{}], leads: [{ partner: 0 }] }
  const byKeyOf = ({ account }: Ledger, id: string) => apiKeyAuthor(account.id, { address: '192.0.2.1', id })

  test("reports each lead as won by its own sale's key", async () => {
    const ledgers = [await aLedger(services, buyer), await aLedger(services, buyer)]
    const sales = ledgers.map((ledger, index) => aSale(ledger, { amount: 10_00, by: byKeyOf(ledger, `call-${index}`) }))
    await transaction(db, (tx) => recordSales(tx, sales))
    for (const [index, { account, leadIds }] of ledgers.entries()) {
      const event = await db.one`
        select actor_type, actor_id, request_id from told_events
        where account_id = ${account.id} and subject_id = ${leadIds[0]} and type = 'lead.status-changed'`
      assert.deepEqual(event, { actorType: 'api-key', actorId: account.id, requestId: `call-${index}` })
    }
  })

  test("corrects sales past a limit with the author of their own account's sale", async () => {
    const [one, two] = [await aLedger(services, buyer), await aLedger(services, buyer)]
    const payment = (ledger: Ledger, saleDate: string) =>
      aSale(ledger, { amount: 10_00, subscriptionId: 'plan', saleDate, by: byKeyOf(ledger, saleDate) })
    const later = await recordSale(db, payment(two, '2026-03-02'))
    await transaction(db, (tx) => recordSales(tx, [payment(one, '2026-01-01'), payment(two, '2026-01-01')]))
    const reversals = await db.many`
      select amount, actor from commission_entries where sale_id = ${later.id} and kind = 'reversal'`
    assert.deepEqual(reversals, [{ amount: -1_00, actor: `api-key:${two.account.id}` }])
  })
})

test('events of a new sale and its commissions equal what is read afterwards', async () => {
  const ledger = await aLedger(services, {
    ...chain,
    recurringMonths: 1,
    partners: [{}, { parent: 0 }, { parent: 1 }],
    leads: [{ partner: 2 }, { partner: 1 }, { partner: null }],
  })
  const { account, partnerIds, leadIds } = ledger
  const { email } = await db.one<{ email: string }>`select email from partners where id = ${partnerIds[2]}`
  await db.run`
    insert into account_exchange_rates (account_id, currency, account_currency, date, rate, created_at)
    values (${account.id}, 'sek', ${account.defaultCurrency}, '2026-03-01', 0.0954321987, now())`
  const today = new Date().toISOString().slice(0, 10)
  const kinds: Partial<SaleToRecord>[] = [
    {},
    { saleDate: today, description: 'A plan', taxAmount: 3, metadata: { seat: '7' } },
    { currency: 'sek' },
    { currency: 'xaf' },
    { leadId: null },
    { leadId: leadIds[2]!, externalId: null },
    { leadId: leadIds[1]!, subscriptionId: 'plan', saleDate: '2026-01-05', matchedBy: 'email' },
    { leadId: leadIds[1]!, subscriptionId: 'plan', saleDate: '2026-02-05' },
    { leadId: leadIds[1]!, subscriptionId: 'plan', saleDate: '2026-02-06' },
    { provider: 'import', givenCommission: 7_77 },
    { amount: 0, grossAmount: 0 },
  ]
  for (const policy of ['hold', 'flag', 'refuse', 'allow']) {
    await db.run`update accounts set self_referral_policy = ${policy} where id = ${account.id}`
    for (const group of [kinds, ...kinds.map((kind) => [kind])]) {
      const sales = group.map((kind) =>
        aSale(ledger, {
          amount: 33_33,
          payerEmail: email,
          by: ownerAuthor(ledger),
          ...kind,
          subscriptionId: kind.subscriptionId && `${kind.subscriptionId} ${policy} ${group.length}`,
        }),
      )
      await transaction(db, async (tx) => {
        const recorded = await recordSales(tx, sales)
        const ids = recorded.map(({ id }) => id)
        const read = await presentSales(tx, buildOwnerView([account.id]), ids)
        const events = await tx.many<{ type: string; subjectId: string; object: { id: string } }>`
          select type, subject_id, data -> 'object' as object from told_events
          where account_id = ${account.id} and at = ${tx.now} and type in ('sale.created', 'commission.created')
            and (subject_id = any(${ids}::uuid[])
              or subject_id in (select id from commission_entries where sale_id = any(${ids}::uuid[])))`
        const objects = (type: string) =>
          new Map(events.filter((event) => event.type === type).map(({ subjectId, object }) => [subjectId, object]))
        for (const { id, sale } of recorded) {
          assert.deepEqual(sale, read.get(id))
          assert.deepEqual(objects('sale.created').get(id), Sale.parse(read.get(id)))
        }
        assert.deepEqual(
          objects('commission.created'),
          new Map(
            [...read.values()].flatMap(({ commissions }) =>
              commissions.map((entry) => [entry.id, { ...entry, partnerExternalId: null }]),
            ),
          ),
        )
      })
    }
  }
})
