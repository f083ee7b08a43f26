import { z } from 'zod'
import { declareTables, LOGIN } from '#server/platform/database/declare-tables.ts'
import { anyText, callFields, dimension, eachColumn } from '#server/platform/database/shapes.ts'
import { NewSavedReport } from '../contract.ts'

declareTables({
  report_days: {
    columns: 'account_id day dimension part kind value partner_id clicks leads sales revenue share refunds',
    exported: {
      order: 'dimension, day, part, kind, value collate "C", partner_id',
      names: { partner_id: ['partners'] },
      shapes: { dimension, value: anyText() },
    },
  },
  reported_days: {
    columns: 'account_id day version capped',
    exported: { order: 'day', shapes: { capped: z.array(dimension) } },
  },
  saved_reports: {
    subject: 'saved-report',
    columns: 'id account_id name dimension period sort search partner_ids every user_id created_at updated_at',
    exported: {
      stays: { [LOGIN]: ['user_id'] },
      shapes: {
        ...callFields(NewSavedReport, 'name period sort search'),
        dimension,
        ...eachColumn(anyText(), 'partner_ids'),
      },
    },
  },
})
