import { declareTables, emptyColumns, splitNames } from '../../platform/database/declare-tables.ts'
import { hasId, isErasedSql } from '../../platform/database/erased-rows.ts'
import { Author, anyText, currency } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  commission_entries: {
    columns: `id account_id sale_id refund_id partner_id layer rate_ppm base_amount amount currency kind clawback
      available_at day actor created_at correction_id limit_sale_id settles_sale_id flat_amount rule turn
      lead_id paid_for won_sale_id award_id goal_id held_by`,
    personal: [emptyColumns('lead', 'reason'), emptyColumns('partner', 'reason')],
    exported: {
      first: splitNames('id sale_id refund_id correction_id limit_sale_id settles_sale_id'),
      shapes: { ...currency, reason: anyText(), actor: Author, rule: anyText(60) },
      names: { held_by: ['fraud_cases'] },
    },
    erased: {
      lead({ leadIds, saleIds }) {
        const ofSales = hasId('t.sale_id', saleIds)
        return { which: sql`(${ofSales} or ${hasId('t.lead_id', leadIds)})` }
      },
      partner({ partnerId }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return { which: sql`(${ofPartner} and t.sale_id is null and t.lead_id is null)` }
      },
    },
    ofErased: {
      lead: isErasedSql('lead', 'coalesce(t.sale_id, t.lead_id)'),
      partner: sql`(${isErasedSql('partner', 't.partner_id')} and t.sale_id is null and t.lead_id is null)`,
    },
  },
  voided_commissions: {
    columns: 'account_id sale_id partner_id kept kept_before',
    exported: { order: 'sale_id, partner_id' },
  },
  voided_lead_pay: {
    columns: 'account_id lead_id paid_for partner_id kept kept_before',
    exported: { order: 'lead_id, paid_for, partner_id' },
  },
  untold_entries: { columns: 'entry_id account_id', exported: { order: 'entry_id' } },
  early_entries: { columns: 'account_id partner_id entry_id user_id until', exported: { order: 'entry_id, user_id' } },
})
