import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  downloadProviderEvents,
  type listProviderEvents,
  type ProviderConnection,
  type ProviderEvent,
  providerEventStates,
  retryProviderEvent,
} from '#contract/payment-providers.ts'
import { formatAgo, formatDateAt, formatLongDateTime } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { ChooseEvent, ChosenDelivery, DeliveryBodies, DeliveryLog } from '../../shared/DeliveryLog.tsx'
import { ToLead } from '../../shared/links.tsx'
import { availableProvidersQuery, saleQuery } from '../../shared/queries.ts'
import { StatusBadge, statusFilter } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { paymentProvidersQuery } from '../../shell/queries.ts'
import { CallButton } from '../../ui/CallButton.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { AgainIcon, IncomingIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { pageWords, providerWords } from '../../words/shell.ts'
import { events } from './queries.ts'

const column = defineColumns<typeof listProviderEvents>()

const toProviders = <Link to="/integrations/payment-providers">{pageWords.paymentProviders}</Link>

/** A connected account's events from the provider, each with its result. */
export function ProviderEvents({ connectionId }: { connectionId: string }) {
  const { id } = useAccount()
  const connections = useQuery(paymentProvidersQuery(id))
  const offers = useQuery(availableProvidersQuery(id))
  const connection = connections.data?.items.find((one) => one.id === connectionId)
  if (connection && offers.data) {
    const known = offers.data.items.find(({ provider }) => provider === connection.provider)
    return <Log connection={connection} name={known?.name ?? providerWords[connection.provider]} />
  }
  const failed = connections.error ?? offers.error
  const gone = connections.data && !connection
  return (
    <Page heading={pageWords.providerEvents} parent={toProviders}>
      <Panel>
        {failed || gone ? (
          <Failed
            onRetry={() => {
              connections.refetch()
              offers.refetch()
            }}
            busy={connections.isFetching || offers.isFetching}
            why={gone ? paymentProviderWords.events.gone : failed?.message}
          />
        ) : (
          <Skeleton rows={6} />
        )}
      </Panel>
    </Page>
  )
}

function Log({ connection, name }: { connection: ProviderConnection; name: string }) {
  const { id, timeZone } = useAccount()
  const list = useList(events({ id, connectionId: connection.id }))
  const { table, answer } = list
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  const { accountName, providerAccountIdentifier, createdAt, eventsLast24h, reconciledAt } = connection
  return (
    <Page
      heading={paymentProviderWords.events.heading({ provider: name })}
      parent={toProviders}
      badge={<StatusBadge of="provider" status={connection.state} />}
      about={
        <>
          {accountName && <span>{accountName}</span>}
          {providerAccountIdentifier && <code>{providerAccountIdentifier}</code>}
          <span>{paymentProviderWords.connectedOn({ date: formatDateAt(createdAt, timeZone) })}</span>
          <span>{paymentProviderWords.events24h({ count: eventsLast24h })}</span>
          {reconciledAt && (
            <span title={formatLongDateTime(reconciledAt, timeZone)}>
              {paymentProviderWords.reconciled({ ago: formatAgo(reconciledAt, timeZone) })}
            </span>
          )}
        </>
      }
    >
      <DeliveryLog
        rows={answer.data?.items}
        failed={answer.isError}
        table={table}
        missing={paymentProviderWords.events.missing}
        panel={(chosen) => <EventPanel key={chosen.id} connection={connection} event={chosen} />}
      >
        {(chosen) => (
          <DataTable
            headed
            name={fieldWords.events}
            plural={paymentProviderWords.events.plural}
            rowsAre="events"
            searchable={false}
            list={list}
            csv={{ endpoint: downloadProviderEvents }}
            columns={columns}
            filters={filters()}
            shown={chosen?.id}
            nameOf={({ type }) => type}
            empty={{ icon: <IncomingIcon />, hint: paymentProviderWords.events.none({ provider: name }) }}
          />
        )}
      </DeliveryLog>
    </Page>
  )
}

const filters = (): FilterOf<typeof events>[] => [
  statusFilter('state', fieldWords.result, 'delivery', providerEventStates),
]

const columnsIn = (timeZone: string): ColumnOf<typeof listProviderEvents>[] => [
  column.first(['type'], fieldWords.event, {}, ({ id, type }) => <ChooseEvent id={id}>{type}</ChooseEvent>),
  column.badge('state', fieldWords.result, 'delivery'),
  column.of('reason', fieldWords.reason, { card: 'under' }, ({ reason }) =>
    reason ? <span className="lines">{reason}</span> : basicWords.absent,
  ),
  column.moment('receivedAt', paymentProviderWords.events.received, timeZone, { card: 'figure', sort: 'createdAt' }),
]

/** One event: its time, and its result or the reason there is none. */
function EventPanel({ connection, event }: { connection: ProviderConnection; event: ProviderEvent }) {
  const { timeZone } = useAccount()
  const { id, externalId, type, at, receivedAt, state, reason, saleId } = event
  const retriable = state === 'failed' || state === 'waiting'
  return (
    <ChosenDelivery code heading={type} aside={retriable && <Retry connection={connection} eventId={id} />}>
      <Facts
        label={type}
        facts={[
          { label: fieldWords.result, value: <StatusBadge of="delivery" status={state} /> },
          { label: paymentProviderWords.events.happened, value: formatLongDateTime(at, timeZone) },
          { label: paymentProviderWords.events.received, value: formatLongDateTime(receivedAt, timeZone) },
          { label: fieldWords.sale, value: <SaleOf id={saleId} /> },
          { label: paymentProviderWords.events.id, value: <code className="wrap">{externalId}</code> },
        ]}
      />
      {reason && (
        <DeliveryBodies>
          <p>{reason}</p>
        </DeliveryBodies>
      )}
    </ChosenDelivery>
  )
}

/** A link to the lead whose sale it is. */
function SaleOf({ id }: { id: string | null }) {
  const { data: sale } = useQuery({ ...saleQuery(id ?? ''), enabled: id !== null })
  if (!id) return basicWords.absent
  if (!sale?.leadId)
    return (
      <Link to="/leads" search={{ tab: 'unattributed' }}>
        {fieldWords.sale}
      </Link>
    )
  return (
    <ToLead id={sale.leadId}>
      {sale.leadName ? paymentProviderWords.events.openSale({ lead: sale.leadName }) : fieldWords.sale}
    </ToLead>
  )
}

const Retry = ({ connection, eventId }: { connection: ProviderConnection; eventId: string }) => (
  <CallButton
    small
    icon={<AgainIcon size={16} />}
    call={retryProviderEvent}
    input={{ params: { id: connection.accountId, connectionId: connection.id, eventId } }}
    done={paymentProviderWords.events.retried}
  >
    {paymentProviderWords.events.retry}
  </CallButton>
)
