import type { ErrorCode } from './api.ts';
type About = {
    status: number;
    code: string;
    reason?: string;
    values?: Record<string, string | number>;
    fields?: Record<string, string>;
    details?: Record<string, unknown>;
    requestId?: string | null;
    retryAfter?: number | null;
    cause?: unknown;
};
/**
 * A call that was refused, or whose answer did not arrive. `message` is a sentence for people; `code` and `reason` are for
 * programs, `fields` has one message per wrong field by its dotted path in the body, `retryAfter` is in seconds.
 */
export declare class TributaryError extends Error {
    /** The HTTP status; 0 where no answer came. */
    readonly status: number;
    readonly code: ErrorCode | 'connection_failed' | 'timed_out' | 'unexpected_answer' | (string & {});
    readonly reason: string | null;
    /** What the sentence names. */
    readonly values: Readonly<Record<string, string | number>>;
    readonly fields: Readonly<Record<string, string>>;
    readonly details: Readonly<Record<string, unknown>>;
    /** Names the call in the server's log. */
    readonly requestId: string | null;
    readonly retryAfter: number | null;
    constructor(message: string, about: About);
}
/** 400: the request could not be read. */
export declare class MalformedRequestError extends TributaryError {
}
/** 401: no valid token or key, a wrong password, or a link or token that is too old. */
export declare class UnauthenticatedError extends TributaryError {
}
/** 403: the role lacks the call, the account is disabled, or the password has to be confirmed first. */
export declare class ForbiddenError extends TributaryError {
}
/** 404: it does not exist, or is not for this caller to see. */
export declare class NotFoundError extends TributaryError {
}
/** 409: it stands against what is there already; `details` says against what. */
export declare class ConflictError extends TributaryError {
}
/** 413: the body is too large. */
export declare class PayloadTooLargeError extends TributaryError {
}
/** 422: `fields` says which are wrong. */
export declare class ValidationError extends TributaryError {
}
/** 429: too many calls, also after the retries; `retryAfter` says how long to wait. */
export declare class RateLimitedError extends TributaryError {
}
/** 500: a mistake of the server. */
export declare class ServerError extends TributaryError {
}
/** 502: a payment or payout provider answered badly. */
export declare class ProviderFailedError extends TributaryError {
}
/** 503: the server or its database is away, also after the retries. */
export declare class UnavailableError extends TributaryError {
}
/** No answer came, or it broke off. A write may have taken effect: the same call under the same idempotency key is safe. */
export declare class ConnectionError extends TributaryError {
    constructor(cause: unknown);
}
/** No answer came in time; as with `ConnectionError`, a write may have taken effect. */
export declare class TimeoutError extends TributaryError {
    constructor(timeoutMs: number);
}
/** What answered is not this product: a proxy's page, a redirect, something that breaks off or does not end. */
export declare class UnexpectedAnswerError extends TributaryError {
    constructor(message: string, status: number, more?: {
        cause?: unknown;
        retryAfter?: number | null;
    });
}
/** The error that an answer of this status and body says; undefined where the body is not of the server's shape. */
export declare function errorOf(status: number, body: unknown, retryAfter: number | null): TributaryError | undefined;
export {};
