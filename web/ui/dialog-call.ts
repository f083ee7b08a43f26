import { type NavigateOptions, useRouter } from '@tanstack/react-router'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { IdParams } from '#contract/values.ts'
import { type CallInput, useCall, useForget } from '../calls.ts'
import { toastWords } from '../words/shell.ts'
import { toast } from './toasts.ts'

type Ending<P extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  /** Text of the toast on success. */
  done: string | ((reply: z.output<R>, input: CallInput<P, B>) => string)
  onClose: () => void
}

/** Returns the call of a dialog: success closes the dialog with a toast; a refusal is shown inside. */
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

type Deleted = {
  id: string
  /** Its kind, at the head of a sentence: 'Lead'. */
  resource: string
  list: NavigateOptions
}

/**
 * Returns the call that deletes a page's subject: on success it navigates to the list, shows a toast, and drops the
 * cached data.
 */
export function useDeletion(
  endpoint: Endpoint<typeof IdParams, z.ZodUndefined, z.ZodUndefined>,
  { id, resource, list }: Deleted,
) {
  const router = useRouter()
  const forget = useForget()
  const call = useCall(endpoint, {
    // Leaves first, so that the deleted thing is not requested again.
    onSuccess: async () => {
      await router.navigate(list)
      forget(id)
      toast(toastWords.deleted({ resource }))
    },
  })
  return { call, onDelete: () => call.mutate({ params: { id } }) }
}
