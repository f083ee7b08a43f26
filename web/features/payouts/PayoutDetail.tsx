import { Link } from '@tanstack/react-router'
import type { Payout } from '#contract/payouts.ts'
import { formatMoney } from '../../format.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount, useAccountRole } from '../../shell/current.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { t } from '../../words.ts'
import { Attempts } from './Attempts.tsx'
import { Blockers } from './Blockers.tsx'
import { Details } from './Details.tsx'
import styles from './PayoutDetail.module.css'
import { PayoutEntries } from './PayoutEntries.tsx'
import { PayoutTimeline } from './PayoutTimeline.tsx'
import { payoutActions, usePayoutActions, whyNot } from './payout-actions.tsx'
import { payout } from './queries.ts'
import { StatementButtons } from './Statement.tsx'
import { Steps } from './Steps.tsx'
import { blockerLine, numberOf, type PayoutAction, payoutActionLabel } from './words.ts'

/** One payout: status, entries, and blockers with their remedies. */
export const PayoutDetail = ({ payoutId }: { payoutId: string }) => (
  <ThingPage
    query={payout(payoutId)}
    shape="detail"
    heading={t('pages.payout')}
    parent={useParent()}
    gone={t('payouts.detail.gone')}
  >
    {(payout) => <Loaded payout={payout} />}
  </ThingPage>
)

/** Links owners back to the list of payouts, partners to the dashboard, since they have no such list. */
function useParent() {
  const isOwner = useAccountRole().type === 'account-owner'
  return isOwner ? <Link to="/payouts">{t('pages.payouts')}</Link> : <Link to="/dashboard">{t('pages.dashboard')}</Link>
}

function Loaded({ payout }: { payout: Payout }) {
  const { id: accountId, timeZone } = useAccount()
  const actions = usePayoutActions({ accountId, timeZone })
  const number = numberOf(payout)
  // On narrow screens this comes before the entries: it may need action.
  const wide = useMediaQuery('(min-width: 1280px)')
  const isOwner = useAccountRole().type === 'account-owner'
  return (
    <Page
      heading={t('payouts.heading', { number })}
      parent={useParent()}
      crumb={number}
      badge={<StatusBadge of="payout" status={payout.status} />}
      actions={
        <>
          <StatementButtons payout={payout} />
          {isOwner && <Actions payout={payout} onAction={(action) => actions.start(action, payout)} />}
        </>
      }
    >
      <TwoColumns
        aside={
          <>
            {wide && <Blockers payout={payout} />}
            <Details payout={payout} />
            <PayoutTimeline payout={payout} timeZone={timeZone} />
          </>
        }
      >
        <Panel className={styles.summary}>
          <dl className={styles.head}>
            <div>
              <dt>{t(`payouts.detail.${amountLabel(payout.status)}`)}</dt>
              <dd className={styles.amount}>{formatMoney(payout.amount, payout.currency)}</dd>
            </div>
            <div>
              <dt>{t('payouts.detail.partner')}</dt>
              <dd>
                <Link to="/partners/$partnerId" params={{ partnerId: payout.partnerId }}>
                  {payout.partnerName}
                </Link>
              </dd>
            </div>
          </dl>
          <Steps payout={payout} timeZone={timeZone} />
        </Panel>
        {!wide && <Blockers payout={payout} />}
        <PayoutEntries payout={payout} timeZone={timeZone} owns={isOwner} />
        {isOwner && <Attempts payout={payout} timeZone={timeZone} />}
      </TwoColumns>
      {actions.dialog}
    </Page>
  )
}

/** Rare actions first, the one that moves the payout on last. A blocked action is shown disabled. */
function Actions({ payout, onAction }: { payout: Payout; onAction: (action: PayoutAction) => void }) {
  const possible = payoutActions(payout)
  const order: PayoutAction[] = ['cancel', 'markPaid', 'retry', 'approve']
  const shown = order.filter(
    (action) => possible.includes(action) || (action === 'approve' && payout.status === 'open'),
  )
  // A person may override the blockers of a due payout; on any other status they prevent the action.
  const blocked = payout.status !== 'due' && payout.blockers.length > 0
  const main = shown.at(-1)
  return shown.map((action) => (
    <Button
      key={action}
      look={action === main && action !== 'cancel' ? 'primary' : 'secondary'}
      cannot={
        ((action === 'approve' || action === 'retry') && blocked && blockerLine(payout.blockers)) ||
        whyNot(action, payout)
      }
      onClick={() => onAction(action)}
    >
      {payoutActionLabel(action)}
    </Button>
  ))
}

const amountLabel = (status: Payout['status']) =>
  status === 'paid' ? 'amountPaid' : status === 'canceled' ? 'amountCanceled' : 'amount'
