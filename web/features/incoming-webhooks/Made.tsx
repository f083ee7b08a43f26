import { useQuery } from '@tanstack/react-query'
import type { DeliveryRecord, IncomingDelivery } from '#contract/incoming-webhooks.ts'
import { ToLead } from '../../shared/links.tsx'
import { saleQuery } from '../../shared/queries.ts'
import { basicWords } from '../../words/basic.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'

type Of = { made: IncomingDelivery['made'] }
type Recorded = Pick<IncomingDelivery, 'made' | 'records'>

/** Returns what was made of a delivery; the only thing of one from before there were rules. */
const madeOf = ({ made, records }: Recorded) => {
  const all = records.flatMap(({ type, id }) => (id ? [{ type, id }] : []))
  return all.length > 0 ? all : made ? [made] : []
}

/** The results of a delivery; a lead links to its page. */
export function DeliveryResults(delivery: Recorded) {
  const all = madeOf(delivery)
  if (all.length === 0) return basicWords.absent
  return all.map((made, at) => (
    <span key={made.id}>
      {at > 0 && ', '}
      <Made made={made} />
    </span>
  ))
}

function Made({ made }: { made: NonNullable<Of['made']> }) {
  const words = incomingWebhookWords.made[made.type]
  return made.type === 'lead' ? <ToLead id={made.id}>{words}</ToLead> : words
}

/** The result of a delivery; a sale links to its lead too. */
export function MadeInWhole({ made }: Of) {
  const saleId = made?.type === 'sale' ? made.id : ''
  const { data: sale } = useQuery({ ...saleQuery(saleId), enabled: saleId !== '' })
  if (!made) return basicWords.absent
  if (!sale?.leadId) return <Made made={made} />
  return (
    <>
      {incomingWebhookWords.made.sale} –{' '}
      <ToLead id={sale.leadId}>{sale.leadName ?? incomingWebhookWords.made.lead}</ToLead>
    </>
  )
}

/** One record of a delivery: its rule, what it became and why. */
export const DeliveryRecordLine = ({ rule, type, id, state, reason }: DeliveryRecord) => (
  <>
    <strong>{rule}</strong>: {incomingWebhookWords.recordStates[state]}
    {id && (
      <>
        {' – '}
        <MadeInWhole made={{ type, id }} />
      </>
    )}
    {reason && `. ${reason}`}
  </>
)
