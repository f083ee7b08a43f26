/** Values by which copies of a person are found in texts that no id links. */
export type Search = {
  /** E-mails, phones and external ids. */
  values: string[]
  /** Names, for what people read: other people may share them. */
  names: string[]
}

const escaped = (text: string) => text.replace(/[\\^$.|?*+()[\]{}-]/g, '\\$&')

/** The values in lower case, also as an address writes them. */
const textsOf = (values: readonly string[]) => [
  ...new Set(
    values
      .filter((value) => value.trim().length > 2)
      .flatMap((value) => [value.toLowerCase(), encodeURIComponent(value).toLowerCase()]),
  ),
]

/**
 * A regular expression, the same in PostgreSQL and JavaScript, for lower-cased text with one of the values as a whole,
 * also as an address writes it. Null for no values.
 */
export function patternOf(values: readonly string[]): string | null {
  const all = textsOf(values).map(escaped)
  return all.length === 0 ? null : `(?<![a-z0-9._+-])(?:${all.join('|')})(?![a-z0-9-]|\\.[a-z0-9])`
}

/** Patterns of `like` that find every text with one of the values: five times as fast as the regular expression. */
export const likesOf = (values: readonly string[]) =>
  textsOf(values).map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`)
