import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { formatNumber } from '#contract/format.ts'
import {
  changeIncomingWebhook,
  createIncomingWebhook,
  downloadIncomingWebhooks,
  type IncomingSender,
  type listIncomingWebhooks,
} from '#contract/incoming-webhooks.ts'

import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { EnabledSwitch } from '../../shared/EnabledSwitch.tsx'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { useAccount } from '../../shell/current.ts'
import { AddButton } from '../../ui/GoButton.tsx'
import { IncomingIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { fieldWords } from '../../words/fields.ts'
import { howItWorksWords } from '../../words/how-it-works.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { pageWords } from '../../words/shell.ts'
import { incomingSendersQuery, incomingWebhooks } from './queries.ts'
import { State, senderName } from './state.tsx'

const column = defineColumns<typeof listIncomingWebhooks>()

export function IncomingWebhookList() {
  const account = useAccount()
  const list = useList(incomingWebhooks({ id: account.id }))
  const { data: senders } = useQuery(incomingSendersQuery(account.id))
  const columns = useMemo(() => columnsIn(account.timeZone, senders?.items), [account.timeZone, senders])
  const add = (
    <AddButton needs={createIncomingWebhook} go={{ to: '/integrations/incoming-webhooks/new' }}>
      {pageWords.addIncomingWebhook}
    </AddButton>
  )
  return (
    <Page heading={pageWords.incomingWebhooks} actions={add}>
      <HowItWorks of="incoming-webhooks" />
      <DataTable
        name={pageWords.incomingWebhooks}
        plural={incomingWebhookWords.plural}
        rowsAre="webhooks"
        list={list}
        csv={{ endpoint: downloadIncomingWebhooks, atHead: true }}
        columns={columns}
        nameOf={({ name }) => name}
        empty={{ icon: <IncomingIcon />, hint: howItWorksWords['incoming-webhooks'], action: add }}
      />
    </Page>
  )
}

const columnsIn = (timeZone: string, senders: IncomingSender[] = []): ColumnOf<typeof listIncomingWebhooks>[] => [
  column.first(['name'], fieldWords.name, { sort: true }, ({ id, name }) => (
    <Link to="/integrations/incoming-webhooks/$hookId" params={{ hookId: id }}>
      {name}
    </Link>
  )),
  column.of('sender', incomingWebhookWords.sender, { card: 'under' }, ({ sender }) => senderName(senders, sender)),
  column.of('state', fieldWords.status, { card: 'figure' }, (webhook) => <State of={webhook} />),
  column.moment('lastReceivedAt', incomingWebhookWords.lastReceived, timeZone, { card: 'figure' }),
  column.of(
    'counts',
    incomingWebhookWords.lastDay,
    { csv: ['countsProcessed', 'countsFailed'], short: true, card: 'figure' },
    ({ counts: { processed, failed } }) =>
      incomingWebhookWords.okAndFailed({ ok: formatNumber(processed), failed: formatNumber(failed) }),
  ),
  column.of('enabled', fieldWords.enabled, { card: 'beside' }, (webhook) => (
    <EnabledSwitch of={webhook} change={changeIncomingWebhook} />
  )),
]
