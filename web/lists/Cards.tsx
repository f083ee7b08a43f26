import { Fragment, isValidElement, memo, type ReactNode, useDeferredValue, useEffect, useId } from 'react'
import { ActionMenu } from '../ui/ActionMenu.tsx'
import { IconButton } from '../ui/Button.tsx'
import { DownArrowIcon, UpArrowIcon } from '../ui/icons.tsx'
import { Count, Money } from '../ui/Money.tsx'
import { Name } from '../ui/Name.tsx'
import { Options } from '../ui/Options.tsx'
import { basicWords } from '../words/basic.ts'
import { tableWords } from '../words/lists.ts'
import styles from './Cards.module.css'
import { isFirstOfGroup } from './groups.ts'
import type { AnyTable, DataColumn, Loaded, RowProps } from './list-types.ts'
import { addedRows, HeadWords } from './Rows.tsx'
import { rowLink } from './row-link.ts'
import { getTick, SelectPage, Tick, useRange } from './Selecting.tsx'

export function Cards<Row>(props: Loaded<Row> & { total: string }) {
  const { name, rowsAre, columns, rows, table, answer, keyOf, nameOf, actions, selection, total, groupOf } = props
  const countRows = typeof rowsAre === 'function' ? rowsAre : tableWords.counted[rowsAre]
  const select = useRange(props)
  const [first, ...rest] = columns as [DataColumn<Row>, ...DataColumn<Row>[]]
  /** The sort column of the cards, if they do not show it anyway. */
  const sorted = rest.find(({ sort, card }) => sort === table.sort.replace(/^-/, '') && !card)
  const drawn = useDrawn(rows)
  const added = addedRows(props)
  return (
    <>
      <div className={`row between muted ${styles.above}`}>
        <span>{countRows({ count: answer.data?.total ?? 0, total })}</span>
        <SortBy columns={columns} table={table} />
      </div>
      {selection && (
        <div className="inset">
          <SelectPage {...props} selection={selection} />
        </div>
      )}
      <ul aria-label={name} aria-busy={drawn.length < rows.length || undefined} className="stack gap-2">
        {drawn.map((row, at) => (
          <Fragment key={keyOf(row)}>
            {isFirstOfGroup(groupOf, drawn, at) && <li className={styles.group}>{groupOf?.(row).head}</li>}
            <Card
              row={row}
              columns={columns}
              nameOf={nameOf}
              actions={actions}
              select={select}
              sorted={sorted}
              ticked={getTick(props, row)}
            />
          </Fragment>
        ))}
      </ul>
      {(props.totalsOfAll || props.totals) && (
        <div className={`panel ${styles.card} ${styles.totals}`}>
          <strong>{first.total?.(added)}</strong>
          <dl className={`row ${styles.figures}`}>
            {rest
              .filter(({ card, total }) => card === 'figure' && total)
              .map(({ head, total }) => (
                <div key={head}>
                  <dt className="muted small">{head}</dt>
                  <dd className="strong">{total?.(added)}</dd>
                </div>
              ))}
          </dl>
        </div>
      )}
    </>
  )
}

/** More cards than the tallest phone shows. */
const AT_ONCE = 7

/** Pages drawn to their end: on return they have their full length at once, so the scroll position is kept. */
const drawnBefore = new WeakSet<readonly unknown[]>()

/**
 * Returns the rows to draw now: of a new page first those that fit on the screen, the others once these are shown, a
 * few at a time, so that the phone stays responsive. Only for cards: a table's columns would change their widths.
 */
function useDrawn<Row>(rows: Row[]) {
  const some = drawnBefore.has(rows) ? undefined : Math.min(AT_ONCE, rows.length)
  const count = useDeferredValue(rows.length, some)
  useEffect(() => {
    if (count >= rows.length) drawnBefore.add(rows)
  }, [count, rows])
  return rows.slice(0, count)
}

const Card = memo(function Card<Row>(props: RowProps<Row> & { sorted: DataColumn<Row> | undefined }) {
  const { row, columns, nameOf, actions, ticked, sorted } = props
  return (
    <li data-selected={ticked || undefined} className={`panel ${styles.card}`} {...rowLink}>
      <div className={`row no-wrap ${styles.head}`}>
        <Tick {...props} />
        <CardName columns={columns} row={row} />
        {actions && (
          <div className={styles.action}>
            <ActionMenu name={nameOf(row)} actions={actions(row)} />
          </div>
        )}
      </div>
      {columns.map((column) => {
        const cell = column.card === 'under' && column.cell(row)
        return (
          !isAbsent(cell) && (
            <div key={column.head} className="muted">
              {cell}
            </div>
          )
        )
      })}
      {sorted && (
        <div className="muted">
          {sorted.head} {sorted.cell(row)}
        </div>
      )}
      <CardFigures columns={columns} row={row} />
    </li>
  )
}) as <Row>(props: RowProps<Row> & { sorted: DataColumn<Row> | undefined }) => ReactNode

type CardProps<Row> = { columns: DataColumn<Row>[]; row: Row }

/** The head of a card: the row's name, and the columns next to it. */
export function CardName<Row>({ columns: [first, ...rest], row }: CardProps<Row>) {
  return (
    <div className={`row rest wrap ${styles.name}`}>
      <strong data-first>
        <Name>{first?.cell(row)}</Name>
      </strong>
      {rest
        .filter(({ card }) => card === 'beside')
        .map((column) => (
          <span key={column.head}>{column.cell(row)}</span>
        ))}
    </div>
  )
}

/** The key figures of a card, without absent ones. */
export function CardFigures<Row>({ columns, row }: CardProps<Row>) {
  return (
    <dl className={`row ${styles.figures}`}>
      {columns.map((column) => {
        const cell = column.card === 'figure' && column.cell(row)
        if (isAbsent(cell)) return null
        return (
          <div key={column.head}>
            <dt className="muted small">
              <HeadWords column={column} />
            </dt>
            <dd className="strong">{cell}</dd>
          </div>
        )
      })}
    </dl>
  )
}

export function SortBy<Row>({ columns, table }: { columns: DataColumn<Row>[]; table: AnyTable }) {
  const id = useId()
  const sortable = columns.filter(({ sort }) => sort)
  const field = table.sort.replace(/^-/, '')
  const down = table.sort.startsWith('-')
  const choices = sortable.some(({ sort }) => sort === 'createdAt')
    ? sortable
    : [
        {
          sort: 'createdAt',
          head: table.sort === 'createdAt' ? tableWords.oldestFirst : tableWords.newestFirst,
          numeric: true,
        },
        ...sortable,
      ]
  return (
    <div className={`row no-wrap gap-1 ${styles.sortBy}`}>
      <label htmlFor={id}>{tableWords.sortBy}</label>
      <select
        id={id}
        value={field}
        onChange={({ currentTarget: { value } }) => {
          const numeric = choices.find(({ sort }) => sort === value)?.numeric
          table.set({ sort: numeric ? `-${value}` : value })
        }}
      >
        <Options choices={choices.map(({ sort, head }) => ({ value: sort as string, label: head }))} />
      </select>
      <IconButton
        label={down ? tableWords.descending : tableWords.ascending}
        icon={down ? <DownArrowIcon size={16} /> : <UpArrowIcon size={16} />}
        onClick={() => table.set({ sort: down ? field : `-${field}` })}
      />
    </div>
  )
}

/** Returns whether a cell shows only absence: '–', in any markup. */
function isAbsent(cell: ReactNode): boolean {
  if (cell === null || cell === undefined || cell === false || cell === '' || cell === basicWords.absent) return true
  if (!isValidElement<{ amount?: unknown; count?: unknown; children?: ReactNode }>(cell)) return false
  const { type, props } = cell
  if (type === Money) return props.amount === null
  if (type === Count) return props.count === null
  return typeof type === 'string' && isAbsent(props.children)
}
