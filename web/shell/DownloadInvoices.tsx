import { useId, useState } from 'react'
import { downloadInvoiceFiles, MOST_ZIPPED_DAYS } from '#contract/invoices.ts'
import { todayIn } from '../format.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { DownloadButton } from '../ui/DownloadButton.tsx'
import { daysIn, startOfMonth } from '../ui/date-ranges.ts'
import { downloadFile } from '../ui/download.ts'
import { DateField } from '../ui/fields.tsx'
import { booksWords } from '../words/accounting.ts'
import { ruleWords } from '../words/forms.ts'
import { invoiceWords, invoicingWords } from '../words/invoices.ts'
import { useAccount } from './current.ts'

const words = invoicingWords.downloadAll

/** Downloads the documents of some days as one zip, at first of this month. */
export function DownloadInvoices({ onClose }: { onClose: () => void }) {
  const { id: accountId, timeZone } = useAccount()
  const today = todayIn(timeZone)
  const [from, setFrom] = useState(startOfMonth(today))
  const [to, setTo] = useState(today)
  const id = useId()
  const wrong = !from || !to ? ruleWords.date : wrongRange(from, to)
  const load = () => downloadFile(downloadInvoiceFiles, { params: { id: accountId }, query: { from, to } })
  const still = { onBlur: () => undefined }
  return (
    <Dialog heading={words.open} onClose={onClose}>
      <div className="stack">
        <p>{words.text}</p>
        <DateField id={`${id}-from`} name="from" label={invoiceWords.from} value={from} onChange={setFrom} {...still} />
        <DateField
          id={`${id}-to`}
          name="to"
          label={invoiceWords.to}
          value={to}
          error={wrong}
          onChange={setTo}
          {...still}
        />
      </div>
      <DialogActions>
        <DownloadButton load={load} fallback="invoices.zip" cannot={wrong}>
          {words.download}
        </DownloadButton>
      </DialogActions>
    </Dialog>
  )
}

function wrongRange(from: string, to: string) {
  if (to < from) return booksWords.journal.backwards
  return daysIn({ from, to }) > MOST_ZIPPED_DAYS ? booksWords.journal.tooLong : undefined
}
