import type { BlueprintFacts, NewClick } from './queries.ts'

/** The sub-IDs of a visit besides its link's: `requested` by the short link's query, `sent` with a reported click. */
type SubIds = { requested?: string | null; sent?: string | null }

/**
 * Returns the own link of a visit and its sub-ID: the query's, else the link's, else the one sent. The code decides who
 * is credited, so an own link with another partner's code has neither.
 */
export function resolveOwnLink(
  link: Pick<BlueprintFacts, 'linkId' | 'linkPartnerId' | 'linkSubId'> | undefined,
  partnerId: string,
  { requested = null, sent = null }: SubIds,
): Pick<NewClick, 'linkId' | 'subId'> {
  if (!link?.linkId) return { linkId: null, subId: requested ?? sent }
  if (link.linkPartnerId !== partnerId) return { linkId: null, subId: null }
  return { linkId: link.linkId, subId: requested ?? link.linkSubId ?? sent }
}
