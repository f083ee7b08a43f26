import type { LeadSubmission } from '#contract/leads.ts'
import type { Json } from '#contract/payload-paths.ts'
import type { ListQuery } from '#contract/values.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { listPage } from '../../platform/http/list.ts'
import { withoutSecrets } from '../../platform/redact.ts'
import type { Access } from '../access/access.ts'
import { insertSubmission, type VisitorsForm } from './queries.ts'

/** Stored bytes per submission. */
const MOST_BYTES = 16_000
/** Submissions stored per lead: the first, which created it, and the newest. */
const MOST = 50

type Sent = { source: LeadSubmission['source']; sent?: Json | undefined; form?: VisitorsForm | undefined }

/** Stores a lead's payload, if any, unchanged but for secrets. A long one is cut. */
export async function saveSubmission(
  tx: Transaction,
  accountId: string,
  leadId: string,
  { source, sent, form }: Sent,
): Promise<void> {
  if (sent === undefined) return
  const body = cut(JSON.stringify(withoutSecrets(sent)))
  await insertSubmission(tx, { id: newId(), accountId, leadId, source, body, form }, MOST)
}

function cut(text: string) {
  const bytes = Buffer.from(text)
  // a character that the cut splits is dropped
  return bytes.length <= MOST_BYTES ? text : new TextDecoder().decode(bytes.subarray(0, MOST_BYTES), { stream: true })
}

type Row = { at: string; source: LeadSubmission['source']; body: string }

export async function listSubmissions(db: Queryable, { account, subjectId }: Access, query: ListQuery) {
  const { items, ...rest } = await listPage<Row>(db, query, {
    columns: sql`t.created_at as at, t.source, t.body`,
    from: sql`lead_submissions t`,
    scope: sql`t.account_id = ${account.id} and t.lead_id = ${subjectId}`,
    filters: [],
  })
  return { items: items.map(({ body, ...row }): LeadSubmission => ({ ...row, body: read(body) })), ...rest }
}

/** Parses a stored payload; a cut one is no longer JSON and is returned as text. */
function read(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
