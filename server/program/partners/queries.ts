import type { InvitationStatus } from '#contract/accounts.ts'
import type { PartnerChange, PartnerState, TaxForm } from '#contract/partners.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

export type PartnerRow = {
  id: string
  accountId: string
  parentPartnerId: string | null
  firstName: string | null
  lastName: string | null
  email: string
  referralCode: string
  layerRatesPpm: number[] | null
  approvedPayoutYears: number[]
  /** As stored: without `invited`, which is derived. */
  storedState: 'active' | 'suspended' | 'archived'
  state: PartnerState
  stateReason: string | null
  taxForm: TaxForm | null
  invitedByPartnerId: string | null
  invitationStatus: InvitationStatus | null
  /** Somebody has accepted and signs in as this partner. */
  accepted: boolean
  createdOn: string
  createdAt: string
  updatedAt: string
}

/** Whether somebody has accepted: the role itself tells. */
export const accepted = sql`exists (select from user_roles role where role.partner_id = t.id)`
/** As shown: active, but not accepted yet, is `invited`. */
export const shownState = sql`(case when t.state = 'active' and not ${accepted} then 'invited' else t.state end)`

/** `now` decides whether an unanswered invitation has run out. */
export const partnerColumns = (now: Date): Sql => sql`
  t.id, t.account_id, t.parent_partner_id, t.first_name, t.last_name, t.email, t.referral_code, t.layer_rates_ppm,
  t.approved_payout_years, t.state as stored_state, ${shownState} as state, t.state_reason, t.tax_form,
  t.invited_by_partner_id, ${accepted} as accepted, t.created_on, t.created_at, t.updated_at,
  (case when i.status in ('accepted', 'revoked') or i.expires_at > ${now} then i.status
    when i.status is not null then 'expired' end) as invitation_status`

export const partnerTables = sql`partners t left join invitations i on i.kind = 'partner' and i.partner_id = t.id`

export const partnerById = (db: Queryable, accountId: string, id: string) => db.maybe<PartnerRow>`
  select ${partnerColumns(db.now)} from ${partnerTables} where t.account_id = ${accountId} and t.id = ${id}`

/**
 * Partners of one account change one after the other, so that two moves never make a circle. Rows that refer to the
 * account go on meanwhile.
 */
export const lockPartnersOf = (tx: Transaction, accountId: string) =>
  tx.one`select id from accounts where id = ${accountId} for no key update`

export const lockPartner = (tx: Transaction, id: string) =>
  tx.maybe`select id from partners where id = ${id} for update`

export const idByEmail = (db: Queryable, accountId: string, email: string) => db.maybe<{ id: string }>`
  select id from partners where account_id = ${accountId} and email = ${email}`

export const insertPartner = (
  tx: Transaction,
  partner: {
    id: string
    accountId: string
    parentPartnerId: string | null
    firstName: string | null
    lastName: string | null
    email: string
    referralCode: string
    layerRatesPpm: number[] | null
    invitedByPartnerId: string | null
    createdOn: string
  },
) => tx.run`
  insert into partners (id, account_id, parent_partner_id, first_name, last_name, email, referral_code, layer_rates_ppm,
    invited_by_partner_id, created_on, created_at, updated_at)
  values (${partner.id}, ${partner.accountId}, ${partner.parentPartnerId}, ${partner.firstName}, ${partner.lastName},
    ${partner.email}, ${partner.referralCode}, ${partner.layerRatesPpm}, ${partner.invitedByPartnerId},
    ${partner.createdOn}, ${tx.now}, ${tx.now})`

/** What a change of a partner writes; what is left undefined keeps its value. */
export type PartnerUpdate = Pick<
  PartnerChange,
  'firstName' | 'lastName' | 'email' | 'referralCode' | 'approvedPayoutYears' | 'taxForm'
> & {
  parentPartnerId?: string | null | undefined
  layerRatesPpm?: number[] | null | undefined
  storedState?: PartnerRow['storedState'] | undefined
  stateReason?: string | null | undefined
  /** Why the balance was voided: what a payout gives back afterwards is voided for the same reason. */
  voidReason?: string | null | undefined
}

export const updatePartner = (tx: Transaction, id: string, change: PartnerUpdate) => {
  const given = JSON.stringify({
    first_name: change.firstName,
    last_name: change.lastName,
    email: change.email,
    referral_code: change.referralCode,
    layer_rates_ppm: change.layerRatesPpm,
    approved_payout_years: change.approvedPayoutYears,
    parent_partner_id: change.parentPartnerId,
    tax_form: change.taxForm,
    state: change.storedState,
    state_reason: change.stateReason,
    void_reason: change.voidReason,
  })
  // populate_record keeps what the object does not name, and casts what it does
  return tx.run`
    update partners t
    set (first_name, last_name, email, referral_code, layer_rates_ppm, approved_payout_years, parent_partner_id, tax_form,
        state, state_reason, void_reason, updated_at) =
      (select r.first_name, r.last_name, r.email, r.referral_code, r.layer_rates_ppm, r.approved_payout_years,
        r.parent_partner_id, r.tax_form, r.state, r.state_reason, r.void_reason, ${tx.now}::timestamptz
      from jsonb_populate_record(t, ${given}::jsonb) r)
    where t.id = ${id}`
}

/** Who has each of these codes, as present code or alias. */
export const ownersOfCodes = (db: Queryable, accountId: string, codes: string[]) =>
  db.many<{ code: string; partnerId: string }>`
    select code, partner_id from referral_codes where account_id = ${accountId} and code = any(${codes})`

export const insertCode = (tx: Transaction, accountId: string, partnerId: string, code: string) => tx.run`
  insert into referral_codes (account_id, code, partner_id, created_at)
  values (${accountId}, ${code}, ${partnerId}, ${tx.now})
  on conflict (account_id, code) do nothing`

export const ownerOfCode = (db: Queryable, accountId: string, code: string) =>
  db.maybe<{ id: string; state: PartnerRow['storedState'] }>`
    select p.id, p.state from referral_codes c join partners p on p.id = c.partner_id
    where c.account_id = ${accountId} and c.code = ${code}`

export const stateOf = (db: Queryable, accountId: string, id: string) =>
  db.maybe<{ id: string; state: PartnerRow['storedState'] }>`
    select id, state from partners where account_id = ${accountId} and id = ${id}`

/** The partner and everyone above, nearest first. */
export const lineAbove = (db: Queryable, id: string) => db.many<{ id: string }>`
  with recursive line as (
    select id, parent_partner_id, 1 as level from partners where id = ${id}
    union all
    select p.id, p.parent_partner_id, line.level + 1 from partners p join line on p.id = line.parent_partner_id
    where line.level < 100
  )
  select id from line order by level`

/** How many levels the partner and those below are: 1 without sub-partners. */
export const heightOf = async (db: Queryable, id: string) => {
  const { height } = await db.one<{ height: number }>`
    with recursive below as (
      select id, account_id, 1 as level from partners where id = ${id}
      union all
      select p.id, p.account_id, below.level + 1
      from partners p join below on p.parent_partner_id = below.id and p.account_id = below.account_id
      where below.level < 100
    )
    select max(level) as height from below`
  return height
}

export const directSubPartners = (db: Queryable, accountId: string, id: string) =>
  db.many<{ id: string; createdOn: string }>`
    select id, created_on from partners where account_id = ${accountId} and parent_partner_id = ${id} order by id`

export const moveSubPartners = (tx: Transaction, accountId: string, from: string, to: string | null) => tx.run`
  update partners set parent_partner_id = ${to}, updated_at = ${tx.now}
  where account_id = ${accountId} and parent_partner_id = ${from}`

/** What makes a partner more than a name: with any of it he is archived, never deleted. */
export const historyOf = (db: Queryable, accountId: string, id: string) =>
  db.one<{ leads: number; sales: number; payouts: number; subPartners: number; commissions: number }>`
    select
      (select count(*) from leads where account_id = ${accountId} and partner_id = ${id}) as leads,
      (select count(*) from sales where account_id = ${accountId} and partner_id = ${id}) as sales,
      (select count(*) from payouts where account_id = ${accountId} and partner_id = ${id}) as payouts,
      (select count(*) from partners where account_id = ${accountId} and parent_partner_id = ${id}) as sub_partners,
      (select count(*) from commission_entries where partner_id = ${id}) as commissions`

/** Clicks stay in the account's and the blueprint's figures, without him; what is his alone goes. */
export async function deletePartnerRows(tx: Transaction, accountId: string, id: string) {
  await tx.run`update clicks set partner_id = null where partner_id = ${id}`
  await tx.run`delete from day_stats where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from total_stats where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from payout_settings where partner_id = ${id}`
  await tx.run`delete from partners where id = ${id}`
}

/** How many partners an account has, or sub-partners a partner, from the roll-up. */
export const numberOfPartners = async (db: Queryable, accountId: string, parentId: string | null) => {
  const row = await db.maybe<{ partners: number }>`
    select partners from total_stats
    where account_id = ${accountId} and partner_id = ${parentId ?? NIL} and blueprint_id = ${NIL}`
  return row?.partners ?? 0
}
