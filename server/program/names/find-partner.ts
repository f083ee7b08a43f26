import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'

/** `earns`: suspended and archived partners get no new credit. */
export type FoundPartner = { id: string; state: 'active' | 'suspended' | 'archived'; earns: boolean }

type Row = Pick<FoundPartner, 'id' | 'state'>
const found = (row: Row | undefined): FoundPartner | undefined => row && { ...row, earns: row.state === 'active' }

/** The partner of this code or alias in the account, in any case; undefined where there is none. */
export const findPartnerByCode = async (db: Queryable, accountId: string, code: string) =>
  found(
    await db.maybe<Row>`
    select p.id, p.state from referral_codes c join partners p on p.account_id = c.account_id and p.id = c.partner_id
    where c.account_id = ${accountId} and c.code = ${code.trim().toLowerCase()}`,
  )

/** Whose these promotion codes are, in any case and in the order given; a code that is no one's is not among them. */
export const findPartnersByPromotionCodes = async (
  db: Queryable,
  accountId: string,
  codes: string[],
): Promise<FoundPartner[]> =>
  (
    await db.many<Row>`
    select p.id, p.state from unnest(${codes}::text[]) with ordinality given (code, place)
    join promotion_codes c on c.account_id = ${accountId} and lower(c.code) = lower(given.code)
    join partners p on p.account_id = c.account_id and p.id = c.partner_id
    order by given.place`
  ).map((row) => found(row)!)

/** The account's partner of this id as somebody gave it; undefined where there is none. */
export const findPartner = async (db: Queryable, accountId: string, id: string) =>
  found(
    await db.maybe<Row>`
    select id, state from partners where account_id = ${accountId} and id = ${asUuid(id)}`,
  )

/** The account's partner of this e-mail, in any case; undefined where there is none. */
export const findPartnerByEmail = async (db: Queryable, accountId: string, email: string) =>
  found(
    await db.maybe<Row>`
    select id, state from partners where account_id = ${accountId} and email = ${email.trim().toLowerCase()}`,
  )
