import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { applyPayoutResults, downloadPaymentFile, type PaymentFile } from '#contract/payment-files.ts'
import { downloadPayouts, type listPayouts, type Payout } from '#contract/payouts.ts'
import { formatMoney } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { DownloadButton } from '../../ui/DownloadButton.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Name } from '../../ui/Name.tsx'
import { Page, Together } from '../../ui/Page.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { fieldWords } from '../../words/fields.ts'
import { fileWords } from '../../words/payment-files.ts'
import { payoutWords } from '../../words/payouts.ts'
import { fallbackName, loadFile } from './MakeFile.tsx'
import { paymentFileQuery, payoutsInFile } from './queries.ts'
import { UploadResults } from './UploadResults.tsx'
import { formatReason, numberOf } from './words.ts'

/** One payment file: what to do with it, and the payouts in it. */
export const PaymentFileDetail = ({ fileId }: { fileId: string }) => (
  <ThingPage
    query={paymentFileQuery(fileId)}
    shape="detail"
    heading={fileWords.file}
    parent={<Parent />}
    gone={fileWords.gone}
  >
    {(file) => <Loaded file={file} />}
  </ThingPage>
)

const Parent = () => (
  <Link to="/payouts" search={{ tab: 'payment-files' }}>
    {fileWords.heading}
  </Link>
)

function Loaded({ file }: { file: PaymentFile }) {
  const { number, method, count, amount, currency, state } = file
  const may = usePermission()
  const [uploading, setUploading] = useState(false)
  const sums = { payouts: payoutWords.count({ count }), amount: formatMoney(amount, currency) }
  return (
    <Page
      heading={fileWords.one({ number })}
      parent={<Parent />}
      badge={<StatusBadge of="paymentFile" status={state} />}
      actions={
        <Together>
          {may(downloadPaymentFile) && (
            <DownloadButton
              load={() => loadFile(file.id)}
              fallback={fallbackName(file)}
              cannot={state === 'open' ? undefined : fileWords.spent}
            >
              {fileWords.downloadAgain}
            </DownloadButton>
          )}
          <Button
            look={state === 'open' ? 'primary' : undefined}
            needs={applyPayoutResults}
            onClick={() => setUploading(true)}
          >
            {payoutWords.results.heading}
          </Button>
        </Together>
      }
    >
      <p>{state === 'done' ? fileWords.ended(sums) : fileWords.next[method](sums)}</p>
      <Rows file={file} />
      {uploading && <UploadResults accountId={file.accountId} onClose={() => setUploading(false)} />}
    </Page>
  )
}

function Rows({ file }: { file: PaymentFile }) {
  const { timeZone } = useAccount()
  const list = useList(payoutsInFile(file.accountId, file.id))
  const totals = list.answer.data?.totals
  const columns = useMemo(() => columnsFor(file.id, timeZone, totals), [file.id, timeZone, totals])
  return (
    <DataTable
      name={fileWords.rows}
      plural={payoutWords.plural}
      rowsAre="payouts"
      list={list}
      csv={{ endpoint: downloadPayouts, params: { id: file.accountId } }}
      nameOf={numberOf}
      totalsOfAll
      empty={{ icon: <PayoutsIcon />, hint: fileWords.ended({ payouts: payoutWords.count({ count: 0 }), amount: '' }) }}
      columns={columns}
    />
  )
}

const column = defineColumns<typeof listPayouts>()

const columnsFor = (
  fileId: string,
  timeZone: string,
  totals: { count: number; amount: number; currency: string } | undefined,
): ColumnOf<typeof listPayouts>[] => [
  column.first(
    ['statementNumber'],
    fieldWords.payout,
    { short: true, total: () => totals && payoutWords.count({ count: totals.count }) },
    (payout) => (
      <Link to="/payouts/$payoutId" params={{ payoutId: payout.id }}>
        {numberOf(payout)}
      </Link>
    ),
  ),
  column.of('partnerName', fieldWords.partner, { card: 'under' }, ({ partnerName }) => <Name>{partnerName}</Name>),
  column.money('amount', fieldWords.amount, {
    total: () => totals && formatMoney(totals.amount, totals.currency),
    strong: true,
  }),
  column.of('status', fieldWords.status, { short: true, card: 'beside' }, (payout) => (
    <StatusBadge of="inFile" status={stateInFile(payout, fileId)} />
  )),
  column.of('blockers', fieldWords.reason, { card: 'under' }, (payout) => formatReason(payout, timeZone)),
]

/** Returns the state of a payout in this file. A payout that is due again was rejected, unless a person canceled it. */
function stateInFile({ paymentFile, status, method }: Payout, fileId: string) {
  if (paymentFile?.id === fileId) return 'waiting'
  if (status === 'paid') return method === 'manual' ? 'removed' : 'paid'
  return status === 'canceled' || paymentFile ? 'removed' : 'rejected'
}
