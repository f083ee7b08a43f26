import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { MayBeReasoned, Reasoned } from '#contract/values.ts'
import { type CallError, withFields } from '../api.ts'
import type { CallInput } from '../calls.ts'
import { type ActWords, type Sent, subjectInput, useActCall } from './act.tsx'
import type { Act } from './actions.tsx'
import { type ContractForm, type ContractFormOptions, useContractForm } from './contract-form.tsx'
import { FormDialog } from './FormDialog.tsx'
import { TextAreaField } from './fields.tsx'

type Schema = z.ZodType

type Declared<P extends Schema, B extends Schema, R extends Schema, S extends Schema, V extends object> = ActWords<
  P,
  B,
  R
> &
  ContractFormOptions<V> & {
    fields: (form: ContractForm<S, V>) => ReactNode
    /** The part of the call's body that the form fills, as in the paths of the server's messages: `change`. */
    part?: string
    /** Says which choice is still to be made before it can be sent. */
    unready?: (values: V) => string | false
    /** Its text may be long: Escape and the cross ask before it is lost. */
    long?: boolean
  }

/**
 * Declares an action on a thing with a form, checked by `schema`:
 * `formAct(addLeadNote, NewLeadNote, (lead: Lead) => ({ heading, done, initial, fields: ({ field }) => … }))`.
 * `useDeclared` may call hooks.
 */
export const defineFormAction = <
  T extends object,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema,
  S extends Schema,
  V extends object,
>(
  endpoint: Endpoint<P, Q, B, R>,
  schema: S,
  useDeclared: (
    of: T,
  ) => Declared<P, B, R, S, V> & Sent<P, B, z.input<S>, (body: z.input<S>, values: V) => CallInput<P, B>>,
): Act<T> => {
  const WithForm: Act<T> = ({ of, onClose, ...offer }) => {
    const { danger = offer.danger, done, shows, fields, send, part, ...declared } = useDeclared(of)
    const { heading, why, submit, long, unready, ...options } = declared
    const whole = useContractForm(schema, options as unknown as ContractFormOptions<V>)
    const form =
      part === undefined ? whole : { ...whole, refuse: (error: CallError) => whole.refuse(inPart(error, part)) }
    const { call, shown } = useActCall(endpoint, { done, shows }, onClose)
    if (shown) return shown
    const inputOf = send ?? ((body: z.input<S>) => ({ ...subjectInput(of), body }))
    return (
      <FormDialog
        heading={heading}
        why={why}
        submit={submit}
        danger={danger}
        long={long}
        unready={unready?.(form.values)}
        form={form}
        onClose={onClose}
        save={call}
        onSubmit={(body) => call.mutate(inputOf(body, form.values) as CallInput<P, B>)}
      >
        {fields(form)}
      </FormDialog>
    )
  }
  WithForm.needs = endpoint
  return WithForm
}

/** Returns the refusal with the fields of a part of its body by their names in the part. */
const inPart = (error: CallError, part: string) =>
  withFields(
    error,
    Object.fromEntries(
      Object.entries(error.fields).map(([path, said]) => [
        path.startsWith(`${part}.`) ? path.slice(part.length + 1) : path,
        said,
      ]),
    ),
  )

type Reason = z.input<typeof Reasoned>
type InputOf<P extends Schema, B extends Schema> = (body: Reason) => CallInput<P, B>

/** Declares an action on a thing that asks for a reason: voiding, releasing, suspending. */
export const reasonedAct = <T extends object, P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  endpoint: Endpoint<P, Q, B, R>,
  useWords: (of: T) => ActWords<P, B, R> & Sent<P, B, Reason, InputOf<P, B>>,
  { optional = false } = {},
): Act<T> =>
  defineFormAction(endpoint, (optional ? MayBeReasoned : Reasoned) as typeof Reasoned, (of: T) => {
    const words: ActWords<P, B, R> & { send?: InputOf<P, B> } = useWords(of)
    return {
      send: (body) => ({ ...subjectInput(of), body }) as unknown as CallInput<P, B>,
      ...words,
      initial: { reason: '' },
      fields: ({ field }) => <TextAreaField {...field('reason')} optional={optional} />,
    }
  })
