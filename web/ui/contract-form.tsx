import { useQueryClient } from '@tanstack/react-query'
import { type NavigateOptions, useBlocker, useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { z } from 'zod'
import type { CallError } from '../api.ts'
import { me } from '../calls.ts'
import { holdDraft, takeDraft } from '../form-drafts.ts'
import { readSession } from '../session.ts'
import { t } from '../words.ts'
import { Button } from './Button.tsx'
import styles from './contract-form.module.css'
import { Dialog, DialogActions } from './Dialog.tsx'
import { afterPress, explainRefusal, PlainForm, SecretPlaces, SubmitButton } from './form.tsx'
import {
  bodyOf,
  changesOf,
  errorAt,
  mistakesIn,
  type PathOf,
  type ValueAt,
  valueAt,
  withLaterEdits,
  withValue,
} from './form-values.ts'
import { focusHeading } from './Page.tsx'
import { toast } from './toasts.ts'

type Options<V> = {
  /** Initial values of the fields: text fields '', choices null or a value. */
  initial: V
  /** Fields for this form only, such as a second entry; they are not sent. */
  omit?: readonly (keyof V & string)[]
  /** Sends empty texts as they are, if they have a meaning. */
  exact?: boolean
  /** Groups of fields that are not sent while all of them are empty: `owner` of a new account. */
  optional?: readonly (keyof V & string)[]
  /** Completes what was typed, when a field is left and before the values are sent. */
  complete?: (values: V) => V
  /** Checks beyond the schema: messages by path, undefined if valid. */
  check?: (values: V) => Record<string, string | undefined>
}

/** Props of every field of a form. */
export type FieldProps<T> = {
  id: string
  name: string
  label: string
  value: T
  error?: string
  onChange: (value: T) => void
  onBlur: () => void
}

/**
 * A form checked by the contract's own schema: `const form = useContractForm(NewPartner, { initial })`, then
 * `<TextField {...form.field('email', t('fields.email'))} />`. Import the schema itself, never `createPartner.body`.
 * A field is checked when it is left after a change, and all are when the form is sent.
 */
export function useContractForm<S extends z.ZodType, V extends object>(
  schema: S,
  { initial: first, omit = [], optional = [], exact = false, complete = (values) => values, check }: Options<V>,
) {
  const prefix = useId()
  const [initial, setInitial] = useState(first)
  const [values, setValues] = useState(first)
  const [errors, setErrors] = useState<Record<string, string | undefined>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [listed, setListed] = useState(false)
  const labels = useRef(new Map<string, string>())
  const edited = useRef(new Set<string>())
  /** The values of the last attempt, and the fields changed since. */
  const sent = useRef(first)
  const later = useRef(new Set<string>())
  /** The current values for delayed checks: more may have been typed meanwhile. */
  const latest = useRef(values)
  latest.current = values

  const idOf = (path: string) => `${prefix}${path}`
  const places = () => new Set(labels.current.keys())

  function bodyFrom(typed: V) {
    const among = complete(typed)
    const sent = Object.fromEntries(Object.entries(among).filter(([key]) => !omit.includes(key as keyof V & string)))
    const body = (exact ? sent : bodyOf(sent, initial)) as Record<string, unknown>
    const empty = optional.filter((part) => Object.values(among[part] ?? {}).every((value) => value === ''))
    return Object.fromEntries(Object.entries(body).filter(([key]) => !empty.some((part) => part === key))) as z.input<S>
  }

  function mistakes(among: V): Record<string, string | undefined> {
    const required = (path: string) => {
      const label = labels.current.get(path)
      return label && t('rules.required', { label })
    }
    const own = Object.entries(check?.(among) ?? {}).filter(([, message]) => message)
    return { ...mistakesIn(schema, bodyFrom(among), required), ...Object.fromEntries(own) }
  }

  function change(path: string, value: unknown) {
    edited.current.add(path)
    later.current.add(path)
    setValues((before) => withValue(before, path, value))
    // A mistake of a whole list, such as its sum, is outdated by any change in it.
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([key]) => !isWithin(key, path) && !isWithin(path, key))),
    )
  }

  /** Checks the field that was left, and its containers: for one rate the sum of all. */
  function leave(path: string) {
    if (!edited.current.has(path)) return
    afterPress(() => {
      setValues(complete)
      const wrong = mistakes(latest.current)
      const left = [...places()].filter((place) => isWithin(path, place))
      setErrors((before) => ({
        ...before,
        ...Object.fromEntries(left.map((place) => [place, before[place] ?? errorAt(wrong, place, places())])),
      }))
    })
  }

  /** Shows mistakes on their fields, and those without a field above all of them. */
  function show(wrong: Record<string, string | undefined>, otherwise: string | null) {
    const paths = Object.keys(wrong).filter((path) => wrong[path])
    const known = paths.some((path) => [...labels.current.keys()].some((place) => isWithin(path, place)))
    setErrors(wrong)
    setListed(known)
    setFailure(known ? null : (otherwise ?? (paths[0] ? (wrong[paths[0]] ?? null) : null)))
    setAttempt((count) => count + 1)
    return paths.length > 0
  }

  const dirty = JSON.stringify(values) !== JSON.stringify(initial)
  /** Starts again with these values, discarding typed ones. */
  function restart(next: V) {
    edited.current.clear()
    later.current.clear()
    sent.current = next
    setValues(next)
    begin(next)
  }

  /** Starts again with the saved values, on a page that stays: values typed while saving stay too, unsaved. */
  function saved(next: V) {
    const before = sent.current
    sent.current = next
    setValues((now) => withLaterEdits(next, now, before))
    begin(next)
  }

  function begin(next: V) {
    setInitial(next)
    setErrors({})
    setListed(false)
    setFailure(null)
  }

  // Newly read values replace the initial ones, unless something was typed.
  const read = JSON.stringify(first)
  const begun = useRef(read)
  useEffect(() => {
    if (begun.current === read) return
    begun.current = read
    if (!dirty) restart(first)
  })

  return {
    values,
    /** Whether any value differs from the initial one. */
    dirty,
    set(some: Partial<V>) {
      for (const path of Object.keys(some)) later.current.add(path)
      setValues((before) => ({ ...before, ...some }))
    },
    restart,
    saved,
    /** Returns the values that differ from the initial ones. */
    typed: () => changesOf(values, initial) as Record<string, unknown>,
    /** Restores typed, unsaved values of fields that still exist. */
    retype: (typed: Record<string, unknown>) =>
      setValues((before) => ({
        ...before,
        ...Object.fromEntries(Object.entries(typed).filter(([key]) => key in before)),
      })),
    /** Returns whether any of these fields, or any at all, was changed since the last attempt was sent. */
    editedSince: (...paths: PathOf<V>[]) =>
      paths.length > 0 ? paths.some((path) => later.current.has(path)) : later.current.size > 0,
    /** Checks everything; returns the body to send, or null if there are mistakes. */
    check(): { body: z.input<S>; changes: Partial<z.input<S>> } | null {
      if (show(mistakes(values), null)) return null
      sent.current = values
      later.current.clear()
      const body = bodyFrom(values)
      return { body, changes: changesOf(body, initial) }
    },
    refuse: (error: CallError) => show(error.fields, Object.keys(error.fields).length ? null : explainRefusal(error)),
    failure,
    attempt,
    marked: listed
      ? [...labels.current]
          .filter(([path]) => errorAt(errors, path, places()))
          .map(([path, label]) => ({ id: idOf(path), label }))
      : [],
    field<P extends PathOf<V>>(path: P, label: string): FieldProps<ValueAt<V, P>> {
      labels.current.set(path, label)
      return {
        id: idOf(path),
        name: path,
        label,
        value: valueAt(values, path) as ValueAt<V, P>,
        error: errorAt(errors, path, places()),
        onChange: (value) => change(path, value),
        onBlur: () => leave(path),
      }
    },
  }
}

/** A form with at least these values: for fields shared by several forms. */
export type FormWith<V> = { values: V; field: (path: never, label: string) => unknown }

/** Returns the form's field function, typed by the paths of those values. */
export const fieldsOf = <V,>(form: FormWith<V>) =>
  form.field as <P extends PathOf<V>>(path: P, label: string) => FieldProps<ValueAt<V, P>>

const isWithin = (path: string, place: string) => path === place || path.startsWith(`${place}.`)

export type ContractFormState = Pick<
  ReturnType<typeof useContractForm>,
  'dirty' | 'check' | 'refuse' | 'failure' | 'attempt' | 'marked' | 'typed' | 'retype'
> & { editedSince: () => boolean }

type Save = { busy: boolean; error: CallError | null; saved: { current: boolean } }

export type FormProps<B> = {
  form: Omit<ContractFormState, 'check'> & { check: () => { body: B; changes: Partial<B> } | null }
  /** The call that sends it, from `useCall`. */
  save: Save
  /** Its name: the H1. Without one it is in a dialog, which names it, and leaving is not guarded. */
  label?: string
  /** The dialog's heading and the id of its subject, so that a draft for one subject is not used for another. */
  dialog?: { heading: string; about: string }
  /** `changes` contains only values that differ from the initial ones. */
  onSubmit: (body: B, changes: Partial<B>) => void
  children: ReactNode
  /** As wide as its container, not 640 px. */
  wide?: boolean
}

/**
 * The form around its fields. Mistakes, the server's too, are listed in an alert that takes the focus and links to
 * each; leaving with unsaved edits asks first.
 */
export function Form<B>({ form, save, label, dialog, onSubmit, children, wide }: FormProps<B>) {
  const { refuse, editedSince } = form
  const heard = useRef<CallError | null>(null)
  useEffect(() => {
    if (save.error && heard.current !== save.error) refuse(save.error)
    heard.current = save.error
  }, [save.error, refuse])

  // A form that stays after saving guards its next edits again.
  useEffect(() => {
    if (!form.dirty) save.saved.current = false
  }, [form.dirty, save.saved])

  // The button was disabled while busy and lost the focus.
  const sent = useRef(false)
  useEffect(() => {
    // A user who continues typing keeps the focus.
    if (label && sent.current && !save.busy && !save.error && !editedSince()) focusHeading({ preventScroll: true })
    sent.current = save.busy
  }, [label, save.busy, save.error, editedSince])

  async function submit(event: FormEvent) {
    event.preventDefault()
    event.stopPropagation()
    if (save.busy) return
    const checked = form.check()
    if (checked) onSubmit(checked.body, checked.changes)
  }

  const secrets = useRef(new Set<string>())
  useDraft(form, label ?? dialog?.heading, dialog?.about, secrets)

  const { failure, marked, attempt } = form
  return (
    <SecretPlaces value={secrets.current}>
      <PlainForm
        form={{ submit, busy: save.busy, failure, marked, attempt, keepsFocus: false }}
        label={label}
        wide={wide}
      >
        {children}
      </PlainForm>
      {label && <LeaveGuard unsaved={() => form.dirty && (!save.saved.current || editedSince())} />}
    </SecretPlaces>
  )
}

type Typed = Pick<ContractFormState, 'dirty' | 'typed' | 'retype'>

/** Saves typed values except secrets when the session ends, and restores them once the same user is back. */
function useDraft(form: Typed, name: string | undefined, about: string | undefined, secrets: RefObject<Set<string>>) {
  const client = useQueryClient()
  const latest = useRef(form)
  latest.current = form
  useEffect(() => {
    const userId = client.getQueryData(me.queryKey)?.id
    if (!name || !userId) return
    const place = () => ({ form: name, at: about ?? location.pathname + location.search })
    const draft = takeDraft(userId, place())
    if (draft) {
      latest.current.retype(draft)
      toast(t('form.kept'))
    }
    return holdDraft(() => {
      const { dirty, typed } = latest.current
      const secret = new Set([...secrets.current].map((path) => path.split('.')[0]))
      const values = Object.fromEntries(Object.entries(typed()).filter(([key]) => !secret.has(key)))
      return dirty ? { userId, ...place(), values, untold: about !== undefined } : null
    })
  }, [client, name, about, secrets])
}

function LeaveGuard({ unsaved }: { unsaved: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      unsaved() && (current.pathname !== next.pathname || tabOf(current) !== tabOf(next)),
    // An ended session leads to the sign-in screen in any case.
    enableBeforeUnload: () => unsaved() && readSession() !== null,
    withResolver: true,
  })
  const asks = status === 'blocked'
  useEffect(() => {
    if (asks) guard.dispatchEvent(new Event('asked'))
  }, [asks])
  if (!asks) return null
  return (
    <Dialog heading={t('form.leaveHeading')} onClose={reset}>
      <p className="muted">{t('form.leaveText')}</p>
      <DialogActions>
        <Button look="danger" onClick={proceed}>
          {t('form.leave')}
        </Button>
        <Button data-first-focus onClick={reset}>
          {t('form.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const tabOf = ({ search }: { search: unknown }) => (search as { tab?: string }).tab

type ActionsProps = {
  /** Verb and object. */
  submit: string
  /** Target of 'Cancel', or its action in a dialog. */
  cancel?: NavigateOptions | (() => void)
  aside?: ReactNode
}

/** Notified when the guard asks before leaving. */
const guard = new EventTarget()

/**
 * Navigates on from a form that is completed or canceled, so that Back does not return to it. Resolves when the form is
 * left, or when its guard asks about values typed since it was sent.
 */
export function useLeaveForm() {
  const router = useRouter()
  return (to: NavigateOptions): Promise<void> => {
    const asked = new Promise<void>((resolve) => guard.addEventListener('asked', () => resolve(), { once: true }))
    return Promise.race([router.navigate({ ...to, replace: true } as NavigateOptions), asked])
  }
}

/** The buttons below a form: the primary one left, then 'Cancel'. */
export function FormActions({ submit, cancel, aside }: ActionsProps) {
  const leave = useLeaveForm()
  return (
    <div className={styles.actions}>
      <SubmitButton>{submit}</SubmitButton>
      {cancel && (
        <Button onClick={() => (typeof cancel === 'function' ? cancel() : leave(cancel))}>{t('form.cancel')}</Button>
      )}
      {aside}
    </div>
  )
}

type FormPanelProps = {
  heading?: string
  /** At the other end of the heading's line. */
  aside?: ReactNode
  /** Below the heading; a hairline separates both from the fields. */
  help?: string
  children: ReactNode
}

/** A white panel of fields; with a heading if a form has several. */
export function FormPanel({ heading, aside, help, children }: FormPanelProps) {
  return (
    <div className={styles.panel}>
      {heading && (
        <div className={help ? styles.ruledHead : styles.head}>
          <div>
            <h2>{heading}</h2>
            {help && <p className="muted">{help}</p>}
          </div>
          {aside}
        </div>
      )}
      {children}
    </div>
  )
}
