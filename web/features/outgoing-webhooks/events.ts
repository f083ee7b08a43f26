import { ALL_EVENTS, type OutgoingWebhook, webhookEvents } from '#contract/outgoing-webhooks.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'

export type Event = (typeof webhookEvents)[number]
export type Chosen = OutgoingWebhook['events']

const groups = [
  'lead',
  'sale',
  'claim',
  'commission',
  'payout',
  'partner',
  'application',
  'group',
  'link-blueprint',
  'payment-provider',
] as const

/** All events, grouped by subject. */
export const eventGroups = groups.map((about) => ({
  about,
  events: webhookEvents.filter((event) => event.startsWith(`${about}.`)),
}))

/** Returns '14 events' or 'All events'. */
export const countedEvents = (events: Chosen) =>
  events.includes(ALL_EVENTS) ? outgoingWebhookWords.allEvents : outgoingWebhookWords.events({ count: events.length })
