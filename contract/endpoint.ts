import type { z } from 'zod'

/**
 * Who may call: the administrator, an owner of the account, the partner, an ancestor of the partner,
 * anyone signed in (`user`), the bearer of a set-up or reset link (`link`), of an account's API key (`push`), or anyone.
 */
export type Caller = 'admin' | 'owner' | 'partner' | 'ancestor' | 'user' | 'link' | 'push' | 'public'

/** What the `:id` in the path names. Its account decides ownership, and whether the call is open while the account is disabled. */
export type Subject = 'account' | 'partner' | 'link-blueprint' | 'lead' | 'sale' | 'commission' | 'payout'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Declaration<P, Q, B, R> = {
  /** Unique; operationId in OpenAPI. */
  name: string
  method: Method
  /** Below `/api/v1`, parameters as `:name`. */
  path: string
  summary: string
  /** A call without it stops the start. */
  allow: readonly Caller[]
  /** Owners and partners of a disabled account are refused unless this is set. */
  whileDisabled?: boolean
  subject?: Subject
  params?: P
  query?: Q
  body?: B
  /** Of the success answer; 204 has no body. */
  status?: number
  reply?: R
  /** Other media type than JSON that the answer has, such as `text/csv`. */
  produces?: string
  /** A rate limit of its own, per minute; `by` says what is counted. */
  limit?: { perMinute: number; by: 'token' | 'address'; overall?: number }
  /** Largest body in bytes; 256 kB where left out. */
  maxBytes?: number
  /** `group`: the handler commits with others; `own`: it asks a provider first and opens its own transactions. */
  transaction?: 'group' | 'own'
}

export type Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = Declaration<P, Q, B, R>

/** Declares one call of the HTTP interface: read by the server, the web client, OpenAPI and the access test. */
export function endpoint<
  M extends Method,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
>(declaration: Declaration<P, Q, B, R> & { method: M }): Endpoint<P, Q, B, R> & { method: M } {
  return declaration
}
