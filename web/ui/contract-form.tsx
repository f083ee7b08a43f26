import { type NavigateOptions, useBlocker, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type { z } from 'zod'
import { readSession } from '../session.ts'
import { basicWords } from '../words/basic.ts'
import { formWords } from '../words/forms.ts'
import { Button } from './Button.tsx'
import styles from './contract-form.module.css'
import { Dialog, DialogActions } from './Dialog.tsx'
import { FormFrame, type FrameProps, type Sending, SubmitButton } from './form.tsx'
import { findChanges, mistakesIn, toBody } from './form-body.ts'
import type { Messages } from './form-values.ts'
import { focusHeading } from './Page.tsx'
import { type FormOptions, useForm } from './use-form.ts'

export type { FieldProps, FormWith } from './use-form.ts'

export type ContractFormOptions<V> = Omit<FormOptions<V>, 'check'> & {
  /** Fields for this form only, such as a second entry; they are not sent. */
  omit?: readonly (keyof V & string)[]
  /** Sends empty texts as they are, if they have a meaning. */
  exact?: boolean
  /** Groups of fields that are not sent while all of them are empty: `owner` of a new account. */
  optional?: readonly (keyof V & string)[]
  /** Checks beyond the schema: messages by path, undefined if valid. */
  check?: (values: V) => Messages
}

/** The body to send, and its values that differ from the initial ones. */
type Checked<B> = { body: B; changes: Partial<B> }

/**
 * A form checked by the contract's own schema: `const form = useContractForm(NewPartner, { initial })`, then
 * `<TextField {...form.field('email', labelWords.email)} />`. Import the schema itself, never `createPartner.body`.
 */
export function useContractForm<S extends z.ZodType, V extends object>(
  schema: S,
  { omit = [], optional = [], exact = false, check, ...options }: ContractFormOptions<V>,
) {
  function bodyFrom(values: V, initial: V) {
    const sent = Object.fromEntries(Object.entries(values).filter(([key]) => !omit.some((name) => name === key)))
    const body = (exact ? sent : toBody(sent, initial)) as Record<string, unknown>
    const empty = optional.filter((part) => Object.values(values[part] ?? {}).every((value) => value === ''))
    return Object.fromEntries(Object.entries(body).filter(([key]) => !empty.some((part) => part === key))) as z.input<S>
  }

  const form = useForm<V>({
    ...options,
    check(values, labelOf, initial) {
      const required = (path: string) => {
        const label = labelOf(path)
        return label && basicWords.rules.required({ label })
      }
      const own = Object.entries(check?.(values) ?? {}).filter(([, message]) => message)
      return { ...mistakesIn(schema, bodyFrom(values, initial), required), ...Object.fromEntries(own) }
    },
  })
  return {
    ...form,
    /** Checks everything; returns the body to send, or null if there are mistakes. */
    check(): Checked<z.input<S>> | null {
      const values = form.check()
      if (!values) return null
      const body = bodyFrom(values, form.initial)
      return { body, changes: findChanges(body, form.initial) }
    },
  }
}

export type ContractForm<S extends z.ZodType, V extends object> = ReturnType<typeof useContractForm<S, V>>

export type FormProps<B> = Omit<FrameProps<Checked<B>>, 'label' | 'onSubmit'> & {
  form: { dirty: boolean; editedSince: () => boolean }
  save: Sending & { saved: { current: boolean } }
  /** Its name: the H1. */
  label: string
  onSubmit: (body: B, changes: Partial<B>) => void
}

/** The form of a screen: leaving it with unsaved edits asks first. */
export function Form<B>({ form, save, label, onSubmit, ...frame }: FormProps<B>) {
  const { dirty, editedSince } = form
  // A form that stays after saving guards its next edits again.
  useEffect(() => {
    if (!dirty) save.saved.current = false
  }, [dirty, save.saved])

  // The button was disabled while busy and lost the focus.
  const sent = useRef(false)
  useEffect(() => {
    // A user who continues typing keeps the focus.
    if (sent.current && !save.busy && !save.error && !editedSince()) focusHeading({ preventScroll: true })
    sent.current = save.busy
  }, [save.busy, save.error, editedSince])

  return (
    <>
      <FormFrame
        {...frame}
        form={form}
        save={save}
        label={label}
        onSubmit={({ body, changes }) => onSubmit(body, changes)}
      />
      <LeaveGuard unsaved={() => dirty && (!save.saved.current || editedSince())} />
    </>
  )
}

function LeaveGuard({ unsaved }: { unsaved: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      unsaved() && (current.pathname !== next.pathname || partOf(current) !== partOf(next)),
    // An ended session leads to the sign-in screen in any case.
    enableBeforeUnload: () => unsaved() && readSession() !== null,
    withResolver: true,
  })
  const asks = status === 'blocked'
  useEffect(() => {
    if (asks) guard.dispatchEvent(new Event('asked'))
  }, [asks])
  return asks && <AskToLeave onLeave={proceed} onStay={reset} />
}

/** Asks before typed text is lost. */
export const AskToLeave = ({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) => (
  <Dialog heading={formWords.leaveHeading} onClose={onStay}>
    <p className="muted">{formWords.leaveText}</p>
    <DialogActions>
      <Button look="danger" onClick={onLeave}>
        {formWords.leave}
      </Button>
      <Button data-first-focus onClick={onStay}>
        {formWords.stay}
      </Button>
    </DialogActions>
  </Dialog>
)

/** The part of a screen that its address names: a tab, and an email on it. */
const partOf = ({ search }: { search: unknown }) => {
  const { tab, email } = search as { tab?: string; email?: string }
  return `${tab} ${email}`
}

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
    const confirmation = new Promise<void>((resolve) =>
      guard.addEventListener('asked', () => resolve(), { once: true }),
    )
    return Promise.race([router.navigate({ ...to, replace: true } as NavigateOptions), confirmation])
  }
}

/** The buttons below a form: the primary one left, then 'Cancel'. */
export function FormActions({ submit, cancel, aside }: ActionsProps) {
  const leave = useLeaveForm()
  return (
    <div className="row">
      <SubmitButton>{submit}</SubmitButton>
      {cancel && (
        <Button onClick={() => (typeof cancel === 'function' ? cancel() : leave(cancel))}>{formWords.cancel}</Button>
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
    <div className={`panel stack ${styles.panel}`}>
      {heading && (
        <div className={help ? `row between ${styles.ruled}` : 'row between'}>
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
