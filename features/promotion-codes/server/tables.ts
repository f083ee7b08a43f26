import { PromotionCodeRule } from '#contract/payment-providers.ts'
import { declareTables, deleteRow, emptyColumns, MACHINE } from '#server/platform/database/declare-tables.ts'
import { isErasedSql } from '#server/platform/database/erased-rows.ts'
import { anyText, eachColumn } from '#server/platform/database/shapes.ts'

declareTables({
  promotion_codes: {
    columns: 'id account_id partner_id created_at pending',
    personal: [deleteRow('partner', 'code used_code')],
    exported: { shapes: { ...eachColumn(anyText(100), 'code used_code') } },
  },
  made_codes: {
    columns: `id account_id shop_id partner_id turn refused made_id state reason rule removed_at tries next_at
      claimed_until created_at`,
    personal: [emptyColumns('partner', 'code')],
    exported: {
      names: { shop_id: ['provider_shops'], partner_id: ['partners'] },
      stays: { [MACHINE]: ['tries', 'next_at', 'claimed_until'] },
      shapes: { ...eachColumn(anyText(), 'code made_id reason'), rule: PromotionCodeRule },
    },
    ofErased: { partner: isErasedSql('partner', 't.partner_id') },
  },
})
