import { type CSSProperties, Fragment, memo, type ReactNode } from 'react'
import { ActionMenu } from '../ui/ActionMenu.tsx'
import { DownArrowIcon, UpArrowIcon } from '../ui/icons.tsx'
import { Name } from '../ui/Name.tsx'
import { TableFrame } from '../ui/TableFrame.tsx'
import { tableWords } from '../words/lists.ts'
import { isFirstOfGroup } from './groups.ts'
import type { AnyTable, DataColumn, InLines, Loaded, Props, RowProps } from './list-types.ts'
import styles from './Rows.module.css'
import { rowLink } from './row-link.ts'
import { getTick, SelectPage, Tick, useRange } from './Selecting.tsx'
import { ariaSort, sortAfter } from './table-state.ts'

export function Rows<Row>(props: Loaded<Row>) {
  const { name, page, columns, rows, table, keyOf, nameOf, actions, selection, shown, groupOf } = props
  const select = useRange(props)
  // The label spans the columns before the first sum.
  const sum = columns.findIndex(({ total }, at) => at > 0 && total)
  const named = sum === -1 ? columns.length : sum
  const added = addedRows(props)
  return (
    <TableFrame>
      <table aria-label={page ? tableWords.ofPage({ page, name }) : name} className={styles.table}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" data-tick className={styles.tick}>
                <SelectPage {...props} selection={selection} inHead />
              </th>
            )}
            <Heads columns={columns} table={table} actions={actions} />
          </tr>
        </thead>
        <tbody data-rows>
          {rows.map((row, at) => (
            <Fragment key={keyOf(row)}>
              {isFirstOfGroup(groupOf, rows, at) && (
                <tr className={styles.group}>
                  {selection && <td data-tick />}
                  <th scope="rowgroup" colSpan={columns.length}>
                    {groupOf?.(row).head}
                  </th>
                  {actions && <td data-menu />}
                </tr>
              )}
              <TableRow
                row={row}
                columns={columns}
                nameOf={nameOf}
                actions={actions}
                select={select}
                ticked={getTick(props, row)}
                shown={keyOf(row) === shown}
              />
            </Fragment>
          ))}
        </tbody>
        {hasTotals(props) && (
          <tfoot>
            <tr>
              {selection && <td data-tick />}
              <th scope="row" colSpan={named} data-first className={`muted ${styles.short}`}>
                {columns[0]?.total?.(added)}
              </th>
              {columns.slice(named).map((column: InLines<Row>) => (
                <td key={column.head} className={`strong ${classOf(column) ?? ''}`}>
                  {column.total?.(added)}
                  {column.under?.map(({ head, total }) => (
                    <div key={head} className={`muted ${styles.under}`}>
                      {total?.(added)}
                    </div>
                  ))}
                </td>
              ))}
              {actions && <td data-menu />}
            </tr>
          </tfoot>
        )}
      </table>
    </TableFrame>
  )
}

/** A row is drawn again when its data changes, as long as its screen passes stable columns. */
const TableRow = memo(function TableRow<Row>(props: RowProps<Row> & { shown: boolean }) {
  const { row, columns, nameOf, actions, ticked, select, shown } = props
  return (
    <tr data-selected={ticked || shown || undefined} {...rowLink}>
      {select && (
        <td data-tick className={styles.tick} onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
          <Tick {...props} />
        </td>
      )}
      <Cells row={row} columns={columns} nameOf={nameOf} actions={actions} />
    </tr>
  )
}) as <Row>(props: RowProps<Row> & { shown: boolean }) => ReactNode

type HeadsProps<Row> = Pick<Props<Row>, 'columns' | 'table' | 'actions'>

/** The heads of the columns, and that of the rows' menus. */
export const Heads = <Row,>({ columns, table, actions }: HeadsProps<Row>) => (
  <>
    {columns.map((column, at) => (
      <Head key={column.head} column={column} table={table} first={at === 0} />
    ))}
    {actions && (
      <th scope="col" data-menu className={styles.menu}>
        <span className="visually-hidden">{tableWords.actions}</span>
      </th>
    )}
  </>
)

type CellsProps<Row> = Pick<RowProps<Row>, 'row' | 'columns' | 'nameOf' | 'actions'> & {
  /** Wraps the content of the first cell; its style. */
  wrap?: (name: ReactNode) => ReactNode
  style?: CSSProperties
}

/** The cells of a row, and its menu. */
export const Cells = <Row,>({ row, columns, nameOf, actions, wrap, style }: CellsProps<Row>) => (
  <>
    {columns.map((column, at) =>
      at === 0 ? (
        <th
          key={column.head}
          scope="row"
          data-first
          style={style}
          className={column.short ? styles.short : styles.first}
        >
          {wrap ? wrap(<Name>{column.cell(row)}</Name>) : <Name>{column.cell(row)}</Name>}
          <Under column={column} row={row} />
        </th>
      ) : (
        <td key={column.head} className={classOf(column)}>
          {column.cell(row)}
          <Under column={column} row={row} />
        </td>
      ),
    )}
    {actions && (
      <td data-menu className={styles.menu}>
        <ActionMenu small name={nameOf(row)} actions={actions(row)} />
      </td>
    )}
  </>
)

const Under = <Row,>({ column: { under }, row }: { column: InLines<Row>; row: Row }) =>
  under?.map(({ head, cell }) => (
    <div key={head} className={`muted ${styles.under}`}>
      {cell(row)}
    </div>
  ))

const classOf = <Row,>({ numeric, short }: DataColumn<Row>) => (numeric ? 'numeric' : short ? styles.short : undefined)

/** Returns whether totals are shown: the list has those of all pages, or all its rows are on this page. */
const hasTotals = <Row,>({ columns, totalsOfAll, totals, table, answer }: Props<Row>) =>
  columns[0]?.total !== undefined && (totalsOfAll || totals || (!table.cursor && !answer.data?.nextCursor))

/** The rows that the totals add up: those of the page, or one with the sums of all pages. */
export const addedRows = <Row,>({ totals, rows }: Pick<Loaded<Row>, 'totals' | 'rows'>) =>
  totals ? [totals as Row] : rows

type HeadProps<Row> = { column: InLines<Row>; table: AnyTable; first: boolean }

function Head<Row>({ column, table, first }: HeadProps<Row>) {
  const { head, sort, numeric } = column
  const sorted = ariaSort(sort, table.sort)
  const Arrow = sorted === 'ascending' ? UpArrowIcon : DownArrowIcon
  return (
    <th scope="col" aria-sort={sorted} data-first={first || undefined} className={classOf(column)}>
      {sort ? (
        <button
          type="button"
          className={styles.sort}
          onClick={() => table.set({ sort: sortAfter(sort, table.sort, numeric ?? false) })}
        >
          {sorted !== 'none' && <Arrow size={14} />}
          {head}
        </button>
      ) : (
        <HeadWords column={column} />
      )}
      {column.under?.map(({ head }) => (
        <div key={head}>{head}</div>
      ))}
    </th>
  )
}

export const HeadWords = <Row,>({ column: { head, headHidden } }: { column: DataColumn<Row> }) =>
  headHidden ? <span className="visually-hidden">{head}</span> : head
