import { columnFacts, type TableName } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { join, raw, type Sql, sql } from '../../platform/database/sql.ts'
import { HttpAnswer } from '../../platform/http/answer.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { leadTraces, partnerTraces } from './erase.ts'
import { type Step, stepsOf, type Traces } from './steps.ts'

/** Most rows of a table in a file. */
const MOST = 10_000

/** Tables whose rows are about other people too, or about the person’s own copies at other systems. */
const LEFT_OUT: Record<Traces['type'], readonly TableName[]> = {
  lead: [
    'mails',
    'passing_events',
    'outgoing_deliveries',
    'bulk_actions',
    'commission_entries',
    'import_objects',
    'import_payments',
  ],
  partner: ['passing_events', 'outgoing_deliveries', 'bulk_actions', 'payout_attempts'],
}

/** Columns that are no one’s data, are secrets, or name others. */
const HIDDEN = /(_sealed|_hash|^dedupe_key|^account_id|^network|^request_id|^credit|^match_evidence|^name)$/

/** Returns what is stored about the person of a lead, as a file. Refuses: `not_found`. */
export const fileOfLead = async (db: Queryable, account: AccountFacts, id: string) =>
  fileOf(db, id, await leadTraces(db, account, id))

/** Returns what is stored about the person of a partner, as a file. Refuses: `not_found`. */
export const fileOfPartner = async (db: Queryable, account: AccountFacts, id: string) =>
  fileOf(db, id, await partnerTraces(db, account, id))

async function fileOf(db: Queryable, id: string, traces: Traces) {
  const body: Record<string, unknown[]> = {}
  const own: Pick<Step, 'table' | 'which' | 'ofNoAccount'>[] =
    traces.type === 'partner'
      ? (['promotion_codes', 'referral_codes', 'former_emails'] as const).map((table) => ({
          table,
          which: sql`t.partner_id = ${traces.partnerId}`,
        }))
      : []
  for (const { table, which, ofNoAccount = false } of [
    ...stepsOf(traces).filter((step) => !LEFT_OUT[traces.type].includes(step.table)),
    ...own,
  ]) {
    const rows = await rowsOf(db, table, ofNoAccount ? which : sql`t.account_id = ${traces.accountId} and ${which}`)
    if (rows.length > 0) body[fieldOf(table)] = rows.map(presented)
  }
  return new HttpAnswer(200, body, { 'content-disposition': `attachment; filename="person-${id}.json"` })
}

function rowsOf(db: Queryable, table: TableName, which: Sql) {
  const { personal, rest } = columnFacts[table]!
  const all = [...new Set([...rest, ...personal.flatMap(({ columns }) => columns)])]
  const columns = all.filter((column) => !HIDDEN.test(column)).map((column) => raw(`t."${column}"`))
  return db.many<Record<string, unknown>>`
    select ${join(columns, ', ')} from ${raw(table)} t where ${which}
    order by ${join(columns.slice(0, 2), ', ')} limit ${MOST}`
}

const fieldOf = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Parses stored payloads, and drops the names of others. */
const presented = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [field, withoutOthers(parsed(value))]))

function parsed(value: unknown) {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function withoutOthers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOthers)
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (key === 'partnerName' ? [] : [[key, withoutOthers(one)]])),
  )
}
