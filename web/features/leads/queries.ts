import type { Role } from '#contract/auth.ts'
import { listLeadCommissions } from '#contract/commissions.ts'
import { findSimilarLeads, listLeadEvents, listLeadSubmissions, listLeads, listPartnerLeads } from '#contract/leads.ts'
import { getLeadHistoricalStats } from '#contract/stats.ts'
import { type Opened, pagesOf, type Reads, read } from '../../calls.ts'
import { lastMonths, timeZoneHere, todayIn } from '../../format.ts'
import { defineList } from '../../lists/list-of.ts'
import { lead } from '../../shared/queries.ts'
import { isAtPartner, isTeam } from '../../shared/roles.ts'

const allLeads = defineList(listLeads, 'leads', {
  filters: ['partnerId', 'blueprintId', 'broughtBy', 'unanswered', 'status', 'source', 'from', 'to'],
})
/** Without a filter by partner: all are their own. */
const ownLeads = defineList(listPartnerLeads, 'own-leads', { filters: ['status', 'source', 'from', 'to'] })

/** Every lead of the account for the owner; a partner's own leads for a partner. */
export const leads = (role: Role): ReturnType<typeof allLeads> =>
  isAtPartner(role) ? ownLeads({ id: role.partnerId }) : allLeads({ id: isTeam(role) ? role.accountId : '' })

/** A lead's figures of the last six months, by days of this time zone. */
export function leadHistory(id: string, timeZone: string) {
  const { from, to } = lastMonths(6, todayIn(timeZone))
  return read(getLeadHistoricalStats, { params: { id, range: `${from}..${to}` } })
}

const PAGE = 50

/** The timeline, newest first, paged. */
export const leadEvents = (id: string) => pagesOf(listLeadEvents, { params: { id }, query: { limit: PAGE } })

/** The latest entries that pay for a lead itself. */
export const leadPay = (id: string) => read(listLeadCommissions, { params: { id }, query: { limit: PAGE } })

const SENT_AT_ONCE = 5

/** Later registrations shown on the first one's page. */
const LATER_SHOWN = 5

/** Later registrations of a lead by other partners. */
export const leadDuplicates = (accountId: string, id: string) =>
  read(listLeads, { params: { id: accountId }, query: { duplicateOfId: id, limit: LATER_SHOWN } })

/** Payloads received for a lead, newest first; only the owner may read them. */
export const leadSubmissions = (id: string) =>
  pagesOf(listLeadSubmissions, { params: { id }, query: { limit: SENT_AT_ONCE } })

/** Leads of the same person or company. */
export const similar = (accountId: string, query: { email: string; company: string; leadId?: string | undefined }) => ({
  ...read(findSimilarLeads, { params: { id: accountId }, query }),
  enabled: query.email !== '' || query.company !== '',
})

export const readsOfLeads = ({ role, search }: Opened): Reads =>
  isAtPartner(role) || !['sales', 'unattributed', 'test'].includes(String(search.tab)) ? [leads(role).at(search)] : []

type OfLead = Opened<{ leadId: string }>

export const readsOfLead = ({ params }: Pick<OfLead, 'params'>): Reads => [lead(params.leadId)]

export const readsOfLeadDetail = ({ role, params: { leadId } }: OfLead): Reads => [
  lead(leadId),
  leadEvents(leadId),
  leadPay(leadId),
  leadHistory(leadId, timeZoneHere()),
  isTeam(role) && leadDuplicates(role.accountId, leadId),
  isTeam(role) && leadSubmissions(leadId),
]
