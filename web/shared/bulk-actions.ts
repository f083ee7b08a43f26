import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import {
  type BulkAction,
  type BulkActionKind,
  cancelBulkAction,
  type GivenBulkAction,
  getBulkAction,
  listBulkActions,
  startBulkAction,
} from '#contract/bulk-actions.ts'
import type { CallError } from '../api.ts'
import { apiQuery, useCall } from '../calls.ts'

/** Milliseconds between reads while an action runs. */
const MOVING_MS = 700
/** Milliseconds until a failed first read is repeated. */
const AGAIN_MS = 5000

/** An action to be followed to its end; `ids` if it was started in this tab. */
type Followed = { id: string; accountId: string; action: BulkActionKind; ids?: readonly string[] }

const KEY = 'tributary.followed'

/** The actions of this tab whose end was not shown before a reload. */
function readStoredActions(): readonly Followed[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
  } catch {
    return []
  }
}

let followed = readStoredActions()
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function setFollowed(next: readonly Followed[]) {
  followed = next
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Storage refused: an end before a reload is not shown.
  }
  for (const listener of listeners) listener()
}

/** Follows an action on every screen until its end is shown. */
export function followAction(action: Followed) {
  if (!followed.some(({ id }) => id === action.id)) setFollowed([...followed, action])
}

export const unfollowAction = (id: string) => setFollowed(followed.filter((one) => one.id !== id))

/** Returns the account's running actions, and those whose end was not shown yet. */
export function useFollowed(accountId: string) {
  const all = useSyncExternalStore(subscribe, () => followed)
  return all.filter((one) => one.accountId === accountId)
}

/** One action, read again while it runs. */
export const bulkActionQuery = ({ accountId, id }: Pick<Followed, 'accountId' | 'id'>) => ({
  ...apiQuery(getBulkAction, { params: { id: accountId, bulkActionId: id } }),
  refetchInterval: ({ state: { data } }: { state: { data?: BulkAction | undefined } }) =>
    !data ? AGAIN_MS : data.state === 'running' ? MOVING_MS : false,
})

/** The account's running actions, also those started elsewhere. */
export const runningBulkActionsQuery = (accountId: string) =>
  apiQuery(listBulkActions, { params: { id: accountId }, query: { state: 'running', limit: 10 } })

/** The subjects of an action that a dialog starts; `onStarted` clears the selection. */
export type Many = { accountId: string; ids: string[]; onStarted: () => void }

/** Ends the dialog of an action: it is followed from now on. */
export const startedFrom =
  ({ accountId, ids, onStarted }: Many) =>
  ({ id, action }: Pick<BulkAction, 'id' | 'action'>) => {
    followAction({ id, accountId, action, ids })
    onStarted()
  }

type Effects = { onStarted?: () => void; onError?: (error: CallError) => void }

/** Starts actions of an account, and follows them. */
export function useBulkAction(accountId: string, { onStarted, onError }: Effects = {}) {
  const { busy, error, saved, mutate } = useCall(startBulkAction, {
    onSuccess({ id, action }, { body: { ids } }) {
      followAction({ id, accountId, action, ids })
      onStarted?.()
    },
    ...(onError && { onError }),
  })
  const start = (body: GivenBulkAction) => mutate({ params: { id: accountId }, body })
  return { busy, error, saved, start }
}

/** Returns the account's running action of one of these kinds, with a function that stops it. */
export function useRunning(accountId: string, kinds: readonly BulkActionKind[]) {
  const mine = useFollowed(accountId).find(({ action }) => kinds.includes(action))
  const { data } = useQuery({ ...bulkActionQuery({ accountId, id: mine?.id ?? '' }), enabled: mine !== undefined })
  const call = useCall(cancelBulkAction)
  if (!mine || data?.state !== 'running') return null
  return { ...data, cancel: () => call.mutate({ params: { id: accountId, bulkActionId: mine.id } }) }
}
