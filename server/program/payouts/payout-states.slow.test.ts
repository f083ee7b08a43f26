import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fakeWise } from '../../../test/fakes/wise.ts'
import {
  aLedger,
  aSale,
  atTime,
  type Ledger,
  ledgerServices,
  ownClock,
  ownerAuthor,
} from '../../../test/support/ledger.ts'
import { bankDetails } from '../../../test/support/payouts.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { userAuthor } from '../../platform/author.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { createQueues } from '../../platform/jobs/queue.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { yearIn } from '../../platform/time/days.ts'
import { queues } from '../../queues.ts'
import type { Actor } from '../access/actor.ts'
import { changePartner } from '../partners/change-partner.ts'
import { saveFile } from '../payment-files/files.ts'
import { recordSale } from '../sales/record-sale.ts'
import { refundByHand } from '../sales/refund-sale.ts'
import { approveIntoBatch, approvePayout } from './approve.ts'
import { changeAutoPayoutSettings } from './auto-payout-settings.ts'
import { cancelPayout } from './cancel-payout.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { markPayoutPaid } from './mark-paid.ts'
import type { PaymentFileMethod } from './methods/registry.ts'
import { wiseBatch } from './methods/wise/batch.ts'
import { removePayoutSettings, savePayoutSettings } from './payout-settings.ts'
import { presentPayout } from './payouts.ts'
import { advancePayout } from './process-payout.ts'
import { retryPayout } from './retry-payout.ts'
import { transitions } from './transitions.ts'

// docs/payout-states.md lists the outcome of every event in every payout state. Each cell is tested here.
// `UPDATE_STATES=1 node --test server/program/payouts/payout-states.slow.test.ts` rewrites the tables; review the
// changes.

const file = new URL('../../../docs/payout-states.md', import.meta.url)
const LANES = 4
const DAY = 86_400_000
const STARTS_AT = Date.parse('2026-06-01T10:00:00Z')

type Case = {
  ledger: Ledger
  services: Services
  wise: Awaited<ReturnType<typeof fakeWise>>
  time: { now: number }
  id: string
  saleId: string
}
const partnerOf = ({ ledger }: Case) => ledger.partnerIds[0]!
const inTransaction = <T>({ services }: Case, work: (tx: Transaction) => Promise<T>) => transaction(services.db, work)
const freshOwner = ({ ledger, time }: Case): Actor => ({
  ...ledger.actor,
  confirmedAt: new Date(time.now).toISOString(),
})
const partnerActor = (one: Case): Actor => ({
  ...freshOwner(one),
  teamRoles: {},
  partnerRoles: Object.fromEntries(one.ledger.partnerIds.map((id) => [id, 'owner'])),
})

/** Runs a worker as far as possible; unknown results are retried, a minute later each time. */
async function runWorker(one: Case, options: Parameters<typeof advancePayout>[2] = {}) {
  for (let turn = 0; turn < 4; turn++) {
    await advancePayout(one.services, one.id, options).catch((error: Error) => {
      if (error.name !== 'WiseError' && error.message !== 'the worker dies') throw error
    })
    one.time.now += 61_000
  }
}
const dieAt = (wanted: string) => ({
  onStep: (step: string) => {
    if (step === wanted) throw new Error('the worker dies')
  },
})
const transferOf = ({ wise }: Case) => [...wise.transfers.values()].at(-1)!.id

const change = (one: Case, body: Parameters<typeof changePartner>[4]) =>
  inTransaction(one, (tx) => {
    const { account } = one.ledger
    const access = { as: 'owner', account, subjectId: partnerOf(one), partnerId: null } as const
    return changePartner(tx, one.services, ownerAuthor(one.ledger), access, body)
  })
const save = (one: Case, accountNumber: string) =>
  inTransaction(one, (tx) => {
    const details = bankDetails({ accountNumber }) as Parameters<typeof savePayoutSettings>[4]
    return savePayoutSettings(
      tx,
      one.services,
      partnerActor(one),
      { account: one.ledger.account, partnerId: partnerOf(one) },
      details,
    )
  })
const settings = (one: Case, body: Parameters<typeof changeAutoPayoutSettings>[3]) =>
  changeAutoPayoutSettings(one.services, freshOwner(one), one.ledger.account, body)
const approve = (one: Case) =>
  inTransaction(one, (tx) => approvePayout(tx, one.services, one.ledger.actor, one.ledger.account, one.id))
const markPaid = (one: Case) =>
  inTransaction(one, (tx) => markPayoutPaid(tx, one.ledger.actor, one.ledger.account, one.id, { reference: 'bank 17' }))
const cancel = (one: Case) => cancelPayout(one.services, one.ledger.actor, one.ledger.account, one.id)
const connect = (one: Case) =>
  settings(one, { wiseToken: one.wise.token, wiseProfileId: String(one.wise.businessId), enabled: false })

/** Brings a due Wise payout into each state. */
const states: Record<string, (one: Case) => Promise<unknown>> = {
  open: (one) => change(one, { approvedPayoutYears: [] }),
  due: async () => {},
  approved: approve,
  'approved, by hand': async (one) => {
    await settings(one, { wiseToken: null })
    await approve(one)
    await connect(one)
  },
  'approved, in a batch file': (one) =>
    inTransaction(one, async (tx) => {
      const { account, actor } = one.ledger
      const byPartner = new Map([
        [
          partnerOf(one),
          await tx.one<{ detailsVersion: string }>`
        select version as details_version from payout_settings where partner_id = ${partnerOf(one)}`,
        ],
      ])
      const year = yearIn(account.timeZone, tx.now)
      await approveIntoBatch(tx, one.services, actor, account, { method: wiseBatch, year, ids: [one.id], byPartner })
      const payouts = [{ id: one.id, recipient: '1' }]
      const file = { method: wiseBatch as PaymentFileMethod, payouts, profileId: '1', payer: null, executionDate: null }
      await saveFile(tx, one.services.secrets, userAuthor(actor), account, file)
    }),
  'processing, no transfer asked for': async (one) => {
    await approve(one)
    await advancePayout(one.services, one.id, dieAt('quote-saved')).catch(() => {})
  },
  'processing, transfer unknown': async (one) => {
    await approve(one)
    one.wise.fail('POST /v1/transfers', 'reset-after')
    await advancePayout(one.services, one.id).catch(() => {})
  },
  'processing, paid from the balance': async (one) => {
    await approve(one)
    await advancePayout(one.services, one.id)
  },
  'awaiting-funding': async (one) => {
    await approve(one)
    one.wise.fail('POST *payments', { status: 403 })
    await advancePayout(one.services, one.id)
  },
  sent: async (one) => {
    await states['processing, paid from the balance']!(one)
    one.wise.setState(transferOf(one), 'outgoing_payment_sent')
    await advancePayout(one.services, one.id)
  },
  paid: async (one) => {
    await states.sent!(one)
    one.time.now += 9 * DAY
    await advancePayout(one.services, one.id)
  },
  'paid, by hand': markPaid,
  failed: async (one) => {
    await approve(one)
    one.wise.blockQuotes('Your account is under review.')
    await advancePayout(one.services, one.id)
    one.wise.blockQuotes(null)
  },
  'returned, Wise is looking into it': async (one) => {
    await states.sent!(one)
    one.wise.setState(transferOf(one), 'bounced_back')
    await advancePayout(one.services, one.id)
  },
  'returned, money back': async (one) => {
    await states['returned, Wise is looking into it']!(one)
    one.wise.setState(transferOf(one), 'cancelled')
    await advancePayout(one.services, one.id)
  },
  canceled: cancel,
  'canceled, out of a batch file': async (one) => {
    await states['approved, in a batch file']!(one)
    await cancel(one)
  },
}

const persons: Record<string, (one: Case) => Promise<unknown>> = {
  approve,
  cancel,
  retry: (one) =>
    inTransaction(one, (tx) =>
      retryPayout(tx, one.services.jobs, userAuthor(one.ledger.actor), one.ledger.account, one.id),
    ),
  'mark paid': markPaid,
  'details changed': (one) => save(one, '9988776655'),
  'details removed': (one) =>
    inTransaction(one, (tx) =>
      removePayoutSettings(tx, one.services.jobs, partnerActor(one), {
        account: one.ledger.account,
        partnerId: partnerOf(one),
      }),
    ),
  'partner suspended': (one) => change(one, { state: 'suspended', reason: 'Under discussion' }),
  'year taken back': (one) => change(one, { approvedPayoutYears: [] }),
  'token removed': (one) => settings(one, { wiseToken: null }),
  'other profile': (one) => settings(one, { wiseProfileId: String(one.wise.personalId) }),
  'account disabled': (one) =>
    one.services.db.run`update accounts set disabled_at = ${one.services.db.now} where id = ${one.ledger.account.id}`,
  'sale refunded': (one) =>
    inTransaction(one, (tx) =>
      refundByHand(tx, ownerAuthor(one.ledger), one.ledger.account, one.saleId, { reason: 'Sent back' }),
    ),
}

const setsState = (state: Parameters<Case['wise']['setState']>[1]) => async (one: Case) =>
  one.wise.setState(transferOf(one), state)
const ofWise: Record<string, (one: Case) => Promise<unknown>> = {
  'refuses the token (401)': async ({ wise }) =>
    wise.fail('*', { status: 401, body: { error: 'invalid_token', error_description: 'Invalid token' } }, 50),
  'does not answer (500)': async ({ wise }) => wise.fail('*', { status: 500 }, 50),
  'hides the transfer (403)': async ({ wise }) => wise.fail(/^(GET|PUT) \/v1\/transfers/, { status: 403 }, 50),
  incoming_payment_waiting: setsState('incoming_payment_waiting'),
  processing: setsState('processing'),
  outgoing_payment_sent: setsState('outgoing_payment_sent'),
  bounced_back: setsState('bounced_back'),
  cancelled: setsState('cancelled'),
  funds_refunded: setsState('funds_refunded'),
}
/** States in which Wise is called; all but the first three have a known transfer. */
const calledStates = [
  'approved',
  'processing, no transfer asked for',
  'processing, transfer unknown',
  'processing, paid from the balance',
  'awaiting-funding',
  'sent',
  'paid',
  'returned, Wise is looking into it',
  'returned, money back',
]

/**
 * Returns the payout's state after the action and the next checks, or the refusal of the action: then nothing has
 * changed.
 */
async function live(services: Services, state: string, act: (one: Case) => Promise<unknown>): Promise<string> {
  const time = { now: STARTS_AT }
  const wise = await fakeWise({ clock: () => new Date(time.now) })
  const config = { ...services.config, wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey } }
  try {
    return await atTime(time, async () => {
      const one = await aCase({ ...services, config }, wise, time)
      await states[state]!(one)
      const before = await shown(one)
      assert.ok(state.startsWith(before), `${state} is ${before}`)
      try {
        await act(one)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        assert.equal(await shown(one), before, `${state}: a refusal changes nothing`)
        return error.code === 'payout_blocked' ? 'blocked' : String(error.status)
      }
      await runWorker(one)
      return await shown(one)
    })
  } finally {
    await wise.close()
  }
}

async function aCase(services: Services, wise: Case['wise'], time: Case['time']): Promise<Case> {
  const { db } = services
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  await db.run`delete from payout_settings where account_id = ${ledger.account.id}`
  const one: Case = { ledger, services, wise, time, id: '', saleId: '' }
  await save(one, '123456789')
  await connect(one)
  const saleDate = new Date(time.now).toISOString().slice(0, 10)
  const sale = aSale(ledger, { provider: 'manual', amount: 500_00, saleDate, by: ownerAuthor(ledger) })
  one.saleId = (await recordSale(db, sale)).id
  await recordSale(db, { ...sale, externalId: null, amount: 900_00, grossAmount: 900_00 })
  await inTransaction(one, (tx) => gatherPayouts(tx, ledger.account))
  const { id } = await db.one<{ id: string }>`select id from payouts where account_id = ${ledger.account.id}`
  return { ...one, id }
}

const shown = async ({ services, ledger, id }: Case) => (await presentPayout(services.db, ledger.account, id)).status

type Cell = { row: string; column: string; act: ((one: Case) => Promise<unknown>) | null }

const cells = (rows: string[], acts: Record<string, (one: Case) => Promise<unknown>>, lives = (_: Cell) => true) =>
  rows.flatMap((row) =>
    Object.entries(acts).map(([column, act]) => {
      const cell: Cell = { row, column, act }
      return lives(cell) ? cell : { ...cell, act: null }
    }),
  )

async function tableOf(services: Services, wanted: Cell[], corner: string): Promise<string> {
  const results = new Map<Cell, string>()
  const next = wanted.values()
  const lane = async () => {
    for (const cell of next) results.set(cell, cell.act ? await live(services, cell.row, cell.act) : '–')
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  const columns = [...new Set(wanted.map(({ column }) => column))]
  const rows = [...Map.groupBy(wanted, ({ row }) => row)]
  return [
    `| ${[corner, ...columns].join(' | ')} |`,
    `|${'---|'.repeat(columns.length + 1)}`,
    ...rows.map(([row, list]) => `| ${[row, ...list.map((cell) => results.get(cell))].join(' | ')} |`),
  ].join('\n')
}

const tableOfTransitions = () =>
  [
    '| transition | from | to | by |',
    '|---|---|---|---|',
    ...Object.entries(transitions).map(
      ([name, { from, to, by }]) => `| ${name} | ${from.join(', ')} | ${to} | ${by.join(', ')} |`,
    ),
  ].join('\n')

/** Returns the doc with its first tables replaced: for transitions, then persons, then Wise. */
function withTables(doc: string, tables: string[]): string {
  let place = 0
  return doc.replace(/^\|(?:.*\n\|)*.*$/gm, (table) => tables[place++] ?? table)
}

test('docs/payout-states.md agrees with the product, cell by cell', async () => {
  const db = await freshDatabase({ clock: ownClock, max: 10 })
  const services = ledgerServices(db)
  try {
    await createQueues(await services.jobs.boss(), queues)
    const hasTransfer = ({ row, column }: Cell) =>
      !/_|^processing$|^cancelled$|hides/.test(column) || calledStates.indexOf(row) > 2
    const tables = [
      tableOfTransitions(),
      await tableOf(services, cells(Object.keys(states), persons), 'a payout that is'),
      await tableOf(services, cells(calledStates, ofWise, hasTransfer), 'when Wise'),
    ]
    const doc = await readFile(file, 'utf8')
    const lived = withTables(doc, tables)
    if (process.env.UPDATE_STATES) await writeFile(file, lived)
    else assert.equal(doc, lived)
  } finally {
    await services.jobs.stop({ graceful: false })
    await services.outbound.close()
  }
})
