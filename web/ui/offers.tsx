import { useContext, useEffect, useId } from 'react'
import { type Act, type Entry, type Offered, type Start, useStart } from './actions.tsx'
import { Button } from './Button.tsx'
import { PlusIcon } from './icons.tsx'
import type { MenuItem } from './Menu.tsx'
import { OfPage } from './Page.tsx'
import { usePermission } from './permissions.ts'

/** Returns the lines of a menu of actions on a thing. */
export const toMenuItems = <T,>(of: T, entries: readonly Entry<NoInfer<T>>[], start: Start): MenuItem[] =>
  entries.flatMap((entry) => {
    if (!entry) return []
    if (typeof entry !== 'function') return entry
    const { label, needs, danger, when, cannot } = entry
    if (when?.(of) === false) return []
    return {
      label: typeof label === 'function' ? label(of) : label,
      needs: typeof needs === 'function' ? needs(of) : needs,
      danger,
      disabled: cannot?.(of),
      run: () => start(entry, of),
    }
  })

export const isAct = <T,>(entry: Entry<T>): entry is Offered<T> => typeof entry === 'function'

const inHead = new Map<string, readonly MenuItem[]>()

/** Returns the actions in the head of the page, for the palette: each has the page as its key. */
export const offeredHere = () => [...inHead.values()].flat()

/** Offers the actions in the palette too, if they are in the head of a page. */
export function useInPalette(items: readonly MenuItem[]) {
  const page = useContext(OfPage)
  const id = useId()
  useEffect(() => {
    if (page === null) return
    const possible = items.filter(({ disabled }) => !disabled)
    inHead.set(
      id,
      possible.map((item) => ({ ...item, key: page })),
    )
    return () => void inHead.delete(id)
  })
}

/** Loads the code of dialogs once the screen is used. */
export const LoadOnUse = ({ acts }: { acts: readonly Act<never>[] }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the actions are always the same
  acts.map(({ OnUse }, at) => OnUse && <OnUse key={at} />)

type ButtonProps<T> = Pick<
  Parameters<typeof Button>[0],
  'look' | 'small' | 'icon' | 'busy' | 'cannot' | 'className' | 'aria-label'
> & {
  act: Offered<T>
  of: NoInfer<T>
  /** The primary button of a list, which adds to it. */
  adds?: boolean
  /** Its text, by default the action's label. */
  children?: string
}

/** The button of an action. */
export function ActButton<T>({ act, of, adds, children, cannot = act.cannot?.(of), ...rest }: ButtonProps<T>) {
  const start = useStart()
  const may = usePermission()
  const items = toMenuItems(of, [act], start).filter(({ needs }) => may(needs))
  const [item] = items
  useInPalette(adds || cannot ? [] : items)
  if (!item) return null
  const look = adds ? { look: 'primary' as const, icon: <PlusIcon size={16} />, 'data-shortcut': 'n' } : {}
  return (
    <>
      <LoadOnUse acts={[act]} />
      <Button {...look} {...rest} cannot={cannot} onClick={item.run}>
        {children ?? item.label}
      </Button>
    </>
  )
}
