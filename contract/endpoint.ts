import type { z } from 'zod'
import { IdParams } from './values.ts'

/** Roles of an account's people, who are its team. */
export const teamRoles = ['owner', 'manager', 'finance', 'viewer'] as const
export type TeamRole = (typeof teamRoles)[number]

/** Roles of a partner's people. In policies and in the person's own roles an owner is `partner`, a member `partner-member`. */
export const partnerRoles = ['owner', 'member'] as const
export type PartnerRole = (typeof partnerRoles)[number]

/**
 * Callers an endpoint may allow: the administrator, someone of the account's team, an owner of the partner, a member of
 * the partner, anyone of a partner above (`ancestor`), anyone signed in (`user`), the bearer of a set-up or reset link
 * (`link`), of an account's API key (`push`, or `partners`, `payouts` and `rewards` by its right) or of a partner's portal session (`portal`, of
 * calls for such sessions alone), or anyone.
 */
export type Caller =
  | 'admin'
  | TeamRole
  | 'partner'
  | 'partner-member'
  | 'ancestor'
  | 'user'
  | 'link'
  | 'push'
  | 'partners'
  | 'payouts'
  | 'rewards'
  | 'portal'
  | 'public'

/**
 * The calls of a team by what they decide: reading, what is earned, what is paid, both of these field by field, and who
 * may do what. The person who decides what is earned is never the one who decides what is paid (people.md, section 3).
 * `partner` are the calls of all people of a partner; who is paid, and who belongs to them, is for its owners alone.
 */
export const rights = {
  read: teamRoles,
  earn: ['owner', 'manager'],
  pay: ['owner', 'finance'],
  earnOrPay: ['owner', 'manager', 'finance'],
  own: ['owner'],
  partner: ['partner', 'partner-member'],
} as const satisfies Record<string, readonly Caller[]>

/**
 * The object named by `:id` in the path, with the path's first part. Its account decides ownership, and whether the call
 * is open while the account is disabled. Features add theirs.
 */
export interface Subjects {
  account: 'accounts'
  partner: 'partners'
  group: 'groups'
  application: 'applications'
  goal: 'goals'
  'link-blueprint': 'link-blueprints'
  'partner-link': 'partner-links'
  lead: 'leads'
  sale: 'sales'
  commission: 'commissions'
  payout: 'payouts'
  'payment-file': 'payment-files'
  invoice: 'invoices'
  'outgoing-webhook': 'outgoing-webhooks'
  'incoming-webhook': 'incoming-webhooks'
  import: 'imports'
}
export type Subject = keyof Subjects

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Calls a minute, counted by network (an IPv4 address, an IPv6 /64), by the token, by the calling user, or by the subject
 * or its account once the caller may make them. Unknown tokens always count by network. Calls whose limits share a `name`
 * share a count.
 */
export type Limit = {
  perMinute: number
  by: 'network' | 'token' | 'user' | 'subject' | 'account'
  name?: string
  overall?: number
}

/** Limit per token shared by most calls. */
export const apiLimit = { name: 'api', perMinute: 300, by: 'token' } as const

/** Limit of a call that needs no token, unless it has a tighter one. */
export const publicLimit = { perMinute: 300, by: 'network' } as const

type Declaration<P, Q, B, R> = {
  /** Its group in the reference; by default the room that implements it. */
  tag?: string
  summary: string
  /** Required: the start fails without it. */
  allow: readonly Caller[]
  /** The roles of the team that may make the call with this query and body, if not all that `allow` names. */
  allowOf?(asked: {
    query: Q extends z.ZodType ? z.output<Q> : undefined
    body: B extends z.ZodType ? z.output<B> : undefined
  }): readonly TeamRole[]
  /** The fields of the body that roles of the team, or keys with the right `partners`, may write, if not all. */
  writable?: Partial<Record<TeamRole | 'partners', readonly string[]>>
  /** An assistant may make the call, which only reads: a tool with its own name and summary. */
  tool?: true
  /** The call starts something for the person calling, so read keys may not make it. */
  inPerson?: boolean
  /** A portal session may make the call, for its partner alone and as a member of theirs; it makes no other. */
  inPortal?: true
  /** Pages of any site may read the answer. */
  fromAnyPage?: true
  /** Refused at an account's own host, and to sessions made there. */
  onlyAtAppUrl?: true
  /** Refused to a session without the second factor that the account requires, unless this is set. */
  whileFactorMissing?: true
  /** Owners and partners of a disabled account are refused unless this is set. */
  whileDisabled?: boolean
  /** Suspended and archived partners may change nothing unless this is set, for calls that create nothing new. */
  whileInactive?: boolean
  /** A signed-in caller proves who they are again if that was over ten minutes ago; API keys are exempt. */
  freshProof?: true
  subject?: Subject
  /** By default the subject's id. */
  params?: P
  query?: Q
  body?: B
  /** Status of the success answer; 204 has no body. */
  status?: number
  /** Another status of success with the same reply, as of a preview or of a thing that existed before. */
  orStatus?: number
  reply?: R
  /** The answer's media type if not JSON, such as `text/csv`. */
  produces?: string
  /** Media types that `Accept` can choose for the JSON of `reply`; the first is the usual one. */
  alsoAs?: readonly string[]
  /** Required: the start fails without it. */
  limit: Limit
  /**
   * Reads a lot of growing data, so it uses a replica if there is one; the replica then includes everything answered
   * before.
   */
  fromReplica?: true
  /** Set for a call that queries by a body. */
  writesNothing?: boolean
  /** Largest body in bytes; 256 kB by default. */
  maxBytes?: number
  /** Maximum values in a body, fields and list items together; 500 by default. */
  maxValues?: number
  /** `group`: the handler commits with others; `own`: it calls a provider first and opens its own transactions. */
  transaction?: 'group' | 'own'
}

export type Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = Declaration<P, Q, B, R> & {
  /** Unique; operationId in OpenAPI. */
  name: string
  method: Method
  /** Below `/api/v1`, parameters as `:name`. */
  path: string
}

/** Returns whether an API key with the `read` right may make the call: any GET of the account that owners may make. */
export const isReadByKey = ({ method, allow, inPerson }: Pick<Endpoint, 'method' | 'allow' | 'inPerson'>) =>
  method === 'GET' && allow.includes('owner') && !inPerson

/**
 * Declares one call of the HTTP interface, for the server, the web client, OpenAPI and the access test. `call` is its
 * method and path, as in `GET /leads/:id`.
 */
export function endpoint<
  M extends Method,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
>(
  name: string,
  call: `${M} /${string}`,
  declaration: Declaration<never, Q, B, R> & { subject: Subject },
): Endpoint<typeof IdParams, Q, B, R> & { method: M }
export function endpoint<
  M extends Method,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
>(name: string, call: `${M} /${string}`, declaration: Declaration<P, Q, B, R>): Endpoint<P, Q, B, R> & { method: M }
export function endpoint(
  name: string,
  call: string,
  declaration: Declaration<z.ZodType, z.ZodType, z.ZodType, z.ZodType>,
) {
  const [method, path] = call.split(' ') as [Method, string]
  return { name, method, path, ...(declaration.subject && { params: IdParams }), ...declaration }
}
