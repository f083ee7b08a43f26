import { declareTables, placeOnFirst } from './declare-tables.ts'

declareTables({
  install: {
    columns: 'only_row key_check created_at backups_failing_since role_refusal',
    place: placeOnFirst('the install itself'),
    exported: 'this install itself',
  },
  migrations: {
    columns: 'name hash applied_at',
    place: placeOnFirst('the install itself'),
    exported: 'this install itself',
  },
})
