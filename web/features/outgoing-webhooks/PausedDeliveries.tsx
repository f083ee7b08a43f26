import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { startPayoutReconciliation } from '#contract/payout-reconciliation.ts'
import { Message } from '../../ui/Message.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { payoutWords } from '../../words/payouts.ts'
import { payoutReconciliationQuery } from './queries.ts'

/**
 * Warns that deliveries are paused: an older copy of the database would repeat old events. Only an account with paused
 * payouts can end the pause here.
 */
export function PausedDeliveries({ accountId }: { accountId: string }) {
  const may = usePermission()
  const { data } = useQuery(payoutReconciliationQuery(accountId))
  if (!data?.webhooksPaused) return null
  const compare = <Link to="/payouts/reconciliation">{payoutWords.reconciliation.compare}</Link>
  return (
    <Message kind="warning" action={may(startPayoutReconciliation) && data.pausedAt && compare}>
      {outgoingWebhookWords.paused}
    </Message>
  )
}
