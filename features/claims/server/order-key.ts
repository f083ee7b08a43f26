/** Returns an order ID as it is compared: without case, spaces at the ends and a leading number sign. */
export const toOrderKey = (orderId: string) => bare(orderId).toLowerCase()

/** Returns the ways in which other systems may write this order ID. */
export function orderIdSpellings(orderId: string): string[] {
  const without = bare(orderId)
  const cased = [orderId.trim(), without, without.toLowerCase(), without.toUpperCase()]
  return [...new Set([...cased, ...cased.map((id) => `#${bare(id)}`)])]
}

/** Whether a text contains the order ID as a whole word. */
export function holdsOrder(text: string, orderId: string): boolean {
  const key = toOrderKey(orderId)
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(key); at >= 0; at = lower.indexOf(key, at + 1))
    if (!isPart(lower[at - 1]) && !isPart(lower[at + key.length])) return true
  return false
}

const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_-]/u.test(character)
const bare = (orderId: string) => orderId.trim().replace(/^#+\s*(?=\S)/, '')
