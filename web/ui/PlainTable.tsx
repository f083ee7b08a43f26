import type { ReactNode } from 'react'
import { useMediaQuery } from './browser.ts'
import styles from './PlainTable.module.css'
import { TableFrame } from './TableFrame.tsx'

export type Column<Row> = {
  head: string
  cell: (row: Row) => ReactNode
  /** Right-aligned figures. */
  numeric?: boolean
  /** Left out under 768 px. */
  wideOnly?: boolean
  /** Under 768 px it is below the first cell of its row. */
  under?: boolean
  /** The head is for screen readers only. */
  headHidden?: boolean
}

/** Lines below one another inside a row: the layers of a sale. */
export type Lines<Row, Line> = {
  of: (row: Row) => readonly Line[]
  columns: Column<Line>[]
  keyOf: (line: Line) => string
  /** Shown if a row has no lines. */
  none: (row: Row) => ReactNode
}

/** Rows below a row, under its own columns: the lines of a sale. */
export type Parts<Row, Part> = {
  of: (row: Row) => readonly Part[]
  /** As many as the row's. */
  columns: Column<Part>[]
  keyOf: (part: Part) => string
}

/** Rows are told apart by their `id`, unless they have none. */
export type Keyed<Row> = Row extends { id: string } ? { keyOf?: (row: Row) => string } : { keyOf: (row: Row) => string }

export const rowId = (row: unknown) => (row as { id: string }).id

type Props<Row, Line, Part> = Keyed<Row> & Unkeyed<Row, Line, Part>

type Unkeyed<Row, Line, Part> = {
  label: string
  columns: Column<Row>[]
  rows: readonly Row[]
  lines?: Lines<Row, Line>
  parts?: Parts<Row, Part>
  /** Columns of the row after its lines. */
  after?: Column<Row>[]
  /** The id of a row that an address with `#id` links to. */
  idOf?: (row: Row) => string
}

const classOf = <Row,>({ numeric }: Column<Row>, apart?: boolean) =>
  [numeric && 'numeric', apart && styles.apart].filter(Boolean).join(' ') || undefined

/** A plain table of few rows; its first cell is the row's head. */
export function PlainTable<Row, Line = never, Part = never>(given: Props<Row, Line, Part>) {
  const wide = useMediaQuery('(min-width: 768px), print')
  const props = wide ? given : { ...given, columns: folded(given.columns.filter(({ wideOnly }) => !wideOnly)) }
  const { label, columns, rows, keyOf = rowId, lines, after = [] } = props
  const heads = [...columns, ...(lines?.columns ?? []), ...after] as Column<never>[]
  return (
    <TableFrame>
      <table aria-label={label} className={lines ? styles.lined : undefined}>
        <thead>
          <tr>{heads.map(headOf)}</tr>
        </thead>
        {lines ? (
          rows.map((row) => <LinedRow key={keyOf(row)} {...props} lines={lines} row={row} />)
        ) : (
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>{columns.map((column, at) => cellOf(column, row, { heads: at === 0 }))}</tr>
            ))}
          </tbody>
        )}
      </table>
    </TableFrame>
  )
}

/** Returns the first column with those below it that have no room next to it. */
function folded<Row>([first, ...rest]: Column<Row>[]): Column<Row>[] {
  if (!first) return []
  const under = rest.filter((column) => column.under)
  const cell = (row: Row) => (
    <>
      {first.cell(row)}
      {under.map((column) => (
        <div key={column.head} className={styles.under}>
          {column.cell(row)}
        </div>
      ))}
    </>
  )
  return [{ ...first, cell }, ...rest.filter((column) => !column.under)]
}

/** Returns whether text after figures needs extra space. */
const isApart = <Row,>({ numeric }: Column<Row>, before?: { numeric?: boolean }) => Boolean(!numeric && before?.numeric)

const headOf = (column: Column<never>, at: number, all: Column<never>[]) => (
  <th
    key={column.head}
    scope="col"
    data-first={at === 0 || undefined}
    className={classOf(column, isApart(column, all[at - 1]))}
  >
    {column.headHidden ? <span className="visually-hidden">{column.head}</span> : column.head}
  </th>
)

type Place = { heads?: boolean; span?: number; apart?: boolean }

function cellOf<Row>(column: Column<Row>, row: Row, { heads, span, apart }: Place) {
  const Cell = heads ? 'th' : 'td'
  const scope = heads ? (span ? 'rowgroup' : 'row') : undefined
  return (
    <Cell
      key={column.head}
      scope={scope}
      rowSpan={span}
      data-first={heads || undefined}
      className={classOf(column, apart)}
    >
      {column.cell(row)}
    </Cell>
  )
}

type LinedProps<Row, Line, Part> = Unkeyed<Row, Line, Part> & { row: Row; lines: Lines<Row, Line> }

function LinedRow<Row, Line, Part>({ row, columns, lines, parts, after = [], idOf }: LinedProps<Row, Line, Part>) {
  const below = lines.of(row)
  const span = Math.max(1, below.length)
  const first = below[0]
  const inLine = (line: Line) =>
    lines.columns.map((column, at) => {
      const before = at === 0 ? columns.at(-1) : lines.columns[at - 1]
      return cellOf(column, line, { apart: isApart(column, before) })
    })
  return (
    <tbody id={idOf?.(row)} tabIndex={idOf ? -1 : undefined}>
      <tr>
        {columns.map((column, at) => cellOf(column, row, { heads: at === 0, span }))}
        {first === undefined ? (
          <td colSpan={lines.columns.length} className={styles.apart}>
            {lines.none(row)}
          </td>
        ) : (
          inLine(first)
        )}
        {after.map((column) => cellOf(column, row, { span }))}
      </tr>
      {below.slice(1).map((line) => (
        <tr key={lines.keyOf(line)}>{inLine(line)}</tr>
      ))}
      {parts?.of(row).map((part) => (
        <tr key={parts.keyOf(part)} className="small">
          {parts.columns.map((column, at) => cellOf(column, part, { heads: at === 0 }))}
          <td colSpan={lines.columns.length + after.length} />
        </tr>
      ))}
    </tbody>
  )
}
