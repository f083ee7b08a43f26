import { oldPrograms } from '#contract/old-links.ts'

const names = Object.values(oldPrograms).flatMap(({ parameter }) => parameter ?? [])

/**
 * Returns the code in a link of another program: the value of a parameter known of one, else of its only parameter
 * besides utm, else the last part of its path. Any other text is a code itself.
 */
export function codeIn(cell: string): string {
  const link = /^https?:\/\//i.test(cell) ? URL.parse(cell) : null
  if (!link) return cell
  const given = [...link.searchParams].filter(([name, value]) => value && !name.startsWith('utm_'))
  const only = given.length === 1 ? given[0] : undefined
  const [, value] = given.find(([name]) => names.some((known) => known === name)) ?? only ?? []
  return value ?? decoded(link.pathname.split('/').findLast(Boolean) ?? '')
}

const decoded = (part: string) => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
