import type { Services } from '../../platform/services.ts'
import { type PaidBefore, PaymentProviderError, type ProviderAdapter } from './provider.ts'
import type { ConnectionRow } from './queries.ts'
import { getProviderAccess, openCredentials } from './secrets.ts'

/** A booking needs the provider's answer about a customer first: what it did is rolled back meanwhile. */
class Unasked extends Error {
  readonly customerId: string
  readonly before: Date
  constructor(customerId: string, before: Date) {
    super('The provider must be asked about a customer first.')
    this.customerId = customerId
    this.before = before
  }
}

/** A booking, as far as its provider can be asked. */
type Askable = { adapter: ProviderAdapter; isTest?: boolean; paidBefore?: PaidBefore }

/** A booking, and the way to run its transactions. */
export type Asking<B> = { booking: B; run<T>(work: () => Promise<T>): Promise<T> }

/**
 * Returns the booking with the provider's answers about its customers, and runs its transactions: each again once a
 * question that it met is answered, since no transaction waits for a provider. `run` throws ProviderError without an
 * answer.
 */
export function askingFirst<B extends Askable>(
  services: Services,
  booking: B,
  connection: ConnectionRow | undefined,
): Asking<B> {
  const { paidBefore } = booking.adapter
  const credentials = connection && openCredentials(services.secrets, connection)
  if (!paidBefore || !credentials || booking.isTest) return { booking, run: (work) => work() }
  const answers = new Map<string, boolean>()
  const known: PaidBefore = (customerId, before) => {
    const answer = answers.get(customerId)
    if (answer === undefined) throw new Unasked(customerId, before)
    return answer
  }
  const ask = ({ customerId, before }: Unasked) =>
    paidBefore(credentials, getProviderAccess(services, booking.adapter.provider), customerId, before).catch(
      (error) => {
        // a customer whom the provider does not know has not paid there
        if (error instanceof PaymentProviderError && error.kind === 'missing') return false
        throw error
      },
    )
  return {
    booking: { ...booking, paidBefore: known },
    async run(work) {
      for (;;) {
        try {
          return await work()
        } catch (error) {
          if (!(error instanceof Unasked)) throw error
          answers.set(error.customerId, await ask(error))
        }
      }
    },
  }
}
