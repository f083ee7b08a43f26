import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { retryInvitation } from '#contract/auth.ts'
import type { Balance } from '#contract/balances.ts'
import type { EntryStatus } from '#contract/commissions.ts'
import type { Partner } from '#contract/partners.ts'
import { changeAutoPayoutSettings, remindPartner } from '#contract/payout-settings.ts'
import type { BlockerCode } from '#contract/payouts.ts'
import { formatDate, formatMoney, todayIn, toYear } from '../../format.ts'
import { heldUntil } from '../../shared/paydays.ts'
import { balanceQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { CallButton } from '../../ui/CallButton.tsx'
import { KeyFacts, WaitingKeyFacts } from '../../ui/KeyFacts.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { partnerWords } from '../../words/partners.ts'
import { ApprovalSwitch } from './ApprovalSwitch.tsx'
import { isOwed } from './approval.ts'
import { sentInWords } from './sent.ts'

/** For the owner, above the tabs: the amount owed to the partner, why it waits and what can be done about it. */
export function Owed({ partner }: { partner: Partner }) {
  const account = useAccount()
  const { data: money, isPending } = useQuery(balanceQuery(partner.id))
  // partners who never earned are rarely owed anything, so they get no placeholder
  if (isPending) return partner.stats.salesRevenueShare === 0 && !partner.balanceDue ? null : <WaitingKeyFacts />
  if (!money) return null
  const { due, blockers } = money
  const today = todayIn(account.timeZone)
  if (!isOwed(money)) return null
  // a notice above the tabs already explains that a suspended partner is not paid
  const reasons = blockers
    .filter(({ code }) => code !== 'partner-disabled')
    .map(({ code, message }) => ({
      key: code,
      text: message,
      action: <Remedy code={code} partner={partner} year={toYear(today)} />,
    }))
  const ready = { key: 'ready', text: partnerWords.owed.ready, action: <ViewPayouts id={partner.id} /> }
  return (
    <KeyFacts
      label={partnerWords.owed.heading}
      facts={factsOf(money, account, today)}
      reasons={due > 0 && blockers.length === 0 ? [ready] : reasons}
    />
  )
}

function factsOf(money: Balance, account: Pick<Account, 'paydays'>, today: string) {
  const { partnerId, currency, held, due, onHold, inPayout, dueSince } = money
  const part = (key: 'due' | 'held' | 'onHold' | 'inPayout', status: EntryStatus, amount: number, day?: string) =>
    amount === 0
      ? []
      : [
          {
            key,
            text: (
              <>
                <Link
                  to="/partners/$partnerId"
                  params={{ partnerId }}
                  search={{ tab: 'commissions', status }}
                  className="strong"
                >
                  {partnerWords.owed[key]({ amount: formatMoney(amount, currency) })}
                </Link>
                {day && ` ${day}`}
              </>
            ),
          },
        ]
  const until = heldUntil(money, account, today)
  const since = dueSince ? partnerWords.owed.dueSince({ date: formatDate(dueSince) }) : undefined
  return [
    ...part('due', 'due', due, since),
    ...part('held', 'held', held, until ? partnerWords.owed.until({ date: formatDate(until) }) : undefined),
    ...part('onHold', 'on-hold', onHold),
    ...part('inPayout', 'in-payout', inPayout),
  ]
}

const ViewPayouts = ({ id }: { id: string }) => (
  <LinkButton small to="/partners/$partnerId" params={{ partnerId: id }} search={{ tab: 'payouts' }}>
    {partnerWords.owed.viewPayouts}
  </LinkButton>
)

/** Returns the control that lifts a blocker; nothing if only time or sales can. */
function Remedy({ code, partner, year }: { code: BlockerCode; partner: Partner; year: number }): ReactNode {
  switch (code) {
    case 'no-deposit-info':
    case 'wise-rejected-recipient':
      return partner.state === 'archived' ? null : <Remind partner={partner} />
    case 'not-approved-this-year':
      return <ApprovalSwitch partner={partner} year={year} labelHidden />
    case 'not-approved-next-year':
      return <ApprovalSwitch partner={partner} year={year + 1} labelHidden />
    case 'on-hold-fraud':
      return (
        <LinkButton
          small
          to="/partners/$partnerId"
          params={{ partnerId: partner.id }}
          search={{ tab: 'commissions', status: 'on-hold' }}
        >
          {partnerWords.owed.viewHeld}
        </LinkButton>
      )
    case 'payouts-not-configured':
    case 'no-method':
    case 'currency-unsupported':
      return (
        <LinkButton small needs={changeAutoPayoutSettings} to="/account/settings" search={{ tab: 'payouts' }}>
          {partnerWords.owed.setUp}
        </LinkButton>
      )
    default:
      return null
  }
}

/** Reminds the partner of missing bank details; one who has not joined yet is reminded of the invitation instead. */
function Remind({ partner: { id, displayName: name, invitationStatus } }: { partner: Partner }) {
  const params = { id }
  if (invitationStatus === null || invitationStatus === 'revoked')
    return (
      <CallButton small call={retryInvitation} input={{ params }} done={(sent) => sentInWords(sent)}>
        {partnerWords.invite.send}
      </CallButton>
    )
  const kind = invitationStatus === 'accepted' ? 'payout-settings' : 'invitation'
  return (
    <CallButton
      small
      call={remindPartner}
      input={{ params, body: { kind } }}
      done={({ mailed }) => (mailed ? partnerWords.owed.reminded({ name }) : partnerWords.owed.kept)}
    >
      {partnerWords.owed.remind}
    </CallButton>
  )
}
