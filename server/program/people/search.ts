/** Values by which copies of a person are found in texts that no id links. */
export type Search = {
  /** E-mails, phones and external ids that no other text is likely to equal. */
  values: string[]
  /** All other external ids, such as '1001', which an amount or another thing's number may equal. */
  ids: string[]
  /** Names, for the account's mails alone: other people may share them. */
  names: string[]
}

/** Divides external ids into those that are found wherever they occur, and others. */
export const isTelling = (externalId: string) =>
  externalId.length > 5 && /[a-z]/i.test(externalId) && /\d/.test(externalId)

const escaped = (text: string) => text.toLowerCase().replace(/[\\^$.|?*+()[\]{}-]/g, '\\$&')

/** Also as an address writes them. */
const anyOf = (values: readonly string[]) =>
  [...new Set(values.flatMap((value) => [escaped(value), escaped(encodeURIComponent(value))]))].join('|')

/**
 * A regular expression, the same in PostgreSQL and JavaScript, for lower-cased text with one of the values as a whole,
 * or with one of the ids in a field that is named as one: `"customer_id": "1001"`. Null for neither.
 */
export function patternOf({ values, ids }: Pick<Search, 'values' | 'ids'>): string | null {
  const long = values.filter((value) => value.trim().length > 2)
  const parts = [
    long.length > 0 && `(?<![a-z0-9._+-])(?:${anyOf(long)})(?![a-z0-9-]|\\.[a-z0-9])`,
    ids.length > 0 && `(?:id|ref|reference|number|customer)"?\\s*[:=]\\s*"?(?:${anyOf(ids)})(?![a-z0-9._-])`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : parts.join('|')
}

/** Like `patternOf`, with the names and without ids. */
export const patternWithNames = ({ values, names }: Search) => patternOf({ values: [...values, ...names], ids: [] })
