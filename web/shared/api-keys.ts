import { listApiKeys } from '#features/api-keys/contract.ts'
import { apiQuery } from '../calls.ts'

/** All keys of an account; there are never many. */
export const apiKeysQuery = (id: string) =>
  apiQuery(listApiKeys, { params: { id }, query: { limit: 100, sort: 'createdAt' } })
