import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { startPayoutReconciliation } from '#contract/payout-reconciliation.ts'
import { Message } from '../../ui/Message.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { payoutWords } from '../../words/payouts.ts'
import { reconciliationQuery } from './queries.ts'

/** Warns that payouts are paused until the owner has compared payments with the ledger. */
export function PausedPayouts({ accountId }: { accountId: string }) {
  const may = usePermission()
  const { data } = useQuery(reconciliationQuery(accountId))
  if (!data?.pausedAt) return null
  return (
    <Message
      kind="error"
      action={
        may(startPayoutReconciliation) && <Link to="/payouts/reconciliation">{payoutWords.reconciliation.compare}</Link>
      }
    >
      {payoutWords.reconciliation.banner}
    </Message>
  )
}
