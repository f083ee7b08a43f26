import { type Json, writtenPath } from '#contract/payload-paths.ts'

const SECRET = /passw|secret|authorization|api[-_]?key|access[-_]?token|card[-_]?(number|cvc|cvv)|^cvv$|^cvc$|iban/i
/** A social security number by its own word, unlike in `businessName`. */
const SSN = /(?<![A-Za-z])ssn(?![a-z])|(?<![A-Z])(?:SSN|Ssn)(?![a-z])/
/** Says of a secret whether there is one. */
const FLAG = /^(?:true|false)$/i
/** Mostly a secret; some senders use it for an id. */
const TOKEN = /(?:^|[-_])token$|[a-z]Token$/i

export const HIDDEN = '•••'

/** Keys anywhere in a text, by their issuers' prefixes. */
const KEYS = [
  /(?<![\w-])(?:[srp]k_(?:live|test)_|whsec_|tpk_|tut_|tpp_|tpl_|gh[opsur]_|github_pat_|xox[abprs]-|AKIA|AIza)[\w+/=-]{8,}/g,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /(?<![\w-])(?:Bearer|Basic) [\w.~+/=-]{8,}/gi,
  /(?<=(?<![\w-])(?:password|passwd|secret|token|api[-_]?key)["']?[=:] ?["']?)[^\s"'&,;]{3,}/gi,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END|$)/g,
]
/** Digits in the form of card numbers, in one piece or in groups; or a UUID, whose digits are none. */
const CARD = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})|(?<![\d.-])(?:\d[ -]?){12,18}\d(?![\d.-])/gi
/** First digits of Visa, Mastercard, American Express, Discover, JCB, Diners Club and UnionPay. */
const ISSUED = /^(?:4|5[1-5]|2[2-7]|3[47]|6011|64[4-9]|65|35|30[0-5]|3[68]|62)/

/**
 * Removes values whose keys name secrets, and keys and card numbers anywhere: they are never stored. `read` are the
 * paths of configured values: a token or a long number there is an id.
 */
export function withoutSecrets(value: Json, read: ReadonlySet<string> = new Set(), keys: string[] = []): Json {
  if (Array.isArray(value)) return value.map((inner, at) => withoutSecrets(inner, read, [...keys, String(at)]))
  if (value === null) return value
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const isSecret =
          SECRET.test(key) || SSN.test(key) || (TOKEN.test(key) && !read.has(writtenPath([...keys, key])))
        const isHidden = isSecret && inner !== null && !FLAG.test(String(inner))
        return [key, isHidden ? HIDDEN : withoutSecrets(inner, read, [...keys, key])]
      }),
    )
  if (typeof value === 'boolean' || read.has(writtenPath(keys))) return value
  const text = String(value)
  const without = KEYS.reduce((rest, key) => rest.replace(key, HIDDEN), text).replace(CARD, (digits, uuid) =>
    !uuid && isCard(digits.replace(/\D/g, '')) ? HIDDEN : digits,
  )
  return without === text ? value : without
}

/** Checks the check digit (Luhn) of card numbers. */
function isCard(digits: string) {
  if (!ISSUED.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const counted = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0
}
