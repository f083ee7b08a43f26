import type { Partner } from '#contract/partners.ts'
import { todayIn } from '../../format.ts'
import { useYearApproval } from '../../shared/useYearApproval.ts'
import { useAccount } from '../../shell/current.ts'
import { Toggle } from '../../ui/fields.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import { yearsShown } from './approval.ts'
import styles from './Partners.module.css'

/** Returns the approval switch's state for one partner; toasts name them. */
export function useApprovalOf({ id, displayName: name }: Partner) {
  const { id: accountId, timeZone } = useAccount()
  const { busy, set } = useYearApproval(accountId, (approved, { year }) =>
    t(approved ? 'partners.approval.saved' : 'partners.approval.removed', { name, year }),
  )
  return { busy, set: (year: number, approved: boolean) => void set(year, [id], approved), today: todayIn(timeZone) }
}

/** One switch per payment year. */
export function YearlyApproval({ partner }: { partner: Partner }) {
  const { busy, set, today } = useApprovalOf(partner)
  const years = partner.approvedPayoutYears ?? []
  return (
    <Panel heading={t('partners.approval.heading')}>
      <div className={styles.below}>
        {yearsShown(years, today).map((one) => (
          <Toggle
            key={one}
            spread
            label={t('partners.approval.approvedIn', { year: one })}
            checked={years.includes(one)}
            disabled={busy}
            onChange={(on) => set(one, on)}
          />
        ))}
      </div>
    </Panel>
  )
}
