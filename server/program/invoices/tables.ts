import { InvoicingChange } from '#contract/invoices.ts'
import { Reason } from '#contract/values.ts'
import { declareTables, emptyColumns, LOGIN, removeWithRecords } from '../../platform/database/declare-tables.ts'
import { isErasedSql } from '../../platform/database/erased-rows.ts'
import { callFields, currency, InvoiceContent } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  invoice_jumps: {
    columns: 'account_id from_number to_number reason made_by at',
    exported: { order: 'from_number', stays: { [LOGIN]: ['made_by'] }, shapes: { reason: Reason } },
  },
  invoices: {
    columns: `id account_id kind payout_id turn revision partner_id number prefix issued_on net tax_rate tax gross currency treatment
      credits numbered_on objected_at objection_closed_at created_at`,
    personal: [removeWithRecords('partner', 'snapshot'), emptyColumns('partner', 'objection')],
    exported: {
      order: 'payout_id, turn, revision, kind',
      shapes: { ...callFields(InvoicingChange, 'prefix'), ...currency, snapshot: InvoiceContent, objection: Reason },
    },
    erased: {
      partner: ({ partnerId }) => ({ which: sql`t.partner_id = ${partnerId}` }),
    },
    ofErased: { partner: isErasedSql('partner', 't.partner_id') },
  },
})
