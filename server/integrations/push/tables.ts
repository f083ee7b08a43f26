import { declareTables } from '../../platform/database/declare-tables.ts'
import { anyText, eachColumn } from '../../platform/database/shapes.ts'

declareTables({
  push_requests: {
    columns: 'id account_id path status error_code error_message rows failed_rows created_at',
    exported: { shapes: { ...eachColumn(anyText(), 'path error_code error_message') } },
  },
})
