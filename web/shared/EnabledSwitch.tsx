import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { IdParams } from '#contract/values.ts'
import { useCall } from '../calls.ts'
import { Toggle } from '../ui/fields.tsx'
import { usePermission } from '../ui/permissions.ts'
import { showToast } from '../ui/toasts.ts'
import { YesOrNo } from '../ui/YesOrNo.tsx'
import { formWords } from '../words/forms.ts'
import { toastWords } from '../words/shell.ts'

type Props = {
  of: { id: string; name: string; enabled: boolean }
  /** The call that changes it. */
  change: Endpoint<typeof IdParams, z.ZodType, z.ZodType<unknown, { enabled?: boolean }>>
}

/** Enables or disables a thing at once, and offers to undo it. */
export function EnabledSwitch({ of: { id, name, enabled }, change }: Props) {
  // Shows the requested state until the list has it too.
  const [wanted, setWanted] = useState<boolean | null>(null)
  useEffect(() => {
    setWanted((before) => (before === enabled ? null : before))
  }, [enabled])
  const { busy, mutate } = useCall(change, {
    onSuccess: (_, { body }) =>
      showToast((body.enabled ? formWords.switchedOn : formWords.switchedOff)({ name }), {
        action: { label: toastWords.undo, run: () => set(!body.enabled) },
        of: id,
      }),
    onError: ({ message }) => {
      setWanted(null)
      showToast(`${formWords.notSwitched({ name })}. ${message}`, { failed: true, of: id })
    },
  })
  const may = usePermission()
  function set(next: boolean) {
    setWanted(next)
    mutate({ params: { id }, body: { enabled: next } })
  }
  if (!may(change)) return <YesOrNo yes={enabled} />
  return <Toggle label={name} labelHidden checked={wanted ?? enabled} disabled={busy} onChange={set} />
}
