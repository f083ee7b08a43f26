import type { Lead } from '#contract/leads.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import { getLeadStats } from '../stats/read.ts'
import { formatLeadName, identityFor, namesFor } from './lead-name.ts'
import { findNoRewards, findSelfReferrals, type LeadRow, leadById } from './queries.ts'

/** A reader of leads: an owner or their systems see everything, a partner the parts that the account shows them. */
export type LeadReader = Pick<Access, 'partnerId' | 'account' | 'language'>

/** Returns one lead as this reader may see it. Refuses: `not_found`. */
export async function presentLead(db: Queryable, reader: LeadReader, id: string): Promise<Lead> {
  const row = await leadById(db, reader.account.id, id)
  if (!row) throw notFound()
  const [lead] = await presentLeads(db, reader, [row])
  return lead!
}

/** Returns leads in the given order, as this reader may see them. */
export async function presentLeads(db: Queryable, reader: LeadReader, rows: LeadRow[]): Promise<Lead[]> {
  const ids = rows.map((row) => row.id)
  const [stats, names, links, selfReferrals, noRewards] = await Promise.all([
    getLeadStats(db, reader.account, ids, reader.partnerId),
    partnerNames(
      db,
      [reader.account.id],
      rows.map((row) => row.partnerId),
    ),
    linkNamesOf(db, reader.account.id, rows),
    findSelfReferrals(db, reader.account.id, ids),
    reader.account.hasCustomerGroups ? findNoRewards(db, reader.account.id, ids) : [],
  ])
  const policies = new Map(selfReferrals.map(({ leadId, policy }) => [leadId, policy]))
  const reasons = new Map(noRewards.map(({ leadId, reason }) => [leadId, reason]))
  const leads = rows.map((row): Lead => {
    const { attributionModel: model, matchedBy, attributedAt: at } = row
    return {
      ...row,
      displayName: formatLeadName(row),
      linkName: (row.linkId && links.get(row.linkId)) || null,
      partnerName: (row.partnerId && names.get(row.partnerId)) || null,
      attribution: row.partnerId && model && matchedBy && at ? { model, matchedBy, at } : null,
      selfReferral: policies.get(row.id) ?? null,
      noReward: reasons.get(row.id) ?? null,
      stats: stats.get(row.id)!,
    }
  })
  return reader.partnerId ? forPartner(db, reader, leads) : leads
}

async function linkNamesOf(db: Queryable, accountId: string, rows: LeadRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ linkId }) => linkId ?? []))]
  if (ids.length === 0) return new Map()
  const links = await db.many<{ id: string; name: string }>`
    select id, name from partner_links where account_id = ${accountId} and id = any(${ids}::uuid[])`
  return new Map(links.map(({ id, name }) => [id, name]))
}

async function forPartner(db: Queryable, reader: LeadReader, leads: Lead[]): Promise<Lead[]> {
  const names = await namesFor(db, reader, leads)
  const { account } = reader
  const { asFriends } = account.partnerVisibility
  return leads.map((lead) => ({
    ...identityFor(lead, account.partnerVisibility),
    displayName: names.get(lead.id)!,
    // what the account writes about a friend is for partners who know them
    sharedNote: asFriends ? null : lead.sharedNote,
  }))
}
