import type { z } from 'zod'
import type { KeptMail, LoggedMail, listLoggedMails } from '#contract/mail.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { byValue, containing, page } from '../../platform/http/list.ts'
import { notFound } from '../../platform/refusal.ts'
import { findMail, mailColumns } from './queries.ts'

type Query = z.output<(typeof listLoggedMails)['query'] & {}>

export const listMails = (db: Queryable, query: Query) =>
  page<LoggedMail>(db, query, {
    columns: mailColumns,
    from: sql`mails t`,
    scope: sql`true`,
    filters: [
      byValue(sql`t.state`, query.state),
      byValue(sql`t.kind`, query.kind),
      containing(sql`t.email`, query.search),
    ],
  })

/** Refuses: one that is unknown, or forgotten. */
export async function getMail(db: Queryable, id: string): Promise<KeptMail> {
  const found = await findMail(db, id)
  if (!found) throw notFound()
  const { name, ...mail } = found
  return { ...mail, file: mail.state === 'kept' ? `outbox/${name}.eml` : null }
}
