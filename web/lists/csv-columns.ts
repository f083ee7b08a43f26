import type { CsvEndpoint } from '#contract/csv.ts'

type Column = { field?: string | undefined; csv?: readonly string[] | undefined }
type Asked = {
  endpoint: Pick<CsvEndpoint, 'columnNames' | 'usualNames'>
  /** The table's columns in order. */
  columns: readonly Column[]
  hidden: readonly string[]
  onlyShown?: boolean | undefined
  /** Columns that the file begins with. */
  first?: readonly string[] | undefined
}

/**
 * Returns the `columns` parameter that gives a list's file the table's columns in the table's order; undefined if these
 * are the default. Columns the table never shows, such as ids, stay where the file has them; `onlyShown` leaves them
 * out except for the id and the currency of shown amounts.
 */
export function columnsOfFile({ endpoint, columns, hidden, onlyShown = false, first = [] }: Asked): string | undefined {
  const { columnNames, usualNames } = endpoint
  const namesOf = ({ field, csv }: Column) =>
    (csv ?? (field ? [field] : [])).filter((name) => columnNames.includes(name))
  const isHidden = ({ field }: Column) => field !== undefined && hidden.includes(field)
  const shown = [...new Set(columns.filter((column) => !isHidden(column)).flatMap(namesOf))]
  const left = columns.filter(isHidden).flatMap(namesOf)
  const held = columnNames.filter(
    (name) =>
      shown.includes(name) ||
      (!left.includes(name) && !hidden.includes(name) && (!onlyShown || name === 'id' || name === 'currency')),
  )
  const inOrder = shown.values()
  const ordered = held.map((name) => (shown.includes(name) ? (inOrder.next().value as string) : name))
  const wanted = [...new Set([...first.filter((name) => held.includes(name)), ...ordered])]
  return wanted.join() === usualNames.join() ? undefined : wanted.join()
}
