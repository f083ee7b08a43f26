import type { RefusalCode } from '#contract/refusal-codes.ts'
import { notFound, type Refusal, refusal, wrongField } from '../refusal.ts'

/** One refusal of each code, as sent, for the reference. */
export const refusalExamples: Record<RefusalCode, Refusal> = {
  malformed_request: refusal('not_json'),
  unauthenticated: refusal('sign_in_first'),
  invalid_credentials: refusal('wrong_email_or_password'),
  second_factor_required: refusal('second_factor_required', { details: { methods: ['totp', 'recovery-code'] } }),
  token_expired: refusal('session_ended'),
  forbidden: refusal('role_not_allowed'),
  account_disabled: refusal('account_disabled'),
  recent_sign_in_required: refusal('replacing_payout_details'),
  second_factor_missing: refusal('second_factor_missing'),
  not_found: notFound(),
  not_acceptable: refusal('media_type_not_offered', { offered: 'text/html, application/pdf, application/json' }),
  conflict: refusal('idempotency_key_running'),
  duplicate: refusal('partner_email_taken', { fields: { email: 'A partner with this email already exists.' } }),
  invalid_state: refusal('sale_is_void'),
  payout_blocked: refusal('payout_blocked', { blockers: 'The balance is below the minimum payout' }),
  payout_changed: refusal('payout_changed'),
  idempotency_mismatch: refusal('idempotency_key_reused'),
  in_use: refusal('lead_has_sales', { details: { sales: 3 } }),
  payload_too_large: refusal('body_too_large'),
  unsupported_media_type: refusal('wrong_media_type'),
  validation_failed: wrongField('email', 'email_missing'),
  rate_limited: refusal('too_many_calls', { wait: '12 seconds' }),
  internal_error: refusal('internal_error'),
  provider_failed: refusal('provider_away', { provider: 'Stripe' }),
  unavailable: refusal('database_away'),
}
