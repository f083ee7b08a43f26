import { declareTables, figureReferences } from '../../platform/database/declare-tables.ts'
import { anyText } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  day_stats: {
    columns: `account_id partner_id blueprint_id day partners leads sales clicks unique_clicks revenue share version behind`,
    exported: {
      order: 'partner_id, blueprint_id, day',
      names: figureReferences,
      arrives: () => ({ behind: sql`coalesce(r.behind, false)` }),
    },
  },
  month_stats: {
    columns: 'account_id month partner_id sales revenue earned',
    exported: 'follows from the days and the ledger, and is added up anew',
  },
  total_stats: {
    columns: 'account_id partner_id blueprint_id partners leads sales clicks unique_clicks revenue share',
    exported: { order: 'partner_id, blueprint_id', names: figureReferences },
  },
  link_totals: {
    columns: 'account_id link_id clicks leads sales revenue',
    exported: { order: 'link_id', names: { link_id: ['partner_links'] } },
  },
  code_totals: {
    columns: 'account_id code sales revenue last_used_at',
    exported: { order: 'code collate "C"', shapes: { code: anyText(100) } },
  },
  lead_stats: {
    columns: 'lead_id account_id sales revenue share',
    exported: { order: 'lead_id', names: { lead_id: ['leads'] } },
  },
})
