import type { LeadStatus } from '#contract/leads.ts'
import type { Author } from '../../platform/author.ts'
import { eachAccount, rowsByKeySql } from '../../platform/database/by-key.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { type Access, readAccountIds, type WholeView } from '../access/access.ts'
import { count } from '../stats/count.ts'
import { emitLeadEvents } from './emit-lead-events.ts'
import { formatLeadName, type LeadIdentity, namesFor } from './lead-name.ts'
import { payForLeads } from './lead-pay.ts'
import { type LeadPerson, leadColumns, lockLeadsOfPeople, lockNames } from './queries.ts'
import { leadPhrases } from './text.ts'

/** The fields of a lead that other rooms need to book for it. */
export type LeadFacts = LeadIdentity & {
  accountId: string
  partnerId: string | null
  blueprintId: string | null
  linkId: string | null
  status: LeadStatus
  statusReason: string | null
  createdOn: string
  attributedAt: string
  /**
   * The visit it came from has the network at which a person of its partner was signed in that day, and no sale that was
   * found to be a self-referral has been released since.
   */
  ownVisit: boolean
}

/**
 * Columns of {@link LeadFacts}, from leads `t` of these accounts. Without partner and link for a rejected lead, so that
 * bookings credit no partner.
 */
export function leadFacts(accountIds: string[]): Sql {
  const account = eachAccount(accountIds, sql`t.account_id`)
  return sql`id, account_id, case when status <> 'rejected' then partner_id end as partner_id,
    case when status <> 'rejected' then blueprint_id end as blueprint_id,
    case when status <> 'rejected' then link_id end as link_id, status, status_reason, first_name, last_name, company, email,
    phone, external_id, erased_at, created_on, coalesce(attributed_at, created_at) as attributed_at,
    t.click_id is not null and t.partner_id is not null
      and ${ownVisit(account, { click: sql`t.click_id`, partner: sql`t.partner_id`, lead: sql`t.id` })} as own_visit`
}

/**
 * Whether a partner's click has the network at which one of its people was signed in that day, and no sale of this lead
 * that was found to be a self-referral has been released since.
 */
export const ownVisit = (account: Sql, { click, partner, lead }: { click: Sql; partner: Sql; lead: Sql }) => sql`
    exists (
      select from clicks k cross join lateral (
          select from member_visits v
          where v.account_id = ${account} and v.partner_id = ${partner} and v.visitor_hash = k.ip_hash limit 1) v
      where k.account_id = ${account} and k.id = ${click} and k.partner_id = ${partner}
    ) and not exists (
      select from sales s join fraud_cases c on c.account_id = ${account} and c.sale_id = s.id
      where s.account_id = ${account} and s.lead_id = ${lead} and c.partner_id = ${partner} and c.decision = 'released'
        and c.findings @> '[{"rule": "self-referral"}]')`

/**
 * Locks these leads in the order of their ids until the transaction ends, so that two groups never wait for each other
 * in a circle. Leads that do not exist are left out.
 */
export const lockLeads = (tx: Transaction, accountIds: string[], ids: string[]) => tx.many<LeadFacts>`
  select ${leadFacts(accountIds)} from ${rowsByKeySql(sql`leads`, accountIds, ids, { lock: sql`for no key update` })}`

type Moved = {
  id: string
  accountId: string
  partnerId: string | null
  blueprintId: string | null
  linkId: string | null
  createdOn: string
  was: LeadStatus
}

/** A lead whose status changes because of its sales, and the author of that. */
type Mover = { accountId: string; leadId: string; by: Author }

/** Marks leads as won in any status but rejected, since they have a sale. A duplicate counts as a lead from now on. */
export async function markWon(tx: Transaction, won: Mover[]): Promise<void> {
  const moved = await tx.many<Moved>`
    with before as materialized (
      select account_id, id, status from ${lockedAmong(won, sql`status not in ('won', 'rejected')`)}
    )
    update leads l set status = 'won', status_reason = null, duplicate_of_id = null, updated_at = ${tx.now}
    from before where l.account_id = ${eachAccount(accountsOf(won), sql`before.account_id`)} and l.id = before.id
    returning l.id, l.account_id, l.partner_id, l.blueprint_id, l.link_id, l.created_on, before.status as was`
  await payOf(tx, won, moved)
  await emitStatusChanges(tx, won, moved, { status: 'won', text: leadPhrases.lines.wonBySale })
  const counted = moved.filter((lead) => lead.was === 'duplicate')
  await count(
    tx,
    counted.map(({ accountId, partnerId, blueprintId, linkId, createdOn }) => ({
      accountId,
      partnerId,
      blueprintId,
      linkId,
      day: createdOn,
      leads: 1,
    })),
  )
}

/** Marks won leads as qualified again: all their payments were refunded. */
export async function markUnwon(tx: Transaction, unwon: Mover[]): Promise<void> {
  const moved = await tx.many<Moved>`
    with before as materialized (
      select account_id, id, status from ${lockedAmong(unwon, sql`status = 'won'`)}
    )
    update leads l set status = 'qualified', updated_at = ${tx.now}
    from before where l.account_id = ${eachAccount(accountsOf(unwon), sql`before.account_id`)} and l.id = before.id
    returning l.id, l.account_id, l.partner_id, l.blueprint_id, l.link_id, l.created_on, before.status as was`
  await payOf(tx, unwon, moved)
  await emitStatusChanges(tx, unwon, moved, { status: 'qualified', text: leadPhrases.lines.allRefunded })
}

const accountsOf = (movers: Mover[]) => movers.map(({ accountId }) => accountId)

const lockedAmong = (movers: Mover[], only: Sql) => {
  const ids = movers.map(({ leadId }) => leadId)
  return rowsByKeySql(sql`leads`, accountsOf(movers), ids, { only, lock: sql`for no key update` })
}

/** Returns the first mover of each lead: it may have been named more than once. */
const firstOf = (movers: Mover[]) => new Map(movers.toReversed().map(({ leadId, by }) => [leadId, by]))

function payOf(tx: Transaction, movers: Mover[], moved: Moved[]) {
  const first = firstOf(movers)
  return payForLeads(
    tx,
    moved.map(({ id, accountId, was }) => ({ accountId, id, was, by: first.get(id)! })),
  )
}

/** Sends an event for each lead, with its first mover as author. */
function emitStatusChanges(
  tx: Transaction,
  movers: Mover[],
  moved: Moved[],
  { status, text }: { status: LeadStatus; text: string },
) {
  const first = firstOf(movers)
  return emitLeadEvents(
    tx,
    moved.map(({ id, accountId, was }) => ({
      by: first.get(id)!,
      accountId,
      type: 'lead.status-changed',
      id,
      changes: { status: { old: was, new: status } },
      lines: [{ type: 'status', text, shared: true }],
    })),
  )
}

/** Returns names of leads by id, as this reader may see them; a partner sees none of another partner's. */
export async function leadNames(
  db: Queryable,
  reader: Pick<Access, 'as' | 'partnerId' | 'account' | 'language'> | WholeView,
  ids: (string | null)[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const theirs = reader.partnerId ? sql`t.partner_id = ${reader.partnerId}` : sql`true`
  const rows = await db.many<LeadIdentity & { status: LeadStatus }>`
    select ${leadColumns} from ${rowsByKeySql(sql`leads`, readAccountIds(reader), wanted)} where ${theirs}`
  return reader.partnerId ? namesFor(db, reader, rows) : new Map(rows.map((row) => [row.id, formatLeadName(row)]))
}

/** Finds the account's lead with this external id if it has another e-mail. */
export const ownerOfId = (
  db: Queryable,
  accountId: string,
  { email, externalId }: { email: string; externalId: string },
) =>
  db.maybe<{ id: string; email: string; phoneE164: string | null }>`
    select id, email, phone_e164 from leads
    where account_id = ${accountId} and external_id = ${externalId} and email <> ${email.trim().toLowerCase()} limit 1`

/**
 * Finds the account's lead with this external id, else the latest original one with this e-mail; undefined if there is
 * none.
 */
export async function findLeadBy(
  db: Queryable,
  accountId: string,
  { externalId, email }: { externalId: string | null; email: string | null },
): Promise<{ id: string; status: LeadStatus } | undefined> {
  return db.maybe<{ id: string; status: LeadStatus }>`
    select id, status from leads
    where account_id = ${accountId} and status <> 'duplicate'
      and (external_id = ${externalId} or (${externalId}::text is null and email = ${email?.trim().toLowerCase() ?? null}))
    order by created_at desc limit 1`
}

/**
 * Locks these people of these accounts with their leads, and the leads with these ids: all at once, before anything of
 * theirs is written or counted, so that two lists never wait for each other in a circle.
 */
export async function lockPeople(tx: Transaction, accountIds: string[], people: LeadPerson[], leadIds: string[] = []) {
  await lockNames(tx, people)
  await lockLeadsOfPeople(tx, accountIds, people, leadIds)
}

export { findNoRewards } from './queries.ts'
