import { useEffect, useState } from 'react'
import { changeLinkBlueprint, type LinkBlueprint } from '#contract/links.ts'
import { useCall } from '../../calls.ts'
import { Toggle } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'

/** Enables or disables a link at once, and offers to take it back. */
export function EnabledSwitch({ blueprint: { id, name, enabled } }: { blueprint: LinkBlueprint }) {
  // Shown as it was asked for until the list says so too.
  const [wanted, setWanted] = useState<boolean | null>(null)
  useEffect(() => {
    setWanted((before) => (before === enabled ? null : before))
  }, [enabled])
  const { busy, mutate } = useCall(changeLinkBlueprint, {
    onSuccess: (_, { body }) =>
      toast(t(body.enabled ? 'links.switchedOn' : 'links.switchedOff', { name }), {
        action: { label: t('toast.undo'), run: () => set(!body.enabled) },
      }),
    onError: ({ message }) => {
      setWanted(null)
      toast(`${t('links.notSwitched', { name })}. ${message}`, { failed: true })
    },
  })
  function set(next: boolean) {
    setWanted(next)
    mutate({ params: { id }, body: { enabled: next } })
  }
  return <Toggle label={name} labelHidden checked={wanted ?? enabled} disabled={busy} onChange={set} />
}
