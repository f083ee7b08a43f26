import type * as room from '../links.ts'
import type { ExamplesOf } from './example.ts'
import { blueprint, ids, link, onlyPage } from './objects.ts'

const counts = { clicks: 412, leads: 14, sales: 9 }

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
    reply: { ...blueprint, stats: { clicks: 0, uniqueClicks: 0, leads: 0, sales: 0, revenue: 0 } },
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
    reply: onlyPage({ partnerId: ids.partner, displayName: 'Jane Whitfield', ...link, ...counts }),
  },
  listPartnerLinks: { reply: onlyPage({ blueprintId: ids.blueprint, name: 'Pricing page', ...link, ...counts }) },
}
