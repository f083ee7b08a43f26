import { declareTables, emptyColumns, removeWithRecords } from '#server/platform/database/declare-tables.ts'
import { isErasedSql } from '#server/platform/database/erased-rows.ts'
import { sql } from '#server/platform/database/sql.ts'

declareTables({
  tax_thresholds: { columns: 'account_id year amount updated_at', exported: { order: 'year' } },
  tax_forms: {
    columns: 'id account_id partner_id number kind received_on replaced_at created_at',
    personal: [
      removeWithRecords('partner', 'form_sealed'),
      emptyColumns('partner', 'tin_type tin_last4 classification'),
    ],
    exported: 'tax forms, with the numbers of people',
    erased: {
      partner({ partnerId }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return { which: ofPartner }
      },
    },
    ofErased: { partner: isErasedSql('partner', 't.partner_id') },
  },
})
