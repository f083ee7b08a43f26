import { useQuery } from '@tanstack/react-query'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { saleWords } from '../../words/leads.ts'
import { receiptQuery } from './queries.ts'
import { CopyReceipt } from './ReceiptPage.tsx'
import { ReceiptSteps } from './ReceiptSteps.tsx'
import { receiptName } from './words.ts'

/** The receipt of an amount, as a dialog over the current page. */
export function ReceiptDialog({ entryId, onClose }: { entryId: string; onClose: () => void }) {
  const answer = useQuery(receiptQuery(entryId))
  const { data } = answer
  return (
    <Dialog wide heading={data ? receiptName(data) : saleWords.receipt.heading} onClose={onClose}>
      {!data && <Pending answer={answer} rows={8} />}
      {data && <ReceiptSteps receipt={data} />}
      {data && (
        <DialogActions>
          <CopyReceipt of={data} />
        </DialogActions>
      )}
    </Dialog>
  )
}
