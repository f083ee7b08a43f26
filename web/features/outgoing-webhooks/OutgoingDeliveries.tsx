import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { formatNumber } from '#contract/format.ts'
import {
  deliveryStates,
  downloadOutgoingDeliveries,
  type listOutgoingDeliveries,
  type OutgoingDelivery,
  type OutgoingWebhook,
  resendDelivery,
  TEST_EVENT,
  webhookEvents,
} from '#contract/outgoing-webhooks.ts'

import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { ChooseEvent, ChosenDelivery, DeliveryBodies, DeliveryBody, DeliveryLog } from '../../shared/DeliveryLog.tsx'
import { statusLabel } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { CallButton } from '../../ui/CallButton.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { AgainIcon, OutgoingIcon } from '../../ui/icons.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { formatAnswer, formatBody, formatNextAttempt, NOT_DELIVERED } from './deliveries.ts'
import { DeliveryState } from './health.tsx'
import { outgoingDeliveries, outgoingWebhookQuery } from './queries.ts'

const column = defineColumns<typeof listOutgoingDeliveries>()

/** Deliveries that were sent, next to the one that the address names. */
export function OutgoingDeliveries({ webhook: of }: { webhook: OutgoingWebhook }) {
  const { id } = of
  const { timeZone } = useAccount()
  const list = useList(outgoingDeliveries({ id }))
  const { table, answer } = list
  const rows = answer.data?.items
  const columns = useMemo(() => columnsIn(of, timeZone), [of, timeZone])
  useFollowed(id, rows)
  return (
    <DeliveryLog
      rows={rows}
      failed={answer.isError}
      table={table}
      panel={(chosen) => <OutgoingDeliveryPanel key={chosen.id} webhook={of} delivery={chosen} timeZone={timeZone} />}
    >
      {(chosen) => (
        <DataTable
          headed
          name={outgoingWebhookWords.deliveries}
          plural={outgoingWebhookWords.deliveriesPlural}
          rowsAre="deliveries"
          searchable={false}
          list={list}
          csv={{ endpoint: downloadOutgoingDeliveries }}
          columns={columns}
          filters={filters()}
          shown={chosen?.id}
          nameOf={({ event }) => event}
          empty={{ icon: <OutgoingIcon />, hint: outgoingWebhookWords.noDeliveries }}
        />
      )}
    </DeliveryLog>
  )
}

/** Refetches the webhook's health when one of its deliveries changes. */
function useFollowed(id: string, rows: OutgoingDelivery[] | undefined) {
  const client = useQueryClient()
  const moved = rows?.map(({ state, attempts }) => `${state} ${attempts}`).join()
  const seen = useRef(moved)
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== moved)
      void client.invalidateQueries({ queryKey: outgoingWebhookQuery(id).queryKey })
    seen.current = moved
  }, [client, id, moved])
}

const filters = (): FilterOf<typeof outgoingDeliveries>[] => [
  {
    name: 'event',
    label: fieldWords.event,
    choices: [...webhookEvents, TEST_EVENT].map((event) => ({ value: event, label: event })),
  },
  {
    name: 'state',
    label: fieldWords.result,
    choices: [
      ...deliveryStates.map((state) => ({ value: state as string, label: statusLabel('delivery', state) })),
      { value: NOT_DELIVERED, label: outgoingWebhookWords.delivery.notDelivered },
    ],
  },
]

const columnsIn = (of: OutgoingWebhook, timeZone: string): ColumnOf<typeof listOutgoingDeliveries>[] => [
  column.first(['event'], fieldWords.event, {}, ({ id, event }) => <ChooseEvent id={id}>{event}</ChooseEvent>),
  column.of('state', fieldWords.result, { card: 'beside' }, (delivery) => <DeliveryState of={delivery} webhook={of} />),
  column.of('code', fieldWords.code, { numeric: true, card: 'figure' }, ({ code }) => code ?? basicWords.absent),
  column.moment('createdAt', fieldWords.time, timeZone, { card: 'under', sort: true }),
  column.of('attempts', outgoingWebhookWords.delivery.attempts, { numeric: true, card: 'figure' }, ({ attempts }) =>
    formatNumber(attempts),
  ),
  column.of('nextAttemptAt', outgoingWebhookWords.delivery.nextTry, { short: true, card: 'figure' }, (delivery) =>
    formatNextAttempt(delivery, of, timeZone),
  ),
]

type Props = { webhook: OutgoingWebhook; delivery: OutgoingDelivery; timeZone: string }

/** One delivery: its request and the response. */
function OutgoingDeliveryPanel({ webhook, delivery, timeZone }: Props) {
  const { event, code, requestBody, responseBody } = delivery
  return (
    <ChosenDelivery
      code
      heading={event}
      aside={requestBody !== null && <Resend webhook={webhook} delivery={delivery} />}
    >
      <Facts
        label={event}
        facts={[
          {
            label: fieldWords.result,
            value: <DeliveryState of={delivery} webhook={webhook} />,
          },
          { label: outgoingWebhookWords.delivery.answerLabel, value: formatAnswer(delivery) },
          { label: outgoingWebhookWords.delivery.nextTry, value: formatNextAttempt(delivery, webhook, timeZone) },
        ]}
      />
      <DeliveryBodies>
        {requestBody === null ? (
          <p>{outgoingWebhookWords.delivery.forgotten}</p>
        ) : (
          <DeliveryBody label={outgoingWebhookWords.delivery.sent}>{formatBody(requestBody)}</DeliveryBody>
        )}
        {code !== null && responseBody && (
          <DeliveryBody label={outgoingWebhookWords.delivery.answered}>{formatBody(responseBody)}</DeliveryBody>
        )}
      </DeliveryBodies>
    </ChosenDelivery>
  )
}

const Resend = ({ webhook, delivery }: Omit<Props, 'timeZone'>) => (
  <CallButton
    small
    icon={<AgainIcon size={16} />}
    call={resendDelivery}
    input={{ params: { id: webhook.id, deliveryId: delivery.id } }}
    done={outgoingWebhookWords.delivery.resent}
  >
    {outgoingWebhookWords.delivery.resend}
  </CallButton>
)
