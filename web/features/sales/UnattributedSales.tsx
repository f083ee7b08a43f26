import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { downloadSales, type listSales, type Sale } from '#contract/sales.ts'
import { formatDate } from '../../format.ts'
import { Button } from '../../ui/Button.tsx'
import { type ColumnOf, DataTable } from '../../ui/DataTable.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { later } from '../../ui/later.tsx'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useTable } from '../../ui/useTable.ts'
import { t } from '../../words.ts'
import { MatchDialog } from './MatchDialog.tsx'
import { isVoid } from './possible.ts'
import { unattributedSales, unattributedTable } from './queries.ts'
import styles from './Sales.module.css'
import { nameOf, providerLabel } from './words.ts'

const AttributeDialog = later(async () => (await import('./AttributeDialog.tsx')).AttributeDialog)

/** Sales that nobody is credited for, each with the way to credit it. */
export function UnattributedSales({ accountId }: { accountId: string }) {
  const table = useTable(unattributedTable)
  const answer = useQuery(unattributedSales(accountId, table.query))
  const [chosen, setChosen] = useState<Sale | null>(null)
  const [asked, setAsked] = useState<Sale | null>(null)
  const columns = useMemo(() => columnsWith(setChosen, setAsked), [])
  return (
    <>
      <DataTable
        name={t('leads.unattributed')}
        page={t('pages.leads')}
        plural={t('sales.plural')}
        rowsAre="sales"
        searchable={false}
        table={table}
        csv={{ endpoint: downloadSales, params: { id: accountId }, atHead: true }}
        answer={answer}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        empty={{ icon: <PayoutsIcon />, hint: t('sales.unattributedNone') }}
      />
      <AttributeDialog.OnUse />
      {asked && <MatchDialog sale={asked} onClose={() => setAsked(null)} />}
      {chosen && <AttributeDialog sale={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

const columnsWith = (attribute: (sale: Sale) => void, ask: (sale: Sale) => void): ColumnOf<typeof listSales>[] => [
  { head: t('sales.columns.lead'), csv: ['leadName'], cell: leadOf },
  {
    head: t('sales.columns.saleDate'),
    field: 'saleDate',
    sort: 'saleDate',
    short: true,
    card: 'under',
    cell: ({ saleDate }) => formatDate(saleDate),
  },
  {
    head: t('sales.columns.provider'),
    field: 'provider',
    short: true,
    card: 'figure',
    cell: ({ provider }) => <span className={styles.muted}>{providerLabel(provider)}</span>,
  },
  {
    head: t('sales.columns.externalId'),
    field: 'externalId',
    cell: ({ externalId }) =>
      externalId ? (
        <code title={externalId} className={styles.externalId}>
          {externalId}
        </code>
      ) : (
        <span className={styles.muted}>{t('absent')}</span>
      ),
  },
  {
    head: t('sales.columns.status'),
    field: 'status',
    card: 'beside',
    cell: ({ status }) => <StatusBadge of="sale" status={status} />,
  },
  {
    head: t('sales.columns.amount'),
    field: 'amount',
    numeric: true,
    sort: 'amount',
    card: 'figure',
    cell: ({ amount, currency, accountCurrency }) => (
      <Money strong amount={amount} currency={currency} own={accountCurrency} />
    ),
  },
  {
    head: t('sales.columns.attribute'),
    headHidden: true,
    numeric: true,
    card: 'figure',
    cell: (sale) =>
      isVoid(sale) ? null : (
        <span className={styles.acts}>
          <Button small look="quiet" onClick={() => ask(sale)}>
            {t('sales.actions.why')}
          </Button>
          <Button small onClick={() => attribute(sale)}>
            {t('sales.actions.attribute')}
          </Button>
        </span>
      ),
  },
]

const leadOf = ({ leadId, leadName }: Sale) =>
  leadId ? (
    <Link to="/leads/$leadId" params={{ leadId }}>
      {leadName}
    </Link>
  ) : (
    <span className={styles.muted}>{t('sales.noLead')}</span>
  )
