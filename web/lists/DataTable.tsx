import {
  memo,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { z } from 'zod'
import { CallError } from '../api.ts'
import type { SearchOf } from '../calls.ts'
import { formatCount } from '../format.ts'
import { type Action, ActionMenu } from '../ui/ActionMenu.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { useMediaQuery } from '../ui/browser.ts'
import { Checkbox } from '../ui/Checkbox.tsx'
import { CloseIcon, ColumnsIcon, DownArrowIcon, DownIcon, FilterIcon, SearchIcon, UpArrowIcon } from '../ui/icons.tsx'
import { Name } from '../ui/Name.tsx'
import { Options } from '../ui/Options.tsx'
import { focusHeading, InHead } from '../ui/Page.tsx'
import { Empty, Failed, useSlow } from '../ui/Panel.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { TableFrame } from '../ui/TableFrame.tsx'
import { shownTotal } from '../ui/totals.ts'
import { useStable } from '../ui/useStable.ts'
import { t } from '../words.ts'
import { isAbsent } from './absent.ts'
import styles from './DataTable.module.css'
import { DownloadCsv } from './DownloadCsv.tsx'
import { rowLink } from './row-link.ts'
import type { ListFile } from './save-list.ts'
import { MOST_SELECTED, type Selection } from './selection.ts'
import { ariaSort, type FilterName, type QueryOf, rowsShown, type SortField, sortAfter } from './table-state.ts'
import type { TableState } from './useTable.ts'
import { ViewsMenu } from './ViewsMenu.tsx'

export type DataColumn<Row, S extends string = string> = {
  head: string
  /** The head is for screen readers only: the column's buttons show it. */
  headHidden?: boolean
  /** The first column's cell contains the row's link. */
  cell: (row: Row) => ReactNode
  /** Its field in the list's call: such a column can be hidden under 'Columns'. */
  field?: string
  /** Columns of the list's file with the same content, if not `field`. */
  csv?: readonly string[]
  /** Field of the list's call to sort by. */
  sort?: S
  /** Right-aligned figures; they sort descending first. */
  numeric?: boolean
  /** Dates, payout numbers, choices: always short, so they stay on one line. */
  short?: boolean
  /** Place on a phone's card: one of three key figures, next to the name, or under it. Otherwise it is left out. */
  card?: 'figure' | 'beside' | 'under'
  /** Under 1200 px it moves to a second line of the column before it, which sorts the list for both. */
  below?: true
  /**
   * Cell of the last line, shown once the whole list is on the page or if the list has totals of all pages; the first
   * column's is the line's label.
   */
  total?: (rows: Row[]) => ReactNode
}

export type TableFilter<N extends string = string> = {
  /** Its name in the list's call. */
  name: N
  label: string
  /** Label of the choice without a filter, 'All' by default. */
  all?: string
} & (
  | { choices: readonly { value: string; label: string }[] }
  /** Either off, or on as `true` or as this value. */
  | { flag: true | string }
  | { render: (props: FilterProps) => ReactNode }
)

/** Props of a filter with its own control. */
export type FilterProps = { label: string; value: string; onChange: (value: string | undefined) => void }

/** Things a list can contain. */
export type Things =
  | 'accounts'
  | 'acts'
  | 'deliveries'
  | 'entries'
  | 'events'
  | 'items'
  | 'leads'
  | 'lines'
  | 'links'
  | 'mails'
  | 'partners'
  | 'payouts'
  | 'rates'
  | 'sales'
  | 'webhooks'

/** The result of `useQuery(listQuery(…))`. */
type Answer<Row> = {
  data: { items: Row[]; nextCursor: string | null; total: number } | undefined
  error: Error | null
  isFetching: boolean
  isPlaceholderData: boolean
  refetch: () => unknown
}

type PropsOf<Row, L> = {
  /** The page's H1, or the tab's label if a page has several tables. */
  name: string
  /** The page's H1 if `name` is a tab's: the table is named after both. */
  page?: string
  /** 'partners', for 'Search partners'. */
  plural: string
  /** The kind of its rows, for '1 partner', '38 partners'. */
  rowsAre: Things
  searchable?: boolean
  /** Its name is also visible, next to its filters. */
  headed?: boolean
  table: TableState<L>
  answer: Answer<Row>
  /** Created once, or anew when data outside the row changes: rows are drawn again with them. */
  columns: DataColumn<Row, SortField<L>>[]
  keyOf: (row: Row) => string
  /** The row's name in 'Actions for {name}' and 'Select {name}'; like `actions` it is called when the row changes. */
  nameOf: (row: Row) => string
  filters?: TableFilter<FilterName<L>>[]
  /** Shown instead of rows if there are none at all. */
  empty: { icon?: ReactNode; hint: string; action?: ReactNode }
  actions?: (row: Row) => Action[]
  /**
   * The list as a file. `atHead`: the list is all its page or tab shows, so that its button is one of the page's
   * actions; with `menu`, the page's other actions, it is the first item of their menu.
   */
  csv: FileOfList
  selection?: Selection<Row>
  /** Which rows can be selected: all by default. */
  selectable?: (row: Row) => boolean
  /** The key of the row whose details are shown next to the table. */
  shown?: string
  /** Buttons of the bar shown with a selection. */
  bulk?: ReactNode
  /** The totals are those of all pages and shown on each. */
  totalsOfAll?: boolean
  /** A last line, such as a total under its column. */
  foot?: ReactNode
  /** Chooses among ways to show the list; placed after the filters. */
  choice?: ReactNode
  /** Replaces rows and pages, for example with a tree of them. */
  instead?: (shown: { wide: boolean; columns: DataColumn<Row>[]; table: AnyTable }) => ReactNode
  /** Part of the total that figures leave out: '6 of them duplicates'. */
  amongThem?: string | undefined
}

type FileOfList = Omit<ListFile, 'table' | 'columns'> & { atHead?: boolean; menu?: readonly Action[] }

/** Internally, field and filter names are plain text. */
type AnyTable = TableState<Record<string, string | undefined>>
type Props<Row> = Omit<PropsOf<Row, unknown>, 'table' | 'columns' | 'filters'> & {
  table: AnyTable
  columns: DataColumn<Row>[]
  filters?: TableFilter[]
}

/** A column of a list, typed by the list's call: `ColumnOf<typeof listPartners>`. */
export type ColumnOf<E extends ListCall> = DataColumn<
  z.output<NonNullable<E['reply']>>['items'][number],
  SortField<SearchOf<E>>
>
/** A filter of a table, typed by its declaration: `FilterOf<typeof leadTable>`. */
export type FilterOf<D> = TableFilter<FilterName<QueryOf<D>>>
type ListCall = { query?: z.ZodType; reply?: z.ZodType<{ items: unknown[] }> }

/**
 * Returns whether the address requests a sort, filter or page that the list does not have: trying again would not help.
 */
const isNonsense = (error: Error | null) => error instanceof CallError && error.status === 422

/**
 * A list of the server with search, filters, sort and pages, all stored in the address. Under 768 px its rows become
 * cards. It has a white panel of its own.
 */
export function DataTable<Row, L>(props: PropsOf<Row, L>) {
  return <List {...(props as unknown as Props<Row>)} />
}

function List<Row>(given: Props<Row>) {
  const nameOf = useStable(given.nameOf)
  const actionsOf = useStable((row: Row) => given.actions?.(row) ?? [])
  const props = { ...given, nameOf, actions: given.actions && actionsOf }
  const { name, plural, searchable = true, headed, table, answer, filters = [], empty, selection } = props
  const left = table.hidden.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names of the columns left out are new with every render
  const columns = useMemo(
    () => props.columns.filter(({ field }) => !field || !table.hidden.includes(field)),
    [props.columns, left],
  )
  const wide = useMediaQuery('(min-width: 768px), print')
  const roomy = useMediaQuery('(min-width: 1200px), print')
  const lines = useMemo(() => (roomy ? columns : inTwoLines(props.columns, columns)), [roomy, props.columns, columns])
  const rows = answer.data?.items
  const nothingAtAll = rows?.length === 0 && !table.filtered && !table.cursor
  const file = <FileOf {...props} />
  // a part of a page with one row has nothing to arrange
  const isLone = !props.csv.atHead && rows?.length === 1 && !table.filtered && !table.cursor && !table.hidden.length
  const inTools = !props.csv.atHead && file
  const tools = searchable || filters.length > 0 || headed || Boolean(props.choice) || (Boolean(inTools) && !isLone)
  const panel = useRef<HTMLElement>(null)
  // The clear button disappears with the filters it clears.
  const clearing = (clear: () => unknown) => () => {
    panel.current?.focus({ preventScroll: true })
    clear()
  }
  return (
    <section ref={panel} tabIndex={-1} aria-label={name} className={wide ? styles.panel : styles.loose}>
      {props.csv.atHead && <InHead>{file}</InHead>}
      {tools && (
        <Tools
          wide={wide}
          heading={headed ? name : undefined}
          plural={searchable ? plural : undefined}
          table={table}
          filters={filters}
        >
          {props.choice}
          {!nothingAtAll && (
            <div className={styles.arrange} data-lone={isLone || undefined}>
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
        <div className={styles.state}>
          <Empty
            hint={t('table.nonsense')}
            action={<Button onClick={clearing(table.reset)}>{t('table.clearFilters')}</Button>}
          />
        </div>
      ) : !rows && answer.error ? (
        <div className={styles.state}>
          <Failed onRetry={answer.refetch} busy={answer.isFetching} why={answer.error.message} />
        </div>
      ) : !rows ? (
        <Waiting name={name} columns={wide ? columns : columns.slice(0, 1)} />
      ) : nothingAtAll ? (
        <div className={styles.state}>
          <Empty {...empty} />
        </div>
      ) : rows.length === 0 ? (
        <div className={styles.state}>
          <Empty
            hint={nothingFound(plural, table, filters)}
            action={<Button onClick={clearing(table.clear)}>{t('table.clearFilters')}</Button>}
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

/** A column with those below it. */
type InLines<Row> = DataColumn<Row> & { under?: DataColumn<Row>[] }

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
function FileOf<Row>({ csv, table, columns, answer, totalsOfAll, instead }: Props<Row>) {
  const { total = null } = answer.data ?? {}
  // a tree's total is that of its first level
  const isCounted = !instead && (totalsOfAll || !table.narrowed || (total ?? 0) <= 1000)
  return <DownloadCsv {...{ ...csv, table, columns }} total={isCounted ? total : null} />
}

/** Returns the message for a search without results: 'No leads match “brightline” with status Won.' */
function nothingFound(plural: string, table: AnyTable, filters: TableFilter[]) {
  const used = filters.filter(({ name }) => table.filter(name))
  const chosen = used.flatMap((filter) => {
    if ('flag' in filter) return filter.label
    const choices = 'choices' in filter ? filter.choices : []
    const choice = choices.find(({ value }) => value === table.filter(filter.name))
    return choice ? `${filter.label.toLowerCase()} ${choice.label}` : []
  })
  // Only a filter's own control has the words for its value.
  if (chosen.length < used.length) return t('table.nothingMatches', { plural })
  const words = { plural, search: table.search, filters: new Intl.ListFormat('en-US').format(chosen) }
  if (!table.search) return t('table.noneWith', words)
  return t(used.length > 0 ? 'table.noneMatchesWith' : 'table.noneMatches', words)
}

function totalOf<Row>({ answer, table, totalsOfAll }: Props<Row>) {
  // the sums of all pages include an exact count
  return shownTotal(answer.data?.total ?? 0, table.narrowed && !totalsOfAll)
}

type ToolsProps = {
  wide: boolean
  heading?: string
  plural?: string
  table: AnyTable
  filters: TableFilter[]
  children: ReactNode
}

function Tools({ wide, heading, plural, table, filters, children }: ToolsProps) {
  const used = filters.some(({ name }) => table.filter(name))
  const [open, setOpen] = useState(used)
  return (
    <div className={styles.tools}>
      {heading && <h2>{heading}</h2>}
      {plural && <Search plural={plural} table={table} />}
      {!wide && filters.length > 0 && (
        <IconButton
          bordered
          label={t('table.filters')}
          aria-expanded={open}
          icon={<FilterIcon />}
          onClick={() => setOpen(!open)}
        />
      )}
      {(wide || open) && filters.map((filter) => <Filter key={filter.name} filter={filter} table={table} />)}
      {children}
    </div>
  )
}

/** A menu of the shown columns, without the first, which names the rows. */
function ColumnsMenu<Row>({ columns, table: { hidden, hide } }: { columns: DataColumn<Row>[]; table: AnyTable }) {
  const choices = columns.flatMap(({ field, head }) => {
    if (!field) return []
    const checked = !hidden.includes(field)
    return {
      label: head,
      checked,
      run: () => hide(checked ? [...hidden, field] : hidden.filter((one) => one !== field)),
    }
  })
  if (choices.length === 0) return null
  return (
    <ActionMenu label={t('table.columns')} icon={<ColumnsIcon size={16} />} actions={choices}>
      {t('table.columns')}
    </ActionMenu>
  )
}

/** Searches 300 ms after the last keystroke. */
function Search({ plural, table }: { plural: string; table: AnyTable }) {
  const [typed, setTyped] = useState(table.search)
  const field = useRef<HTMLInputElement>(null)
  const asked = useRef(table.search)
  useEffect(() => {
    if (table.search === asked.current) return
    asked.current = table.search
    setTyped(table.search)
  }, [table.search])
  const set = table.set
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the wait
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === asked.current) return
    const timer = setTimeout(() => {
      asked.current = wanted
      set({ search: wanted })
    }, 300)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div className={styles.search}>
      <SearchIcon size={16} />
      <input
        ref={field}
        type="search"
        data-shortcut="/"
        aria-label={t('table.search', { plural })}
        placeholder={t('table.search', { plural })}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {typed && (
        <IconButton
          className={styles.clear}
          label={t('table.clearSearch')}
          icon={<CloseIcon size={16} />}
          onClick={() => {
            setTyped('')
            field.current?.focus()
          }}
        />
      )}
    </div>
  )
}

function Filter({ filter, table }: { filter: TableFilter; table: AnyTable }) {
  const id = useId()
  const value = table.filter(filter.name)
  const onChange = (chosen: string | undefined) => table.set({ [filter.name]: chosen })
  if ('render' in filter) return filter.render({ label: filter.label, value, onChange })
  if ('flag' in filter) {
    const on = filter.flag === true ? 'true' : filter.flag
    return (
      <div className={styles.flag} data-used={value !== '' || undefined}>
        <Checkbox
          label={filter.label}
          checked={value === on}
          onChange={(checked) => onChange(checked ? on : undefined)}
        />
      </div>
    )
  }
  const { label, all = t('table.all'), choices } = filter
  return (
    <div className={styles.filter} data-used={value !== '' || undefined}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <Options choices={choices} none={all} />
      </select>
      <DownIcon size={16} />
    </div>
  )
}

type SelectionBarProps<Row> = Props<Row> & { selection: Selection<Row>; clear: () => void }

/** Sticky, as are the table's heads below it. */
function SelectionBar<Row>(props: SelectionBarProps<Row>) {
  const { selection, clear, bulk } = props
  const bar = useRef<HTMLFieldSetElement>(null)
  useLayoutEffect(() => {
    const box = bar.current
    if (!box) return
    const observer = new ResizeObserver(() => box.parentElement?.style.setProperty('--bar', `${box.offsetHeight}px`))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return (
    <fieldset ref={bar} aria-label={t('table.selection')} className={styles.selection}>
      <span role="status">{t('table.selected', { count: selection.count })}</span>
      <SelectMatching {...props} />
      {selection.read === null && bulk}
      <Button look="quiet" small className={styles.clearSelection} onClick={clear}>
        {t('table.clearSelection')}
      </Button>
    </fieldset>
  )
}

/** Shown once the whole page is ticked: selects all rows of the list, up to the maximum. */
function SelectMatching<Row>({ selection, selectable, answer, table, keyOf }: SelectionBarProps<Row>) {
  const { items = [], nextCursor, total = 0 } = answer.data ?? {}
  const most = formatCount(MOST_SELECTED)
  if (selection.read !== null)
    return (
      <>
        <span className={styles.progress}>
          <ProgressBar label={t('table.selecting')} done={selection.read} total={null} />
        </span>
        <Button small onClick={selection.cancel}>
          {t('form.cancel')}
        </Button>
      </>
    )
  const hasMore = Boolean(nextCursor || table.cursor) && total > selection.count
  const some = items.filter(selectable ?? always)
  if (!hasMore || some.some((row) => !selection.has(keyOf(row)))) return null
  if (selection.count >= MOST_SELECTED) return <small>{t('table.mostSelected', { most })}</small>
  return (
    <Button look="quiet" small onClick={() => void selection.setAll(selectable ?? always)}>
      {total > MOST_SELECTED
        ? t('table.selectFirst', { most })
        : selectable
          ? t('table.selectAllMatching')
          : t('table.selectMatching', { total: formatCount(total) })}
    </Button>
  )
}

type Loaded<Row> = Props<Row> & { rows: Row[] }

function Rows<Row>(props: Loaded<Row>) {
  const { name, page, columns, rows, table, keyOf, nameOf, actions, selection, shown } = props
  const select = useRange(props)
  // The label spans the columns before the first sum.
  const sum = columns.findIndex(({ total }, at) => at > 0 && total)
  const named = sum === -1 ? columns.length : sum
  return (
    <TableFrame>
      <table aria-label={page ? t('table.ofPage', { page, name }) : name} className={styles.table}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" data-tick className={styles.tick}>
                <SelectPage {...props} selection={selection} inHead />
              </th>
            )}
            {columns.map((column, at) => (
              <Head key={column.head} column={column} table={table} first={at === 0} />
            ))}
            {actions && (
              <th scope="col" data-menu className={styles.menu}>
                <span className="visually-hidden">{t('table.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow
              key={keyOf(row)}
              {...{ row, columns, nameOf, actions, select }}
              ticked={tickOf(props, row)}
              shown={keyOf(row) === shown}
            />
          ))}
        </tbody>
        {hasTotals(props) && (
          <tfoot>
            <tr>
              {selection && <td data-tick />}
              <th scope="row" colSpan={named} data-first className={styles.short}>
                {columns[0]?.total?.(rows)}
              </th>
              {columns.slice(named).map((column) => (
                <td key={column.head} className={classOf(column)}>
                  {column.total?.(rows)}
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

type RowProps<Row> = Pick<Props<Row>, 'columns' | 'nameOf' | 'actions'> & {
  row: Row
  /** Undefined if the row cannot be ticked. */
  ticked: boolean | undefined
  select: ((row: Row, checked: boolean, range: boolean) => void) | undefined
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
      {columns.map((column, at) =>
        at === 0 ? (
          <th key={column.head} scope="row" data-first className={column.short ? styles.number : styles.first}>
            <Name>{column.cell(row)}</Name>
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
          <ActionMenu label={t('table.actionsFor', { name: nameOf(row) })} actions={actions(row)} />
        </td>
      )}
    </tr>
  )
}) as <Row>(props: RowProps<Row> & { shown: boolean }) => ReactNode

const Under = <Row,>({ column: { under }, row }: { column: InLines<Row>; row: Row }) =>
  under?.map(({ head, cell }) => (
    <div key={head} className={styles.under}>
      {cell(row)}
    </div>
  ))

function Tick<Row>({ row, nameOf, ticked, select }: RowProps<Row>) {
  if (ticked === undefined) return null
  return (
    <Checkbox
      label={t('table.select', { name: nameOf(row) })}
      labelHidden
      checked={ticked}
      onChange={(checked, range) => select?.(row, checked, range)}
    />
  )
}

/** Returns whether a row is ticked; undefined if it cannot be. */
function tickOf<Row>({ keyOf, selection, selectable = always }: Props<Row>, row: Row) {
  return selection && selectable(row) ? selection.has(keyOf(row)) : undefined
}

/**
 * Returns the function that ticks a row; with Shift also those between it and the last ticked one. Undefined if none
 * can be.
 */
function useRange<Row>(props: Loaded<Row>): RowProps<Row>['select'] {
  const { rows, keyOf, selection, selectable = always } = props
  const last = useRef<string | null>(null)
  const select = useStable((row: Row, checked: boolean, range: boolean) => {
    const from = range ? rows.findIndex((one) => keyOf(one) === last.current) : -1
    const to = rows.indexOf(row)
    last.current = keyOf(row)
    const some = from < 0 ? [row] : rows.slice(Math.min(from, to), Math.max(from, to) + 1).filter(selectable)
    selection?.set(some, checked)
  })
  return selection && select
}

const always = () => true

type SelectPageProps<Row> = Pick<Loaded<Row>, 'rows' | 'keyOf' | 'selectable'> & {
  selection: Selection<Row>
  /** The head of the rows' ticks: its label is for screen readers only, even if there is nothing to tick. */
  inHead?: boolean
}

/** Ticks every selectable row of the page; disabled if there are none. */
function SelectPage<Row>({ rows, keyOf, selectable = always, selection, inHead }: SelectPageProps<Row>) {
  const some = rows.filter(selectable)
  const ticked = some.filter((row) => selection.has(keyOf(row))).length
  if (some.length === 0) return inHead && <span className="visually-hidden">{t('table.selection')}</span>
  return (
    <Checkbox
      label={t('table.selectPage')}
      labelHidden={inHead}
      checked={ticked === some.length}
      mixed={ticked > 0 && ticked < some.length}
      onChange={(checked) => selection.set(some, checked)}
    />
  )
}

const classOf = <Row,>({ numeric, short }: DataColumn<Row>) =>
  numeric ? styles.numeric : short ? styles.short : undefined

/** Returns whether totals are shown: the list has those of all pages, or all its rows are on this page. */
const hasTotals = <Row,>({ columns, totalsOfAll, table, answer }: Props<Row>) =>
  columns[0]?.total !== undefined && (totalsOfAll || (!table.cursor && !answer.data?.nextCursor))

type HeadProps<Row> = { column: InLines<Row>; table: AnyTable; first: boolean }

export function Head<Row>({ column, table, first }: HeadProps<Row>) {
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

const HeadWords = <Row,>({ column: { head, headHidden } }: { column: DataColumn<Row> }) =>
  headHidden ? <span className="visually-hidden">{head}</span> : head

function Cards<Row>(props: Loaded<Row> & { total: string }) {
  const { name, rowsAre, columns, rows, table, answer, keyOf, nameOf, actions, selection, total } = props
  const select = useRange(props)
  const [first, ...rest] = columns as [DataColumn<Row>, ...DataColumn<Row>[]]
  /** The sort column of the cards, if they do not show it anyway. */
  const sorted = rest.find(({ sort, card }) => sort === table.sort.replace(/^-/, '') && !card)
  const drawn = useDrawn(rows)
  return (
    <>
      <div className={styles.cardsHead}>
        <span>{t(`table.counted.${rowsAre}`, { count: answer.data?.total ?? 0, total })}</span>
        <SortBy columns={columns} table={table} />
      </div>
      {selection && (
        <div className={styles.cardsSelect}>
          <SelectPage {...props} selection={selection} />
        </div>
      )}
      <ul aria-label={name} aria-busy={drawn.length < rows.length || undefined} className={styles.cards}>
        {drawn.map((row) => (
          <Card key={keyOf(row)} {...{ row, columns, nameOf, actions, select, sorted }} ticked={tickOf(props, row)} />
        ))}
      </ul>
      {props.totalsOfAll && (
        <div className={styles.cardTotals}>
          <strong>{first.total?.(rows)}</strong>
          <dl className={styles.figures}>
            {rest
              .filter(({ card, total }) => card === 'figure' && total)
              .map(({ head, total }) => (
                <div key={head}>
                  <dt>{head}</dt>
                  <dd>{total?.(rows)}</dd>
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
    <li data-selected={ticked || undefined} {...rowLink}>
      <div className={styles.cardHead}>
        <Tick {...props} />
        <CardName columns={columns} row={row} />
        {actions && (
          <div className={styles.cardMenu}>
            <ActionMenu label={t('table.actionsFor', { name: nameOf(row) })} actions={actions(row)} />
          </div>
        )}
      </div>
      {columns.map((column) => {
        const cell = column.card === 'under' && column.cell(row)
        return (
          !isAbsent(cell) && (
            <div key={column.head} className={styles.cardUnder}>
              {cell}
            </div>
          )
        )
      })}
      {sorted && (
        <div className={styles.cardUnder}>
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
    <div className={styles.cardName}>
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
    <dl className={styles.figures}>
      {columns.map((column) => {
        const cell = column.card === 'figure' && column.cell(row)
        if (isAbsent(cell)) return null
        return (
          <div key={column.head}>
            <dt>
              <HeadWords column={column} />
            </dt>
            <dd>{cell}</dd>
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
          head: t(table.sort === 'createdAt' ? 'table.oldestFirst' : 'table.newestFirst'),
          numeric: true,
        },
        ...sortable,
      ]
  return (
    <div className={styles.sortBy}>
      <label htmlFor={id}>{t('table.sortBy')}</label>
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
        label={t(down ? 'table.descending' : 'table.ascending')}
        icon={down ? <DownArrowIcon size={16} /> : <UpArrowIcon size={16} />}
        onClick={() => table.set({ sort: down ? field : `-${field}` })}
      />
    </div>
  )
}

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
    <nav aria-label={t('table.pages')} className={styles.pages} data-lone={props.isLone || undefined}>
      <span>
        {shown
          ? t('table.shown', { from: formatCount(shown.from), to: formatCount(shown.to), total })
          : t('table.total', { count: answer.data?.total ?? 0, total })}
      </span>
      {props.amongThem && <span>{props.amongThem}</span>}
      {(table.cursor || after) && (
        <>
          <Button small disabled={!table.cursor || answer.isPlaceholderData} onClick={() => turn(table.previous)}>
            {t('table.previous')}
          </Button>
          <Button
            small
            disabled={!after || answer.isPlaceholderData}
            onClick={() => after && turn(() => table.next(after))}
          >
            {t('table.next')}
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
    <div role="status" aria-label={t('states.loading')} className={styles.scroll}>
      <div aria-hidden="true" data-name={name} className={styles.waiting}>
        {Array.from({ length: 9 }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
          <div key={line} style={{ gridTemplateColumns: `repeat(${columns.length}, 1fr)` }}>
            {columns.map(({ head, numeric }, at) => (
              <span key={head} className={numeric ? styles.numeric : undefined}>
                {line === 0 ? head : slow && <i style={{ width: `${70 - ((line * 17 + at * 29) % 35)}%` }} />}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
