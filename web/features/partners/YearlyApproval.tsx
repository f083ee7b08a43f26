import { useQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import { approveForTaxYear } from '#contract/tax-years.ts'
import { useCall } from '../../calls.ts'
import { formatMoney, todayIn } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { Toggle } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { yearsShown } from './approval.ts'
import styles from './Partners.module.css'
import { balance } from './queries.ts'

/** A switch for each year of payment, and what the missing approval of this one holds back. */
export function YearlyApproval({ partner }: { partner: Partner }) {
  const { id, displayName: name, approvedPayoutYears: approved } = partner
  const account = useAccount()
  const today = todayIn(account.timeZone)
  const year = Number(today.slice(0, 4))
  const money = useQuery(balance(id)).data
  const change = useCall(approveForTaxYear)
  const years = approved ?? []

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

  return (
    <Panel heading={t('partners.approval.heading')}>
      <div className={styles.below}>
        {money && money.due > 0 && !years.includes(year) && (
          <Message kind="warning">
            {t('partners.approval.waits', {
              amount: formatMoney(money.due, money.currency),
              name: partner.firstName ?? name,
              year,
            })}
          </Message>
        )}
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
