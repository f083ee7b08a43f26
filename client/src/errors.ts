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
 * A call that was refused, or whose answer did not arrive. `message` is a sentence for people; `code` and `reason` are for
 * programs, `fields` has one message per wrong field by its dotted path in the body, `retryAfter` is in seconds.
 */
export class TributaryError extends Error {
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  readonly code: ErrorCode | 'connection_failed' | 'timed_out' | 'unexpected_answer' | (string & {})
  readonly reason: string | null
  /** What the sentence names. */
  readonly values: Readonly<Record<string, string | number>>
  readonly fields: Readonly<Record<string, string>>
  readonly details: Readonly<Record<string, unknown>>
  /** Names the call in the server's log. */
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
/** 401: no valid token or key, a wrong password, or a link or token that is too old. */
export class UnauthenticatedError extends TributaryError {}
/** 403: the role lacks the call, the account is disabled, or the password has to be confirmed first. */
export class ForbiddenError extends TributaryError {}
/** 404: it does not exist, or is not for this caller to see. */
export class NotFoundError extends TributaryError {}
/** 409: it stands against what is there already; `details` says against what. */
export class ConflictError extends TributaryError {}
/** 413: the body is too large. */
export class PayloadTooLargeError extends TributaryError {}
/** 422: `fields` says which are wrong. */
export class ValidationError extends TributaryError {}
/** 429: too many calls, also after the retries; `retryAfter` says how long to wait. */
export class RateLimitedError extends TributaryError {}
/** 500: a mistake of the server. */
export class ServerError extends TributaryError {}
/** 502: a payment or payout provider answered badly. */
export class ProviderFailedError extends TributaryError {}
/** 503: the server or its database is away, also after the retries. */
export class UnavailableError extends TributaryError {}

/** No answer came, or it broke off. A write may have taken effect: the same call under the same idempotency key is safe. */
export class ConnectionError extends TributaryError {
  constructor(cause: unknown) {
    // what fetch throws says only that it failed; why stands behind it
    const behind = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
    const why = behind instanceof Error ? behind.message : String(behind)
    super(`No answer came from the server: ${why}`, { status: 0, code: 'connection_failed', cause })
  }
}

/** No answer came in time; as with `ConnectionError`, a write may have taken effect. */
export class TimeoutError extends TributaryError {
  constructor(timeoutMs: number) {
    super(`There was no response within ${timeoutMs} ms`, { status: 0, code: 'timed_out' })
  }
}

/** What answered is not this product: a proxy's page, a redirect, something that breaks off or does not end. */
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

/** The error that an answer of this status and body says; undefined where the body is not of the server's shape. */
export function errorOf(status: number, body: unknown, retryAfter: number | null): TributaryError | undefined {
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
