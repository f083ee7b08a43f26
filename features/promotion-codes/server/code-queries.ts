import type { PromotionCodeRule } from '#contract/payment-providers.ts'
import type { PaymentProvider } from '#contract/sales.ts'
import { asUuid } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'

/** A code made, or to be made, at a provider. */
export type MadeCode = {
  id: string
  accountId: string
  shopId: string
  provider: PaymentProvider
  partnerId: string
  /** Null: erased with its partner. */
  code: string | null
  turn: number
  refused: number
  madeId: string | null
  state: 'making' | 'on' | 'off' | 'failed'
  reason: string | null
  rule: PromotionCodeRule
  removedAt: string | null
  tries: number
  nextAt: string | null
  claimedUntil: string | null
}

export const lockMadeCode = (tx: Transaction, accountId: string, id: string) => tx.maybe<MadeCode>`
  select m.id, m.account_id, m.shop_id, s.provider, m.partner_id, m.code, m.turn, m.refused, m.made_id, m.state, m.reason,
    m.rule, m.removed_at, m.tries, m.next_at, m.claimed_until
  from made_codes m join provider_shops s on s.id = m.shop_id
  where m.account_id = ${accountId} and m.id = ${asUuid(id)} for update of m`

type Intent = { id: string; accountId: string; shopId: string; partnerId: string; rule: PromotionCodeRule }

/** Inserts the intent to make a code; false if the partner has one of this shop. */
export const insertIntent = async (tx: Transaction, { id, accountId, shopId, partnerId, rule }: Intent) =>
  (await tx.maybe`
    insert into made_codes (id, account_id, shop_id, partner_id, state, rule, next_at, created_at)
    values (${id}, ${accountId}, ${shopId}, ${partnerId}, 'making', ${JSON.stringify(rule)}::jsonb, ${tx.now}, ${tx.now})
    on conflict (account_id, shop_id, partner_id) where removed_at is null do nothing returning id`) !== undefined

/** Returns the turn after the last one of this pattern at the shop. */
export const turnAfterLast = (tx: Transaction, { id, accountId, shopId, rule }: Intent) => tx.value<number>`
  select coalesce(max(turn) + 1, 0) from made_codes
  where account_id = ${accountId} and shop_id = ${shopId} and id <> ${id} and rule ->> 'pattern' = ${rule.pattern}`

type Change = Pick<MadeCode, 'code' | 'turn' | 'refused' | 'madeId' | 'state' | 'reason' | 'tries'> & {
  nextAt: Date | null
  claimedUntil: Date | null
}

export const saveMadeCode = (tx: Transaction, { accountId, id }: MadeCode, row: Change) => tx.run`
  update made_codes set code = ${row.code}, turn = ${row.turn}, refused = ${row.refused}, made_id = ${row.madeId},
    state = ${row.state}, reason = ${row.reason}, tries = ${row.tries}, next_at = ${row.nextAt},
    claimed_until = ${row.claimedUntil}
  where account_id = ${accountId} and id = ${id}`

export const deleteMadeCode = (tx: Transaction, { accountId, id }: MadeCode) => tx.run`
  delete from made_codes where account_id = ${accountId} and id = ${id}`

type Due = { accountId: string; codeId: string }

/** Finds codes whose next call is due. */
export const codesDue = (db: Queryable) => db.many<Due>`
  select account_id, id as code_id from made_codes where next_at <= ${db.now} order by next_at, id limit 1000`

/** Makes the codes of these partners due now, and returns them. */
export const wakeCodesOfPartners = (tx: Transaction, accountId: string, partnerIds: string[]) => tx.many<Due>`
  update made_codes set next_at = ${tx.now} where account_id = ${accountId} and partner_id = any(${partnerIds}::uuid[])
  returning account_id, id as code_id`

/** Makes the unfinished codes of a shop due now, and returns them. */
export const wakeCodesOfShop = (tx: Transaction, accountId: string, shopId: string) => tx.many<Due>`
  update made_codes set next_at = ${tx.now}
  where account_id = ${accountId} and shop_id = ${shopId} and next_at is not null
  returning account_id, id as code_id`

/** The rule of shop `s` that makes the code of partner `p`, as `r`: the first for all or for their group. */
const ruleForPartner = sql`(
  select rule from jsonb_array_elements(s.code_rules) with ordinality as of_shop (rule, place)
  where coalesce(rule -> 'groupIds', 'null') = 'null' or rule -> 'groupIds' ? coalesce(p.group_id, p.account_id)::text
  order by place limit 1) r`

/** Finds the account's connected shops that make a code for a partner at this moment. */
export const shopsMaking = (
  db: Queryable,
  accountId: string,
  { partnerId, when }: { partnerId: string; when: PromotionCodeRule['when'] },
) => db.many<{
  shopId: string
  rule: PromotionCodeRule
}>`
  select s.id as shop_id, r.rule from provider_shops s
    join partners p on p.account_id = ${accountId} and p.id = ${partnerId}
    cross join lateral ${ruleForPartner}
  where s.account_id = ${accountId} and r.rule ->> 'when' = ${when} and exists (
    select from provider_connections c where c.shop_id = s.id and c.disconnected_at is null)
  order by s.created_at, s.id`

/**
 * Finds the partners who joined while the shop of this connection was not connected, if it makes codes for new ones; and
 * those of the hour before, whose joining may have been handled only then.
 */
export const missedByShop = (db: Queryable, accountId: string, connectionId: string) => db.many<{
  partnerId: string
  shopId: string
  rule: PromotionCodeRule
}>`
  select p.id as partner_id, s.id as shop_id, r.rule
  from provider_connections c join provider_shops s on s.id = c.shop_id
    join partners p on p.account_id = ${accountId} and p.created_at <= c.created_at and p.created_at >= (
      select max(former.disconnected_at) - interval '1 hour' from provider_connections former where former.shop_id = s.id)
    cross join lateral ${ruleForPartner}
  where c.account_id = ${accountId} and c.id = ${connectionId} and c.disconnected_at is null
    and r.rule ->> 'when' = 'approval'
  order by p.created_at, p.id`

/** The partner's codes: usable ones, and those being made. */
export const codesOfPartner = (db: Queryable, accountId: string, partnerId: string) => db.one<{
  usable: number
  making: number
  failed: number
}>`
  select count(*) filter (where not t.pending) as usable,
    count(*) filter (where m.state = 'making') as making, count(*) filter (where m.state = 'failed') as failed
  from promotion_codes t left join made_codes m on m.account_id = t.account_id and m.id = t.id
  where t.account_id = ${accountId} and t.partner_id = ${partnerId}`
