import type { Word } from './plural.ts'

type Refused = { reason?: string; values?: Record<string, Word> | null; message: string }

/**
 * Words for the server's refusals by their reason, in a language other than the server's. There are none in English:
 * they are in `contract/refusals.ts`, which stays on the server.
 */
export const refusalWords: Record<string, (values: Record<string, Word>) => string> = {}

/** Returns a refusal's message in the words for its reason, else the server's. */
export const refusedInWords = ({ reason = '', values, message }: Refused): string =>
  refusalWords[reason]?.(values ?? {}) ?? message
