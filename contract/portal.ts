import { z } from 'zod'
import { CustomDomain, HostName } from './custom-domains.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { PICTURE_BYTES, Picture } from './pictures.ts'
import { Id, Instant, isDomain, plainText, trimmedText } from './values.ts'

/** `frame`: the address holds the session's token; `link`: a token that works once, within a minute, and opens one. */
export const portalKinds = ['frame', 'link'] as const

/** `program`: all of the partner’s own screens; `invite`: one panel for a customer who invites friends. */
export const portalViews = ['program', 'invite'] as const
export type PortalView = (typeof portalViews)[number]

/** `view` is `program` by default; `invite` is for partners in a group of customers. */
export const NewPortalSession = z.strictObject({
  kind: z.enum(portalKinds),
  view: z.enum(portalViews).optional(),
})
export type NewPortalSession = z.infer<typeof NewPortalSession>

/** `token` is the session's, to pass on when the frame asks for another; null for a link. */
export const PortalSession = z
  .object({ url: z.string(), token: z.string().nullable(), expiresAt: Instant })
  .meta({ id: 'PortalSession' })
export type PortalSession = z.infer<typeof PortalSession>

export const createPortalSession = endpoint('createPortalSession', 'POST /partners/:id/portal-sessions', {
  summary: 'Open one partner’s screens for an hour, to show them in a frame or by a link',
  tag: 'partners',
  allow: ['partners'],
  limit: apiLimit,
  subject: 'partner',
  body: NewPortalSession,
  status: 201,
  reply: PortalSession,
})

/** The session that a link has opened. */
export const PortalSignIn = z.object({ accessToken: z.string(), expiresAt: Instant }).meta({ id: 'PortalSignIn' })
export type PortalSignIn = z.infer<typeof PortalSignIn>

export const openPortal = endpoint('openPortal', 'POST /auth/portal', {
  summary: 'Exchange the token of a portal link for its session',
  tag: 'auth',
  allow: ['public'],
  limit: { perMinute: 10, by: 'network' },
  body: z.strictObject({ token: z.string().min(1).max(200) }),
  reply: PortalSignIn,
})

/**
 * `language` is the partner's: the portal is in it unless its address has `lang`. For a partner without one it is in the
 * browser's, else in the account's.
 */
export const Portal = z
  .object({
    partnerId: Id,
    accountId: Id,
    displayName: z.string(),
    language: z.string().nullable(),
    accountLanguage: z.string(),
    view: z.enum(portalViews),
    expiresAt: Instant,
  })
  .meta({ id: 'Portal' })
export type Portal = z.infer<typeof Portal>

/** `displayName` is the partner's. */
export const getPortal = endpoint('getPortal', 'GET /portal', {
  summary: 'Retrieve whose portal session this is',
  tag: 'auth',
  allow: ['portal'],
  inPortal: true,
  limit: apiLimit,
  reply: Portal,
})

/** A host that may frame the portal, with https; on a machine for trying things out also `localhost` with a port. */
export const FrameHost = plainText(1000)
  .toLowerCase()
  .refine((value) => isDomain(value) || isLocalHost(value), 'Enter a domain such as app.example.com')

/** Returns whether a host is this machine's, whose pages have no certificate. */
export const isLocalHost = (host: string) => /^localhost:[1-9]\d{0,4}$/.test(host)

const NO_ACCENT = 'Enter a color such as #3347c4'

/** A color of the account's own. Where text needs more contrast it is moved in lightness (accent.ts). */
const Accent = trimmedText(7, NO_ACCENT)
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, NO_ACCENT)

/**
 * An account as its partners see it; without an `accent` and a `logoUrl` in the product's look. `coverUrl` is the
 * picture at the top of the program page, which previews of its address show too. Addresses given to partners begin with `portalUrl`: that of the account's own host once it is ready.
 */
export const Brand = z
  .object({
    logoUrl: z.string().nullable(),
    coverUrl: z.string().nullable(),
    accent: z.string().nullable(),
    frameHosts: z.array(z.string()),
    host: CustomDomain.nullable(),
    portalUrl: z.string(),
  })
  .meta({ id: 'Brand' })
export type Brand = z.infer<typeof Brand>

/** Fields left out keep their value. `logo` and `cover` are pictures as base64. A new `host` is checked at once. */
export const BrandChange = z.strictObject({
  logo: Picture(PICTURE_BYTES.logo).nullish(),
  cover: Picture(PICTURE_BYTES.cover).nullish(),
  accent: Accent.nullish(),
  frameHosts: z
    .array(FrameHost)
    .max(10, 'Use at most 10 sites')
    .transform((hosts) => [...new Set(hosts)])
    .optional(),
  host: HostName.nullish(),
})
export type BrandChange = z.infer<typeof BrandChange>

export const getBrand = endpoint('getBrand', 'GET /accounts/:id/brand', {
  summary: 'Retrieve what partners see of an account, and the sites that may frame the portal',
  tag: 'accounts',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  reply: Brand,
})

export const changeBrand = endpoint('changeBrand', 'PUT /accounts/:id/brand', {
  summary: 'Change the logo, the cover picture, the color, the own domain, and the sites that may frame the portal',
  tag: 'accounts',
  allow: rights.own,
  limit: apiLimit,
  subject: 'account',
  transaction: 'own',
  body: BrandChange,
  maxBytes: 960_000,
  reply: Brand,
})

export const checkHost = endpoint('checkHost', 'POST /accounts/:id/brand/host/check', {
  summary: 'Check the account’s own domain now',
  tag: 'accounts',
  allow: rights.own,
  limit: { perMinute: 6, by: 'user' },
  subject: 'account',
  transaction: 'own',
  reply: Brand,
})
