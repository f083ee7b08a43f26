import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PayoutSettings } from '#contract/payout-settings.ts'
import type { Blocker } from '#contract/payouts.ts'
import { delayingBlockers } from '../../shared/paydays.ts'
import { balanceQuery, payoutFormQuery, payoutSettingsQuery } from '../../shared/queries.ts'
import { useAccount, useMe } from '../../shell/current.ts'
import { Badge } from '../../ui/Badge.tsx'
import { FormPanel } from '../../ui/contract-form.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel, Skeleton } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { blockerWords, type PartnersBlocker } from '../../words/blockers.ts'
import { settingsWords } from '../../words/settings.ts'
import { DepositForm } from './DepositForm.tsx'
import type { DetailsFormProps } from './details-form.tsx'
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

const ChooseDetails = lazyComponent(async () => (await import('./ChooseDetails.tsx')).ChooseDetails)

/** The form of payout details: that of a bank account in the United States, unless other ones can be paid. */
function EnterDetails({ now, ...props }: DetailsFormProps & { now: PayoutSettings }) {
  const answer = useQuery(payoutFormQuery(props.partnerId))
  const { data } = answer
  if (!data)
    return (
      <Panel>
        <Pending answer={answer} rows={8} />
      </Panel>
    )
  const isOnlyUs = data.kinds.every((kind) => kind === 'us-bank')
  return isOnlyUs ? <DepositForm {...props} /> : <ChooseDetails {...props} now={now} form={data} />
}

/** Blockers that only the partner can resolve; the others need the company, or time. */
const toDo: readonly Blocker['code'][] = [
  'no-deposit-info',
  'wise-rejected-recipient',
  'details-rejected',
  'tax-form-missing',
  'invoice-details-missing',
]

/** The banner on top: payouts are enabled, or what is missing and who must act. */
function PayoutsReadiness({ partnerId, enabled }: { partnerId: string; enabled: boolean }) {
  const account = useAccount()
  const { data, isLoading } = useQuery(balanceQuery(partnerId))
  if (isLoading)
    return (
      <Panel>
        <Skeleton rows={1} height={56} />
      </Panel>
    )
  if (!data) return null
  const stopping = delayingBlockers(data.blockers)
  const theirs = stopping.filter(({ code }) => toDo.includes(code))
  const next = (code: Blocker['code']) => blockerWords.next[code as PartnersBlocker]({ account: account.displayName })
  const heading = !enabled
    ? settingsWords.standing.notEnabled
    : theirs.length > 0
      ? settingsWords.standing.missing({ count: theirs.length })
      : stopping.length > 0
        ? settingsWords.standing.waiting
        : settingsWords.standing.ready
  return (
    <Message kind={theirs.length > 0 || !enabled ? 'warning' : stopping.length > 0 ? 'info' : 'success'}>
      <strong>{heading}</strong>
      {stopping.map(({ code, message }) => (
        <p key={code}>
          {message}. {next(code)}
        </p>
      ))}
      {stopping.length === 0 && (
        <p>
          {stopping.length < data.blockers.length ? next('payouts-not-configured') : settingsWords.standing.readyText}
        </p>
      )}
    </Message>
  )
}
