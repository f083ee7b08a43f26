import type { NavigateOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { GoButton } from './GoButton.tsx'

type Props = NavigateOptions & {
  look?: 'primary' | 'secondary'
  icon?: ReactNode
  small?: boolean
  children: ReactNode
}

/** A `GoButton` with the props of a link: `<LinkButton to="/partners/new">`. */
export function LinkButton({ look, icon, small, children, ...go }: Props) {
  return (
    <GoButton go={go as NavigateOptions} look={look} icon={icon} small={small}>
      {children}
    </GoButton>
  )
}
