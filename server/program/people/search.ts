/** Values by which copies of a person are found in texts that no id links. */
export type Search = {
  /** E-mails, phones and external ids. */
  values: string[]
  /** Names, for what people read: other people may share them. */
  names: string[]
}

const escaped = (text: string) => text.toLowerCase().replace(/[\\^$.|?*+()[\]{}-]/g, '\\$&')

/**
 * A regular expression, the same in PostgreSQL and JavaScript, for lower-cased text with one of the values as a whole,
 * also as an address writes it. Null for no values.
 */
export function patternOf(values: readonly string[]): string | null {
  const all = new Set(
    values
      .filter((value) => value.trim().length > 2)
      .flatMap((value) => [escaped(value), escaped(encodeURIComponent(value))]),
  )
  return all.size === 0 ? null : `(?<![a-z0-9._+-])(?:${[...all].join('|')})(?![a-z0-9-]|\\.[a-z0-9])`
}

/** Like `patternOf`, with the names. */
export const patternWithNames = ({ values, names }: Search) => patternOf([...values, ...names])
