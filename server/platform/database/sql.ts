/** A piece of SQL with its values; pieces nest, values never enter the text. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

/** A piece that has the same text whatever its values, so that a statement which holds it has one of few texts. */
export class OneText extends Sql {
  constructor({ strings, values }: Sql) {
    super(strings, values)
  }
}

export const sql = (strings: TemplateStringsArray, ...values: unknown[]) => new Sql(strings, values)

/** Pieces joined by a separator written in the code, such as ` and `. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  const [first, ...rest] = pieces
  if (!first) return empty
  return rest.reduce((all, piece) => new Sql(['', separator, ''], [all, piece]), first)
}

export const empty = new Sql([''], [])

/** Text written in the code, such as a column's name from a fixed list. Never anything a person typed. */
export const raw = (text: string) => new Sql([text], [])

/** The text with $1, $2 … and the values in their order. */
export function compile({ strings, values }: Sql): { text: string; values: unknown[] } {
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
