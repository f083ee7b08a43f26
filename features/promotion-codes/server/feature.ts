import { feature } from '#server/feature.ts'
import { describeEvent } from '#server/integrations/outgoing-webhooks/describe-event.ts'
import { codeListener, makeDueCodes } from './make-codes.ts'
import { addPromotionCode } from './promotion-codes.ts'

export const promotionCodes = feature({
  clocks: { 'make-codes': { cron: '* * * * *', retryLimit: 0, run: makeDueCodes } },
  listeners: [codeListener],
  messages: [
    describeEvent('promotion-code.added', ({ code, partnerId }) => ({
      facts: [['Code', code]],
      screen: `/partners/${partnerId}`,
    })),
  ],
  importedPartners: [
    async ({ tx, by, account }, partnerId, { promotionCodes }) => {
      for (const code of promotionCodes) await addPromotionCode(tx, by, account, partnerId, { code })
    },
  ],
})
