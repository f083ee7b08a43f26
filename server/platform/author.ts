import ipaddr from 'ipaddr.js'

/** The call in which something is done, and its network. */
export type Origin = { network: string | null; requestId: string | null }

/**
 * The author of a change: a user, an account's API key, a partner's portal session by the key that opened it, or the
 * product itself, outside of calls.
 */
export type Author = {
  type: 'user' | 'api-key' | 'portal' | 'system'
  id: string | null
  from?: Origin | undefined
  /** The person who has the product do it: with an incoming webhook of theirs, or an import they started. */
  of?: string | undefined
}

export const system: Author = { type: 'system', id: null }
/** Returns the product itself as the author, for something that a person has set up. */
export const systemAuthor = (userId: string | null): Author => (userId === null ? system : { ...system, of: userId })
export const userAuthor = (actor: { userId: string; from?: Origin }): Author => ({
  type: 'user',
  id: actor.userId,
  from: actor.from,
})

/** Returns the author for an account's own systems, by one of its API keys. */
export const apiKeyAuthor = (keyId: string, request: Request): Author => ({
  type: 'api-key',
  id: keyId,
  from: toOrigin(request),
})

/** Returns the author in a portal session, by the key that opened it. */
export const portalAuthor = (keyId: string, request: Request): Author => ({
  ...apiKeyAuthor(keyId, request),
  type: 'portal',
})

type Request = { address: string; id?: string | undefined }

/** Returns the origin of a request in stored form: only the network of its address, /24 or /48 in IPv6. */
export const toOrigin = ({ address, id }: Request): Origin => ({
  network: shortened(address),
  requestId: id ?? null,
})

function shortened(address: string) {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  const bits = parsed.kind() === 'ipv4' ? 24 : 48
  const network = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${network.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`
}

/**
 * Returns the author as stored by ledger and sale: `user:{id}`, `api-key:{id}`, `portal:{id}`, or `system`, with the
 * person who has it done as `system:{id}`.
 */
export const toActor = ({ type, id, of }: Author) => [type, id ?? of].filter(Boolean).join(':')

/** Returns the fields of `next` that differ from `before`. */
export function diffFields(before: Record<string, unknown>, next: Record<string, unknown>) {
  const changed = Object.entries(next).filter(
    ([field, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[field]),
  )
  return Object.fromEntries(changed.map(([field, value]) => [field, { old: before[field] ?? null, new: value }]))
}

/** Parses the author written by `toActor`. */
export function parseActor(actor: string | null): Author {
  const [type, id = null] = (actor ?? 'system').split(':') as [Author['type'], string?]
  return type === 'system' ? systemAuthor(id) : { type, id }
}

/** Returns the person whose act it is, by their own hand or by something they have set up; null for other authors. */
export function findPersonId(actor: string | null): string | null {
  const { type, id, of = null } = parseActor(actor)
  return type === 'user' ? id : of
}
