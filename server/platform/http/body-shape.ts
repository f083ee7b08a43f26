import { formatNumber } from '#contract/format.ts'
import { refusal } from '../refusal.ts'

const MAX_DEPTH = 20
/** Most values of a body, unless its call declares another number. */
export const MAX_VALUES = 500
/** Most values of a provider's signed event, which may be long. */
export const MAX_EVENT_VALUES = 20_000

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Scans the bytes of a JSON body before parsing: many small parts cost far more to validate and refuse than to send. A
 * value is a field of an object or an item of a list, at any depth.
 * Refuses: `malformed_request` for more than 20 levels, or more than `maxValues`.
 */
export function checkShape(body: Uint8Array, maxValues = MAX_VALUES) {
  let depth = 0
  let values = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === QUOTE) at = endOfText(body, at)
    else if (byte === COMMA) values++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      if (++depth > MAX_DEPTH) throw refusal('body_too_deep')
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (values > maxValues) throw refusal('too_many_values', { max: formatNumber(maxValues) })
  }
}

function endOfText(body: Uint8Array, start: number) {
  let at = start + 1
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
  return at
}
