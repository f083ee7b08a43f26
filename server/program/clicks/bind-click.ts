import { isDomain } from '#contract/values.ts'
import { readArrival } from '../../../embed/address.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type BoundBlueprint, liveBlueprintsOn } from './queries.ts'

/**
 * Returns the blueprint for a code on a page, for clicks without a short link: its domain, or one of its further ones,
 * is the page's, and its parameter contains the code, or else one of old links does. The longest matching path wins,
 * then the oldest. Null without a match.
 */
export async function bindToBlueprint(
  db: Queryable,
  { id, oldLinkParameters }: Pick<AccountFacts, 'id' | 'oldLinkParameters'>,
  code: string,
  pageUrl: string | null | undefined,
): Promise<BoundBlueprint | null> {
  const page = pageUrl ? URL.parse(pageUrl) : null
  if (!page || !/^https?:$/.test(page.protocol) || !(isDomain(page.hostname) || isLoopback(page.hostname))) return null
  const blueprints = await liveBlueprintsOn(db, id, page.hostname)
  const own = blueprints.filter(({ parameterName }) => carries(page, parameterName, code))
  const isOld = own.length === 0 && oldLinkParameters.some((name) => carries(page, name, code))
  const fitting = isOld ? blueprints : own
  return fitting.sort((a, b) => pathDepth(page, b) - pathDepth(page, a))[0] ?? null
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]'

const carries = ({ href }: URL, name: string, code: string) =>
  [0, 1].some((plain) => readArrival(href, { names: [name.toLowerCase()], plain })?.codes.includes(code))

/** Length of the page's path that the blueprint covers; 0 if the page is elsewhere. */
export function pathDepth(page: URL, { destinationUrl }: Pick<BoundBlueprint, 'destinationUrl'>) {
  const path = new URL(destinationUrl).pathname.replace(/\/$/, '')
  return page.pathname === path || page.pathname.startsWith(`${path}/`) ? path.length + 1 : 0
}
