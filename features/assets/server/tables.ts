import { declareTables } from '#server/platform/database/declare-tables.ts'
import { callFields } from '#server/platform/database/shapes.ts'
import { NewAsset } from '../contract.ts'

declareTables({
  assets: {
    subject: 'asset',
    columns: 'id account_id kind name body alt file_id blueprint_id group_id created_at updated_at',
    exported: { shapes: { ...callFields(NewAsset, 'name body alt') } },
  },
})
