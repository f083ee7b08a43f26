import type { EmbedConfiguration } from './configuration.ts'

/** The query parameter with a click id; short links add it. */
const CLICK = 'click'

type Names = Pick<EmbedConfiguration, 'names' | 'plain'>

export type Arrival = { code: string; click: string }

/**
 * Returns the referral code and click id in an address, each empty if absent; undefined without either. Other programs have
 * a parameter of this name too, whose values are no ids of ours.
 */
export function arrivalOf(address: string, { names, plain }: Names): Arrival | undefined {
  const query = new URL(address).searchParams
  const [click = ''] = /^[\w-]{36}$/.exec(query.get(CLICK) || '') || []
  let code = ''
  names.forEach((name, at) => {
    const value = query.get(name) || ''
    if (!code && (at >= plain || /^[a-z0-9-]{3,32}$/i.test(value))) code = value.slice(0, 100).toLowerCase()
  })
  return code || click ? { code, click } : undefined
}

/** Returns an address as it may leave the page: no fragment, and in the query only code, click id, sub-ID and utm. */
export function cleanAddress(address: string, names: readonly string[]): string {
  const url = new URL(address)
  const kept: string[] = []
  url.searchParams.forEach((value, name) => {
    if (/^(click|sub|utm_.*)$/.test(name) || names.indexOf(name) >= 0)
      kept.push(`${encodeURIComponent(name)}=${encodeURIComponent(value.slice(0, 200))}`)
  })
  return (url.origin + url.pathname.slice(0, 1000) + (kept.length ? `?${kept.join('&')}` : '')).slice(0, 2000)
}

/** Returns the host of a referrer; undefined if there is none or it is the page's own. */
export function foreignHost(referrer: string, ownHost: string): string | undefined {
  const host = referrer && new URL(referrer).host
  return host && host !== ownHost ? host : undefined
}
