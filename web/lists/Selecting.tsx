import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '#contract/format.ts'

import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { useStable } from '../ui/useStable.ts'
import { formWords } from '../words/forms.ts'
import { tableWords } from '../words/lists.ts'
import type { Loaded, Props, RowProps } from './list-types.ts'
import styles from './Selecting.module.css'
import { MOST_SELECTED, type Selection } from './selection.ts'

type SelectionBarProps<Row> = Props<Row> & { selection: Selection<Row>; clear: () => void }

/** Sticky, as are the table's heads below it. */
export function SelectionBar<Row>(props: SelectionBarProps<Row>) {
  const { selection, clear, bulk } = props
  const bar = useRef<HTMLFieldSetElement>(null)
  // screen readers announce only what changes in a status that is already there
  const [said, say] = useState('')
  useEffect(() => say(tableWords.selected({ count: selection.count })), [selection.count])
  useLayoutEffect(() => {
    const box = bar.current
    const list = box?.parentElement
    if (!box || !list) return
    const observer = new ResizeObserver(() =>
      list.style.setProperty('--above', `calc(var(--header) + ${box.offsetHeight}px)`),
    )
    observer.observe(box)
    return () => {
      observer.disconnect()
      list.style.removeProperty('--above')
    }
  }, [])
  return (
    <fieldset ref={bar} aria-label={tableWords.selection} className={`row screen-only ${styles.bar}`}>
      <span role="status" className="strong">
        {said}
      </span>
      <SelectMatching {...props} />
      {selection.read === null && bulk}
      <Button look="quiet" small className={`to-end ${styles.clear}`} onClick={clear}>
        {tableWords.clearSelection}
      </Button>
    </fieldset>
  )
}

/** Shown once the whole page is ticked: selects all rows of the list, up to the maximum. */
function SelectMatching<Row>({ selection, selectable, answer, table, keyOf }: SelectionBarProps<Row>) {
  const { items = [], nextCursor, total = 0 } = answer.data ?? {}
  const most = formatNumber(MOST_SELECTED)
  if (selection.read !== null)
    return (
      <>
        <span className={styles.progress}>
          <ProgressBar label={tableWords.selecting} done={selection.read} total={null} />
        </span>
        <Button small onClick={selection.cancel}>
          {formWords.cancel}
        </Button>
      </>
    )
  const hasMore = Boolean(nextCursor || table.cursor) && total > selection.count
  const some = items.filter(selectable ?? always)
  if (!hasMore || some.some((row) => !selection.has(keyOf(row)))) return null
  if (selection.count >= MOST_SELECTED) return <small className="muted">{tableWords.mostSelected({ most })}</small>
  return (
    <Button look="quiet" small onClick={() => void selection.setAll(selectable ?? always)}>
      {total > MOST_SELECTED
        ? tableWords.selectFirst({ most })
        : selectable
          ? tableWords.selectAllMatching
          : tableWords.selectMatching({ total: formatNumber(total) })}
    </Button>
  )
}

export function Tick<Row>({ row, nameOf, ticked, select }: RowProps<Row>) {
  if (ticked === undefined) return null
  return (
    <Checkbox
      label={tableWords.select({ name: nameOf(row) })}
      labelHidden
      checked={ticked}
      onChange={(checked, range) => select?.(row, checked, range)}
    />
  )
}

/** Returns whether a row is ticked; undefined if it cannot be. One that could be when it was ticked can be unticked. */
export function getTick<Row>({ keyOf, selection, selectable = always }: Props<Row>, row: Row) {
  return selection && (selection.has(keyOf(row)) || (selectable(row) ? false : undefined))
}

/**
 * Returns the function that ticks a row; with Shift also those between it and the last ticked one. Undefined if none
 * can be.
 */
export function useRange<Row>(props: Loaded<Row>): RowProps<Row>['select'] {
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
export function SelectPage<Row>({ rows, keyOf, selectable = always, selection, inHead }: SelectPageProps<Row>) {
  const some = rows.filter(selectable)
  const ticked = some.filter((row) => selection.has(keyOf(row))).length
  if (some.length === 0) return inHead && <span className="visually-hidden">{tableWords.selection}</span>
  return (
    <Checkbox
      label={tableWords.selectPage}
      labelHidden={inHead}
      checked={ticked === some.length}
      mixed={ticked > 0 && ticked < some.length}
      onChange={(checked) => selection.set(some, checked)}
    />
  )
}
