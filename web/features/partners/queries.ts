import { getInvitation, type Role } from '#contract/auth.ts'
import { listPartnerInvoices } from '#contract/invoices.ts'
import { listPartnerLeads } from '#contract/leads.ts'
import { listPartnerMembers } from '#contract/members.ts'
import { listPartners, listSubPartners, type Partner } from '#contract/partners.ts'
import { getPayoutSettings } from '#contract/payout-settings.ts'
import { listPartnerPayouts } from '#contract/payouts.ts'
import { listPartnerCommissions, previewCommission } from '#contract/sales.ts'
import { type Opened, pagesOf, type Reads, read, type SearchOf } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { defineList } from '../../lists/list-of.ts'
import type { Level } from '../../lists/TreeRows.tsx'
import { isFiltered } from '../../lists/table-state.ts'
import { activityOf } from '../../shared/activity-list.ts'
import { agreementVersions } from '../../shared/agreement.ts'
import { partnerGoals } from '../../shared/goals.ts'
import { allGroups } from '../../shared/groups.ts'
import { invoiceDetails, partnerInvoiceCount, partnerInvoices } from '../../shared/invoices.ts'
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

const allPartners = defineList(listPartners, 'partners', {
  sort: '-salesRevenue',
  filters: ['state', 'parentPartnerId', 'groupId', 'agreement', 'from', 'to'],
})
/** Partners may not sort by others' earnings. */
const ownPartners = defineList(listSubPartners, 'own-partners', { filters: ['state'] })

/** Every partner of the account for the owner; a partner's own sub-partners for a partner. */
export const partners = (role: Role): ReturnType<typeof allPartners> =>
  isAtPartner(role) ? ownPartners({ id: role.partnerId }) : allPartners({ id: isTeam(role) ? role.accountId : '' })

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
  search.tree === 'true' && !isFiltered(search, partners(role).table)

/** The lists of a partner's page, one per tab. */
export const subPartners = (id: string, whole: boolean) =>
  defineList(listSubPartners, 'sub-partners', { sort: whole ? '-salesRevenue' : undefined, filters: ['state'] })({ id })
export const partnerLeads = defineList(listPartnerLeads, 'leads-of-partner', { filters: ['status'] })
export const partnerPayouts = defineList(listPartnerPayouts, 'payouts-of-partner', { filters: ['status'] })
export const commissions = defineList(listPartnerCommissions, 'commissions-of-partner', {
  filters: ['status', 'kind', 'payday'],
})

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
  // the tree loads its own levels
  const filters = isTeam(role) ? [allGroups(role.accountId), agreementVersions(role.accountId)] : []
  return showsTree(search, role) ? filters : [partners(role).at(search), ...filters]
}

type OfPartner = Opened<{ partnerId: string }>

export function readsOfPartner({ role, params: { partnerId: id }, search }: OfPartner): Reads {
  if (isAtPartner(role))
    return role.partnerId === id
      ? [
          ...[partner(id), ...readsOfOwnTab(id, search), leadCount(id), payoutCount(id)],
          mayCall(role, listPartnerInvoices) && partnerInvoiceCount(id),
        ]
      : [partner(id), subPartners(id, false).at(search)]
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
  if (search.tab === 'activity') return [activityOf(accountId, id).at(search)]
  const range = rangeIn(search, todayIn(timeZoneHere()))
  return [
    partnerHistory(id, range),
    partnerHistory(id, comparedWith(range)),
    ...(mayCall(role, getPayoutSettings) ? [payoutSettings(id), invoiceDetails(id)] : []),
    mayCall(role, listPartnerMembers) && partnerMembers(id),
    partnerLinks(id, { own: false }),
    partnerLinks(id, { own: true }),
    promotionCodes(id),
    applicationOf(accountId, id),
    // Assumes two decimals; for other currencies the screen requests its own amount.
    mayCall(role, previewCommission) && nextSalePreview(accountId, id, 100_00),
    termsState({ of: 'partner', id }),
    partnerGoals(id),
  ]
}

export const readsOfNewPartner = ({ role }: Pick<Opened, 'role'>): Reads =>
  isTeam(role) ? [termsState({ of: 'account', id: role.accountId }), allGroups(role.accountId)] : []

export const readsOfEditPartner = ({ role, params: { partnerId } }: OfPartner): Reads => [
  partner(partnerId),
  isTeam(role) && termsState({ of: 'partner', id: partnerId }),
  ...readsOfNewPartner({ role }),
]
