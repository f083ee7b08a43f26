import { useQueryClient } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { Dashboard } from '#contract/accounts.ts'
import { changeMe } from '#contract/users.ts'
import { useCall } from '../../calls.ts'
import { Button } from '../../ui/Button.tsx'
import { DoneIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { t } from '../../words.ts'
import { useMe } from '../shell/current.ts'
import { me } from '../shell/queries.ts'
import styles from './Checklist.module.css'

type Steps = Dashboard['checklist']
type Step = Steps[number]['step']

const places: Record<Step, Pick<LinkProps, 'to' | 'search'>> = {
  'payment-provider': { to: '/integrations/payment-providers' },
  partner: { to: '/partners/new' },
  link: { to: '/links/new' },
  'embed-or-api': { to: '/integrations/embed-code' },
  sale: { to: '/leads' },
  payouts: { to: '/account/settings', search: { tab: 'payouts' } as never },
}

/** The owner's first steps, from data, until all are done or 'Hide' is pressed; that is kept in the preferences. */
export function Checklist({ steps }: { steps: Steps }) {
  const user = useMe()
  const client = useQueryClient()
  const hide = useCall(changeMe, { onSuccess: (changed) => client.setQueryData(me.queryKey, changed) })
  const done = steps.filter((step) => step.done).length
  if (done === steps.length || user.preferences.checklist === 'hidden') return null
  const progress = t('checklist.done', { done, total: steps.length })
  return (
    <Panel
      heading={t('checklist.heading')}
      rule
      aside={
        <div className={styles.progress}>
          <span>{progress}</span>
          <div>
            <ProgressBar label={t('checklist.heading')} done={done} total={steps.length} />
          </div>
          <Button
            look="quiet"
            small
            busy={hide.busy}
            onClick={() => hide.mutate({ body: { preferences: { ...user.preferences, checklist: 'hidden' } } })}
          >
            {t('checklist.hide')}
          </Button>
        </div>
      }
    >
      <ul className={styles.steps}>
        {steps.map(({ step, done }) => (
          <li key={step} data-done={done || undefined}>
            <span className={styles.mark}>{done && <DoneIcon size={14} />}</span>
            {done ? <span>{t(`checklist.${step}`)}</span> : <Link {...places[step]}>{t(`checklist.${step}`)}</Link>}
            <small>{done ? t('checklist.isDone') : t(`checklist.${step}_why`)}</small>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
