import type { z } from 'zod'
import type { KeptMail, LoggedMail, listLoggedMails, MailKind } from '#contract/mail.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { byValue, containing, page } from '../../platform/http/list.ts'
import { notFound } from '../../platform/refusal.ts'
import { mails } from './kinds/registry.ts'
import { findMail, type MailRow, mailColumns } from './queries.ts'

type Query = z.output<(typeof listLoggedMails)['query'] & {}>

export async function listMails(db: Queryable, query: Query) {
  const found = await page<MailRow>(db, query, {
    columns: mailColumns,
    from: sql`mails t`,
    scope: sql`true`,
    filters: [
      byValue(sql`t.state`, query.state),
      byValue(sql`t.kind`, query.kind),
      containing(sql`t.email`, query.search),
    ],
  })
  return { ...found, items: found.items.map(present) }
}

/** Returns a logged mail. Refuses: one that is unknown, or deleted. */
export async function getMail(db: Queryable, id: string): Promise<KeptMail> {
  const found = await findMail(db, id)
  if (!found) throw notFound()
  const { name, ...mail } = found
  return { ...present(mail), text: mail.text, file: mail.state === 'kept' ? `outbox/${name}.eml` : null }
}

/** A kind of an earlier release is shown by its stored name. */
export const present = (mail: MailRow): LoggedMail => ({
  ...mail,
  title: Object.hasOwn(mails, mail.kind) ? mails[mail.kind as MailKind].title : mail.kind,
})
