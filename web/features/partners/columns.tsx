import type { listPartners, Partner } from '#contract/partners.ts'
import type { ColumnOf } from '../../lists/list-types.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { ToPartner } from '../../shared/links.tsx'
import { StatusBadge, statusLabel } from '../../shared/StatusBadge.tsx'
import { fieldWords } from '../../words/fields.ts'
import { groupWords } from '../../words/groups.ts'
import { partnerWords } from '../../words/partners.ts'
import styles from './Partners.module.css'

const column = defineColumns<typeof listPartners>()

/** The columns of a partner list: all for the owner; no rates, groups, balances or approvals for others. */
export function columnsFor(owns: boolean, grouped = false): ColumnOf<typeof listPartners>[] {
  const figures: ColumnOf<typeof listPartners>[] = [
    column.count('numberOfPartners', fieldWords.subPartners, { card: false }),
    column.count('numberOfLeads', fieldWords.leads, { card: owns ? false : 'figure', sum: true }),
    column.count('numberOfSales', fieldWords.sales, { sum: true }),
  ]
  const money: ColumnOf<typeof listPartners>[] = [
    column.money('salesRevenue', fieldWords.revenue, { sort: true, sum: true }),
    column.money('salesRevenueShare', fieldWords.commission, { card: false, sum: true }),
    column.money('balanceDue', partnerWords.balanceDue, { strong: true, sum: true }),
    column.yesOrNo('approvedForPayouts', partnerWords.approved),
  ]
  const earned: ColumnOf<typeof listPartners> = column.money('salesRevenueShare', fieldWords.commission, { sum: true })
  return [
    column.first(
      ['firstName', 'lastName'],
      fieldWords.name,
      { sort: 'name', total: () => fieldWords.total },
      ({ id, displayName }) => <ToPartner id={id}>{displayName}</ToPartner>,
    ),
    column.of('referralCode', fieldWords.code, { card: 'under' }, ({ referralCode }) => (
      <span title={referralCode} className={`ellipsis muted ${styles.code}`}>
        {referralCode}
      </span>
    )),
    column.of('state', fieldWords.status, { csv: ['state', 'invitationStatus'], card: 'beside' }, statusOf),
    ...(grouped ? [groupColumn] : []),
    ...figures,
    ...(owns ? money : [earned]),
  ]
}

const groupColumn: ColumnOf<typeof listPartners> = column.of('groupName', groupWords.label, {}, ({ groupName }) => (
  <span className="ellipsis">{groupName}</span>
))

/** Names the invitation on pointing at the state, and below it while it isn't accepted. */
function statusOf({ state, invitationStatus }: Partner) {
  const badge = <StatusBadge of="partner" status={state} />
  if (!invitationStatus) return badge
  const invitation = partnerWords.invitationIs({ status: statusLabel('invitation', invitationStatus) })
  if (invitationStatus === 'accepted') return <span title={invitation}>{badge}</span>
  return (
    <div className="stack gap-1">
      <div>{badge}</div>
      <div title={invitation}>
        <StatusBadge of="invitation" status={invitationStatus} />
      </div>
    </div>
  )
}
