import { useMemo, useRef } from 'react'
import { formatList, formatNumber } from '#contract/format.ts'
import { isEnglish } from '#contract/language.ts'
import { CallError } from '../api.ts'

import { useStart } from '../ui/actions.tsx'
import { Button } from '../ui/Button.tsx'
import { useMediaQuery } from '../ui/browser.ts'
import { LoadOnUse, toMenuItems } from '../ui/offers.tsx'
import { focusHeading, InHead } from '../ui/Page.tsx'
import { Empty, Failed, useSlow } from '../ui/Panel.tsx'
import { rowId } from '../ui/PlainTable.tsx'
import { usePermission } from '../ui/permissions.ts'
import { shownTotal } from '../ui/totals.ts'
import { useStable } from '../ui/useStable.ts'
import { basicWords } from '../words/basic.ts'
import { tableWords } from '../words/lists.ts'
import { Cards } from './Cards.tsx'
import styles from './DataTable.module.css'
import { DownloadCsv } from './DownloadCsv.tsx'
import type { AnyTable, DataColumn, InLines, Loaded, Props, PropsOf, TableFilter } from './list-types.ts'
import { Rows } from './Rows.tsx'
import { SelectionBar } from './Selecting.tsx'
import { ColumnsMenu, isUsed, Tools } from './Tools.tsx'
import { rowsShown } from './table-state.ts'
import { ViewsMenu } from './ViewsMenu.tsx'

/**
 * Returns whether the address requests a sort, filter or page that the list does not have: trying again would not help.
 */
const isNonsense = (error: Error | null) => error instanceof CallError && error.status === 422

/**
 * A list of the server with search, filters, sort and pages, all stored in the address. Under 768 px its rows become
 * cards. It has a white panel of its own.
 */
export function DataTable<Row, L>({
  actions,
  list: { table, answer, params },
  csv,
  keyOf = rowId,
  ...props
}: PropsOf<Row, L>) {
  const start = useStart()
  const [all, entriesOf] = typeof actions === 'object' ? [actions, () => actions] : [[], actions]
  const actionsOf = useStable((row: Row) => toMenuItems(row, entriesOf?.(row) ?? [], start))
  return (
    <>
      <LoadOnUse acts={all} />
      <List
        {...({ ...props, table, answer, keyOf, csv: { params, ...csv } } as unknown as Props<Row>)}
        actions={actions && actionsOf}
      />
    </>
  )
}

function List<Row>(given: Props<Row>) {
  const nameOf = useStable(given.nameOf)
  const props = { ...given, nameOf }
  const { name, plural, searchable = true, headed, table, answer, filters = [], empty, selection } = props
  const left = table.hidden.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names of the columns left out are new with every render
  const columns = useMemo(
    () => props.columns.filter(({ field }) => !field || !table.hidden.includes(field)),
    [props.columns, left],
  )
  const wide = useMediaQuery('(min-width: 768px), print')
  const roomy = useMediaQuery('(min-width: 1200px), print')
  const lines = useMemo(
    () =>
      roomy
        ? columns
        : inTwoLines(
            props.columns,
            columns.filter(({ wideOnly }) => !wideOnly),
          ),
    [roomy, props.columns, columns],
  )
  const rows = answer.data?.items
  const nothingAtAll = rows?.length === 0 && !table.filtered && !table.cursor
  const file = <FileOf {...props} />
  // a part of a page with one row has nothing to arrange
  const isLone = !props.csv.atHead && rows?.length === 1 && !table.filtered && !table.cursor && !table.rearranged
  const inTools = !props.csv.atHead && file
  const tools = searchable || filters.length > 0 || headed || Boolean(props.choice) || (Boolean(inTools) && !isLone)
  const panel = useRef<HTMLElement>(null)
  // The clear button disappears with the filters it clears.
  const clearing = (clear: () => unknown) => () => {
    panel.current?.focus({ preventScroll: true })
    clear()
  }
  return (
    <section ref={panel} tabIndex={-1} aria-label={name} className={wide ? `panel ${styles.list}` : 'stack gap-3'}>
      {props.csv.atHead && <InHead>{file}</InHead>}
      {tools && (
        <Tools
          wide={wide}
          heading={headed ? name : undefined}
          plural={searchable ? plural : undefined}
          table={table}
          filters={filters}
          choice={props.choice}
        >
          {!nothingAtAll && (
            <div className={`row to-end ${styles.arrange} ${isLone ? styles.lone : ''}`}>
              <ViewsMenu table={table} />
              {wide && <ColumnsMenu columns={props.columns} table={table} />}
              {inTools}
            </div>
          )}
        </Tools>
      )}
      {selection && selection.count > 0 && (
        <SelectionBar {...props} selection={selection} clear={clearing(selection.clear)} />
      )}
      {!rows && isNonsense(answer.error) ? (
        <div className={wide ? undefined : 'panel'}>
          <Empty
            hint={tableWords.nonsense}
            action={<Button onClick={clearing(table.reset)}>{tableWords.clearFilters}</Button>}
          />
        </div>
      ) : !rows && answer.error ? (
        <div className={wide ? undefined : 'panel'}>
          <Failed onRetry={answer.refetch} busy={answer.isFetching} why={answer.error.message} />
        </div>
      ) : !rows ? (
        <Waiting name={name} columns={wide ? columns : columns.slice(0, 1)} />
      ) : nothingAtAll ? (
        <div className={wide ? undefined : 'panel'}>
          <Empty {...empty} />
        </div>
      ) : rows.length === 0 ? (
        <div className={wide ? undefined : 'panel'}>
          <Empty
            hint={table.cursor ? countOf(props) : nothingFound(plural, table, filters)}
            action={
              // the rows of a later page may have gone, not all of the list
              table.cursor ? (
                <Button onClick={clearing(table.previous)}>{tableWords.previous}</Button>
              ) : (
                <Button onClick={clearing(table.clear)}>{tableWords.clearFilters}</Button>
              )
            }
          />
        </div>
      ) : props.instead ? (
        <div className={styles.rows}>{props.instead({ wide, columns, table })}</div>
      ) : (
        <div className={styles.rows} data-dimmed={answer.isPlaceholderData || undefined} aria-busy={answer.isFetching}>
          {wide ? (
            <Rows {...props} columns={lines} rows={rows} />
          ) : (
            <Cards {...props} rows={rows} total={totalOf(props)} />
          )}
          {props.foot}
          {(tools || !isLone) && <Pages {...props} rows={rows} isLone={isLone} />}
        </div>
      )}
    </section>
  )
}

/** Returns the shown columns, each with those below it; these are columns of their own if it is hidden. */
function inTwoLines<Row>(all: DataColumn<Row>[], shown: DataColumn<Row>[]): InLines<Row>[] {
  const hostOf = (column: DataColumn<Row>) => {
    const host = column.below && all.slice(0, all.indexOf(column)).findLast(({ below }) => !below)
    return host && shown.includes(host) ? host : undefined
  }
  const under = Map.groupBy(shown, hostOf)
  return (under.get(undefined) ?? []).map((column) => ({ ...column, under: under.get(column) ?? [] }))
}

/** The button of the list's file: the filtered rows in their order, with the shown columns. */
function FileOf<Row>({ csv, table, columns, answer, totalsOfAll, totals, instead }: Props<Row>) {
  const may = usePermission()(csv.endpoint)
  const total = totals?.count ?? answer.data?.total ?? null
  // a tree's total is that of its first level
  const isCounted = !instead && (totalsOfAll || totals || !table.narrowed || (total ?? 0) <= 1000)
  return may && <DownloadCsv {...{ ...csv, table, columns }} total={isCounted ? total : null} />
}

/** Returns the message for a search without results: 'No leads match “brightline” with status Won.' */
function nothingFound(plural: string, table: AnyTable, filters: TableFilter[]) {
  const used = filters.filter((filter) => isUsed(filter, table))
  const chosen = used.flatMap((filter) => {
    if ('flag' in filter) return filter.label
    const choices = 'choices' in filter ? filter.choices : []
    const choice = choices.find(({ value }) => value === table.filter(filter.name))
    return choice ? `${isEnglish() ? filter.label.toLowerCase() : filter.label} ${choice.label}` : []
  })
  // Only a filter's own control has the words for its value.
  if (chosen.length < used.length) return tableWords.nothingMatches({ plural })
  const words = { plural, search: table.search, filters: formatList(chosen) }
  if (!table.search) return used.length > 0 ? tableWords.noneWith(words) : tableWords.noneLeft
  return (used.length > 0 ? tableWords.noneMatchesWith : tableWords.noneMatches)(words)
}

function totalOf<Row>({ answer, table, totalsOfAll, totals }: Props<Row>) {
  // the sums of all pages include an exact count
  if (totals) return shownTotal(totals.count)
  return shownTotal(answer.data?.total ?? 0, table.narrowed && !totalsOfAll)
}

const countOf = <Row,>(props: Props<Row>) =>
  tableWords.total({ count: props.answer.data?.total ?? 0, total: totalOf(props) })

function Pages<Row>(props: Loaded<Row> & { isLone: boolean }) {
  const { answer, table, rows } = props
  const total = totalOf(props)
  const shown = rowsShown(table.trail, table.cursor, rows.length, table.limit)
  const after = answer.data?.nextCursor
  /** Another page starts at its top; the button that led there may be gone. */
  function turn(to: () => unknown) {
    focusHeading()
    to()
  }
  return (
    <nav
      aria-label={tableWords.pages}
      className={`row no-wrap muted screen-only ${styles.pages} ${props.isLone ? styles.lone : ''}`}
    >
      <span className="rest">
        <span>
          {shown
            ? tableWords.shown({ from: formatNumber(shown.from), to: formatNumber(shown.to), total })
            : countOf(props)}
        </span>
        {props.amongThem && (
          <>
            {' · '}
            <span>{props.amongThem}</span>
          </>
        )}
      </span>
      {(table.cursor || after) && (
        <>
          <Button small disabled={!table.cursor || answer.isPlaceholderData} onClick={() => turn(table.previous)}>
            {tableWords.previous}
          </Button>
          <Button
            small
            disabled={!after || answer.isPlaceholderData}
            onClick={() => after && turn(() => table.next(after))}
          >
            {tableWords.next}
          </Button>
        </>
      )}
    </nav>
  )
}

/** The table's shape before its rows are loaded: heads, and eight lines once waiting is noticeable. */
function Waiting<Row>({ name, columns }: { name: string; columns: DataColumn<Row>[] }) {
  const slow = useSlow()
  return (
    <div role="status" aria-label={basicWords.states.loading} className="wrap">
      <div aria-hidden="true" data-name={name} className={styles.waiting}>
        {Array.from({ length: 9 }, (_, line) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
            key={line}
            className={line === 0 ? 'muted small strong' : undefined}
            style={{ gridTemplateColumns: `repeat(${columns.length}, minmax(0, 1fr))` }}
          >
            {columns.map(({ head, numeric }, at) => (
              <span key={head} className={numeric ? 'numeric ellipsis' : 'ellipsis'}>
                {line === 0
                  ? head
                  : slow && <i className="blank" style={{ width: `${70 - ((line * 17 + at * 29) % 35)}%` }} />}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
