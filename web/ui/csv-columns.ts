import type { CsvEndpoint } from '#contract/csv.ts'

type Column = { field?: string | undefined; csv?: readonly string[] | undefined }
type Asked = {
  endpoint: Pick<CsvEndpoint, 'columnNames' | 'usualNames'>
  /** Of the table, in their order. */
  columns: readonly Column[]
  hidden: readonly string[]
  onlyShown?: boolean | undefined
}

/**
 * What a list's file is asked for, so that its columns are those of the table in the table's order: undefined where these
 * are the usual ones. What no column of the table shows, such as ids, stays where the file has it, or is left out with
 * `onlyShown` but for the id and the currency of what is shown.
 */
export function columnsOfFile({ endpoint, columns, hidden, onlyShown = false }: Asked): string | undefined {
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
  const wanted = held.map((name) => (shown.includes(name) ? (inOrder.next().value as string) : name))
  return wanted.join() === usualNames.join() ? undefined : wanted.join()
}
