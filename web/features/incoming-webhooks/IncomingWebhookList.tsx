import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  changeIncomingWebhook,
  downloadIncomingWebhooks,
  type listIncomingWebhooks,
} from '#contract/incoming-webhooks.ts'
import { formatCount } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useTable } from '../../lists/useTable.ts'
import { columnsOf } from '../../shared/columns.tsx'
import { EnabledSwitch } from '../../shared/EnabledSwitch.tsx'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { useAccount } from '../../shell/current.ts'
import { AddButton } from '../../ui/GoButton.tsx'
import { IncomingIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../words.ts'
import { incomingWebhooks, incomingWebhookTable } from './queries.ts'
import { State } from './state.tsx'

const column = columnsOf<typeof listIncomingWebhooks>()

export function IncomingWebhookList() {
  const account = useAccount()
  const table = useTable(incomingWebhookTable)
  const answer = useQuery(incomingWebhooks(account.id, table.query))
  const columns = useMemo(() => columnsIn(account.timeZone), [account.timeZone])
  const add = <AddButton go={{ to: '/integrations/incoming-webhooks/new' }}>{t('pages.addIncomingWebhook')}</AddButton>
  return (
    <Page heading={t('pages.incomingWebhooks')} actions={add}>
      <HowItWorks of="incoming-webhooks" />
      <DataTable
        name={t('pages.incomingWebhooks')}
        plural={t('incomingWebhooks.plural')}
        rowsAre="webhooks"
        table={table}
        csv={{ endpoint: downloadIncomingWebhooks, params: { id: account.id }, atHead: true }}
        answer={answer}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{ icon: <IncomingIcon />, hint: t('howItWorks.incoming-webhooks'), action: add }}
      />
    </Page>
  )
}

const columnsIn = (timeZone: string): ColumnOf<typeof listIncomingWebhooks>[] => [
  {
    head: t('incomingWebhooks.name'),
    csv: ['name'],
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to="/integrations/incoming-webhooks/$hookId" params={{ hookId: id }}>
        {name}
      </Link>
    ),
  },
  {
    head: t('incomingWebhooks.target'),
    field: 'target',
    card: 'under',
    cell: ({ target }) => t(`incomingWebhooks.targets.${target}`),
  },
  {
    head: t('incomingWebhooks.state'),
    field: 'state',
    card: 'figure',
    cell: (webhook) => <State of={webhook} />,
  },
  column.moment('lastReceivedAt', t('incomingWebhooks.lastReceived'), timeZone, { card: 'figure' }),
  {
    head: t('incomingWebhooks.lastDay'),
    field: 'counts',
    csv: ['countsProcessed', 'countsFailed'],
    short: true,
    card: 'figure',
    cell: ({ counts: { processed, failed } }) =>
      t('incomingWebhooks.okAndFailed', { ok: formatCount(processed), failed: formatCount(failed) }),
  },
  {
    head: t('form.enabled'),
    field: 'enabled',
    card: 'beside',
    cell: (webhook) => <EnabledSwitch of={webhook} change={changeIncomingWebhook} />,
  },
]
