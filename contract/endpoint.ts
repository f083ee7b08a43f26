import type { z } from 'zod'

/**
 * Who may call: the administrator, an owner of the account, the partner, an ancestor of the partner,
 * anyone signed in (`user`), the bearer of a set-up or reset link (`link`), of an account's API key (`push`), or anyone.
 */
export type Caller = 'admin' | 'owner' | 'partner' | 'ancestor' | 'user' | 'link' | 'push' | 'public'

/** What the `:id` in the path names. Its account decides ownership, and whether the call is open while the account is disabled. */
export type Subject =
  | 'account'
  | 'partner'
  | 'link-blueprint'
  | 'lead'
  | 'sale'
  | 'commission'
  | 'payout'
  | 'outgoing-webhook'
  | 'incoming-webhook'
  | 'import'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Calls a minute, counted by network (an IPv4 address, an IPv6 /64), by the token or by the user who calls. Tokens that
 * nobody knows count by network, whatever is declared. Calls whose limits have one `name` share a count.
 */
export type Limit = { perMinute: number; by: 'network' | 'token' | 'user'; name?: string; overall?: number }

/** Of most calls: together so many a minute for one token. */
export const apiLimit = { name: 'api', perMinute: 300, by: 'token' } as const

/** Of a call that needs no token, unless it has a tighter one. */
export const publicLimit = { perMinute: 300, by: 'network' } as const

type Declaration<P, Q, B, R> = {
  /** Unique; operationId in OpenAPI. */
  name: string
  method: Method
  /** Below `/api/v1`, parameters as `:name`. */
  path: string
  /** What the reference sorts the call under; the room that answers it, where left out. */
  tag?: string
  summary: string
  /** A call without it stops the start. */
  allow: readonly Caller[]
  /** It begins something for the person who calls, so no API key may make it that reads. */
  inPerson?: boolean
  /** Owners and partners of a disabled account are refused unless this is set. */
  whileDisabled?: boolean
  /** Partners who are suspended or archived change nothing unless this is set: what makes nothing new. */
  whileInactive?: boolean
  /** Whoever signed in proves their password once more where that was over ten minutes ago; an API key is not asked. */
  freshPassword?: true
  subject?: Subject
  params?: P
  query?: Q
  body?: B
  /** Of the success answer; 204 has no body. */
  status?: number
  reply?: R
  /** Other media type than JSON that the answer has, such as `text/csv`. */
  produces?: string
  /** Media types that the JSON of `reply` is also written as, for whoever asks for them by `Accept`; the first is the usual. */
  alsoAs?: readonly string[]
  /** A call without it stops the start. */
  limit: Limit
  /** It reads much of what grows: from a replica where there is one, which then shows all that was answered before. */
  fromReplica?: true
  /** Of a call that asks by a body. */
  writesNothing?: boolean
  /** Largest body in bytes; 256 kB where left out. */
  maxBytes?: number
  /** Most values in a body, fields and items of lists together; 500 where left out. */
  maxValues?: number
  /** `group`: the handler commits with others; `own`: it asks a provider first and opens its own transactions. */
  transaction?: 'group' | 'own'
}

export type Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = Declaration<P, Q, B, R>

/** Whether an API key with the right `read` may make the call: whatever an owner reads of the account. */
export const isReadByKey = ({ method, allow, inPerson }: Pick<Endpoint, 'method' | 'allow' | 'inPerson'>) =>
  method === 'GET' && allow.includes('owner') && !inPerson

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
