import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getPayoutSettings, type PayoutSettings } from '#contract/payout-settings.ts'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { payoutSettings } from '../../shared/queries.ts'
import { useMe, usePartnerRole } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { FormPanel } from '../../ui/contract-form.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useMay } from '../../ui/may.ts'
import { Page } from '../../ui/Page.tsx'
import { Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { settingsWords } from '../../words/settings.ts'
import { pageWords } from '../../words/shell.ts'

const DepositForm = lazyPart(async () => (await import('./DepositForm.tsx')).DepositForm)
const PayoutsReadiness = lazyPart(async () => (await import('./PayoutsReadiness.tsx')).PayoutsReadiness)
const NextPayout = lazyPart(async () => (await import('./NextPayout.tsx')).NextPayout)
const SavedDeposit = lazyPart(async () => (await import('./SavedDeposit.tsx')).SavedDeposit)
const People = lazyPart(async () => (await import('./PartnersPeople.tsx')).PartnersPeople)

/** The partner's bank details, the blockers of their payouts, and the partner's people. */
export function PartnerSettings() {
  const { partnerId } = usePartnerRole()
  const may = useMay()(getPayoutSettings)
  const { data } = useQuery({ ...payoutSettings(partnerId), enabled: may })
  return (
    <Page heading={pageWords.settings} badge={<ProgramName />}>
      {may && <HowItWorks of="partner-settings" unused={data?.depositInfo === null} />}
      <TwoColumns form aside={<NextPayout partnerId={partnerId} />}>
        {may && <Deposit key={partnerId} partnerId={partnerId} />}
        <People partnerId={partnerId} />
      </TwoColumns>
    </Page>
  )
}

function Deposit({ partnerId }: { partnerId: string }) {
  const { data, error, refetch, isFetching } = useQuery(payoutSettings(partnerId))
  if (!data)
    return (
      <Panel>
        {error ? <Failed onRetry={refetch} busy={isFetching} why={error.message} /> : <Skeleton rows={8} />}
      </Panel>
    )
  return (
    <>
      <PayoutsReadiness partnerId={partnerId} enabled={data.enabled} />
      <Details partnerId={partnerId} settings={data} />
    </>
  )
}

/** The saved details, or the form to enter or replace them. */
function Details({ partnerId, settings }: { partnerId: string; settings: PayoutSettings }) {
  const [replacing, setReplacing] = useState(false)
  const { depositInfo, updatedAt } = settings
  const heading = settingsWords.deposit.heading
  // Replacing details needs the password, even if the earlier ones were removed.
  // with a second factor the call asks for it
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
    <DepositForm
      heading={heading}
      partnerId={partnerId}
      asksPassword={asksPassword}
      onSaved={() => setReplacing(false)}
      onCancel={depositInfo ? () => setReplacing(false) : undefined}
    />
  )
}
