import { declareTables, MACHINE } from '#server/platform/database/declare-tables.ts'

declareTables({
  rehearsals: {
    columns: 'id account_id partner_id blueprint_id amount steps created_at finished_at',
    exported: MACHINE,
  },
})
