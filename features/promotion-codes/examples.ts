import type { ExamplesOf } from '#contract/examples/example.ts'
import { ids, onlyPage, partner } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

const promotionCode: room.PromotionCode = {
  id: ids.promotionCode,
  partnerId: ids.partner,
  code: 'JANE20',
  createdAt: '2026-07-21T15:20:00.000Z',
}

export const calls: ExamplesOf<typeof room> = {
  listPromotionCodes: { reply: onlyPage(promotionCode) },
  addPromotionCode: {
    refused: ['erased', 'promotion_code_listed', 'promotion_code_taken'],
    body: { code: promotionCode.code },
    reply: promotionCode,
  },
  deletePromotionCode: { params: { codeId: ids.promotionCode } },
  listAllPromotionCodes: {
    reply: onlyPage({
      ...promotionCode,
      partnerName: partner.displayName,
      source: 'entered',
      state: 'active',
      stateReason: null,
      sales: 12,
      revenue: 588_00,
      currency: 'usd',
      lastUsedAt: '2026-08-03T09:12:00.000Z',
    }),
  },
  assignPromotionCode: {
    refused: ['erased', 'promotion_code_listed', 'promotion_code_taken', 'unknown_partner'],
    body: { partnerId: ids.partner, code: promotionCode.code },
    reply: promotionCode,
  },
  getCodeOffer: { reply: { offered: true, waiting: false } },
  requestPromotionCode: { refused: ['code_not_offered'], reply: { offered: false, waiting: true } },
  retryPromotionCode: {
    refused: ['code_not_failed'],
    params: { codeId: ids.promotionCode },
    reply: promotionCode,
  },
}

export const events = { 'promotion-code.added': promotionCode, 'promotion-code.removed': promotionCode }
