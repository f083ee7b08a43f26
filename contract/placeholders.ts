// Placeholders in braces in an account's texts, filled in for each partner.

const PLACEHOLDER = /\{([A-Za-z]\w*)\}/g

/** Returns the first word in braces that is none of these. */
export const unknownPlaceholder = (text: string, known: readonly string[]): string | undefined =>
  Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name!).find((name) => !known.includes(name))

/** Fills the placeholders of a text, each once: what a value contains is no placeholder. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(PLACEHOLDER, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))

/** The words as a sentence names them: '{link}, {code} and {firstName}'. */
export function placeholdersInWords(names: readonly string[]) {
  const last = names.at(-1)
  const others = names.slice(0, -1).map((name) => `{${name}}`)
  return others.length > 0 ? `${others.join(', ')} and {${last}}` : `{${last}}`
}
