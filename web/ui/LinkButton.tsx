import type { NavigateOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { GoButton } from './GoButton.tsx'
import type { Needed } from './permissions.ts'

type Props = NavigateOptions & {
  look?: 'primary' | 'secondary'
  icon?: ReactNode
  small?: boolean
  /** The call to which it leads; without the right to it, there is no button. */
  needs?: Needed | undefined
  children: ReactNode
}

/** A `GoButton` with the props of a link: `<LinkButton to="/partners/new">`. */
export function LinkButton({ look, icon, small, needs, children, ...go }: Props) {
  return (
    <GoButton go={go as NavigateOptions} look={look} icon={icon} small={small} needs={needs}>
      {children}
    </GoButton>
  )
}
