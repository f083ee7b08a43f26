import { getBrand } from '#contract/portal.ts'
import { read } from '../calls.ts'

/** How an account looks to its partners, and the sites that may frame the portal. */
export const brand = (id: string) => read(getBrand, { params: { id } })
