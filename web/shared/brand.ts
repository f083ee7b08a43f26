import { getBrand } from '#contract/portal.ts'
import { apiQuery } from '../calls.ts'

/** How an account looks to its partners, and the sites that may frame the portal. */
export const brandQuery = (id: string) => apiQuery(getBrand, { params: { id } })
