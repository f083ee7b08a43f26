import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { changeMe } from '#contract/auth.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import { startRehearsal } from '#features/rehearsals/contract.ts'
import { me, useCall } from '../../calls.ts'
import { PlayThrough } from '../../shared/PlayThrough.tsx'
import { useMe } from '../../shell/current.ts'
import { accountStatsQuery, paymentProvidersQuery } from '../../shell/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { StepMark } from '../../ui/StepMark.tsx'
import { checklistWords } from '../../words/checklist.ts'
import { providerWords } from '../../words/shell.ts'
import styles from './Checklist.module.css'
import { type FirstStep, firstSteps } from './first-steps.ts'

type Steps = Dashboard['checklist']

/**
 * The owner's first steps, derived from data; shown until all are done or hidden, which is saved in the preferences.
 */
export function Checklist({ account, steps: all }: { account: { id: string; timeZone: string }; steps: Steps }) {
  const { id: accountId, timeZone } = account
  const may = usePermission()
  const steps = all.filter(({ step }) => may(firstSteps[step].calls[0]))
  const user = useMe()
  const present = usePresent(accountId)
  const client = useQueryClient()
  const hide = useCall(changeMe, { onSuccess: (changed) => client.setQueryData(me.queryKey, changed) })
  const router = useRouter()
  useEffect(() => {
    const offer = async () => (await import('./next-step.ts')).offerNextSteps
    const account = { id: accountId, timeZone }
    offer().then(
      (start) => start({ client, router, may, account }),
      () => undefined,
    )
  }, [client, router, may, accountId, timeZone])
  const done = steps.filter((step) => step.done).length
  if (done === steps.length || user.preferences.checklist === 'hidden') return null
  const progress = checklistWords.done({ done, total: steps.length })
  return (
    <Panel
      heading={checklistWords.heading}
      aside={
        <div className="row gap-3">
          {progress}
          <Button
            look="quiet"
            small
            busy={hide.busy}
            onClick={() => hide.mutate({ body: { preferences: { checklist: 'hidden' } } })}
          >
            {checklistWords.hide}
          </Button>
        </div>
      }
    >
      <div className="inset">
        <ProgressBar label={checklistWords.heading} done={done} total={steps.length} />
      </div>
      <ul className={`grid inset ${styles.steps}`}>
        {steps.map(({ step, done }) => (
          <li key={step} className="row top gap-3">
            <StepMark state={done ? 'done' : 'ahead'} />
            <div className="rest">
              {done ? (
                <p className="muted">{checklistWords[step]}</p>
              ) : (
                <Link {...firstSteps[step].place} className="strong">
                  {checklistWords[step]}
                </Link>
              )}
              <p className="muted small wrap">{done ? present[step] : checklistWords[`${step}_why`]}</p>
            </div>
          </li>
        ))}
      </ul>
      {may(startRehearsal) && (
        <div className="row between gap-3 ruled inset-all muted">
          <span>{checklistWords.play}</span>
          <PlayThrough accountId={accountId} />
        </div>
      )}
    </Panel>
  )
}

/** Returns what already exists for each step, from figures that the shell has already loaded. */
function usePresent(accountId: string): Record<FirstStep, string | undefined> {
  const stats = useQuery(accountStatsQuery(accountId)).data
  const connection = useQuery(paymentProvidersQuery(accountId)).data?.items.find(
    ({ state }) => state !== 'disconnected',
  )
  const provider = connection && providerWords[connection.provider]
  const account = connection?.accountName
  return {
    'payment-provider': provider && account ? checklistWords['payment-provider_is']({ provider, account }) : provider,
    partner: stats && checklistWords.partner_is({ count: stats.numberOfPartners }),
    link: checklistWords.link_is,
    'embed-or-api': checklistWords['embed-or-api_is'],
    sale: stats && checklistWords.sale_is({ count: stats.numberOfSales }),
    payouts: checklistWords.payouts_is,
  }
}
