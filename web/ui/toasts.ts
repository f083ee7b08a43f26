import { useSyncExternalStore } from 'react'

export type ToastAction = { label: string; run: () => void }
export type Toast = { id: number; text: string; failed: boolean; action?: ToastAction }

const LASTS_MS = 6000
/** Somebody has to read it, decide and reach it. */
const WITH_ACTION_LASTS_MS = 8000

let shown: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

function show(toasts: readonly Toast[]) {
  shown = toasts
  for (const listen of listeners) listen()
}

/**
 * Says at the edge of the screen what has just happened: `toast(t('toast.saved', { resource }))`. An `action` is
 * 'Undo', or 'Try again' where it `failed`.
 */
export function toast(text: string, { action, failed = false }: { action?: ToastAction; failed?: boolean } = {}) {
  last += 1
  // More than three at once nobody reads.
  show([...shown.slice(-2), { id: last, text, failed, action }])
}

export function dismissToast(id: number) {
  show(shown.filter((toast) => toast.id !== id))
}

export const lastsMs = ({ action }: Toast) => (action ? WITH_ACTION_LASTS_MS : LASTS_MS)

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useToasts = () => useSyncExternalStore(listen, () => shown)
