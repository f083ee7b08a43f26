import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { system } from '../../server/platform/author.ts'
import { type Database, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { sql } from '../../server/platform/database/sql.ts'
import { addDays, dayIn } from '../../server/platform/time/days.ts'
import { journalFile } from '../../server/program/accounting/journal.ts'
import { listLiability } from '../../server/program/accounting/liability.ts'
import { addAdjustment } from '../../server/program/commissions/adjustments.ts'
import { markReturned } from '../../server/program/payouts/apply-transfer.ts'
import { approvePayout } from '../../server/program/payouts/approve.ts'
import { gatherPayouts } from '../../server/program/payouts/gather-payouts.ts'
import { markPayoutPaid } from '../../server/program/payouts/mark-paid.ts'
import { recordPastPayouts, undoImportedPayout } from '../../server/program/payouts/record-past-payouts.ts'
import { type Transition, transitionPayout } from '../../server/program/payouts/transitions.ts'
import { setBack } from '../../server/program/payouts/undo-approval.ts'
import { recordSale } from '../../server/program/sales/record-sale.ts'
import { refundByHand } from '../../server/program/sales/refund-sale.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { addedUp, type Happened, owedAt } from './books-model.ts'
import { readCsv } from './csv.ts'
import { aLedger, aSale, atTime, ledgerServices, ownerAuthor } from './ledger.ts'
import { type ModelTest, randomFrom, settleOutcome } from './model-test.ts'
import { checkOwedLine } from './owed-line.ts'
import { asDatabaseOwner } from './postgres.ts'

// Random lives of an account's books: what was owed on each day is noted while it runs, and asked again at its end.

const HOUR = 3_600_000
const PARTNERS = 3
const STEPS = 90
const ZONES = ['UTC', 'America/Sao_Paulo', 'Pacific/Auckland', 'America/New_York']

const fill = readFileSync(
  new URL('../../server/platform/database/migrations/0341-fill-payout-cash.sql', import.meta.url),
  'utf8',
).split('-- in batches')[1]!

export const booksLives: ModelTest = {
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

type PayoutRow = { id: string; partnerId: string; status: string; amount: number | null; method: string | null }

async function live(db: Database, services: ReturnType<typeof ledgerServices>, seed: number) {
  const trace: string[] = []
  try {
    await atTime({ now: Date.parse('2026-10-20T09:00:00Z') }, () => lead(db, services, seed, trace))
  } catch (error) {
    throw new Error(`books, seed ${seed}: ${(error as Error).stack}\n${trace.join('\n')}`)
  }
}

async function lead(db: Database, services: ReturnType<typeof ledgerServices>, seed: number, trace: string[]) {
  const time = { now: db.clock.now().getTime() }
  await atTime(time, async () => {
    const { below, pick } = randomFrom(seed)
    const timeZone = pick(ZONES)
    const ledger = await aLedger(services, {
      timeZone,
      currency: pick(['usd', 'eur', 'jpy']),
      payoutDelay: pick([0, 7]),
      partners: Array.from({ length: PARTNERS }, () => ({})),
      leads: Array.from({ length: PARTNERS }, (_, partner) => ({ partner })),
    })
    const { account, actor, partnerIds, leadIds } = ledger
    const by = ownerAuthor(ledger)
    const happened: Happened[] = []
    const noted = new Map<string, unknown>()
    const sales: { id: string; partner: number }[] = []
    const imported = new Set<string>()
    /** Amounts that are out, by payout. */
    const out = new Map<string, number>()

    const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
    const today = () => dayIn(timeZone, new Date(time.now))
    const happens = (partner: number, amount: number) => void happened.push({ day: today(), partner, amount })
    const payouts = async (...states: string[]) =>
      db.many<PayoutRow>`
        select id, partner_id, status, amount, method from payouts
        where account_id = ${account.id} and status = any(${states}) order by statement_number`
    const onePayout = async (...states: string[]) => {
      const found = await payouts(...states)
      return found.length > 0 ? pick(found) : undefined
    }
    const leaves = ({ id, partnerId }: PayoutRow, amount: number) => {
      if (out.has(id)) return
      out.set(id, amount)
      happens(partnerIds.indexOf(partnerId), -amount)
    }
    const comesBack = ({ id, partnerId }: PayoutRow) => {
      const amount = out.get(id)
      if (amount === undefined) return
      out.delete(id)
      happens(partnerIds.indexOf(partnerId), amount)
    }
    const bound = async (id: string) =>
      (
        await db.one<{ sum: number }>`
        select coalesce(sum(e.amount), 0)::bigint as sum from payout_entries b
          join commission_entries e on e.account_id = b.account_id and e.id = b.entry_id
        where b.account_id = ${account.id} and b.payout_id = ${id} and b.live`
      ).sum
    const entries = async () =>
      (
        await db.one<{ sum: number }>`
        select coalesce(sum(amount), 0)::bigint as sum from commission_entries where account_id = ${account.id}`
      ).sum

    /**
     * Moves a payout; some of these moves are made as the release before made them, which wrote no cash line: it is there
     * all the same when the transaction commits.
     */
    const moved = (work: (tx: Transaction) => Promise<unknown>) =>
      transaction(asDatabaseOwner(db), async (tx) => {
        const lines = sql`(select payout_id || ' ' || turn from payout_cash where account_id = ${account.id})`
        const { before } = await tx.one<{ before: string[] }>`select array${lines} as before`
        await work(tx)
        if (below(3) > 0) return
        await tx.run`set local session_replication_role = replica`
        await tx.run`
          delete from payout_cash where account_id = ${account.id} and not payout_id || ' ' || turn = any(${before})`
        await tx.run`set local session_replication_role = origin`
      })
    const moves = (row: PayoutRow, name: Transition) =>
      moved((tx) => transitionPayout(tx, account, row.id, name, { by: system }))

    const acts = {
      earn: async () => {
        const partner = below(PARTNERS)
        const amount = 10_00 + below(90) * 1_50
        const saleDate = addDays(today(), -below(20))
        const { id } = await recordSale(
          db,
          aSale(ledger, { leadId: leadIds[partner]!, provider: 'manual', amount: amount * 10, saleDate, by }),
        )
        happens(partner, amount)
        sales.push({ id, partner })
      },
      refund: async () => {
        const sale = sales.shift()
        if (!sale) return
        const before = await entries()
        await inTransaction((tx) => refundByHand(tx, by, account, sale.id, { reason: 'back' }))
        happens(sale.partner, (await entries()) - before)
      },
      adjust: async () => {
        const partner = below(PARTNERS)
        const amount = pick([-7_00, 3_50, 12_00])
        await inTransaction((tx) => addAdjustment(tx, by, account, partnerIds[partner]!, { amount, reason: 'agreed' }))
        happens(partner, amount)
      },
      approve: async () => {
        await inTransaction((tx) => gatherPayouts(tx, account))
        const row = await onePayout('gathering')
        return row && settleOutcome(inTransaction((tx) => approvePayout(tx, services, actor, account, row.id)))
      },
      'mark paid': async () => {
        await inTransaction((tx) => gatherPayouts(tx, account))
        const row = await onePayout('gathering', 'approved', 'failed')
        if (!row) return
        const paidAt = below(2) > 0 ? addDays(today(), -below(9)) : undefined
        const body = { reference: 'bank', ...(paidAt && { paidAt }) }
        const outcome = await settleOutcome(inTransaction((tx) => markPayoutPaid(tx, actor, account, row.id, body)))
        if (outcome === 'done') leaves(row, await bound(row.id))
        return outcome
      },
      send: async () => {
        const row = await onePayout('approved')
        if (!row) return
        await inTransaction((tx) =>
          transitionPayout(tx, account, row.id, 'start', { by: system, set: sql`method = 'wise'` }),
        )
        await moves(row, 'send')
        leaves(row, row.amount!)
      },
      'send again': async () => {
        const row = await onePayout('processing', 'returned')
        if (row?.method !== 'wise' || (await bound(row.id)) === 0) return
        await moves(row, 'send')
        leaves(row, row.amount!)
      },
      'go on': async () => {
        const row = await onePayout('sent')
        if (row) await moves(row, 'resume')
      },
      arrive: async () => {
        const row = await onePayout('sent')
        if (row) await moves(row, 'confirm-paid')
      },
      bounce: async () => {
        const row = await onePayout('sent', 'paid')
        if (row?.method === 'wise') await moves(row, 'return')
      },
      'give back': async () => {
        const row = await onePayout('returned', 'sent', 'processing')
        if (!row || (await bound(row.id)) === 0) return
        await moved((tx) => markReturned(tx, account, row.id, { reason: 'refunded', change: { old: 'a', new: 'b' } }))
        comesBack(row)
      },
      'set back': async () => {
        const row = await onePayout('approved', 'failed')
        if (row) await moved((tx) => setBack(tx, account, row.id, 'changed', by))
      },
      import: async () => {
        const partner = below(PARTNERS)
        const amount = 1_00 + below(20_00)
        const paidOn = addDays(today(), -below(400))
        const [id] = await inTransaction((tx) =>
          recordPastPayouts(tx, by, account, [
            { partnerId: partnerIds[partner]!, amount, paidOn, externalReference: null },
          ]),
        )
        imported.add(id!)
        out.set(id!, amount)
        happens(partner, -amount)
      },
      'take back': async () => {
        const found = (await payouts('paid')).filter(({ id }) => imported.has(id))
        if (found.length === 0) return
        const row = pick(found)
        const outcome = await settleOutcome(moved((tx) => undoImportedPayout(tx, by, account, row.id)))
        if (outcome === 'done') comesBack(row)
        return outcome
      },
      hours: async () => {
        time.now += (1 + below(30)) * HOUR
      },
      days: async () => {
        time.now += (1 + below(6)) * 24 * HOUR
      },
    }
    const bag = (Object.keys(acts) as (keyof typeof acts)[]).flatMap((name) =>
      Array.from({ length: ['earn', 'approve', 'send', 'go on', 'give back'].includes(name) ? 3 : 1 }, () => name),
    )

    const saidOn = async (day: string) => {
      const { items, total, owed, due, later } = await listLiability(db, account, day, { limit: 100, sort: 'name' })
      assert.equal(total, items.length)
      for (const sum of ['owed', 'due', 'later'] as const)
        assert.equal(
          items.reduce((all, one) => all + one[sum], 0),
          { owed, due, later }[sum],
        )
      return {
        owed,
        items: items.map(({ partnerName: _, ...row }) => row).toSorted((a, b) => (a.partnerId < b.partnerId ? -1 : 1)),
      }
    }
    const compare = async (day: string) => {
      const shown = await saidOn(day)
      for (const [partner, partnerId] of partnerIds.entries())
        assert.equal(
          shown.items.find((row) => row.partnerId === partnerId)?.owed ?? 0,
          owedAt(happened, day, partner),
          `partner ${partner} on ${day}`,
        )
      return shown
    }

    for (let step = 0; step < STEPS; step++) {
      const name = pick(bag)
      trace.push(`${today()} ${name}: ${(await acts[name]()) ?? ''}`)
      noted.set(today(), await compare(today()))
      await checkOwedLine(db, account)
    }

    for (const [day, shown] of noted) assert.deepEqual(await compare(day), shown, `${day} stood still`)
    const range = { from: [...noted.keys()][0]!, to: today() }
    for (const detail of ['day', 'entry'] as const) {
      let text = ''
      for await (const piece of journalFile((work) => work(db), account, { range, detail })) text += piece
      const journal = addedUp(readCsv(text).rows as Parameters<typeof addedUp>[0])
      assert.deepEqual(journal.unbalanced, [])
      for (const [day] of noted)
        assert.equal(journal.owedBy(day), (await saidOn(day)).owed, `journal by ${detail}, ${day}`)
    }
    assert.deepEqual(await verifyLedger(db), [])
    await refilled(db, account.id)
  })
}

/** Empties the account's cash lines and fills them as the migration does: they are the same. */
async function refilled(db: Database, accountId: string) {
  const lines = (tx: Transaction) =>
    tx.many`select * from payout_cash where account_id = ${accountId} order by payout_id, turn`
  await transaction(asDatabaseOwner(db), async (tx) => {
    const before = await lines(tx)
    await tx.run`set local session_replication_role = replica`
    await tx.run`delete from payout_cash where account_id = ${accountId}`
    await tx.run`set local session_replication_role = origin`
    await tx.client.query(fill)
    assert.deepEqual(await lines(tx), before)
  })
}
