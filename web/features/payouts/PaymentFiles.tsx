import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { downloadPaymentFile, downloadPaymentFiles, type PaymentFile } from '#contract/payment-files.ts'
import { formatCount, formatDate, formatDateAt, formatMoney } from '../../format.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { DownloadButton } from '../../ui/DownloadButton.tsx'
import { downloadFile } from '../../ui/download.ts'
import { Panel } from '../../ui/Panel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { fileWords } from '../../words/payment-files.ts'
import { fallbackName, loadFile } from './MakeFile.tsx'
import { paymentFilesQuery } from './queries.ts'

const FEW = 10
const MANY = 100

/** The newest payment files, each to be downloaded again while every payout in it waits. */
export function PaymentFiles() {
  const { id: accountId, timeZone } = useAccount()
  const may = usePermission()
  const [limit, setLimit] = useState(FEW)
  const { data } = useQuery(paymentFilesQuery(accountId, limit))
  if (!data || data.items.length === 0) return null
  const mayLoad = may(downloadPaymentFile)
  return (
    <Panel
      heading={fileWords.heading}
      aside={
        <DownloadButton
          small
          load={() => downloadFile(downloadPaymentFiles, { params: { id: accountId } })}
          fallback="payment-files.csv"
        >
          {fileWords.downloadList}
        </DownloadButton>
      }
    >
      <PlainTable label={fileWords.heading} rows={data.items} columns={columnsIn(timeZone, mayLoad)} />
      {data.nextCursor && limit === FEW && (
        <div className="inset">
          <Button small onClick={() => setLimit(MANY)}>
            {fileWords.showMore}
          </Button>
        </div>
      )}
    </Panel>
  )
}

const columnsIn = (timeZone: string, mayLoad: boolean): Column<PaymentFile>[] => [
  { head: fileWords.file, cell: ({ messageId }) => messageId },
  { head: fieldWords.method, under: true, cell: ({ method }) => fileWords.methods[method] },
  {
    head: fileWords.made,
    wideOnly: true,
    cell: ({ createdAt, createdBy }) => [formatDateAt(createdAt, timeZone), createdBy].filter(Boolean).join(' · '),
  },
  {
    head: fileWords.executionDate,
    wideOnly: true,
    cell: ({ executionDate }) => (executionDate ? formatDate(executionDate) : basicWords.absent),
  },
  { head: fieldWords.payouts, numeric: true, wideOnly: true, cell: ({ count }) => formatCount(count) },
  { head: fieldWords.amount, numeric: true, cell: ({ amount, currency }) => formatMoney(amount, currency) },
  { head: fieldWords.status, under: true, cell: ({ state }) => <StatusBadge of="paymentFile" status={state} /> },
  ...(mayLoad
    ? [
        {
          head: fileWords.download,
          headHidden: true,
          cell: (file: PaymentFile) => (
            <DownloadButton
              small
              load={() => loadFile(file.id)}
              fallback={fallbackName(file)}
              cannot={file.state === 'open' ? undefined : fileWords.spent}
            >
              {fileWords.download}
            </DownloadButton>
          ),
        },
      ]
    : []),
]
