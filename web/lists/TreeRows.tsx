import { type InfiniteData, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { formatNumber } from '#contract/format.ts'

import { type Action, ActionMenu } from '../ui/ActionMenu.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { DownIcon, NextIcon } from '../ui/icons.tsx'
import { Failed, Skeleton } from '../ui/Panel.tsx'
import { TableFrame } from '../ui/TableFrame.tsx'
import { shownTotal } from '../ui/totals.ts'
import { tableWords } from '../words/lists.ts'
import cards from './Cards.module.css'
import { CardFigures, CardName, SortBy } from './Cards.tsx'
import type { DataColumn } from './list-types.ts'
import table from './Rows.module.css'
import { Cells, Heads } from './Rows.tsx'
import { rowLink } from './row-link.ts'
import styles from './TreeRows.module.css'
import type { TableState } from './useTable.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Keys of a tree's open rows, so that Back restores the tree. */
    opened?: readonly string[]
  }
}

type Page<Row> = { items: Row[]; nextCursor: string | null; total: number }

/** The rows directly below one, page by page. */
export type Level<Row> = UseInfiniteQueryOptions<Page<Row>, Error, InfiniteData<Page<Row>>, unknown[], string>

export type Tree<Row> = {
  /** The rows directly below a row, or at the top. */
  level: (parent: Row | null) => Level<Row>
  /** The number of rows directly below it. */
  below: (row: Row) => number
  /** Label of those rows: 'Sub-partners of Jane Whitfield'. */
  belowWords: (name: string) => string
}

type Props<Row> = {
  name: string
  tree: Tree<Row>
  wide: boolean
  table: TableState<Record<string, string | undefined>>
  columns: DataColumn<Row>[]
  keyOf: (row: Row) => string
  nameOf: (row: Row) => string
  actions?: (row: Row) => Action[]
}

type Inner<Row> = Props<Row> & {
  isOpen: (row: Row) => boolean
  turn: (row: Row) => void
  /** The row that the Tab key reaches. */
  current: string | null
  setCurrent: (key: string) => void
}

/** The rows of a tree, each level loaded when it is opened; under 768 px they are cards. */
export function TreeRows<Row>(props: Props<Row>) {
  const { name, wide, columns, keyOf, actions } = props
  const router = useRouter()
  const opened = useLocation({ select: ({ state }) => state.opened }) ?? []
  const [current, setCurrent] = useState<string | null>(null)
  const isOpen = (row: Row) => opened.includes(keyOf(row))
  function turn(row: Row) {
    const key = keyOf(row)
    const next = isOpen(row) ? opened.filter((one) => one !== key) : [...opened, key]
    router.navigate({
      to: '.',
      search: (before) => before,
      state: (before) => ({ ...before, opened: next }),
      replace: true,
      resetScroll: false,
    })
  }
  const inner: Inner<Row> = { ...props, isOpen, turn, current, setCurrent }
  if (!wide)
    return (
      <>
        <div className={`row between muted ${cards.above}`}>
          <SortBy columns={columns} table={props.table} />
        </div>
        <CardLevel {...inner} parent={null} depth={1} label={name} />
      </>
    )
  return (
    <TableFrame>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a treegrid, on a table */}
      <table role="treegrid" aria-label={name} className={table.table} onKeyDown={walk}>
        <thead>
          <tr>
            <Heads columns={columns} actions={actions} table={props.table} />
          </tr>
        </thead>
        <tbody>
          <RowLevel {...inner} parent={null} depth={1} />
        </tbody>
      </table>
    </TableFrame>
  )
}

/**
 * Handles the keys of a tree: up and down by rows, right opens and goes in, left closes and goes out, Enter follows the
 * link.
 */
function walk(event: KeyboardEvent<HTMLTableElement>) {
  const row = event.target as HTMLElement
  if (!row.matches('tr[data-depth]') || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('tr[data-depth]')]
  const at = rows.indexOf(row)
  const press = () => row.querySelector<HTMLElement>('[data-turn]')?.click()
  const state = row.getAttribute('aria-expanded')
  const depthOf = (one?: HTMLElement) => Number(one?.dataset.depth ?? 0)
  const moves: Record<string, () => void> = {
    ArrowDown: () => rows[at + 1]?.focus(),
    ArrowUp: () => rows[at - 1]?.focus(),
    Home: () => rows[0]?.focus(),
    End: () => rows.at(-1)?.focus(),
    ArrowRight() {
      if (state === 'false') press()
      else if (state === 'true' && depthOf(rows[at + 1]) > depthOf(row)) rows[at + 1]?.focus()
    },
    ArrowLeft() {
      if (state === 'true') return press()
      const parent = rows.slice(0, at).findLast((one) => depthOf(one) < depthOf(row))
      parent?.focus()
    },
    Enter: () => row.querySelector<HTMLElement>('th a, [data-more]')?.click(),
  }
  const move = moves[event.key]
  if (!move) return
  event.preventDefault()
  move()
}

type LevelProps<Row> = Inner<Row> & { parent: Row | null; depth: number }

function useLevel<Row>({ tree, parent }: LevelProps<Row>) {
  const answer = useInfiniteQuery(tree.level(parent))
  const rows = answer.data?.pages.flatMap(({ items }) => items)
  const last = answer.data?.pages.at(-1)
  return { answer, rows, total: last?.total ?? 0 }
}

function RowLevel<Row>(props: LevelProps<Row>) {
  const { parent, depth, keyOf, columns, actions, tree } = props
  const { answer, rows, total } = useLevel(props)
  const all = columns.length + (actions ? 1 : 0)
  const aside = (children: ReactNode) => (
    <tr>
      <td colSpan={all}>{children}</td>
    </tr>
  )
  if (!rows && answer.error) return aside(<FailedLevel {...answer} />)
  if (!rows) return aside(<Skeleton rows={Math.min(3, parent ? tree.below(parent) : 3)} />)
  return (
    <>
      {rows.map((row, at) => (
        <Branch key={keyOf(row)} {...props} row={row} at={at} total={total} />
      ))}
      {answer.hasNextPage && (
        <tr aria-level={depth} data-depth={depth} tabIndex={-1} className={styles.row}>
          <td colSpan={all} style={indentOf(depth)} className={styles.more}>
            <More {...props} answer={answer} shown={rows.length} total={total} ofRow />
          </td>
        </tr>
      )}
    </>
  )
}

const indentOf = (depth: number) => ({ paddingLeft: 12 + (depth - 1) * 20 })

type BranchProps<Row> = LevelProps<Row> & { row: Row; at: number; total: number }

function Branch<Row>(props: BranchProps<Row>) {
  const { row, at, total, depth, columns, keyOf, nameOf, actions, isOpen, current, setCurrent } = props
  const key = keyOf(row)
  const parts = hasBelow(props, row)
  const open = parts && isOpen(row)
  const first = depth === 1 && at === 0
  return (
    <>
      <tr
        aria-level={depth}
        aria-posinset={at + 1}
        aria-setsize={total > 1000 ? -1 : total}
        aria-expanded={parts ? open : undefined}
        data-depth={depth}
        tabIndex={current === key || (current === null && first) ? 0 : -1}
        className={styles.row}
        onFocus={() => setCurrent(key)}
        {...rowLink}
      >
        <Cells
          row={row}
          columns={columns}
          nameOf={nameOf}
          actions={actions}
          style={indentOf(depth)}
          wrap={(name) => (
            <span className={`row no-wrap gap-1 ${styles.name}`}>
              <Turn {...props} parts={parts} ofRow />
              {name}
            </span>
          )}
        />
      </tr>
      {open && <RowLevel {...props} parent={row} depth={depth + 1} />}
    </>
  )
}

const hasBelow = <Row,>({ tree }: Inner<Row>, row: Row) => tree.below(row) > 0

type TurnProps<Row> = Pick<Inner<Row>, 'nameOf' | 'isOpen' | 'turn'> & {
  row: Row
  /** There are rows below it; else only its place is kept. */
  parts: boolean
  /** The row itself has the expanded state and the focus. */
  ofRow?: boolean
}

/** Opens and closes a row. */
function Turn<Row>({ row, nameOf, isOpen, turn, parts, ofRow }: TurnProps<Row>) {
  if (!parts) return <span className={styles.leaf} />
  const open = isOpen(row)
  return (
    <IconButton
      small={ofRow}
      data-turn
      className="muted"
      tabIndex={ofRow ? -1 : undefined}
      aria-expanded={ofRow ? undefined : open}
      label={(open ? tableWords.close : tableWords.open)({ name: nameOf(row) })}
      icon={open ? <DownIcon size={16} /> : <NextIcon size={16} />}
      onClick={() => turn(row)}
    />
  )
}

type MoreProps<Row> = Pick<LevelProps<Row>, 'parent' | 'nameOf'> & {
  answer: Pick<ReturnType<typeof useLevel<Row>>['answer'], 'isFetchingNextPage' | 'fetchNextPage'>
  shown: number
  total: number
  ofRow?: boolean
}

function More<Row>({ parent, nameOf, answer, shown, total, ofRow }: MoreProps<Row>) {
  return (
    <>
      <Button
        small={ofRow}
        data-more
        busy={answer.isFetchingNextPage}
        aria-label={parent ? tableWords.showMoreBelow({ name: nameOf(parent) }) : undefined}
        onClick={() => answer.fetchNextPage()}
      >
        {tableWords.showMore}
      </Button>
      <span className={`muted ${styles.shownOf}`}>
        {tableWords.shown({ from: 1, to: formatNumber(shown), total: shownTotal(total, parent === null) })}
      </span>
    </>
  )
}

const FailedLevel = ({
  error,
  refetch,
  isFetching,
}: {
  error: Error | null
  refetch: () => unknown
  isFetching: boolean
}) => <Failed onRetry={refetch} busy={isFetching} why={error?.message} />

function CardLevel<Row>(props: LevelProps<Row> & { label: string }) {
  const { parent, depth, label, columns, keyOf, nameOf, tree, isOpen, actions } = props
  const { answer, rows, total } = useLevel(props)
  if (!rows && answer.error) return <FailedLevel {...answer} />
  if (!rows) return <Skeleton rows={Math.min(3, parent ? tree.below(parent) : 3)} />
  return (
    <>
      <ul aria-label={label} className={`stack gap-2 ${depth === 1 ? '' : styles.below}`}>
        {rows.map((row) => (
          <li key={keyOf(row)}>
            <div className={`panel ${cards.card} ${styles.card}`}>
              <div className={`row no-wrap ${cards.head}`}>
                {hasBelow(props, row) && (
                  <span className={cards.action}>
                    <Turn {...props} row={row} parts />
                  </span>
                )}
                <CardName columns={columns} row={row} />
                {actions && (
                  <span className={cards.action}>
                    <ActionMenu name={nameOf(row)} actions={actions(row)} />
                  </span>
                )}
              </div>
              <CardFigures columns={columns} row={row} />
            </div>
            {hasBelow(props, row) && isOpen(row) && (
              <CardLevel {...props} parent={row} depth={depth + 1} label={tree.belowWords(nameOf(row))} />
            )}
          </li>
        ))}
      </ul>
      {answer.hasNextPage && (
        <div className="row">
          <More {...props} answer={answer} shown={rows.length} total={total} />
        </div>
      )}
    </>
  )
}
