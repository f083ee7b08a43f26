import { useMemo } from 'react'
import { attributeSale, downloadSales, type listSales, type Sale } from '#contract/sales.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { daysFilter } from '../../shared/filters.tsx'
import { ToLead } from '../../shared/links.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { TestBadge } from '../../shared/TestBadge.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { lateAct } from '../../ui/late-acts.tsx'
import { Money } from '../../ui/Money.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { leadWords, saleWords } from '../../words/leads.ts'
import { pageWords } from '../../words/shell.ts'
import { amountFilter, stateFilters } from './filters.tsx'
import { Payer } from './Payer.tsx'
import { testSales, unattributedSales } from './queries.ts'
import { isVoid } from './sale-actions.ts'
import { saleActs } from './sale-acts.ts'
import styles from './UnattributedSales.module.css'
import { leadsAmong, providerLabel, saleName } from './words.ts'

const column = defineColumns<typeof listSales>()

const attribute = lateAct(async () => (await import('./AttributeDialog.tsx')).AttributeDialog, {
  label: saleWords.actions.attribute,
  needs: attributeSale,
})

type Account = { id: string; timeZone: string; defaultCurrency: string }

/** Sales without a credited partner, each with an action to credit it. */
export const UnattributedSales = ({ account }: { account: Account }) => (
  <Uncredited
    account={account}
    list={unattributedSales}
    name={leadWords.unattributed}
    hint={saleWords.unattributedNone}
    mayAttribute
  />
)

/** Test-mode sales: the partner a live sale would be credited to, and why. */
export const TestSales = ({ account }: { account: Account }) => (
  <Uncredited account={account} list={testSales} name={leadWords.test} hint={saleWords.testNone} />
)

type Props = {
  account: Account
  list: typeof unattributedSales
  name: string
  hint: string
  mayAttribute?: boolean
}

function Uncredited({
  account: { id: accountId, timeZone, defaultCurrency },
  list: listed,
  name,
  hint,
  mayAttribute = false,
}: Props) {
  const list = useList(listed({ id: accountId }))
  const items = list.answer.data?.items
  const columns = useMemo(() => columnsWith(mayAttribute, leadsAmong(items)), [mayAttribute, items])
  return (
    <DataTable
      name={name}
      page={pageWords.leads}
      plural={saleWords.plural}
      rowsAre="sales"
      list={list}
      csv={{ endpoint: downloadSales, atHead: true }}
      columns={columns}
      nameOf={saleName}
      filters={[
        ...stateFilters(),
        amountFilter(fieldWords.amount, defaultCurrency),
        daysFilter(saleWords.columns.dateRange, timeZone),
      ]}
      empty={{ icon: <PayoutsIcon />, hint }}
    />
  )
}

const columnsWith = (mayAttribute: boolean, among: readonly string[] | undefined): ColumnOf<typeof listSales>[] => [
  column.first(['leadName'], fieldWords.lead, {}, (sale) => leadOf(sale, among)),
  column.of(
    'payerEmail',
    saleWords.columns.payer,
    { csv: ['payerEmail', 'providerCustomerId', 'providerUrl'], card: 'under' },
    (sale) => <Payer of={sale} />,
  ),
  column.date('saleDate', fieldWords.saleDate, { sort: true, card: 'under' }),
  column.of('provider', fieldWords.source, { short: true, card: 'figure' }, ({ provider }) => (
    <span className="muted">{providerLabel(provider)}</span>
  )),
  column.of('externalId', fieldWords.externalId, { below: true }, ({ externalId }) => (
    <p title={externalId ?? undefined} className={`ellipsis muted ${styles.id}`}>
      {externalId ? <code className="small">{externalId}</code> : basicWords.absent}
    </p>
  )),
  column.of(
    'status',
    fieldWords.status,
    { card: 'beside', csv: ['status', 'voidReason', 'livemode'] },
    ({ status, voidReason, livemode }) => (
      <>
        <StatusBadge of="sale" status={status} /> <TestBadge livemode={livemode} />
        {voidReason && <p className="strong small warning">{voidReason}</p>}
      </>
    ),
  ),
  column.of(
    'amount',
    fieldWords.amount,
    { numeric: true, sort: true, card: 'figure' },
    ({ amount, currency, accountCurrency }) => (
      <Money strong amount={amount} currency={currency} own={accountCurrency} />
    ),
  ),
  {
    head: saleWords.columns.attribute,
    headHidden: true,
    numeric: true,
    card: 'figure',
    cell: (sale) =>
      isVoid(sale) ? null : (
        <span className="whole">
          <ActButton small look="quiet" act={saleActs.match} of={sale} />{' '}
          {mayAttribute && <ActButton small act={attribute} of={sale} />}
        </span>
      ),
  },
]

const leadOf = ({ leadId, leadName }: Sale, among: readonly string[] | undefined) => (
  <ToLead id={leadId} among={among} none={saleWords.noLead}>
    {leadName}
  </ToLead>
)
