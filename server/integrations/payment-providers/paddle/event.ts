import { jsonIn, moment, object, text } from '../parse-values.ts'
import { PaymentProviderError, type ReceivedEvent } from '../provider.ts'

/**
 * Parses an event as sent and listed by Paddle. It contains neither seller nor mode: both have addresses of their own.
 */
export function readEvent(body: string): ReceivedEvent {
  const { event_id, event_type, occurred_at } = object(jsonIn(body))
  const [id, type, at] = [text(event_id), text(event_type), moment(occurred_at)]
  if (!id || !type || !at) throw new PaymentProviderError('invalid', 'This isn’t a Paddle event.')
  return { id, type, at, account: null, livemode: null, body }
}
