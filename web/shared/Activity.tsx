import { useMemo } from 'react'
import { type AuditRow, downloadAudit, type listAudit } from '#contract/activity.ts'
import { formatShortDateTime } from '../format.ts'
import { DataTable } from '../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../lists/list-types.ts'
import type { QueryOf } from '../lists/table-state.ts'
import { useList } from '../lists/useList.ts'
import type { TableState } from '../lists/useTable.ts'
import { Name } from '../ui/Name.tsx'
import { PathLink } from '../ui/PathLink.tsx'
import { activityWords } from '../words/activity.ts'
import { basicWords } from '../words/basic.ts'
import { fieldWords } from '../words/fields.ts'
import { activityList } from './activity-list.ts'
import { activityFieldLabel, activityLabel, activityValueLabel, actorLabel } from './activity-words.ts'
import { defineColumns } from './columns.tsx'
import { daysFilter } from './filters.tsx'

const column = defineColumns<typeof listAudit>()

type Account = { id: string; timeZone: string; defaultCurrency: string }

type Props = {
  account: Account
  /** The page's H1. */
  page: string
  /** Shows the actions on this thing only; else those of the whole account. */
  subjectId?: string
}

const kinds = [
  'account',
  'partner',
  'invitation',
  'lead',
  'sale',
  'payout',
  'group',
  'goal',
  'link-blueprint',
  'payment-provider',
  'incoming-webhook',
  'outgoing-webhook',
  'embed-code',
  'exchange-rate',
  'role',
  'import',
  'list',
] as const

/** The changes of the whole account or of one thing, with their actors. */
export function Activity({ account, page, subjectId }: Props) {
  const list = useList(activityList(account.id, subjectId))
  const { table, answer } = list
  const rows = answer.data?.items ?? []
  const { timeZone, defaultCurrency } = account
  const named = subjectId === undefined
  const columns = useMemo(() => columnsFor(timeZone, defaultCurrency, named), [timeZone, defaultCurrency, named])
  return (
    <DataTable
      name={activityWords.heading}
      page={page}
      plural={activityWords.plural}
      rowsAre="acts"
      list={list}
      csv={{ endpoint: downloadAudit }}
      columns={columns}
      nameOf={({ action, subject }) => [activityLabel(action), subject.name].filter(Boolean).join(' ')}
      filters={filtersFor(account.timeZone, table, rows, subjectId)}
      actions={(row) => narrowing(row, table, subjectId)}
      empty={{ hint: activityWords.hint }}
    />
  )
}

function narrowing(
  { actor, subject }: AuditRow,
  table: TableState<QueryOf<typeof activityList>>,
  fixed: string | undefined,
) {
  const [{ id: actorId }, { id: subjectId, name }] = [actor, subject]
  const byActor = actorId && {
    label: activityWords.onlyBy({ name: actorLabel(actor) }),
    run: () => table.set({ actorId }),
  }
  const ofSubject = !fixed &&
    subjectId &&
    name && { label: activityWords.onlyThis({ name }), run: () => table.set({ subjectId }) }
  return [byActor || [], ofSubject || []].flat()
}

function filtersFor(
  timeZone: string,
  table: TableState<QueryOf<typeof activityList>>,
  rows: AuditRow[],
  fixed: string | undefined,
): FilterOf<typeof activityList>[] {
  /** The filter set by clicking a row, shown so that it can be removed. */
  const chosen = (
    name: 'actorId' | 'subjectId',
    label: string,
    of: (row: AuditRow) => [string | null, string | null],
  ) => {
    const value = table.filter(name)
    if (!value) return []
    const known = rows.map(of).find(([id]) => id === value)?.[1]
    return [{ name, label, choices: [{ value, label: known ?? basicWords.absent }] }]
  }
  return [
    ...(fixed
      ? []
      : [
          {
            name: 'action' as const,
            label: activityWords.kind,
            choices: kinds.map((value) => ({ value, label: activityWords.kinds[value] })),
          },
          ...chosen('subjectId', activityWords.subject, ({ subject }) => [subject.id, subject.name]),
        ]),
    ...chosen('actorId', activityWords.actor, ({ actor }) => [actor.id, actorLabel(actor)]),
    daysFilter(activityWords.dateRange, timeZone),
  ]
}

function columnsFor(timeZone: string, defaultCurrency: string, named: boolean): ColumnOf<typeof listAudit>[] {
  return [
    column.first(named ? ['action', 'subjectName'] : ['action'], activityWords.what, {}, ({ action, subject }) => (
      <div className="stack gap-0">
        {activityLabel(action)}
        {named && subject.name && <Subject subject={subject} />}
      </div>
    )),
    column.of('changes', activityWords.changes, { card: 'under' }, (row) => (
      <Changes row={row} currency={row.currency ?? defaultCurrency} timeZone={timeZone} />
    )),
    column.of('actorName', activityWords.who, { csv: ['actorType', 'actorName'], card: 'figure' }, ({ actor }) => (
      <Name>{actorLabel(actor)}</Name>
    )),
    column.of('network', fieldWords.network, { card: 'figure', short: true }, ({ network }) => (
      <span className="muted">{network ?? basicWords.absent}</span>
    )),
    column.of('at', activityWords.when, { sort: 'createdAt', card: 'figure', short: true }, ({ at }) => (
      <time dateTime={at}>{formatShortDateTime(at, timeZone)}</time>
    )),
  ]
}

const places: Record<string, string> = {
  partner: '/partners',
  lead: '/leads',
  group: '/partners/groups',
  'link-blueprint': '/links',
  payout: '/payouts',
  'incoming-webhook': '/integrations/incoming-webhooks',
  'outgoing-webhook': '/integrations/outgoing-webhooks',
}

function Subject({ subject: { type, id, name } }: Pick<AuditRow, 'subject'>) {
  const place = places[type]
  return (
    <div className="plain">
      <Name>{place && id ? <PathLink path={`${place}/${id}`}>{name}</PathLink> : name}</Name>
    </div>
  )
}

type OfRow = { row: AuditRow; currency: string; timeZone: string }

function Changes({ row, currency, timeZone }: OfRow) {
  const fields = Object.entries(row.changes)
  if (fields.length === 0) return <span className="muted">{basicWords.absent}</span>
  const describeValue = (field: string, side: 'old' | 'new') => {
    const metric = row.changes.metric?.[side]
    const label = activityValueLabel(field, row.changes[field]?.[side], { ...row, currency, timeZone, metric })
    return 'code' in label ? <code className="small">{label.code}</code> : label.words
  }
  return (
    <ul className="wrap">
      {fields.map(([field, { old, new: next }]) => (
        <li key={field}>
          <span className="muted">{activityFieldLabel(field) ?? <code>{field}</code>}</span>{' '}
          {old !== null && old !== undefined && old !== next && (
            <>
              {describeValue(field, 'old')} <Became />{' '}
            </>
          )}
          {describeValue(field, 'new')}
        </li>
      ))}
    </ul>
  )
}

const Became = () => (
  <>
    <span aria-hidden="true">→</span>
    <span className="visually-hidden">{activityWords.became}</span>
  </>
)
