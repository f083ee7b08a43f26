import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { IdParams } from '#contract/values.ts'
import type { ActProps, ActWords } from './act.ts'
import { Confirm } from './Dialog.tsx'
import { useDialogCall } from './dialog-call.ts'

/**
 * Declares an action on a thing that is confirmed first: `confirmedAct(retryPayout, (payout: Payout) => ({ heading, … }))`
 * is its dialog.
 */
export const confirmedAct = <T extends { id: string }, R extends z.ZodType>(
  endpoint: Endpoint<typeof IdParams, z.ZodUndefined, z.ZodUndefined, R>,
  words: (thing: T) => ActWords & { keep?: string },
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
