import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { IdParams, OptionalReason, Reasoned } from '#contract/values.ts'
import { Confirm } from './Dialog.tsx'
import { useDialogCall } from './dialog-call.ts'
import { ReasonDialog } from './ReasonDialog.tsx'

type Words = {
  heading: string
  /** Verb and object, on the button; the heading by default. */
  submit?: string
  /** The consequence, with count and sum if money moves. */
  why: ReactNode
  /** Text of the toast on success. */
  done: string
  danger?: boolean
}

export type ActProps<T> = { of: T; onClose: () => void }

/**
 * Declares an action on a thing that is confirmed first: `confirmedAct(retryPayout, (payout: Payout) => ({ heading, … }))`
 * is its dialog.
 */
export const confirmedAct = <T extends { id: string }, R extends z.ZodType>(
  endpoint: Endpoint<typeof IdParams, z.ZodUndefined, z.ZodUndefined, R>,
  words: (thing: T) => Words & { keep?: string },
) =>
  function ConfirmedAct({ of, onClose }: ActProps<T>) {
    const { submit, why, done, ...rest } = words(of)
    const call = useDialogCall(endpoint, { done, onClose })
    return (
      <Confirm
        {...rest}
        confirm={submit ?? rest.heading}
        call={call}
        onConfirm={() => call.mutate({ params: { id: of.id } })}
        onClose={onClose}
      >
        {why}
      </Confirm>
    )
  }

/** Declares an action on a thing that asks for a reason, which may be left out if `optional`. */
export const reasonedAct = <T extends { id: string }, R extends z.ZodType>(
  endpoint: Endpoint<typeof IdParams, z.ZodUndefined, typeof Reasoned | typeof OptionalReason, R>,
  words: (thing: T) => Words & { optional?: boolean },
) =>
  function ReasonedAct({ of, onClose }: ActProps<T>) {
    const { submit, why, done, ...rest } = words(of)
    const call = useDialogCall(endpoint, { done, onClose })
    return (
      <ReasonDialog
        {...rest}
        confirm={submit ?? rest.heading}
        call={call}
        onConfirm={(reason) => call.mutate({ params: { id: of.id }, body: { reason } })}
        onClose={onClose}
      >
        {why}
      </ReasonDialog>
    )
  }
