import type { listLiability } from '#contract/accounting.ts'
import type { listAccounts } from '#contract/accounts.ts'
import type { listApplications } from '#contract/applications.ts'
import type { listBalances, listCommissions } from '#contract/balances.ts'
import type { listGroups } from '#contract/groups.ts'
import type { listIncomingDeliveries, listIncomingWebhooks } from '#contract/incoming-webhooks.ts'
import type { listLeads } from '#contract/leads.ts'
import type { listBlueprintLinks, listLinkBlueprints } from '#contract/links.ts'
import type { listLoggedMails } from '#contract/mail.ts'
import type { listMembers } from '#contract/members.ts'
import type { listOutgoingDeliveries, listOutgoingWebhooks } from '#contract/outgoing-webhooks.ts'
import type { listPartners } from '#contract/partners.ts'
import type { listProviderEvents } from '#contract/payment-providers.ts'
import type { listPayoutEntries, listPayouts } from '#contract/payouts.ts'
import type { listErasures } from '#contract/privacy.ts'
import type { listPartnerCommissions, listRevenueLines, listSales } from '#contract/sales.ts'
import type { listParked } from '#contract/system.ts'
import type { listAnnouncements } from '#features/announcements/contract.ts'
import type { listReferringCustomers } from '#features/rewards/contract.ts'
import type { listTaxYear } from '#features/tax-years/contract.ts'
import type { SearchOf } from '../calls.ts'
import type { MailTab } from '../features/mail/queries.ts'
import type { SampleLanguage } from '../features/outgoing-webhooks/samples.ts'
import type { OwnPartnerTab } from '../features/partners/OwnPartner.tsx'
import type { WholePartnerTab } from '../features/partners/WholePartner.tsx'
import type { PayoutTab } from '../features/payouts/queries.ts'
import type { TableSearch } from '../lists/table-state.ts'
import type { ActivitySearch } from '../shared/activity-list.ts'
import type { settingsTabs } from '../shell/destinations.ts'
import type { LeadTab } from './leads.tsx'
import type { PartnersTab } from './partners.tsx'

export type Days = { range?: string; from?: string; to?: string }

/** Search parameters by path; a path not listed here has none. Features add theirs. */
export interface Searches {
  '/admin/accounts': TableSearch<SearchOf<typeof listAccounts>>
  '/admin/mail': { tab?: MailTab; delivery?: string } & TableSearch<SearchOf<typeof listLoggedMails>>
  '/admin/system': TableSearch<SearchOf<typeof listParked>>
  '/dashboard': Days
  '/partners': { tree?: 'true'; tab?: PartnersTab; application?: string; announcement?: string } & TableSearch<
    SearchOf<typeof listPartners> &
      SearchOf<typeof listReferringCustomers> &
      SearchOf<typeof listGroups> &
      SearchOf<typeof listApplications> &
      SearchOf<typeof listAnnouncements>
  >
  '/partners/new': { parent?: string }
  '/partners/$partnerId': { tab?: WholePartnerTab | OwnPartnerTab } & TableSearch<
    ActivitySearch & SearchOf<typeof listPartnerCommissions>
  > &
    Days
  '/leads': { tab?: LeadTab; claims?: 'true' } & TableSearch<
    SearchOf<typeof listLeads> & SearchOf<typeof listRevenueLines> & SearchOf<typeof listSales>
  >
  '/links': TableSearch<SearchOf<typeof listLinkBlueprints>>
  '/links/$blueprintId': TableSearch<SearchOf<typeof listBlueprintLinks>> & Days
  '/payouts': { tab?: PayoutTab; year?: string; day?: string } & TableSearch<
    SearchOf<typeof listPayouts> &
      SearchOf<typeof listBalances> &
      SearchOf<typeof listCommissions> &
      SearchOf<typeof listTaxYear> &
      SearchOf<typeof listLiability>
  >
  '/payouts/files/$fileId': TableSearch<SearchOf<typeof listPayouts>>
  '/payouts/$payoutId': TableSearch<SearchOf<typeof listPayoutEntries>>
  '/partner/payouts/$payoutId': TableSearch<SearchOf<typeof listPayoutEntries>>
  '/integrations/incoming-webhooks': TableSearch<SearchOf<typeof listIncomingWebhooks>>
  '/integrations/incoming-webhooks/new': { hook?: string }
  '/integrations/incoming-webhooks/$hookId': { delivery?: string } & TableSearch<
    SearchOf<typeof listIncomingDeliveries>
  >
  '/integrations/outgoing-webhooks': TableSearch<SearchOf<typeof listOutgoingWebhooks>>
  '/integrations/outgoing-webhooks/$hookId': { delivery?: string; tab?: SampleLanguage } & TableSearch<
    SearchOf<typeof listOutgoingDeliveries>
  >
  '/integrations/payment-providers/$connectionId/events': { delivery?: string } & TableSearch<
    SearchOf<typeof listProviderEvents>
  >
  '/account/import': { kind?: string }
  '/account/settings': { tab?: (typeof settingsTabs)[number]; program?: string; email?: string } & TableSearch<
    ActivitySearch & SearchOf<typeof listMembers> & SearchOf<typeof listErasures>
  >
}

/** A type without any property would accept everything. */
type Nothing = { tab?: never }
export type SearchAt<P extends string> = P extends keyof Searches ? Searches[P] : Nothing

/**
 * Types an address's search parameters. They are text that anyone may write, so each screen uses only what it supports,
 * and the server refuses filters a list doesn't have.
 */
export const searchAt =
  <P extends string>(_path: P) =>
  (search: Record<string, unknown>) =>
    search as SearchAt<P>
