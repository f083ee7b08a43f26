import { isIP } from 'node:net'
import type { Config } from '../../../platform/config/config.ts'

/** The host for which passkeys are made, and the origin of its pages; null where browsers offer none. */
export function relyingParty({ appUrl }: Pick<Config, 'appUrl'>): { id: string; origin: string; host: string } | null {
  const { protocol, hostname, host, origin } = new URL(appUrl)
  const isSafe = protocol === 'https:' || hostname === 'localhost'
  return isSafe && isIP(hostname) === 0 && !hostname.startsWith('[') ? { id: hostname, origin, host } : null
}
