import { z } from 'zod'
import { entryKinds } from '#contract/commissions.ts'
import { type Payout, PayoutStatement } from '#contract/payouts.ts'
import { CommissionEntryWithSale } from '#contract/sales.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import type { Secrets } from '../../../platform/database/secrets.ts'
import { sql } from '../../../platform/database/sql.ts'
import { type Access, wordFor } from '../../access/access.ts'
import { type FieldReader, visibleFields } from '../../access/visible-fields.ts'
import { accountNameById } from '../../accounts/accounts.ts'
import { entriesWithPayout } from '../../commissions/entry-status.ts'
import { hintInWords, openDetails, payoutDetailsPlace, toShownDetails } from '../deposit-details.ts'
import { recordedNames } from '../payees.ts'
import { isUnapproved, listPayoutEntries, payoutEntriesSql, payoutReader, presentPayout } from '../payouts.ts'

/** Returns the head of a statement, as this reader may see it. Refuses: like `presentPayout`. */
export async function readStatement(
  db: Queryable,
  secrets: Secrets,
  access: Access,
  reader: FieldReader,
): Promise<PayoutStatement> {
  const { account, subjectId } = access
  const shown = await presentPayout(db, account, subjectId, payoutReader(access))
  const [record] = await recordedNames(db, secrets, account.id, sql`o.id = ${shown.id}`)
  const payout = wordFor(access, () => ({ ...shown, ...(record && { partnerName: record.name }) }))
  const rows = await db.many<PayoutStatement['sums'][number]>`
    select t.kind, count(*) as count, sum(t.amount)::bigint as amount from ${entriesWithPayout}
    where ${payoutEntriesSql(payout, db.now)} group by t.kind`
  const sums = entryKinds.flatMap((kind) => rows.find((row) => row.kind === kind) ?? [])
  const statement: PayoutStatement = {
    payout,
    accountName: await accountNameById(db, account.id),
    timeZone: account.timeZone,
    destination: await findDestination(db, secrets, payout),
    numberOfEntries: sums.reduce((sum, { count }) => sum + count, 0),
    sums,
  }
  return wordFor(
    access,
    () => visibleFields(PayoutStatement, PayoutStatement.parse(statement), reader) as PayoutStatement,
  )
}

/** Counts the sales that earned the payout. */
export const numberOfSales = async (db: Queryable, payout: Payout): Promise<number> =>
  (
    await db.one<{ count: number }>`
    select count(distinct t.sale_id) as count from ${entriesWithPayout}
    where ${payoutEntriesSql(payout, db.now)} and t.kind = 'earned'`
  ).count

/** Returns the payout account: the approved one, or before approval the partner's current one. */
export async function findDestination(db: Queryable, secrets: Secrets, payout: Payout): Promise<string | null> {
  if (payout.method === 'manual') return null
  const { sealed, hint } = await db.one<{ sealed: Buffer | null; hint: string | null }>`
    select o.details_sealed as sealed, coalesce(d.hint, d.account_last4) as hint
    from payouts o left join payout_settings d on d.account_id = o.account_id and d.partner_id = o.partner_id
    where o.account_id = ${payout.accountId} and o.id = ${payout.id}`
  const fixed = sealed && openDetails(secrets, sealed, payoutDetailsPlace(payout.id, payout.accountId))
  // of an erased partner, there may be a name alone
  const shown = isUnapproved(payout) ? hint : fixed && toShownDetails(fixed).hint
  return shown ? hintInWords(shown) : null
}

/** Entries per page: the reader waits for few, and memory never holds them all. */
const AT_ONCE = 250
const Entries = z.array(CommissionEntryWithSale)

/** Yields all entries from the oldest on, in pages, as this reader may see them. */
export async function* entriesFrom(
  db: Queryable,
  access: Access,
  reader: FieldReader,
): AsyncGenerator<CommissionEntryWithSale[]> {
  let cursor: string | undefined
  do {
    const page = await listPayoutEntries(db, access, { limit: AT_ONCE, sort: 'createdAt', cursor, uncounted: true })
    if (page.items.length > 0)
      yield visibleFields(Entries, Entries.parse(page.items), reader) as CommissionEntryWithSale[]
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}
