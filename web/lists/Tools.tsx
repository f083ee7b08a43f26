import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ActionMenu } from '../ui/ActionMenu.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { CloseIcon, ColumnsIcon, DownIcon, FilterIcon, SearchIcon } from '../ui/icons.tsx'
import { Options } from '../ui/Options.tsx'
import { fieldWords } from '../words/fields.ts'
import { tableWords } from '../words/lists.ts'
import type { AnyTable, DataColumn, TableFilter } from './list-types.ts'
import styles from './Tools.module.css'

/** From this many controls on, the buttons beside them show only their icons. */
const MANY = 5

/** Whether a filter, or the other end of its range, is chosen. */
export const isUsed = ({ name, end }: TableFilter, table: Pick<AnyTable, 'filter'>) =>
  table.filter(name) !== '' || (end !== undefined && table.filter(end) !== '')

type ToolsProps = {
  wide: boolean
  heading?: string
  plural?: string
  table: AnyTable
  filters: TableFilter[]
  /** Chooses among ways to show the list. */
  choice?: ReactNode
  children: ReactNode
}

export function Tools({ wide, heading, plural, table, filters, choice, children }: ToolsProps) {
  // without room, all filters wait for the button
  const [atOnce, onRequest] = wide
    ? [filters.filter(({ rare }) => !rare), filters.filter(({ rare }) => rare)]
    : [[], filters]
  const [open, setOpen] = useState(onRequest.some((filter) => isUsed(filter, table)))
  const drawn = (some: TableFilter[]) =>
    some.map((filter) => <Filter key={filter.name} filter={filter} table={table} />)
  const isCrowded = filters.length + Number(Boolean(plural)) + Number(Boolean(choice)) >= MANY
  return (
    <div className={`row screen-only ${styles.tools} ${isCrowded ? styles.crowded : ''}`}>
      {heading && <h2>{heading}</h2>}
      <div className={`row ${styles.filters}`}>
        {plural && <Search plural={plural} table={table} />}
        {drawn(atOnce)}
        {onRequest.length > 0 && (
          <IconButton
            bordered
            label={fieldWords.filters}
            aria-expanded={open}
            icon={<FilterIcon />}
            onClick={() => setOpen(!open)}
          />
        )}
        {open && drawn(onRequest)}
        {choice}
      </div>
      {children}
    </div>
  )
}

/** A menu of the shown columns, without the first, which names the rows. */
export function ColumnsMenu<Row>({
  columns,
  table: { hidden, hide },
}: {
  columns: DataColumn<Row>[]
  table: AnyTable
}) {
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
    <ActionMenu label={tableWords.columns} icon={<ColumnsIcon size={16} />} actions={choices}>
      {tableWords.columns}
    </ActionMenu>
  )
}

/** Searches 300 ms after the last keystroke. */
function Search({ plural, table }: { plural: string; table: AnyTable }) {
  const [typed, setTyped] = useState(table.search)
  const field = useRef<HTMLInputElement>(null)
  const current = useRef(table.search)
  useEffect(() => {
    if (table.search === current.current) return
    current.current = table.search
    setTyped(table.search)
  }, [table.search])
  const set = table.set
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the wait
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === current.current) return
    const timer = setTimeout(() => {
      current.current = wanted
      set({ search: wanted })
    }, 300)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div className={`overlaid ${styles.search}`}>
      <SearchIcon size={16} />
      <input
        ref={field}
        type="search"
        className="control"
        data-shortcut="/"
        aria-label={tableWords.search({ plural })}
        placeholder={tableWords.search({ plural })}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {typed && (
        <IconButton
          small
          label={tableWords.clearSearch}
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
  if ('render' in filter) return filter.render({ label: filter.label, value, onChange, table })
  if ('flag' in filter) {
    const on = filter.flag === true ? 'true' : filter.flag
    return (
      <div className={`filter strong ${styles.flag}`} data-used={value !== '' || undefined}>
        <Checkbox
          label={filter.label}
          checked={value === on}
          onChange={(checked) => onChange(checked ? on : undefined)}
        />
      </div>
    )
  }
  const { label, all = tableWords.all, choices } = filter
  return (
    <div className="filter" data-used={value !== '' || undefined}>
      <label htmlFor={id}>{label}</label>
      <div className="overlaid">
        <select id={id} className="control" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <Options choices={choices} none={all} />
        </select>
        <DownIcon size={16} />
      </div>
    </div>
  )
}
