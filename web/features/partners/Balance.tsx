import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import type { Balance as BalanceOf } from '#contract/balances.ts'
import type { EntryStatus } from '#contract/commissions.ts'
import type { Partner } from '#contract/partners.ts'
import { formatDate, todayIn } from '../../format.ts'
import { BalanceMoneyLink } from '../../shared/MoneyLink.tsx'
import { delayingBlockers, heldUntil } from '../../shared/paydays.ts'
import { balanceQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Message } from '../../ui/Message.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'

/** The partner's balance by state; for the partner also what blocks the next payout. */
export function Balance({ partner, own = false }: { partner: Partner; own?: boolean }) {
  const account = useAccount()
  const heading = fieldWords.balance
  return (
    <PendingPanel
      heading={heading}
      answer={useQuery(balanceQuery(partner.id))}
      rows={6}
      aside={() => (
        <Link to="/partners/$partnerId" params={{ partnerId: partner.id }} search={{ tab: 'payouts' }}>
          {partnerWords.balance.viewPayouts}
        </Link>
      )}
    >
      {(money) => {
        const blockers = own ? delayingBlockers(money.blockers) : []
        return (
          <>
            <Facts label={heading} facts={factsOf(money, account, todayIn(account.timeZone))} />
            {blockers.length > 0 && (
              <div className="stack gap-2 inset">
                {blockers.map(({ code, message }) => (
                  <Message key={code} kind="warning">
                    <Link to="/partner/settings">{message}</Link>
                  </Message>
                ))}
              </div>
            )}
          </>
        )
      }}
    </PendingPanel>
  )
}

/** Keeps the date on one line, so that a narrow label breaks before it. */
const inOneLine = (date: string) => formatDate(date).replaceAll(' ', '\u00a0')

function factsOf(money: BalanceOf, account: Pick<Account, 'paydays'>, today: string): Fact[] {
  const { partnerId, currency, held, due, onHold, inPayout, paid } = money
  const part = (status: EntryStatus | undefined, amount: number, strong = false) => (
    <BalanceMoneyLink partnerId={partnerId} status={status} amount={amount} currency={currency} strong={strong} />
  )
  const until = heldUntil(money, account, today)
  return [
    {
      label: until ? partnerWords.balance.heldUntil({ date: inOneLine(until) }) : partnerWords.balance.held,
      value: part('held', held),
    },
    { label: fieldWords.due, value: part('due', due, true) },
    onHold !== 0 && { label: partnerWords.balance.onHold, value: part('on-hold', onHold), warns: true },
    { label: partnerWords.balance.inPayout, value: part('in-payout', inPayout) },
    { label: partnerWords.balance.paid, value: part('paid', paid) },
    {
      label: partnerWords.balance.earned,
      value: part(undefined, held + due + onHold + inPayout + paid),
      sum: true,
    },
  ]
}
