import type { z } from 'zod'
import type { RefusalCode } from './refusal-codes.ts'

/** Sentences that refuse a call, by their reasons: the error code and the words, with `{{name}}` for a value. */
export type Refusals = Record<string, readonly [RefusalCode, string]>

/** Events for other systems, by type: the object that each contains, and its description. */
export type Events = Record<string, { object: z.ZodObject; description: string }>
