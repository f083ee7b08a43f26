import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRole } from './current.ts'

/** The page of a payout: a partner's own has an address of its own, the others are the owner's. */
export const payoutPage = (role: string | undefined) =>
  role === 'partner' ? '/partner/payouts/$payoutId' : '/payouts/$payoutId'

export const PayoutLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to={payoutPage(useRole()?.type)} params={{ payoutId: id }}>
    {children}
  </Link>
)
