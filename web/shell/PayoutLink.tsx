import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRole } from './current.ts'

/** Returns the page of a payout: partners have another one than owners. */
export const payoutPage = (role: string | undefined) =>
  role === 'partner' ? '/partner/payouts/$payoutId' : '/payouts/$payoutId'

export const PayoutLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to={payoutPage(useRole()?.type)} params={{ payoutId: id }}>
    {children}
  </Link>
)
