import { plainCode } from '#contract/values.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'

/** `earns`: suspended and archived partners get no new credit. */
export type FoundPartner = { id: string; state: 'active' | 'suspended' | 'archived'; earns: boolean }
/** The partner of a code, and when they got it. */
export type CodesPartner = FoundPartner & { code: string; since: string }

type Row = Pick<FoundPartner, 'id' | 'state'>
const found = <T extends Row>(row: T | undefined) => row && { ...row, earns: row.state === 'active' }

type CodeRow = Omit<CodesPartner, 'earns'> & { paused: boolean }
const foundByCode = ({ paused, ...row }: CodeRow): CodesPartner => ({
  ...row,
  earns: row.state === 'active' && !paused,
})
/** A payment's earliest and latest time, and when it was first told here, if it was. */
type Paid = { at: Date; until: Date; recordedAt?: Date | null }
/** Whether partner `p` got no new credit in all of that time. */
export const pausedIn = (at: Sql, until: Sql) => sql`coalesce(p.paused @> tstzrange(${at}, ${until}, '[]'), false)`
const pausedAt = (paid: Paid | undefined) => sql`(
  ${pausedIn(sql`${paid?.at ?? null}::timestamptz`, sql`${paid?.until ?? null}::timestamptz`)}
  or coalesce(p.paused @> ${paid?.recordedAt ?? null}::timestamptz, false)) as paused`

/**
 * Finds the partner of the first of these codes or aliases that credits one, in any letter case, else of the first that is
 * known; undefined if there is none. One who was suspended or archived when a payment was made, or first told here, does
 * not earn from it either.
 */
export async function findPartnerByCode(db: Queryable, accountId: string, code: string | string[], paid?: Paid) {
  const codes = [code].flat().map(plainCode)
  const rows = await db.many<CodeRow>`
    select p.id, p.state, c.code, c.created_at as since, ${pausedAt(paid)}
    from referral_codes c join partners p on p.account_id = c.account_id and p.id = c.partner_id
    where c.account_id = ${accountId} and c.code = any(${codes}::text[])
    order by array_position(${codes}::text[], c.code)`
  const partners = rows.map(foundByCode)
  return partners.find(({ earns }) => earns) ?? partners[0]
}

/** Codes as a payment names its partner by them. */
type Codes = { referralCodes: string[]; promotionCodes: string[] }

/**
 * Finds the partners of referral codes, by their plain codes, and those of promotion codes, in the order given; unknown and
 * unassigned codes are left out.
 */
export async function findPartnersByCodes(
  db: Queryable,
  accountId: string,
  { referralCodes, promotionCodes }: Codes,
  paid: Paid,
): Promise<{ byReferralCode: Map<string, CodesPartner>; byPromotionCode: CodesPartner[] }> {
  const ways: Sql[] = []
  if (referralCodes.length > 0)
    ways.push(sql`
      select p.id, p.state, c.code, c.created_at as since, ${pausedAt(paid)}, null::bigint as place
      from referral_codes c join partners p on p.account_id = c.account_id and p.id = c.partner_id
      where c.account_id = ${accountId} and c.code = any(${referralCodes.map(plainCode)}::text[])`)
  if (promotionCodes.length > 0)
    ways.push(sql`
      select p.id, p.state, c.code, c.created_at as since, ${pausedAt(paid)}, given.place
      from unnest(${promotionCodes}::text[]) with ordinality given (code, place)
        join promotion_codes c on c.account_id = ${accountId} and lower(c.code) = lower(given.code) and not c.pending
        join partners p on p.account_id = c.account_id and p.id = c.partner_id`)
  const rows = ways.length > 0 ? await db.many<Placed>`${joinSql(ways, ' union all ')} order by place` : []
  const found = rows.map(({ place, ...row }) => ({ place, partner: foundByCode(row) }))
  const ofCodes = found.filter(({ place }) => place === null)
  return {
    byReferralCode: new Map(ofCodes.map(({ partner }) => [partner.code, partner])),
    byPromotionCode: found.flatMap(({ place, partner }) => (place === null ? [] : partner)),
  }
}
type Placed = CodeRow & { place: number | null }

/** Finds the account's partner by an unchecked id; undefined if there is none. */
export const findPartner = async (db: Queryable, accountId: string, id: string) =>
  found(
    await db.maybe<Row>`
    select id, state from partners where account_id = ${accountId} and id = ${asUuid(id)}`,
  )

/** Finds the account's partner by e-mail, in any letter case; undefined if there is none. */
export const findPartnerByEmail = async (db: Queryable, accountId: string, email: string) =>
  found(
    await db.maybe<Row>`
    select id, state from partners where account_id = ${accountId} and email = ${email.trim().toLowerCase()}`,
  )
