import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { basicWords } from '../words/basic.ts'
import { formWords } from '../words/forms.ts'
import { tableWords } from '../words/lists.ts'
import { IconButton } from './Button.tsx'
import type { FieldProps } from './contract-form.tsx'
import { useNotes } from './fields.tsx'
import { Field } from './form.tsx'
import { CloseIcon, DownIcon } from './icons.tsx'
import styles from './Picker.module.css'

export type PickerOption = { value: string; label: string; note?: string }

/** The result of a search for options. */
type SearchResult = {
  options: PickerOption[]
  /** There are further ones. */
  more: boolean
}

/**
 * Returns the query of options from a list of the server: `listQuery` for the typed text, with a `select` that turns
 * its rows into options.
 */
type OptionsFor<D> = (search: string) => UseQueryOptions<D, Error, SearchResult>

type ControlProps<D> = {
  id: string
  value: string | null
  /** The chosen option's label while it is not loaded. */
  valueLabel?: string
  optionsFor: OptionsFor<D>
  onChange: (value: string | null, option: PickerOption | null) => void
  onBlur?: () => void
  placeholder?: string
  invalid?: boolean
  describedBy?: string
  disabled?: boolean
  className?: string
  /** A choice is required: it cannot be cleared. */
  keeps?: boolean
}

/**
 * A choice among many things of the server, found by typing: an editable combobox. Escape and a click outside close it.
 * It shows 'Loading...' while searching, and 'An error occurred' if that failed.
 */
export function Picker<D>(props: ControlProps<D>) {
  const { id, value, valueLabel, optionsFor, onChange, onBlur, placeholder, disabled, className, keeps } = props
  const list = useId()
  const root = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const [activeValue, setActiveValue] = useState<string | null>(null)
  const [kept, setKept] = useState<PickerOption | null>(null)
  const [wanted, setWanted] = useState(false)
  const search = useDebounced(typed ?? '', 300)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...optionsFor(search),
    enabled: wanted || open,
  })
  const { options, more } = data ?? {}
  const failed = error !== null && !isFetching
  // Options of an earlier text stay visible, but keys cannot choose them: Enter after further typing refers to the
  // text.
  const outdated = isPlaceholderData || search !== (typed ?? '')
  const chosen = kept?.value === value ? kept : options?.find((option) => option.value === value)
  const shown = value === null ? '' : (chosen?.label ?? valueLabel ?? '')
  const wantedActive = activeValue ?? (typed === null ? value : null)
  const active = outdated ? -1 : Math.max(0, options?.findIndex((option) => option.value === wantedActive) ?? 0)
  const current = options?.[active]
  const offered = options !== undefined && options.length > 0

  useEffect(() => {
    if (!open) return
    const away = ({ target }: Event) => root.current?.contains(target as Node) || leave()
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: opening it again tries again
  useEffect(() => {
    if (open && failed) refetch()
  }, [open])

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the active option that moves
  useEffect(() => {
    root.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [open, current?.value])

  function close() {
    setOpen(false)
    setTyped(null)
    setActiveValue(null)
  }

  /** An emptied field clears the choice; half-typed text is discarded. */
  function leave() {
    if (typed === '' && !keeps) choose(null)
    else close()
  }

  function choose(option: PickerOption | null) {
    setKept(option)
    onChange(option?.value ?? null, option)
    close()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) setOpen(true)
      else if (current)
        setActiveValue(options?.at((active + (event.key === 'ArrowDown' ? 1 : -1)) % options.length)?.value ?? null)
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      if (current) choose(current)
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the focus has left all of it
    <div
      ref={root}
      className={`overlaid ${styles.picker} ${className ?? ''}`}
      onFocus={() => setWanted(true)}
      onPointerEnter={() => setWanted(true)}
      onBlur={({ relatedTarget }) => {
        // Its own button is still inside.
        if (root.current?.contains(relatedTarget)) return
        leave()
        onBlur?.()
      }}
    >
      <input
        id={id}
        className="control"
        role="combobox"
        aria-expanded={open && offered}
        aria-controls={open && offered ? list : undefined}
        aria-autocomplete="list"
        aria-activedescendant={open && current ? `${list}-${active}` : undefined}
        aria-invalid={props.invalid || undefined}
        aria-describedby={props.describedBy}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        placeholder={placeholder}
        value={typed ?? shown}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setActiveValue(null)
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
      />
      {value !== null && !disabled && !keeps ? (
        <IconButton small label={formWords.clear} icon={<CloseIcon size={14} />} onClick={() => choose(null)} />
      ) : (
        <DownIcon size={16} />
      )}
      {open && (
        <div className={`overlay ${styles.list}`}>
          {!options && (
            <p role="status" className="muted">
              {failed ? formWords.failed : basicWords.states.loading}
            </p>
          )}
          {options?.length === 0 && (
            <p role="status" className="muted">
              {formWords.notFound}
            </p>
          )}
          {offered && (
            <div
              id={list}
              role="listbox"
              aria-label={formWords.choices}
              aria-busy={outdated || undefined}
              data-dimmed={outdated || undefined}
            >
              {options.map((option, at) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the input that owns the list
                <div
                  key={option.value}
                  id={`${list}-${at}`}
                  role="option"
                  tabIndex={-1}
                  className="choice"
                  aria-selected={option.value === value}
                  data-active={at === active || undefined}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(option)}
                >
                  {option.label}
                  {option.note && <small className="muted"> {option.note}</small>}
                </div>
              ))}
            </div>
          )}
          {more && (
            <p role="status" className="muted">
              {formWords.more}
            </p>
          )}
        </div>
      )}
    </div>
  )
}

type FieldOf<D> = Omit<FieldProps<string | null>, 'onChange'> &
  Pick<ControlProps<D>, 'optionsFor' | 'valueLabel' | 'placeholder' | 'disabled'> & {
    onChange: (value: string | null) => void
    help?: ReactNode
    optional?: boolean
  }

export function PickerField<D>({ error, help, optional, label, name: _, onChange, ...props }: FieldOf<D>) {
  const { notes, describedBy } = useNotes(props.id, help, error)
  return (
    <Field id={props.id} label={label} optional={optional}>
      <Picker
        {...props}
        invalid={error !== undefined}
        describedBy={describedBy}
        onChange={(value) => onChange(value)}
      />
      {notes}
    </Field>
  )
}

type FilterOf<D> = Pick<ControlProps<D>, 'optionsFor' | 'valueLabel' | 'keeps'> & {
  label: string
  value: string
  placeholder?: string
  onChange: (value: string | undefined) => void
}

/** A `Picker` among the filters of a table. */
export function PickerFilter<D>(props: FilterOf<D>) {
  const { label, value, placeholder = tableWords.any, keeps, onChange, ...rest } = props
  const id = useId()
  return (
    <div className="filter" data-used={(value !== '' && !keeps) || undefined}>
      <label htmlFor={id}>{label}</label>
      <Picker
        {...rest}
        id={id}
        className={styles.filter}
        keeps={keeps}
        value={value || null}
        placeholder={placeholder}
        onChange={(chosen) => onChange(chosen ?? undefined)}
      />
    </div>
  )
}

/** Returns `value` once it has not changed for `waitMs`. */
export function useDebounced<T>(value: T, waitMs: number) {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), waitMs)
    return () => clearTimeout(timer)
  }, [value, waitMs])
  return late
}
