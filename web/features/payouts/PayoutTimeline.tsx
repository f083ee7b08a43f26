import type { Payout } from '#contract/payouts.ts'
import { formatMoney, formatShortDate } from '../../format.ts'
import { isTeam } from '../../shared/roles.ts'
import { useAccountRole } from '../../shell/current.ts'
import { AgainIcon, CloseIcon, DoneIcon, FlagIcon, OutgoingIcon, WaitIcon, WarningIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { type TimelineEvent, Timeline as TimelineList } from '../../ui/Timeline.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { attemptLabel } from './Attempts.tsx'
import { formatApprovers, providerLabel } from './words.ts'

/** The payout's history, newest first, with actors. */
export function PayoutTimeline({ payout, timeZone }: { payout: Payout; timeZone: string }) {
  const isOwner = isTeam(useAccountRole())
  return (
    <Panel heading={payoutWords.detail.timeline}>
      <TimelineList
        label={payoutWords.detail.timeline}
        events={eventsOf(payout, isOwner)}
        // A period starts with a date without a time, which must not shift with the time zone.
        dayOf={(at) => formatShortDate(at, at.length === 10 ? 'UTC' : timeZone)}
      />
    </Panel>
  )
}

/** Names the approver to the owner only. */
function eventsOf(payout: Payout, isOwner: boolean): TimelineEvent[] {
  const { status, periodStart, createdAt, approvedAt, sentAt, paidAt, updatedAt, failureReason, nameCheck, currency } =
    payout
  const provider = providerLabel(payout.method)
  const events: (TimelineEvent | null)[] = [
    periodStart
      ? {
          at: periodStart,
          icon: FlagIcon,
          tone: 'waits',
          title: payoutWords.events.opened,
          text: payoutWords.events.openedWhy,
        }
      : null,
    {
      at: createdAt,
      icon: WaitIcon,
      tone: 'moves',
      title: payoutWords.events.due,
      text: payoutWords.events.dueWhy,
    },
    approvedAt
      ? {
          at: approvedAt,
          icon: DoneIcon,
          tone: 'moves',
          title: payoutWords.events.approved,
          text: [isOwner && formatApprovers(payout), formatMoney(payout.amount, currency)].filter(Boolean).join(' · '),
        }
      : null,
    nameCheck && { at: nameCheck.at, icon: WarningIcon, tone: 'needs', title: nameCheck.message },
    ...payout.attempts.map(
      ({ at, method, state, error, transferId }, index): TimelineEvent => ({
        at,
        icon: index === 0 ? OutgoingIcon : AgainIcon,
        tone: error ? 'needs' : 'moves',
        title: payoutWords.events.attempt({ number: index + 1, provider: providerLabel(method) }),
        // The last attempt's error is shown by the payout's status.
        text: [error && error !== failureReason ? error : attemptLabel(state), transferId].filter(Boolean).join(' · '),
      }),
    ),
    sentAt ? { at: sentAt, icon: OutgoingIcon, tone: 'moves', title: payoutWords.events.sent({ provider }) } : null,
    paidAt
      ? { at: paidAt, icon: DoneIcon, tone: 'done', title: payoutWords.events.paid, text: payout.externalReference }
      : null,
    status === 'failed' || status === 'returned' || status === 'canceled'
      ? {
          at: updatedAt,
          icon: CloseIcon,
          tone: 'failed',
          title: payoutWords.events[status],
          text: failureReason,
        }
      : null,
    status === 'awaiting-funding'
      ? {
          at: updatedAt,
          icon: WaitIcon,
          tone: 'needs',
          title: payoutWords.events['awaiting-funding'],
          text: failureReason,
        }
      : null,
    status === 'open'
      ? {
          at: updatedAt,
          icon: WarningIcon,
          tone: 'needs',
          title: payoutWords.events.blocked,
          text: payout.blockers[0]?.message,
        }
      : null,
  ]
  // Events at the same instant are listed above in the order they happened.
  return events
    .filter((event) => event !== null)
    .reverse()
    .sort((a, b) => b.at.localeCompare(a.at))
}
