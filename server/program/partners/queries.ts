import type { InvitationStatus } from '#contract/auth.ts'
import {
  type OwnMethod,
  ownersTexts,
  type PartnerState,
  partnerTexts,
  type TaxForm,
  type TaxFormSource,
} from '#contract/partners.ts'
import { eachField } from '#contract/values.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { acceptedVersion } from '../agreement/accepted.ts'

export const partnerTable = table('partners', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  parentPartnerId: c.uuid.null(),
  ...eachField({ ...partnerTexts, ...ownersTexts }, c.text().null()),
  email: c.text(),
  externalId: c.text().null(),
  language: c.text().null(),
  referralCode: c.text(),
  layerRatesPpm: c.integers.null(),
  /** Null: the default group. */
  groupId: c.uuid.null().fixed(),
  keepInGroup: c.boolean,
  approvedPayoutYears: c.integers,
  /** The stored state, without `invited`, which is derived. */
  storedState: c.text<'active' | 'suspended' | 'archived'>().named('state'),
  stateReason: c.text().null(),
  /** Why the balance was voided: amounts returned by payouts later are voided for the same reason. */
  voidReason: c.text().null(),
  /** An owner's record has no source, as before partners could sign. */
  taxForm: c.json<TaxForm & { source?: TaxFormSource }>().null(),
  payoutMethod: c.text<OwnMethod>().null(),
  invitedByPartnerId: c.uuid.null().fixed(),
  erasedAt: c.instant.null().fixed(),
  createdOn: c.date.fixed(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

export type PartnerRow = RowOf<typeof partnerTable> & {
  groupName: string | null
  groupRatesPpm: number[] | null
  state: PartnerState
  invitationStatus: InvitationStatus | null
  agreementVersion: number | null
  /** The end of the tax number on the partner's latest form. */
  tinLast4: string | null
  /** Other codes that credit the partner, the oldest first. */
  earlierCodes: string[]
  /** A person has accepted, even if all people have left since. */
  accepted: boolean
}

/** Whether a person has the role. */
const hasPeople = sql`exists (select from user_roles role where role.partner_id = t.id)`
/** Whether a person has the role or had it: names and e-mail are the partner's own from then on. */
export const hadPeople = sql`(${hasPeople} or exists (
  select from invitations v where v.partner_id = t.id and v.status = 'accepted'))`
/** The displayed state: active without people is `invited`. */
export const shownState = sql`(case when t.state = 'active' and not ${hasPeople} then 'invited' else t.state end)`

/** `now` decides whether an unanswered invitation has expired. */
export const partnerColumns = (now: Date): Sql => sql`
  ${partnerTable.from('t')}, ${acceptedVersion} as agreement_version, ${shownState} as state, ${hadPeople} as accepted,
  (select f.tin_last4 from tax_forms f
    where f.account_id = t.account_id and f.partner_id = t.id and f.replaced_at is null) as tin_last4,
  array(select k.code from referral_codes k
    where k.account_id = t.account_id and k.partner_id = t.id and k.code <> t.referral_code
    order by k.created_at, k.code collate "C") as earlier_codes,
  g.name as group_name, g.layer_rates_ppm as group_rates_ppm,
  (case when i.status in ('accepted', 'revoked') or i.expires_at > ${now} then i.status
    when i.status is not null then 'expired' end) as invitation_status`

export const joinsOfPartner = sql`left join invitations i on i.kind = 'partner' and i.partner_id = t.id
  left join groups g on g.account_id = t.account_id and g.id = coalesce(t.group_id, t.account_id)`

export const partnerById = (db: Queryable, accountId: string, id: string) => db.maybe<PartnerRow>`
  select ${partnerColumns(db.now)} from partners t ${joinsOfPartner} where t.account_id = ${accountId} and t.id = ${id}`

export const partnersByIds = (db: Queryable, accountId: string, ids: string[]) => db.many<PartnerRow>`
  select ${partnerColumns(db.now)} from partners t ${joinsOfPartner}
  where t.account_id = ${accountId} and t.id = any(${ids}::uuid[]) order by t.id`

/** Adds or removes a year in which these partners may be paid; returns the changed ones. */
export const approveYear = (
  tx: Transaction,
  accountId: string,
  ids: string[],
  { year, approved }: { year: number; approved: boolean },
) => tx.many<{ id: string; old: number[]; new: number[] }>`
  with before as (
    select id, approved_payout_years as old from partners
    where account_id = ${accountId} and id = any(${ids}::uuid[])
      and (${year}::integer = any(approved_payout_years)) <> ${approved}
    order by id for no key update
  )
  update partners p
  set updated_at = ${tx.now}, approved_payout_years = case when ${approved}
    then (select array_agg(y order by y) from unnest(b.old || ${year}::integer) y)
    else array_remove(b.old, ${year}::integer) end
  from before b where p.account_id = ${accountId} and p.id = b.id
  returning p.id, b.old, p.approved_payout_years as new`

/**
 * Serializes changes of an account's partners, so that two moves never form a circle, and keeps bookings out. Does not
 * block inserts of rows that refer to the account.
 */
export const lockAccountPartners = blockBookings

export const lockPartner = (tx: Transaction, accountId: string, id: string) =>
  tx.maybe`select id from partners where account_id = ${accountId} and id = ${id} for update`

export const idByEmail = (db: Queryable, accountId: string, email: string) => db.maybe<{ id: string }>`
  select id from partners where account_id = ${accountId} and email = ${email}`

export const idByExternalId = (db: Queryable, accountId: string, externalId: string) => db.maybe<{ id: string }>`
  select id from partners where account_id = ${accountId} and external_id = ${externalId}`

/** Ends the form that the partner signed, for what an owner recorded instead. */
export const replaceSignedForm = (tx: Transaction, accountId: string, id: string) => tx.run`
  update tax_forms set replaced_at = ${tx.now}
  where account_id = ${accountId} and partner_id = ${id} and replaced_at is null`

/** Begins or ends the period of a pause after a change of the state. */
export const writePause = (tx: Transaction, accountId: string, id: string) => tx.run`
  update partners set paused = case
    when state = 'active' then paused * tstzmultirange(tstzrange(null, ${tx.now}))
    else paused + tstzmultirange(tstzrange(${tx.now}, null)) end
  where account_id = ${accountId} and id = ${id}`

/** Returns the partner of each of these codes, current or alias. */
export const ownersOfCodes = (db: Queryable, accountId: string, codes: string[]) =>
  db.many<{ code: string; partnerId: string }>`
    select code, partner_id from referral_codes where account_id = ${accountId} and code = any(${codes})`

/** In the order of the codes, so that concurrent inserts of several never wait for each other. */
export const insertCodes = (tx: Transaction, accountId: string, partnerId: string, codes: string[]) => tx.run`
  insert into referral_codes (account_id, code, partner_id, created_at)
  select ${accountId}::uuid, code, ${partnerId}::uuid, ${tx.now} from unnest(${codes.toSorted()}::text[]) as given (code)
  on conflict (account_id, code) do nothing`

export const deleteCodes = (tx: Transaction, accountId: string, partnerId: string, codes: string[]) => tx.run`
  delete from referral_codes
  where account_id = ${accountId} and partner_id = ${partnerId} and code = any(${codes}::text[])`

/** Returns the partner and all ancestors, nearest first. */
export const lineAbove = (db: Queryable, accountId: string, id: string) => db.many<{ id: string }>`
  with recursive line as (
    select id, parent_partner_id, 1 as level from partners where account_id = ${accountId} and id = ${id}
    union all
    select p.id, p.parent_partner_id, line.level + 1
    from line cross join lateral (
      select * from partners where account_id = ${accountId} and id = line.parent_partner_id offset 0) p
    where line.level < 100
  )
  select id from line order by level`

/** Returns the number of levels of the partner's subtree: 1 without sub-partners. */
export const getSubtreeHeight = async (db: Queryable, accountId: string, id: string) => {
  const { height } = await db.one<{ height: number }>`
    with recursive below as (
      select id, 1 as level from partners where account_id = ${accountId} and id = ${id}
      union all
      select p.id, below.level + 1
      from partners p join below on p.account_id = ${accountId} and p.parent_partner_id = below.id
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

/** Counts a partner's history: one with any is archived, never deleted. */
export const countHistory = (db: Queryable, accountId: string, id: string) =>
  db.one<{
    leads: number
    sales: number
    payouts: number
    subPartners: number
    commissions: number
    acceptances: number
    invoiceDetails: number
  }>`
    select
      (select count(*) from leads where account_id = ${accountId} and partner_id = ${id}) as leads,
      (select count(*) from sales where account_id = ${accountId} and partner_id = ${id}) as sales,
      (select count(*) from payouts where account_id = ${accountId} and partner_id = ${id}) as payouts,
      (select count(*) from partners where account_id = ${accountId} and parent_partner_id = ${id}) as sub_partners,
      (select count(*) from commission_entries where account_id = ${accountId} and partner_id = ${id}) as commissions,
      (select count(*) from agreement_acceptances where account_id = ${accountId} and partner_id = ${id}) as acceptances,
      (select count(*) from invoice_details where account_id = ${accountId} and partner_id = ${id}) as invoice_details`

/**
 * Deletes the partner's own rows. Clicks stay, also in the account's and the blueprint's figures, without their
 * partner; so do sales of former sub-partners, of which later facts could earn them a share.
 */
export async function deletePartnerRows(tx: Transaction, accountId: string, id: string) {
  // only partners with figures ever had sub-partners; without an index, the search reads all sales of the account
  await tx.run`
    update sales set credit = jsonb_set(credit, '{line}', (
      select jsonb_agg(case when one ->> 'partnerId' = ${id}::text then one || '{"partnerId": null}' else one end order by place)
      from jsonb_array_elements(credit -> 'line') with ordinality as l (one, place)))
    where account_id = ${accountId} and exists (
        select from total_stats where account_id = ${accountId} and partner_id = ${id} and blueprint_id = ${NIL})
      and credit @> ${JSON.stringify({ line: [{ partnerId: id }] })}::jsonb`
  await tx.run`delete from day_stats where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from month_stats where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from total_stats where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`
    delete from link_totals where account_id = ${accountId} and link_id = any(array(
      select id from partner_links where account_id = ${accountId} and partner_id = ${id}))`
  await tx.run`delete from partner_links where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from payout_settings where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from partner_customers where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from tax_forms where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from invitations where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from user_roles where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from announcement_readers where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`delete from applications where account_id = ${accountId} and partner_id = ${id}`
  await tx.run`
    update applications set parent_partner_id = null where account_id = ${accountId} and parent_partner_id = ${id}`
  await retireMadeCodes(tx, accountId, id)
  await tx.run`delete from partners where account_id = ${accountId} and id = ${id}`
}

/** Returns the number of an account's partners, or of a partner's sub-partners, from the roll-up. */
export const numberOfPartners = async (db: Queryable, accountId: string, parentId: string | null) => {
  const row = await db.maybe<{ partners: number }>`
    select partners from total_stats
    where account_id = ${accountId} and partner_id = ${parentId ?? NIL} and blueprint_id = ${NIL}`
  return row?.partners ?? 0
}

/** Schedules the partner's codes made at a provider to be turned off there for good. */
export const retireMadeCodes = (tx: Transaction, accountId: string, partnerId: string) => tx.run`
  update made_codes set removed_at = ${tx.now}, next_at = ${tx.now}
  where account_id = ${accountId} and partner_id = ${partnerId} and removed_at is null`
