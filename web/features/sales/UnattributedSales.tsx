import { useMemo } from 'react'
import { bulkActionKinds, subjectsOfAction } from '#contract/bulk-actions.ts'
import { attributeSale, downloadSales, type ListedSale, type listSales } from '#contract/sales.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useSelection } from '../../lists/selection.ts'
import { useList } from '../../lists/useList.ts'
import { BulkProgress } from '../../shared/BulkProgress.tsx'
import { defineColumns } from '../../shared/columns.tsx'
import { daysFilter } from '../../shared/filters.tsx'
import { ToLead, ToPartner } from '../../shared/links.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { TestBadge } from '../../shared/TestBadge.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { lateAct } from '../../ui/late-acts.tsx'
import { Money } from '../../ui/Money.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { saleWords } from '../../words/leads.ts'
import { pageWords } from '../../words/shell.ts'
import { amountFilter, stateFilters } from './filters.tsx'
import { testSales, unattributedSales } from './queries.ts'
import styles from './Sales.module.css'
import { isUncredited, isVoid } from './sale-actions.ts'
import { saleActs } from './sale-acts.ts'
import { inSentence, leadsAmong, providerLabel, saleName } from './words.ts'

const column = defineColumns<typeof listSales>()

const attributeMany = lateAct(async () => (await import('./AttributeMany.tsx')).AttributeMany, {
  label: ({ sales }) => saleWords.attribute.many({ count: sales.length }),
  needs: attributeSale,
})
const shownKinds = bulkActionKinds.filter((kind) => subjectsOfAction[kind] === 'sales')

type Account = { id: string; timeZone: string; defaultCurrency: string }

/** Sales without a credited partner, each with an action to credit it. */
export const UnattributedSales = ({ account }: { account: Account }) => (
  <Uncredited
    account={account}
    list={unattributedSales}
    name={pageWords.unattributed}
    hint={saleWords.unattributedNone}
    mayAttribute
  />
)

/** Test-mode sales: the partner a live sale would be credited to, and why. */
export const TestSales = ({ account }: { account: Account }) => (
  <Uncredited account={account} list={testSales} name={pageWords.testSales} hint={saleWords.testNone} />
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
  const selection = useSelection(listed({ id: accountId }), ({ id }: ListedSale) => id)
  const may = usePermission()(attributeSale) && mayAttribute
  const many = { accountId, sales: selection.rows, onStarted: selection.clear }
  return (
    <>
      {may && <BulkProgress accountId={accountId} kinds={shownKinds} />}
      <DataTable
        name={name}
        page={pageWords.leads}
        plural={saleWords.plural}
        rowsAre="sales"
        list={list}
        csv={{ endpoint: downloadSales, atHead: true }}
        columns={columns}
        nameOf={saleName}
        selection={may ? selection : undefined}
        selectable={isUncredited}
        bulk={<ActButton small look="primary" act={attributeMany} of={many} />}
        actions={mayAttribute ? rowActions : undefined}
        filters={[
          ...stateFilters(),
          amountFilter(fieldWords.amount, defaultCurrency),
          daysFilter(saleWords.columns.dateRange, timeZone),
        ]}
        empty={{ icon: <PayoutsIcon />, hint }}
      />
    </>
  )
}

const rowActions = [saleActs.match]

const columnsWith = (mayAttribute: boolean, among: readonly string[] | undefined): ColumnOf<typeof listSales>[] => [
  column.first(
    ['payerEmail', 'leadName', 'providerCustomerId', 'providerUrl'],
    saleWords.columns.payer,
    {},
    ({ leadId, leadName, payerEmail, providerCustomerId }) => {
      const payer = payerEmail ?? leadName ?? providerCustomerId ?? saleWords.noLead
      return leadId === null ? (
        payer
      ) : (
        <ToLead id={leadId} among={among}>
          {mayAttribute ? payer : (leadName ?? payer)}
        </ToLead>
      )
    },
  ),
  column.of(
    'amount',
    fieldWords.amount,
    { numeric: true, sort: true, card: 'figure' },
    ({ amount, currency, accountCurrency }) => (
      <Money strong amount={amount} currency={currency} own={accountCurrency} />
    ),
  ),
  column.date('saleDate', fieldWords.saleDate, { sort: true, card: 'under' }),
  ...(mayAttribute ? [likelyColumn] : []),
  column.of(
    'provider',
    fieldWords.source,
    { short: true, wideOnly: true, card: mayAttribute ? false : 'figure' },
    ({ provider }) => <span className="muted">{providerLabel(provider)}</span>,
  ),
  column.of('externalId', fieldWords.externalId, { wideOnly: true }, ({ externalId }) => (
    <p title={externalId ?? undefined} className={`ellipsis muted ${styles.id}`}>
      {externalId ? <code className="small">{externalId}</code> : basicWords.absent}
    </p>
  )),
  column.of(
    'status',
    fieldWords.status,
    { wideOnly: true, card: mayAttribute ? false : 'beside', csv: ['status', 'voidReason', 'livemode'] },
    ({ status, livemode }) => (
      <>
        <StatusBadge of="sale" status={status} /> <TestBadge livemode={livemode} />
      </>
    ),
  ),
  actColumn(mayAttribute ? saleActs.attribute : saleActs.match),
]

/** The likeliest partner with the evidence; for a void sale, that it is one. */
const likelyColumn = column.of('likelyLead', saleWords.columns.likely, { csv: [], card: 'under' }, (sale) => {
  const { likelyLead: likely, status, voidReason, livemode } = sale
  if (isVoid(sale))
    return (
      <span title={voidReason ?? undefined}>
        <StatusBadge of="sale" status={status} />
      </span>
    )
  if (!likely) return livemode === false ? <TestBadge livemode={livemode} /> : basicWords.absent
  return (
    <>
      <ToPartner id={likely.partnerId} plain>
        {likely.partnerName}
      </ToPartner>
      <span className="muted">{` · ${inSentence(saleWords.attribute.because[likely.reasons[0]!])}`}</span>
    </>
  )
})

const actColumn = (act: typeof saleActs.attribute): ColumnOf<typeof listSales> => ({
  head: saleWords.columns.act,
  headHidden: true,
  numeric: true,
  card: 'figure',
  cell: (sale) => <ActButton small act={act} of={sale} />,
})
