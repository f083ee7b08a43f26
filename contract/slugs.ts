import { z } from 'zod'
import { reservedReferralCodes } from './partners.ts'

/** Addresses that mean something else below `/join/`, or would in a link. */
export const reservedSlugs: readonly string[] = [...reservedReferralCodes, 'thanks', 'confirm', 'agreement']

const NO_SLUG = 'Use 3 to 40 lowercase letters, digits or hyphens'
export const LONGEST_SLUG = 40

const typed = z.string().trim().max(LONGEST_SLUG, { error: NO_SLUG, abort: true })
const isFree = (slug: string) => !reservedSlugs.includes(slug)
const NOT_FREE = 'This address is taken'

/** The last part of a program's address. */
export const Slug = typed.regex(/^[a-z0-9-]{3,}$/, NO_SLUG).refine(isFree, NOT_FREE)

/** The last part of the address of a group's page; `null` and the empty string both mean that it has none. */
export const JoinSlug = typed
  .regex(/^([a-z0-9-]{3,})?$/, NO_SLUG)
  .refine(isFree, NOT_FREE)
  .nullable()
  .transform((slug) => slug || null)
