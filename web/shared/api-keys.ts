import { listApiKeys } from '#contract/api-keys.ts'
import { apiQuery } from '../calls.ts'

/** All keys of an account; there are never many. */
export const apiKeysQuery = (id: string) =>
  apiQuery(listApiKeys, { params: { id }, query: { limit: 100, sort: 'createdAt' } })
