import { paymentProviderNames } from '#contract/sales.ts'
import { presentConnection } from '../../payment-providers/present-connections.ts'
import { type Composer, subjectsOf } from './composer.ts'

export const composeProviderAttention: Composer<'provider-attention'> = async (gathered) => {
  const { db, account, appUrl } = gathered
  const all = await Promise.all(subjectsOf(gathered).map((id) => presentConnection(db, account.id, id)))
  const connections = all
    .filter(({ state }) => state === 'attention')
    .map(({ provider, accountName, stateReason }) => ({
      provider: paymentProviderNames[provider],
      name: accountName,
      reason: stateReason ?? '',
    }))
  if (connections.length === 0) return null
  return { accountName: account.name, connections, url: `${appUrl}/integrations/payment-providers` }
}
