import { Link } from '@tanstack/react-router'
import type { listPartners, Partner } from '#contract/partners.ts'
import type { ColumnOf } from '../../lists/list-types.ts'
import { columnsOf } from '../../shared/columns.tsx'
import { StatusBadge, statusLabel } from '../../shared/StatusBadge.tsx'
import { t } from '../../words.ts'
import styles from './Partners.module.css'

const column = columnsOf<typeof listPartners>()

/** The columns of a partner list: all for the owner; no rates, balances or approvals for others. */
export function columnsFor(owns: boolean): ColumnOf<typeof listPartners>[] {
  const figures: ColumnOf<typeof listPartners>[] = [
    column.count('numberOfPartners', t('partners.subPartners'), { card: false }),
    column.count('numberOfLeads', t('partners.leads'), { card: owns ? false : 'figure' }),
    column.count('numberOfSales', t('partners.sales')),
  ]
  const money: ColumnOf<typeof listPartners>[] = [
    column.money('salesRevenue', t('partners.revenue'), { sort: true }),
    column.money('salesRevenueShare', t('partners.share'), { card: false }),
    column.money('balanceDue', t('partners.balanceDue'), { strong: true }),
    column.yesOrNo('approvedForPayouts', t('partners.approved')),
  ]
  const earned: ColumnOf<typeof listPartners> = column.money('salesRevenueShare', t('partners.share'))
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
    column.badge('state', t('partners.status'), 'partner'),
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
