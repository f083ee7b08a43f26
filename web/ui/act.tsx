import { type NavigateOptions, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallError } from '../api.ts'
import { type CallInput, useCall, useForget } from '../calls.ts'
import { dialogWords } from '../words/pieces.ts'
import { toastWords } from '../words/shell.ts'
import type { Act, ActProps, Offered } from './actions.tsx'
import { Confirm, ConfirmDelete } from './Dialog.tsx'
import { showToast } from './toasts.ts'

type Schema = z.ZodType

type Ending<P extends Schema, B extends Schema, R extends Schema> = {
  /** Text of the toast on success; a function may return it. */
  done?: string | ((reply: z.output<R>, input: CallInput<P, B>) => unknown)
  /** Replaces the dialog after success, which then stays open: a secret, a result. `again` returns to it. */
  shows?: (reply: z.output<R>, dialog: { onClose: () => void; again: () => void }) => ReactNode
}

/** Texts and ending of a declared action. */
export type ActWords<P extends Schema, B extends Schema, R extends Schema> = Ending<P, B, R> & {
  heading: string
  /** Verb and object, on the button; the heading by default. */
  submit?: string
  /** The consequence, with count and sum if money moves. */
  why?: ReactNode
  danger?: boolean
}

/** Makes `send` optional for a call about the thing itself, with nothing but `Body`. */
export type Sent<P extends Schema, B extends Schema, Body, Send> = [{ params: { id: string }; body: Body }] extends [
  CallInput<P, B>,
]
  ? { send?: Send }
  : { send: Send }

/** Returns the call of an action's dialog: success closes it with a toast; a refusal is shown inside. */
export function useActCall<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  endpoint: Endpoint<P, Q, B, R>,
  { done, shows }: Ending<P, B, R>,
  onClose: () => void,
) {
  const [reply, setReply] = useState<{ of: z.output<R> } | null>(null)
  const call = useCall(endpoint, {
    onSuccess(reply, input) {
      if (shows) setReply({ of: reply })
      else onClose()
      const text = typeof done === 'function' ? done(reply, input) : done
      if (typeof text === 'string') showToast(text)
    },
  })
  return { call, shown: reply && shows?.(reply.of, { onClose, again: () => setReply(null) }) }
}

/**
 * Declares an action on a thing that is confirmed first: `act(retryPayout, (payout: Payout) => ({ heading, … }))`.
 * `useDeclared` may call hooks.
 */
export const defineAction = <T extends object, P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  endpoint: Endpoint<P, Q, B, R>,
  useDeclared: (of: T) => ActWords<P, B, R> & { keep?: string } & Sent<P, B, undefined, CallInput<P, B>>,
): Act<T> => {
  const Confirmed: Act<T> = ({ of, onClose, danger }) => {
    const { why, submit, send = subjectInput(of), done, shows, ...rest } = useDeclared(of)
    const { call, shown } = useActCall(endpoint, { done, shows }, onClose)
    if (shown) return shown
    return (
      <Confirm
        danger={danger}
        {...rest}
        confirm={submit ?? rest.heading}
        call={call}
        onConfirm={() => call.mutate(send as CallInput<P, B>)}
        onClose={onClose}
      >
        {why}
      </Confirm>
    )
  }
  Confirmed.needs = endpoint
  return Confirmed
}

/** The input of a call about the thing; `Sent` ensures that it needs nothing else. */
export const subjectInput = (of: object) => ({ params: { id: (of as { id: string }).id } })

type Deleted<P extends Schema, B extends Schema> = Sent<P, B, undefined, CallInput<P, B>> & {
  name: string
  /** Its kind, at the head of a sentence: 'Lead'. */
  resource: string
  /** 'lead', for 'Delete lead'; the resource by default. */
  thing?: string
  /** The list to return to if the thing has a page. */
  list?: NavigateOptions
  /** A further consequence, or what is not deleted. */
  also?: string | undefined
  /** An alternative offered once the server has refused: 'Archive'. */
  instead?: ReactNode
  /** Returns the refusal in the screen's own words, if the server's are not the ones to show. */
  explain?: (error: CallError) => string
}

/** Declares the deletion of a thing. Its page is left first, so that the deleted thing is not requested again. */
export const defineDelete = <T extends object, P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  endpoint: Endpoint<P, Q, B, R>,
  useDeclared: (of: T) => Deleted<P, B>,
): Offered<T> => {
  function Deletion({ of, onClose }: ActProps<T>) {
    const { resource, thing = resource, list, send = subjectInput(of), ...rest } = useDeclared(of)
    const router = useRouter()
    const forget = useForget()
    const call = useCall(endpoint, {
      onSuccess: async () => {
        if (list) {
          await router.navigate(list)
          forget(subjectInput(of).params.id)
        } else onClose()
        showToast(toastWords.deleted({ resource }))
      },
    })
    const onDelete = () => call.mutate(send as CallInput<P, B>)
    return <ConfirmDelete {...rest} resource={thing} call={call} onDelete={onDelete} onClose={onClose} />
  }
  return Object.assign(Deletion, { label: dialogWords.delete, needs: endpoint, danger: true })
}
