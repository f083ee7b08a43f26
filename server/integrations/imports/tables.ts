import { declareTables, emptyColumns, MACHINE } from '../../platform/database/declare-tables.ts'
import { joinTexts } from '../../platform/database/erased-rows.ts'
import { sql } from '../../platform/database/sql.ts'

const ROW: [string, string][] = [
  ['import_id', 'uuid'],
  ['row', 'integer'],
]
const RAW_ROW = joinTexts('text_of_cells(t.cells)', 't.message', 't.made::text')

declareTables({
  imports: {
    subject: 'import',
    columns: `id account_id kind format connection_id dry_run state reason total done created skipped failed totals
      settings header progress created_by created_at finished_at unattributed settled assigned`,
    personal: [emptyColumns('partner', 'warnings', `'[]'`)],
    exported: MACHINE,
    // past payouts name the partners whose balance they outweigh
    erased: { partner: (_, { saysOrNames }) => ({ which: saysOrNames('t.warnings::text'), scanned: true }) },
  },
  import_files: { columns: 'import_id content account_id', exported: MACHINE },
  import_rows: {
    columns: 'import_id row outcome field account_id',
    personal: [
      emptyColumns('lead', 'cells message'),
      emptyColumns('partner', 'cells message'),
      emptyColumns('partner', 'made', 'without_changes(t.made)'),
      emptyColumns('lead', 'made', 'without_changes(t.made)'),
    ],
    exported: MACHINE,
    erased: {
      lead({ leadIds, saleIds, refundIds }, { says }) {
        const all = [...leadIds, ...saleIds, ...refundIds]
        return {
          key: ROW,
          which: sql`(${says(RAW_ROW)}
        or exists (select from jsonb_array_elements(coalesce(t.made, '[]')) m where m ->> 'id' = any(${all})))`,
          scanned: true,
        }
      },
      partner({ partnerId }, { says }) {
        const wasMade = sql`exists (select from jsonb_array_elements(coalesce(t.made, '[]')) m where m ->> 'id' = ${partnerId})`
        return { key: ROW, which: sql`(${says(RAW_ROW)} or ${wasMade})`, own: wasMade, scanned: true }
      },
    },
  },
  import_objects: {
    columns: 'import_id payment_key kind object_id group_key rank at account_id',
    personal: [emptyColumns('lead', 'data', 'without_payer(t.data)')],
    exported: MACHINE,
    erased: {
      lead: (_, { says }) => ({
        key: [
          ['import_id', 'uuid'],
          ['payment_key', 'text'],
          ['kind', 'text'],
          ['object_id', 'text'],
        ],
        which: says('t.data::text'),
        scanned: true,
      }),
    },
  },
  import_payments: {
    columns: 'import_id payment_key outcome amount currency credited customer_id account_id',
    personal: [emptyColumns('lead', 'email')],
    exported: MACHINE,
    erased: {
      lead: (_, { says }) => ({
        key: [
          ['import_id', 'uuid'],
          ['payment_key', 'text'],
        ],
        which: says('t.email'),
        scanned: true,
      }),
    },
  },
})
