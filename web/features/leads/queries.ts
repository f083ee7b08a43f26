import type { Role } from '#contract/auth.ts'
import { listLeadCommissions } from '#contract/commissions.ts'
import {
  findSimilarLeads,
  getLeadTotals,
  listLeadEvents,
  listLeadSubmissions,
  listLeads,
  listPartnerLeads,
} from '#contract/leads.ts'
import { getLeadHistoricalStats } from '#contract/stats.ts'
import { apiPagesQuery, apiQuery, type Opened, type Reads, type SearchOf } from '../../calls.ts'
import { lastMonths, timeZoneHere, todayIn } from '../../format.ts'
import { defineList } from '../../lists/list-of.ts'
import { leadQuery } from '../../shared/queries.ts'
import { isAtPartner, isTeam } from '../../shared/roles.ts'

const allLeads = defineList(listLeads, 'leads', {
  filters: ['partnerId', 'blueprintId', 'broughtBy', 'unanswered', 'status', 'source', 'from', 'to'],
})
/** Without a filter by partner: all are their own. */
const ownLeads = defineList(listPartnerLeads, 'own-leads', { filters: ['status', 'source', 'from', 'to'] })

/** Every lead of the account for the owner; a partner's own leads for a partner. */
export const leadList = (role: Role): ReturnType<typeof allLeads> =>
  isAtPartner(role) ? ownLeads({ id: role.partnerId }) : allLeads({ id: isTeam(role) ? role.accountId : '' })

export const leadTotalsQuery = (accountId: string, query: SearchOf<typeof getLeadTotals>) =>
  apiQuery(getLeadTotals, { params: { id: accountId }, query })

/** A lead's figures of the last six months, by days of this time zone. */
export function leadHistoryQuery(id: string, timeZone: string) {
  const { from, to } = lastMonths(6, todayIn(timeZone))
  return apiQuery(getLeadHistoricalStats, { params: { id, range: `${from}..${to}` } })
}

const PAGE = 50

/** The timeline, newest first, paged. */
export const leadEventsQuery = (id: string) => apiPagesQuery(listLeadEvents, { params: { id }, query: { limit: PAGE } })

/** The latest entries that pay for a lead itself. */
export const leadPayQuery = (id: string) => apiQuery(listLeadCommissions, { params: { id }, query: { limit: PAGE } })

const SENT_AT_ONCE = 5

/** Later registrations shown on the first one's page. */
const LATER_SHOWN = 5

/** Later registrations of a lead by other partners. */
export const leadDuplicatesQuery = (accountId: string, id: string) =>
  apiQuery(listLeads, { params: { id: accountId }, query: { duplicateOfId: id, limit: LATER_SHOWN } })

/** Payloads received for a lead, newest first; only the owner may read them. */
export const leadSubmissionsQuery = (id: string) =>
  apiPagesQuery(listLeadSubmissions, { params: { id }, query: { limit: SENT_AT_ONCE } })

/** Leads of the same person or company. */
export const similarLeadsQuery = (
  accountId: string,
  query: { email: string; company: string; leadId?: string | undefined },
) => ({
  ...apiQuery(findSimilarLeads, { params: { id: accountId }, query }),
  enabled: query.email !== '' || query.company !== '',
})

export const readsOfLeads = ({ role, search }: Opened): Reads =>
  isAtPartner(role) || !['sales', 'unattributed', 'test'].includes(String(search.tab))
    ? [leadList(role).at(search)]
    : []

type OfLead = Opened<{ leadId: string }>

export const readsOfLead = ({ params }: Pick<OfLead, 'params'>): Reads => [leadQuery(params.leadId)]

export const readsOfLeadDetail = ({ role, params: { leadId } }: OfLead): Reads => [
  leadQuery(leadId),
  leadEventsQuery(leadId),
  leadPayQuery(leadId),
  leadHistoryQuery(leadId, timeZoneHere()),
  isTeam(role) && leadDuplicatesQuery(role.accountId, leadId),
  isTeam(role) && leadSubmissionsQuery(leadId),
]
