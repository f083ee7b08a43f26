import { userAuthor } from '../server/platform/author.ts'
import { createPartnerLink } from '../server/program/links/own-links.ts'
import type { Blueprint } from './harbor.ts'
import type { Harbor, Story } from './story.ts'

/** An own link of a partner, once it was added. */
export type OwnLink = { id: string; subId: string | null; blueprintId: string; path: string }

const added = [
  { code: 'jane', days: 170, name: 'Dental newsletter', path: '/pricing/dental', subId: 'newsletter' },
  { code: 'jane', days: 96, name: 'Podcast, episode 12', path: '/webinar/podcast', subId: 'episode-12' },
  { code: 'marcus-o', days: 120, name: 'Comparison post', path: '/pricing/compare', subId: null },
]

/** Plans the own links of partners; returns them by the partner's code, filled as they are added. */
export function planOwnLinks(
  { services: { config }, course, before }: Story,
  { account, owner, partners }: Harbor,
  blueprints: Blueprint[],
): Map<string, OwnLink[]> {
  const links = new Map<string, OwnLink[]>()
  for (const { code, days, name, path, subId } of added)
    course.at(before(days), async (tx) => {
      const partner = { as: 'owner' as const, account, subjectId: partners.get(code)! }
      const blueprintId = blueprints.find((blueprint) => blueprint.path === path.replace(/\/[^/]*$/, ''))!.id
      const body = { name, destinationUrl: `https://harbor.example${path}`, subId, blueprintId }
      const { id } = await createPartnerLink(tx, config, userAuthor(owner), partner, body)
      links.set(code, [...(links.get(code) ?? []), { id: id!, subId, blueprintId, path }])
    })
  return links
}
