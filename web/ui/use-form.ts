import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { CallError, mayHaveTakenEffect, randomKey } from '../api.ts'
import { basicWords } from '../words/basic.ts'
import { labelWords } from '../words/fields.ts'
import {
  acceptValues,
  applyReadValues,
  beginForm,
  blurField,
  changeValue,
  type FormState,
  fillValues,
  isDirty,
  isSame,
  type Messages,
  markSaved,
  type PathOf,
  refuseValues,
  type ValuesAt,
  valueAt,
} from './form-values.ts'
import { explainRefusal } from './refusals.ts'

/** Props of every field of a form. */
export type FieldProps<T> = {
  id: string
  name: string
  label: string
  value: T
  error?: string
  onChange(value: T): void
  onBlur(): void
}

type LastOf<Path> = Path extends `${string}.${infer Rest}` ? LastOf<Rest> : Path
/** A field of the dictionary brings its own label. */
type OwnLabel<Path> = LastOf<Path> extends keyof typeof labelWords ? [label?: string] : [label: string]

type FieldAmong<At> = <P extends keyof At & string>(path: P, ...label: OwnLabel<P>) => FieldProps<At[P]>

/** A form with at least these values: for fields shared by several forms. */
export type FormWith<V> = { values: V; initial: V; field: FieldAmong<ValuesAt<V>> }

/** Returns the mistake in a text, or undefined. */
export type Rule<V> = (value: string, label: string, values: V) => string | undefined

type LabelOf = (path: string) => string | undefined

export type FormOptions<V> = {
  /** Initial values of the fields: text fields '', choices null or a value. */
  initial: V
  /** Checks of single texts, for screens that cannot load the contract's schemas: before signing in, and in their size. */
  rules?: { [name in keyof V & string]?: readonly Rule<NoInfer<V>>[] }
  /** Returns messages by path, undefined if valid. `labelOf` returns the label of a field that is shown. */
  check?: (values: V, labelOf: LabelOf, initial: V) => Messages
  /** Completes what was typed, when a field is left and before the values are sent. */
  complete?: (values: V) => V
  /** Returns the message for a refusal without a field, if the server's own is not the one to show. */
  explain?: (error: CallError) => string | undefined
  /** The field that takes the focus after a refusal without a field; by default the alert does. */
  retryAt?: PathOf<V>
}

/**
 * The values and mistakes of a form. A field is checked when it is left after a change, and all are when the form is
 * sent; the server's refusals appear on their fields.
 */
export function useForm<V extends object>(options: FormOptions<V>) {
  const { initial: first, rules = {}, check, complete = (values) => values, explain, retryAt } = options
  const prefix = useId()
  const [state, setState] = useState(() => beginForm(first))
  /** The state that the next change begins with, also before it is rendered. */
  const latest = useRef(state)
  const apply = useCallback((next: (before: FormState<V>) => FormState<V>) => {
    latest.current = next(latest.current)
    setState(latest.current)
  }, [])

  const [read, setRead] = useState(first)
  if (!isSame(read, first)) setRead(first)
  useEffect(() => {
    apply((before) => (isSame(before.initial, read) ? before : applyReadValues(before, read)))
  }, [read, apply])

  /** The fields of this rendering, in the order of the screen. */
  const labels = new Map<string, string>()
  const idOf = (path: string) => `${prefix}${path}`
  function mistakes(state: FormState<V>): Messages {
    const values = complete(state.values)
    const byRules = Object.entries<readonly Rule<V>[]>(rules).map(([name, list]) => {
      const label = labels.get(name) ?? ''
      return [name, list.map((rule) => rule(String(valueAt(values, name)), label, values)).find(Boolean)]
    })
    return { ...Object.fromEntries(byRules), ...check?.(values, (path) => labels.get(path), state.initial) }
  }

  const field: FormWith<V>['field'] = (path, ...[given]) => {
    const label = given ?? labelWords[path.split('.').at(-1) as keyof typeof labelWords]
    labels.set(path, label)
    return {
      id: idOf(path),
      name: path,
      label,
      value: valueAt(state.values, path) as ValuesAt<V>[typeof path],
      error: state.errors[path],
      onChange: (value) => apply((before) => changeValue(before, path, value)),
      onBlur: () => {
        if (!latest.current.later.has(path)) return
        afterPress(() =>
          apply((before) => blurField({ ...before, values: complete(before.values) }, path, mistakes(before), labels)),
        )
      },
    }
  }

  const { values, errors, listed, failure, attempt } = state
  return {
    values,
    /** The values it began with. */
    initial: state.initial,
    /** Whether any value differs from the initial one. */
    dirty: isDirty(state),
    field,
    set: (some: Partial<V>) => apply((before) => fillValues(before, some)),
    /** Starts again with these values, discarding typed ones. */
    restart: (next: V) => apply(() => beginForm(next)),
    /** Starts again with the saved values, on a page that stays: values typed while saving stay too, unsaved. */
    saved: (next: V) => apply((before) => markSaved(before, next)),
    /** Returns whether any of these fields, or any at all, was changed since the last attempt was sent. */
    editedSince(...paths: PathOf<V>[]) {
      const { later } = latest.current
      return paths.length > 0 ? paths.some((path) => later.has(path)) : later.size > 0
    },
    /** Checks everything; returns the values to send, or null if there are mistakes. */
    check(): V | null {
      const wrong = mistakes(latest.current)
      const valid = Object.values(wrong).every((message) => message === undefined)
      apply((before) => (valid ? acceptValues(before) : refuseValues(before, wrong, null, labels)))
      return valid ? complete(latest.current.values) : null
    },
    refuse(error: CallError) {
      const otherwise = Object.keys(error.fields).length > 0 ? null : (explain?.(error) ?? explainRefusal(error))
      apply((before) => refuseValues(before, error.fields, otherwise, labels))
      const retry = latest.current.failure && retryAt
      if (retry) requestAnimationFrame(() => document.getElementById(idOf(retry))?.focus())
    },
    failure,
    attempt,
    /** The fields to list in the alert. */
    marked: [...listed].filter(([path]) => errors[path]).map(([path, label]) => ({ id: idOf(path), label })),
    keepsFocus: retryAt !== undefined,
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
function afterPress(work: () => void) {
  if (pressed) addEventListener('pointerup', () => setTimeout(work), { once: true })
  else work()
}

export const required: Rule<unknown> = (value, label) =>
  value.trim() ? undefined : basicWords.rules.required({ label })
export const email: Rule<unknown> = (value) =>
  value === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()) ? undefined : basicWords.rules.email
export const newPassword: Rule<unknown> = (value) => (value.length < 12 ? basicWords.rules.password : undefined)

/**
 * Sends a form without the query cache: before signing in, or with several calls. The idempotency key stays the same
 * until the values change or the server refuses them, so that a second press takes effect once.
 */
export function useSend<V>(send: (values: V, idempotencyKey: string) => Promise<unknown>) {
  const [{ busy, error }, setSending] = useState<{ busy: boolean; error: CallError | null }>({
    busy: false,
    error: null,
  })
  const attempt = useRef({ of: '', key: '' })
  /** A second press may come before the button is busy. */
  const running = useRef(false)

  async function start(values: V) {
    if (running.current) return
    running.current = true
    setSending({ busy: true, error: null })
    const of = JSON.stringify(values)
    if (attempt.current.of !== of) attempt.current = { of, key: randomKey() }
    let refusal: CallError | null = null
    try {
      await send(values, attempt.current.key)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (!mayHaveTakenEffect(error)) attempt.current = { of: '', key: '' }
      refusal = error
    } finally {
      running.current = false
      setSending({ busy: false, error: refusal })
    }
  }

  return { busy, error, send: start }
}
