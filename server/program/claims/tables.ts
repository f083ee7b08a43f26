import { NewClaim } from '#contract/claims.ts'
import { declareTables, emptyColumns, LOGIN } from '../../platform/database/declare-tables.ts'
import { hasId } from '../../platform/database/erased-rows.ts'
import { anyText, callFields, eachColumn } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  claims: {
    columns: `id account_id partner_id state order_id order_key day sale_id lead_id decided_at decided_by created_at
      updated_at`,
    personal: [emptyColumns('lead', 'email note'), emptyColumns('partner', 'email note reason')],
    exported: {
      names: { sale_id: ['sales'], lead_id: ['leads'] },
      stays: { [LOGIN]: ['decided_by'] },
      shapes: { ...callFields(NewClaim, 'orderId email note'), ...eachColumn(anyText(), 'order_key reason') },
    },
    erased: {
      lead({ leadIds, saleIds, search }, { saysOrNames }) {
        const ofSales = hasId('t.sale_id', saleIds)
        return {
          which: sql`(${ofSales} or ${hasId('t.lead_id', leadIds)} or t.email = any(${search.values}) or ${saysOrNames('t.note')})`,
          scanned: true,
        }
      },
      partner({ partnerId }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return { which: ofPartner }
      },
    },
  },
})
