import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { changeMe } from '#contract/auth.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import { saveEmbedCode } from '#contract/embed.ts'
import { createLinkBlueprint } from '#contract/links.ts'
import { createPartner } from '#contract/partners.ts'
import { connectProvider } from '#contract/payment-providers.ts'
import { changeAutoPayoutSettings } from '#contract/payout-settings.ts'
import { startRehearsal } from '#contract/rehearsals.ts'
import { createSale } from '#contract/sales.ts'
import { me, useCall } from '../../calls.ts'
import { PlayThrough } from '../../shared/PlayThrough.tsx'
import { useMe } from '../../shell/current.ts'
import { accountStatsQuery, paymentProvidersQuery } from '../../shell/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { type Needed, usePermission } from '../../ui/permissions.ts'
import { StepMark } from '../../ui/StepMark.tsx'
import { checklistWords } from '../../words/checklist.ts'
import { providerWords } from '../../words/shell.ts'
import styles from './Checklist.module.css'

type Steps = Dashboard['checklist']
type Step = Steps[number]['step']

const places: Record<Step, Pick<LinkProps, 'to' | 'search'>> = {
  'payment-provider': { to: '/integrations/payment-providers' },
  partner: { to: '/partners/new' },
  link: { to: '/links/new' },
  'embed-or-api': { to: '/integrations/embed-code' },
  sale: { to: '/leads' },
  payouts: { to: '/account/settings', search: { tab: 'payouts' } },
}

const takenBy: Record<Step, Needed> = {
  'payment-provider': connectProvider,
  partner: createPartner,
  link: createLinkBlueprint,
  'embed-or-api': saveEmbedCode,
  sale: createSale,
  payouts: changeAutoPayoutSettings,
}

/**
 * The owner's first steps, derived from data; shown until all are done or hidden, which is saved in the preferences.
 */
export function Checklist({ accountId, steps: all }: { accountId: string; steps: Steps }) {
  const may = usePermission()
  const steps = all.filter(({ step }) => may(takenBy[step]))
  const user = useMe()
  const present = usePresent(accountId)
  const client = useQueryClient()
  const hide = useCall(changeMe, { onSuccess: (changed) => client.setQueryData(me.queryKey, changed) })
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
                <Link {...places[step]} className="strong">
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
function usePresent(accountId: string): Record<Step, string | undefined> {
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
