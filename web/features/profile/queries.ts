import type { QueryClient } from '@tanstack/react-query'
import { listMySessions } from '#contract/users.ts'
import { read } from '../../calls.ts'

/** Nobody has more than 20. */
export const sessions = read(listMySessions, { query: { limit: 100, sort: '-createdAt' } })

export const startProfile = ({ client }: { client: QueryClient }) => client.prefetchQuery(sessions)
