import { declareTables, emptyColumns, LOGIN } from '#server/platform/database/declare-tables.ts'
import { hasId, isErasedSql } from '#server/platform/database/erased-rows.ts'
import { anyText, callFields, eachColumn } from '#server/platform/database/shapes.ts'
import { sql } from '#server/platform/database/sql.ts'
import { NewClaim } from '../contract.ts'

declareTables({
  claims: {
    subject: 'claim',
    columns: `id account_id partner_id state order_id order_key day sale_id lead_id decided_at decided_by created_at
      updated_at asked_at answered_at`,
    personal: [
      emptyColumns('lead', 'email note question answer'),
      emptyColumns('partner', 'email note reason question answer'),
    ],
    exported: {
      names: { sale_id: ['sales'], lead_id: ['leads'] },
      stays: { [LOGIN]: ['decided_by'] },
      shapes: {
        ...callFields(NewClaim, 'orderId email note'),
        ...eachColumn(anyText(), 'order_key reason question answer'),
      },
    },
    erased: {
      lead({ leadIds, saleIds, search }, { saysOrNames }) {
        const ofSales = hasId('t.sale_id', saleIds)
        return {
          which: sql`(${ofSales} or ${hasId('t.lead_id', leadIds)} or t.email = any(${search.values}) or ${saysOrNames(`concat_ws(' ', t.note, t.question, t.answer)`)})`,
          scanned: true,
        }
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
