import { type OutgoingDelivery, type OutgoingWebhook, resendDelivery } from '#contract/outgoing-webhooks.ts'
import { ChosenDelivery, DeliveryBodies, DeliveryBody } from '../../shared/DeliveryLog.tsx'
import { CallButton } from '../../ui/CallButton.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { AgainIcon } from '../../ui/icons.tsx'
import { fieldWords } from '../../words/fields.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { formatAnswer, formatBody, formatNextAttempt } from './deliveries.ts'
import { DeliveryState } from './health.tsx'

type Props = { webhook: OutgoingWebhook; delivery: OutgoingDelivery; timeZone: string }

/** One delivery: its request and the response. */
export function OutgoingDeliveryPanel({ webhook, delivery, timeZone }: Props) {
  const { event, code, requestBody, responseBody } = delivery
  return (
    <ChosenDelivery
      code
      heading={event}
      aside={requestBody !== null && <Resend webhook={webhook} delivery={delivery} />}
    >
      <Facts
        label={event}
        facts={[
          {
            label: fieldWords.result,
            value: <DeliveryState of={delivery} webhook={webhook} />,
          },
          { label: outgoingWebhookWords.delivery.answerLabel, value: formatAnswer(delivery) },
          { label: outgoingWebhookWords.delivery.nextTry, value: formatNextAttempt(delivery, webhook, timeZone) },
        ]}
      />
      <DeliveryBodies>
        {requestBody === null ? (
          <p>{outgoingWebhookWords.delivery.forgotten}</p>
        ) : (
          <DeliveryBody label={outgoingWebhookWords.delivery.sent}>{formatBody(requestBody)}</DeliveryBody>
        )}
        {code !== null && responseBody && (
          <DeliveryBody label={outgoingWebhookWords.delivery.answered}>{formatBody(responseBody)}</DeliveryBody>
        )}
      </DeliveryBodies>
    </ChosenDelivery>
  )
}

const Resend = ({ webhook, delivery }: Omit<Props, 'timeZone'>) => (
  <CallButton
    small
    icon={<AgainIcon size={16} />}
    call={resendDelivery}
    input={{ params: { id: webhook.id, deliveryId: delivery.id } }}
    done={outgoingWebhookWords.delivery.resent}
  >
    {outgoingWebhookWords.delivery.resend}
  </CallButton>
)
