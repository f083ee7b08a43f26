import { declareTables, NAME, placeEverywhere } from '../../platform/database/declare-tables.ts'

declareTables({
  hosts: {
    columns: `account_id name state problem failures counted_on changes checked_at proven_at given_up_at created_at
      updated_at`,
    place: placeEverywhere('found by a name of which no two accounts may be the owner'),
    exported: NAME,
  },
})
