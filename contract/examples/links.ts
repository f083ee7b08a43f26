import type * as room from '../links.ts'
import type { ExamplesOf } from './example.ts'
import { blueprint, ids, link, onlyPage, ownLink } from './objects.ts'

const PAGE_REFUSED = [
  'destination_not_https',
  'destination_without_domain',
  'page_not_on_these_hosts',
  'page_with_port',
] as const

const nothing = { clicks: 0, leads: 0, sales: 0, revenue: 0 }

export const links: ExamplesOf<typeof room> = {
  listLinkBlueprints: { query: { enabled: 'true', sort: '-clicks' }, reply: onlyPage(blueprint) },
  createLinkBlueprint: {
    refused: ['destination_not_https', 'destination_without_domain'],
    body: {
      name: 'Pricing page',
      destinationUrl: blueprint.destinationUrl,
      utm: { source: 'partner', medium: 'referral', campaign: '{referralCode}' },
      cookieDays: 90,
    },
    reply: { ...blueprint, stats: { ...nothing, uniqueClicks: 0 } },
  },
  getLinkBlueprint: { reply: blueprint },
  changeLinkBlueprint: {
    refused: ['destination_not_https'],
    body: { name: 'Pricing page, autumn', cookieDays: 60 },
    reply: { ...blueprint, name: 'Pricing page, autumn', cookieDays: 60 },
  },
  deleteLinkBlueprint: {},
  testLink: {
    refused: ['destination_not_https', 'destination_without_domain'],
    body: { destinationUrl: blueprint.destinationUrl, parameterName: 'ref' },
    reply: { reachable: true, status: 200, redirectsTo: null, parameterKept: true },
  },
  listBlueprintLinks: {
    reply: {
      ...onlyPage({ partnerId: ids.partner, displayName: 'Jane Whitfield', ...link }),
      unlisted: { archivedPartners: nothing, noPartner: { ...nothing, leads: 1 } },
    },
  },
  listPartnerLinks: {
    reply: {
      items: [{ blueprintId: ids.blueprint, ...link, domains: ownLink.domains }, ownLink],
      nextCursor: null,
      total: 2,
    },
  },
  createPartnerLink: {
    refused: [...PAGE_REFUSED, ...(['unknown_link', 'too_many_links', 'no_own_links', 'partner_is_archived'] as const)],
    body: { name: ownLink.name, destinationUrl: ownLink.destinationUrl, subId: 'november' },
    reply: { ...ownLink, ...nothing },
  },
  changePartnerLink: {
    refused: ['erased', ...PAGE_REFUSED],
    body: { name: 'Dental newsletter, December', subId: 'december' },
    reply: {
      ...ownLink,
      name: 'Dental newsletter, December',
      subId: 'december',
      url: 'https://www.acme.example/pricing/dental?ref=jane-whitfield&sub=december',
    },
  },
  deletePartnerLink: {},
}
