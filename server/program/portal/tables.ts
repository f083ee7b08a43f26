import { declareTables, LOGIN } from '../../platform/database/declare-tables.ts'

declareTables({
  portal_sessions: {
    columns: 'account_id id partner_id key_id actor_id kind view token_hash link_hash created_at expires_at ended_at',
    exported: LOGIN,
  },
})
