import type { Queryable } from '../../platform/database/pool.ts'
import {
  bigint,
  boolean,
  fixed,
  instant,
  integer,
  integers,
  json,
  nullable,
  type RowOf,
  table,
  text,
  uuid,
} from '../../platform/database/table.ts'

/** The account's settings, and what else calls on it need. */
export const accountTable = table('accounts', {
  id: fixed(uuid),
  name: nullable(text()),
  defaultCurrency: text(),
  layerRatesPpm: integers,
  timeZone: text(),
  payoutDelay: integer,
  minimumPayout: bigint,
  leadProtectionDays: integer,
  attributionModel: text<'last-touch' | 'first-touch'>(),
  partnerVisibility: json<{ leadNames: boolean; leadEmails: boolean; saleAmounts: boolean }>(),
  partnerLeadSubmission: boolean,
  invitationsFromPartners: boolean,
  recurringMonths: nullable(integer),
  selfReferralPolicy: text<'allow' | 'flag' | 'hold' | 'refuse'>(),
  disabledAt: fixed(nullable(instant)),
})

export type AccountFacts = RowOf<typeof accountTable>

/** Columns of {@link AccountFacts}, from accounts `a`. */
export const accountFacts = accountTable.from('a')

/** Returns these accounts by id without locking them: they may change at any time. */
export async function accountFactsOf(db: Queryable, ids: string[]): Promise<Map<string, AccountFacts>> {
  const rows = await db.many<AccountFacts>`
    select ${accountFacts} from accounts a where a.id = any(${[...new Set(ids)]}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}
