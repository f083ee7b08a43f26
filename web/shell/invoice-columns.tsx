import type { Invoice } from '#contract/invoices.ts'
import { isObjectionOpen } from '#features/objections/objection-state.ts'
import { Badge } from '../ui/Badge.tsx'
import { Money } from '../ui/Money.tsx'
import { fieldWords } from '../words/fields.ts'
import { invoiceWords as words } from '../words/invoices.ts'
import { objectionWords } from '../words/objections.ts'
import { PayoutLink } from './PayoutLink.tsx'

type Missing = Invoice['electronic']['missing'][number]
type Named = Partial<Record<Missing, string>>

/** Returns the electronic forms of a document, and what is missing for the others by the names given. */
function electronicForms({ electronic: { xml, pdf, missing } }: Invoice, names: Named) {
  if (xml) return `${words.forms.xml}, ${words.forms.pdf}`
  // of what was issued before there were any, nothing can be filled in
  const named = missing.includes('form') ? [] : missing.flatMap((one) => names[one] ?? [])
  return (
    <>
      {pdf && words.forms.pdf}{' '}
      {named.length > 0 && <span className="muted">{words.lacks({ missing: named.join(', ') })}</span>}
    </>
  )
}

/** Heads and cells of the columns that every table of invoices has. */
export const invoiceColumns = {
  document: {
    head: words.document,
    cell: ({ number }: Invoice) => number ?? <span className="muted">{words.waits}</span>,
  },
  kind: {
    head: words.kind,
    cell: (invoice: Invoice) => (
      <>
        {words.kinds[invoice.kind]}{' '}
        {invoice.creditedBy && (
          <span className="muted">
            {invoice.correctedBy ? words.correctedBy({ number: invoice.correctedBy }) : words.credited}
          </span>
        )}{' '}
        {isObjectionOpen(invoice) && <Badge tone="needs">{objectionWords.open}</Badge>}
      </>
    ),
  },
  payout: {
    head: fieldWords.payout,
    cell: ({ payoutId, payoutNumber }: Invoice) => <PayoutLink id={payoutId}>{payoutNumber}</PayoutLink>,
  },
  electronic: {
    forAccount: (invoice: Invoice) => electronicForms(invoice, words.missing),
    forPartner: (invoice: Invoice) => electronicForms(invoice, words.missingOfOwn),
  },
  gross: {
    head: words.gross,
    numeric: true,
    cell: ({ kind, gross, currency }: Invoice) => (
      <Money strong amount={kind === 'invoice' ? gross : -gross} currency={currency} />
    ),
  },
}
