import { declareTables } from '../../platform/database/declare-tables.ts'
import { anyText } from '../../platform/database/shapes.ts'

declareTables({
  account_days: { columns: 'account_id task done_on', exported: { order: 'task', shapes: { task: anyText(100) } } },
})
