import { useQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import { approveForTaxYear } from '#features/tax-years/contract.ts'
import { todayIn, toYear } from '../../format.ts'
import { balanceQuery } from '../../shared/queries.ts'
import { useYearApproval } from '../../shared/useYearApproval.ts'
import { useAccount } from '../../shell/current.ts'
import { Toggle } from '../../ui/fields.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { partnerWords } from '../../words/partners.ts'
import { isOwed, yearsShown } from './approval.ts'

type Props = {
  partner: Partner
  year: number
  /** Next to the reason that nothing is paid, which names the year. */
  labelHidden?: boolean
}

/** Approves a partner for payouts in a year. */
export function ApprovalSwitch({ partner, year, labelHidden }: Props) {
  const may = usePermission()
  const { id, displayName: name, approvedPayoutYears } = partner
  const { busy, set } = useYearApproval(useAccount().id, (approved, { year }) =>
    (approved ? partnerWords.approval.saved : partnerWords.approval.removed)({ name, year }),
  )
  if (!may(approveForTaxYear)) return null
  return (
    <Toggle
      spread={!labelHidden}
      labelHidden={labelHidden}
      label={partnerWords.approval.approvedIn({ year })}
      checked={approvedPayoutYears?.includes(year) ?? false}
      disabled={busy}
      onChange={(on) => void set(year, [id], on)}
    />
  )
}

/** A switch per payment year, except for one that the line of what is owed offers already. */
export function ApprovalSwitches({ partner }: { partner: Partner }) {
  const may = usePermission()
  const { data } = useQuery(balanceQuery(partner.id))
  const today = todayIn(useAccount().timeZone)
  const offered = data && isOwed(data) && data.blockers.some(({ code }) => code === 'not-approved-this-year')
  const years = yearsShown(partner.approvedPayoutYears ?? [], today).filter(
    (year) => !(offered && year === toYear(today)),
  )
  if (years.length === 0 || !may(approveForTaxYear)) return null
  return (
    <div className="stack gap-2 inset">
      {years.map((year) => (
        <ApprovalSwitch key={year} partner={partner} year={year} />
      ))}
    </div>
  )
}
