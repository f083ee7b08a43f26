import { Link } from '@tanstack/react-router'
import { entryKinds, entryStatuses } from '#contract/commissions.ts'
import { entryTitle } from '#contract/entry-title.ts'
import { entryTitlePhrases } from '#contract/entry-title-words.ts'
import type { CommissionEntryWithSale, SetAside } from '#contract/sales.ts'
import { formatDate, formatDateAt, formatRate } from '../format.ts'
import type { DataColumn } from '../lists/list-types.ts'
import { Money } from '../ui/Money.tsx'
import { Name } from '../ui/Name.tsx'
import { basicWords } from '../words/basic.ts'
import { entryWords } from '../words/commissions.ts'
import { fieldWords } from '../words/fields.ts'
import styles from './commission-entries.module.css'
import { ToLead } from './links.tsx'
import { comingParts, dueParts, heldParts } from './lists-behind.ts'
import { MoneyLink } from './MoneyLink.tsx'
import { StatusBadge, statusLabel } from './StatusBadge.tsx'

/** Fits each list of entries: what it can be sorted by is the list's own. */
type EntryColumn = DataColumn<CommissionEntryWithSale, never>

/** The title of an entry, linked to its sale if the reader may open its lead. */
function EntryName({ entry }: { entry: CommissionEntryWithSale }) {
  const { saleId, paidFor, lead } = entry
  const title = formatTitle(entry)
  return (
    <Name>
      {(saleId !== null || paidFor !== null) && lead ? (
        <Link to="/leads/$leadId" params={{ leadId: lead.id }} hash={saleId === null ? undefined : `sale-${saleId}`}>
          {title}
        </Link>
      ) : (
        title
      )}
    </Name>
  )
}

/** The reason something is on hold or void, and the end if known. */
export function WhySetAside({ hold, timeZone }: { hold: SetAside; timeZone: string }) {
  if (!hold) return null
  const { until, reason } = hold
  return (
    <p className={`muted small ${styles.why}`}>
      {until ? entryWords.reasonUntil({ reason, date: formatDateAt(until, timeZone) }) : reason}
    </p>
  )
}

/** The lead of the sale. Another partner's lead is hidden from a partner. */
function LeadOfEntry({ entry: { saleId, paidFor, lead } }: { entry: CommissionEntryWithSale }) {
  if (saleId === null && paidFor === null) return basicWords.absent
  if (!lead) return entryTitlePhrases.leadHidden
  return (
    <Name>
      <ToLead id={lead.id}>{lead.name}</ToLead>
    </Name>
  )
}

export const formatTitle = (entry: CommissionEntryWithSale) => entryTitle(entry, formatDate)

/** Returns the day of the sale, of the refund, or of the entry itself. */
export function formatDay({ kind, refund, saleDate, createdAt }: CommissionEntryWithSale, timeZone: string) {
  if (refund) return formatDateAt(refund.at, timeZone)
  return saleDate && kind === 'earned' ? formatDate(saleDate) : formatDateAt(createdAt, timeZone)
}

/** The columns of every list of commission entries; each list takes its own and adds totals. */
export function entryColumns(timeZone: string) {
  return {
    date: {
      head: fieldWords.date,
      csv: ['saleDate', 'refundAt', 'createdAt'],
      short: true,
      cell: (entry) => formatDay(entry, timeZone),
    },
    sale: {
      head: fieldWords.sale,
      field: 'saleDescription',
      csv: ['kind', 'saleDescription', 'reason', 'refundKind'],
      cell: (entry) => <EntryName entry={entry} />,
    },
    lead: {
      head: fieldWords.lead,
      field: 'leadName',
      card: 'under',
      cell: (entry) => <LeadOfEntry entry={entry} />,
    },
    layer: {
      head: fieldWords.layer,
      field: 'layer',
      numeric: true,
      cell: ({ layer }) => (layer === null ? basicWords.absent : layer + 1),
    },
    rate: {
      head: fieldWords.rate,
      field: 'rate',
      numeric: true,
      card: 'figure',
      cell: ({ rate }) => (rate === null ? basicWords.absent : formatRate(rate)),
    },
    base: {
      head: entryWords.columns.base,
      field: 'baseAmount',
      numeric: true,
      cell: ({ baseAmount, currency }) => <Money amount={baseAmount} currency={currency} />,
    },
    amount: {
      head: fieldWords.amount,
      field: 'amount',
      numeric: true,
      card: 'figure',
      cell: (entry) => <MoneyLink of={entry} strong />,
    },
    status: {
      head: fieldWords.status,
      field: 'status',
      csv: ['status', 'holdUntil', 'holdReason'],
      card: 'beside',
      cell: ({ status, hold }) => (
        <>
          <StatusBadge of="commission" status={status} />
          <WhySetAside hold={hold} timeZone={timeZone} />
        </>
      ),
    },
    due: {
      head: fieldWords.due,
      field: 'availableAt',
      short: true,
      card: 'figure',
      cell: ({ availableAt }) => <span className="muted">{formatDateAt(availableAt, timeZone)}</span>,
    },
  } satisfies Record<string, EntryColumn> as Record<
    'date' | 'sale' | 'lead' | 'layer' | 'rate' | 'base' | 'amount' | 'status' | 'due',
    EntryColumn
  >
}

/** Filters of a list of entries: by status, including the parts of a balance, and by kind. */
export const entryFilters = () => [
  {
    name: 'status' as const,
    label: fieldWords.status,
    choices: [
      ...entryStatuses.map((value) => ({ value: value as string, label: statusLabel('commission', value) })),
      { value: heldParts, label: entryWords.heldParts },
      { value: dueParts, label: entryWords.dueParts },
      { value: comingParts, label: entryWords.comingParts },
    ],
  },
  {
    name: 'kind' as const,
    label: fieldWords.kind,
    choices: entryKinds.map((value) => ({ value, label: entryWords.kinds[value] })),
  },
]
