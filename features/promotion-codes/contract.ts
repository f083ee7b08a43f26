import { z } from 'zod'
import { csvEndpoint } from '#contract/csv.ts'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Events, Refusals } from '#contract/feature-parts.ts'
import { Amount, anyId, anyOf, Id, Instant, listQuery, pageSchema, requiredText } from '#contract/values.ts'

/**
 * A discount code of the shop that credits the partner when a buyer enters it: as buyers type it, or the payment
 * provider's ID for it. Unique to one partner, ignoring case.
 */
export const PromotionCode = z
  .object({ id: Id, partnerId: Id, code: z.string(), createdAt: Instant })
  .meta({ id: 'PromotionCode' })
export type PromotionCode = z.infer<typeof PromotionCode>

export const NewPromotionCode = z.strictObject({
  code: requiredText(100).refine((code) => !/\p{Cc}/u.test(code), 'Enter the code on one line'),
})
export type NewPromotionCode = z.infer<typeof NewPromotionCode>

export const listPromotionCodes = endpoint('listPromotionCodes', 'GET /partners/:id/promotion-codes', {
  tag: 'partners',
  summary: 'List a partner’s promotion codes',
  allow: [...rights.read, ...rights.partner, 'partners'],
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery({}, ['code']),
  reply: pageSchema(PromotionCode),
})

export const downloadPromotionCodes = csvEndpoint(listPromotionCodes, {
  summary: 'Download the promotion codes of a partner',
  file: 'promotion-codes',
})

export const addPromotionCode = endpoint('addPromotionCode', 'POST /partners/:id/promotion-codes', {
  tag: 'partners',
  summary: 'Credit a partner for sales with a promotion code; only new sales are affected',
  allow: [...rights.earn, 'partners'],
  limit: apiLimit,
  subject: 'partner',
  body: NewPromotionCode,
  status: 201,
  reply: PromotionCode,
})

export const deletePromotionCode = endpoint('deletePromotionCode', 'DELETE /partners/:id/promotion-codes/:codeId', {
  tag: 'partners',
  summary: 'Stop crediting a partner for a promotion code; existing sales keep their credit',
  allow: [...rights.earn, 'partners'],
  limit: apiLimit,
  subject: 'partner',
  params: z.strictObject({ id: Id, codeId: Id }),
  status: 204,
})

/** `entered` by a person or a system, or made at the provider. */
export const promotionCodeSources = ['entered', 'stripe', 'shopify', 'woocommerce'] as const
/**
 * `waiting`: the provider has yet to make the code, or to turn it on or off. `paused`: its partner is suspended or
 * archived. `failed`: the provider refused to make it.
 */
export const promotionCodeStates = ['active', 'waiting', 'paused', 'failed'] as const

/**
 * A promotion code with the sales that used it, whichever partner they credit. `revenue` is net of refunds, in the
 * account’s currency; `stateReason` is why a code waits or failed.
 */
export const ListedPromotionCode = PromotionCode.extend({
  partnerName: z.string(),
  source: z.enum(promotionCodeSources),
  state: z.enum(promotionCodeStates),
  stateReason: z.string().nullable(),
  sales: z.int(),
  revenue: Amount,
  currency: z.string(),
  lastUsedAt: Instant.nullable(),
}).meta({ id: 'ListedPromotionCode' })
export type ListedPromotionCode = z.infer<typeof ListedPromotionCode>

export const listAllPromotionCodes = endpoint('listAllPromotionCodes', 'GET /accounts/:id/promotion-codes', {
  tag: 'partners',
  summary: 'List the promotion codes of all partners with the sales that used them',
  allow: [...rights.read, 'partners'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ partnerId: anyId, source: anyOf(promotionCodeSources), state: anyOf(promotionCodeStates) }, [
    'code',
    'sales',
    'revenue',
    'lastUsedAt',
  ]),
  reply: pageSchema(ListedPromotionCode),
})

export const downloadAllPromotionCodes = csvEndpoint(listAllPromotionCodes, {
  summary: 'Download the promotion codes of all partners',
  file: 'promotion-codes',
})

export const AssignedPromotionCode = NewPromotionCode.extend({ partnerId: Id })
export type AssignedPromotionCode = z.infer<typeof AssignedPromotionCode>

export const assignPromotionCode = endpoint('assignPromotionCode', 'POST /accounts/:id/promotion-codes', {
  tag: 'partners',
  summary: 'Credit one of the partners for sales with a promotion code; only new sales are affected',
  allow: [...rights.earn, 'partners'],
  limit: apiLimit,
  subject: 'account',
  body: AssignedPromotionCode,
  status: 201,
  reply: PromotionCode,
})

/** `offered`: the partner has no code and may request one; `waiting`: theirs is being made. */
export const PromotionCodeOffer = z
  .object({ offered: z.boolean(), waiting: z.boolean() })
  .meta({ id: 'PromotionCodeOffer' })
export type PromotionCodeOffer = z.infer<typeof PromotionCodeOffer>

export const getCodeOffer = endpoint('getCodeOffer', 'GET /partners/:id/promotion-code-offer', {
  tag: 'payment-providers',
  summary: 'Tell whether a partner may ask for a promotion code',
  allow: [...rights.read, ...rights.partner],
  inPortal: true,
  limit: apiLimit,
  subject: 'partner',
  reply: PromotionCodeOffer,
})

export const requestPromotionCode = endpoint('requestPromotionCode', 'POST /partners/:id/promotion-code-offer', {
  tag: 'payment-providers',
  summary: 'Ask for a promotion code, which is made at the provider in the background',
  allow: rights.partner,
  inPortal: true,
  limit: { perMinute: 10, by: 'token' },
  subject: 'partner',
  status: 202,
  reply: PromotionCodeOffer,
})

export const retryPromotionCode = endpoint('retryPromotionCode', 'POST /partners/:id/promotion-codes/:codeId/retries', {
  tag: 'payment-providers',
  summary: 'Try again to make a promotion code at the provider',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'partner',
  params: z.strictObject({ id: Id, codeId: Id }),
  status: 202,
  reply: PromotionCode,
})

export const events = {
  'promotion-code.added': { object: PromotionCode, description: 'A partner got a promotion code.' },
  'promotion-code.removed': { object: PromotionCode, description: 'A promotion code no longer credits its partner.' },
} satisfies Events

export const recordedEvents = {
  'partner.promotion-code-added': 'partner',
  'partner.promotion-code-deleted': 'partner',
} as const

export const refusals = {
  code_not_failed: ['invalid_state', 'This promotion code has not failed.'],
  code_not_offered: ['invalid_state', 'Promotion codes aren’t available here. Ask the program for one.'],
  promotion_code_listed: ['duplicate', 'This partner already has this promotion code.'],
  promotion_code_taken: ['duplicate', 'This promotion code belongs to {{partner}}.'],
} as const satisfies Refusals
