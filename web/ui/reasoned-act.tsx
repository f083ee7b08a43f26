import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { IdParams, OptionalReason, Reasoned } from '#contract/values.ts'
import type { ActProps, ActWords } from './act.ts'
import { useDialogCall } from './dialog-call.ts'
import { ReasonDialog } from './ReasonDialog.tsx'

/** Declares an action on a thing that asks for a reason, which may be left out if `optional`. */
export const reasonedAct = <T extends { id: string }, R extends z.ZodType>(
  endpoint: Endpoint<typeof IdParams, z.ZodUndefined, typeof Reasoned | typeof OptionalReason, R>,
  words: (thing: T) => ActWords & { optional?: boolean },
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
