/** Expected errors and the HTTP status of each. Anything else that is thrown is a bug: 500, logged, no detail. */
export const statusOf = {
  malformed_request: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  token_expired: 401,
  forbidden: 403,
  account_disabled: 403,
  recent_sign_in_required: 403,
  not_found: 404,
  conflict: 409,
  duplicate: 409,
  invalid_state: 409,
  payout_blocked: 409,
  idempotency_mismatch: 409,
  in_use: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limited: 429,
  provider_failed: 502,
  unavailable: 503,
} as const

export type RefusalCode = keyof typeof statusOf

type More = { fields?: Record<string, string>; details?: Record<string, unknown>; retryAfter?: number }

/** An answer, not a failure: says in a sentence what is wrong and what to do. `retryAfter` in seconds. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly fields: Record<string, string> | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined

  constructor(code: RefusalCode, message: string, more: More = {}) {
    super(message)
    this.code = code
    this.fields = more.fields
    this.details = more.details
    this.retryAfter = more.retryAfter
  }

  get status() {
    return statusOf[this.code]
  }
}

export const notFound = () => new Refusal('not_found', "This doesn't exist, or you don't have access to it.")

/** One wrong field of a body, in words. */
export const wrongField = (field: string, message: string) =>
  new Refusal('validation_failed', message, { fields: { [field]: message } })

/** How an error is answered on the wire (api.md, section 1). */
export const refusalBody = (refusal: Refusal) => ({
  code: refusal.code,
  message: refusal.message,
  ...(refusal.fields && { fields: refusal.fields }),
  ...(refusal.details && { details: refusal.details }),
})
