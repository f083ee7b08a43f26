import type { Payout } from '#contract/payouts.ts'
import { formatDate, formatDateAt } from '../../format.ts'
import { statusLabel } from '../../shared/StatusBadge.tsx'
import { StepMark } from '../../ui/StepMark.tsx'
import { t } from '../../words.ts'
import styles from './Steps.module.css'
import { type Step, stepsOf } from './steps.ts'

/** The payout's steps: finished ones with their day, the current one with its state. */
export function Steps({ payout, timeZone }: { payout: Payout; timeZone: string }) {
  const steps = stepsOf(payout)
  return (
    <ol aria-label={t('payouts.detail.steps')} className={styles.steps}>
      {steps.map((step) => {
        const isHere = step.state !== 'done' && step.state !== 'ahead'
        return (
          <li key={step.name} data-state={step.state} aria-current={isHere ? 'step' : undefined}>
            <StepMark state={step.state} />
            <strong>{t(`payouts.detail.step.${step.name}`)}</strong>
            <small>{noteOf(step, payout, timeZone)}</small>
          </li>
        )
      })}
    </ol>
  )
}

function noteOf({ state, at }: Step, { status }: Payout, timeZone: string) {
  if (state === 'waits' && status === 'open') return t('payouts.detail.blocked')
  if (state === 'failed') return statusLabel('payout', status)
  if (state === 'waits' || (state === 'now' && status === 'processing')) return statusLabel('payout', status)
  if (state === 'now') return t(status === 'sent' ? 'payouts.detail.onItsWay' : 'payouts.detail.now')
  if (!at) return t('absent')
  return at.length === 10 ? formatDate(at) : formatDateAt(at, timeZone)
}
