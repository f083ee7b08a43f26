import type { ReactNode } from 'react'
import { basicWords } from '../words/basic.ts'
import { type Entry, useStart } from './actions.tsx'
import { Button, IconButton } from './Button.tsx'
import { DownIcon, MoreIcon } from './icons.tsx'
import { Menu, type MenuItem } from './Menu.tsx'
import { isAct, LoadOnUse, toMenuItems, useInPalette } from './offers.tsx'
import { usePermission } from './permissions.ts'

export type Action = MenuItem

type Props<T> = {
  /** Its name, by default 'Actions for' the name of the thing. */
  label?: string
  name?: string
  of?: T
  actions: readonly Entry<NoInfer<T>>[]
  /** Text of the button; without it the button is three dots. */
  children?: ReactNode
  bordered?: boolean
  /** In a row of a table. */
  small?: boolean
  /** Before the words, which then have no border. */
  icon?: ReactNode
}

/** A button with a menu of actions; nothing if there are none. */
export function ActionMenu<T>({
  name = '',
  label = basicWords.actions.on({ name }),
  of,
  actions,
  children,
  bordered,
  small,
  icon,
}: Props<T>) {
  const may = usePermission()
  const start = useStart()
  const possible = (entries: readonly Entry<T>[]) =>
    toMenuItems(of as T, entries, start).filter(({ needs }) => may(needs))
  const items = possible(actions)
  const acts = actions.filter(isAct)
  useInPalette(possible(acts))
  if (items.length === 0) return null
  return (
    <>
      <LoadOnUse acts={acts} />
      <Menu
        label={label}
        items={items}
        opener={(props) =>
          children ? (
            <Button {...props} aria-label={label} icon={icon} look={icon ? 'quiet' : undefined}>
              {children} {!icon && <DownIcon size={16} />}
            </Button>
          ) : (
            <IconButton
              {...props}
              label={label}
              bordered={bordered}
              small={small}
              icon={<MoreIcon size={18} />}
              className="muted"
            />
          )
        }
      />
    </>
  )
}
