import { Link } from '@tanstack/react-router'
import type { listPartners, Partner } from '#contract/partners.ts'
import type { ColumnOf } from '../../lists/list-types.ts'
import { columnsOf } from '../../shared/columns.tsx'
import { StatusBadge, statusLabel } from '../../shared/StatusBadge.tsx'
import { basicWords } from '../../words/basic.ts'
import { partnerWords } from '../../words/partners.ts'
import styles from './Partners.module.css'

const column = columnsOf<typeof listPartners>()

/** The columns of a partner list: all for the owner; no rates, balances or approvals for others. */
export function columnsFor(owns: boolean): ColumnOf<typeof listPartners>[] {
  const figures: ColumnOf<typeof listPartners>[] = [
    column.count('numberOfPartners', partnerWords.subPartners, { card: false }),
    column.count('numberOfLeads', partnerWords.leads, { card: owns ? false : 'figure' }),
    column.count('numberOfSales', partnerWords.sales),
  ]
  const money: ColumnOf<typeof listPartners>[] = [
    column.money('salesRevenue', partnerWords.revenue, { sort: true }),
    column.money('salesRevenueShare', partnerWords.share, { card: false }),
    column.money('balanceDue', partnerWords.balanceDue, { strong: true }),
    column.yesOrNo('approvedForPayouts', partnerWords.approved),
  ]
  const earned: ColumnOf<typeof listPartners> = column.money('salesRevenueShare', partnerWords.share)
  return [
    {
      head: partnerWords.name,
      csv: ['firstName', 'lastName'],
      sort: 'name',
      cell: ({ id, displayName }) => (
        <Link to="/partners/$partnerId" params={{ partnerId: id }}>
          {displayName}
        </Link>
      ),
    },
    {
      head: partnerWords.code,
      field: 'referralCode',
      card: 'under',
      cell: ({ referralCode }) => (
        <span title={referralCode} className={`ellipsis muted ${styles.code}`}>
          {referralCode}
        </span>
      ),
    },
    column.badge('state', partnerWords.status, 'partner'),
    ...figures,
    ...(owns ? money : [earned]),
    { head: partnerWords.invitation, field: 'invitationStatus', cell: invitationOf },
  ]
}

/** Shows a badge only for an invitation that is pending or needs attention. */
function invitationOf({ invitationStatus }: Partner) {
  if (!invitationStatus) return <span className="muted">{basicWords.absent}</span>
  if (invitationStatus === 'accepted') {
    return <span className="muted">{statusLabel('invitation', invitationStatus)}</span>
  }
  return <StatusBadge of="invitation" status={invitationStatus} />
}
