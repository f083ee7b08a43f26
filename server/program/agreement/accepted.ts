import type { Language } from '#contract/language.ts'
import { pickText } from '#contract/pick-text.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { hasAccepted, listVersions, newestVersion } from './queries.ts'

// Questions of other rooms about a partner's acceptances, in SQL.

/** The newest version that a partner `t` accepted; null for none. */
export const acceptedVersion = sql`(select max(c.version) from agreement_acceptances c
  where c.account_id = t.account_id and c.partner_id = t.id)`

/** Whether a partner `t` is in one of these states: has accepted the newest version, or not yet. */
export const acceptedIs = (accountId: string, states: string[] | undefined): Sql | undefined => {
  if (!states) return undefined
  const newest = newestVersion(accountId)
  return sql`((${states.includes('accepted')} and ${acceptedVersion} = ${newest})
    or (${states.includes('waiting')} and t.state <> 'archived' and ${newest} > coalesce(${acceptedVersion}, 0)))`
}

/** The newest version for which payouts wait on this day; null for none. */
export const requiredVersion = async (db: Queryable, accountId: string, day: string): Promise<number | null> =>
  (
    await db.one<{ version: number | null }>`
      select max(version) as version from agreement_versions
      where account_id = ${accountId} and required_from <= ${day}::date`
  ).version

/** Returns the number of the newest version, and the language of its text for a reader; null without an agreement. */
export async function newestIn(db: Queryable, accountId: string, wanted: Language) {
  const [newest] = await listVersions(db, accountId)
  if (!newest) return { agreement: null, agreementLanguage: null }
  return {
    agreement: newest.version,
    agreementLanguage: pickText(newest, 'textHash', newest.language, wanted).language,
  }
}

/** Whether a partner accepted neither this version nor a newer one. */
export const hasNotAccepted = (accountId: string, partnerId: Sql, version: number): Sql =>
  sql`not ${hasAccepted(accountId, partnerId, sql`${version}::int`)}`
