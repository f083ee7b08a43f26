import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { publicEvents, recordedEvents } from './events.ts'
import { anyId, anyOf, dateRange, Id, Instant, listQuery, pageSchema } from './values.ts'

/** The kind of actor: a user, an API key, a portal session by the API key that opened it, or the product itself. */
export const actorTypes = ['user', 'api-key', 'portal', 'system'] as const

/**
 * Filter values for an account's activity: an action such as `partner.created`, or the prefix `partner` for all its
 * actions.
 */
export const actions = [...Object.keys(publicEvents), ...Object.keys(recordedEvents)].sort()
const kinds = [...new Set(actions.map((action) => action.split('.')[0]!))]

/**
 * An entry of the audit log: the actor, the action, its object, and the actor's network (/24, or /48 in IPv6). Names
 * are current; a deleted object has its last name. `changes` has the changed fields, never a secret; their amounts
 * are in `currency`, else in the account's. `names` maps the ids of partners and leads in `changes` to their current
 * names.
 */
export const AuditRow = z
  .object({
    id: Id,
    at: Instant,
    actor: z.object({ type: z.enum(actorTypes), id: Id.nullable(), name: z.string().nullable() }),
    network: z.string().nullable(),
    action: z.string(),
    subject: z.object({ type: z.string(), id: Id.nullable(), name: z.string().nullable() }),
    changes: z.record(z.string(), z.object({ old: z.unknown(), new: z.unknown() })),
    names: z.record(z.string(), z.string()),
    currency: z.string().nullable(),
  })
  .meta({ id: 'AuditRow' })
export type AuditRow = z.infer<typeof AuditRow>

export const listAudit = endpoint('listAudit', 'GET /accounts/:id/audit', {
  tag: 'accounts',
  summary: 'List changes with their time and author',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({
    subjectId: anyId,
    actorId: anyId,
    action: anyOf([...kinds, ...actions]),
    ...dateRange,
  }),
  reply: pageSchema(AuditRow),
})

export const downloadAudit = csvEndpoint(listAudit, {
  summary: 'Download changes with their time and author',
  file: 'activity',
  fields: [
    ...['id', 'at', 'actorType', 'actorId', 'actorName', 'network', 'action'],
    ...['subjectType', 'subjectId', 'subjectName', 'changes', 'currency'],
  ],
})
