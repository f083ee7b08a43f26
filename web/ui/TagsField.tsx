import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { formWords } from '../words/forms.ts'
import { IconButton } from './Button.tsx'
import type { FieldProps } from './contract-form.tsx'
import { useNotes } from './fields.tsx'
import { Field } from './form.tsx'
import { CloseIcon } from './icons.tsx'
import styles from './TagsField.module.css'

type Props = FieldProps<string[]> & {
  help?: ReactNode
  optional?: boolean
  placeholder: string
  /** Normalizes an entry: trimmed, in lower case. */
  tidy?: (typed: string) => string
  /** Marks invalid entries. */
  isWrong?: (value: string) => boolean
  /** Entries may contain spaces: only commas and new lines separate them. */
  spaced?: boolean
  /** Returns the shown text of an entry; the entry itself by default. */
  show?: (value: string) => string
  /** The id of a datalist of entries to choose from. */
  list?: string
}

/**
 * Several short texts. Enter, a comma or leaving the field adds the typed text; Backspace in an empty field removes the
 * last one.
 */
export function TagsField(props: Props) {
  const { id, name, label, value, error, help, optional, placeholder, isWrong, onChange, onBlur } = props
  const { tidy = (typed: string) => typed.trim(), show = (entry: string) => entry, spaced, list } = props
  const between = spaced ? /[,;\n\t]+/ : /[\s,;]+/
  const [typed, setTyped] = useState('')
  const { notes, describedBy } = useNotes(id, help, error)

  function add(text: string) {
    const entries = text.split(between).map(tidy)
    const fresh = entries.filter((entry, at) => entry && !value.includes(entry) && entries.indexOf(entry) === at)
    if (fresh.length) onChange([...value, ...fresh])
    setTyped('')
  }

  function onKeyDown(event: KeyboardEvent) {
    if ((event.key === 'Enter' || event.key === ',') && typed.trim()) {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '' && value.length) onChange(value.slice(0, -1))
  }

  function onPaste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text')
    if (!between.test(pasted.trim())) return
    event.preventDefault()
    add(pasted)
  }

  return (
    <Field id={id} label={label} optional={optional}>
      <div className={`control ${styles.box}`} data-wrong={error !== undefined || undefined}>
        {value.map((entry) => (
          <span key={entry} className={`wrap ${styles.tag}`} data-wrong={isWrong?.(entry) || undefined}>
            {show(entry)}
            <IconButton
              label={formWords.removeEntry({ entry: show(entry) })}
              icon={<CloseIcon size={12} />}
              onClick={() => {
                onChange(value.filter((other) => other !== entry))
                document.getElementById(id)?.focus()
              }}
            />
          </span>
        ))}
        <input
          id={id}
          name={name}
          list={list}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholder}
          value={typed}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => {
            if (typed.trim()) add(typed)
            onBlur()
          }}
        />
      </div>
      {notes}
    </Field>
  )
}
