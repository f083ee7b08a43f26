import { useQuery } from '@tanstack/react-query'
import type { IncomingDelivery } from '#contract/incoming-webhooks.ts'
import { ToLead } from '../../shared/links.tsx'
import { sale as saleQuery } from '../../shared/queries.ts'
import { basicWords } from '../../words/basic.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'

type Of = { made: IncomingDelivery['made'] }

/** The result of a delivery; a lead links to its page. */
export function Made({ made }: Of) {
  if (!made) return basicWords.absent
  const words = incomingWebhookWords.made[made.type]
  return made.type === 'lead' ? <ToLead id={made.id}>{words}</ToLead> : words
}

/** Like `Made`, but a sale also links to its lead. */
export function MadeInWhole({ made }: Of) {
  const saleId = made?.type === 'sale' ? made.id : ''
  const { data: sale } = useQuery({ ...saleQuery(saleId), enabled: saleId !== '' })
  if (!sale?.leadId) return <Made made={made} />
  return (
    <>
      {incomingWebhookWords.made.sale} –{' '}
      <ToLead id={sale.leadId}>{sale.leadName ?? incomingWebhookWords.made.lead}</ToLead>
    </>
  )
}
