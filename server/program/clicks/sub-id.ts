import { SUB_ID_LENGTH } from '#contract/links.ts'

/** Returns a sub-ID as it is kept: trimmed, without control characters, at most 100 characters; null if none is left. */
export function cleanSubId(given: string | null | undefined): string | null {
  if (!given) return null
  const plain = given
    .toWellFormed()
    .normalize()
    .replace(/\p{Cc}/gu, '')
    .trim()
  return [...plain].slice(0, SUB_ID_LENGTH).join('').trim() || null
}

/** Returns the sub-ID in a query, unless its template uses this name for the code. */
export function subIdIn(query: string, parameterName: string): string | null {
  if (!query.includes(`${SUB_ID}=`) || parameterName.toLowerCase() === SUB_ID) return null
  return cleanSubId(new URLSearchParams(query).get(SUB_ID))
}

/** The query parameter with a sub-ID. */
export const SUB_ID = 'sub'
