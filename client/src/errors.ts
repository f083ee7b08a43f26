import type { ErrorCode } from './api.ts'

type About = {
  status: number
  code: string
  reason?: string
  values?: Record<string, string | number>
  fields?: Record<string, string>
  details?: Record<string, unknown>
  requestId?: string | null
  retryAfter?: number | null
  cause?: unknown
}

/**
 * A call that was refused, or whose response did not arrive. `message` is a sentence for people; `code` and `reason` are for
 * programs, `fields` has one message per wrong field by its dotted path in the body, `retryAfter` is in seconds.
 */
export class TributaryError extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: ErrorCode | 'connection_failed' | 'timed_out' | 'unexpected_answer' | (string & {})
  readonly reason: string | null
  /** Values that appear in the message. */
  readonly values: Readonly<Record<string, string | number>>
  readonly fields: Readonly<Record<string, string>>
  readonly details: Readonly<Record<string, unknown>>
  /** Identifies the call in the server's log. */
  readonly requestId: string | null
  readonly retryAfter: number | null

  constructor(message: string, about: About) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause })
    this.name = new.target.name
    this.status = about.status
    this.code = about.code
    this.reason = about.reason ?? null
    this.values = about.values ?? {}
    this.fields = about.fields ?? {}
    this.details = about.details ?? {}
    this.requestId = about.requestId ?? null
    this.retryAfter = about.retryAfter ?? null
  }
}

/** 400: the request could not be read. */
export class MalformedRequestError extends TributaryError {}
/** 401: no valid token or key, a wrong password, or an expired link or token. */
export class UnauthenticatedError extends TributaryError {}
/** 403: the role may not make this call, the account is disabled, or the password must be confirmed first. */
export class ForbiddenError extends TributaryError {}
/** 404: it does not exist, or this caller may not see it. */
export class NotFoundError extends TributaryError {}
/** 409: it conflicts with existing data, described in `details`. */
export class ConflictError extends TributaryError {}
/** 413: the body is too large. */
export class PayloadTooLargeError extends TributaryError {}
/** 422: the invalid fields are in `fields`. */
export class ValidationError extends TributaryError {}
/** 429: too many calls, even after the retries; wait `retryAfter` seconds. */
export class RateLimitedError extends TributaryError {}
/** 500: an error in the server. */
export class ServerError extends TributaryError {}
/** 502: a payment or payout provider returned an error. */
export class ProviderFailedError extends TributaryError {}
/** 503: the server or its database is unavailable, even after the retries. */
export class UnavailableError extends TributaryError {}

/**
 * There was no response, or it was cut off. A write may have taken effect; repeating it with the same idempotency key is
 * safe.
 */
export class ConnectionError extends TributaryError {
  constructor(cause: unknown) {
    // the error of `fetch` only reports the failure; its cause has the reason
    const behind = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
    const why = behind instanceof Error ? behind.message : String(behind)
    super(`No answer came from the server: ${why}`, { status: 0, code: 'connection_failed', cause })
  }
}

/** There was no response in time; as with `ConnectionError`, a write may have taken effect. */
export class TimeoutError extends TributaryError {
  constructor(timeoutMs: number) {
    super(`There was no response within ${timeoutMs} ms`, { status: 0, code: 'timed_out' })
  }
}

/** The response is not from this product: a proxy's page, a redirect, or one that is malformed or too long. */
export class UnexpectedAnswerError extends TributaryError {
  constructor(message: string, status: number, more: { cause?: unknown; retryAfter?: number | null } = {}) {
    super(message, { status, code: 'unexpected_answer', ...more })
  }
}

const byStatus: Record<number, typeof TributaryError> = {
  400: MalformedRequestError,
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: PayloadTooLargeError,
  422: ValidationError,
  429: RateLimitedError,
  500: ServerError,
  502: ProviderFailedError,
  503: UnavailableError,
}

/** Returns the error for a response; undefined if the body does not have the server's format. */
export function toError(status: number, body: unknown, retryAfter: number | null): TributaryError | undefined {
  const { error, requestId } = recordOf(body)
  const { code, message, reason, values, fields, details } = recordOf(error)
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  return new (byStatus[status] ?? TributaryError)(message, {
    status,
    code,
    reason: typeof reason === 'string' ? reason : undefined,
    values: recordOf(values) as Record<string, string | number>,
    fields: recordOf(fields) as Record<string, string>,
    details: recordOf(details),
    requestId: typeof requestId === 'string' ? requestId : null,
    retryAfter,
  })
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
