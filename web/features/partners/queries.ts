import { getInvitation, type Role } from '#contract/auth.ts'
import { listPartnerInvoices } from '#contract/invoices.ts'
import { listPartnerLeads } from '#contract/leads.ts'
import { listPartnerMembers } from '#contract/members.ts'
import { listPartners, listSubPartners, type Partner } from '#contract/partners.ts'
import { getPayoutSettings } from '#contract/payout-settings.ts'
import { listPartnerPayouts } from '#contract/payouts.ts'
import { listPartnerCommissions, previewCommission } from '#contract/sales.ts'
import { listQuery, type Opened, pagesOf, type Reads, read, type SearchOf } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import type { Level } from '../../lists/TreeRows.tsx'
import { isFiltered, tableOf, tableQuery } from '../../lists/table-state.ts'
import { activity, activityTable } from '../../shared/activity-list.ts'
import { agreementVersions } from '../../shared/agreement.ts'
import { partnerGoals } from '../../shared/goals.ts'
import { allGroups } from '../../shared/groups.ts'
import { invoiceDetails, partnerInvoiceCount, partnerInvoices, partnerInvoiceTable } from '../../shared/invoices.ts'
import {
  applicationOf,
  balance,
  partner,
  partnerHistory,
  partnerLinks,
  partnerMembers,
  payoutSettings,
  promotionCodes,
} from '../../shared/queries.ts'
import { isAtPartner, isTeam, mayCall, type RoleInTeam } from '../../shared/roles.ts'
import { termsState } from '../../shared/terms.ts'
import { comparedWith, rangeIn } from '../../ui/date-ranges.ts'

type Partners = SearchOf<typeof listPartners>
type Leads = SearchOf<typeof listPartnerLeads>
type Payouts = SearchOf<typeof listPartnerPayouts>
type Commissions = SearchOf<typeof listPartnerCommissions>

/** The owner's list starts with the top earners; partners may not sort by others' earnings. */
export const partnerTable = (role: Role) =>
  tableOf<Partners>()({
    list: isAtPartner(role) ? 'own-partners' : 'partners',
    sort: isAtPartner(role) ? undefined : '-salesRevenue',
    filters: [
      'state',
      ...(isAtPartner(role) ? [] : (['parentPartnerId', 'groupId', 'agreement', 'from', 'to'] as const)),
    ],
  })

/** Every partner of the account for the owner; a partner's own sub-partners for a partner. */
export const partners = (role: Role, search: Partners) =>
  isAtPartner(role)
    ? listQuery(listSubPartners, { params: { id: role.partnerId }, search })
    : listQuery(listPartners, { params: { id: isTeam(role) ? role.accountId : '' }, search })

/** The partners at the top of the tree or below `parent`. A partner's own tree starts with their sub-partners. */
export function treeLevel(role: Role, parent: Partner | null, sort: Partners['sort']): Level<Partner> {
  const query = { sort, limit: 50 }
  if (parent || isAtPartner(role)) {
    const id = parent?.id ?? (isAtPartner(role) ? role.partnerId : '')
    return pagesOf(listSubPartners, { params: { id }, query })
  }
  const id = isTeam(role) ? role.accountId : ''
  return pagesOf(listPartners, { params: { id }, query: { ...query, parentPartnerId: 'none' } })
}

/** True if the address requests the tree; a search or filter shows a list instead. */
export const showsTree = (search: Record<string, unknown>, role: Role) =>
  search.tree === 'true' && !isFiltered(search, partnerTable(role))

/** The tables of a partner's page, one per tab. */
export const subPartnerTable = (whole: boolean) =>
  tableOf<Partners>()({
    list: 'sub-partners',
    sort: whole ? '-salesRevenue' : undefined,
    filters: ['state'],
  })
export const partnerLeadTable = tableOf<Leads>()({ list: 'leads-of-partner', filters: ['status'] })
export const partnerPayoutTable = tableOf<Payouts>()({ list: 'payouts-of-partner', filters: ['status'] })
export const commissionTable = tableOf<Commissions>()({
  list: 'commissions-of-partner',
  filters: ['status', 'kind'],
})

export const subPartners = (id: string, search: Partners) => listQuery(listSubPartners, { params: { id }, search })
export const partnerLeads = (id: string, search: Leads) => listQuery(listPartnerLeads, { params: { id }, search })
export const partnerPayouts = (id: string, search: Payouts) => listQuery(listPartnerPayouts, { params: { id }, search })

export const commissions = (id: string, search: Commissions) =>
  listQuery(listPartnerCommissions, { params: { id }, search })

const totalOf = ({ total }: { total: number }) => total
export const leadCount = (id: string) => ({
  ...read(listPartnerLeads, { params: { id }, query: { limit: 1 } }),
  select: totalOf,
})
export const payoutCount = (id: string) => ({
  ...read(listPartnerPayouts, { params: { id }, query: { limit: 1 } }),
  select: totalOf,
})

/** Enabled only for invited partners: others have no invitation to read. */
export const invitation = ({ id, invitationStatus }: Pick<Partner, 'id' | 'invitationStatus'>) => ({
  ...read(getInvitation, { params: { id } }),
  enabled: invitationStatus !== null,
})

/** Commission split of the partner's next sale of this amount. The call only reads. */
export const nextSalePreview = (accountId: string, partnerId: string, amount: number) =>
  read(previewCommission, { params: { id: accountId }, body: { partnerId, amount } })

export function readsOfPartners({ role, search }: Opened): Reads {
  const query = tableQuery(search, partnerTable(role))
  // the tree loads its own levels
  const filters = isTeam(role) ? [allGroups(role.accountId), agreementVersions(role.accountId)] : []
  return showsTree(search, role) ? filters : [partners(role, query), ...filters]
}

type OfPartner = Opened<{ partnerId: string }>

export function readsOfPartner({ role, params: { partnerId: id }, search }: OfPartner): Reads {
  if (isAtPartner(role))
    return role.partnerId === id
      ? [
          ...[partner(id), ...readsOfOwnTab(id, search), leadCount(id), payoutCount(id)],
          ...(mayCall(role, listPartnerInvoices) ? [partnerInvoiceCount(id)] : []),
        ]
      : [partner(id), subPartners(id, tableQuery(search, subPartnerTable(false)))]
  if (!isTeam(role)) return []
  return [
    ...[partner(id), balance(id), ...readsOfTab(role, id, search), leadCount(id), payoutCount(id)],
    partnerInvoiceCount(id),
  ]
}

function readsOfOwnTab(id: string, search: Opened['search']): Reads {
  const list = listOfTab(id, search, false)
  if (list) return [list]
  const range = rangeIn(search, todayIn(timeZoneHere()))
  return [
    partnerHistory(id, range),
    partnerHistory(id, comparedWith(range)),
    balance(id),
    termsState({ of: 'partner', id }),
    partnerGoals(id),
  ]
}

function listOfTab(id: string, search: Opened['search'], whole: boolean) {
  const { tab } = search
  if (tab === 'sub-partners') return subPartners(id, tableQuery(search, subPartnerTable(whole)))
  if (tab === 'leads') return partnerLeads(id, tableQuery(search, partnerLeadTable))
  if (tab === 'commissions') return commissions(id, tableQuery(search, commissionTable))
  if (tab === 'payouts') return partnerPayouts(id, tableQuery(search, partnerPayoutTable))
  if (tab === 'invoices') return partnerInvoices(id, tableQuery(search, partnerInvoiceTable))
  return undefined
}

function readsOfTab(role: RoleInTeam, id: string, search: Opened['search']): Reads {
  const { accountId } = role
  const list = listOfTab(id, search, true)
  if (list) return [list]
  if (search.tab === 'activity') return [activity(accountId, tableQuery(search, activityTable(id)))]
  const range = rangeIn(search, todayIn(timeZoneHere()))
  return [
    partnerHistory(id, range),
    partnerHistory(id, comparedWith(range)),
    ...(mayCall(role, getPayoutSettings) ? [payoutSettings(id), invoiceDetails(id)] : []),
    ...(mayCall(role, listPartnerMembers) ? [partnerMembers(id)] : []),
    partnerLinks(id, { own: false }),
    partnerLinks(id, { own: true }),
    promotionCodes(id),
    applicationOf(accountId, id),
    // Assumes two decimals; for other currencies the screen requests its own amount.
    ...(mayCall(role, previewCommission) ? [nextSalePreview(accountId, id, 100_00)] : []),
    termsState({ of: 'partner', id }),
    partnerGoals(id),
  ]
}

export const readsOfNewPartner = ({ role }: Pick<Opened, 'role'>): Reads =>
  isTeam(role) ? [termsState({ of: 'account', id: role.accountId }), allGroups(role.accountId)] : []

export const readsOfEditPartner = ({ role, params: { partnerId } }: OfPartner): Reads => [
  partner(partnerId),
  ...(isTeam(role) ? [termsState({ of: 'partner', id: partnerId })] : []),
  ...readsOfNewPartner({ role }),
]
