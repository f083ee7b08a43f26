import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { formatNumber } from '#contract/format.ts'
import { downloadPaymentFile, downloadPaymentFiles, type listPaymentFiles } from '#contract/payment-files.ts'
import { formatDateAt, formatMoney } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { useAccount } from '../../shell/current.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { DownloadButton } from '../../ui/DownloadButton.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { fieldWords } from '../../words/fields.ts'
import { fileWords } from '../../words/payment-files.ts'
import { pageWords } from '../../words/shell.ts'
import { fallbackName, loadFile } from './MakeFile.tsx'
import { paymentFiles } from './queries.ts'

const column = defineColumns<typeof listPaymentFiles>()

/** The payment files, each to be downloaded again while every payout in it waits. */
export function PaymentFiles({ menu }: { menu: readonly Action[] }) {
  const { id: accountId, timeZone } = useAccount()
  const mayLoad = usePermission()(downloadPaymentFile)
  const list = useList(paymentFiles({ id: accountId }))
  const columns = useMemo(() => columnsIn(timeZone, mayLoad), [timeZone, mayLoad])
  return (
    <DataTable
      name={fileWords.heading}
      page={pageWords.payouts}
      plural={fileWords.plural}
      rowsAre="items"
      list={list}
      csv={{ endpoint: downloadPaymentFiles, atHead: true, menu }}
      nameOf={({ number }) => fileWords.one({ number })}
      empty={{ icon: <PayoutsIcon />, hint: fileWords.empty }}
      columns={columns}
    />
  )
}

const columnsIn = (timeZone: string, mayLoad: boolean): ColumnOf<typeof listPaymentFiles>[] => [
  column.first(['number'], fileWords.file, { short: true }, ({ id, number }) => (
    <Link to="/payouts/files/$fileId" params={{ fileId: id }}>
      {fileWords.one({ number })}
    </Link>
  )),
  column.of('messageId', fileWords.messageId, { short: true, wideOnly: true }, ({ messageId }) => messageId),
  column.of('method', fieldWords.method, { short: true, card: 'under' }, ({ method }) => fileWords.methods[method]),
  column.of('createdAt', fileWords.made, { sort: true, wideOnly: true }, ({ createdAt, createdBy }) =>
    [formatDateAt(createdAt, timeZone), createdBy].filter(Boolean).join(' · '),
  ),
  column.date('executionDate', fileWords.executionDate, { wideOnly: true }),
  column.of('count', fieldWords.payouts, { numeric: true, card: 'figure' }, ({ count }) => formatNumber(count)),
  column.of('amount', fieldWords.amount, { numeric: true, card: 'figure' }, ({ amount, currency }) =>
    formatMoney(amount, currency),
  ),
  column.badge('state', fieldWords.status, 'paymentFile'),
  ...(mayLoad
    ? [
        {
          head: fileWords.download,
          headHidden: true,
          cell: (file: Parameters<typeof fallbackName>[0]) => (
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
