import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getInvoice, getInvoicing, type Invoice } from '#contract/invoices.ts'
import { formatDate } from '../../format.ts'
import { invoicingQuery, loadInvoice } from '../../shared/invoices.ts'
import { useAccount } from '../../shell/current.ts'
import { invoiceColumns } from '../../shell/invoice-columns.tsx'
import { DownloadButton } from '../../ui/DownloadButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { Name } from '../../ui/Name.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { fieldWords } from '../../words/fields.ts'
import { invoiceWords as words } from '../../words/invoices.ts'
import { newestInvoicesQuery } from './queries.ts'

/** The newest invoices and credit notes, in an account that issues them; the list of all has its own address. */
export function NewestInvoices() {
  const { id: accountId } = useAccount()
  const may = usePermission()
  const { data } = useQuery(newestInvoicesQuery(accountId))
  const settings = useQuery({ ...invoicingQuery(accountId), enabled: may(getInvoicing) })
  if (!data || (data.items.length === 0 && !settings.data?.enabled)) return null
  return (
    <Panel
      heading={words.heading}
      aside={
        data.items.length > 0 && (
          <Link to="/payouts" search={{ tab: 'invoices' }}>
            {words.showAll}
          </Link>
        )
      }
    >
      {data.unsure && (
        <div className="inset">
          <Message kind="warning">{words.unsure}</Message>
        </div>
      )}
      {data.items.length === 0 ? (
        <p className="muted inset">{words.empty}</p>
      ) : (
        <PlainTable label={words.heading} rows={data.items} columns={columnsIn(may(getInvoice))} />
      )}
    </Panel>
  )
}

const columnsIn = (mayLoad: boolean): Column<Invoice>[] => [
  invoiceColumns.document,
  { ...invoiceColumns.kind, under: true },
  { head: fieldWords.partner, under: true, cell: ({ partnerName }) => <Name>{partnerName}</Name> },
  { ...invoiceColumns.payout, wideOnly: true },
  { head: words.issuedOn, wideOnly: true, cell: ({ issuedOn }) => formatDate(issuedOn) },
  invoiceColumns.gross,
  ...(mayLoad
    ? [
        {
          head: words.download,
          headHidden: true,
          cell: (invoice: Invoice) => (
            <DownloadButton
              small
              load={() => loadInvoice(invoice)}
              fallback={`${invoice.number}.pdf`}
              cannot={invoice.number === null ? words.waits : undefined}
            >
              {words.pdf}
            </DownloadButton>
          ),
        },
      ]
    : []),
]
