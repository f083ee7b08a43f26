import type { Queryable, Transaction } from '../../platform/database/pool.ts'

/** Time during which mails about a partner whom no one has accepted are also sent to the former address. */
export const FORMER_EMAIL_MS = 72 * 3_600_000

/** Stores the partner's e-mail before it changes. */
export const saveFormerEmail = (tx: Transaction, accountId: string, partnerId: string, email: string) => tx.run`
  insert into former_emails (account_id, partner_id, email, until) values (${accountId}, ${partnerId}, ${email}, ${tx.now})`

/**
 * Returns the addresses for mails about a partner's access and payouts: those with which its owners sign in, since any
 * other is the account's word alone. Before anyone has accepted, the partner's own, and those of the 72 hours before
 * `at`: an intruder changes the address first.
 */
export async function emailsAround(db: Queryable, partnerId: string, at: Date): Promise<string[]> {
  const rows = await db.many<{ email: string }>`
    select u.email from user_roles r join users u on u.id = r.user_id
    where r.partner_id = ${partnerId} and r.type = 'partner'
    union
    select email from partners where id = ${partnerId} and user_id is null
    union
    select f.email from former_emails f join partners n on n.account_id = f.account_id and n.id = f.partner_id
    where f.partner_id = ${partnerId} and n.user_id is null and f.until > ${new Date(at.getTime() - FORMER_EMAIL_MS)}
    order by email`
  return rows.map(({ email }) => email)
}
