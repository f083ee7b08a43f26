import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import {
  Amount,
  AttributionModel,
  anyId,
  CommissionSettings,
  Domain,
  flag,
  Id,
  Instant,
  listQuery,
  optionalText,
  ParameterName,
  pageSchema,
  requiredText,
  WebAddress,
} from './values.ts'

/** None of them counts bots; `revenue` is in the account's currency. */
export const LinkStats = z
  .object({ clicks: z.int(), uniqueClicks: z.int(), leads: z.int(), sales: z.int(), revenue: Amount })
  .meta({ id: 'LinkStats' })
export type LinkStats = z.infer<typeof LinkStats>

export const Utm = z
  .object({
    source: z.string().nullable(),
    medium: z.string().nullable(),
    campaign: z.string().nullable(),
    term: z.string().nullable(),
    content: z.string().nullable(),
  })
  .meta({ id: 'Utm' })
export type Utm = z.infer<typeof Utm>

export const LinkBlueprint = z
  .object({
    id: Id,
    key: z.string(),
    accountId: Id,
    name: z.string(),
    destinationUrl: z.string(),
    domain: z.string(),
    parameterName: z.string(),
    utm: Utm,
    cookieDays: z.int(),
    attributionModel: AttributionModel,
    passthroughQuery: z.boolean(),
    moreDomains: z.array(z.string()),
    partnerLinks: z.boolean(),
    commissionSettings: CommissionSettings.nullable(),
    enabled: z.boolean(),
    stats: LinkStats,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'LinkBlueprint' })
export type LinkBlueprint = z.infer<typeof LinkBlueprint>

/** Most characters of a sub-ID, the value of a partner's own that a visit carries to its lead. */
export const SUB_ID_LENGTH = 100

/** Each may contain the placeholder `{referralCode}`. */
const EnteredUtm = z.strictObject({
  source: optionalText(200).optional(),
  medium: optionalText(200).optional(),
  campaign: optionalText(200).optional(),
  term: optionalText(200).optional(),
  content: optionalText(200).optional(),
})

const CookieDays = z.int('Enter 1 to 365 days').min(1, 'Enter 1 to 365 days').max(365, 'Enter 1 to 365 days')

/**
 * Defaults: `ref`, 90 days, the account's attribution, the visitor's query preserved, no further hosts, own links of
 * partners, enabled. The server also refuses http destinations and hosts that break the domain rule.
 */
export const NewLinkBlueprint = z.strictObject({
  name: requiredText(100),
  destinationUrl: WebAddress,
  parameterName: ParameterName.optional(),
  utm: EnteredUtm.nullish(),
  cookieDays: CookieDays.optional(),
  attributionModel: AttributionModel.optional(),
  passthroughQuery: z.boolean().optional(),
  moreDomains: z.array(Domain).max(10, 'Use at most 10 domains').optional(),
  partnerLinks: z.boolean().optional(),
  commissionSettings: CommissionSettings.nullish(),
  enabled: z.boolean().optional(),
})
export type NewLinkBlueprint = z.infer<typeof NewLinkBlueprint>

/** Fields left out keep their value, those of `utm` too; `null` empties all five. */
export const LinkBlueprintChange = NewLinkBlueprint.partial()
export type LinkBlueprintChange = z.infer<typeof LinkBlueprintChange>

export const listLinkBlueprints = endpoint('listLinkBlueprints', 'GET /accounts/:id/link-blueprints', {
  summary: 'List link blueprints',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ enabled: flag }, ['name', 'clicks', 'leads', 'sales']),
  reply: pageSchema(LinkBlueprint),
})

export const downloadLinkBlueprints = csvEndpoint(listLinkBlueprints, {
  summary: 'Download all link blueprints',
  file: 'link-blueprints',
})

export const createLinkBlueprint = endpoint('createLinkBlueprint', 'POST /accounts/:id/link-blueprints', {
  summary: 'Create a link blueprint; every partner gets a link from it immediately',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: NewLinkBlueprint,
  status: 201,
  reply: LinkBlueprint,
})

export const getLinkBlueprint = endpoint('getLinkBlueprint', 'GET /link-blueprints/:id', {
  summary: 'Retrieve a link blueprint',
  allow: rights.read,
  limit: apiLimit,
  subject: 'link-blueprint',
  reply: LinkBlueprint,
})

export const changeLinkBlueprint = endpoint('changeLinkBlueprint', 'PUT /link-blueprints/:id', {
  summary: 'Update a link blueprint; only new clicks and sales are affected',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'link-blueprint',
  body: LinkBlueprintChange,
  reply: LinkBlueprint,
})

export const deleteLinkBlueprint = endpoint('deleteLinkBlueprint', 'DELETE /link-blueprints/:id', {
  summary: 'Delete a link blueprint; its links still redirect visitors',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'link-blueprint',
  status: 204,
})

export const TestedLink = z.strictObject({ destinationUrl: WebAddress, parameterName: ParameterName.optional() })
export type TestedLink = z.infer<typeof TestedLink>

/** `status` is the destination's HTTP status; unknown values are null. */
export const LinkTest = z
  .object({
    reachable: z.boolean(),
    status: z.int().nullable(),
    redirectsTo: z.string().nullable(),
    parameterKept: z.boolean().nullable(),
  })
  .meta({ id: 'LinkTest' })
export type LinkTest = z.infer<typeof LinkTest>

export const testLink = endpoint('testLink', 'POST /accounts/:id/link-blueprints/test', {
  summary: 'Check that a destination responds and keeps the referral code',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: TestedLink,
  reply: LinkTest,
  transaction: 'own',
})

/**
 * A link of a partner: its template's own, or one that the partner added (`own`), which has an `id`. The figures of own
 * links are part of their template's. `revenue`, in the account's currency, is null for a partner who may not see amounts.
 */
const linkFields = {
  id: Id.nullable(),
  own: z.boolean(),
  name: z.string(),
  destinationUrl: z.string(),
  subId: z.string().nullable(),
  url: z.string(),
  shortUrl: z.string(),
  clicks: z.int(),
  leads: z.int(),
  sales: z.int(),
  revenue: Amount.nullable(),
}

/** A partner's link, in the list of its template. */
export const BlueprintLink = z
  .object({ partnerId: Id, displayName: z.string(), ...linkFields })
  .meta({ id: 'BlueprintLink' })
export type BlueprintLink = z.infer<typeof BlueprintLink>

/** A link, in the list of its partner; `domains` are the hosts that own links of its template may lead to. */
export const PartnerLink = z
  .object({ blueprintId: Id, ...linkFields, domains: z.array(z.string()) })
  .meta({ id: 'PartnerLink' })
export type PartnerLink = z.infer<typeof PartnerLink>

const LinkCounts = z
  .object({ clicks: z.int(), leads: z.int(), sales: z.int(), revenue: Amount })
  .meta({ id: 'LinkCounts' })

/** The part of a template's figures that its listed links don't have, whatever the filters. */
export const UnlistedLinks = z
  .object({ archivedPartners: LinkCounts, noPartner: LinkCounts })
  .meta({ id: 'UnlistedLinks' })
export type UnlistedLinks = z.infer<typeof UnlistedLinks>

export const listBlueprintLinks = endpoint('listBlueprintLinks', 'GET /link-blueprints/:id/links', {
  summary:
    'List every partner’s link from this blueprint, or with own=true the links that partners added; `unlisted` counts what no listed partner’s link has',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'link-blueprint',
  query: listQuery({ partnerId: anyId, own: flag }, ['name', 'clicks', 'leads', 'sales']),
  reply: pageSchema(BlueprintLink).extend({ unlisted: UnlistedLinks }),
})

export const downloadBlueprintLinks = csvEndpoint(listBlueprintLinks, {
  summary: 'Download every partner’s link from this blueprint',
  file: 'links',
})

export const listPartnerLinks = endpoint('listPartnerLinks', 'GET /partners/:id/links', {
  summary: 'List a partner’s enabled links, with own=true only those the partner added',
  allow: [...rights.read, ...rights.partner, 'partners'],
  tool: true,
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery({ own: flag }, ['name', 'clicks', 'leads', 'sales']),
  reply: pageSchema(PartnerLink),
})

export const downloadPartnerLinks = csvEndpoint(listPartnerLinks, {
  summary: 'Download the links of a partner',
  file: 'links',
})

const ownLinkFields = {
  name: requiredText(60),
  destinationUrl: WebAddress,
  subId: optionalText(SUB_ID_LENGTH).optional(),
}

/** Without `blueprintId` the template that fits the page best is used: of those on its host, the longest path decides. */
export const NewPartnerLink = z.strictObject({ ...ownLinkFields, blueprintId: Id.nullish() })
export type NewPartnerLink = z.infer<typeof NewPartnerLink>

/** Fields left out keep their value. */
export const PartnerLinkChange = z.strictObject(ownLinkFields).partial()
export type PartnerLinkChange = z.infer<typeof PartnerLinkChange>

const whoseOwnLinks = [...rights.earn, ...rights.partner, 'partners'] as const

export const createPartnerLink = endpoint('createPartnerLink', 'POST /partners/:id/links', {
  summary: 'Add a link of the partner’s own to a page of the program',
  allow: whoseOwnLinks,
  inPortal: true,
  limit: apiLimit,
  subject: 'partner',
  body: NewPartnerLink,
  status: 201,
  reply: PartnerLink,
})

export const changePartnerLink = endpoint('changePartnerLink', 'PUT /partner-links/:id', {
  summary: 'Update a link that a partner added; only new clicks are affected',
  allow: whoseOwnLinks,
  inPortal: true,
  limit: apiLimit,
  subject: 'partner-link',
  body: PartnerLinkChange,
  reply: PartnerLink,
})

export const deletePartnerLink = endpoint('deletePartnerLink', 'DELETE /partner-links/:id', {
  summary: 'Delete a link that a partner added; it still redirects visitors and credits the partner',
  allow: whoseOwnLinks,
  inPortal: true,
  limit: apiLimit,
  subject: 'partner-link',
  status: 204,
})
