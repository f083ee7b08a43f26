import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { type CallInput, useCall } from '../calls.ts'
import { Button } from './Button.tsx'
import { toastRefusal } from './refusals.ts'
import { showToast } from './toasts.ts'

type Schema = z.ZodType

type Props<P extends Schema, Q extends Schema, B extends Schema, R extends Schema> = Omit<
  Parameters<typeof Button>[0],
  'onClick' | 'busy' | 'needs'
> & {
  call: Endpoint<P, Q, B, R>
  input: CallInput<P, B>
  /** Text of the toast on success; a function may return it, or do what follows. */
  done?: string | ((reply: z.output<R>) => unknown)
}

/** A button that makes a call at once, for those who may; a refusal is shown in a toast. */
export function CallButton<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>({
  call: endpoint,
  input,
  done,
  ...rest
}: Props<P, Q, B, R>) {
  const call = useCall(endpoint, {
    onSuccess(reply) {
      const message = typeof done === 'function' ? done(reply) : done
      if (typeof message === 'string') showToast(message)
      return message
    },
    onError: toastRefusal,
  })
  return <Button {...rest} needs={endpoint} busy={call.busy} onClick={() => call.mutate(input)} />
}
