/** A piece of SQL with its values; pieces nest, values never become part of the text. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

export const sql = (strings: TemplateStringsArray, ...values: unknown[]) => new Sql(strings, values)

/** Joins pieces by a separator written in the code, such as ` and `. */
export function joinSql(pieces: readonly Sql[], separator: string): Sql {
  const [first, ...rest] = pieces
  if (!first) return empty
  return rest.reduce((all, piece) => new Sql(['', separator, ''], [all, piece]), first)
}

export const empty = new Sql([''], [])

/** Text written in the code, such as a column's name from a fixed list. Never user input. */
export const rawSql = (text: string) => new Sql([text], [])

/** Returns the text with $1, $2 … and the values in order. */
export function compileSql({ strings, values }: Sql): { text: string; values: unknown[] } {
  const out: unknown[] = []
  const write = (strings: readonly string[], values: readonly unknown[]): string => {
    let text = strings[0] ?? ''
    values.forEach((value, index) => {
      if (value instanceof Sql) text += write(value.strings, value.values)
      else {
        out.push(value === undefined ? null : value)
        text += `$${out.length}`
      }
      text += strings[index + 1]
    })
    return text
  }
  return { text: write(strings, values), values: out }
}
