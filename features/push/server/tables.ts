import { declareTables } from '#server/platform/database/declare-tables.ts'
import { anyText, eachColumn } from '#server/platform/database/shapes.ts'

declareTables({
  push_requests: {
    columns: 'id account_id path status error_code error_message rows failed_rows created_at',
    exported: { shapes: { ...eachColumn(anyText(), 'path error_code error_message') } },
  },
})
