import { z } from 'zod'
import { csvEndpoint } from '#contract/csv.ts'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import { Id, Instant, listQuery, pageSchema } from '#contract/values.ts'

/** Its calls follow those of this group in the reference. */
export const listedAfter = 'api-keys'

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
