import { createHash } from 'node:crypto'
import { jsonIn, moment, object, text } from '../parse-values.ts'
import { PaymentProviderError, type ReceivedEvent } from '../provider.ts'
import { idOf } from './objects.ts'

/**
 * Parses an event. It has no id, so identical text is the same event; its name is taken from the body, as the header
 * with it is not signed.
 */
export function readEvent(body: string): ReceivedEvent {
  const { meta, data } = object(jsonIn(body))
  const { attributes, id } = object(data)
  const { updated_at, created_at, store_id, test_mode } = object(attributes)
  const type = text(object(meta).event_name)
  const at = moment(updated_at) ?? moment(created_at)
  if (!type || !at || !idOf(id)) throw new PaymentProviderError('invalid', 'This isn’t a Lemon Squeezy event.')
  const isTest = test_mode ?? object(meta).test_mode
  return {
    id: createHash('sha256').update(body).digest('hex'),
    ...{ type, at, body, account: idOf(store_id) },
    livemode: typeof isTest === 'boolean' ? !isTest : null,
  }
}
