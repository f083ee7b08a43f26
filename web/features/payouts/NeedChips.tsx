import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { applyPayoutResults, createPaymentFile } from '#contract/payment-files.ts'
import { changeAutoPayoutSettings, remindPartner } from '#contract/payout-settings.ts'
import { listPayouts, type Payout, type PayoutAttention, retryPayout } from '#contract/payouts.ts'
import { approveForTaxYear } from '#features/tax-years/contract.ts'
import { CallError } from '../../api.ts'
import { apiQuery } from '../../calls.ts'
import { formatSum, todayIn, toYear } from '../../format.ts'
import type { Selection } from '../../lists/selection.ts'
import { useTable } from '../../lists/useTable.ts'
import { useBulkAction } from '../../shared/bulk-actions.ts'
import { useYearApproval } from '../../shared/useYearApproval.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import type { Needed } from '../../ui/permissions.ts'
import { toastRefusal } from '../../ui/refusals.ts'
import { payoutWords } from '../../words/payouts.ts'
import styles from './NeedChips.module.css'
import { attentionQuery, payouts } from './queries.ts'

type Item = PayoutAttention['items'][number]

/** Payouts that one press acts on: a page of the list. */
const MOST_AT_ONCE = 100

/** The open tasks of the payouts below: each chip filters the rows by its task, and the chosen one offers its remedy. */
type Props = { selection: Selection<Payout> | undefined; onFile: () => void; onResults: () => void }

export function NeedChips({ selection, onFile, onResults }: Props) {
  const { id: accountId } = useAccount()
  const { data } = useQuery(attentionQuery(accountId))
  const table = useTable(payouts['needs-action']({ id: accountId }).table)
  const { action, busy, dialog } = useBatchActions()
  const items = chipsOf(data?.items ?? [])
  const [kind, file] = [table.filter('attention'), table.filter('file')]
  const chosen = items.find((item) => item.kind === kind && (item.fileId ?? '') === file)
  useSelected(selection, chosen && keyOf(chosen))
  return (
    <>
      {items.length > 0 && (
        <div className={styles.line}>
          <ul className={styles.chips} aria-label={payoutWords.now.heading}>
            {items.map((item) => (
              <li key={keyOf(item)}>
                <button
                  type="button"
                  className={styles.chip}
                  aria-pressed={item === chosen}
                  title={item.message}
                  onClick={() => {
                    const shown = item === chosen ? undefined : item
                    const file = shown?.fileId ?? undefined
                    void table.set({ attention: shown?.kind, file, status: undefined, part: undefined })
                  }}
                >
                  <ChipLabel item={item} />
                </button>
              </li>
            ))}
          </ul>
          {chosen && (
            <Remedy
              item={chosen}
              busy={busy === chosen}
              onAction={() =>
                chosen.kind === 'file' ? onFile() : chosen.kind === 'results' ? onResults() : action(chosen)
              }
            />
          )}
        </div>
      )}
      {dialog}
    </>
  )
}

const keyOf = ({ kind, fileId }: Item) => `${kind} ${fileId}`

/** Selects the rows of a chip once it is chosen, for the acts on them. */
function useSelected(selection: Selection<Payout> | undefined, chosen: string | undefined) {
  const latest = useRef(selection)
  latest.current = selection
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (chosen === before.current) return
    before.current = chosen
    if (chosen === undefined) latest.current?.clear()
    else void latest.current?.setAll(() => true, 'anew')
  }, [chosen])
}

/** Returns the items to show; those of one kind and file are one, since a chip's rows are found by them. */
function chipsOf(items: readonly Item[]): Item[] {
  const kinds = Map.groupBy(
    items.filter(({ count }) => count > 0),
    keyOf,
  )
  return [...kinds.values()].map((same) => ({
    // its remedy is Wise's if any of them waits for Wise
    ...(same.find(({ method }) => method === 'wise') ?? same[0]!),
    count: same.reduce((sum, { count }) => sum + count, 0),
    message: same.map(({ message }) => message).join(', '),
    partnerIds: same.flatMap(({ partnerIds }) => partnerIds),
  }))
}

function ChipLabel({ item }: { item: Item }) {
  const year = toYear(todayIn(useAccount().timeZone))
  const { kind, count, fileNumber: file } = item
  return payoutWords.now.chips[kind]({ count, year, file })
}

type RemedyProps = { item: Item; busy: boolean; onAction: () => void }

/** Approval and manual payment have theirs in the bar of the selection. */
function Remedy({ item, busy, onAction }: RemedyProps): ReactNode {
  const year = toYear(todayIn(useAccount().timeZone))
  const button = (words: string, needs: Needed) => (
    <Button small needs={needs} busy={busy} onClick={onAction}>
      {words}
    </Button>
  )
  switch (item.kind) {
    case 'approve':
    case 'second-approval':
    case 'check':
    case 'check-name':
    case 'acknowledge':
    case 'pay':
      return null
    case 'file':
      return button(payoutWords.makeFile, createPaymentFile)
    case 'results':
      return button(payoutWords.results.heading, applyPayoutResults)
    case 'fund':
      return (
        <>
          {item.method === 'wise' && (
            <a href="https://wise.com/" target="_blank" rel="noreferrer">
              {payoutWords.payOnWise}
            </a>
          )}
          {button(payoutWords.now.retry, retryPayout)}
        </>
      )
    case 'remind':
    case 'fix-details':
      return button(payoutWords.now.remind, remindPartner)
    case 'approve-year':
      return button(payoutWords.now.approveYear({ year }), approveForTaxYear)
    case 'retry':
      return button(payoutWords.now.retry, retryPayout)
    case 'reconnect':
      return (
        <LinkButton small needs={changeAutoPayoutSettings} to="/account/settings" search={{ tab: 'payouts' }}>
          {payoutWords.now.reconnect}
        </LinkButton>
      )
  }
}

/** Applies an item's action to all its payouts. */
function useBatchActions() {
  const { id: accountId, timeZone } = useAccount()
  const year = toYear(todayIn(timeZone))
  const client = useQueryClient()
  const approval = useYearApproval(accountId)
  const [busy, setBusy] = useState<Item | null>(null)
  const [asking, setAsking] = useState<readonly Payout[] | null>(null)
  const close = () => setAsking(null)
  const reminding = useBulkAction(accountId, { onError: toastRefusal })
  const retrying = useBulkAction(accountId, { onStarted: close })

  /** Asks before it retries as many payouts as one page can hold. */
  async function askToRetry({ kind }: Item) {
    const query = { attention: kind, limit: MOST_AT_ONCE }
    const list = await client.fetchQuery({
      ...apiQuery(listPayouts, { params: { id: accountId }, query }),
      staleTime: 0,
    })
    setAsking(list.items)
  }

  async function action(item: Item) {
    setBusy(item)
    try {
      if (item.kind === 'approve-year') await approval.set(year, item.partnerIds, true)
      else if (item.kind === 'retry' || item.kind === 'fund') await askToRetry(item)
      else reminding.start({ action: 'remind-partners', ids: item.partnerIds })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toastRefusal(error)
    } finally {
      setBusy(null)
    }
  }

  const dialog = asking && (
    <Confirm
      heading={payoutWords.actions.retry}
      confirm={payoutWords.now.retryMany({ count: asking.length })}
      call={retrying}
      onConfirm={() => retrying.start({ action: 'retry-payouts', ids: asking.map(({ id }) => id) })}
      onClose={close}
    >
      {payoutWords.now[asking[0]?.status === 'awaiting-funding' ? 'fundWhy' : 'retryWhy']({
        count: asking.length,
        amount: formatSum(asking.map(({ payAmount: amount, currency }) => ({ amount, currency }))),
      })}
    </Confirm>
  )
  return { action: (item: Item) => void action(item), busy, dialog }
}
