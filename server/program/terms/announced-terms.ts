import type { Reach, TermsSource } from '#contract/terms.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { termsInForce } from './in-force.ts'

/** A version that partners are notified of; `number` is its place in the account's log. */
export type AnnouncedTerms = {
  number: number
  subject: TermsSource
  subjectId: string
  appliesTo: Reach
  savedAt: string
}

const columns = sql`number, subject, subject_id, applies_to, saved_at`

/** Returns the versions saved since then that partners are notified of. */
export const listTermsAnnouncedSince = (db: Queryable, accountId: string, since: Date) => db.many<AnnouncedTerms>`
  select ${columns} from terms_log
  where account_id = ${accountId} and tell_partners and saved_at > ${since} order by number`

/** Returns versions by their numbers, in order. */
export const listAnnouncedTerms = (db: Queryable, accountId: string, numbers: number[]) => db.many<AnnouncedTerms>`
  select ${columns} from terms_log
  where account_id = ${accountId} and number = any(${numbers}::int[]) order by number`

/** In order of precedence, the nearest first. */
const nearest: readonly TermsSource[] = ['partner', 'group', 'link', 'account']

/** Partners per query. */
const BATCH = 5000

/** Returns the active partners whose customers referred now have these terms, or those behind them. */
export async function partnersWith(db: Queryable, accountId: string, { subject, subjectId }: AnnouncedTerms) {
  const scope = {
    partner: sql`p.id = ${subjectId}`,
    group: sql`p.group_id = ${subjectId}`,
    link: sql`true`,
    account: sql`true`,
  }[subject]
  const found: string[] = []
  for (let last: string | undefined = NIL; last; ) {
    const partners: { id: string }[] = await db.many<{ id: string }>`
      select p.id from partners p
      where p.account_id = ${accountId} and ${scope} and p.state = 'active' and p.id > ${last}
      order by p.id limit ${BATCH}`
    const blueprintId = subject === 'link' ? subjectId : null
    const questions = partners.map(({ id }) => ({
      id,
      accountId,
      partnerId: id,
      blueprintId,
      referredAt: db.now.toISOString(),
    }))
    for (const { id, source } of (await termsInForce(db, questions)).values())
      if (nearest.indexOf(source) >= nearest.indexOf(subject)) found.push(id)
    last = partners.length === BATCH ? partners.at(-1)?.id : undefined
  }
  return found
}
