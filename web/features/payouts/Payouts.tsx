import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { applyPayoutResults, createPaymentFile } from '#contract/payment-files.ts'
import { changeAutoPayoutSettings, getAutoPayoutSettings } from '#contract/payout-settings.ts'
import { approvePayouts, type Payout, refreshPayouts } from '#contract/payouts.ts'
import { useCall, useFirstLoad, useRefresh } from '../../calls.ts'
import { formatMoney, todayIn } from '../../format.ts'
import { BulkProgress } from '../../shared/BulkProgress.tsx'
import { autoPayoutsQuery, payoutTotalsQuery } from '../../shared/queries.ts'
import { useAccount, useTeamRole } from '../../shell/current.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { PendingStats, StatStrip } from '../../ui/StatStrip.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { useAddress } from '../../ui/useAddress.ts'
import { payoutWords } from '../../words/payouts.ts'
import { pageWords } from '../../words/shell.ts'
import { yearReportWords } from '../../words/year-report.ts'
import { AccountCommissions } from './AccountCommissions.tsx'
import { Balances } from './Balances.tsx'
import { NeedChips } from './NeedChips.tsx'
import { PausedPayouts } from './PausedPayouts.tsx'
import { PaydayForecast } from './PaydayForecast.tsx'
import { PayoutList } from './PayoutList.tsx'
import styles from './Payouts.module.css'
import { attentionQuery, countOfBalances, type PayoutTab, payoutTabs, readsAboveRows } from './queries.ts'
import { UploadResults } from './UploadResults.tsx'
import { usePayoutApproval } from './usePayoutApproval.tsx'

const MakeFile = lazyComponent(async () => (await import('./MakeFile.tsx')).MakeFile)
const Books = lazyComponent(async () => (await import('./Books.tsx')).Books)
const InvoiceList = lazyComponent(async () => (await import('../../shell/InvoiceList.tsx')).InvoiceList)
const YearReport = lazyComponent(async () => (await import('./YearReport.tsx')).YearReport)

/** Upcoming balances, payouts that need action, those paid or on their way, and every commission. */
export function Payouts() {
  const { accountId } = useTeamRole()
  const tab = useTab(payoutTabs)
  const [dialog, setDialog] = useState<'file' | 'results' | null>(null)
  const approval = usePayoutApproval(accountId, tab)
  const { change } = useAddress()
  const mayPay = usePermission()(approvePayouts)
  useGathered(accountId)
  // chips and paydays move the rows below them, and a tab's count the tabs after it
  const waits = useFirstLoad(readsAboveRows(accountId, tab))
  /** Shows the payouts of a file that was just made, with the button for its results. */
  const showFiled = () => {
    approval.payouts.clear()
    approval.balances.clear()
    const others = { status: undefined, search: undefined, cursor: undefined }
    void change({ tab: 'needs-action', attention: 'results', ...others })
  }
  const menu: Action[] = [
    { label: payoutWords.makeFile, needs: createPaymentFile, run: () => setDialog('file') },
    { label: payoutWords.results.heading, needs: applyPayoutResults, run: () => setDialog('results') },
  ]
  const progress = (
    <BulkProgress accountId={accountId} kinds={['remind-partners', 'retry-payouts', 'mark-payouts-paid']} />
  )
  return (
    <Page heading={pageWords.payouts}>
      <PausedPayouts accountId={accountId} />
      <WiseTrouble accountId={accountId} />
      {approval.problem && <Message kind="error">{approval.problem}</Message>}
      <Totals accountId={accountId} />
      <YearReport.OnUse />
      <Books.OnUse />
      <MakeFile.OnUse />
      <div className={`stack until-loaded ${styles.tabbed}`} aria-busy={waits || undefined}>
        <Tabs label={payoutWords.tabs} tabs={useTabs(accountId, tab)} current={tab}>
          {tab === 'upcoming' ? (
            <>
              <PaydayForecast
                accountId={accountId}
                review={<ReviewReady accountId={accountId} approval={approval} />}
              />
              {progress}
              <Balances
                accountId={accountId}
                menu={menu}
                selection={mayPay ? approval.balances : undefined}
                bulk={approval.bulk}
              />
            </>
          ) : tab === 'needs-action' ? (
            <>
              <NeedChips onFile={() => setDialog('file')} onResults={() => setDialog('results')} />
              {progress}
              <PayoutList
                key={tab}
                tab={tab}
                menu={menu}
                selection={mayPay ? approval.payouts : undefined}
                bulk={approval.bulk}
              />
            </>
          ) : tab === 'commissions' ? (
            <AccountCommissions menu={menu} />
          ) : tab === 'year-report' ? (
            <YearReport menu={menu} />
          ) : tab === 'books' ? (
            <Books menu={menu} />
          ) : tab === 'invoices' ? (
            <InvoiceList page={pageWords.payouts} menu={menu} />
          ) : (
            <PayoutList key={tab} tab={tab} menu={menu} />
          )}
        </Tabs>
      </div>
      {dialog === 'file' && <MakeFile accountId={accountId} onMade={showFiled} onClose={() => setDialog(null)} />}
      {dialog === 'results' && <UploadResults accountId={accountId} onClose={() => setDialog(null)} />}
      {approval.dialog}
    </Page>
  )
}

type Approval = Pick<ReturnType<typeof usePayoutApproval>, 'busy' | 'reviewReady'>

/** Opens the review of every payout that can be approved now. */
function ReviewReady({ accountId, approval }: { accountId: string; approval: Approval }) {
  const ready = useQuery(payoutTotalsQuery(accountId)).data?.dueNow.count ?? 0
  if (ready === 0) return null
  return (
    <Button look="primary" needs={approvePayouts} busy={approval.busy} onClick={() => void approval.reviewReady()}>
      {payoutWords.review.open}
    </Button>
  )
}

/** Collects what fell due since the last hourly run when the page opens, so that it can be acted on. */
function useGathered(accountId: string) {
  const { send } = useCall(refreshPayouts, { oneOfMany: true })
  const may = usePermission()
  const refresh = useRefresh()
  const client = useQueryClient()
  const opened = useRef(false)
  useEffect(() => {
    if (opened.current || !may(refreshPayouts)) return
    opened.current = true
    const params = { id: accountId }
    const read = async () => {
      const { due, blocked } = await send({ params, body: { gatherOnly: true } })
      const { unapproved } = await client.fetchQuery(payoutTotalsQuery(accountId))
      if (unapproved.count !== due + blocked) await refresh()
    }
    // existing payouts are shown even if this fails
    read().catch(() => undefined)
  })
}

/** Returns the tabs with their counts; a tab without a countable list has none. */
function useTabs(accountId: string, current: PayoutTab) {
  const words: Record<PayoutTab, string> = {
    upcoming: payoutWords.upcoming,
    'needs-action': payoutWords.needsAction,
    paid: payoutWords.paid,
    commissions: pageWords.commissions,
    'year-report': yearReportWords.heading,
    books: payoutWords.books,
    invoices: payoutWords.invoices,
  }
  const totals = useQuery(payoutTotalsQuery(accountId)).data
  const counts: Record<PayoutTab, number | undefined> = {
    upcoming: useQuery(countOfBalances(accountId)).data?.total,
    'needs-action': totals?.needsAction.count,
    paid: totals?.paid.count,
    commissions: undefined,
    'year-report': undefined,
    books: undefined,
    invoices: undefined,
  }
  // the books lead to all invoices
  return payoutTabs
    .filter((key) => key !== 'invoices' || key === current)
    .map((key) => ({
      key,
      label: words[key],
      count: counts[key],
      warns: key === 'needs-action',
    }))
}

/** Warns that Wise rejects the token or our calls: nothing is sent until that is resolved. */
function WiseTrouble({ accountId }: { accountId: string }) {
  const may = usePermission()
  const { data } = useQuery({ ...autoPayoutsQuery(accountId), enabled: may(getAutoPayoutSettings) })
  if (!data?.wiseError) return null
  return (
    <Message
      kind="error"
      action={
        may(changeAutoPayoutSettings) && (
          <Link to="/account/settings" search={{ tab: 'payouts' }}>
            {payoutWords.checkToken}
          </Link>
        )
      }
    >
      {payoutWords.wiseError({ reason: data.wiseError })}
    </Message>
  )
}

function Totals({ accountId }: { accountId: string }) {
  const { timeZone } = useAccount()
  const answer = useQuery(payoutTotalsQuery(accountId))
  const isAwaiting = answer.data !== undefined && answer.data.awaitingFunding.count > 0
  const { data: needs } = useQuery({ ...attentionQuery(accountId), enabled: isAwaiting })
  const onWise = needs?.items.some(({ kind, method }) => kind === 'fund' && method === 'wise')
  if (!answer.data) return <PendingStats count={3} answer={answer} />
  const { currency, dueNow, awaitingFunding, paidThisYear } = answer.data
  const stat = (label: string, { amount, count }: typeof dueNow) => ({
    label,
    value: formatMoney(amount, currency),
    note: payoutWords.count({ count }),
  })
  const toList = (status: Payout['status']) => (label: string) => (
    <Link to="/payouts" search={{ tab: 'needs-action', status }}>
      {label}
    </Link>
  )
  const awaiting = { ...stat(payoutWords.awaitingFunding, awaitingFunding), wrap: toList('awaiting-funding') }
  return (
    <StatStrip
      label={payoutWords.totals}
      stats={[
        { ...stat(payoutWords.dueNow, dueNow), wrap: toList('due') },
        {
          ...awaiting,
          note: isAwaiting && onWise ? <PayOnWise counted={awaiting.note} /> : awaiting.note,
        },
        {
          ...stat(payoutWords.paidThisYear, paidThisYear),
          wrap: (label) => (
            <Link to="/payouts" search={{ tab: 'paid', paidYear: todayIn(timeZone).slice(0, 4) }}>
              {label}
            </Link>
          ),
        },
      ]}
    />
  )
}

const PayOnWise = ({ counted }: { counted: string }) => (
  <>
    {counted} ·{' '}
    <a href="https://wise.com/" target="_blank" rel="noreferrer">
      {payoutWords.payOnWise}
    </a>
  </>
)
