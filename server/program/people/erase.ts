import type { Erasure, ErasurePreview } from '#contract/people.ts'
import { actorOf, type By } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { recorded } from '../../platform/events/happened.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { emptyLeads, lockPerson, personOf } from '../leads/erase-lead.ts'
import { type LeadIdentity, leadNameOf } from '../leads/lead-name.ts'
import { displayName } from '../partner-lookup/partner-names.ts'
import { erasureById } from './list-erasures.ts'
import { erasureQueue } from './queue.ts'
import type { Search } from './search.ts'
import { countStep, stepsOf, tracesOf } from './steps.ts'

type Known = LeadIdentity & { phoneE164: string | null }

const searchOf = (leads: Known[], payerEmails: string[]): Search => ({
  values: [
    ...new Set([
      ...leads.flatMap(({ email, phone, phoneE164, externalId }) => [email, phone, phoneE164, externalId]),
      ...payerEmails.map((email) => email.toLowerCase()),
    ]),
  ].filter((value) => value !== null),
  names: [
    ...new Set(
      leads.flatMap(({ firstName, lastName, company }) => [
        firstName && lastName ? `${firstName} ${lastName}` : null,
        company,
      ]),
    ),
  ].filter((value) => value !== null),
})

const payersOf = async (db: Queryable, accountId: string, leadIds: string[]) => {
  const rows = await db.many<{ payerEmail: string }>`
    select distinct payer_email from sales
    where account_id = ${accountId} and payer_email is not null
      and (lead_id = any(${leadIds}::uuid[]) or test_lead_id = any(${leadIds}::uuid[]))`
  return rows.map(({ payerEmail }) => payerEmail)
}

/** The last day on which a backup of today is kept; null if this install makes none. */
export function backupsUntil({ config: { backups } }: Pick<Install, 'config'>, now: Date): string | null {
  if (!backups) return null
  return new Date(now.getTime() + backups.everyHours * backups.keep * 3_600_000).toISOString().slice(0, 10)
}

/** Counts all that an erasure of this lead’s person would empty. Refuses: `not_found`. */
export async function previewLeadErasure(
  db: Queryable,
  install: Pick<Install, 'config'>,
  account: AccountFacts,
  id: string,
): Promise<ErasurePreview> {
  const leads = (await personOf(db, account.id, id)).filter((lead) => lead.erasedAt === null)
  const leadIds = leads.map((lead) => lead.id)
  const search = searchOf(leads, await payersOf(db, account.id, leadIds))
  const traces = await tracesOf(db, account.id, leadIds, search)
  const counts: Record<string, number> = {}
  for (const step of stepsOf(traces)) {
    const count = await countStep(db, traces, step)
    if (count > 0) counts[step.table] = count
  }
  return {
    subjects: leads.map((lead) => ({ type: 'lead', id: lead.id, displayName: leadNameOf(lead) })),
    untouched: await othersWith(db, account.id, search.values),
    counts,
    recordsUntil: null,
    backupsUntil: backupsUntil(install, db.now),
    blockers: [],
  }
}

/** Partners and people of the account with one of these e-mails: other roles, erased on their own. */
async function othersWith(db: Queryable, accountId: string, emails: string[]): Promise<ErasurePreview['untouched']> {
  type Other = {
    type: 'partner' | 'user'
    id: string
    firstName: string | null
    lastName: string | null
    email: string
  }
  const rows = await db.many<Other>`
    select 'partner' as type, id, first_name, last_name, email from partners
    where account_id = ${accountId} and email = any(${emails})
    union all
    select 'user', u.id, u.first_name, u.last_name, u.email from users u
    where u.email = any(${emails})
      and exists (select from user_roles r where r.user_id = u.id and r.account_id = ${accountId} and r.partner_id is null)
    order by 1, 2`
  return rows.map(({ type, id, ...person }) => ({ type, id, displayName: displayName(person) }))
}

/**
 * Erases the person of a lead: the lead and all that are the same person at once, every copy by a job. The same call
 * again returns the first erasure. Refuses: `not_found`.
 */
export async function eraseLead(
  tx: Transaction,
  { config, secrets, jobs }: Install & { jobs: Jobs },
  by: By,
  account: AccountFacts,
  id: string,
): Promise<Erasure> {
  const leads = await lockPerson(tx, account.id, id)
  const asked = leads.find((lead) => lead.id === id)
  if (!asked) throw notFound()
  if (asked.erasedAt) {
    const { id: erasureId } = await tx.one<{ id: string }>`
      select id from erasures where account_id = ${account.id} and ${id}::uuid = any(subject_ids) order by at, id limit 1`
    return erasureById(tx, account.id, erasureId)
  }
  const fresh = leads.filter((lead) => lead.erasedAt === null)
  const leadIds = fresh.map((lead) => lead.id)
  const search = searchOf(fresh, await payersOf(tx, account.id, leadIds))
  const erasureId = newId()
  const sealed = secrets.seal(JSON.stringify(search), placeOf(account.id, erasureId))
  await tx.run`
    insert into erasures (id, account_id, subject_type, subject_id, subject_ids, at, by, reason, counts, backups_until, search_sealed)
    values (${erasureId}, ${account.id}, 'lead', ${id}, ${leadIds}::uuid[], ${tx.now}, ${actorOf(by)}, 'asked',
      ${JSON.stringify({ leads: leadIds.length })}::jsonb, ${backupsUntil({ config }, tx.now)}::date, ${sealed})`
  await recorded(tx, by, account.id, 'erasure.asked', { id })
  await emptyLeads(tx, by, account, fresh)
  await jobs.add(tx, erasureQueue, { accountId: account.id, erasureId })
  return erasureById(tx, account.id, erasureId)
}

export const placeOf = (accountId: string, erasureId: string) => `erasures|search_sealed|${erasureId}|${accountId}`

export const openErasure = (tx: Transaction, accountId: string, erasureId: string) => tx.maybe<{
  subjectType: 'lead' | 'partner'
  subjectId: string
  subjectIds: string[]
  counts: Record<string, number>
  searchSealed: Buffer
}>`
  select subject_type, subject_id, subject_ids, counts, search_sealed from erasures t
  where ${sql`t.account_id = ${accountId} and t.id = ${erasureId}`} and not t.done for update`
