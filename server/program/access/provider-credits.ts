import type { Services } from '../../platform/services.ts'

type AtProvider = { accountId: string; connectionId: string }

/** Calls of payment providers about their customers' credit. */
export type ProviderCredits = {
  /** Refuses: a connection that the account doesn't have, or whose provider or key can't add credit. */
  checkRight(services: Services, at: AtProvider): Promise<void>
  /** Refuses: a customer that the provider doesn't have. */
  checkCustomer(services: Services, at: AtProvider & { customerId: string }): Promise<void>
}

let calls: ProviderCredits | null = null

/** Sets the calls at start: payment providers are known above the program alone. */
export function setProviderCredits(given: ProviderCredits) {
  calls = given
}

export function getProviderCredits(): ProviderCredits {
  if (!calls) throw new Error('no payment provider was started')
  return calls
}
