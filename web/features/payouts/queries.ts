import { listLiability } from '#contract/accounting.ts'
import { type ListedBalance, listBalances, listCommissions } from '#contract/balances.ts'
import { getInvoicing, listInvoices } from '#contract/invoices.ts'
import {
  createPaymentFile,
  type FileMethod,
  type FilePreview,
  getPaymentFile,
  listPaymentFiles,
  type NewPaymentFile,
  type PaymentFile,
} from '#contract/payment-files.ts'
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
import type { PayoutStatus } from '#contract/values.ts'
import { approveForTaxYear, listTaxYear } from '#features/tax-years/contract.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { defineList } from '../../lists/list-of.ts'
import { invoices, invoicingQuery } from '../../shared/invoices.ts'
import { autoPayoutsQuery, payoutTotalsQuery } from '../../shared/queries.ts'
import { isTeam, mayCall } from '../../shared/roles.ts'
import { yearIn, yearToPrepare } from './years.ts'

export const payoutTabs = [
  'upcoming',
  'needs-action',
  'paid',
  'commissions',
  'payment-files',
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

/** The filter value that adds empty balances to the others. */
export const WITH_EMPTY = 'true,false'
export const balances = defineList(listBalances, 'balances', {
  sort: 'nextPayoutDate',
  // in order of paydays each has its rows
  fixed: (params) => ({ empty: 'false', ...(isByPayday(params) && { each: 'payday' as const }) }),
  filters: ['empty', 'blocked', 'nextYear', 'part'],
})

/** Whether the balances at this address are in groups by payday. */
export const isByPayday = ({ sort = 'nextPayoutDate', part }: { sort?: unknown; part?: unknown }) =>
  sort === 'nextPayoutDate' && part === undefined

/**
 * The key of a row: a partner has one for each payday. The first keeps its key, and remains ticked, when its payday
 * changes.
 */
export const keyOfBalance = ({ partnerId, payday, nextPayoutDate }: ListedBalance) =>
  payday === nextPayoutDate ? partnerId : `${partnerId} ${payday}`

type PayoutFilter = 'status' | 'attention' | 'file' | 'part' | 'givenAs' | 'paidYear' | 'paidFrom' | 'paidTo'
const payoutsWith = (list: string, fixed: { attention: string; status?: string }, filters: readonly PayoutFilter[]) =>
  defineList(listPayouts, list, {
    // a part of what is owed may be in any state
    fixed: ({ part }) => (part === undefined ? fixed : {}),
    filters,
    again: (page) => (page?.items.some(isMoving) ? MOVING_MS : WAITING_MS),
  })

/** The list of each other tab; a chosen filter replaces the tab's fixed value. */
export const payouts = {
  'needs-action': payoutsWith('payouts-needing-action', { attention: payoutNeeds.join(',') }, [
    'status',
    'attention',
    'file',
    'part',
    'givenAs',
  ]),
  paid: payoutsWith('paid-payouts', { attention: 'none', status: 'paid' }, [
    'status',
    'part',
    'givenAs',
    'paidYear',
    'paidFrom',
    'paidTo',
  ]),
}

const isMoving = ({ status, method }: Payout) => status === 'processing' || (status === 'approved' && method === 'wise')

/** The list as its tab opens it, for its total: the Payouts page reads it once for both. */
export const countOfBalances = (id: string) => balances({ id }).at({})
/** The first hundred payouts that a new file of this method may contain. */
export const payoutsForFileQuery = (id: string, method: FileMethod) =>
  apiQuery(listPayouts, { params: { id }, query: { attention: method === 'sepa' ? 'file' : 'approve', limit: 100 } })

/** The effect of making this file; never cached. */
export const filePreviewQuery = (id: string, file: NewPaymentFile) => ({
  ...apiQuery(createPaymentFile, { params: { id }, body: { ...file, preview: true } }),
  select: (reply: FilePreview | PaymentFile) => reply as FilePreview,
  staleTime: 0,
  gcTime: 0,
})

/** The newest invoices and credit notes. */
export const newestInvoicesQuery = (id: string) =>
  apiQuery(listInvoices, { params: { id }, query: { limit: 5, sort: '-issuedOn' } })

export const paymentFileQuery = (id: string) => apiQuery(getPaymentFile, { params: { id } })
/** The payouts that are or were in a file. */
export const payoutsInFile = (accountId: string, file: string) =>
  defineList(listPayouts, 'payouts-in-file', { fixed: { file } })({ id: accountId })

export const paymentFiles = defineList(listPaymentFiles, 'payment-files')

/** The tasks open to the owner now. */
export const attentionQuery = (id: string) => apiQuery(getPayoutAttention, { params: { id } })

/** Polls faster while payments are being read back. */
export const reconciliationQuery = (id: string) => ({
  ...apiQuery(getPayoutReconciliation, { params: { id } }),
  refetchInterval: ({ state }: { state: { data?: PayoutReconciliation | undefined } }) =>
    state.data?.pausedAt && !state.data.readAt ? MOVING_MS : WAITING_MS,
})

export const payoutQuery = (id: string) => ({
  ...apiQuery(getPayout, { params: { id } }),
  refetchInterval: ({ state }: { state: { data?: Payout | undefined } }) =>
    state.data && isMoving(state.data) ? MOVING_MS : WAITING_MS,
})

/** Every commission of the account. */
export const commissions = defineList(listCommissions, 'commissions', {
  filters: ['status', 'kind', 'partner', 'from', 'to', 'dueFrom', 'dueTo'],
})

export const entries = defineList(listPayoutEntries, 'payout-entries', { sort: 'createdAt' })

/** The effect of approving these payouts; never cached. */
export const approvalPreviewQuery = (accountId: string, ids: readonly string[]) => ({
  ...apiQuery(approvePayouts, { params: { id: accountId }, body: { ids: [...ids], preview: true } }),
  select: (reply: ApprovalPreview | ApprovalResults) => reply as ApprovalPreview,
  staleTime: 0,
  gcTime: 0,
})

/** The report of a year: payments to each partner, by the day of payment. */
export const yearReport = defineList(listTaxYear, 'year-report', {
  sort: '-paid',
  filters: ['overThreshold', 'approved', 'taxForm', 'toApprove'],
})

/** Amounts owed to each partner at the end of a day. */
export const liability = defineList(listLiability, 'liability', { sort: '-owed' })

/** Returns the day in the address, or today if it is none up to then. */
export const dayOfBooks = (given: unknown, today: string) =>
  typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) && given <= today
    ? given
    : today

/** The partners to approve for the year. */
export const payoutsToApproveQuery = (id: string, year: number) =>
  apiQuery(approveForTaxYear, { params: { id, year: String(year) }, body: { all: true, preview: true } })

function readsOfYear(id: string, { role, search }: Pick<Opened, 'role' | 'search'>): Reads {
  const today = todayIn(timeZoneHere())
  const next = yearToPrepare(today)
  return [
    yearReport({ id, year: String(yearIn(search.year, today)) }).at(search),
    next !== null && mayCall(role, approveForTaxYear) && payoutsToApproveQuery(id, next),
  ]
}

const readsOfBooks = (id: string, { role, search }: Opened): Reads => [
  liability({ id, day: dayOfBooks(search.day, todayIn(timeZoneHere())) }).at(search),
  newestInvoicesQuery(id),
  mayCall(role, getInvoicing) && invoicingQuery(id),
]

/** The figures above a tab's rows, and in the tabs. */
export const readsAboveRows = (id: string, tab: PayoutTab): Reads => [
  tab === 'needs-action' && attentionQuery(id),
  payoutTotalsQuery(id),
  countOfBalances(id),
]

export function readsOfPayouts({ role, search }: Opened): Reads {
  if (!isTeam(role)) return []
  const { accountId } = role
  const tab = payoutTabs.find((key) => key === search.tab) ?? 'upcoming'
  return [
    tab === 'upcoming' && balances({ id: accountId }).at(search),
    tab === 'commissions' && commissions({ id: accountId }).at(search),
    ...(tab === 'year-report' ? readsOfYear(accountId, { role, search }) : []),
    ...(tab === 'books' ? readsOfBooks(accountId, { role, search, params: {} }) : []),
    tab === 'payment-files' && paymentFiles({ id: accountId }).at(search),
    tab === 'invoices' && invoices({ id: accountId }).at(search),
    (tab === 'paid' || tab === 'needs-action') && payouts[tab]({ id: accountId }).at(search),
    ...readsAboveRows(accountId, tab),
    mayCall(role, getAutoPayoutSettings) && autoPayoutsQuery(accountId),
    reconciliationQuery(accountId),
  ]
}

export const readsOfReconciliation = ({ role }: Opened): Reads =>
  isTeam(role) ? [reconciliationQuery(role.accountId)] : []

export const readsOfPaymentFile = ({ role, params: { fileId }, search }: Opened<{ fileId: string }>): Reads => [
  paymentFileQuery(fileId),
  isTeam(role) && payoutsInFile(role.accountId, fileId).at(search),
]

export const readsOfPayout = ({ params: { payoutId }, search }: Opened<{ payoutId: string }>): Reads => [
  payoutQuery(payoutId),
  entries({ id: payoutId }).at(search),
]
