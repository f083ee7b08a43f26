import { useLocation } from '@tanstack/react-router'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import type { MenuItem } from './Menu.tsx'
import type { Needed } from './permissions.ts'

export type ActProps<T> = {
  of: T
  onClose: () => void
  /** It is offered as destructive. */
  danger?: boolean | undefined
}

/** The dialog of an action on a thing, declared with `act`, `deletion` or `formAct`. */
export type Act<T> = ((props: ActProps<T>) => ReactNode) & {
  /** The call it makes; without the right to it, it is not offered. */
  needs?: Needed | ((of: T) => Needed | undefined) | undefined
  /** Loads a dialog's code as soon as the screen is used. */
  OnUse?: () => ReactNode
  /** Destructive: red on buttons, in menus and in the dialog. */
  danger?: boolean | undefined
}

/** How an action is offered: on buttons, in menus, and in the palette for the thing of a page. */
export type Offer<T> = {
  label: string | ((of: T) => string)
  /** The right to it, if that is not the one to its call. */
  needs?: Needed | ((of: T) => Needed | undefined)
  /** Whether the state of the thing has this action: always by default. */
  when?: (of: T) => boolean
  /** The reason for which it is refused for now. */
  cannot?: (of: T) => string | false | undefined
  danger?: boolean
}

/** An action that declares how it is offered. */
export type Offered<T> = Act<T> & Offer<T>

/** Declares how an action is offered: `offered(act(…), { label: 'Rotate' })`. */
export const exposeAction = <T,>(act: Act<T>, offer: Offer<T>): Offered<T> => Object.assign(act.bind(null), act, offer)

/** A line of a menu: an action with a dialog, or what runs at once; nothing if it does not apply. */
export type Entry<T> = Offered<T> | MenuItem | false | null | undefined

export type Start = <T>(act: Act<T>, of: NoInfer<T>) => void

const Starting = createContext<Start>(() => undefined)

/** Returns `start`, which opens the dialog of an action above the screen. */
export const useStart = () => useContext(Starting)

/** A screen with the dialog of the action that was started on it, which goes with its tab. */
export function Acts({ children }: { children: ReactNode }) {
  const tab = useLocation({ select: ({ search }) => (search as { tab?: string }).tab })
  const [open, setOpen] = useState<{ Open: Act<unknown>; of: unknown; tab: string | undefined } | null>(null)
  const start: Start = useCallback((act, of) => setOpen({ Open: act as Act<unknown>, of, tab }), [tab])
  return (
    <Starting value={start}>
      {children}
      {open && open.tab === tab && <open.Open of={open.of} danger={open.Open.danger} onClose={() => setOpen(null)} />}
    </Starting>
  )
}
