import { jsonIn, object, text } from '../parse-values.ts'
import { PaymentProviderError, type ReceivedEvent } from '../provider.ts'

/** Parses the envelope of an event. Throws ProviderError for anything else. */
export function readEvent(body: string): ReceivedEvent {
  const { id, type, created, livemode, account } = object(jsonIn(body))
  if (typeof id !== 'string' || typeof type !== 'string' || typeof created !== 'number')
    throw new PaymentProviderError('invalid', 'This isn’t a Stripe event.')
  return { id, type, livemode: livemode === true, account: text(account), at: new Date(created * 1000), body }
}
