import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { downloadPayouts, type Payout } from '#contract/payouts.ts'
import { formatDay, formatMoney } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { DownloadCsv } from '../../ui/DownloadCsv.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { Name } from '../../ui/Name.tsx'
import { StatusBadge, statusLabel } from '../../ui/StatusBadge.tsx'
import type { Selection } from '../../ui/selection.ts'
import { useTable } from '../../ui/useTable.ts'
import { t } from '../../words.ts'
import { actLabel, actsOf, useActs } from './acts.tsx'
import styles from './PayoutList.module.css'
import { type PayoutTab, payouts, payoutTables, statusesOf } from './queries.ts'
import { methodLabel, numberOf, reasonOf } from './words.ts'

type Props = { tab: PayoutTab; selection?: Selection<Payout> }

/** Saves what the list of a tab shows. */
export function DownloadPayouts({ accountId, tab }: { accountId: string } & Pick<Props, 'tab'>) {
  const table = useTable(payoutTables[tab])
  return <DownloadCsv endpoint={downloadPayouts} params={{ id: accountId }} table={table} />
}

/** Payouts, each with the reason why it stands where it stands. */
export function PayoutList({ tab, selection }: Props) {
  const { id: accountId, timeZone } = useAccount()
  const table = useTable(payoutTables[tab])
  const answer = useQuery(payouts(accountId, table.query))
  const acts = useActs({ accountId, timeZone })
  return (
    <>
      <DataTable
        name={t(tab === 'paid' ? 'payouts.paid' : 'payouts.needsAction')}
        page={t('pages.payouts')}
        plural={t('payouts.plural')}
        rowsAre="payouts"
        table={table}
        answer={answer}
        keyOf={({ id }) => id}
        nameOf={numberOf}
        selection={selection}
        bulk={
          selection &&
          selection.count > 0 && (
            <span>
              <span className={styles.sum}>{sumOf(selection.rows)}</span>
            </span>
          )
        }
        actions={
          tab === 'needs-action'
            ? (payout) => actsOf(payout).map((act) => ({ label: actLabel(act), run: () => acts.start(act, payout) }))
            : undefined
        }
        filters={[
          {
            name: 'status',
            label: t('payouts.columns.status'),
            choices: statusesOf[tab].map((value) => ({ value, label: statusLabel('payout', value) })),
          },
        ]}
        empty={{ icon: <PayoutsIcon />, hint: t(`payouts.empty.${tab}`) }}
        columns={[
          {
            head: t('payouts.columns.payout'),
            short: true,
            cell: (payout) => (
              <Link to="/payouts/$payoutId" params={{ payoutId: payout.id }}>
                {numberOf(payout)}
              </Link>
            ),
            total: (rows) => t('payouts.count', { count: rows.length }),
          },
          {
            head: t('payouts.columns.partner'),
            field: 'partnerName',
            card: 'under',
            cell: ({ partnerName }) => (
              <div className={styles.partner}>
                <Name>{partnerName}</Name>
              </div>
            ),
          },
          {
            head: t('payouts.columns.amount'),
            field: 'amount',
            numeric: true,
            sort: 'amount',
            card: 'figure',
            cell: ({ amount, currency }) => <Money strong amount={amount} currency={currency} />,
            total: sumOf,
          },
          {
            head: t('payouts.columns.status'),
            field: 'status',
            card: 'beside',
            cell: ({ status }) => <StatusBadge of="payout" status={status} />,
          },
          {
            head: t('payouts.columns.method'),
            field: 'method',
            short: true,
            card: 'figure',
            cell: ({ method }) => <span className={styles.muted}>{methodLabel(method)}</span>,
          },
          {
            head: t('payouts.columns.dueDate'),
            field: 'createdAt',
            short: true,
            sort: 'createdAt',
            card: 'figure',
            // A payout appears on the day its first amount falls due.
            cell: ({ createdAt }) => <span className={styles.muted}>{formatDay(createdAt, timeZone)}</span>,
          },
          {
            head: t('payouts.columns.reason'),
            field: 'blockers',
            card: 'under',
            cell: (payout) => <span className={styles.reason}>{reasonOf(payout, timeZone)}</span>,
          },
        ]}
      />
      {acts.dialog}
    </>
  )
}

const sumOf = (rows: readonly Payout[]) =>
  rows[0] &&
  formatMoney(
    rows.reduce((sum, { amount }) => sum + amount, 0),
    rows[0].currency,
  )
