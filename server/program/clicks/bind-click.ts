import { isDomain } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type BoundBlueprint, liveBlueprintsOn } from './queries.ts'

/**
 * Returns the blueprint for a code on a page, for clicks without a short link: its parameter contains the code and its
 * domain, or one of its further ones, is the page's. The longest matching path wins, then the oldest. Null without a match.
 */
export async function bindToBlueprint(
  db: Queryable,
  accountId: string,
  code: string,
  pageUrl: string | null | undefined,
): Promise<BoundBlueprint | null> {
  const page = pageUrl ? URL.parse(pageUrl) : null
  if (!page || !/^https?:$/.test(page.protocol) || !(isDomain(page.hostname) || isLoopback(page.hostname))) return null
  const blueprints = await liveBlueprintsOn(db, accountId, page.hostname)
  const fitting = blueprints.filter(({ parameterName }) => carries(page, parameterName, code))
  return fitting.sort((a, b) => depth(page, b) - depth(page, a))[0] ?? null
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]'

const carries = ({ searchParams }: URL, name: string, code: string) =>
  searchParams.getAll(name).some((value) => value.toLowerCase() === code)

/** Length of the page's path that the blueprint covers; 0 if the page is elsewhere. */
export function depth(page: URL, { destinationUrl }: Pick<BoundBlueprint, 'destinationUrl'>) {
  const path = new URL(destinationUrl).pathname.replace(/\/$/, '')
  return page.pathname === path || page.pathname.startsWith(`${path}/`) ? path.length + 1 : 0
}
