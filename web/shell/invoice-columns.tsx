import type { Invoice } from '#contract/invoices.ts'
import { Money } from '../ui/Money.tsx'
import { fieldWords } from '../words/fields.ts'
import { invoiceWords as words } from '../words/invoices.ts'
import { PayoutLink } from './PayoutLink.tsx'

/** Heads and cells of the columns that every table of invoices has. */
export const invoiceColumns = {
  document: {
    head: words.document,
    cell: ({ number }: Invoice) => number ?? <span className="muted">{words.waits}</span>,
  },
  kind: {
    head: words.kind,
    cell: ({ kind, creditedBy }: Invoice) => (
      <>
        {words.kinds[kind]} {creditedBy && <span className="muted">{words.credited}</span>}
      </>
    ),
  },
  payout: {
    head: fieldWords.payout,
    cell: ({ payoutId, payoutNumber }: Invoice) => <PayoutLink id={payoutId}>{payoutNumber}</PayoutLink>,
  },
  gross: {
    head: words.gross,
    numeric: true,
    cell: ({ kind, gross, currency }: Invoice) => (
      <Money strong amount={kind === 'invoice' ? gross : -gross} currency={currency} />
    ),
  },
}
