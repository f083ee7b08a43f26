import { useSyncExternalStore } from 'react'

export type ToastAction = { label: string; run: () => void }
export type Toast = { id: number; text: string; failed: boolean; action?: ToastAction; of: string }

const LASTS_MS = 6000
/** Time to read it, decide and reach the button. */
const WITH_ACTION_LASTS_MS = 8000

const none: readonly Toast[] = []
let shown = none
let last = 0
/** The places where toasts can appear now, the foremost last. */
let places: readonly string[] = []
const listeners = new Set<() => void>()

function notifyListeners() {
  for (const listen of listeners) listen()
}

function show(toasts: readonly Toast[]) {
  shown = toasts
  notifyListeners()
}

/** Shows toasts at this place until a later one is added; returns the function that removes it. */
export function addPlace(id: string) {
  places = [...places, id]
  notifyListeners()
  return () => {
    places = places.filter((place) => place !== id)
    notifyListeners()
  }
}

/**
 * Reports at the edge of the screen what has just happened: `showToast(toastWords.saved({ resource }))`. An `action` is
 * 'Undo', or 'Try again' if it `failed`. A toast replaces an earlier one `of` the same thing: that one's undo would
 * undo something else.
 */
export function showToast(text: string, { action, failed = false, of = text }: ToastOptions = {}) {
  last += 1
  // More than three at once are not read.
  show([...shown.filter((toast) => toast.of !== of).slice(-2), { id: last, text, failed, action, of }])
}

type ToastOptions = { action?: ToastAction; failed?: boolean; of?: string }

/** Adds an action to the newest toast, unless it has one. */
export function addToastAction(action: ToastAction) {
  const newest = shown.at(-1)
  if (newest && !newest.action && !newest.failed) show([...shown.slice(0, -1), { ...newest, action }])
}

export function dismissToast(id: number) {
  show(shown.filter((toast) => toast.id !== id))
}

export const lastsMs = ({ action }: Toast) => (action ? WITH_ACTION_LASTS_MS : LASTS_MS)

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the toasts of this place: none while another place has precedence. */
export const useToastsAt = (id: string) => useSyncExternalStore(listen, () => (places.at(-1) === id ? shown : none))
