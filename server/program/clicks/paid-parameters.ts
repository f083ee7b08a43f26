/** Parameters that advertising adds to an address. */
const ADDED = 'gclid gbraid wbraid gad_source msclkid fbclid ttclid li_fat_id twclid rdt_cid'.split(' ')

/** Parameters that name a campaign. */
const CAMPAIGN = ['utm_campaign', 'utm_id', 'gad_campaignid', 'campaignid']

const HINT = new RegExp(`(?:^|&)(?:${ADDED.join('|')}|utm_medium)=`, 'i')

/**
 * Returns the names of the parameters in a query that show a paid visit, never their values; null if there is none, or
 * the campaign is one of the account's own.
 */
export function paidParametersIn(query: string, ownCampaigns: readonly string[]): string[] | null {
  if (query === '' || !HINT.test(query)) return null
  const names = new Set<string>()
  for (const [given, value] of new URLSearchParams(query)) {
    const name = given.toLowerCase()
    if (CAMPAIGN.includes(name) && ownCampaigns.includes(value.trim())) return null
    if (ADDED.includes(name) || (name === 'utm_medium' && /^(cpc|ppc|paid.*)$/i.test(value.trim()))) names.add(name)
  }
  return names.size > 0 ? [...names].sort() : null
}

/** Returns the query of an address, without its question mark. */
export const queryIn = (address: string | null) => (address && URL.parse(address)?.search.slice(1)) || ''
