import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { CallError } from '../api.ts'
import { basicWords } from '../words/basic.ts'
import { Button, IconButton } from './Button.tsx'
import { ErrorIcon, HideIcon, ShowIcon } from './base-icons.tsx'
import styles from './form.module.css'
import { Message } from './Message.tsx'

export { explainRefusal } from './refusals.ts'

const Busy = createContext(false)

/** The call that sends a form, from `useCall` or `useSend`. */
export type Sending = { busy: boolean; error: CallError | null }

export type FrameProps<C> = {
  form: {
    check: () => C | null
    refuse: (error: CallError) => void
    failure: string | null
    marked: readonly { id: string; label: string }[]
    attempt: number
    /** A field takes the focus after a refusal, not the alert. */
    keepsFocus?: boolean
  }
  save: Sending
  /** Left out in a dialog, which names it. */
  label?: string
  /** As wide as its container, not 640 px. */
  wide?: boolean
  /** Gets the checked values. */
  onSubmit: (checked: C) => void
  children: ReactNode
}

/** The form element with its alert above the fields: 'Check the marked fields' takes the focus and links to each. */
export function FormFrame<C>({ form, save, label, wide, onSubmit, children }: FrameProps<C>) {
  const { failure, attempt, marked, refuse } = form
  const shown = useRef<CallError | null>(null)
  const answered = useRef(0)
  useEffect(() => {
    if (save.error && shown.current !== save.error) refuse(save.error)
    shown.current = save.error
  }, [save.error, refuse])

  function submit(event: FormEvent) {
    event.preventDefault()
    event.stopPropagation()
    if (save.busy) return
    const checked = form.check()
    if (checked) onSubmit(checked)
  }

  return (
    <Busy value={save.busy}>
      <form noValidate className={wide ? 'stack' : `stack ${styles.form}`} aria-label={label} onSubmit={submit}>
        {marked.length > 0 && (
          <Message kind="error" answers={attempt} answered={answered}>
            {basicWords.errors.checkFields}:{' '}
            {marked.map(({ id, label }, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <a href={`#${id}`} onClick={(event) => focusField(event, id)}>
                  {label}
                </a>
              </span>
            ))}
          </Message>
        )}
        {failure && (
          <Message kind="error" answers={form.keepsFocus ? undefined : attempt} answered={answered}>
            {failure}
          </Message>
        )}
        {children}
      </form>
    </Busy>
  )
}

function focusField(event: React.MouseEvent, id: string) {
  event.preventDefault()
  const field = document.getElementById(id)
  // in a hidden part of the form, which then shows it
  field?.dispatchEvent(new Event('reveal', { bubbles: true }))
  field?.focus()
}

type SubmitProps = {
  children: ReactNode
  block?: boolean
  disabled?: boolean | undefined
  /** Why it cannot be pressed now, as of `Button`. */
  cannot?: string | false | undefined
  /** `secondary` for a second form on a page, `danger` for one that ends something. */
  look?: 'primary' | 'secondary' | 'danger'
}

/** The submit button of the surrounding form. */
export function SubmitButton({ children, block, cannot, disabled, look = 'primary' }: SubmitProps) {
  return (
    <Button type="submit" look={look} busy={useContext(Busy)} block={block} cannot={cannot} disabled={disabled}>
      {children}
    </Button>
  )
}

type LabelledProps = { id: string; label: string; optional?: boolean; children: ReactNode }

/** The label above a control. '(optional)' is outside the label, so that the field's name does not include it. */
export function Field({ id, label, optional, children }: LabelledProps) {
  return (
    <div className="wrap">
      <div className={`row gap-1 ${styles.label}`}>
        <label htmlFor={id} className="strong">
          {label}
        </label>
        {optional && <span className="muted">{basicWords.optional}</span>}
      </div>
      {children}
    </div>
  )
}

/** The id of the sentence about who can change the fields within, where the person may only read them. */
export const LockNote = createContext<string | undefined>(undefined)

/** Returns the help and error below a control, and the attribute that links them to it. */
export function useNotes(id: string, help: ReactNode, error: string | undefined) {
  const ids = [help && `${id}-help`, error && `${id}-error`, useContext(LockNote)].filter(Boolean)
  const notes = (
    <>
      {help && (
        <p id={`${id}-help`} className={`small muted ${styles.note}`}>
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={`row no-wrap gap-1 small error ${styles.note}`}>
          <ErrorIcon size={14} />
          {error}
        </p>
      )}
    </>
  )
  return { notes, describedBy: ids.join(' ') || undefined }
}

type InputProps = Omit<ComponentProps<'input'>, 'id' | 'onChange'> & {
  id: string
  error?: string
  help?: ReactNode
  /** Before the input: a currency's sign. */
  sign?: string
  /** After the input: a unit, or a button. */
  right?: ReactNode
  onChange: (value: string) => void
}

/** A line of text, with its help and error below. */
export function TextInput({ id, error, help, sign, right, onChange, ...rest }: InputProps) {
  const { notes, describedBy } = useNotes(id, help, error)
  const signWidth = sign && 18 + 10 * sign.length
  return (
    <>
      <div className="overlaid">
        {sign && (
          <span className="sign" style={{ width: signWidth }}>
            {sign}
          </span>
        )}
        <input
          id={id}
          className={rest.type === 'date' ? `control ${styles.date}` : 'control'}
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          style={{ paddingLeft: signWidth }}
          onChange={(event) => onChange(event.currentTarget.value)}
          {...rest}
        />
        {right && <span>{right}</span>}
      </div>
      {notes}
    </>
  )
}

type TextProps = Omit<LabelledProps, 'children'> & InputProps & { name: string; value: string; onBlur: () => void }

export function TextField({ id, label, optional, ...rest }: TextProps) {
  return (
    <Field id={id} label={label} optional={optional}>
      <TextInput id={id} {...rest} />
    </Field>
  )
}

/** A password, hidden until its eye is pressed. */
export function PasswordField({
  showLabel = basicWords.fields.showPassword,
  ...props
}: TextProps & { showLabel?: string }) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      right={
        <IconButton
          label={showLabel}
          aria-pressed={shown}
          icon={shown ? <HideIcon size={16} /> : <ShowIcon size={16} />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}

/** Two short fields that share a row from 768 px. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className={`stack ${styles.pair}`}>{children}</div>
}
