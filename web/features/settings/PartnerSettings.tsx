import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PayoutSettings } from '#contract/payout-settings.ts'
import { formatDate, formatMoney, todayIn, yearOf } from '../../format.ts'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { nextPayday } from '../../shared/paydays.ts'
import { balance, partner, partnerForecast, payoutSettings } from '../../shared/queries.ts'
import { useAccount, useMe, usePartnerRole } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { FormPanel } from '../../ui/contract-form.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Page } from '../../ui/Page.tsx'
import { Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { settingsWords } from '../../words/settings.ts'
import { pageWords } from '../../words/shell.ts'
import { DepositForm } from './DepositForm.tsx'
import { PayoutsReadiness } from './PayoutsReadiness.tsx'
import { SavedDeposit } from './SavedDeposit.tsx'

/** The partner's bank details, and the blockers of their payouts. */
export function PartnerSettings() {
  const { partnerId } = usePartnerRole()
  const { depositInfo } = useQuery(payoutSettings(partnerId)).data ?? {}
  return (
    <Page heading={pageWords.settings} badge={<ProgramName />}>
      <HowItWorks of="partner-settings" unused={depositInfo === null} />
      <TwoColumns form aside={<NextPayout partnerId={partnerId} />}>
        <Deposit key={partnerId} partnerId={partnerId} />
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

/** Date and amount of the next payout. */
function NextPayout({ partnerId }: { partnerId: string }) {
  const account = useAccount()
  const heading = settingsWords.yourNextPayout
  const { data, error, refetch, isFetching } = useQuery(balance(partnerId))
  const self = useQuery(partner(partnerId)).data
  const saved = useQuery(payoutSettings(partnerId)).data
  const days = useQuery(partnerForecast(partnerId))
  const year = yearOf(todayIn(account.timeZone))
  if (!data || days.isPending)
    return (
      <Panel heading={heading}>
        {error ? <Failed onRetry={refetch} busy={isFetching} why={error.message} /> : <Skeleton rows={4} />}
      </Panel>
    )
  const money = (amount: number) => formatMoney(amount, data.currency)
  const approved = self?.approvedPayoutYears?.includes(year)
  const { first, waits, date } = nextPayday(data, days.data)
  const facts: Fact[] = [
    { label: fieldWords.due, value: money(data.due), strong: true },
    { label: settingsWords.held, value: money(data.held + data.onHold) },
    {
      label: settingsWords.minimumShort,
      value: account.minimumPayout > 0 ? money(account.minimumPayout) : settingsWords.noMinimum,
    },
    {
      label: settingsWords.nextDate,
      value: waits ? settingsWords.notYet : date ? formatDate(date) : basicWords.absent,
      warns: waits,
    },
    ...(first ? [{ label: settingsWords.nextAmount, value: money(first.amount) }] : []),
    ...(approved === undefined
      ? []
      : [
          {
            label: settingsWords.approvedFor({ year }),
            value: approved ? settingsWords.yes : settingsWords.notYet,
            warns: !approved,
          },
        ]),
    ...(saved
      ? [{ label: settingsWords.formOnFile, value: saved.formOnFile ? settingsWords.yes : settingsWords.notYet }]
      : []),
  ]
  return (
    <Panel heading={heading}>
      <Facts label={heading} facts={facts} />
    </Panel>
  )
}
