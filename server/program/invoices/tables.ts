import { InvoicingChange } from '#contract/invoices.ts'
import { Reason } from '#contract/values.ts'
import { declareTables, LOGIN, removeWithRecords } from '../../platform/database/declare-tables.ts'
import { callFields, currency, InvoiceContent } from '../../platform/database/shapes.ts'

declareTables({
  invoice_jumps: {
    columns: 'account_id from_number to_number reason made_by at',
    exported: { order: 'from_number', stays: { [LOGIN]: ['made_by'] }, shapes: { reason: Reason } },
  },
  invoices: {
    columns: `id account_id kind payout_id turn partner_id number prefix issued_on net tax_rate tax gross currency treatment
      credits created_at`,
    personal: [removeWithRecords('partner', 'snapshot')],
    exported: {
      order: 'payout_id, turn',
      shapes: { ...callFields(InvoicingChange, 'prefix'), ...currency, snapshot: InvoiceContent },
    },
  },
})
