import { declareTables, emptyColumns, MACHINE } from '../../platform/database/declare-tables.ts'
import { sql } from '../../platform/database/sql.ts'

const RUNNING = sql`t.state = 'running'`

declareTables({
  bulk_actions: {
    columns: `id account_id action subject_ids state done refused links unsent created_by created_at finished_at`,
    personal: [
      emptyColumns('partner', 'reason parameters'),
      emptyColumns('lead', 'parameters'),
      emptyColumns('partner', 'refusals', `'[]'`),
      emptyColumns('lead', 'refusals', `'[]'`),
    ],
    exported: MACHINE,
    erased: {
      lead: ({ leadIds }) => ({ which: sql`t.subject_ids && ${leadIds}::uuid[]`, waiting: RUNNING }),
      partner({ partnerId, payoutIds }) {
        const all = [partnerId, ...payoutIds]
        return {
          // an action on leads may give them to the partner
          which: sql`(t.subject_ids && ${all}::uuid[] or t.parameters -> 'change' ->> 'partnerId' = ${partnerId})`,
          waiting: RUNNING,
        }
      },
    },
  },
})
