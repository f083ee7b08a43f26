import { type NavigateOptions, type UseLinkPropsOptions, useLinkProps, useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { Button } from './Button.tsx'
import { PlusIcon } from './icons.tsx'
import type { Needed } from './permissions.ts'

type Props = {
  /** Its target. */
  go: NavigateOptions
  look?: 'primary' | 'secondary'
  icon?: ReactNode
  small?: boolean
  /** The key that presses it, one of those in shell/shortcuts.ts. */
  shortcut?: 'n'
  /** The call to which it leads; without the right to it, there is no button. */
  needs?: Needed | undefined
  children: ReactNode
}

/** A button in the page's head that opens another page and preloads it on hover, as a link does. */
export function GoButton({ go, look, icon, small, shortcut, needs, children }: Props) {
  const router = useRouter()
  const { href, onMouseEnter, onMouseLeave, onFocus, onBlur, onTouchStart } = useLinkProps(go as UseLinkPropsOptions)
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey) window.open(href, '_blank', 'noopener')
    else router.navigate(go)
  }
  const pointed = { onMouseEnter, onMouseLeave, onFocus, onBlur, onTouchStart }
  return (
    <Button
      look={look}
      icon={icon}
      small={small}
      needs={needs}
      onClick={open}
      data-shortcut={shortcut}
      {...(pointed as object)}
    >
      {children}
    </Button>
  )
}

/** The primary button of a list or a thing: opens the page that adds to it. */
export const AddButton = ({ go, needs, children }: Pick<Props, 'go' | 'needs' | 'children'>) => (
  <GoButton go={go} needs={needs} look="primary" icon={<PlusIcon size={16} />} shortcut="n">
    {children}
  </GoButton>
)
