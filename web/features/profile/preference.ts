import { useQueryClient } from '@tanstack/react-query'
import { type CurrentUser, changeMe } from '#contract/auth.ts'
import { me as meQuery, useCall } from '../../calls.ts'
import { useMe } from '../../shell/current.ts'
import { toastRefusal } from '../../ui/refusals.ts'

/** A user preference: a choice is shown at once and saved; reverted if saving fails. */
export function usePreference<V extends string | boolean>(name: string, value: V) {
  const client = useQueryClient()
  const { preferences } = useMe()
  const keep = (change: (before: CurrentUser) => CurrentUser) =>
    client.setQueryData(meQuery.queryKey, (before) => before && change(before))
  const show = (shown: unknown) =>
    keep((before) => ({ ...before, preferences: { ...before.preferences, [name]: shown } }))
  const save = useCall(changeMe, {
    onSuccess: (reply) => keep(() => reply),
    onError: toastRefusal,
  })
  return {
    chosen: preferences[name],
    choose(next: V) {
      const before = preferences[name] ?? value
      show(next)
      void save.send({ body: { preferences: { [name]: next } } }).catch(() => show(before))
    },
  }
}
