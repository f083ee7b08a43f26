import type { PaymentProvider } from '#contract/sales.ts'
import type { Secrets } from '../../platform/database/secrets.ts'

/** Returns a hash that is equal for the same card at a provider of an account; the fingerprint can't be read from it. */
export const cardHash = (secrets: Secrets, accountId: string, provider: PaymentProvider, fingerprint: string): Buffer =>
  Buffer.from(secrets.derive('payment-card', `${accountId}.${provider}.${fingerprint}`), 'base64url')
