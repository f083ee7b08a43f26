import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { downloadPayouts, LEFT_OUT, MOST_IN_FILE } from '#contract/payment-files.ts'
import { CallError } from '../../api.ts'
import { useRefresh } from '../../calls.ts'
import { formatMoney } from '../../format.ts'
import { autoPayouts } from '../../shared/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { download } from '../../ui/download.ts'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Skeleton } from '../../ui/Panel.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toasts.ts'
import { payoutWords } from '../../words/payouts.ts'
import { dialogWords } from '../../words/pieces.ts'
import { twoApprovalsWords } from '../../words/two-approvals.ts'
import { PayoutRow, PayoutRows } from './PayoutRows.tsx'
import { forBatch } from './queries.ts'

type Props = { accountId: string; onClose: () => void }

/** Approves due payouts by putting them into a file for Wise, or downloads the payouts of earlier files again. */
export function DownloadBatch({ accountId, onClose }: Props) {
  const { data: wise } = useQuery(autoPayouts(accountId))
  const { data: due } = useQuery({ ...forBatch(accountId), staleTime: 0 })
  const [busy, setBusy] = useState<'due' | 'approved' | null>(null)
  const [asked, setAsked] = useState<'due' | 'approved'>('due')
  const [refused, setRefused] = useState<CallError | null>(null)
  const refresh = useRefresh()
  const heading = payoutWords.batch.heading

  async function load(status: 'due' | 'approved'): Promise<void> {
    setBusy(status)
    setAsked(status)
    setRefused(null)
    try {
      const query = { format: 'wise-batch', status }
      let leftOut = 0
      const { file, name } = await download(downloadPayouts, { params: { id: accountId }, query }, (_, headers) => {
        leftOut = Number(headers.get(LEFT_OUT) ?? 0)
      })
      saveFile(file, name ?? 'wise-batch.csv')
      await refresh()
      toast(leftOut > 0 ? twoApprovalsWords.leftOut({ count: leftOut }) : payoutWords.batch.done)
      onClose()
    } catch (refusal) {
      if (!(refusal instanceof CallError)) throw refusal
      setRefused(refusal)
    } finally {
      setBusy(null)
    }
  }

  if (!wise || !due)
    return (
      <Dialog heading={heading} onClose={onClose}>
        <Skeleton rows={3} />
      </Dialog>
    )
  const { count, amount, currency } = due.totals
  return (
    <Dialog heading={heading} onClose={onClose} busy={busy !== null} wide>
      <div className="stack gap-3">
        {wise.wiseProfile ? (
          <>
            <p>{payoutWords.batch.text({ count, amount: formatMoney(amount, currency), most: MOST_IN_FILE })}</p>
            {count > 0 && (
              <PayoutRows label={payoutWords.batch.rows}>
                {due.items.map((payout) => (
                  <PayoutRow key={payout.id} payout={payout} />
                ))}
                {count > due.items.length && <li>{payoutWords.batch.more({ count: count - due.items.length })}</li>}
              </PayoutRows>
            )}
            <p>{payoutWords.batch.template}</p>
          </>
        ) : (
          <Message
            kind="info"
            action={
              <Link to="/account/settings" search={{ tab: 'payouts' }}>
                {payoutWords.blockers.openSettings}
              </Link>
            }
          >
            {payoutWords.batch.notConnected}
          </Message>
        )}
      </div>
      {refused && (
        <Message kind="error">
          {refused.reason === 'batch_empty' ? payoutWords.batch[asked] : explainRefusal(refused)}
        </Message>
      )}
      <DialogActions
        aside={
          wise.wiseProfile && (
            <Button look="quiet" busy={busy === 'approved'} disabled={busy !== null} onClick={() => load('approved')}>
              {payoutWords.batch.again}
            </Button>
          )
        }
      >
        <Button
          look="primary"
          busy={busy === 'due'}
          disabled={!wise.wiseProfile || count === 0 || busy !== null}
          onClick={() => load('due')}
        >
          {payoutWords.batch.approve}
        </Button>
        <Button data-first-focus disabled={busy !== null} onClick={onClose}>
          {dialogWords.cancel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
