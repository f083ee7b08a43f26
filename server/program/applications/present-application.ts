import type { z } from 'zod'
import type { Application, listApplications as listCall } from '#contract/applications.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { containsFilter, dayFilter, idFilter, listPage, valueFilter } from '../../platform/http/list.ts'
import { notFound } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { applicationById, type NamedApplication, namedColumns } from './queries.ts'

export function presentApplication(row: NamedApplication): Application {
  const {
    createdAt,
    updatedAt: _,
    decidedBy: __,
    answeredAt: ___,
    agreementNetwork: ____,
    agreementLanguage: _____,
    ...rest
  } = row
  const { decider, groupDeleted, ...fields } = rest
  const groupProblem = groupDeleted && fields.status !== 'approved' ? 'deleted' : null
  return { ...fields, appliedAt: createdAt, decidedBy: decider, groupProblem }
}

/** Refuses: `not_found`. */
export async function getApplication(db: Queryable, accountId: string, id: string): Promise<Application> {
  const row = await applicationById(db, accountId, id)
  if (!row) throw notFound()
  return presentApplication(row)
}

/** Lists applications; unconfirmed ones only on request. */
export async function listApplications(
  db: Queryable,
  { id: accountId, timeZone }: AccountFacts,
  query: z.output<typeof listCall.query & object>,
) {
  const { status, flag, groupId, partnerId, search, from, to } = query
  const { items, ...rest } = await listPage<NamedApplication>(db, query, {
    columns: namedColumns(accountId),
    from: sql`applications t`,
    scope: sql`t.account_id = ${accountId}`,
    filters: [
      status ? valueFilter(sql`t.status`, status) : sql`t.status <> 'unconfirmed'`,
      flag && sql`t.flags && ${flag}::text[]`,
      idFilter(sql`coalesce(t.group_id, t.account_id)`, groupId),
      idFilter(sql`t.partner_id`, partnerId),
      containsFilter(sql`concat_ws(' ', t.first_name, t.last_name, t.email)`, search),
      ...dayFilter(sql`t.created_at`, timeZone, from, to),
    ],
    sorts: { appliedAt: { by: sql`t.created_at`, type: 'timestamptz' } },
  })
  return { items: items.map(presentApplication), ...rest }
}

/** Most bytes of the answers in an event. */
const MOST_TOLD = 20_000

/** An application as events contain it: without answers that are too long for one. */
export async function applicationForEvent(db: Queryable, accountId: string, id: string): Promise<Application> {
  const application = await getApplication(db, accountId, id)
  const bytes = Buffer.byteLength(JSON.stringify(application.answers))
  return bytes > MOST_TOLD ? { ...application, answers: [] } : application
}
