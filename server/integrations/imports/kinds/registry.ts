import type { ImportKind as Kind } from '#contract/imports.ts'
import type { FileKind } from './kind.ts'
import { leads } from './leads.ts'
import { partners } from './partners.ts'
import { payouts } from './payouts.ts'
import { sales } from './sales.ts'

/** The kinds of files that can be imported. */
export const kinds = { partners, leads, sales, payouts } as Record<Kind, FileKind>
