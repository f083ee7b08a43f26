import type { AuditRow } from '#contract/accounts.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { containing, page } from '../../platform/http/list.ts'

type Row = Pick<AuditRow, 'id' | 'at' | 'action' | 'changes'> & {
  actorType: AuditRow['actor']['type']
  actorId: string | null
  actorName: string | null
  subjectType: string
  subjectId: string | null
}

/** Who changed what in an account; a user by name, else by e-mail. */
export async function listAudit(db: Queryable, accountId: string, query: ListQuery) {
  const { items, ...rest } = await page<Row>(db, query, {
    columns: sql`t.id, t.at, t.action, t.changes, t.actor_type, t.actor_id, t.subject_type, t.subject_id,
      coalesce(nullif(trim(coalesce(u.first_name, '') || ' ' || coalesce(u.last_name, '')), ''), u.email) as actor_name`,
    from: sql`(select *, at as created_at from audit) t left join users u on t.actor_type = 'user' and u.id = t.actor_id`,
    scope: sql`t.account_id = ${accountId}`,
    filters: [containing(sql`concat_ws(' ', t.action, u.email, u.first_name, u.last_name)`, query.search)],
  })
  const rows = items.map(
    (row): AuditRow => ({
      id: row.id,
      at: row.at,
      actor: { type: row.actorType, id: row.actorId, name: row.actorName },
      action: row.action,
      subject: { type: row.subjectType, id: row.subjectId },
      changes: row.changes,
    }),
  )
  return { items: rows, ...rest }
}
