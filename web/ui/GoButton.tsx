import { type NavigateOptions, useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { Button } from './Button.tsx'
import { PlusIcon } from './icons.tsx'

type Props = {
  /** Where it leads. */
  go: NavigateOptions
  look?: 'primary' | 'secondary'
  icon?: ReactNode
  small?: boolean
  children: ReactNode
}

/** A button of the page's head that leads to another page, whose code it fetches as soon as it is pointed at. */
export function GoButton({ go, look, icon, small, children }: Props) {
  const router = useRouter()
  const preload = () => void router.preloadRoute(go as never).catch(() => undefined)
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey) window.open(router.buildLocation(go as never).href, '_blank', 'noopener')
    else router.navigate(go)
  }
  return (
    <Button look={look} icon={icon} small={small} onClick={open} onPointerEnter={preload} onFocus={preload}>
      {children}
    </Button>
  )
}

/** The primary button of a list: the way to the page that adds to it. */
export const AddButton = ({ go, children }: Pick<Props, 'go' | 'children'>) => (
  <GoButton go={go} look="primary" icon={<PlusIcon size={16} />}>
    {children}
  </GoButton>
)
