import { defineList } from '#web/lists/list-of.ts'
import { readsOfList } from '#web/shared/roles.ts'
import { listAllPromotionCodes } from '../contract.ts'

/** Poll interval while a code is being made. */
const AGAIN_MS = 5000

/** The promotion codes of all partners. */
export const allPromotionCodes = defineList(listAllPromotionCodes, 'promotion-codes', {
  filters: ['partnerId', 'source', 'state'],
  again: (page) => page?.items.some(({ state }) => state === 'waiting') && AGAIN_MS,
})

export const readsOfPromotionCodes = readsOfList(allPromotionCodes)
