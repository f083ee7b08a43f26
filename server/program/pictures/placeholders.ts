import { placeholdersInWords, unknownPlaceholder } from '#contract/placeholders.ts'
import { wrongField } from '../../platform/refusal.ts'

/** Refuses: a word in braces that is none of these. */
export function refuseUnknownPlaceholder(field: string, text: string, known: readonly string[]) {
  const name = unknownPlaceholder(text, known)
  if (name !== undefined)
    throw wrongField(field, 'unknown_placeholder', { known: placeholdersInWords(known), name: `{${name}}` })
}
