import { declareTables, placeEverywhere, placeOnFirst } from '#server/platform/database/declare-tables.ts'
import { anyText, callFields } from '#server/platform/database/shapes.ts'
import { EmbedCodeChange } from '../contract.ts'

declareTables({
  embed_codes: {
    columns: `id account_id config domains only_if_referred consent_mode last_lead_at refused_leads
      last_refused_origin created_at updated_at path former_paths forms checkout_domains`,
    place: placeEverywhere('found by a path that no two accounts may have'),
    exported: {
      stays: {
        'a name that another account of the next install may have': ['path'],
        'names that lead to this install alone': ['former_paths'],
      },
      shapes: { ...callFields(EmbedCodeChange, 'config domains checkoutDomains'), last_refused_origin: anyText() },
    },
  },
  embed_checks: {
    columns: 'id account_id token_hash matched forms picked expires_at created_at',
    place: placeOnFirst('found by the hash of a token alone, for a minute'),
    exported: 'a minute’s work of this install',
  },
})
