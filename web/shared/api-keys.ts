import { listApiKeys } from '#contract/api-keys.ts'
import { read } from '../calls.ts'

/** All keys of an account; there are never many. */
export const apiKeys = (id: string) => read(listApiKeys, { params: { id }, query: { limit: 100, sort: 'createdAt' } })
