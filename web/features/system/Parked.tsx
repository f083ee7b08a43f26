import { useMemo } from 'react'
import {
  downloadParked,
  type listParked,
  type ParkedTask as ParkedItem,
  parkedKinds,
  retryAllParked,
  retryParked,
} from '#contract/system.ts'
import { timeZoneHere } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { CallButton } from '../../ui/CallButton.tsx'
import { AgainIcon } from '../../ui/icons.tsx'
import { focusHeading } from '../../ui/Page.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { pageWords } from '../../words/shell.ts'
import { systemWords } from '../../words/system.ts'
import { queueName } from './names.ts'
import { parked } from './queries.ts'

const column = defineColumns<typeof listParked>()

/** The pressed button disappears with its row, so the focus moves to the heading. */
function retried({ count }: { count: number }) {
  focusHeading({ preventScroll: true })
  return systemWords.retried({ count })
}

/** Jobs that failed all their attempts: reason, time, and a button to retry each. */
export function Parked() {
  const list = useList(parked)
  const columns = useMemo(listColumns, [])
  return (
    <DataTable
      headed
      name={systemWords.parked}
      page={pageWords.system}
      plural={systemWords.plural}
      rowsAre="items"
      list={list}
      csv={{ endpoint: downloadParked }}
      columns={columns}
      filters={[
        {
          name: 'kind',
          label: fieldWords.kind,
          choices: parkedKinds.map((kind) => ({ value: kind, label: systemWords.kinds[kind] })),
        },
      ]}
      nameOf={nameOf}
      empty={{ icon: <AgainIcon />, hint: systemWords.noneParked }}
    />
  )
}

/** Retries all parked jobs, regardless of the list's filters. */
export const RetryAll = () => (
  <CallButton look="primary" icon={<AgainIcon size={16} />} call={retryAllParked} input={{}} done={retried}>
    {systemWords.retryAll}
  </CallButton>
)

const Retry = ({ item }: { item: ParkedItem }) => (
  <CallButton
    small
    aria-label={systemWords.retryThis({ name: nameOf(item) })}
    call={retryParked}
    input={{ params: { id: item.id } }}
    done={retried}
  >
    {systemWords.retry}
  </CallButton>
)

const nameOf = ({ kind, name }: ParkedItem) => (kind === 'job' ? queueName(name) : name)

const listColumns = (): ColumnOf<typeof listParked>[] => [
  column.first(['name'], systemWords.what, {}, nameOf),
  column.of('kind', fieldWords.kind, { short: true, card: 'figure' }, ({ kind }) => systemWords.kinds[kind]),
  column.of('reason', fieldWords.reason, { card: 'under' }, ({ reason }) => (
    <span className="wrap">{reason ?? basicWords.absent}</span>
  )),
  column.count('attempts', fieldWords.attempts),
  column.moment('createdAt', systemWords.since, timeZoneHere(), { card: 'figure', sort: true }),
  column.moment('keptUntil', systemWords.kept, timeZoneHere()),
  { head: systemWords.retry, headHidden: true, card: 'beside', cell: (item) => <Retry item={item} /> },
]
