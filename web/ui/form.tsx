import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { CallError, mayHaveTakenEffect, randomKey } from '../api.ts'
import { t } from '../words.ts'
import { Button, IconButton } from './Button.tsx'
import { ErrorIcon, HideIcon, ShowIcon } from './base-icons.tsx'
import styles from './form.module.css'
import { Message } from './Message.tsx'
import { explainRefusal } from './refusals.ts'

export { explainRefusal } from './refusals.ts'

/** Returns the mistake in a value, or undefined. */
export type Rule<V> = (value: string, label: string, values: V) => string | undefined

export const required: Rule<unknown> = (value, label) => (value.trim() ? undefined : t('rules.required', { label }))
export const email: Rule<unknown> = (value) =>
  value === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()) ? undefined : t('rules.email')
export const newPassword: Rule<unknown> = (value) => (value.length < 12 ? t('rules.password') : undefined)

type FieldOf<V> = { label: string; rules?: Rule<V>[] }
type Fields<V> = { [name in keyof V]: FieldOf<V> }

type Definition<V> = {
  initial: V
  fields: Fields<V>
  /** Sends the values; an error it throws is shown: a `CallError` on its fields or above the form. */
  send: (values: V, idempotencyKey: string) => Promise<unknown>
  /** Returns the message for a refusal without a field, if the server's own is not the one to show. */
  explain?: (error: CallError) => string | undefined
  /** The field that takes the focus after a refusal without a field; by default the alert does. */
  retryAt?: keyof V & string
}

/**
 * A small form: values as text, checked when a changed field is left and when the form is sent; the server's refusals
 * appear on their fields. The idempotency key stays the same until the values change, so that a second press takes
 * effect once.
 */
export function useForm<V extends Record<string, string>>({ initial, fields, send, explain, retryAt }: Definition<V>) {
  const prefix = useId()
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Partial<Record<keyof V, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [marked, setMarked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const edited = useRef(new Set<keyof V>())
  const key = useRef(randomKey())
  /** A second press may come before the button is busy. */
  const sending = useRef(false)

  /** The current values for delayed checks: more may have been typed meanwhile. */
  const latest = useRef(values)
  latest.current = values

  const idOf = (name: keyof V) => `${prefix}${String(name)}`
  const check = (name: keyof V, among: V) => {
    for (const rule of fields[name].rules ?? []) {
      const wrong = rule(among[name] as string, fields[name].label, among)
      if (wrong) return wrong
    }
    return undefined
  }

  function change(name: keyof V, value: string) {
    edited.current.add(name)
    key.current = randomKey()
    setValues((before) => ({ ...before, [name]: value }))
    setErrors((before) => ({ ...before, [name]: undefined }))
  }

  function leave(name: keyof V) {
    if (!edited.current.has(name)) return
    afterPress(() => setErrors((before) => ({ ...before, [name]: before[name] ?? check(name, latest.current) })))
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (sending.current) return
    const wrong = Object.fromEntries(Object.keys(fields).map((name) => [name, check(name, values)]))
    setErrors(wrong as typeof errors)
    setFailure(null)
    setAttempt((count) => count + 1)
    const anyWrong = Object.values(wrong).some(Boolean)
    setMarked(anyWrong)
    if (anyWrong) return
    setBusy(true)
    sending.current = true
    try {
      await send(values, key.current)
    } catch (error) {
      refuse(error)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  function refuse(error: unknown) {
    if (!(error instanceof CallError)) throw error
    const known = Object.entries(error.fields).filter(([path]) => path in fields)
    setAttempt((count) => count + 1)
    if (known.length) {
      setErrors(Object.fromEntries(known) as typeof errors)
      setMarked(true)
    } else {
      if (!mayHaveTakenEffect(error)) key.current = randomKey()
      setFailure(explain?.(error) ?? explainRefusal(error))
      if (retryAt) requestAnimationFrame(() => document.getElementById(idOf(retryAt))?.focus())
    }
  }

  return {
    values,
    busy,
    submit,
    failure,
    marked: marked
      ? (Object.keys(fields) as (keyof V & string)[])
          .filter((name) => errors[name])
          .map((name) => ({ id: idOf(name), label: fields[name].label }))
      : [],
    attempt,
    keepsFocus: retryAt !== undefined,
    field: (name: keyof V & string) => ({
      id: idOf(name),
      name,
      label: fields[name].label,
      value: values[name] as string,
      error: errors[name],
      onChange: (value: string) => change(name, value),
      onBlur: () => leave(name),
    }),
  }
}

let pressed = false
addEventListener(
  'pointerdown',
  () => {
    pressed = true
  },
  true,
)
for (const end of ['pointerup', 'pointercancel']) {
  addEventListener(
    end,
    () => {
      pressed = false
    },
    true,
  )
}

/**
 * Runs `work` once no pointer is down. A message that appears during a press would move the button away from under the
 * pointer, and the press would be lost.
 */
export function afterPress(work: () => void) {
  if (pressed) addEventListener('pointerup', () => setTimeout(work), { once: true })
  else work()
}

type FormState = Pick<
  ReturnType<typeof useForm<Record<string, string>>>,
  'submit' | 'busy' | 'failure' | 'marked' | 'attempt' | 'keepsFocus'
>

const Busy = createContext(false)

type FormProps = {
  form: FormState
  children: ReactNode
  /** Left out in a dialog, which names it. */
  label?: string
  /** As wide as its container, not 640 px. */
  wide?: boolean
}

/** The form element with its alert above the fields: 'Check the marked fields' takes the focus and links to each. */
export function PlainForm({ form, children, label, wide }: FormProps) {
  const marked = form.marked.length > 0
  return (
    <Busy value={form.busy}>
      <form noValidate className={wide ? styles.wide : styles.form} aria-label={label} onSubmit={form.submit}>
        {marked && (
          <Message kind="error" answers={form.attempt}>
            {t('errors.checkFields')}:{' '}
            {form.marked.map(({ id, label }, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <a href={`#${id}`} onClick={(event) => focusField(event, id)}>
                  {label}
                </a>
              </span>
            ))}
          </Message>
        )}
        {!marked && form.failure && (
          <Message kind="error" answers={form.keepsFocus ? undefined : form.attempt}>
            {form.failure}
          </Message>
        )}
        {children}
      </form>
    </Busy>
  )
}

function focusField(event: React.MouseEvent, id: string) {
  event.preventDefault()
  document.getElementById(id)?.focus()
}

type SubmitProps = {
  children: ReactNode
  block?: boolean
  /** `secondary` for a second form on a page, `danger` for one that ends something. */
  look?: 'primary' | 'secondary' | 'danger'
}

/** The submit button of the surrounding form. */
export function SubmitButton({ children, block, look = 'primary' }: SubmitProps) {
  return (
    <Button type="submit" look={look} busy={useContext(Busy)} block={block}>
      {children}
    </Button>
  )
}

type FieldProps = { id: string; label: string; optional?: boolean; children: ReactNode }

/** The surrounding form's set of secret fields, whose values are never stored. */
export const SecretPlaces = createContext<Set<string> | null>(null)

/** Registers this field as a secret, also once it is shown or gone. */
export function useSecretPlace(name: string | undefined) {
  const places = useContext(SecretPlaces)
  useEffect(() => {
    if (name) places?.add(name)
  }, [places, name])
}

/** The label above a control. '(optional)' is outside the label, so that the field's name does not include it. */
export function Field({ id, label, optional, children }: FieldProps) {
  return (
    <div className={styles.field}>
      <div className={styles.label}>
        <label htmlFor={id}>{label}</label>
        {optional && <span>{t('optional')}</span>}
      </div>
      {children}
    </div>
  )
}

/** Returns the help and error below a control, and the attribute that links them to it. */
export function useNotes(id: string, help: ReactNode, error: string | undefined) {
  const ids = [help && `${id}-help`, error && `${id}-error`].filter(Boolean)
  const notes = (
    <>
      {help && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
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
  /** Never stored, like a password. */
  secret?: boolean
  onChange: (value: string) => void
}

/** A line of text, with its help and error below. */
export function TextInput({ id, error, help, sign, right, secret, onChange, ...rest }: InputProps) {
  useSecretPlace(secret || rest.type === 'password' ? rest.name : undefined)
  const { notes, describedBy } = useNotes(id, help, error)
  const signWidth = sign && 18 + 10 * sign.length
  return (
    <>
      <div className={styles.input}>
        {sign && (
          <span className={styles.sign} style={{ width: signWidth }}>
            {sign}
          </span>
        )}
        <input
          id={id}
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          style={{ paddingLeft: signWidth }}
          onChange={(event) => onChange(event.currentTarget.value)}
          {...rest}
        />
        {right && <span className={styles.right}>{right}</span>}
      </div>
      {notes}
    </>
  )
}

type TextProps = Omit<FieldProps, 'children'> & InputProps & { name: string; value: string; onBlur: () => void }

export function TextField({ id, label, optional, ...rest }: TextProps) {
  return (
    <Field id={id} label={label} optional={optional}>
      <TextInput id={id} {...rest} />
    </Field>
  )
}

/** A password, hidden until its eye is pressed. */
export function PasswordField({ showLabel = t('fields.showPassword'), ...props }: TextProps & { showLabel?: string }) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      right={
        <IconButton
          className={styles.eye}
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
  return <div className={styles.pair}>{children}</div>
}
