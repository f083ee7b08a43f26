import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  changeOutgoingWebhook,
  createOutgoingWebhook,
  downloadOutgoingWebhooks,
  type listOutgoingWebhooks,
} from '#contract/outgoing-webhooks.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { EnabledSwitch } from '../../shared/EnabledSwitch.tsx'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { useAccount } from '../../shell/current.ts'
import { AddButton } from '../../ui/GoButton.tsx'
import { OutgoingIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { fieldWords } from '../../words/fields.ts'
import { howItWorksWords } from '../../words/how-it-works.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { pageWords } from '../../words/shell.ts'
import { countedEvents } from './events.ts'
import { Health } from './health.tsx'
import styles from './OutgoingWebhookList.module.css'
import { PausedDeliveries } from './PausedDeliveries.tsx'
import { outgoingWebhooks } from './queries.ts'

const column = defineColumns<typeof listOutgoingWebhooks>()

export function OutgoingWebhookList() {
  const account = useAccount()
  const list = useList(outgoingWebhooks({ id: account.id }))
  const columns = useMemo(() => columnsIn(account.timeZone), [account.timeZone])
  const add = (
    <AddButton needs={createOutgoingWebhook} go={{ to: '/integrations/outgoing-webhooks/new' }}>
      {pageWords.addOutgoingWebhook}
    </AddButton>
  )
  return (
    <Page heading={pageWords.outgoingWebhooks} actions={add}>
      <HowItWorks of="outgoing-webhooks" />
      <PausedDeliveries accountId={account.id} />
      <DataTable
        name={pageWords.outgoingWebhooks}
        plural={outgoingWebhookWords.plural}
        rowsAre="webhooks"
        list={list}
        csv={{ endpoint: downloadOutgoingWebhooks, atHead: true }}
        columns={columns}
        nameOf={({ name }) => name}
        empty={{ icon: <OutgoingIcon />, hint: howItWorksWords['outgoing-webhooks'], action: add }}
      />
    </Page>
  )
}

const columnsIn = (timeZone: string): ColumnOf<typeof listOutgoingWebhooks>[] => [
  column.first(['name'], fieldWords.name, { sort: true }, ({ id, name }) => (
    <Link to="/integrations/outgoing-webhooks/$hookId" params={{ hookId: id }}>
      {name}
    </Link>
  )),
  column.of('url', fieldWords.url, { below: true, card: 'under' }, ({ url }) => (
    <span className={`ellipsis muted ${styles.url}`} title={url}>
      {url}
    </span>
  )),
  column.of('events', fieldWords.events, { short: true, card: 'figure' }, ({ events }) => countedEvents(events)),
  column.of(
    'health',
    outgoingWebhookWords.healthHead,
    { csv: ['consecutiveFailures', 'disabledReason'], card: 'figure' },
    (webhook) => <Health of={webhook} />,
  ),
  column.moment('lastDeliveryAt', outgoingWebhookWords.lastDelivery, timeZone, { card: 'figure' }),
  column.of('enabled', fieldWords.enabled, { card: 'beside' }, (webhook) => (
    <EnabledSwitch of={webhook} change={changeOutgoingWebhook} />
  )),
]
