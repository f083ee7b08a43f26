import { MOST_CODE_LENGTH, type PromotionCodeRule } from '#contract/payment-providers.ts'

type Named = { firstName: string | null; lastName: string | null; referralCode: string }

/**
 * Returns a candidate of a pattern for a partner, the first at turn 0: A–Z, a–z and 0–9, at most 20 of them. A pattern
 * without `{number}` gets one from the second on. The numbers stay whole, whatever else is cut off.
 */
export function buildCodeCandidate(
  { pattern }: Pick<PromotionCodeRule, 'pattern'>,
  partner: Named,
  turn: number,
): string {
  const hasNumber = pattern.includes('{number}')
  const number = String(turn + 1)
  const whole = withRoomFor(number, hasNumber || turn === 0 ? pattern : `${pattern}{number}`)
  const numbered = whole.replaceAll('{number}', number)
  const names = numbered.split('{name}').length - 1
  if (names === 0) return numbered.slice(0, MOST_CODE_LENGTH)
  const room = Math.floor((MOST_CODE_LENGTH - numbered.replaceAll('{name}', '').length) / names)
  return numbered.replaceAll('{name}', plain(partner).slice(0, Math.max(0, room))) || `P${turn + 1}`
}

/** Cuts as many characters off the ends of a pattern's own words as its numbers need. */
function withRoomFor(number: string, pattern: string): string {
  const numbered = pattern.replaceAll('{name}', '').replaceAll('{number}', number)
  let surplus = Math.max(0, numbered.length - MOST_CODE_LENGTH)
  const cut = (part: string) => {
    const kept = part.startsWith('{') ? part : part.slice(0, Math.max(0, part.length - surplus))
    surplus -= part.length - kept.length
    return kept
  }
  return pattern
    .split(/(\{\w+\})/)
    .map(cut)
    .join('')
}

/** The first name in capitals without accents; else the last name, or the referral code. */
function plain({ firstName, lastName, referralCode }: Named): string {
  const letters = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/ß/g, 'ss')
      .replace(/[^A-Za-z0-9]/g, '')
      .toUpperCase()
  return [firstName, lastName, referralCode].map((text) => letters(text ?? '')).find((text) => text !== '') ?? 'PARTNER'
}
