import { listPartners } from '#contract/partners.ts'
import { listPayouts } from '#contract/payouts.ts'
import {
  getReceipt,
  listLeadSales,
  listLeadsSimilarToPayer,
  listRevenueLines,
  listSales,
  type PreviewedSale,
  previewCommission,
  type Sale,
} from '#contract/sales.ts'
import { apiPagesQuery, apiQuery, type Opened, type Reads } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { defineList } from '../../lists/list-of.ts'
import { isTeam } from '../../shared/roles.ts'

const PAGE = 50

/** A lead's sales, newest first, paged; partners see only their own entries. */
export const leadSalesQuery = (leadId: string) =>
  apiPagesQuery(listLeadSales, { params: { id: leadId }, query: { limit: PAGE, sort: '-saleDate' } })

export const salesIn = (pages: { items: Sale[] }[] | undefined) => pages?.flatMap(({ items }) => items)

export const receiptQuery = (entryId: string) => apiQuery(getReceipt, { params: { id: entryId } })

export const readsOfReceipt = ({ params }: Opened<{ commissionId: string }>): Reads => [
  receiptQuery(params.commissionId),
]

/** The account's partner if it has one alone: `total` is 1. */
export const onlyPartnerQuery = (accountId: string) =>
  apiQuery(listPartners, { params: { id: accountId }, query: { limit: 1 } })

/** Whether the account has had a payout: `total`. */
export const anyPayoutQuery = (accountId: string) =>
  apiQuery(listPayouts, { params: { id: accountId }, query: { limit: 1 } })

/** A lead's sales of one day, to detect that a sale is being entered twice. */
export const salesOfDayQuery = (accountId: string, leadId: string, day: string) =>
  apiQuery(listSales, { params: { id: accountId }, query: { leadId, from: day, to: day, limit: 100 } })

/** The lines that sales figures count, newest day first. */
export const revenueLines = defineList(listRevenueLines, 'revenue-lines', {
  sort: '-day',
  filters: [
    'kind',
    'status',
    'provider',
    'partnerId',
    'blueprintId',
    'broughtBy',
    'onHold',
    'minAmount',
    'maxAmount',
    'from',
    'to',
  ],
})

const salesWith = (list: string, fixed: { unattributed?: 'true'; test?: 'true' }, optional: readonly string[] = []) =>
  defineList(listSales, list, {
    sort: '-saleDate',
    filters: ['status', 'provider', 'minAmount', 'maxAmount', 'from', 'to'],
    optional,
    fixed,
  })

export const unattributedSales = salesWith('unattributed-sales', { unattributed: 'true' }, [
  'provider',
  'externalId',
  'status',
])
export const testSales = salesWith('test-sales', { test: 'true' })

/** The reads of the chosen tab: sales, unattributed sales or test sales. */
export function readsOfSales({ role, search }: Opened): Reads {
  if (!isTeam(role)) return []
  const list = { sales: revenueLines, unattributed: unattributedSales, test: testSales }[search.tab as string]
  return [list?.({ id: role.accountId }).at(search)]
}

export const readsOfNewSale = ({ role }: Opened): Reads => (isTeam(role) ? [anyPayoutQuery(role.accountId)] : [])

/** The sales that a lead's new one is compared with. */
export const readsOfNewSaleOfLead = ({ role, params: { leadId } }: Opened<{ leadId: string }>): Reads =>
  isTeam(role) ? [salesOfDayQuery(role.accountId, leadId, todayIn(timeZoneHere())), anyPayoutQuery(role.accountId)] : []

/** Leads that may be the payer of a sale, the likeliest first. */
export const leadsLikePayerQuery = (saleId: string) => ({
  ...apiQuery(listLeadsSimilarToPayer, { params: { id: saleId } }),
  // asked again whenever the dialog opens: a lead may have arrived
  staleTime: 0,
})

/** Commission split of a sale that is not recorded yet. */
export const commissionPreviewQuery = (accountId: string, sale: PreviewedSale) =>
  apiQuery(previewCommission, { params: { id: accountId }, body: sale })
