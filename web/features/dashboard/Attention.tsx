import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { decideApplications } from '#contract/applications.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import { formatNumber } from '#contract/format.ts'
import { changeIncomingWebhook } from '#contract/incoming-webhooks.ts'
import { changeLeadStatus } from '#contract/leads.ts'
import { changeOutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { checkConnection } from '#contract/payment-providers.ts'
import { remindPartner } from '#contract/payout-settings.ts'
import { reassignLead, releaseSale } from '#contract/sales.ts'
import { refuseClaim } from '#features/claims/contract.ts'
import { releaseCase } from '#features/fraud-cases/contract.ts'
import { closeObjection } from '#features/objections/contract.ts'
import { formatAge, formatAgo, formatMoney } from '../../format.ts'
import { paymentProvidersQuery } from '../../shell/queries.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import {
  IncomingIcon,
  LeadsIcon,
  OutgoingIcon,
  PartnersIcon,
  PayoutsIcon,
  ProvidersIcon,
  WaitIcon,
} from '../../ui/icons.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PathLink } from '../../ui/PathLink.tsx'
import type { Needed } from '../../ui/permissions.ts'
import { attentionWords, dashboardWords } from '../../words/dashboard.ts'
import { providerWords } from '../../words/shell.ts'
import { Line } from './Line.tsx'

type Item = Dashboard['attention'][number]

/** How each kind of item looks, and the call by which it is resolved. */
export const kinds: Record<Item['kind'], { icon: ComponentType<{ size?: number }>; tone: Tone; resolvedBy: Needed }> = {
  'open-claims': { icon: LeadsIcon, tone: 'needs', resolvedBy: refuseClaim },
  'waiting-applications': { icon: PartnersIcon, tone: 'needs', resolvedBy: decideApplications },
  'unanswered-leads': { icon: WaitIcon, tone: 'needs', resolvedBy: changeLeadStatus },
  'blocked-payouts': { icon: PayoutsIcon, tone: 'needs', resolvedBy: remindPartner },
  'open-objections': { icon: PayoutsIcon, tone: 'needs', resolvedBy: closeObjection },
  'unhealthy-provider': { icon: ProvidersIcon, tone: 'needs', resolvedBy: checkConnection },
  'failing-webhook': { icon: OutgoingIcon, tone: 'failed', resolvedBy: changeOutgoingWebhook },
  'incoming-webhook-conflict': { icon: IncomingIcon, tone: 'needs', resolvedBy: changeIncomingWebhook },
  'unattributed-leads': { icon: LeadsIcon, tone: 'moves', resolvedBy: reassignLead },
  'open-cases': { icon: WaitIcon, tone: 'needs', resolvedBy: releaseCase },
  'sales-on-hold': { icon: WaitIcon, tone: 'needs', resolvedBy: releaseSale },
}

type Props = { account: { id: string; timeZone: string; defaultCurrency: string }; items: readonly Item[] }

/** Items that need the owner's attention, each with a link to where it is resolved. */
export function Attention({ account, items }: Props) {
  const trouble = useTrouble(account)
  return (
    <Panel heading={dashboardWords.attention} aside={<Badge tone="needs">{formatNumber(items.length)}</Badge>}>
      <ul className="items">
        {items.map(({ kind, count, amount, since, value, link }) => {
          const stake = amount !== null && amount > 0 && formatMoney(amount, account.defaultCurrency)
          const named = kind === 'unhealthy-provider' && count === 1 ? trouble : undefined
          const waiting =
            value !== null && count === 1
              ? attentionWords['incoming-webhook-conflict_named']({ value })
              : attentionWords[kind]({ count })
          const what = since
            ? attentionWords['waiting-applications_oldest']({ waiting, age: formatAge(since) })
            : waiting
          return (
            <Line
              key={kind}
              icon={kinds[kind].icon}
              tone={kinds[kind].tone}
              why={
                stake
                  ? attentionWords.stake({ amount: stake })
                  : (named?.why ?? attentionWords[`${kind}_why`]({ count }))
              }
            >
              <PathLink path={link}>{named?.what ?? what}</PathLink>
            </Line>
          )
        })}
      </ul>
    </Panel>
  )
}

/** Returns the payment provider in trouble and the time of its last event; the shell has already loaded the data. */
function useTrouble({ id, timeZone }: Props['account']) {
  const { data } = useQuery(paymentProvidersQuery(id))
  const connection = data?.items.find(({ state }) => state === 'attention')
  if (!connection) return undefined
  const { provider, lastEventAt } = connection
  return {
    what: attentionWords['unhealthy-provider_named']({ provider: providerWords[provider] }),
    why: lastEventAt ? attentionWords['unhealthy-provider_last']({ ago: formatAgo(lastEventAt, timeZone) }) : undefined,
  }
}
