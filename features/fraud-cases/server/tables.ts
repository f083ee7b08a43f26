import { z } from 'zod'
import { declareTables, emptyColumns, LOGIN } from '#server/platform/database/declare-tables.ts'
import { hasId, isErasedSql } from '#server/platform/database/erased-rows.ts'
import { anyText, eachColumn } from '#server/platform/database/shapes.ts'
import { sql } from '#server/platform/database/sql.ts'
import { FraudFinding } from '../contract.ts'

declareTables({
  fraud_cases: {
    subject: 'case',
    columns: `id account_id sale_id lead_id partner_id findings action opened_at held_until decision decided_at decided_by
      asked_at answered_at`,
    personal: [emptyColumns('lead', 'reason question answer'), emptyColumns('partner', 'reason question answer')],
    exported: {
      stays: { [LOGIN]: ['decided_by'] },
      shapes: { findings: z.array(FraudFinding), ...eachColumn(anyText(), 'reason question answer') },
    },
    erased: {
      lead({ leadIds, saleIds }) {
        const ofSales = hasId('t.sale_id', saleIds)
        return { which: sql`(${ofSales} or ${hasId('t.lead_id', leadIds)})` }
      },
      partner({ partnerId }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return { which: ofPartner }
      },
    },
    ofErased: {
      lead: isErasedSql('lead', 'coalesce(t.sale_id, t.lead_id)'),
      partner: isErasedSql('partner', 't.partner_id'),
    },
  },
})
