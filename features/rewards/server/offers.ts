import { plainCode } from '#contract/values.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { type Sql, sql } from '#server/platform/database/sql.ts'
import { notFound } from '#server/platform/refusal.ts'
import type { Offer, OwnOffer, OwnOfferChange } from '../contract.ts'

/** The code of partner `p` that was made at a provider and works, with its discount. */
const madeCode = (account: Sql) => sql`(
  select t.code, m.made_id, (m.rule ->> 'percentOff')::float as percent_off, (m.rule ->> 'amountOff')::bigint as amount_off,
    m.rule ->> 'currency' as currency
  from made_codes m join promotion_codes t on t.account_id = ${account} and t.id = m.id and not t.pending
  where m.account_id = ${account} and m.partner_id = p.id and m.state = 'on' and m.removed_at is null
  order by t.created_at, t.id limit 1) m`

/**
 * Returns the offer behind a referral code, current or earlier, or a promotion code of an active customer; without an
 * account if one alone has the code.
 * Refuses: `not_found`, alike for an unknown code, one of several accounts, a suspended customer, and one without a made
 * promotion code.
 */
export async function presentOffer(db: Queryable, code: string, publicId: string | undefined): Promise<Offer> {
  if (/\p{Cc}/u.test(`${code}${publicId}`)) throw notFound()
  const accounts = sql`select id from accounts where disabled_at is null
    and ${publicId === undefined ? sql`has_customer_groups` : sql`public_id = ${publicId}`}`
  const [only, ...more] = await db.many<{ id: string }>`${accounts} limit 2`
  if (!only) throw notFound()
  const account = more.length > 0 ? sql`a.id` : sql`${only.id}::uuid`
  const offers = await db.many<Offer>`
    select m.code, m.percent_off, m.amount_off, m.currency, m.made_id as provider_code_id,
      case when p.shows_first_name then p.first_name end as "from"
    from (${accounts}) a
      cross join lateral (
        select partner_id as id from referral_codes where account_id = ${account} and code = ${plainCode(code)}
        union
        select partner_id from promotion_codes where account_id = ${account} and lower(code) = lower(${code})) named
      -- one index search each, however many a plan expects
      cross join lateral (select * from partners where account_id = ${account} and id = named.id offset 0) p
      join groups g on g.account_id = ${account} and g.id = p.group_id and g.kind = 'customers'
      left join lateral ${madeCode(account)} on true
    where p.state = 'active' and p.erased_at is null
    limit 2`
  const [offer, other] = offers
  if (!offer?.code || other) throw notFound()
  return offer
}

/** Returns what a partner offers to friends. */
export async function presentOwnOffer(db: Queryable, accountId: string, partnerId: string): Promise<OwnOffer> {
  const offer = await db.maybe<OwnOffer>`
    select m.code, m.percent_off, m.amount_off, m.currency, p.shows_first_name as show_first_name, (
      select jsonb_build_object('as', g.reward -> 'as', 'unitName', g.reward -> 'unitName', 'unitValue', g.reward -> 'unitValue')
      from groups g where g.account_id = ${accountId} and g.id = p.group_id and g.reward is not null) as reward
    from partners p left join lateral ${madeCode(sql`${accountId}`)} on true
    where p.account_id = ${accountId} and p.id = ${partnerId}`
  if (!offer) throw notFound()
  return offer
}

/** Shows a partner’s first name to friends, or doesn’t. */
export async function changeOwnOffer(
  tx: Transaction,
  accountId: string,
  partnerId: string,
  { showFirstName }: OwnOfferChange,
): Promise<OwnOffer> {
  await tx.run`
    update partners set shows_first_name = ${showFirstName} where account_id = ${accountId} and id = ${partnerId}`
  return presentOwnOffer(tx, accountId, partnerId)
}
