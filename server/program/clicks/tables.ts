import { z } from 'zod'
import { declareTables, emptyColumns, figureReferences } from '../../platform/database/declare-tables.ts'
import { hasId } from '../../platform/database/erased-rows.ts'
import { anyText, CountryCode, eachColumn } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  clicks: {
    columns: `id account_id blueprint_id partner_id link_id day user_agent_class country is_bot is_unique source at
      paid_parameters`,
    personal: [emptyColumns('lead', 'ip_hash landing_path referrer_host sub_id')],
    exported: {
      names: { ...figureReferences, link_id: ['partner_links'] },
      shapes: {
        ...eachColumn(anyText(), 'user_agent_class referrer_host landing_path sub_id'),
        country: CountryCode,
        paid_parameters: z.array(anyText(300)).max(100),
      },
    },
    erased: {
      lead: ({ accountId, leadIds }) => ({
        which: sql`t.id in (select click_id from leads l where l.account_id = ${accountId} and ${hasId('l.id', leadIds)})`,
      }),
    },
    ofErased: {
      lead: sql`exists (select from leads l where l.account_id = t.account_id and l.click_id = t.id and l.erased_at is not null)`,
    },
  },
})
