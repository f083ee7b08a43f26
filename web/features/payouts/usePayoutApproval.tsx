import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MOST_IN_BULK } from '#contract/bulk-actions.ts'
import {
  approvePayouts,
  listPayouts,
  MOST_APPROVED,
  markPayoutsPaid,
  type Payout,
  refreshPayouts,
} from '#contract/payouts.ts'
import { CallError } from '../../api.ts'
import { apiQuery, useCall } from '../../calls.ts'
import { formatSum } from '../../format.ts'
import { useSelection } from '../../lists/selection.ts'
import { useTable } from '../../lists/useTable.ts'
import { Button } from '../../ui/Button.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { keyOfBalance, balances as listOfBalances, payouts as lists, type PayoutTab } from './queries.ts'
import { ReviewApproval } from './ReviewApproval.tsx'

const MarkManyPaid = lazyComponent(async () => (await import('./MarkManyPaid.tsx')).MarkManyPaid)

/** Partners per request: the filter's length is limited. */
const ASKED_AT_ONCE = 50

/** Handles the approval of a tab's selection: payouts themselves, or balances, which have one payout each. */
export function usePayoutApproval(accountId: string, tab: PayoutTab) {
  const payouts = useSelection(lists['needs-action']({ id: accountId }), ({ id }) => id)
  const table = useTable(lists['needs-action']({ id: accountId }).table)
  const balances = useSelection(listOfBalances({ id: accountId }), keyOfBalance)
  const [reviewing, setReviewing] = useState<readonly Payout[] | null>(null)
  /** All that are ready, when they are reviewed without a selection. */
  const [ready, setReady] = useState<number | null>(null)
  const [marking, setMarking] = useState<readonly Payout[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const findPayouts = useFindPayouts(accountId)
  const ofBalances = tab === 'upcoming'
  const selected = ofBalances ? balances : payouts
  const count = ofBalances || tab === 'needs-action' ? selected.count : 0

  const findReady = useFindReady(accountId)

  const review = () => {
    setReady(null)
    return start(setReviewing, MOST_APPROVED)
  }
  const mark = () => start(setMarking, MOST_IN_BULK)
  const reviewReady = () =>
    attempt(async () => {
      const { items, total } = await findReady()
      setReady(total)
      if (items.length > 0) setReviewing(items)
      else setProblem(payoutWords.lost({ count: MOST_APPROVED }))
    })

  async function start(open: (payouts: readonly Payout[]) => void, most: number) {
    setProblem(null)
    if (!ofBalances) return open(payouts.rows.slice(0, most))
    await attempt(async () => {
      const ids = balances.rows.slice(0, most).map(({ partnerId }) => partnerId)
      const found = await findPayouts(ids)
      if (found.length > 0) open(found)
      else setProblem(payoutWords.lost({ count: ids.length }))
    })
  }

  async function attempt(work: () => Promise<void>) {
    setProblem(null)
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(explainRefusal(error))
    } finally {
      setBusy(false)
    }
  }

  /** Ends the selection and the chip that it came from: the work is done. */
  function onApproved(approved: readonly Payout[]) {
    if (tab === 'needs-action') void table.set({ attention: undefined, file: undefined })
    const partners = new Set(approved.map(({ partnerId }) => partnerId))
    payouts.set([...approved], false)
    balances.set(
      balances.rows.filter(({ partnerId }) => partners.has(partnerId)),
      false,
    )
  }

  // the button counts neither blocked nor already approved payouts
  const approvable = ofBalances ? balances.count : payouts.rows.filter(({ status }) => status === 'due').length
  const amounts = ofBalances
    ? balances.rows.map(({ due, currency }) => ({ amount: due, currency }))
    : payouts.rows.map(({ amount, currency }) => ({ amount, currency }))
  return {
    payouts,
    balances,
    problem,
    busy,
    reviewReady,
    bulk: count > 0 && (
      <>
        <span className="muted">{formatSum(amounts)}</span>
        <MarkManyPaid.OnUse />
        <Button small needs={markPayoutsPaid} busy={busy} onClick={() => void mark()}>
          {payoutWords.actions.markPaid}
        </Button>
        {approvable > 0 && (
          <Button small look="primary" needs={approvePayouts} busy={busy} onClick={() => void review()}>
            {payoutWords.review.approve({ count: approvable })}
          </Button>
        )}
      </>
    ),
    dialog: marking ? (
      <MarkManyPaid
        of={{
          accountId,
          ids: marking.map(({ id }) => id),
          payouts: marking,
          onStarted: () => onApproved(marking),
        }}
        onClose={() => setMarking(null)}
      />
    ) : (
      reviewing && (
        <ReviewApproval
          payouts={reviewing}
          others={Math.max(0, (ready ?? count) - MOST_APPROVED)}
          onClose={() => setReviewing(null)}
          onApproved={onApproved}
        />
      )
    ),
  }
}

/** Finds the payouts that can be approved, up to a review's most, and their number. */
function useFindReady(accountId: string) {
  const client = useQueryClient()
  const query = { status: 'due', limit: MOST_APPROVED }
  return () => client.fetchQuery({ ...apiQuery(listPayouts, { params: { id: accountId }, query }), staleTime: 0 })
}

/** Finds the unapproved payouts of these partners; if any is missing, collects what fell due and tries again. */
function useFindPayouts(accountId: string) {
  const client = useQueryClient()
  const collect = useCall(refreshPayouts, { oneOfMany: true })
  const params = { id: accountId }
  async function find(partnerIds: readonly string[]) {
    const found: Payout[] = []
    for (let at = 0; at < partnerIds.length; at += ASKED_AT_ONCE) {
      const partnerId = partnerIds.slice(at, at + ASKED_AT_ONCE).join(',')
      const query = { partnerId, status: 'due,open', limit: MOST_APPROVED }
      const list = await client.fetchQuery({ ...apiQuery(listPayouts, { params, query }), staleTime: 0 })
      found.push(...list.items)
    }
    return found
  }
  return async (partnerIds: readonly string[]) => {
    const found = await find(partnerIds)
    if (found.length === partnerIds.length) return found
    await collect.send({ params, body: { gatherOnly: true } })
    return find(partnerIds)
  }
}
