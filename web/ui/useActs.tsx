import { type ReactNode, useCallback, useState } from 'react'

export type ActProps<T> = { of: T; onClose: () => void }

/** The dialog of an action on a thing, declared with `act`, `deletion` or `formAct`. */
export type Act<T> = (props: ActProps<T>) => ReactNode

/** Returns `start`, which opens an action's dialog, and `dialog`, which the screen must render. */
export function useActs() {
  const [open, setOpen] = useState<{ Open: Act<unknown>; of: unknown } | null>(null)
  const start = useCallback(<T,>(action: Act<T>, of: NoInfer<T>) => setOpen({ Open: action as Act<unknown>, of }), [])
  return { start, dialog: open && <open.Open of={open.of} onClose={() => setOpen(null)} /> }
}
