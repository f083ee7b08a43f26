/** Whether a page may send leads: its host is an allowed domain or below one, at any port. No domains allow any page. */
export function isAllowedOrigin(domains: readonly string[], origin: string | undefined): boolean {
  if (domains.length === 0) return true
  const url = origin ? URL.parse(origin) : null
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return domains.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`))
}
