import { createHash } from 'node:crypto'
import { ProviderError, type ProviderEvent } from '../provider.ts'
import { jsonIn, moment, object, text } from '../reading.ts'
import { idOf } from './objects.ts'

/**
 * An event as Lemon Squeezy sends it. It has no id, so the same text is the same event; its name also stands in a header,
 * which nobody signed.
 */
export function readEvent(body: string): ProviderEvent {
  const { meta, data } = object(jsonIn(body))
  const { attributes, id } = object(data)
  const { updated_at, created_at, store_id, test_mode } = object(attributes)
  const type = text(object(meta).event_name)
  const at = moment(updated_at) ?? moment(created_at)
  if (!type || !at || !idOf(id)) throw new ProviderError('invalid', "This isn't a Lemon Squeezy event.")
  const isTest = test_mode ?? object(meta).test_mode
  return {
    id: createHash('sha256').update(body).digest('hex'),
    ...{ type, at, body, account: idOf(store_id) },
    livemode: typeof isTest === 'boolean' ? !isTest : null,
  }
}
