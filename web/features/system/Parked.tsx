import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  downloadParked,
  type listParked,
  type Parked as ParkedItem,
  parkedKinds,
  retryAllParked,
  retryParked,
} from '#contract/system.ts'
import { useCall } from '../../calls.ts'
import { timeZoneHere } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useTable } from '../../lists/useTable.ts'
import { columnsOf } from '../../shared/columns.tsx'
import { Button } from '../../ui/Button.tsx'
import { AgainIcon } from '../../ui/icons.tsx'
import { focusHeading } from '../../ui/Page.tsx'
import { explainRefusal } from '../../ui/refusals.ts'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { queueName } from './names.ts'
import { parked, parkedTable } from './queries.ts'
import styles from './System.module.css'

const column = columnsOf<typeof listParked>()

/** The pressed button disappears with its row, so the focus moves to the heading. */
const told = {
  onSuccess: ({ count }: { count: number }) => {
    focusHeading({ preventScroll: true })
    toast(t('system.retried', { count }))
  },
  onError: (error: Parameters<typeof explainRefusal>[0]) => toast(explainRefusal(error), { failed: true }),
}

/** Jobs that failed all their attempts: reason, time, and a button to retry each. */
export function Parked() {
  const table = useTable(parkedTable)
  const answer = useQuery(parked(table.query))
  const columns = useMemo(listColumns, [])
  return (
    <DataTable
      headed
      name={t('system.parked')}
      page={t('pages.system')}
      plural={t('system.plural')}
      rowsAre="items"
      table={table}
      csv={{ endpoint: downloadParked }}
      answer={answer}
      columns={columns}
      filters={[
        {
          name: 'kind',
          label: t('system.kind'),
          choices: parkedKinds.map((kind) => ({ value: kind, label: t(`system.kinds.${kind}`) })),
        },
      ]}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      empty={{ icon: <AgainIcon />, hint: t('system.noneParked') }}
    />
  )
}

/** Retries all parked jobs, regardless of the list's filters. */
export function RetryAll() {
  const retry = useCall(retryAllParked, told)
  return (
    <Button look="primary" icon={<AgainIcon size={16} />} busy={retry.busy} onClick={() => retry.mutate({})}>
      {t('system.retryAll')}
    </Button>
  )
}

function Retry({ item }: { item: ParkedItem }) {
  const retry = useCall(retryParked, told)
  return (
    <Button
      small
      aria-label={t('system.retryThis', { name: nameOf(item) })}
      busy={retry.busy}
      onClick={() => retry.mutate({ params: { id: item.id } })}
    >
      {t('system.retry')}
    </Button>
  )
}

const nameOf = ({ kind, name }: ParkedItem) => (kind === 'job' ? queueName(name) : name)

const listColumns = (): ColumnOf<typeof listParked>[] => [
  {
    head: t('system.what'),
    csv: ['name'],
    cell: nameOf,
  },
  {
    head: t('system.kind'),
    field: 'kind',
    short: true,
    card: 'figure',
    cell: ({ kind }) => t(`system.kinds.${kind}`),
  },
  {
    head: t('system.reason'),
    field: 'reason',
    card: 'under',
    cell: ({ reason }) => <span className={styles.reason}>{reason ?? t('absent')}</span>,
  },
  column.count('tries', t('system.tries')),
  column.moment('createdAt', t('system.since'), timeZoneHere(), { card: 'figure', sort: true }),
  column.moment('keptUntil', t('system.kept'), timeZoneHere()),
  { head: t('system.retry'), headHidden: true, card: 'beside', cell: (item) => <Retry item={item} /> },
]
