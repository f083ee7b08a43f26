import type { SimilarLeads } from '#contract/leads.ts'
import { type Likeness, likenesses, type SimilarLead } from '#contract/sales.ts'
import { rowsByKeySql } from '../../platform/database/by-key.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import { fullNameSql, partnerNames } from '../partner-directory/partner-names.ts'
import { formatLeadName } from './lead-name.ts'
import { leadsFound } from './list-leads.ts'
import { hasSales, inTime, type PaidAt } from './payment-time.ts'
import { companyDomain } from './public-mail.ts'
import { type LeadRow, leadColumns } from './queries.ts'

/** Leads shown per kind of match, the latest ones. */
const SHOWN = 5

type Asked = { email?: string | undefined; company?: string | undefined; leadId?: string | undefined }
type Match = SimilarLeads['items'][number]

/**
 * Finds leads that may belong to the same company: by the domain of the e-mail, unless it has public mailboxes, and by
 * the company's name. Only a warning; nothing is refused for them.
 */
export async function similarLeads(
  db: Queryable,
  accountId: string,
  { email = '', company = '', leadId }: Asked,
): Promise<SimilarLeads> {
  const domain = companyDomain(email)
  const name = company.trim()
  // a match by the domain is not repeated
  const others = domain ? sql`coalesce(split_part(t.email, '@', 2), '') <> ${domain}` : sql`true`
  const find = (by: Match['by'], value: string, search: string, isSo: Sql) =>
    matchOf(
      db,
      accountId,
      { by, value },
      sql`t.id in ${leadsFound(accountId, search)} and t.status <> 'duplicate' and ${isSo}`,
      leadId,
    )
  const matches = [
    domain ? await find('domain', domain, `@${domain}`, sql`split_part(t.email, '@', 2) = ${domain}`) : null,
    name ? await find('company', name, name, sql`lower(t.company) = lower(${name}::text) and ${others}`) : null,
  ]
  return { items: matches.filter((match) => match !== null) }
}

async function matchOf(
  db: Queryable,
  accountId: string,
  { by, value }: Pick<Match, 'by' | 'value'>,
  which: Sql,
  leadId: string | undefined,
): Promise<Match | null> {
  const rows = await db.many<LeadRow & { total: number }>`
    select ${leadColumns}, count(*) over () as total from leads t
    where t.account_id = ${accountId} and ${which} and t.id::text <> ${leadId ?? ''}
    order by t.created_at desc, t.id desc limit ${SHOWN}`
  if (rows.length === 0) return null
  const partners = await partnerNames(
    db,
    [accountId],
    rows.map((row) => row.partnerId),
  )
  const leads = rows.map((row) => ({
    id: row.id,
    displayName: formatLeadName(row),
    partnerName: (row.partnerId && partners.get(row.partnerId)) || null,
    status: row.status,
    createdAt: row.createdAt,
  }))
  return { by, value, total: rows[0]!.total, leads }
}

/** A payer as named by the payment, and by the lead already known for it. */
export type PayerIdentity = {
  shopId: string | null
  customerId: string | null
  emails: string[]
  phoneE164: string | null
  name: string
  company: string
}

type LikeRow = LeadRow & { partnerId: string; reasons: Likeness[]; hasSales: boolean; inTime: boolean }

/** Leads returned, and at most found for each reason. */
const LIKELIEST = 10

/**
 * Finds the leads that may be this payer and whose partner a sale can be credited to, the likeliest first: by the
 * strongest reason, and among equals as an e-mail finds them.
 */
export async function leadsLikePayer(
  db: Queryable,
  accountId: string,
  payer: PayerIdentity,
  { referredBy }: PaidAt,
): Promise<SimilarLead[]> {
  // 'offset 0': each is found by its own index, not by reading the account's leads in order
  const some = reasonsFor(accountId, payer).map(
    ([reason, isSo]) => sql`
      (select ${reason}::text as reason, id from (
        select t.id, t.created_at from leads t
        where t.account_id = ${accountId} and t.partner_id is not null and t.status not in ('duplicate', 'rejected')
          and t.erased_at is null and ${isSo} offset 0) likely
       order by created_at, id limit ${LIKELIEST})`,
  )
  if (some.length === 0) return []
  const likely = await db.many<{ id: string; reasons: Likeness[] }>`
    select id, array_agg(reason) as reasons from (${joinSql(some, ' union all ')}) every group by id`
  const reasonsOf = new Map(likely.map(({ id, reasons }) => [id, reasons]))
  const rows = await db.many<Omit<LikeRow, 'reasons'>>`
    select ${leadColumns}, ${hasSales(sql`${accountId}`)} as has_sales,
      ${inTime(sql`${referredBy}::timestamptz`)} as in_time
    from ${rowsByKeySql(sql`leads`, [accountId], [...reasonsOf.keys()])}`
  const found = rows
    .map((row) => ({ ...row, reasons: likenesses.filter((one) => reasonsOf.get(row.id)?.includes(one)) }))
    .sort(byLikeness)
    .slice(0, LIKELIEST)
  const partners = await partnerNames(
    db,
    [accountId],
    found.map((row) => row.partnerId),
  )
  return found.map((row) => ({
    id: row.id,
    displayName: formatLeadName(row),
    email: row.email,
    partnerId: row.partnerId,
    partnerName: partners.get(row.partnerId) ?? '',
    status: row.status,
    reasons: row.reasons.filter((one) => !row.reasons.some((other) => includes[other]?.includes(one))),
    referredLater: !row.inTime,
    createdAt: row.createdAt,
  }))
}

/** Reasons that another reason implies. */
const includes: Partial<Record<Likeness, Likeness[]>> = { email: ['mailbox', 'domain'], mailbox: ['domain'] }

function byLikeness(a: LikeRow, b: LikeRow) {
  const [first, second] = [a, b].map(({ reasons }) => likenesses.indexOf(reasons[0]!))
  return (
    first! - second! ||
    Number(b.inTime) - Number(a.inTime) ||
    Number(b.hasSales) - Number(a.hasSales) ||
    (a.createdAt < b.createdAt ? -1 : 1)
  )
}

function reasonsFor(
  accountId: string,
  { shopId, customerId, emails, phoneE164, name, company }: PayerIdentity,
): [Likeness, Sql][] {
  const mailboxes = [...new Set(emails.map((email) => email.replace(/\+[^@]*@/, '@')))]
  const found = (text: string) => sql`t.id in ${leadsFound(accountId, text)}`
  const domains = new Set(emails.map(companyDomain).filter((domain) => domain !== null))
  const reasons: [Likeness, Sql | false | null | ''][] = [
    [
      'customer',
      shopId &&
        customerId &&
        sql`t.id in (select c.lead_id from shop_customers c
          where c.account_id = ${accountId} and c.shop_id = ${shopId} and c.customer_id = ${customerId})`,
    ],
    ['external-id', customerId && sql`t.external_id = ${customerId}`],
    ['email', emails.length > 0 && sql`t.email = any(${emails}::text[])`],
    ['mailbox', emails.length > 0 && sql`t.email = any(${mailboxes}::text[])`],
    [
      'mailbox',
      emails.length > 0 &&
        sql`(t.email like '%+%' and regexp_replace(t.email, '\\+[^@]*@', '@') = any(${mailboxes}::text[]))`,
    ],
    ['phone', phoneE164 && sql`t.phone_e164 = ${phoneE164}`],
    ['name', name && sql`(${found(name)} and lower(${fullNameSql(sql`t`)}) = lower(${name}::text))`],
    ...[...domains].map((domain): [Likeness, Sql] => [
      'domain',
      sql`(${found(`@${domain}`)} and split_part(t.email, '@', 2) = ${domain})`,
    ]),
    ['company', company && sql`(${found(company)} and lower(t.company) = lower(${company}::text))`],
  ]
  return reasons.filter((reason): reason is [Likeness, Sql] => Boolean(reason[1]))
}
