import type { ImportKind as Kind } from '#contract/imports.ts'
import type { ImportKind } from './kind.ts'
import { leads } from './leads.ts'

/** What can be imported from files. */
export const kinds: Partial<Record<Kind, ImportKind>> = { leads: leads as ImportKind }
