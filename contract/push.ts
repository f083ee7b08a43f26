import { z } from 'zod'
import { Id, RowError } from './values.ts'

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
