import type { Json } from '#contract/payload-paths.ts'

const SECRET = /passw|secret|authorization|api[-_]?key|access[-_]?token|card[-_]?(number|cvc|cvv)|^cvv$|^cvc$|iban|ssn/i
const HIDDEN = '•••'

/** Without what looks like a secret by its key: it is never kept. */
export function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      SECRET.test(key) && inner !== null ? HIDDEN : withoutSecrets(inner),
    ]),
  )
}
