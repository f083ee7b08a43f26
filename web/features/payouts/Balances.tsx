import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Balance, downloadBalances } from '#contract/payouts.ts'
import { formatDate } from '../../format.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { DownloadCsv } from '../../ui/DownloadCsv.tsx'
import { AddButton } from '../../ui/GoButton.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { useTable } from '../../ui/useTable.ts'
import { t } from '../../words.ts'
import styles from './PayoutList.module.css'
import { balances, balanceTable } from './queries.ts'
import { blockerLine } from './words.ts'

/** Saves what the list shows. */
export function DownloadBalances({ accountId }: { accountId: string }) {
  const table = useTable(balanceTable)
  return <DownloadCsv endpoint={downloadBalances} params={{ id: accountId }} table={table} />
}

/** What each partner has coming, and when. */
export function Balances({ accountId }: { accountId: string }) {
  const table = useTable(balanceTable)
  const answer = useQuery(balances(accountId, table.query))
  const money = (amount: number, currency: string) => <Money amount={amount} currency={currency} />
  return (
    <DataTable
      name={t('payouts.upcoming')}
      page={t('pages.payouts')}
      plural={t('payouts.plural')}
      rowsAre="partners"
      table={table}
      answer={answer}
      keyOf={({ partnerId }) => partnerId}
      nameOf={({ partnerName }) => partnerName}
      empty={{
        icon: <PayoutsIcon />,
        hint: t('payouts.empty.upcoming'),
        action: <AddButton go={{ to: '/partners/new' }}>{t('pages.addPartner')}</AddButton>,
      }}
      columns={[
        {
          head: t('payouts.columns.partner'),
          cell: ({ partnerId, partnerName }) => (
            <Link to="/partners/$partnerId" params={{ partnerId }}>
              {partnerName}
            </Link>
          ),
        },
        {
          head: t('payouts.columns.held'),
          field: 'held',
          numeric: true,
          card: 'figure',
          cell: ({ held, currency }) => money(held, currency),
        },
        {
          head: t('payouts.columns.due'),
          field: 'due',
          numeric: true,
          sort: 'due',
          card: 'figure',
          cell: ({ due, currency }) => money(due, currency),
        },
        {
          head: t('payouts.columns.onHold'),
          field: 'onHold',
          numeric: true,
          card: 'figure',
          cell: ({ onHold, currency }) => money(onHold, currency),
        },
        {
          head: t('payouts.columns.nextPayout'),
          field: 'nextPayoutDate',
          sort: 'nextPayoutDate',
          card: 'beside',
          cell: ({ nextPayoutDate }) => (
            <span className={styles.day}>{nextPayoutDate ? formatDate(nextPayoutDate) : t('absent')}</span>
          ),
        },
        { head: t('payouts.columns.reason'), field: 'blockers', card: 'under', cell: reasonOf },
      ]}
    />
  )
}

/** What stops the money of a partner who has any, else what it waits for. */
function reasonOf({ held, due, onHold, blockers }: Balance) {
  if (held === 0 && due === 0 && onHold === 0) return <span className={styles.muted}>{t('absent')}</span>
  if (blockers.length > 0) return blockerLine(blockers)
  return t(due > 0 ? 'payouts.reasons.ready' : 'payouts.reasons.held')
}
