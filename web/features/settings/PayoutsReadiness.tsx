import { useQuery } from '@tanstack/react-query'
import type { Blocker } from '#contract/payouts.ts'
import { delayingBlockers } from '../../shared/paydays.ts'
import { balanceQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { Message } from '../../ui/Message.tsx'
import { Panel, Skeleton } from '../../ui/Panel.tsx'
import { blockerWords, type PartnersBlocker } from '../../words/blockers.ts'
import { settingsWords } from '../../words/settings.ts'

/** Blockers that only the partner can resolve; the others need the company, or time. */
const toDo: readonly Blocker['code'][] = [
  'no-deposit-info',
  'wise-rejected-recipient',
  'details-rejected',
  'tax-form-missing',
  'invoice-details-missing',
]

/** The banner on top: payouts are enabled, or what is missing and who must act. */
export function PayoutsReadiness({ partnerId, enabled }: { partnerId: string; enabled: boolean }) {
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
