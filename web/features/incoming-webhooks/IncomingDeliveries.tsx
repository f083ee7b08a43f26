import { useMemo } from 'react'
import {
  downloadIncomingDeliveries,
  type IncomingWebhook,
  incomingStates,
  type listIncomingDeliveries,
} from '#contract/incoming-webhooks.ts'
import { formatShortDateTime } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { ChooseDelivery, DeliveryLog } from '../../shared/DeliveryLog.tsx'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { IncomingIcon } from '../../ui/icons.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { IncomingDeliveryPanel } from './IncomingDeliveryPanel.tsx'
import { DeliveryResults } from './Made.tsx'
import { incomingDeliveries } from './queries.ts'

const column = defineColumns<typeof listIncomingDeliveries>()

type Props = { webhook: IncomingWebhook; timeZone: string }

/** Received deliveries, next to the one that the address names. */
export function IncomingDeliveries({ webhook: { id }, timeZone }: Props) {
  const list = useList(incomingDeliveries({ id }))
  const { table, answer } = list
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  return (
    <DeliveryLog
      rows={answer.data?.items}
      failed={answer.isError}
      table={table}
      panel={(chosen) => <IncomingDeliveryPanel key={chosen.id} webhookId={id} delivery={chosen} timeZone={timeZone} />}
    >
      {(chosen) => (
        <DataTable
          headed
          name={incomingWebhookWords.deliveries}
          plural={incomingWebhookWords.deliveriesPlural}
          rowsAre="deliveries"
          searchable={false}
          list={list}
          csv={{ endpoint: downloadIncomingDeliveries }}
          columns={columns}
          filters={filters()}
          shown={chosen?.id}
          nameOf={({ receivedAt }) => formatShortDateTime(receivedAt, timeZone)}
          empty={{ icon: <IncomingIcon />, hint: incomingWebhookWords.noDeliveries }}
        />
      )}
    </DeliveryLog>
  )
}

const filters = (): FilterOf<typeof incomingDeliveries>[] => [
  statusFilter('state', fieldWords.result, 'delivery', incomingStates),
]

const columnsIn = (timeZone: string): ColumnOf<typeof listIncomingDeliveries>[] => [
  column.first(['receivedAt'], fieldWords.time, {}, ({ id, receivedAt }) => (
    <ChooseDelivery id={id}>{formatShortDateTime(receivedAt, timeZone)}</ChooseDelivery>
  )),
  column.badge('state', fieldWords.result, 'delivery'),
  column.of('reason', fieldWords.reason, { card: 'under' }, ({ reason, warnings }) => {
    const message = reason ?? warnings[0]
    return message ? <span className="lines">{message}</span> : basicWords.absent
  }),
  column.of('made', fieldWords.created, { csv: ['madeType', 'madeId'], card: 'figure' }, ({ made, records }) => (
    <DeliveryResults made={made} records={records} />
  )),
]
