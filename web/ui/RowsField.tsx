import { type ReactNode, useRef, useState } from 'react'
import { basicWords } from '../words/basic.ts'
import { Button, IconButton } from './Button.tsx'
import type { FieldProps } from './contract-form.tsx'
import { useNotes } from './fields.tsx'
import { CloseIcon, PlusIcon } from './icons.tsx'
import styles from './RowsField.module.css'

type Props<Row> = {
  /** The list itself: mistakes of the whole list appear below its rows. */
  field: Pick<FieldProps<Row[]>, 'id' | 'value' | 'error' | 'onChange'>
  /** The initial value of a new row. */
  blank: Row
  most: number
  /** At least one row is always shown. */
  never0?: boolean
  words: {
    row: (number: number) => string
    add: string
    remove: (number: number) => string
    edit?: (number: number) => string
  }
  /** A row that isn't open shows this alone: one is open at a time, and those with a mistake. */
  folded?: (at: number) => { title: string; note: string; isWrong: boolean }
  /** A row has several fields below one another, and a hairline above it. */
  tall?: boolean
  /** The two fields of a row, or one element with all of a tall one. */
  children: (at: number) => ReactNode
}

/** A list of rows with two fields each, or several below one another, which can be added and removed. */
export function RowsField<Row>({ field, blank, most, never0, words, tall, folded, children }: Props<Row>) {
  const { id, value: rows, error, onChange } = field
  const place = useRef<HTMLDivElement>(null)
  const [opened, open] = useState<number>()
  const { notes, describedBy } = useNotes(id, undefined, error)
  function add() {
    open(rows.length)
    onChange([...rows, blank])
  }
  function remove(at: number) {
    open(undefined)
    const rest = rows.filter((_, other) => other !== at)
    onChange(rest.length === 0 && never0 ? [blank] : rest)
    // the button that had the focus is gone
    place.current?.focus()
  }
  return (
    <div ref={place} id={id} tabIndex={-1} aria-describedby={describedBy} className="stack">
      {rows.map((_, at) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; what is typed stands in the form
          key={at}
          aria-label={words.row(at + 1)}
          className={tall ? `${styles.row} ${styles.tall}` : styles.row}
        >
          <Row at={at} isOpen={opened === at} folded={folded?.(at)} edit={words.edit} onOpen={() => open(at)}>
            {children(at)}
          </Row>
          <IconButton label={words.remove(at + 1)} icon={<CloseIcon size={16} />} onClick={() => remove(at)} />
        </fieldset>
      ))}
      {notes}
      {rows.length < most && (
        <div>
          <Button small icon={<PlusIcon size={16} />} onClick={add}>
            {words.add}
          </Button>
        </div>
      )}
    </div>
  )
}

type RowProps = {
  at: number
  isOpen: boolean
  folded: { title: string; note: string; isWrong: boolean } | undefined
  edit: ((number: number) => string) | undefined
  onOpen: () => void
  children: ReactNode
}

function Row({ at, isOpen, folded, edit, onOpen, children }: RowProps) {
  if (!folded || isOpen || folded.isWrong) return children
  return (
    <div className={`row between no-wrap ${styles.folded}`}>
      <div className="wrap">
        <p className="strong">{folded.title}</p>
        <p className="muted small">{folded.note}</p>
      </div>
      <Button small aria-label={edit?.(at + 1)} onClick={onOpen}>
        {basicWords.actions.edit}
      </Button>
    </div>
  )
}
