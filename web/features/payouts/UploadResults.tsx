import { useState } from 'react'
import { formatList, labelInSentence } from '#contract/format.ts'
import { applyPayoutResults, type PayoutResults } from '#contract/payment-files.ts'
import { useCall } from '../../calls.ts'
import { formatMoney } from '../../format.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { ChooseFile } from '../../ui/ChooseFile.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import type { ReadFile } from '../../ui/read-file.ts'
import { showToast } from '../../ui/toasts.ts'
import { badgeWords } from '../../words/badges.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'
import { dialogWords } from '../../words/pieces.ts'

const MOST_MEGABYTES = 1

type Row = PayoutResults['rows'][number]
type Props = { accountId: string; onClose: () => void }

/** Imports a bank's or Wise's results of a payment file: shows the changes in a dry run first, then applies them. */
export function UploadResults({ accountId, onClose }: Props) {
  const { defaultCurrency: currency } = useAccount()
  const [file, setFile] = useState<ReadFile | null>(null)
  const preview = useCall(applyPayoutResults)
  const [rows, setRows] = useState<readonly Row[] | null>(null)
  const apply = useCall(applyPayoutResults, {
    onSuccess({ applied, rows }) {
      onClose()
      showToast(payoutWords.results.done({ count: applied, became: countStatuses(rows) }))
    },
  })
  const busy = preview.busy || apply.busy
  const changes = rows?.filter(isChanged).length ?? 0
  const wrong = rows?.filter(({ error }) => error).length ?? 0

  async function choose(next: ReadFile | null) {
    setFile(next)
    setRows(null)
    apply.reset()
    if (!next) return
    const body = bodyOf(next, true)
    const answer = await preview.send({ params: { id: accountId }, body }).catch(() => null)
    setRows(answer?.rows ?? null)
  }

  return (
    <Dialog heading={payoutWords.results.heading} onClose={onClose} busy={busy} wide>
      <p>{payoutWords.results.text}</p>
      <ChooseFile
        file={file}
        most={MOST_MEGABYTES}
        kinds={payoutWords.results.kinds}
        accept=".xml,.sta,.940,.mt940,.zip,.csv,.txt,application/zip,text/xml,application/xml,text/csv,text/plain"
        tooLarge={payoutWords.results.tooLarge({ most: MOST_MEGABYTES })}
        onChoose={choose}
      />
      {preview.error && <Message kind="error">{explainRefusal(preview.error)}</Message>}
      {apply.error && <Message kind="error">{explainRefusal(apply.error)}</Message>}
      {rows && (
        <>
          <p role="status">
            {payoutWords.results.changes({ count: changes })}
            {wrong > 0 && ` ${payoutWords.results.wrong({ count: wrong })}`}
          </p>
          <PlainTable
            label={payoutWords.results.rows}
            rows={rows}
            keyOf={({ row, payoutId }) => `${row} ${payoutId}`}
            columns={[
              {
                head: fieldWords.payout,
                cell: ({ row, reference }) => reference ?? payoutWords.results.row({ row }),
              },
              {
                head: fieldWords.partner,
                wideOnly: true,
                cell: ({ partnerName }) => partnerName ?? basicWords.absent,
              },
              {
                head: fieldWords.amount,
                numeric: true,
                cell: ({ amount }) => (amount === null ? basicWords.absent : formatMoney(amount, currency)),
              },
              { head: fieldWords.result, cell: (row) => <Outcome row={row} /> },
            ]}
          />
        </>
      )}
      <DialogActions>
        <Button
          look="primary"
          busy={apply.busy}
          disabled={changes === 0 || busy}
          onClick={() => file && apply.mutate({ params: { id: accountId }, body: bodyOf(file, false) })}
        >
          {payoutWords.results.apply}
        </Button>
        <Button disabled={busy} onClick={onClose}>
          {dialogWords.cancel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const isChanged = ({ was, becomes, error }: Row) => !error && was !== becomes

/** Says how many payouts became what: '2 paid and 1 failed'. */
function countStatuses(rows: readonly Row[]) {
  const counts = new Map<NonNullable<Row['becomes']>, number>()
  for (const { becomes } of rows.filter(isChanged)) if (becomes) counts.set(becomes, (counts.get(becomes) ?? 0) + 1)
  return formatList(
    [...counts].map(([status, count]) =>
      payoutWords.results.became({ count, status: labelInSentence(badgeWords.payout[status]) }),
    ),
  )
}

const bodyOf = ({ csv, zip }: ReadFile, dryRun: boolean) => ({ ...(zip ? { zip } : { file: csv }), dryRun })

function Outcome({ row: { was, becomes, error, note } }: { row: Row }) {
  if (error) return <span className="error">{error.message}</span>
  if (note) return <span>{note}</span>
  if (!becomes || was === becomes) return <span className="muted">{payoutWords.results.noChange}</span>
  return <StatusBadge of="payout" status={becomes} />
}
