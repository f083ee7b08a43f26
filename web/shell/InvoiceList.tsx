import { useMemo, useState } from 'react'
import { dayIn } from '#contract/days.ts'
import {
  documentKinds,
  downloadInvoiceFiles,
  downloadInvoices,
  downloadPartnerInvoices,
  getInvoice,
  type Invoice,
  type InvoiceNumberGap,
  type ListedInvoice,
  type listInvoices,
  type listPartnerInvoices,
  objectionStates,
} from '#contract/invoices.ts'
import { mayBeObjectedTo } from '#features/objections/objection-state.ts'
import { CallError } from '../api.ts'
import { formatDateAt } from '../format.ts'
import { DataTable } from '../lists/DataTable.tsx'
import type { ColumnOf } from '../lists/list-types.ts'
import { useList } from '../lists/useList.ts'
import { defineColumns } from '../shared/columns.tsx'
import { invoices, loadInvoice, partnerInvoices } from '../shared/invoices.ts'
import type { Action } from '../ui/ActionMenu.tsx'
import type { Entry } from '../ui/actions.tsx'
import { PayoutsIcon } from '../ui/icons.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import { saveFile } from '../ui/save-file.ts'
import { showToast } from '../ui/toasts.ts'
import { fieldWords } from '../words/fields.ts'
import { invoicingWords, invoiceWords as words } from '../words/invoices.ts'
import { objectionWords } from '../words/objections.ts'
import { useAccount } from './current.ts'
import { invoiceActs } from './invoice-acts.ts'
import { invoiceColumns } from './invoice-columns.tsx'

const DownloadInvoices = lazyComponent(async () => (await import('./DownloadInvoices.tsx')).DownloadInvoices)

const kinds = documentKinds.map((value) => ({ value, label: words.kinds[value] }))
const objections = objectionStates.map((value) => ({ value, label: objectionWords.states[value] }))
const empty = { icon: <PayoutsIcon />, hint: words.empty }
const keyOf = ({ id }: Invoice) => id
const nameOf = (invoice: Invoice) => invoice.number ?? `${words.kinds[invoice.kind]}, ${invoice.payoutNumber}`

/** All invoices and credit notes of the account. */
export function InvoiceList({ page, menu }: { page: string; menu: readonly Action[] }) {
  const account = useAccount()
  const list = useList(invoices({ id: account.id }))
  const { answer } = list
  const columns = useMemo(columnsOfAccount, [])
  const actions = useActions()
  const [downloads, setDownloads] = useState(false)
  return (
    <>
      <DataTable
        name={words.heading}
        page={page}
        plural={words.plural}
        rowsAre="items"
        list={list}
        csv={{
          endpoint: downloadInvoices,
          atHead: true,
          menu: [
            { label: invoicingWords.downloadAll.open, needs: downloadInvoiceFiles, run: () => setDownloads(true) },
            ...menu,
          ],
        }}
        columns={columns}
        keyOf={keyOf}
        nameOf={nameOf}
        filters={[
          { name: 'kind', label: words.kind, choices: kinds },
          { name: 'objection', label: objectionWords.state, choices: objections },
        ]}
        actions={actions}
        empty={empty}
      />
      {downloads && <DownloadInvoices onClose={() => setDownloads(false)} />}
      <NumberGaps gaps={answer.data?.numberGaps ?? []} timeZone={account.timeZone} />
    </>
  )
}

/** The invoices and credit notes of one partner. */
export function PartnerInvoiceList({ partnerId }: { partnerId: string }) {
  const list = useList(partnerInvoices({ id: partnerId }))
  const columns = useMemo(columnsOfPartner, [])
  const actions = useActions()
  return (
    <DataTable
      name={words.heading}
      plural={words.plural}
      rowsAre="items"
      list={list}
      csv={{ endpoint: downloadPartnerInvoices }}
      columns={columns}
      keyOf={keyOf}
      nameOf={nameOf}
      filters={[{ name: 'kind', label: words.kind, choices: kinds }]}
      actions={actions}
      empty={empty}
    />
  )
}

/**
 * Returns the actions of a row: its document as a PDF, once it has its number, and as XML, if it can be had so; the
 * partner's objection to it, and the account's answer.
 */
function useActions() {
  const { timeZone } = useAccount()
  const [loading, setLoading] = useState<string | null>(null)
  async function save(invoice: Invoice, accept?: string) {
    setLoading(invoice.id)
    try {
      const { file, name } = await loadInvoice(invoice, accept)
      saveFile(file, name ?? invoice.number ?? '')
    } catch (refusal) {
      if (!(refusal instanceof CallError)) throw refusal
      showToast(refusal.message, { failed: true })
    } finally {
      setLoading(null)
    }
  }
  return (invoice: ListedInvoice): Entry<ListedInvoice>[] => [
    {
      label: words.download,
      needs: getInvoice,
      disabled: invoice.number === null || loading === invoice.id,
      run: () => save(invoice),
    },
    ...(invoice.electronic.xml
      ? [
          {
            label: words.downloadXml,
            needs: getInvoice,
            disabled: loading === invoice.id,
            run: () => save(invoice, 'application/xml'),
          },
        ]
      : []),
    mayBeObjectedTo(invoice, dayIn(timeZone, new Date())) && invoiceActs.object,
    invoiceActs.correct,
    invoiceActs.close,
  ]
}

type Column = ColumnOf<typeof listInvoices> & ColumnOf<typeof listPartnerInvoices>

const column = defineColumns<typeof listInvoices>()

const amounts = (): Column[] => [
  column.money('net', words.net, { card: false }),
  column.money('tax', words.tax, { card: false, below: true }),
  column.of('gross', words.gross, { sort: true, numeric: true, card: 'figure' }, invoiceColumns.gross.cell),
]

const document: Column = column.first(['number'], words.document, { sort: true }, invoiceColumns.document.cell)
const kind: Column = column.of('kind', words.kind, { card: 'under' }, invoiceColumns.kind.cell)
const payout: Column = column.of(
  'payoutNumber',
  fieldWords.payout,
  { short: true, below: true },
  invoiceColumns.payout.cell,
)

const electronic = (missing: typeof invoiceColumns.electronic.forAccount): Column =>
  column.of('electronic', words.electronic, { card: false }, missing)

const day = (): Column => column.date('issuedOn', words.issuedOn, { sort: true, card: 'beside' })

const columnsOfAccount = (): Column[] => [
  document,
  kind,
  column.partner(fieldWords.partner, { field: 'partnerName', card: 'under' }),
  payout,
  day(),
  ...amounts(),
  electronic(invoiceColumns.electronic.forAccount),
]

const columnsOfPartner = (): Column[] => [
  document,
  kind,
  payout,
  day(),
  ...amounts(),
  electronic(invoiceColumns.electronic.forPartner),
]

/** Numbers that no document has, with the reasons that owners gave. */
function NumberGaps({ gaps, timeZone }: { gaps: InvoiceNumberGap[]; timeZone: string }) {
  if (gaps.length === 0) return null
  return (
    <Panel heading={words.jumps}>
      <ul className="stack gap-2 inset">
        {gaps.map(({ from, to, reason, at }) => (
          <li key={from} className="wrap">
            {words.jump({
              numbers: from === to ? String(from) : words.numbers({ from: String(from), to: String(to) }),
              day: formatDateAt(at, timeZone),
              reason,
            })}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
