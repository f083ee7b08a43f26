import { getInvitation, type Role } from '#contract/auth.ts'
import { listPartnerInvoices } from '#contract/invoices.ts'
import { listPartnerLeads } from '#contract/leads.ts'
import { listPartnerMembers } from '#contract/members.ts'
import { getPartnerTotals, listPartners, listSubPartners, type Partner } from '#contract/partners.ts'
import { getPayoutSettings } from '#contract/payout-settings.ts'
import { listPartnerPayouts } from '#contract/payouts.ts'
import { listPartnerCommissions, previewCommission } from '#contract/sales.ts'
import { apiPagesQuery, apiQuery, type Opened, type Reads, type SearchOf } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { defineList } from '../../lists/list-of.ts'
import type { Level } from '../../lists/TreeRows.tsx'
import { isFiltered } from '../../lists/table-state.ts'
import { activityList } from '../../shared/activity-list.ts'
import { agreementVersionsQuery } from '../../shared/agreement.ts'
import { partnerGoalsQuery } from '../../shared/goals.ts'
import { allGroupsQuery } from '../../shared/groups.ts'
import { invoiceDetailsQuery, partnerInvoiceCountQuery, partnerInvoices } from '../../shared/invoices.ts'
import {
  balanceQuery,
  partnerApplicationQuery,
  partnerHistoryQuery,
  partnerLinksQuery,
  partnerMembersQuery,
  partnerQuery,
  payoutSettingsQuery,
  promotionCodesQuery,
} from '../../shared/queries.ts'
import { isAtPartner, isTeam, mayCall, type RoleInTeam } from '../../shared/roles.ts'
import { termsStateQuery } from '../../shared/terms.ts'
import { comparedWith, rangeIn } from '../../ui/date-ranges.ts'

type Partners = SearchOf<typeof listPartners>

const allPartners = defineList(listPartners, 'partners', {
  sort: '-salesRevenue',
  filters: ['state', 'parentPartnerId', 'groupId', 'agreement', 'from', 'to'],
  fixed: { groupKind: 'partners' },
  whole: true,
})
/** Partners may not sort by others' earnings. */
const ownPartners = defineList(listSubPartners, 'own-partners', { filters: ['state'] })

/** Every partner of the account for the owner; a partner's own sub-partners for a partner. */
export const partnerList = (role: Role): ReturnType<typeof allPartners> =>
  isAtPartner(role) ? ownPartners({ id: role.partnerId }) : allPartners({ id: isTeam(role) ? role.accountId : '' })

export const partnerTotalsQuery = (accountId: string, query: SearchOf<typeof getPartnerTotals>) =>
  apiQuery(getPartnerTotals, { params: { id: accountId }, query })

/** The partners at the top of the tree or below `parent`. A partner's own tree starts with their sub-partners. */
export function treeLevelQuery(role: Role, parent: Partner | null, sort: Partners['sort']): Level<Partner> {
  const query = { sort, limit: 50 }
  if (parent || isAtPartner(role)) {
    const id = parent?.id ?? (isAtPartner(role) ? role.partnerId : '')
    return apiPagesQuery(listSubPartners, { params: { id }, query })
  }
  const id = isTeam(role) ? role.accountId : ''
  return apiPagesQuery(listPartners, {
    params: { id },
    query: { ...query, parentPartnerId: 'none', groupKind: 'partners' },
  })
}

/** True if the address requests the tree; a search or filter shows a list instead. */
export const showsTree = (search: Record<string, unknown>, role: Role) =>
  search.tree === 'true' && !isFiltered(search, partnerList(role).table)

/** The lists of a partner's page, one per tab. */
export const subPartners = (id: string, whole: boolean) =>
  defineList(listSubPartners, 'sub-partners', { sort: whole ? '-salesRevenue' : undefined, filters: ['state'] })({ id })
export const partnerLeads = defineList(listPartnerLeads, 'leads-of-partner', { filters: ['status'] })
export const partnerPayouts = defineList(listPartnerPayouts, 'payouts-of-partner', { filters: ['status'] })
export const commissions = defineList(listPartnerCommissions, 'commissions-of-partner', {
  filters: ['status', 'kind', 'payday'],
})

const totalOf = ({ total }: { total: number }) => total
export const leadCountQuery = (id: string) => ({
  ...apiQuery(listPartnerLeads, { params: { id }, query: { limit: 1 } }),
  select: totalOf,
})
export const payoutCountQuery = (id: string) => ({
  ...apiQuery(listPartnerPayouts, { params: { id }, query: { limit: 1 } }),
  select: totalOf,
})

/** Enabled only for invited partners: others have no invitation to read. */
export const invitationQuery = ({ id, invitationStatus }: Pick<Partner, 'id' | 'invitationStatus'>) => ({
  ...apiQuery(getInvitation, { params: { id } }),
  enabled: invitationStatus !== null,
})

/** Commission split of the partner's next sale of this amount. The call only reads. */
export const nextSalePreviewQuery = (accountId: string, partnerId: string, amount: number) =>
  apiQuery(previewCommission, { params: { id: accountId }, body: { partnerId, amount } })

export function readsOfPartners({ role, search }: Opened): Reads {
  // the tree loads its own levels
  const filters = isTeam(role) ? [allGroupsQuery(role.accountId), agreementVersionsQuery(role.accountId)] : []
  return showsTree(search, role) ? filters : [partnerList(role).at(search), ...filters]
}

type OfPartner = Opened<{ partnerId: string }>

export function readsOfPartner({ role, params: { partnerId: id }, search }: OfPartner): Reads {
  if (isAtPartner(role))
    return role.partnerId === id
      ? [
          ...[partnerQuery(id), ...readsOfOwnTab(id, search), leadCountQuery(id), payoutCountQuery(id)],
          mayCall(role, listPartnerInvoices) && partnerInvoiceCountQuery(id),
        ]
      : [partnerQuery(id), subPartners(id, false).at(search)]
  if (!isTeam(role)) return []
  return [
    ...[partnerQuery(id), balanceQuery(id), ...readsOfTab(role, id, search), leadCountQuery(id), payoutCountQuery(id)],
    partnerInvoiceCountQuery(id),
  ]
}

function readsOfOwnTab(id: string, search: Opened['search']): Reads {
  const list = listOfTab(id, search, false)
  if (list) return [list]
  const range = rangeIn(search, todayIn(timeZoneHere()))
  return [
    partnerHistoryQuery(id, range),
    partnerHistoryQuery(id, comparedWith(range)),
    balanceQuery(id),
    termsStateQuery({ of: 'partner', id }),
    partnerGoalsQuery(id),
  ]
}

function listOfTab(id: string, search: Opened['search'], whole: boolean) {
  const { tab } = search
  if (tab === 'sub-partners') return subPartners(id, whole).at(search)
  if (tab === 'leads') return partnerLeads({ id }).at(search)
  if (tab === 'commissions') return commissions({ id }).at(search)
  if (tab === 'payouts') return partnerPayouts({ id }).at(search)
  if (tab === 'invoices') return partnerInvoices({ id }).at(search)
  return undefined
}

function readsOfTab(role: RoleInTeam, id: string, search: Opened['search']): Reads {
  const { accountId } = role
  const list = listOfTab(id, search, true)
  if (list) return [list]
  if (search.tab === 'activity') return [activityList(accountId, id).at(search)]
  const range = rangeIn(search, todayIn(timeZoneHere()))
  return [
    partnerHistoryQuery(id, range),
    partnerHistoryQuery(id, comparedWith(range)),
    ...(mayCall(role, getPayoutSettings) ? [payoutSettingsQuery(id), invoiceDetailsQuery(id)] : []),
    mayCall(role, listPartnerMembers) && partnerMembersQuery(id),
    partnerLinksQuery(id, { own: false }),
    partnerLinksQuery(id, { own: true }),
    promotionCodesQuery(id),
    partnerApplicationQuery(accountId, id),
    // Assumes two decimals; for other currencies the screen requests its own amount.
    mayCall(role, previewCommission) && nextSalePreviewQuery(accountId, id, 100_00),
    termsStateQuery({ of: 'partner', id }),
    partnerGoalsQuery(id),
  ]
}

export const readsOfNewPartner = ({ role }: Pick<Opened, 'role'>): Reads =>
  isTeam(role) ? [termsStateQuery({ of: 'account', id: role.accountId }), allGroupsQuery(role.accountId)] : []

export const readsOfEditPartner = ({ role, params: { partnerId } }: OfPartner): Reads => [
  partnerQuery(partnerId),
  isTeam(role) && termsStateQuery({ of: 'partner', id: partnerId }),
  ...readsOfNewPartner({ role }),
]
