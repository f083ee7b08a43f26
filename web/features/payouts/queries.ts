import {
  type ApprovalPreview,
  type ApprovalResults,
  approvePayouts,
  getAutoPayoutSettings,
  getPayout,
  getPayoutAttention,
  getPayoutForecast,
  getPayoutReconciliation,
  getPayoutTotals,
  listBalances,
  listPayoutEntries,
  listPayouts,
  type Payout,
  type PayoutReconciliation,
  payoutNeeds,
} from '#contract/payouts.ts'
import { listTaxYear } from '#contract/tax-years.ts'
import type { PayoutStatus } from '#contract/values.ts'
import { listQuery, read, type SearchOf } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import type { Opened, Reads } from '../../reads.ts'
import { type TableDefinition, tableQuery } from '../../ui/table-state.ts'
import { yearIn, yearToPrepare } from './years.ts'

export const tabs = ['upcoming', 'needs-action', 'paid', 'year-report'] as const
export type Tab = (typeof tabs)[number]
/** A tab that lists payouts. */
export type PayoutTab = Exclude<Tab, 'upcoming' | 'year-report'>

/** Where a payout moves without anybody, look again so often. */
const MOVING_MS = 3000
const WAITING_MS = 30_000

/** In which states a payout may need somebody. */
export const needyStatuses = [
  'open',
  'due',
  'approved',
  'awaiting-funding',
  'failed',
  'returned',
] as const satisfies readonly PayoutStatus[]

/** What else there is beside what was paid, where nobody is needed. */
export const settledChoices = {
  onItsWay: 'approved,processing,sent',
  returned: 'returned',
  canceled: 'canceled',
  all: 'approved,processing,sent,paid,returned,canceled',
} as const

type Balances = SearchOf<typeof listBalances>
type Payouts = SearchOf<typeof listPayouts>
type Entries = SearchOf<typeof listPayoutEntries>
type Year = SearchOf<typeof listTaxYear>

/** Empty balances are shown where they are asked for: beside the others. */
export const WITH_EMPTY = 'true,false'
export const balanceTable: TableDefinition<Balances> = {
  list: 'balances',
  sort: 'nextPayoutDate',
  fixed: { empty: 'false' },
  filters: ['empty', 'blocked'],
}

/** How each other tab's list is asked for; what is chosen stands instead of what the tab holds. */
export const payoutTables: Record<PayoutTab, TableDefinition<Payouts>> = {
  'needs-action': {
    list: 'payouts-needing-action',
    fixed: { attention: payoutNeeds.join(',') },
    filters: ['status', 'attention'],
  },
  paid: {
    list: 'paid-payouts',
    fixed: { attention: 'none', status: 'paid' },
    filters: ['status', 'paidYear', 'paidFrom', 'paidTo'],
  },
}

export const balances = (id: string, search: Balances) => listQuery(listBalances, { params: { id }, search })

export const payouts = (id: string, search: Payouts) => ({
  ...listQuery(listPayouts, { params: { id }, search }),
  refetchInterval: ({ state }: { state: { data?: { items: Payout[] } | undefined } }) =>
    state.data?.items.some(isMoving) ? MOVING_MS : WAITING_MS,
})

const isMoving = ({ status, method }: Payout) => status === 'processing' || (status === 'approved' && method === 'wise')

/** The list as its tab opens, for its total: whoever opens Payouts asks for it once. */
export const countOfBalances = (id: string) => balances(id, tableQuery({}, balanceTable))
/** One row of the tab's list, for its total. */
export const countOf = (id: string, tab: PayoutTab) =>
  read(listPayouts, { params: { id }, query: { limit: 1, ...payoutTables[tab].fixed } })

/** The payouts that a new batch file would hold, the first hundred by name. */
export const forBatch = (id: string) =>
  read(listPayouts, { params: { id }, query: { attention: 'approve', limit: 100 } })

/** The number of payouts to approve or unblock when the page was read. */
export const countOfUnapproved = (id: string) =>
  read(listPayouts, { params: { id }, query: { status: 'open,due', limit: 1 } })

/** The blocked partners, counted and summed as the list does. */
export const blockedBalances = { empty: 'false', blocked: 'true' } as const
export const countOfBlocked = (id: string) =>
  read(listBalances, { params: { id }, query: { ...blockedBalances, limit: 1 } })

/** What a person can do now. */
export const attention = (id: string) => read(getPayoutAttention, { params: { id } })

export const totals = (id: string) => read(getPayoutTotals, { params: { id } })
export const forecast = (id: string) => read(getPayoutForecast, { params: { id } })

export const autoPayouts = (id: string) => read(getAutoPayoutSettings, { params: { id } })

/** While what was paid is read back, look again. */
export const reconciliation = (id: string) => ({
  ...read(getPayoutReconciliation, { params: { id } }),
  refetchInterval: ({ state }: { state: { data?: PayoutReconciliation | undefined } }) =>
    state.data?.pausedAt && !state.data.readAt ? MOVING_MS : WAITING_MS,
})

export const payout = (id: string) => ({
  ...read(getPayout, { params: { id } }),
  refetchInterval: ({ state }: { state: { data?: Payout | undefined } }) =>
    state.data && isMoving(state.data) ? MOVING_MS : WAITING_MS,
})

export const entryTable: TableDefinition<Entries> = { list: 'payout-entries', sort: 'createdAt' }

export const entries = (id: string, search: Entries) => listQuery(listPayoutEntries, { params: { id }, search })

/** What approving these would do, asked anew each time. */
export const approvalPreview = (accountId: string, ids: readonly string[]) => ({
  ...read(approvePayouts, { params: { id: accountId }, body: { ids: [...ids], preview: true } }),
  select: (reply: ApprovalPreview | ApprovalResults) => reply as ApprovalPreview,
  staleTime: 0,
  gcTime: 0,
})

export const yearTable: TableDefinition<Year> = {
  list: 'year-report',
  sort: '-paid',
  filters: ['overThreshold', 'approved', 'taxForm', 'toApprove'],
}

/** The report of a year: what each partner was paid, by the day of payment. */
export const yearReport = (id: string, year: number, search: Year) =>
  listQuery(listTaxYear, { params: { id, year: String(year) }, search })

/** How many should be approved for the year: the totals know it exactly. */
export const toApprove = (id: string, year: number) =>
  read(listTaxYear, { params: { id, year: String(year) }, query: { toApprove: 'true', limit: 1 } })

function readsOfYear(id: string, search: Opened['search']): Reads {
  const today = todayIn(timeZoneHere())
  const next = yearToPrepare(today)
  return [
    yearReport(id, yearIn(search.year, today), tableQuery(search, yearTable)),
    ...(next ? [toApprove(id, next)] : []),
  ]
}

export function readsOfPayouts({ role, search }: Opened): Reads {
  if (role.type !== 'account-owner') return []
  const { accountId } = role
  const tab = tabs.find((key) => key === search.tab) ?? 'upcoming'
  return [
    ...(tab === 'upcoming' ? [balances(accountId, tableQuery(search, balanceTable))] : []),
    ...(tab === 'year-report' ? readsOfYear(accountId, search) : []),
    ...(tab === 'paid' || tab === 'needs-action' ? [payouts(accountId, tableQuery(search, payoutTables[tab]))] : []),
    totals(accountId),
    forecast(accountId),
    countOfBlocked(accountId),
    countOfUnapproved(accountId),
    autoPayouts(accountId),
    attention(accountId),
    reconciliation(accountId),
    countOfBalances(accountId),
    countOf(accountId, 'needs-action'),
    countOf(accountId, 'paid'),
  ]
}

export const readsOfReconciliation = ({ role }: Opened): Reads =>
  role.type === 'account-owner' ? [reconciliation(role.accountId)] : []

export const readsOfPayout = ({ params: { payoutId }, search }: Opened<{ payoutId: string }>): Reads => [
  payout(payoutId),
  entries(payoutId, tableQuery(search, entryTable)),
]
