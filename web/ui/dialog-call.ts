import { type NavigateOptions, useRouter } from '@tanstack/react-router'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { deleteLead } from '#contract/leads.ts'
import { type CallInput, useCall, useForget } from '../calls.ts'
import { t } from '../words.ts'
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

type Deleted = {
  id: string
  /** What it is, at the head of a sentence: 'Lead'. */
  resource: string
  list: NavigateOptions
}

/** The call that deletes what a page shows: done, it leads to the list, says so, and drops what was read of it. */
export function useDeletion(endpoint: typeof deleteLead, { id, resource, list }: Deleted) {
  const router = useRouter()
  const forget = useForget()
  const call = useCall(endpoint, {
    // First away from here: what is deleted is not asked for again.
    onSuccess: async () => {
      await router.navigate(list)
      forget(id)
      toast(t('toast.deleted', { resource }))
    },
  })
  return { call, onDelete: () => call.mutate({ params: { id } }) }
}
