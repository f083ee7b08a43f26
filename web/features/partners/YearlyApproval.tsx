import type { Partner } from '#contract/partners.ts'
import { approveForTaxYear } from '#contract/tax-years.ts'
import { useCall } from '../../calls.ts'
import { todayIn } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { Toggle } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { yearsShown } from './approval.ts'
import styles from './Partners.module.css'

/** Approves for a year of payment, or takes it back, and says so. */
export function useApproval({ id, displayName: name }: Partner) {
  const account = useAccount()
  const change = useCall(approveForTaxYear)

  function set(one: number, on: boolean, { undoable = true } = {}) {
    const words = { name, year: one }
    // the year alone, so that what somebody else approves meanwhile stays
    void change
      .send({ params: { id: account.id, year: String(one) }, body: { partnerIds: [id], approved: on } })
      .then(() => {
        const action = { label: t('toast.undo'), run: () => set(one, !on, { undoable: false }) }
        toast(t(on ? 'partners.approval.saved' : 'partners.approval.removed', words), undoable ? { action } : {})
      })
      // What was refused is in `change.error`.
      .catch(() => undefined)
  }

  return { set, change, today: todayIn(account.timeZone) }
}

/** A switch for each year of payment. */
export function YearlyApproval({ partner }: { partner: Partner }) {
  const { set, change, today } = useApproval(partner)
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
            disabled={change.busy}
            onChange={(on) => set(one, on)}
          />
        ))}
        {change.error && <Message kind="error">{explainRefusal(change.error)}</Message>}
      </div>
    </Panel>
  )
}
