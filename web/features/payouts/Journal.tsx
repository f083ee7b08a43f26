import { useId, useState } from 'react'
import { downloadJournal, type JournalDetail, journalDetails, MOST_JOURNAL_DAYS } from '#contract/accounting.ts'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { DownloadButton } from '../../ui/DownloadButton.tsx'
import { daysIn, startOfMonth } from '../../ui/date-ranges.ts'
import { downloadFile } from '../../ui/download.ts'
import { DateField, SelectField } from '../../ui/fields.tsx'
import { booksWords } from '../../words/accounting.ts'
import { ruleWords } from '../../words/forms.ts'

const words = booksWords.journal

type Props = { accountId: string; day: string; onClose: () => void }

/** Downloads the journal of a range, at first of the month until `day`. */
export function Journal({ accountId, day, onClose }: Props) {
  const [from, setFrom] = useState(startOfMonth(day))
  const [to, setTo] = useState(day)
  const [detail, setDetail] = useState<JournalDetail>('day')
  const id = useId()
  const wrong = !from || !to ? ruleWords.date : wrongRange(from, to)
  const load = () =>
    downloadFile(downloadJournal, { params: { id: accountId, range: `${from}..${to}` }, query: { detail } })
  const still = { onBlur: () => undefined }
  return (
    <Dialog heading={words.open} onClose={onClose}>
      <div className="stack">
        <p>{words.text}</p>
        <DateField id={`${id}-from`} name="from" label={words.from} value={from} onChange={setFrom} {...still} />
        <DateField id={`${id}-to`} name="to" label={words.to} value={to} error={wrong} onChange={setTo} {...still} />
        <SelectField
          id={`${id}-detail`}
          name="detail"
          label={words.detail}
          value={detail}
          choices={journalDetails.map((value) => ({ value, label: words.details[value] }))}
          onChange={(value) => value && setDetail(value as JournalDetail)}
          {...still}
        />
      </div>
      <DialogActions>
        <DownloadButton load={load} fallback="journal.csv" cannot={wrong} done={onClose}>
          {words.download}
        </DownloadButton>
      </DialogActions>
    </Dialog>
  )
}

function wrongRange(from: string, to: string) {
  if (to < from) return words.backwards
  return daysIn({ from, to }) > MOST_JOURNAL_DAYS ? words.tooLong : undefined
}
