import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Role } from '#contract/auth.ts'
import { isAtPartner } from '../shared/roles.ts'
import { useRole } from './current.ts'

/** Returns the page of a payout: partners have another one than owners. */
export const payoutPage = (role: Role | undefined) =>
  isAtPartner(role) ? '/partner/payouts/$payoutId' : '/payouts/$payoutId'

export const PayoutLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to={payoutPage(useRole())} params={{ payoutId: id }}>
    {children}
  </Link>
)
