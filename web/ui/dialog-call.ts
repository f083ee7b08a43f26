import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { type CallInput, useCall } from '../calls.ts'
import { toast } from './toasts.ts'

type Ending<P extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  /** What is said once it is done. */
  done: string | ((reply: z.output<R>, input: CallInput<P, B>) => string)
  onClose: () => void
}

/** The call of a dialog: done, it closes the dialog and says so in a toast; a refusal is shown inside. */
export function useDialogCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  { done, onClose }: Ending<P, B, R>,
) {
  return useCall(endpoint, {
    onSuccess(reply, input) {
      onClose()
      toast(typeof done === 'string' ? done : done(reply, input))
    },
  })
}
