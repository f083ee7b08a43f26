import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { Id, Instant, listQuery, pageSchema, RowError } from './values.ts'

/** Settings shared by the calls of an account's own systems. */
export const pushCall = {
  allow: ['push'],
  limit: { perMinute: 120, by: 'token' },
  maxBytes: 1_000_000,
  maxValues: 10_000,
  status: 201,
  orStatus: 200,
} as const

/** A single row, or 1 to 100 rows that are checked one by one, so that none fails another. */
export const oneOrMany = <T extends z.ZodType>(row: T) =>
  z.union([row, z.array(z.unknown()).min(1, 'Send at least one row').max(100, 'Send at most 100 rows')])

/** A row of a bulk push: `status` is the HTTP status that row alone would get. */
export const PushResult = z
  .object({ status: z.int(), id: Id.nullable(), error: RowError.nullable() })
  .meta({ id: 'PushResult' })
export type PushResult = z.infer<typeof PushResult>

export const PushResults = z.object({ results: z.array(PushResult) }).meta({ id: 'PushResults' })
export type PushResults = z.infer<typeof PushResults>

/** One push call and its answer. `rows` and `failedRows` are counts, for lists only. */
export const PushRequest = z
  .object({
    id: Id,
    path: z.string(),
    status: z.int(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    rows: z.int().nullable(),
    failedRows: z.int().nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'PushRequest' })
export type PushRequest = z.infer<typeof PushRequest>

export const listPushRequests = endpoint('listPushRequests', 'GET /accounts/:id/push-requests', {
  summary: 'List the last 100 push calls, including refused ones',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({}),
  reply: pageSchema(PushRequest),
})

export const downloadPushRequests = csvEndpoint(listPushRequests, {
  summary: 'Download the last 100 push calls',
  file: 'push-requests',
})
