import { declareTables, NAME, placeEverywhere } from '../../platform/database/declare-tables.ts'

declareTables({
  files: {
    columns: 'id account_id purpose key sha256 type width height bytes created_at updated_at',
    exported: {
      // their addresses are claimed afterwards if they are free
      atOnce: 4,
    },
  },
  file_keys: {
    columns: 'key account_id created_at',
    place: placeEverywhere('found by a key that no two accounts may have'),
    exported: NAME,
  },
})
