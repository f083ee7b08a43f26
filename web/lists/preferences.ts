import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type CurrentUser, changeMe } from '#contract/auth.ts'
import { CallError } from '../api.ts'
import { me, useCall } from '../calls.ts'
import { portalSession } from '../session.ts'

type Preferences = CurrentUser['preferences']

const nothing: Preferences = {}

/** Returns the signed-in user's preferences, shared by all devices. */
export const usePreferences = (): Preferences => useQuery(me).data?.preferences ?? nothing

/**
 * Sets preferences key by key, null removes one: shown at once and saved on the server in the order they were chosen.
 * If refused, the saved values are shown again and `onRefused` is called. In a portal they last as long as its document.
 */
export function useKeep(onRefused: (error: CallError) => void) {
  const client = useQueryClient()
  const { send } = useCall(changeMe, { oneOfMany: true })
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return (preferences: Preferences) => {
    void client.cancelQueries({ queryKey: me.queryKey })
    client.setQueryData(me.queryKey, (before) => before && { ...before, preferences: merged(before, preferences) })
    if (portalSession()) return
    const mine = last.current.then(() => send({ body: { preferences } }))
    const settled = mine.catch((error) => {
      if (!(error instanceof CallError)) throw error
      onRefused(error)
      return client.invalidateQueries({ queryKey: me.queryKey })
    })
    last.current = settled
  }
}

const merged = ({ preferences }: CurrentUser, changes: Preferences) =>
  Object.fromEntries(Object.entries({ ...preferences, ...changes }).filter(([, value]) => value !== null))
