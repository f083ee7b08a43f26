import { declareTables, placeEverywhere, SECRET } from '../../platform/database/declare-tables.ts'

declareTables({
  api_keys: {
    columns: `id account_id name rights key_hash key_sealed last_four replaced_by last_used_at expires_at created_at
      deleted_at created_by`,
    place: placeEverywhere('whose a key is is found by its hash alone'),
    exported: SECRET,
  },
})
