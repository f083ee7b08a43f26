import { refusal } from '../refusal.ts'

type Range = { type: string; quality: number }

/**
 * Returns the offered media type that an `Accept` header prefers; among equals, the one offered first. An empty header
 * accepts anything. Refuses: a header that accepts none of them.
 */
export function mediaFor(accept: string | undefined, offered: readonly string[]): string {
  const ranges = (accept ?? '').split(',').flatMap(rangeOf)
  if (ranges.length === 0) return offered[0]!
  const liked = offered.map((type) => ({ type, quality: qualityOf(type, ranges) }))
  const best = liked.reduce((one, other) => (other.quality > one.quality ? other : one))
  if (best.quality === 0) throw refusal('media_type_not_offered', { offered: offered.join(', ') })
  return best.type
}

function rangeOf(text: string): Range[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return []
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const quality = weight === undefined ? 1 : Number(weight)
  return quality >= 0 && quality <= 1 ? [{ type, quality }] : []
}

/** Returns the quality of the most specific matching range. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const named = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const name of named) {
    const range = ranges.find((one) => one.type === name)
    if (range) return range.quality
  }
  return 0
}
