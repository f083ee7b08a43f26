import { declareTables, NAME, placeEverywhere } from '#server/platform/database/declare-tables.ts'
import { callFields } from '#server/platform/database/shapes.ts'
import { NewAsset } from '../contract.ts'

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
  assets: {
    subject: 'asset',
    columns: 'id account_id kind name body alt file_id blueprint_id group_id created_at updated_at',
    exported: { shapes: { ...callFields(NewAsset, 'name body alt') } },
  },
})
