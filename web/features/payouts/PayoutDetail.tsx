import { Link } from '@tanstack/react-router'
import { getPayoutStatement, type Payout } from '#contract/payouts.ts'
import { ToPartner } from '../../shared/links.tsx'
import { isTeam } from '../../shared/roles.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount, useAccountRole } from '../../shell/current.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Button } from '../../ui/Button.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { ActButton } from '../../ui/offers.tsx'
import { Page, Together } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { fieldWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'
import { pageWords } from '../../words/shell.ts'
import { Attempts } from './Attempts.tsx'
import { Blockers } from './Blockers.tsx'
import { Details } from './Details.tsx'
import { Figure } from './Figure.tsx'
import styles from './PayoutDetail.module.css'
import { PayoutEntries } from './PayoutEntries.tsx'
import { PayoutTimeline } from './PayoutTimeline.tsx'
import { findMainAct, payoutActs } from './payout-actions.tsx'
import { payoutQuery } from './queries.ts'
import { useStatement } from './Statement.tsx'
import { numberOf, toPayoutValues } from './words.ts'

/** One payout: status, entries, and blockers with their remedies. */
export const PayoutDetail = ({ payoutId }: { payoutId: string }) => (
  <ThingPage
    query={payoutQuery(payoutId)}
    shape="detail"
    heading={pageWords.payout}
    parent={useParent()}
    gone={payoutWords.detail.gone}
  >
    {(payout) => <Loaded payout={payout} />}
  </ThingPage>
)

/** Links owners back to the list of payouts, partners to the dashboard, since they have no such list. */
function useParent() {
  const isOwner = isTeam(useAccountRole())
  return isOwner ? <Link to="/payouts">{pageWords.payouts}</Link> : <Link to="/dashboard">{pageWords.dashboard}</Link>
}

function Loaded({ payout }: { payout: Payout }) {
  const { timeZone } = useAccount()
  const statement = useStatement(payout)
  const { file: download } = statement
  const number = numberOf(payout)
  const main = findMainAct(payout)
  // On narrow screens this comes before the entries: it may need action.
  const wide = useMediaQuery('(min-width: 1280px)')
  const isOwner = isTeam(useAccountRole())
  return (
    <Page
      heading={payoutWords.heading({ number })}
      parent={useParent()}
      crumb={number}
      badge={<StatusBadge of="payout" status={payout.status} />}
      actions={
        <Together>
          {isOwner && main && <ActButton look="primary" act={main} of={payout} />}
          {!isOwner && (
            <Button look="primary" needs={getPayoutStatement} busy={download.busy} onClick={() => void download.save()}>
              {payoutWords.statement.download}
            </Button>
          )}
          <ActionMenu
            bordered
            name={number}
            of={payout}
            actions={[
              ...(isOwner ? payoutActs.filter((act) => act !== main) : []),
              ...statement.actions,
              isOwner && {
                label: payoutWords.statement.download,
                needs: getPayoutStatement,
                disabled: download.busy,
                run: download.save,
              },
            ]}
          />
        </Together>
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
        <Panel className="inset-all">
          <dl className={`row between gap-5 ${styles.summary}`}>
            <Figure label={payoutWords.detail[amountLabel(payout.status)]}>{toPayoutValues(payout).amount}</Figure>
            {isOwner && (
              <div>
                <dt className="muted">{fieldWords.partner}</dt>
                <dd className="strong wrap">
                  <ToPartner id={payout.partnerId}>{payout.partnerName}</ToPartner>
                </dd>
              </div>
            )}
          </dl>
        </Panel>
        {!wide && <Blockers payout={payout} />}
        <PayoutEntries payout={payout} timeZone={timeZone} owns={isOwner} />
        {isOwner && payout.attempts.length > 1 && <Attempts payout={payout} timeZone={timeZone} />}
      </TwoColumns>
      {statement.printed}
    </Page>
  )
}

const amountLabel = (status: Payout['status']) =>
  status === 'paid' ? 'amountPaid' : status === 'canceled' ? 'amountCanceled' : 'amount'
