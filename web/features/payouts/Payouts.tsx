import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { applyPayoutResults, createPaymentFile } from '#contract/payment-files.ts'
import { changeAutoPayoutSettings, getAutoPayoutSettings } from '#contract/payout-settings.ts'
import { approvePayouts, refreshPayouts } from '#contract/payouts.ts'
import { useCall, useFirstLoad, useRefresh } from '../../calls.ts'
import { BulkProgress } from '../../shared/BulkProgress.tsx'
import { autoPayoutsQuery, payoutTotalsQuery } from '../../shared/queries.ts'
import { useTeamRole } from '../../shell/current.ts'
import { EntryPage, type TabCounts } from '../../shell/EntryPage.tsx'
import type { Action } from '../../ui/ActionMenu.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Message } from '../../ui/Message.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { useTab } from '../../ui/Tabs.tsx'
import { useStable } from '../../ui/useStable.ts'
import { payoutWords } from '../../words/payouts.ts'
import { pageWords } from '../../words/shell.ts'
import { AccountCommissions } from './AccountCommissions.tsx'
import { Balances } from './Balances.tsx'
import { NeedChips } from './NeedChips.tsx'
import { NextPayday } from './NextPayday.tsx'
import { OwedLine } from './OwedLine.tsx'
import { PausedPayouts } from './PausedPayouts.tsx'
import { PaymentFiles } from './PaymentFiles.tsx'
import { PayoutList } from './PayoutList.tsx'
import styles from './Payouts.module.css'
import { countOfBalances, payoutTabs, readsAboveRows } from './queries.ts'
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
  const navigate = useNavigate()
  const mayPay = usePermission()(approvePayouts)
  useGathered(accountId)
  // chips and paydays move the rows below them, and a tab's count the tabs after it
  const waits = useFirstLoad(readsAboveRows(accountId, tab))
  /** Shows a file that was just made, with the button for its results. */
  const showFile = (fileId: string) => {
    approval.payouts.clear()
    approval.balances.clear()
    void navigate({ to: '/payouts/files/$fileId', params: { fileId } })
  }
  const openFile = useStable(() => setDialog('file'))
  const menu: Action[] = [
    { label: payoutWords.makeFile, needs: createPaymentFile, run: openFile },
    { label: payoutWords.results.heading, needs: applyPayoutResults, run: () => setDialog('results') },
  ]
  const progress = (
    <BulkProgress accountId={accountId} kinds={['remind-partners', 'retry-payouts', 'mark-payouts-paid']} />
  )
  return (
    <EntryPage
      counts={useCounts(accountId)}
      frame={{ className: `stack until-loaded ${styles.tabbed}`, 'aria-busy': waits || undefined }}
      above={
        <>
          <PausedPayouts accountId={accountId} />
          <WiseTrouble accountId={accountId} />
          {approval.problem && <Message kind="error">{approval.problem}</Message>}
          <OwedLine accountId={accountId} />
          <YearReport.OnUse />
          <Books.OnUse />
          <MakeFile.OnUse />
        </>
      }
    >
      {tab === 'upcoming' ? (
        <>
          <NextPayday accountId={accountId} review={<ReviewReady accountId={accountId} approval={approval} />} />
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
          <NeedChips
            selection={mayPay ? approval.payouts : undefined}
            onFile={openFile}
            onResults={() => setDialog('results')}
          />
          {progress}
          <PayoutList
            key={tab}
            tab={tab}
            menu={menu}
            selection={mayPay ? approval.payouts : undefined}
            bulk={approval.bulk}
            onFile={openFile}
          />
        </>
      ) : tab === 'commissions' ? (
        <AccountCommissions menu={menu} />
      ) : tab === 'year-report' ? (
        <YearReport menu={menu} />
      ) : tab === 'books' ? (
        <Books menu={menu} />
      ) : tab === 'payment-files' ? (
        <PaymentFiles menu={menu} />
      ) : tab === 'invoices' ? (
        <InvoiceList page={pageWords.payouts} menu={menu} />
      ) : (
        <PayoutList key={tab} tab={tab} menu={menu} />
      )}
      {dialog === 'file' && <MakeFile accountId={accountId} onMade={showFile} onClose={() => setDialog(null)} />}
      {dialog === 'results' && <UploadResults accountId={accountId} onClose={() => setDialog(null)} />}
      {approval.dialog}
    </EntryPage>
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

/** Returns the counts of the tabs; a tab without a countable list has none. */
function useCounts(accountId: string): TabCounts {
  const totals = useQuery(payoutTotalsQuery(accountId)).data
  return {
    upcoming: { count: useQuery(countOfBalances(accountId)).data?.total },
    needsAction: { count: totals?.needsAction.count, warns: true },
    paid: { count: totals?.paid.count },
  }
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
