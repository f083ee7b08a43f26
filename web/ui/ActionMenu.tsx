import type { ReactNode } from 'react'
import { Button, IconButton } from './Button.tsx'
import { DownIcon, MoreIcon } from './icons.tsx'
import { Menu, type MenuItem } from './Menu.tsx'
import { useMay } from './may.ts'

export type Action = MenuItem

type Props = {
  /** Its name: 'Actions for Jane Whitfield'. */
  label: string
  actions: readonly Action[]
  /** Text of the button; without it the button is three dots. */
  children?: ReactNode
  bordered?: boolean
  /** In a row of a table. */
  small?: boolean
  /** Before the words, which then have no border. */
  icon?: ReactNode
}

/** A button with a menu of actions; nothing if there are none. */
export function ActionMenu({ label, actions, children, bordered, small, icon }: Props) {
  const may = useMay()
  const items = actions.filter(({ needs }) => may(needs))
  if (items.length === 0) return null
  return (
    <Menu
      label={label}
      items={items}
      opener={(props) =>
        children ? (
          <Button {...props} aria-label={label} icon={icon} look={icon ? 'quiet' : undefined}>
            {children} {!icon && <DownIcon size={16} />}
          </Button>
        ) : (
          <IconButton {...props} {...{ label, bordered, small }} icon={<MoreIcon size={18} />} className="muted" />
        )
      }
    />
  )
}
