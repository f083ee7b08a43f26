import { ALL_EVENTS, type OutgoingWebhook, webhookEvents } from '#contract/outgoing-webhooks.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'

export type Event = (typeof webhookEvents)[number]
export type Chosen = OutgoingWebhook['events']

type About = Event extends `${infer Subject}.${string}` ? Subject : never

/** All events, grouped by subject. */
export const eventGroups = [...Map.groupBy(webhookEvents, (event) => event.slice(0, event.indexOf('.')) as About)].map(
  ([about, events]) => ({ about, events }),
)

/** Returns '14 events' or 'All events'. */
export const countedEvents = (events: Chosen) =>
  events.includes(ALL_EVENTS) ? outgoingWebhookWords.allEvents : outgoingWebhookWords.events({ count: events.length })
