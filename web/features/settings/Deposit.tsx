import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PayoutSettings } from '#contract/payout-settings.ts'
import { payoutSettingsQuery } from '../../shared/queries.ts'
import { useMe } from '../../shell/current.ts'
import { Badge } from '../../ui/Badge.tsx'
import { FormPanel } from '../../ui/contract-form.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { settingsWords } from '../../words/settings.ts'
import { EnterDetails } from './EnterDetails.tsx'
import { PayoutsReadiness } from './PayoutsReadiness.tsx'
import { SavedDeposit } from './SavedDeposit.tsx'

/**
 * The state of a partner's payouts, and their details or the form for them. `below` follows once they are shown, so that
 * nothing moves it.
 */
export function Deposit({ partnerId, below }: { partnerId: string; below: ReactNode }) {
  const answer = useQuery(payoutSettingsQuery(partnerId))
  const { data } = answer
  if (!data)
    return (
      <Panel>
        <Pending answer={answer} rows={8} />
      </Panel>
    )
  return (
    <>
      <PayoutsReadiness partnerId={partnerId} enabled={data.enabled} />
      <Details partnerId={partnerId} settings={data} />
      {below}
    </>
  )
}

/** The saved details, or the form to enter or replace them. */
function Details({ partnerId, settings }: { partnerId: string; settings: PayoutSettings }) {
  const [replacing, setReplacing] = useState(false)
  const { depositInfo, updatedAt } = settings
  const heading = settingsWords.deposit.heading
  // Replacing details needs the password, even if the earlier ones were removed; the call asks for a second factor.
  const asksPassword = useMe().secondFactor !== 'on' && updatedAt !== null
  if (depositInfo && !replacing)
    return (
      <section aria-label={heading}>
        <FormPanel heading={heading} aside={<Badge tone="done">{settingsWords.deposit.set}</Badge>}>
          <SavedDeposit
            partnerId={partnerId}
            deposit={depositInfo}
            updatedAt={updatedAt}
            onReplace={() => setReplacing(true)}
          />
        </FormPanel>
      </section>
    )
  return (
    <EnterDetails
      heading={heading}
      partnerId={partnerId}
      now={settings}
      asksPassword={asksPassword}
      onSaved={() => setReplacing(false)}
      onCancel={depositInfo ? () => setReplacing(false) : undefined}
    />
  )
}
