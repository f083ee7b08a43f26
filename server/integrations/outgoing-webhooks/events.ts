import { eventDescriptions } from '#contract/events.ts'
import { webhookEvents } from '#contract/outgoing-webhooks.ts'

export const listWebhookEvents = () => ({
  items: webhookEvents.map((type) => ({ type, description: eventDescriptions[type] })),
})
