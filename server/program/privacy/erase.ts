import { bothNames } from '#contract/former-names.ts'
import { moneyInWords } from '#contract/money.ts'
import type { Erasure, ErasurePreview } from '#contract/privacy.ts'
import { type Author, system, toActor } from '../../platform/author.ts'
import type { Search, Traces } from '../../platform/database/declare-tables.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, type Refusal, refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { erasePartnerPeople } from '../auth/erase-users.ts'
import { emptyLeads, type LeadRow, listLeadsOfPerson, lockPerson } from '../leads/erase-lead.ts'
import { formatLeadName, type LeadIdentity } from '../leads/lead-name.ts'
import { isWinning } from '../leads/payment-time.ts'
import { displayName } from '../partner-directory/partner-names.ts'
import {
  emptyPartner,
  lockForErasure,
  type PartnerRow,
  findPartnerRow as partnerById,
} from '../partners/erase-partner.ts'
import { getBalances } from '../payouts/balances.ts'
import { emptyPayee, recordsUntil } from '../payouts/payees.ts'
import { saveMatchedRules } from '../sales/keep-rules.ts'
import { erasureById } from './list-erasures.ts'
import { erasureQueue } from './queue.ts'
import { isTelling } from './search.ts'
import { personErased } from './signals.ts'
import { countTraces, listErasureSteps, tracesOfLeads, tracesOfPartner } from './steps.ts'

export type Erasing = Install & { jobs: Jobs }
type Known = LeadIdentity & { phoneE164: string | null }

export const buildSearch = (leads: Known[], payerEmails: string[]): Search => {
  const externalIds = present(leads.map(({ externalId }) => externalId))
  return {
    values: present([
      ...leads.flatMap(({ email, phone, phoneE164 }) => [email, phone, phoneE164]),
      ...externalIds.filter(isTelling),
      ...payerEmails.map((email) => email.toLowerCase()),
    ]),
    ids: externalIds.filter((id) => !isTelling(id)),
    names: present(
      leads.map(({ firstName, lastName, company }) => (firstName && lastName ? `${firstName} ${lastName}` : company)),
    ),
  }
}

const present = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))]

export const listPayerEmails = async (db: Queryable, accountId: string, leadIds: string[]) =>
  (await payersByLead(db, accountId, leadIds)).map(({ payerEmail }) => payerEmail)

const payersByLead = (db: Queryable, accountId: string, leadIds: string[]) => db.many<{
  leadId: string
  payerEmail: string
}>`
  select distinct coalesce(lead_id, test_lead_id) as lead_id, payer_email from sales
  where account_id = ${accountId} and payer_email is not null
    and (lead_id = any(${leadIds}::uuid[]) or test_lead_id = any(${leadIds}::uuid[]))`

/** The last day on which a backup of today is kept; null if this install makes none. */
export function backupsUntil({ config: { backups } }: Pick<Install, 'config'>, now: Date): string | null {
  if (!backups) return null
  return new Date(now.getTime() + backups.everyHours * backups.keep * 3_600_000).toISOString().slice(0, 10)
}

/** Counts all that an erasure of this lead’s person would empty. */
export async function previewLeadErasure(
  db: Queryable,
  install: Pick<Install, 'config'>,
  account: AccountFacts,
  id: string,
): Promise<ErasurePreview> {
  const leads = (await listLeadsOfPerson(db, account.id, id)).filter((lead) => lead.erasedAt === null)
  const leadIds = leads.map((lead) => lead.id)
  const search = buildSearch(leads, await listPayerEmails(db, account.id, leadIds))
  return {
    subjects: leads.map((lead) => ({ type: 'lead', id: lead.id, displayName: formatLeadName(lead) })),
    ...bothNames('unaffected', await othersWith(db, account.id, search.values)),
    counts: await countsOf(db, await tracesOfLeads(db, account.id, leadIds, search)),
    recordsUntil: null,
    backupsUntil: backupsUntil(install, db.now),
    blockers: [],
  }
}

/** Leaves out copies that are found by text alone: reading whole tables would let an owner hold up the database. */
async function countsOf(db: Queryable, traces: Traces): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const step of listErasureSteps(traces).filter(({ scanned }) => !scanned)) {
    const count = await countTraces(db, traces, step)
    if (count > 0) counts[step.table] = count
  }
  return counts
}

/** Partners and people of the account with one of these e-mails: other roles, erased on their own. */
async function othersWith(db: Queryable, accountId: string, emails: string[]): Promise<ErasurePreview['unaffected']> {
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
  install: Erasing,
  by: Author,
  account: AccountFacts,
  id: string,
): Promise<Erasure> {
  const leads = await lockPerson(tx, account.id, id)
  const requestedLead = leads.find((lead) => lead.id === id)
  if (!requestedLead) throw notFound()
  if (requestedLead.erasedAt) return firstErasure(tx, account.id, id)
  const fresh = leads.filter((lead) => lead.erasedAt === null)
  const leadIds = fresh.map((lead) => lead.id)
  const search = buildSearch(fresh, await listPayerEmails(tx, account.id, leadIds))
  await saveMatchedRules(tx, account.id, (await tracesOfLeads(tx, account.id, leadIds, search)).saleIds)
  await emptyLeads(tx, by, account, fresh)
  const subject = { type: 'lead' as const, id, ids: leadIds, recordsUntil: null, counts: { leads: leadIds.length } }
  return begin(tx, install, by, account.id, subject, search)
}

const firstErasure = async (tx: Transaction, accountId: string, id: string) =>
  erasureById(
    tx,
    accountId,
    await tx.value<string>`
      select id from erasures where account_id = ${accountId} and ${id}::uuid = any(subject_ids) order by at, id limit 1`,
  )

type Subject = {
  type: 'lead' | 'partner'
  id: string
  ids: string[]
  recordsUntil: string | null
  counts: Record<string, number>
}

/** Records a requested erasure, notifies the owners, and starts the job that empties every copy. */
async function begin(
  tx: Transaction,
  install: Erasing,
  by: Author,
  accountId: string,
  subject: Subject,
  search: Search,
): Promise<Erasure> {
  const erasureId = newId()
  await recordErasure(tx, install, accountId, { ...subject, erasureId, at: tx.now, by: toActor(by), search })
  await recordActivity(tx, by, accountId, 'erasure.asked', { id: subject.id, of: subject.type })
  await sendSignal(tx, accountId, personErased, { erasureId })
  await startErasure(tx, install, accountId, [erasureId])
  return erasureById(tx, accountId, erasureId)
}

type Recorded = Subject & { erasureId: string; at: Date | string; by: string | null; search: Search }

/** Starts the job that empties every copy of these people: leads, or one partner. */
export const startErasure = (
  tx: Transaction,
  { jobs }: Pick<Erasing, 'jobs'>,
  accountId: string,
  erasureIds: string[],
) => jobs.add(tx, erasureQueue, { accountId, erasureIds })

/** Stores an erasure whose subject is emptied already; `by` is null for the account's retention. */
export async function recordErasure(
  tx: Transaction,
  { config, secrets }: Pick<Erasing, 'config' | 'secrets'>,
  accountId: string,
  { type, id, ids, recordsUntil, counts, erasureId, at, by, search }: Recorded,
): Promise<void> {
  const sealed = secrets.seal(JSON.stringify(search), searchPlace(accountId, erasureId))
  await tx.run`
    insert into erasures (id, account_id, subject_type, subject_id, subject_ids, at, by, reason, counts, records_until,
      backups_until, search_sealed)
    values (${erasureId}, ${accountId}, ${type}, ${id}, ${ids}::uuid[], ${at}, ${by}, ${by === null ? 'retention' : 'asked'},
      ${JSON.stringify(counts)}::jsonb, ${recordsUntil}::date, ${backupsUntil({ config }, tx.now)}::date, ${sealed})`
}

/**
 * Erases people by the account's retention: one erasure each, and one job for the copies of all, because it reads whole
 * tables. No mail is sent, since the setting requested it.
 */
export async function eraseByRetention(
  tx: Transaction,
  install: Erasing,
  account: AccountFacts,
  people: LeadRow[][],
): Promise<void> {
  const leads = people.flat()
  if (leads.length === 0) return
  const payers = await payersByLead(
    tx,
    account.id,
    leads.map(({ id }) => id),
  )
  await emptyLeads(tx, system, account, leads)
  const erasureIds: string[] = []
  for (const person of people) {
    const ids = person.map(({ id }) => id)
    const emails = payers.filter(({ leadId }) => ids.includes(leadId)).map(({ payerEmail }) => payerEmail)
    const subject = { type: 'lead' as const, id: ids[0]!, ids, recordsUntil: null, counts: { leads: ids.length } }
    const erasureId = newId()
    const search = buildSearch(person, emails)
    await recordErasure(tx, install, account.id, { ...subject, erasureId, at: tx.now, by: null, search })
    erasureIds.push(erasureId)
  }
  await startErasure(tx, install, account.id, erasureIds)
}

/** Returns why a partner may not be erased yet. */
async function blockersOf(db: Queryable, account: AccountFacts, partner: PartnerRow): Promise<Refusal[]> {
  const blockers: Refusal[] = []
  if (partner.storedState !== 'archived') blockers.push(refusal('partner_not_archived'))
  const parts = (await getBalances(db, account, [partner.id])).get(partner.id)
  // the entries of a returned payout are in the balance until its money is back
  const { moving } = await db.one<{ moving: number }>`
    select count(*) as moving from payouts
    where account_id = ${account.id} and partner_id = ${partner.id}
      and status not in ('paid', 'returned', 'canceled', 'gathering')`
  const { held = 0, due = 0, onHold = 0, inPayout = 0 } = parts ?? {}
  const open = [held, due, onHold, inPayout]
  if (open.some((amount) => amount !== 0) || moving > 0) {
    const sum = open.reduce((all, one) => all + one, 0)
    // a voided balance and what a case still holds may add up to nothing
    const amount = moneyInWords(sum || Math.max(...open), account.defaultCurrency)
    blockers.push(refusal('not_settled', { amount }, { details: { held, due, onHold, inPayout } }))
  }
  const waiting = partner.voidReason === null && (await saleWithoutRate(db, account.id, partner.id))
  if (waiting)
    blockers.push(refusal('sale_without_rate', { amount: () => moneyInWords(waiting.amount, waiting.currency) }))
  return blockers
}

/** Returns the first sale that earns for the partner once its exchange rate is known. */
const saleWithoutRate = (db: Queryable, accountId: string, partnerId: string) => db.maybe<{
  amount: number
  currency: string
}>`
  select amount, currency from sales
  where account_id = ${accountId} and partner_id = ${partnerId} and account_amount is null and credited and ${isWinning}
  order by id limit 1`

/**
 * Addresses of a partner and its people. `shared`: that of another partner too, or of a person who has or is offered
 * another role in the account, who is erased on their own.
 */
const emailsOfPartner = (db: Queryable, accountId: string, { id, email }: PartnerRow) => db.many<{
  email: string
  shared: boolean
}>`
  with own as (
    select lower(email) as email from former_emails where account_id = ${accountId} and partner_id = ${id}
    union select lower(email) from invitations
      where account_id = ${accountId} and partner_id = ${id} and email is not null
    union select lower(u.email) from user_roles r join users u on u.id = r.user_id
      where r.account_id = ${accountId} and r.partner_id = ${id}
    union select lower(${email}::text)
  )
  select own.email,
    exists (select from partners p where p.account_id = ${accountId} and p.email = own.email and p.id <> ${id})
      or exists (select from users u join user_roles r on r.user_id = u.id
        where u.email = own.email and r.account_id = ${accountId} and r.partner_id is distinct from ${id})
      or exists (select from users u join invitations i on i.user_id = u.id
        where u.email = own.email and i.account_id = ${accountId} and i.partner_id is distinct from ${id}
          and i.status not in ('accepted', 'revoked')) as shared
  from own order by own.email = lower(${email}::text) desc, own.email`

/** Returns the values that name this partner’s person, and no other partner or person of the account. */
export const searchOfPartner = async (db: Queryable, accountId: string, partner: PartnerRow): Promise<Search> =>
  searchAmong(partner, await emailsOfPartner(db, accountId, partner))

const searchAmong = (
  { firstName, lastName }: PartnerRow,
  emails: Awaited<ReturnType<typeof emailsOfPartner>>,
): Search => ({
  values: emails.filter(({ shared }) => !shared).map(({ email }) => email),
  ids: [],
  names: firstName && lastName ? [`${firstName} ${lastName}`] : [],
})

/** Counts all that an erasure of this partner’s person would empty. Refuses: `not_found`. */
export async function previewPartnerErasure(
  db: Queryable,
  install: Pick<Install, 'config'>,
  account: AccountFacts,
  id: string,
): Promise<ErasurePreview> {
  const partner = await partnerById(db, account.id, id)
  if (!partner) throw notFound()
  const emails = await emailsOfPartner(db, account.id, partner)
  const search = searchAmong(partner, emails)
  const addresses = emails.map(({ email }) => email)
  const subjects = [{ type: 'partner' as const, id, displayName: displayName(partner) }]
  return {
    subjects: partner.erasedAt ? [] : subjects,
    ...bothNames(
      'unaffected',
      (await othersWith(db, account.id, addresses)).filter((other) => other.id !== id),
    ),
    counts: partner.erasedAt ? {} : await countsOf(db, await tracesOfPartner(db, account.id, id, search)),
    recordsUntil: await recordsUntil(db, account, id),
    backupsUntil: backupsUntil(install, db.now),
    blockers: partner.erasedAt ? [] : (await blockersOf(db, account, partner)).map(({ message }) => message),
  }
}

/**
 * Erases the person of a partner: their own columns, codes, invitation, bank details and sign-in at once, every copy by
 * a job. Records of payments stay until `recordsUntil`. The same call again returns the first erasure.
 * Refuses: `not_found`, `invalid_state` unless archived and settled.
 */
export async function erasePartner(
  tx: Transaction,
  install: Erasing,
  by: Author,
  account: AccountFacts,
  id: string,
): Promise<Erasure> {
  const partner = await lockForErasure(tx, account.id, id)
  if (!partner) throw notFound()
  if (partner.erasedAt) return firstErasure(tx, account.id, id)
  const [blocker] = await blockersOf(tx, account, partner)
  if (blocker) throw blocker
  const search = await searchOfPartner(tx, account.id, partner)
  const until = await recordsUntil(tx, account, id)
  const users = await erasePartnerPeople(tx, by, account.id, id)
  await emptyPartner(tx, by, account, id)
  await emptyPayee(tx, install.secrets, account.id, { id, name: displayName(partner) })
  const subject = { type: 'partner' as const, id, ids: [id], recordsUntil: until, counts: { partners: 1, users } }
  return begin(tx, install, by, account.id, subject, search)
}

export const searchPlace = (accountId: string, erasureId: string) => `erasures|search_sealed|${erasureId}|${accountId}`

export type OpenErasure = {
  id: string
  subjectType: 'lead' | 'partner'
  subjectId: string
  subjectIds: string[]
  reason: 'asked' | 'retention'
  searchSealed: Buffer
}

/** Locks those of these erasures that are not done. */
export const openErasures = (tx: Transaction, accountId: string, ids: string[]) => tx.many<OpenErasure>`
  select t.id, t.subject_type, t.subject_id, t.subject_ids, t.reason, t.search_sealed from erasures t
  where t.account_id = ${accountId} and t.id = any(${ids}::uuid[]) and not t.done order by t.id for update`

/** Returns the objects of a lead’s person. Refuses: `not_found`. */
export async function leadTraces(db: Queryable, account: AccountFacts, id: string): Promise<Traces> {
  const leads = await listLeadsOfPerson(db, account.id, id)
  if (leads.length === 0) throw notFound()
  const leadIds = leads.map((lead) => lead.id)
  return tracesOfLeads(db, account.id, leadIds, buildSearch(leads, await listPayerEmails(db, account.id, leadIds)))
}

/** Returns the objects of a partner’s person. Refuses: `not_found`. */
export async function partnerTraces(db: Queryable, account: AccountFacts, id: string): Promise<Traces> {
  const partner = await partnerById(db, account.id, id)
  if (!partner) throw notFound()
  return tracesOfPartner(db, account.id, id, await searchOfPartner(db, account.id, partner))
}
