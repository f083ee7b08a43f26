import { useSyncExternalStore } from 'react'

export type ToastAction = { label: string; run: () => void }
export type Toast = { id: number; text: string; failed: boolean; action?: ToastAction; of: string }

const LASTS_MS = 6000
/** Somebody has to read it, decide and reach it. */
const WITH_ACTION_LASTS_MS = 8000

const none: readonly Toast[] = []
let shown = none
let last = 0
/** Where toasts can appear now, the foremost last. */
let places: readonly string[] = []
const listeners = new Set<() => void>()

function tellListeners() {
  for (const listen of listeners) listen()
}

function show(toasts: readonly Toast[]) {
  shown = toasts
  tellListeners()
}

/** Toasts appear here until a place comes before it; answers what takes it away again. */
export function addPlace(id: string) {
  places = [...places, id]
  tellListeners()
  return () => {
    places = places.filter((place) => place !== id)
    tellListeners()
  }
}

/**
 * Says at the edge of the screen what has just happened: `toast(t('toast.saved', { resource }))`. An `action` is
 * 'Undo', or 'Try again' where it `failed`. What is said `of` the same thing takes the place of what was said before:
 * undoing that would undo something else.
 */
export function toast(text: string, { action, failed = false, of = text }: ToastOptions = {}) {
  last += 1
  // More than three at once nobody reads.
  show([...shown.filter((toast) => toast.of !== of).slice(-2), { id: last, text, failed, action, of }])
}

type ToastOptions = { action?: ToastAction; failed?: boolean; of?: string }

export function dismissToast(id: number) {
  show(shown.filter((toast) => toast.id !== id))
}

export const lastsMs = ({ action }: Toast) => (action ? WITH_ACTION_LASTS_MS : LASTS_MS)

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What is to be shown at this place: nothing while another stands before it. */
export const useToastsAt = (id: string) => useSyncExternalStore(listen, () => (places.at(-1) === id ? shown : none))
