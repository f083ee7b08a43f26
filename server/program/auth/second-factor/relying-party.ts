import { isIP } from 'node:net'
import type { Config } from '../../../platform/config/config.ts'
import type { RequestDomain } from '../../../platform/http/request-domain.ts'

type Party = { id: string; origin: string; host: string }

/**
 * The host for which passkeys are made, and the origin of its pages: an account's own host while it is ready, else that of
 * APP_URL. Null where browsers offer none.
 */
export function relyingParty({ appUrl }: Pick<Config, 'appUrl'>, ownHost?: RequestDomain | undefined): Party | null {
  if (ownHost) return ownHost.state === 'ready' ? partyAt(`https://${ownHost.name}`) : null
  return partyAt(appUrl)
}

function partyAt(url: string): Party | null {
  const { protocol, hostname, host, origin } = new URL(url)
  const isSafe = protocol === 'https:' || hostname === 'localhost'
  return isSafe && isIP(hostname) === 0 && !hostname.startsWith('[') ? { id: hostname, origin, host } : null
}
