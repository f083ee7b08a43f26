import type { SimilarLeads } from '#contract/leads.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { partnerNames } from '../partner-lookup/partner-names.ts'
import { leadNameOf } from './lead-name.ts'
import { leadsFound } from './list-leads.ts'
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
  const name = company.trim().toLowerCase()
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
    name ? await find('company', company.trim(), name, sql`lower(t.company) = ${name} and ${others}`) : null,
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
    displayName: leadNameOf(row),
    partnerName: (row.partnerId && partners.get(row.partnerId)) || null,
    status: row.status,
    createdAt: row.createdAt,
  }))
  return { by, value, total: rows[0]!.total, leads }
}
