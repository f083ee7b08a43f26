import { bothNames } from '../former-names.ts'
import type * as room from '../imports.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage, partner } from './objects.ts'

const csv = `Email,First Name,Company,Code\r\nhannah@brightline.example,Hannah,Brightline,${partner.referralCode}\r\n`
const mapping: room.MappedColumn[] = [
  { field: 'email', column: 'Email', transform: 'none', default: null },
  { field: 'firstName', column: 'First Name', transform: 'none', default: null },
  { field: 'company', column: 'Company', transform: 'none', default: null },
  { field: 'referralCode', column: 'Code', transform: 'none', default: null },
]

/** An import that has not started. */
export const waitingImport: room.Import = {
  id: ids.import,
  kind: 'leads',
  format: 'csv',
  connectionId: null,
  state: 'waiting',
  reason: null,
  dryRun: false,
  total: null,
  done: 0,
  created: 0,
  undone: 0,
  skipped: 0,
  failed: 0,
  totals: [],
  unattributed: 0,
  settled: [],
  assigned: 0,
  warnings: [],
  errors: [],
  skips: [],
  mapping,
  read: { columns: 4, headerRow: 1, encoding: null, sheet: null, days: [] },
  from: null,
  to: null,
  undoableUntil: null,
  createdAt: '2026-08-14T09:20:11.480Z',
  finishedAt: null,
}
const finished: room.Import = {
  ...waitingImport,
  state: 'done',
  total: 3,
  done: 3,
  created: 1,
  skipped: 1,
  failed: 1,
  errors: [{ row: 4, field: 'email', message: 'Enter a valid email address' }],
  skips: [{ row: 3, message: 'The same as row 2.' }],
  undoableUntil: '2026-08-15T09:20:13.902Z',
  finishedAt: '2026-08-14T09:20:13.902Z',
}

/** Why a file can't be read. */
const unreadable = [
  'import_not_text',
  'import_not_unicode',
  'import_bank_report',
  'import_transfers',
  'import_web_page',
  'import_without_header',
  'import_too_wide',
  'import_not_encoded',
  'import_other_workbook',
  'import_workbook_unreadable',
  'import_workbook_too_large',
  'import_workbook_linked',
  'import_sheet_unknown',
  'import_sheet_too_long',
  'import_header_row',
] as const

export const imports: ExamplesOf<typeof room> = {
  createImport: {
    refused: [
      'import_under_way',
      ...unreadable,
      'import_format_unknown',
      'import_unmapped',
      'incoming_field_unknown',
      'incoming_field_twice',
      'import_column_unknown',
    ],
    body: { kind: 'leads', format: 'csv', csv, mapping, dryRun: false },
    reply: waitingImport,
  },
  previewImport: {
    refused: [...unreadable],
    body: { csv, kind: 'leads' },
    reply: {
      columns: ['Email', 'First Name', 'Company', 'Code'],
      rows: [['hannah@brightline.example', 'Hannah', 'Brightline', partner.referralCode]],
      kind: 'leads',
      format: 'csv',
      formatName: null,
      ...bothNames('confidence', 'guess' as const),
      mapping,
      formats: [
        { format: 'dub', name: 'Dub' },
        { format: 'rewardful', name: 'Rewardful' },
      ],
      headerRow: 1,
      top: [
        { row: 1, cells: ['Email', 'First Name', 'Company', 'Code'] },
        { row: 2, cells: ['hannah@brightline.example', 'Hannah', 'Brightline', partner.referralCode] },
      ],
      encoding: null,
      sheet: null,
      sheets: [],
    },
  },
  listImports: { query: { kind: 'leads' }, reply: onlyPage(finished) },
  getImport: { reply: { ...finished, invitations: [] } },
  downloadImportErrors: {
    reply:
      '"Email","First Name","row","field","message"\r\n"hannah@","Hannah","4","email","Enter a valid email address"\r\n',
  },
  cancelImport: {
    refused: ['import_ended'],
    reply: { ...waitingImport, state: 'canceled', finishedAt: '2026-08-14T09:20:12.101Z' },
  },
  undoImport: {
    refused: ['import_not_undoable', 'import_under_way'],
    reply: { ...finished, state: 'undoing', undoableUntil: null },
  },
}
