import { formatNumber } from '#contract/format.ts'
import { refusal } from '../refusal.ts'

const MAX_DEPTH = 20
/** Most values of a body, unless its call declares another number. */
export const MAX_VALUES = 500
/** Most values of a provider's signed event, which may be long. */
export const MAX_EVENT_VALUES = 20_000
/** Most bytes of a field's name: V8 gives names beyond 16,383 characters one hash, and compares each with all others. */
export const MAX_NAME_BYTES = 10_000
/** Most escapes of a body; a file of 28 MB whose characters are all escaped has fewer. Each costs a text's reader more. */
export const MAX_ESCAPES = 5_000_000

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Scans the bytes of a JSON body before parsing: many small parts cost far more to validate and refuse than to send. A
 * value is a field of an object or an item of a list, at any depth.
 * Refuses: `malformed_request` for more than 20 levels, `maxValues` or 5,000,000 escapes, and for names of fields of
 * more than 10,000 bytes.
 */
export function checkShape(body: Uint8Array, maxValues = MAX_VALUES) {
  let depth = 0
  let values = 0
  let escapes = 0
  let isLongText = false
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === QUOTE) {
      const start = at++
      for (; at < body.length && body[at] !== QUOTE; at++)
        if (body[at] === BACKSLASH) {
          escapes++
          at++
        }
      isLongText = at - start > MAX_NAME_BYTES
      if (escapes > MAX_ESCAPES) throw refusal('too_many_escapes', { max: formatNumber(MAX_ESCAPES) })
    } else if (byte === COLON && isLongText) throw refusal('field_name_too_long', { max: formatNumber(MAX_NAME_BYTES) })
    else if (byte === COMMA) values++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      if (++depth > MAX_DEPTH) throw refusal('body_too_deep')
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (values > maxValues) throw refusal('too_many_values', { max: formatNumber(maxValues) })
  }
}
