import type { ReactNode } from 'react'
import styles from './Table.module.css'

export type Column<Row> = {
  head: string
  cell: (row: Row) => ReactNode
  /** Right-aligned figures. */
  numeric?: boolean
  /** Left out under 768 px. */
  wideOnly?: boolean
  /** The head is read out, not shown. */
  headHidden?: boolean
}

type Props<Row> = { label: string; columns: Column<Row>[]; rows: Row[]; keyOf: (row: Row) => string }

/** A plain table of few rows; its first cell heads the row. */
export function Table<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  const classOf = ({ numeric, wideOnly }: Column<Row>) =>
    [numeric && styles.numeric, wideOnly && styles.wideOnly].filter(Boolean).join(' ') || undefined
  return (
    <table aria-label={label} className={styles.table}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.head} scope="col" className={classOf(column)}>
              {column.headHidden ? <span className="visually-hidden">{column.head}</span> : column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column, at) =>
              at === 0 ? (
                <th key={column.head} scope="row" className={classOf(column)}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.head} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
