import { listMySessions } from '#contract/auth.ts'
import { read } from '../../calls.ts'
import type { Reads } from '../../reads.ts'

/** Nobody has more than 20. */
export const sessions = read(listMySessions, { query: { limit: 100, sort: '-createdAt' } })

export const readsOfProfile = (): Reads => [sessions]
