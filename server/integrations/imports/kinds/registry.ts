import type { ImportKind as Kind } from '#contract/imports.ts'
import type { ImportKind } from './kind.ts'
import { leads } from './leads.ts'
import { partners } from './partners.ts'
import { payouts } from './payouts.ts'
import { sales } from './sales.ts'

/** What can be imported from files. */
export const kinds = { partners, leads, sales, payouts } as Record<Kind, ImportKind>
