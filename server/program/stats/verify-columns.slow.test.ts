import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerHistory } from '../../../test/support/ledger-history.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { rawSql } from '../../platform/database/sql.ts'
import { listChecks, verifyLedger } from './verify.ts'

// Changes every column of the tables with money in every row, one at a time, past the database's own guards: the
// ledger's check reports it, or the reason why it cannot is listed below. A new column needs a verdict here.

const db = await freshDatabase()
await ledgerHistory(db)

/** Changes a value of this type: to another of its kind, like a mistake or manipulation would. */
const changes: Record<string, (column: string) => string> = {
  uuid: () => 'gen_random_uuid()',
  'uuid[]': () => 'array[gen_random_uuid()]',
  text: (column) => `coalesce(${column}, '') || 'x'`,
  bigint: (column) => `coalesce(${column}, 0) + 1`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  smallint: (column) => `coalesce(${column}, 0) + 1`,
  numeric: (column) => `coalesce(${column}, 0) + 0.01`,
  boolean: (column) => `not coalesce(${column}, false)`,
  date: (column) => `coalesce(${column}, '2026-03-02') + 1`,
  jsonb: () => `'{"changed": true}'`,
  'text[]': (column) => `coalesce(${column}, '{}') || 'x'::text`,
  bytea: (column) => `coalesce(${column}, '') || 'x'`,
  'timestamp with time zone': (column) => `coalesce(${column}, '2026-03-02') + interval '1 hour'`,
}

/** Another valid value of the column, so that a change is not refused for its form alone. */
const others: Record<string, string> = {
  'sales.status': `case status when 'completed' then 'refunded' else 'completed' end`,
  'sales.currency': `case currency when 'usd' then 'eur' else 'usd' end`,
  'sales.account_currency': `'gbp'`,
  'sales.matched_by': `case matched_by when 'click' then 'code' else 'click' end`,
  'refunds.status': `case status when 'succeeded' then 'failed' else 'succeeded' end`,
  'refunds.kind': `case kind when 'refund' then 'dispute' else 'refund' end`,
  'commission_entries.kind': `case kind when 'earned' then 'restoration' when 'adjustment' then 'bonus' else 'earned' end`,
  'payouts.status': `case status when 'paid' then 'approved' else 'paid' end`,
  'payouts.method': `case method when 'manual' then 'csv' else 'manual' end`,
  'terms_log.subject': `case subject when 'link' then 'partner' else 'link' end`,
  'terms_log.applies_to': `'new-customers'`,
  'goal_awards.metric': `case metric when 'sales' then 'leads' else 'sales' end`,
  'leads.status': `case status when 'won' then 'qualified' else 'won' end`,
}

const text = 'text for people: nothing follows from it'
const people = 'who did it, when and why, told to people: nothing is reckoned from it'
const outside = 'told by others; nothing here could contradict it'
const payment = 'compared with what the provider told, in payment-providers/verify-payments.ts'
const transient = 'of a payout on its way; nothing is reckoned from it'
const own = 'in a row that nothing refers to yet'
const byHand = 'of a payout made by hand, as a person told it'
const copied = 'a copy of what is sealed, which a check cannot open'

/** Columns for which a change is not detected in every row, and why. */
const unseen: Record<string, string> = {
  'sales.id': own,
  'sales.provider': payment,
  'sales.referred_at': 'it decides only where a version of the terms is for new customers alone',
  'sales.shop_id': payment,
  'sales.told_by_shop_id': payment,
  'sales.connection_id': people,
  'sales.external_id': payment,
  'sales.gross_amount': payment,
  'sales.customer_id': outside,
  'sales.payer_email': outside,
  'sales.card_hash': outside,
  'sales.subscription_id': outside,
  'sales.description': text,
  'sales.country': outside,
  'sales.promotion_codes': outside,
  'sales.partner_code': 'only rules of promotion codes ask for it',
  'sales.metadata': text,
  'sales.matched_by': people,
  'sales.match_evidence': people,
  'sales.void_reason': text,
  'sales.restored_at': 'it only tells entries of an ended void from those that lack a cause',
  'sales.created_by': people,
  'sales.created_at': people,
  'refunds.id': own,
  'refunds.external_id': payment,
  'refunds.amount': 'an open dispute takes nothing before it is lost',
  'refunds.reason': text,
  'refunds.at': people,
  'refunds.created_by': people,
  'refunds.created_at': people,
  'commission_entries.id': own,
  'commission_entries.base_amount': 'of a corrected sale the amounts alone are reckoned with',
  'commission_entries.kind': 'of a corrected sale the amounts alone are reckoned with',
  'commission_entries.flat_amount': 'told to people: the amounts are reckoned from the terms',
  'commission_entries.rule': text,
  'commission_entries.turn': 'it only tells entries of one cause apart',
  'commission_entries.day': 'of an adjustment, which stands in no statistics',
  'commission_entries.reason': text,
  'commission_entries.actor': people,
  'commission_entries.created_at': people,
  'goal_awards.name': text,
  'goal_awards.metric': 'which sales it counts is judged only while it is not due, by night',
  'goal_awards.at_least': 'a goal may have asked for less',
  'goal_awards.figure': 'figures fall after a bonus is final',
  'goal_awards.voided': people,
  'goal_awards.counts_from': 'empty unless an earlier bonus paid for the days before',
  'goal_awards.final': 'the last night that judges it says so; nothing is reckoned from it afterwards',
  'terms_log.goal_id': people,
  'terms_log.saved_at': 'it decides only where a version is for new customers alone',
  'terms_log.saved_by': people,
  'terms_log.note': text,
  'terms_log.tell_partners': people,
  'day_stats.version': 'a later one has the day added up again, and so does an earlier one',
  'day_stats.behind': 'it has the account counted again',
  'payouts.id': own,
  'payouts.method': byHand,
  'payouts.details_sealed': 'sealed: a changed text cannot be opened',
  'payouts.details_version': byHand,
  'payouts.payee_kind': copied,
  'payouts.payee_country': copied,
  'payouts.payee_currency': copied,
  'payouts.payee_hint': copied,
  'payouts.paid_on': 'a day more or less may come from the time zone that the account had then',
  'payouts.failure_reason': text,
  'payouts.external_reference': 'of a payout that is not paid, nothing follows from it',
  'payouts.reward': 'the units follow from the amount and the value that one had then',
  'payouts.fund_again': transient,
  'payouts.was_void': 'asked only of a payout that ended and is paid after all',
  'payouts.checked_at': transient,
  'payouts.lease_id': transient,
  'payouts.leased_until': transient,
  'payouts.looks_refused': transient,
  'payouts.look_after': transient,
  'payouts.created_at': people,
  'payouts.updated_at': people,
}

const tables = [
  'sales',
  'refunds',
  'commission_entries',
  'terms_log',
  'goal_awards',
  'payouts',
  'payout_entries',
  'day_stats',
  'total_stats',
  'month_stats',
  'lead_stats',
]

const owner = asDatabaseOwner(db)
// for the whole connection: a transaction that turned the guards off and on again would plan each check again
owner.pool.on('connect', (client) => void client.query('set session_replication_role = replica'))

class Enough extends Error {}

/** The checks, the one that detected the latest change first: it mostly detects the next. */
const checks = listChecks()

/** Returns whether a change of one row is detected by a check, refused by the database, or neither. */
async function outcomeOf(statement: string): Promise<'seen' | 'refused' | 'unseen'> {
  let outcome: 'seen' | 'unseen' = 'unseen'
  const work = transaction(owner, async (tx: Transaction) => {
    await tx.client.query(statement)
    for (const [at, check] of checks.entries()) {
      if ((await verifyLedger(tx, check)).length === 0) continue
      outcome = 'seen'
      checks.unshift(...checks.splice(at, 1))
      break
    }
    throw new Enough()
  })
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  )
  return error instanceof Enough ? outcome : 'refused'
}

test('nothing is found before any change', async () => assert.deepEqual(await verifyLedger(db), []))

/** Columns with an undetected change in some row: their other rows need not be checked. */
const missed = new Set<string>()
for (const table of tables) {
  const columns = await db.many<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`
  const rows = await db.many<{ ctid: string; row: string }>`
    select ctid::text, to_jsonb(t)::text as row from ${rawSql(table)} t`
  for (const { name, type } of columns) {
    const column = `${table}.${name}`
    test(`a change of ${column} is seen${unseen[column] ? ', or it is known why not' : ''}`, async () => {
      const change = others[column] ?? changes[type]?.(name)
      assert.ok(change, `how is ${type} changed?`)
      for (const { ctid, row } of rows) {
        const outcome = await outcomeOf(`update ${table} set ${name} = ${change} where ctid = '${ctid}'`)
        if (outcome === 'unseen' && !unseen[column]) assert.fail(`not seen in ${row}`)
        if (outcome === 'unseen') return void missed.add(column)
      }
    })
  }
}

test('no column in the list of unseen changes is seen', () =>
  assert.deepEqual(
    Object.keys(unseen).filter((column) => !missed.has(column)),
    [],
  ))
