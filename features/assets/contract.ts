import { z } from 'zod'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Refusals } from '#contract/feature-parts.ts'
import { PICTURE_BYTES, Picture } from '#contract/pictures.ts'
import { Id, Instant, optionalText, requiredText } from '#contract/values.ts'

export const MOST_ASSETS = 100
const LONGEST_ASSET = 5000

/** Words in braces that an asset's text may have: a partner reads their own link, code and first name there. */
export const assetPlaceholders = ['link', 'code', 'firstName'] as const
export type AssetPlaceholder = (typeof assetPlaceholders)[number]

/** `html` is shown as code to copy, and never as a page. */
export const assetKinds = ['image', 'text', 'html'] as const
export const AssetKind = z.enum(assetKinds)
export type AssetKind = z.infer<typeof AssetKind>

/**
 * Material for partners to copy. Images have `imageUrl` and `alt`, the others `body`. `{link}` in it is the partner's
 * link of `blueprintId`, or of the oldest enabled template; with a `groupId` only partners of that group get it.
 */
export const Asset = z
  .object({
    id: Id,
    kind: AssetKind,
    name: z.string(),
    body: z.string().nullable(),
    imageUrl: z.string().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    alt: z.string().nullable(),
    blueprintId: Id.nullable(),
    groupId: Id.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Asset' })
export type Asset = z.infer<typeof Asset>

const assetFields = {
  name: requiredText(60),
  body: requiredText(LONGEST_ASSET).optional(),
  image: Picture(PICTURE_BYTES.asset).optional(),
  alt: optionalText(200).optional(),
  blueprintId: Id.nullish(),
  groupId: Id.nullish(),
}

export const NewAsset = z
  .strictObject({ kind: AssetKind, ...assetFields })
  .refine(({ kind, image }) => kind !== 'image' || image !== undefined, {
    path: ['image'],
    message: 'Choose a picture',
  })
  .refine(({ kind, image }) => kind === 'image' || image === undefined, {
    path: ['image'],
    message: 'Only an image has a picture',
  })
  .refine(({ kind, body }) => kind === 'image' || Boolean(body), { path: ['body'], message: 'Enter a value' })
  .refine(({ kind, body }) => kind !== 'image' || !body, { path: ['body'], message: 'An image has no text' })
export type NewAsset = z.infer<typeof NewAsset>

/** Fields left out keep their value; a replaced picture keeps its address. The kind never changes. */
export const AssetChange = z.strictObject(assetFields).partial()
export type AssetChange = z.infer<typeof AssetChange>

/** An asset as one partner copies it, their own link, code and name filled in. */
export const PartnerAsset = z
  .object({
    id: Id,
    kind: AssetKind,
    name: z.string(),
    text: z.string().nullable(),
    imageUrl: z.string().nullable(),
    html: z.string().nullable(),
  })
  .meta({ id: 'PartnerAsset' })
export type PartnerAsset = z.infer<typeof PartnerAsset>

export const listAssets = endpoint('listAssets', 'GET /accounts/:id/assets', {
  summary: 'List the material for partners',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  reply: z.object({ items: z.array(Asset) }),
})

const MOST_BODY = 1_500_000

export const createAsset = endpoint('createAsset', 'POST /accounts/:id/assets', {
  summary: 'Add an image, a text or HTML for partners to copy',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: NewAsset,
  maxBytes: MOST_BODY,
  status: 201,
  reply: Asset,
})

export const changeAsset = endpoint('changeAsset', 'PUT /assets/:id', {
  summary: 'Update material for partners; a replaced picture keeps its address',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'asset',
  body: AssetChange,
  maxBytes: MOST_BODY,
  reply: Asset,
})

export const deleteAsset = endpoint('deleteAsset', 'DELETE /assets/:id', {
  summary: 'Delete material for partners, and its picture',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'asset',
  status: 204,
})

export const listPartnerAssets = endpoint('listPartnerAssets', 'GET /partners/:id/assets', {
  summary: 'List the material that a partner may copy, with their own link in it',
  tag: 'partners',
  allow: [...rights.read, ...rights.partner],
  inPortal: true,
  limit: apiLimit,
  subject: 'partner',
  reply: z.object({ items: z.array(PartnerAsset) }),
})

export const refusals = {
  field_not_of_kind: ['validation_failed', 'Assets of this kind don’t have this field'],
  too_many_assets: ['invalid_state', 'An account can have at most {{max}} assets. Delete one first.'],
} as const satisfies Refusals

/** Its actions in the activity, each with its kind of object. */
export const recordedEvents = {
  'account.asset-added': 'account',
  'account.asset-updated': 'account',
  'account.asset-deleted': 'account',
} as const

/** In the reference its calls follow those of this group. */
export const listedAfter = 'links'

declare module '#contract/endpoint.ts' {
  interface Subjects {
    asset: 'assets'
  }
}
