import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { formatNumber } from '#contract/format.ts'
import { reportPhrases } from '#contract/report-words.ts'
import { formatMoney, formatPart } from '#web/format.ts'
import { DataTable } from '#web/lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '#web/lists/list-types.ts'
import { useList } from '#web/lists/useList.ts'
import { defineColumns } from '#web/shared/columns.tsx'
import { partnerFilter } from '#web/shared/filters.tsx'
import { ToPartner } from '#web/shared/links.tsx'
import { leadsBehind, revenueBehind, salesBehind } from '#web/shared/lists-behind.ts'
import { reportRowName } from '#web/shared/report-rows.ts'
import type { DateRangeState } from '#web/ui/DateRange.tsx'
import { PayoutsIcon } from '#web/ui/icons.tsx'
import { Message } from '#web/ui/Message.tsx'
import { Name } from '#web/ui/Name.tsx'
import { basicWords } from '#web/words/basic.ts'
import { fieldWords } from '#web/words/fields.ts'
import {
  downloadReport,
  type listReport,
  type ReportDimension,
  type ReportRow,
  type ReportTotals,
  reportDimensions,
} from '../contract.ts'
import { reportTabWords } from '../tab-text.ts'
import { reportWords } from '../text.ts'
import { Bars } from './Bars.tsx'
import { rangeReport } from './queries.ts'

const column = defineColumns<typeof listReport>()

type Props = { accountId: string; range: DateRangeState }

/** Clicks, leads, sales and money by one dimension: the same rows as a chart, a table and a file. */
export function ReportRows({ accountId, range }: Props) {
  const list = useList(rangeReport(accountId, range))
  const { table, answer } = list
  const { data } = answer
  const by = data?.by ?? 'partner'
  const { from, to } = range
  const { partnerId } = table.query
  const columns = useMemo(
    () => columnsFor({ by, days: { startDate: from, endDate: to }, partnerId, data }),
    [by, from, to, partnerId, data],
  )
  return (
    <>
      {data && <Bars answer={data} sort={table.query.sort ?? '-revenue'} />}
      {data?.capped && <Message kind="info">{reportWords.capped}</Message>}
      {data && data.waiting > 0 && <Message kind="info">{reportWords.waiting({ count: data.waiting })}</Message>}
      <DataTable
        name={reportWords.report}
        page={reportTabWords.label}
        plural={reportWords.plural}
        rowsAre="items"
        list={list}
        csv={{ endpoint: downloadReport, atHead: true }}
        totalsOfAll
        columns={columns}
        keyOf={({ kind, value }) => `${kind} ${value}`}
        nameOf={(row) => reportRowName(by, row)}
        filters={filtersFor(accountId)}
        empty={{ icon: <PayoutsIcon />, hint: reportWords.none }}
      />
    </>
  )
}

const filtersFor = (accountId: string): FilterOf<typeof rangeReport>[] => [
  {
    name: 'by',
    label: reportWords.by,
    all: reportPhrases.dimensions.partner,
    choices: reportDimensions
      .filter((dimension) => dimension !== 'partner')
      .map((value) => ({ value, label: reportPhrases.dimensions[value] })),
  },
  partnerFilter('partnerId', fieldWords.partner, accountId),
]

type Days = { startDate: string; endDate: string }
type Shown = {
  by: ReportDimension
  days: Days
  partnerId: string | undefined
  data: { currency: string; totals: ReportTotals } | undefined
}

/**
 * The list that a figure of a row opens, narrowed to what it counts; none for the row of kinds that are not stored
 * separately.
 */
function broughtBy(by: ReportDimension, { kind, value }: ReportRow) {
  if (kind === 'none') return { broughtBy: by }
  // the lists have filters of their own for these
  if (by === 'partner') return { partnerId: value }
  return by === 'link' ? { blueprintId: value } : { broughtBy: `${by}:${value}` }
}

function columnsFor({ by, days, partnerId, data }: Shown): ColumnOf<typeof listReport>[] {
  const currency = data?.currency ?? 'usd'
  const totals = data?.totals
  const scope = partnerId ? { partnerId } : {}
  const money = (amount: number) => formatMoney(amount, currency)
  const each = (ratio: number | null, say: (ratio: number) => string) =>
    ratio === null ? basicWords.absent : say(ratio)
  type Figure = 'clicks' | 'leads' | 'sales' | 'revenue' | 'commission' | 'profit' | 'refunds'
  const figure = (field: Figure, say: (figure: number) => string, list?: object): ColumnOf<typeof listReport> => ({
    head: reportWords[field],
    field,
    sort: field,
    numeric: true,
    card: field === 'clicks' || field === 'sales' || field === 'revenue' ? 'figure' : undefined,
    cell: (row) => {
      const text = each(row[field], say)
      return list && row[field] && row.kind !== 'others' ? (
        <Link to="/leads" search={{ ...list, ...broughtBy(by, row) }} className="plain">
          {text}
        </Link>
      ) : (
        text
      )
    },
    total: () => totals && each(totals[field], say),
  })
  return [
    column.first(
      ['kind', 'value', 'name'],
      reportPhrases.dimensions[by],
      { sort: 'name', total: () => fieldWords.total },
      (row) => <Name>{linked(by, row)}</Name>,
    ),
    figure('clicks', formatNumber),
    figure('leads', formatNumber, leadsBehind(days, scope)),
    figure('sales', formatNumber, salesBehind(days, scope)),
    figure('revenue', money, revenueBehind(days, scope)),
    figure('commission', money),
    figure('profit', money),
    figure('refunds', money),
    column.of(
      'conversion',
      reportWords.conversion,
      { numeric: true, total: () => totals && each(totals.conversion, formatPart) },
      ({ conversion }) => each(conversion, formatPart),
    ),
    column.of(
      'earningsPerClick',
      reportWords.earningsPerClick,
      { numeric: true, total: () => totals && each(totals.earningsPerClick, (amount) => money(Math.round(amount))) },
      ({ earningsPerClick }) => each(earningsPerClick, (amount) => money(Math.round(amount))),
    ),
  ]
}

function linked(by: ReportDimension, row: ReportRow) {
  const { kind, value } = row
  const name = reportRowName(by, row)
  if (kind !== 'value') return <span className="muted">{name}</span>
  if (by === 'partner') return <ToPartner id={value}>{name}</ToPartner>
  if (by === 'link')
    return (
      <Link to="/links/$blueprintId" params={{ blueprintId: value }}>
        {name}
      </Link>
    )
  return name
}
