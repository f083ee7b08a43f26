import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookEvents } from '#contract/outgoing-webhooks.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { eventGroups } from './events.ts'

test('every event can be chosen, in a group with words', () => {
  assert.deepEqual(eventGroups.flatMap(({ events }) => events).sort(), [...webhookEvents].sort())
  for (const { about } of eventGroups) assert.ok(outgoingWebhookWords.about[about], about)
})
