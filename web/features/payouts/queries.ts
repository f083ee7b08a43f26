import { getPayoutForecast, listBalances, listCommissions } from '#contract/balances.ts'
import { listLiability } from '#contract/books.ts'
import { getInvoicing, listInvoices } from '#contract/invoices.ts'
import { createPaymentFile, type FileMethod, listPaymentFiles, type PaymentFile } from '#contract/payment-files.ts'
import { getPayoutReconciliation, type PayoutReconciliation } from '#contract/payout-reconciliation.ts'
import { getAutoPayoutSettings } from '#contract/payout-settings.ts'
import {
  type ApprovalPreview,
  type ApprovalResults,
  approvePayouts,
  getPayout,
  getPayoutAttention,
  listPayoutEntries,
  listPayouts,
  type Payout,
  payoutNeeds,
} from '#contract/payouts.ts'
import { listTaxYear } from '#contract/tax-years.ts'
import type { PayoutStatus } from '#contract/values.ts'
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { type TableDefinition, tableOf, tableQuery } from '../../lists/table-state.ts'
import { invoices, invoiceTable, invoicing } from '../../shared/invoices.ts'
import { autoPayouts, payoutTotals } from '../../shared/queries.ts'
import { isTeam, mayCall } from '../../shared/roles.ts'
import { yearIn, yearToPrepare } from './years.ts'

export const payoutTabs = [
  'upcoming',
  'needs-action',
  'paid',
  'commissions',
  'year-report',
  'books',
  'invoices',
] as const
export type PayoutTab = (typeof payoutTabs)[number]
/** Tabs that list payouts. */
export type PayoutListTab = Extract<PayoutTab, 'needs-action' | 'paid'>

/** Poll intervals: while a payout moves by itself, and otherwise. */
const MOVING_MS = 3000
const WAITING_MS = 30_000

/** Statuses in which a payout may need a person. */
export const needyStatuses = [
  'open',
  'due',
  'approved',
  'awaiting-funding',
  'failed',
  'returned',
] as const satisfies readonly PayoutStatus[]

/** Filter choices for payouts that need no one, besides the paid ones. */
export const settledChoices = {
  onItsWay: 'approved,processing,sent',
  returned: 'returned',
  canceled: 'canceled',
  all: 'approved,processing,sent,paid,returned,canceled',
} as const

type Balances = SearchOf<typeof listBalances>
type Commissions = SearchOf<typeof listCommissions>
type Payouts = SearchOf<typeof listPayouts>
type Entries = SearchOf<typeof listPayoutEntries>
type Year = SearchOf<typeof listTaxYear>
type Liability = SearchOf<typeof listLiability>

/** The filter value that adds empty balances to the others. */
export const WITH_EMPTY = 'true,false'
export const balanceTable = tableOf<Balances>()({
  list: 'balances',
  sort: 'nextPayoutDate',
  fixed: { empty: 'false' },
  filters: ['empty', 'blocked'],
})

/** The list of each other tab; a chosen filter replaces the tab's fixed value. */
export const payoutTables: Record<PayoutListTab, TableDefinition<Payouts>> = {
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

/** The list as its tab opens it, for its total: the Payouts page reads it once for both. */
export const countOfBalances = (id: string) => balances(id, tableQuery({}, balanceTable))
/** The first hundred payouts that a new file of this method may contain. */
export const forFile = (id: string, method: FileMethod) =>
  read(listPayouts, { params: { id }, query: { attention: method === 'sepa' ? 'file' : 'approve', limit: 100 } })

/** The effect of making a file of all that wait for this method; never cached. */
export const filePreview = (id: string, method: FileMethod) => ({
  ...read(createPaymentFile, { params: { id }, body: { method, all: true, preview: true } }),
  select: (reply: ApprovalPreview | PaymentFile) => reply as ApprovalPreview,
  staleTime: 0,
  gcTime: 0,
})

/** The newest invoices and credit notes. */
export const newestInvoices = (id: string) =>
  read(listInvoices, { params: { id }, query: { limit: 5, sort: '-issuedOn' } })

/** The newest payment files. */
export const paymentFiles = (id: string, limit: number) =>
  read(listPaymentFiles, { params: { id }, query: { limit, sort: '-createdAt' } })

/** The tasks open to the owner now. */
export const attention = (id: string) => read(getPayoutAttention, { params: { id } })

export const forecast = (id: string) => read(getPayoutForecast, { params: { id } })

/** Polls faster while payments are being read back. */
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

/** Every commission of the account. */
export const commissionTable = tableOf<Commissions>()({
  list: 'commissions',
  filters: ['status', 'kind', 'partner', 'from', 'to', 'dueFrom', 'dueTo'],
})
export const commissions = (id: string, search: Commissions) => listQuery(listCommissions, { params: { id }, search })

export const entryTable = tableOf<Entries>()({ list: 'payout-entries', sort: 'createdAt' })

export const entries = (id: string, search: Entries) => listQuery(listPayoutEntries, { params: { id }, search })

/** The effect of approving these payouts; never cached. */
export const approvalPreview = (accountId: string, ids: readonly string[]) => ({
  ...read(approvePayouts, { params: { id: accountId }, body: { ids: [...ids], preview: true } }),
  select: (reply: ApprovalPreview | ApprovalResults) => reply as ApprovalPreview,
  staleTime: 0,
  gcTime: 0,
})

export const yearTable = tableOf<Year>()({
  list: 'year-report',
  sort: '-paid',
  filters: ['overThreshold', 'approved', 'taxForm', 'toApprove'],
})

/** The report of a year: payments to each partner, by the day of payment. */
export const yearReport = (id: string, year: number, search: Year) =>
  listQuery(listTaxYear, { params: { id, year: String(year) }, search })

export const liabilityTable = tableOf<Liability>()({ list: 'liability', sort: '-owed' })

/** Amounts owed to each partner at the end of a day. */
export const liability = (id: string, day: string, search: Liability) =>
  listQuery(listLiability, { params: { id, day }, search })

/** Returns the day in the address, or today if it is none up to then. */
export const dayOfBooks = (given: unknown, today: string) =>
  typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) && given <= today
    ? given
    : today

/** The number of partners to approve for the year, from the list's exact totals. */
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

const readsOfBooks = (id: string, { role, search }: Opened): Reads => [
  liability(id, dayOfBooks(search.day, todayIn(timeZoneHere())), tableQuery(search, liabilityTable)),
  newestInvoices(id),
  ...(mayCall(role, getInvoicing) ? [invoicing(id)] : []),
  paymentFiles(id, 10),
]

/** The figures above a tab's rows, and in the tabs. */
export const readsAboveRows = (id: string, tab: PayoutTab): Reads => [
  ...(tab === 'upcoming' ? [forecast(id)] : []),
  ...(tab === 'needs-action' ? [attention(id)] : []),
  payoutTotals(id),
  countOfBalances(id),
]

export function readsOfPayouts({ role, search }: Opened): Reads {
  if (!isTeam(role)) return []
  const { accountId } = role
  const tab = payoutTabs.find((key) => key === search.tab) ?? 'upcoming'
  return [
    ...(tab === 'upcoming' ? [balances(accountId, tableQuery(search, balanceTable))] : []),
    ...(tab === 'commissions' ? [commissions(accountId, tableQuery(search, commissionTable))] : []),
    ...(tab === 'year-report' ? readsOfYear(accountId, search) : []),
    ...(tab === 'books' ? readsOfBooks(accountId, { role, search, params: {} }) : []),
    ...(tab === 'invoices' ? [invoices(accountId, tableQuery(search, invoiceTable))] : []),
    ...(tab === 'paid' || tab === 'needs-action' ? [payouts(accountId, tableQuery(search, payoutTables[tab]))] : []),
    ...readsAboveRows(accountId, tab),
    ...(mayCall(role, getAutoPayoutSettings) ? [autoPayouts(accountId)] : []),
    reconciliation(accountId),
  ]
}

export const readsOfReconciliation = ({ role }: Opened): Reads => (isTeam(role) ? [reconciliation(role.accountId)] : [])

export const readsOfPayout = ({ params: { payoutId }, search }: Opened<{ payoutId: string }>): Reads => [
  payout(payoutId),
  entries(payoutId, tableQuery(search, entryTable)),
]
