import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

export type UserAgent = { isBot: boolean; class: 'bot' | 'mobile' | 'tablet' | 'desktop' }

const recent = new LRUCache<string, UserAgent>({ max: 5000 })

/** Classifies the visiting program. One without a user agent is a bot. */
export function readUserAgent(text: string | undefined): UserAgent {
  const agent = (text ?? '').trim().slice(0, 500)
  let known = recent.get(agent)
  if (!known) {
    const isBot = agent === '' || isbot(agent)
    known = { isBot, class: isBot ? 'bot' : deviceOf(agent) }
    recent.set(agent, known)
  }
  return known
}

function deviceOf(agent: string) {
  if (/ipad|tablet|kindle|silk|android(?!.*mobile)/i.test(agent)) return 'tablet'
  return /mobi|iphone|ipod|android/i.test(agent) ? 'mobile' : 'desktop'
}

/** Returns the host of an address or of a bare host, at most 253 characters; null if it is neither. */
export function hostIn(address: string | null | undefined): string | null {
  if (!address) return null
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : URL.parse(`http://${address}`)
  // with the dot of the root it is the same host
  return url?.hostname.replace(/\.$/, '').slice(0, 253) || null
}

/** Returns the path of an address, at most 500 characters; never its query. */
export function toPath(address: string | null | undefined): string | null {
  return (address && URL.parse(address)?.pathname.slice(0, 500)) || null
}
