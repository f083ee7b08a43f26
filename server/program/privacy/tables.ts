import { declareTables } from '../../platform/database/declare-tables.ts'
import { Author, Counts } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  erasures: {
    columns: `id account_id subject_type subject_id subject_ids at by reason counts records_until backups_until
      search_sealed done`,
    exported: {
      // what is left to empty can be found by its own install alone
      arrives: () => ({ done: sql`true` }),
      names: { subject_id: ['leads', 'partners'], subject_ids: ['leads', 'partners'] },
      shapes: { by: Author, counts: Counts },
    },
  },
})
