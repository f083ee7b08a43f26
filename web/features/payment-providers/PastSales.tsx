import { useQuery } from '@tanstack/react-query'
import type { Connection } from '#contract/payment-providers.ts'
import { ImportProgress } from '../../ui/ImportProgress.tsx'
import { t } from '../../words.ts'
import { pastSales } from './queries.ts'

type Props = { connection: Connection; name: string }

/** The import of a connection's past sales that runs, or ran last. */
export function PastSales({ connection: { id, accountId }, name }: Props) {
  const { data } = useQuery(pastSales(accountId))
  const last = data?.items.find(({ connectionId }) => connectionId === id)
  if (!last) return null
  return (
    <section aria-label={t('paymentProviders.past.last', { provider: name })}>
      <ImportProgress imported={last} label={t('paymentProviders.past.progress', { provider: name })} />
    </section>
  )
}
