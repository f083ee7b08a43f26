import type { Queryable, Transaction } from '../../platform/database/pool.ts'

/** Time during which mails are also sent to the former address. */
export const FORMER_EMAIL_MS = 72 * 3_600_000

/** Stores the partner's e-mail before it changes. */
export const keepFormerEmail = (tx: Transaction, accountId: string, partnerId: string, email: string) => tx.run`
  insert into former_emails (account_id, partner_id, email, until) values (${accountId}, ${partnerId}, ${email}, ${tx.now})`

/** Returns the partner's e-mail, and those of the 72 hours before `at`: an intruder changes the address first. */
export async function emailsAround(db: Queryable, partnerId: string, at: Date): Promise<string[]> {
  const rows = await db.many<{ email: string }>`
    select email from partners where id = ${partnerId}
    union
    select email from former_emails
    where partner_id = ${partnerId} and until > ${new Date(at.getTime() - FORMER_EMAIL_MS)}
    order by email`
  return rows.map(({ email }) => email)
}
