import type { KeptReference } from '../contract.ts'
import { isAllowedOrigin } from './origin.ts'
import type { EmbedFacts } from './queries.ts'

const NAME = 'tributary_ref'
const DEFAULT_DAYS = 90

type From = { origin: string | undefined; fetchSite: string | undefined }

/**
 * Returns the cookie with the script's data, set by the site's own response, since browsers soon delete cookies set by
 * scripts. Undefined if the response is not the site's own, since only its own page could read it, or if the account
 * disables cookies.
 */
export function cookieFor(
  { domains, consentMode, cookieDays }: EmbedFacts,
  { reference, domain }: KeptReference,
  { origin, fetchSite }: From,
  now: Date,
): string | undefined {
  const site = origin ? URL.parse(origin) : null
  if (!site || consentMode === 'cookieless' || !isAllowedOrigin(domains, origin)) return undefined
  if (fetchSite && fetchSite !== 'same-origin' && fetchSite !== 'same-site') return undefined
  // of several programs the latest
  const kept = Math.max(...reference.split('|').map((entry) => Number(entry.slice(entry.lastIndexOf('.') + 1))))
  const age = (cookieDays ?? DEFAULT_DAYS) * 86_400
  const left = Math.min(age, Math.ceil(kept + age - now.getTime() / 1000))
  if (left <= 0) return undefined
  const wide = domain && (site.hostname === domain || site.hostname.endsWith(`.${domain}`)) ? `; Domain=${domain}` : ''
  const secure = site.protocol === 'https:' ? '; Secure' : ''
  return `${NAME}=${reference}; Path=/; Max-Age=${left}; SameSite=Lax${secure}${wide}`
}
