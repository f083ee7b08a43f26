import { feature } from '#server/feature.ts'
import { providerCredits } from '#server/integrations/payment-providers/credits.ts'
import { setProviderCredits } from '#server/program/access/provider-credits.ts'
import { addCredits } from './add-credit.ts'
import { giveRewards } from './give-rewards.ts'

setProviderCredits(providerCredits)

export const rewards = feature({
  clocks: {
    'give-rewards': { cron: '10,40 * * * *', retryLimit: 3, run: giveRewards },
    'add-credits': { cron: '* * * * *', retryLimit: 0, run: addCredits },
  },
})
