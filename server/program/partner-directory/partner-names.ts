import { rowsByKeySql } from '../../platform/database/by-key.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { searchFilter } from '../../platform/http/list.ts'

type Named = { firstName: string | null; lastName: string | null; email: string }

export const fullName = ({ firstName, lastName }: Pick<Named, 'firstName' | 'lastName'>) =>
  [firstName, lastName].filter(Boolean).join(' ')

/** A name without what two people may write differently: equal ones are the same name. */
export const plainName = (name: string) => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

/** Full name, else the part of the e-mail before the @. */
export const displayName = (partner: Named) => fullName(partner) || partner.email.split('@')[0]!

/**
 * `fullName` in SQL for the table with this alias; empty for none. Matches the expression in the indexes by name of
 * leads and partners.
 */
export const fullNameSql = (alias: Sql) =>
  sql`trim(coalesce(${alias}.first_name, '') || ' ' || coalesce(${alias}.last_name, ''))`

/** A person's full name, else their e-mail, in SQL for the users with this alias. */
export const personNameSql = (alias: Sql) => sql`coalesce(nullif(${fullNameSql(alias)}, ''), ${alias}.email)`

/** `displayName` in SQL, matching the index of partners by name. */
export const partnerNameSql = (alias: Sql) =>
  sql`coalesce(nullif(${fullNameSql(alias)}, ''), split_part(${alias}.email, '@', 1))`

/** The searched text of partners `t`, matching its index. */
export const partnerSearch = sql`coalesce(t.first_name, '') || ' ' || coalesce(t.last_name, '') || ' ' || t.email || ' ' || t.referral_code`

/** Ids of the account's partners that match a search. */
export const partnersFound = (accountId: string, search: string) => sql`(
  select t.id from partners t where t.account_id = ${accountId} and ${searchFilter(partnerSearch, accountId, search)!})`

/** Full name, else the masked part of the e-mail before the @, for other partners. */
const maskedName = (partner: Named) => fullName(partner) || maskedEmail(partner.email).split('@')[0]!

/**
 * Returns display names by id, for owners and for the partners themselves; with `readerId` for this partner, to whom
 * others are masked.
 */
export async function partnerNames(
  db: Queryable,
  accountIds: string[],
  ids: (string | null)[],
  readerId: string | null = null,
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db.many<Named & { id: string }>`
    select id, first_name, last_name, email from ${rowsByKeySql(sql`partners`, accountIds, wanted)}`
  return new Map(rows.map((row) => [row.id, readerId && readerId !== row.id ? maskedName(row) : displayName(row)]))
}

/** Partners as events name them, by id: their display names, and their ids in the owner's own system. */
export type EventPartners = { names: Map<string, string>; externalIds: Map<string, string | null> }

/** Reads partners as events name them. */
export async function readEventPartners(
  db: Queryable,
  accountIds: string[],
  ids: (string | null)[],
): Promise<EventPartners> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const rows =
    wanted.length === 0
      ? []
      : await db.many<Named & { id: string; externalId: string | null }>`
        select id, first_name, last_name, email, external_id from ${rowsByKeySql(sql`partners`, accountIds, wanted)}`
  return {
    names: new Map(rows.map((row) => [row.id, displayName(row)])),
    externalIds: new Map(rows.map(({ id, externalId }) => [id, externalId])),
  }
}

/** Returns an object of a partner as events contain it: with the partner's id in the owner's own system. */
export const addExternalId = <T extends { partnerId: string }>(object: T, { externalIds }: EventPartners) => ({
  ...object,
  partnerExternalId: externalIds.get(object.partnerId) ?? null,
})

/** Returns objects of partners as events contain them. */
export async function withExternalIds<T extends { partnerId: string }>(
  db: Queryable,
  accountIds: string[],
  objects: T[],
) {
  const partners = await readEventPartners(
    db,
    accountIds,
    objects.map(({ partnerId }) => partnerId),
  )
  return objects.map((object) => addExternalId(object, partners))
}

/** Masks an e-mail for strangers: `samuel@example.com` becomes `s•••@example.com`. */
export const maskedEmail = (email: string) => {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}${MASK}${email.slice(at)}`
}

/** The replacement for the rest of an e-mail or a phone; neither can contain it. */
export const MASK = '•••'

/** Empties masked values, which a file must not contain. */
export const unlessMasked = (value: string | null) => (value?.includes(MASK) ? '' : value)
