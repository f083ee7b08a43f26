import { getFraudRules } from '#contract/fraud.ts'
import { getInvoiceDetails, getInvoicing } from '#contract/invoices.ts'
import { listMembers } from '#contract/members.ts'
import { getAutoPayoutSettings, getPayoutMethods, getPayoutSettings } from '#contract/payout-settings.ts'
import { listExchangeRates, listSales } from '#contract/sales.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { activityList } from '../../shared/activity-list.ts'
import { agreementVersionsQuery } from '../../shared/agreement.ts'
import { brandQuery } from '../../shared/brand.ts'
import { invoiceDetailsQuery, invoicingQuery } from '../../shared/invoices.ts'
import {
  autoPayoutsQuery,
  balanceQuery,
  partnerForecastQuery,
  partnerMembersQuery,
  partnerQuery,
  payoutMethodsQuery,
  payoutSettingsQuery,
  payoutTotalsQuery,
  programQuery,
} from '../../shared/queries.ts'
import { isAtPartner, isTeam, mayCall } from '../../shared/roles.ts'
import { termsStateQuery } from '../../shared/terms.ts'
import { settingsTabs } from '../../shell/destinations.ts'

/** One row is enough to see if the account has a sale, which fixes its currency. */
export const hasSalesQuery = (id: string) => apiQuery(listSales, { params: { id }, query: { limit: 1 } })

export const members = defineList(listMembers, 'people', { sort: 'name', filters: ['role', 'status'] })
export const exchangeRates = defineList(listExchangeRates, 'exchange-rates', { sort: '-date', limit: 10 })

export const fraudRulesQuery = (id: string) => apiQuery(getFraudRules, { params: { id } })

/** The reads of the owner's settings besides the account itself. */
export function readsOfAccountSettings({ role, search }: Opened): Reads {
  if (!isTeam(role)) return []
  const tab = settingsTabs.find((key) => key === search.tab) ?? settingsTabs[0]
  if (tab === 'general') return [hasSalesQuery(role.accountId), exchangeRates({ id: role.accountId }).at(search)]
  if (tab === 'people') return [members({ id: role.accountId }).at(search)]
  if (tab === 'program') return [programQuery(role.accountId), termsStateQuery({ of: 'account', id: role.accountId })]
  if (tab === 'applications') return [programQuery(role.accountId), agreementVersionsQuery(role.accountId)]
  if (tab === 'branding') return [brandQuery(role.accountId)]
  if (tab === 'commission') return [termsStateQuery({ of: 'account', id: role.accountId })]
  if (tab === 'fraud-rules') return [fraudRulesQuery(role.accountId)]
  if (tab === 'activity') return [activityList(role.accountId).at(search)]
  if (tab === 'payout-methods') return mayCall(role, getPayoutMethods) ? [payoutMethodsQuery(role.accountId)] : []
  if (tab === 'invoices') return mayCall(role, getInvoicing) ? [invoicingQuery(role.accountId)] : []
  if (tab !== 'payouts') return []
  if (!mayCall(role, getAutoPayoutSettings)) return []
  return [autoPayoutsQuery(role.accountId), payoutMethodsQuery(role.accountId), payoutTotalsQuery(role.accountId)]
}

export const readsOfPartnerSettings = ({ role }: Opened): Reads => {
  if (!isAtPartner(role)) return []
  const { partnerId: id } = role
  return [
    mayCall(role, getPayoutSettings) && payoutSettingsQuery(id),
    mayCall(role, getInvoiceDetails) && invoiceDetailsQuery(id),
    ...[balanceQuery(id), partnerForecastQuery(id), partnerQuery(id), partnerMembersQuery(id)],
  ]
}
