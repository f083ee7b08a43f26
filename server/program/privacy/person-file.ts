import { Readable } from 'node:stream'
import { listColumns, type Traces } from '../../platform/database/declare-tables.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { leadTraces, partnerTraces } from './erase.ts'
import { type ErasureStep, listErasureSteps, rowsOfStep } from './steps.ts'

/** Most rows of a table in a file. */
const MOST = 10_000

/** Tables whose rows are about other people too, or about the person’s own copies at other systems. */
const LEFT_OUT: Record<Traces['type'], readonly string[]> = {
  lead: [
    'mails',
    'passing_events',
    'outgoing_deliveries',
    'bulk_actions',
    'incoming_webhooks',
    'commission_entries',
    'import_objects',
    'import_payments',
  ],
  // what other systems send is about customers
  partner: [
    'passing_events',
    'outgoing_deliveries',
    'incoming_deliveries',
    'provider_events',
    'bulk_actions',
    'imports',
    'payout_attempts',
  ],
}

/** Columns that are no one’s data, are secrets, or name others. */
const HIDDEN = /(_sealed|_hash|^dedupe_key|^account_id|^network|^request_id|^credit|^match_evidence|^name)$/

/** Returns what is stored about the person of a lead, as a file. Refuses: `not_found`. */
export const fileOfLead = async (db: Queryable, account: AccountFacts, id: string) =>
  fileOf(db, id, await leadTraces(db, account, id))

/** Returns what is stored about the person of a partner, as a file. Refuses: `not_found`. */
export const fileOfPartner = async (db: Queryable, account: AccountFacts, id: string) =>
  fileOf(db, id, await partnerTraces(db, account, id))

/** Tables whose rows an erasure deletes, each with what it is ordered by. */
const OWN = [
  ['promotion_codes', 'code'],
  ['referral_codes', 'code'],
  ['former_emails', 'email'],
] as const

async function fileOf(db: Queryable, id: string, traces: Traces) {
  const own =
    traces.type === 'partner'
      ? OWN.map(
          ([table, column]): ErasureStep => ({
            table,
            key: [[column, 'text']],
            which: sql`t.partner_id = ${traces.partnerId}`,
          }),
        )
      : []
  // the file is read after the activity has recorded its download, which is not in it
  const until = newId()
  const steps = listErasureSteps(traces)
    .filter((step) => !LEFT_OUT[traces.type].includes(step.table))
    .map((step): ErasureStep => {
      if (step.table !== 'events') return step
      return { ...step, own: sql`${step.own ?? step.which} and t.id < ${until}::uuid` }
    })
  return new HttpReply(200, Readable.from(piecesOf(db, traces, [...steps, ...own]), { objectMode: false }), {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="person-${id}.json"`,
  })
}

type Row = Record<string, unknown>

/** Yields the file as JSON, a few rows at a time: bodies of requests are large. */
async function* piecesOf(db: Queryable, { accountId }: Traces, steps: ErasureStep[]) {
  let before = '{'
  for (const [table, ofTable] of Map.groupBy(steps, (step) => step.table)) {
    let written = 0
    for (const step of ofTable)
      for await (const rows of rowsOfStep<Row>(db, accountId, step, {
        columns: columnsOf(table),
        most: MOST - written,
      }))
        for (const row of rows)
          yield `${written++ === 0 ? `${before}"${fieldOf(table)}":[` : ','}${JSON.stringify(presented(row))}`
    if (written === 0) continue
    before = ','
    yield ']'
  }
  yield before === '{' ? '{}' : '}'
}

function columnsOf(table: string): Sql {
  return joinSql(
    listColumns(table)
      .filter((column) => !HIDDEN.test(column))
      .map((column) => rawSql(`t."${column}"`)),
    ', ',
  )
}

const fieldOf = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Parses stored payloads, and drops the names of others. */
const presented = (row: Row) =>
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
  if (Array.isArray(value)) return (value.some(isReassigned) ? value.filter(isReassigned) : value).map(withoutOthers)
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (key === 'partnerName' ? [] : [[key, withoutOthers(one)]])),
  )
}

/** Of a timeline; the line after it names the partners. */
const isReassigned = (line: unknown) => (line as { type?: unknown } | null)?.type === 'reassigned'
