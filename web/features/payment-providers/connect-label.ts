import type { AvailableProvider } from '#contract/payment-providers.ts'
import { paymentProviderWords as words } from '../../words/payment-providers.ts'

/** Returns 'Connect Stripe', or 'Set up custom integration'. */
export const connectLabel = ({ provider, name }: Pick<AvailableProvider, 'provider' | 'name'>) =>
  provider === 'generic' ? words.setUpGeneric : words.connect({ provider: name })
