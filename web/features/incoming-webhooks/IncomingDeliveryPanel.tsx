import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { confirmSamePerson, type IncomingDelivery, replayDelivery } from '#contract/incoming-webhooks.ts'
import { formatShortDateTime } from '../../format.ts'
import { ChosenDelivery, DeliveryBodies, DeliveryBody } from '../../shared/DeliveryLog.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { CallButton } from '../../ui/CallButton.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { AgainIcon, LeadsIcon } from '../../ui/icons.tsx'
import { Failed, Skeleton } from '../../ui/Panel.tsx'
import { fieldWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { DeliveryRecordLine, MadeInWhole } from './Made.tsx'
import { mappingFieldLabel } from './mapping.ts'
import { isCut, settledDelivery, incomingDeliveryQuery as whole } from './queries.ts'

type Props = { webhookId: string; delivery: IncomingDelivery; timeZone: string }

/** One delivery: its payload, and its result or the reason there is none. */
export function IncomingDeliveryPanel({ webhookId, delivery: listed, timeZone }: Props) {
  const [asked, setAsked] = useState(false)
  const { data: settled } = useQuery({ ...settledDelivery(webhookId, listed.id), enabled: asked })
  const delivery = (asked && settled) || listed
  const { state, reason, fields, made, records, warnings, others, payloadBytes, receivedAt } = delivery
  const heading = formatShortDateTime(receivedAt, timeZone)
  const replayable = (state === 'failed' || state === 'ignored') && payloadBytes !== null
  return (
    <ChosenDelivery
      heading={heading}
      aside={
        <>
          {others.length > 0 && <SamePerson webhookId={webhookId} id={delivery.id} onAsked={() => setAsked(true)} />}
          {replayable && <Replay webhookId={webhookId} id={delivery.id} />}
        </>
      }
    >
      <Facts
        label={heading}
        facts={[
          { label: fieldWords.result, value: <StatusBadge of="delivery" status={state} /> },
          ...(records.length > 1 ? [] : [{ label: fieldWords.created, value: <MadeInWhole made={made} /> }]),
        ]}
      />
      <DeliveryBodies>
        {records.length > 1 && (
          <section aria-label={incomingWebhookWords.records}>
            <ul className="stack gap-1 linked">
              {records.map((record, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the records of a delivery keep their order
                <li key={at}>
                  <DeliveryRecordLine {...record} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {reason && !fields && records.length <= 1 && <p>{reason}</p>}
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
        {fields && (
          <ul>
            {Object.entries(fields).map(([field, message]) => (
              <li key={field}>
                <strong>{mappingFieldLabel(field)}</strong>: {message}
              </li>
            ))}
          </ul>
        )}
        {payloadBytes === null ? (
          <p>{incomingWebhookWords.delivery.forgotten}</p>
        ) : (
          <Sent webhookId={webhookId} delivery={delivery} />
        )}
      </DeliveryBodies>
    </ChosenDelivery>
  )
}

function Sent({ webhookId, delivery }: Pick<Props, 'webhookId' | 'delivery'>) {
  const {
    data = delivery,
    isError,
    isFetching,
    refetch,
  } = useQuery({ ...whole(webhookId, delivery.id), enabled: isCut(delivery) })
  if (isError) return <Failed busy={isFetching} onRetry={() => void refetch()} />
  if (isCut(data)) return <Skeleton rows={4} />
  return <DeliveryBody label={incomingWebhookWords.delivery.sent}>{JSON.stringify(data.payload, null, 2)}</DeliveryBody>
}

const Replay = ({ webhookId, id }: { webhookId: string; id: string }) => (
  <CallButton
    small
    icon={<AgainIcon size={16} />}
    call={replayDelivery}
    input={{ params: { id: webhookId, deliveryId: id } }}
    done={incomingWebhookWords.delivery.replayed}
  >
    {incomingWebhookWords.delivery.replay}
  </CallButton>
)

const SamePerson = ({ webhookId, id, onAsked }: { webhookId: string; id: string; onAsked: () => void }) => (
  <CallButton
    small
    icon={<LeadsIcon size={16} />}
    call={confirmSamePerson}
    input={{ params: { id: webhookId, deliveryId: id } }}
    done={() => {
      onAsked()
      return incomingWebhookWords.delivery.takenForSame
    }}
  >
    {incomingWebhookWords.delivery.samePerson}
  </CallButton>
)
