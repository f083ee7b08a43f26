import { declareTables, emptyColumns, placeOnFirst } from '../database/declare-tables.ts'

declareTables({
  idempotency_keys: {
    columns: 'caller call key body_hash status created_at',
    personal: [emptyColumns('lead', 'answer_sealed', 'sealed anew, empty')],
    place: placeOnFirst('by caller, who may have many accounts; for a day'),
    exported: 'answers to calls of this install, sealed',
  },
})
