import { changeLinkBlueprint, type LinkBlueprint } from '#contract/links.ts'
import { useCall } from '../../calls.ts'
import { Toggle } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { changed } from './queries.ts'

/** Enables or disables a link at once, and offers to take it back. */
export function EnabledSwitch({ blueprint: { id, name, enabled } }: { blueprint: LinkBlueprint }) {
  const { busy, mutate } = useCall(changeLinkBlueprint, {
    refresh: changed,
    onSuccess: (_, { body }) =>
      toast(t(body.enabled ? 'links.switchedOn' : 'links.switchedOff', { name }), {
        action: { label: t('toast.undo'), run: () => set(!body.enabled) },
      }),
    onError: ({ message }) => toast(`${t('links.notSwitched', { name })}. ${message}`, { failed: true }),
  })
  const set = (enabled: boolean) => mutate({ params: { id }, body: { enabled } })
  // Shown as it was asked for while it is on its way.
  return <Toggle label={name} labelHidden checked={busy ? !enabled : enabled} disabled={busy} onChange={set} />
}
