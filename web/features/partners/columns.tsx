import type { listPartners, Partner } from '#contract/partners.ts'
import type { ColumnOf } from '../../lists/list-types.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { ToPartner } from '../../shared/links.tsx'
import { StatusBadge, statusLabel } from '../../shared/StatusBadge.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { groupWords } from '../../words/groups.ts'
import { partnerWords } from '../../words/partners.ts'
import styles from './Partners.module.css'

const column = defineColumns<typeof listPartners>()

/** The columns of a partner list: all for the owner; no rates, groups, balances or approvals for others. */
export function columnsFor(owns: boolean, grouped = false): ColumnOf<typeof listPartners>[] {
  const figures: ColumnOf<typeof listPartners>[] = [
    column.count('numberOfPartners', fieldWords.subPartners, { card: false }),
    column.count('numberOfLeads', fieldWords.leads, { card: owns ? false : 'figure' }),
    column.count('numberOfSales', fieldWords.sales),
  ]
  const money: ColumnOf<typeof listPartners>[] = [
    column.money('salesRevenue', fieldWords.revenue, { sort: true }),
    column.money('salesRevenueShare', fieldWords.commission, { card: false }),
    column.money('balanceDue', partnerWords.balanceDue, { strong: true }),
    column.yesOrNo('approvedForPayouts', partnerWords.approved),
  ]
  const earned: ColumnOf<typeof listPartners> = column.money('salesRevenueShare', fieldWords.commission)
  return [
    column.first(['firstName', 'lastName'], fieldWords.name, { sort: 'name' }, ({ id, displayName }) => (
      <ToPartner id={id}>{displayName}</ToPartner>
    )),
    column.of('referralCode', fieldWords.code, { card: 'under' }, ({ referralCode }) => (
      <span title={referralCode} className={`ellipsis muted ${styles.code}`}>
        {referralCode}
      </span>
    )),
    column.badge('state', fieldWords.status, 'partner'),
    ...(grouped ? [groupColumn] : []),
    ...figures,
    ...(owns ? money : [earned]),
    column.of('invitationStatus', fieldWords.invitation, {}, invitationOf),
  ]
}

const groupColumn: ColumnOf<typeof listPartners> = column.of('groupName', groupWords.label, {}, ({ groupName }) => (
  <span className="ellipsis">{groupName}</span>
))

/** Shows a badge only for an invitation that is pending or needs attention. */
function invitationOf({ invitationStatus }: Partner) {
  if (!invitationStatus) return <span className="muted">{basicWords.absent}</span>
  if (invitationStatus === 'accepted') {
    return <span className="muted">{statusLabel('invitation', invitationStatus)}</span>
  }
  return <StatusBadge of="invitation" status={invitationStatus} />
}
