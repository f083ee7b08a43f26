import { Link } from '@tanstack/react-router'
import type { listPartners, Partner } from '#contract/partners.ts'
import type { ColumnOf } from '../../lists/DataTable.tsx'
import { StatusBadge, statusLabel } from '../../shared/StatusBadge.tsx'
import { Count, Money } from '../../ui/Money.tsx'
import { YesOrNo } from '../../ui/YesOrNo.tsx'
import { t } from '../../words.ts'
import styles from './Partners.module.css'

/** The columns of a partner list: all for the owner; no rates, balances or approvals for others. */
export function columnsFor(owns: boolean): ColumnOf<typeof listPartners>[] {
  const figures: ColumnOf<typeof listPartners>[] = [
    {
      head: t('partners.subPartners'),
      field: 'numberOfPartners',
      numeric: true,
      cell: ({ stats }) => <Count count={stats.numberOfPartners} />,
    },
    {
      head: t('partners.leads'),
      field: 'numberOfLeads',
      numeric: true,
      card: owns ? undefined : 'figure',
      cell: ({ stats }) => <Count count={stats.numberOfLeads} />,
    },
    {
      head: t('partners.sales'),
      field: 'numberOfSales',
      numeric: true,
      card: 'figure',
      cell: ({ stats }) => <Count count={stats.numberOfSales} />,
    },
  ]
  const money: ColumnOf<typeof listPartners>[] = [
    {
      head: t('partners.revenue'),
      field: 'salesRevenue',
      numeric: true,
      sort: 'salesRevenue',
      card: 'figure',
      cell: ({ stats }) => <Money amount={stats.salesRevenue} currency={stats.currency} />,
    },
    {
      head: t('partners.share'),
      field: 'salesRevenueShare',
      numeric: true,
      cell: ({ stats }) => <Money amount={stats.salesRevenueShare} currency={stats.currency} />,
    },
    {
      head: t('partners.balanceDue'),
      field: 'balanceDue',
      numeric: true,
      card: 'figure',
      cell: ({ balanceDue, stats }) => <Money strong amount={balanceDue} currency={stats.currency} />,
    },
    {
      head: t('partners.approved'),
      field: 'approvedForPayouts',
      cell: ({ approvedForPayouts }) => <YesOrNo yes={approvedForPayouts === true} />,
    },
  ]
  const earned: ColumnOf<typeof listPartners> = {
    head: t('partners.share'),
    field: 'salesRevenueShare',
    numeric: true,
    card: 'figure',
    cell: ({ stats }) => <Money amount={stats.salesRevenueShare} currency={stats.currency} />,
  }
  return [
    {
      head: t('partners.name'),
      csv: ['firstName', 'lastName'],
      sort: 'name',
      cell: ({ id, displayName }) => (
        <Link to="/partners/$partnerId" params={{ partnerId: id }}>
          {displayName}
        </Link>
      ),
    },
    {
      head: t('partners.code'),
      field: 'referralCode',
      card: 'under',
      cell: ({ referralCode }) => (
        <span title={referralCode} className={styles.codeCell}>
          {referralCode}
        </span>
      ),
    },
    {
      head: t('partners.status'),
      field: 'state',
      card: 'beside',
      cell: ({ state }) => <StatusBadge of="partner" status={state} />,
    },
    ...figures,
    ...(owns ? money : [earned]),
    { head: t('partners.invitation'), field: 'invitationStatus', cell: invitationOf },
  ]
}

/** Shows a badge only for an invitation that is pending or needs attention. */
function invitationOf({ invitationStatus }: Partner) {
  if (!invitationStatus) return <span className="muted">{t('absent')}</span>
  if (invitationStatus === 'accepted') {
    return <span className="muted">{statusLabel('invitation', invitationStatus)}</span>
  }
  return <StatusBadge of="invitation" status={invitationStatus} />
}
