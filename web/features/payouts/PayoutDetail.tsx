import { Link } from '@tanstack/react-router'
import type { Payout } from '#contract/payouts.ts'
import { formatMoney } from '../../format.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount, useAccountRole } from '../../shell/current.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { Columns } from '../../ui/Columns.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import { Attempts } from './Attempts.tsx'
import { actsOf, useActs, whyNot } from './acts.tsx'
import { Blockers } from './Blockers.tsx'
import { Details } from './Details.tsx'
import { Entries } from './Entries.tsx'
import styles from './PayoutDetail.module.css'
import { payout } from './queries.ts'
import { StatementButtons } from './Statement.tsx'
import { Steps } from './Steps.tsx'
import { Timeline } from './Timeline.tsx'
import { type Act, actLabel, blockerLine, numberOf } from './words.ts'

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

/** Links owners back to the list of payouts, partners to the dashboard, as they have no such list. */
function useParent() {
  const isOwner = useAccountRole().type === 'account-owner'
  return isOwner ? <Link to="/payouts">{t('pages.payouts')}</Link> : <Link to="/dashboard">{t('pages.dashboard')}</Link>
}

function Loaded({ payout }: { payout: Payout }) {
  const { id: accountId, timeZone } = useAccount()
  const acts = useActs({ accountId, timeZone })
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
          {isOwner && <Actions payout={payout} onAct={(act) => acts.start(act, payout)} />}
        </>
      }
    >
      <Columns
        aside={
          <>
            {wide && <Blockers payout={payout} />}
            <Details payout={payout} />
            <Timeline payout={payout} timeZone={timeZone} />
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
        <Entries payout={payout} timeZone={timeZone} owns={isOwner} />
        {isOwner && <Attempts payout={payout} timeZone={timeZone} />}
      </Columns>
      {acts.dialog}
    </Page>
  )
}

/** Rare acts first, the one that moves the payout on last. A blocked act is shown disabled. */
function Actions({ payout, onAct }: { payout: Payout; onAct: (act: Act) => void }) {
  const possible = actsOf(payout)
  const order: Act[] = ['cancel', 'markPaid', 'retry', 'approve']
  const shown = order.filter((act) => possible.includes(act) || (act === 'approve' && payout.status === 'open'))
  // A person may override the blockers of a due payout; on any other status they prevent the act.
  const blocked = payout.status !== 'due' && payout.blockers.length > 0
  const main = shown.at(-1)
  return shown.map((act) => (
    <Button
      key={act}
      look={act === main && act !== 'cancel' ? 'primary' : 'secondary'}
      cannot={
        ((act === 'approve' || act === 'retry') && blocked && blockerLine(payout.blockers)) || whyNot(act, payout)
      }
      onClick={() => onAct(act)}
    >
      {actLabel(act)}
    </Button>
  ))
}

const amountLabel = (status: Payout['status']) =>
  status === 'paid' ? 'amountPaid' : status === 'canceled' ? 'amountCanceled' : 'amount'
