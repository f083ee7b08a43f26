import { z } from 'zod'
import { NewOutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import {
  declareTables,
  emptyColumns,
  MACHINE,
  placeEverywhere,
  placeOnFirst,
  SECRET,
} from '../../platform/database/declare-tables.ts'
import { hasId } from '../../platform/database/erased-rows.ts'
import { anyText, callFields, eachColumn } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  outgoing_webhooks: {
    subject: 'outgoing-webhook',
    columns: `id account_id name url format events secret_sealed former_secret_sealed former_secret_until header_names
      headers_sealed enabled disabled_reason failures last_delivery_at created_at updated_at deleted_at`,
    place: placeEverywhere('couriers take turns among those of all accounts; written once a batch'),
    exported: {
      stays: { [SECRET]: ['former_secret_until'] },
      // an archive of the previous release lacks the format
      arrives: () => ({ enabled: sql`false`, header_names: sql`'{}'`, format: sql`coalesce(r.format, 'json')` }),
      shapes: {
        ...callFields(NewOutgoingWebhook, 'name url format events'),
        header_names: z.array(anyText(200)),
        disabled_reason: anyText(),
      },
    },
  },
  outgoing_deliveries: {
    columns: 'id account_id webhook_id event_id event state tries next_at code duration_ms created_at',
    personal: [emptyColumns('lead', 'answer'), emptyColumns('partner', 'answer')],
    exported: {
      arrives: () => ({
        state: sql`case when r.next_at is null then r.state else 'failed' end`,
        next_at: sql`null`,
      }),
      names: { webhook_id: ['outgoing_webhooks'], event_id: ['passing_events'] },
      shapes: { ...eachColumn(anyText(), 'event answer') },
    },
    erased: {
      lead({ accountId, leadIds, saleIds, refundIds }, { says }) {
        const all = [...leadIds, ...saleIds, ...refundIds]
        return {
          which: sql`(${says('t.answer')} or exists (select from passing_events e
        where e.account_id = ${accountId} and e.id = t.event_id and ${hasId('e.subject_id', all)}))`,
          scanned: true,
        }
      },
      partner: (_, { says }) => ({ which: says('t.answer'), scanned: true }),
    },
  },
  outgoing_turns: {
    columns: 'webhook_id held_by held_until',
    place: placeOnFirst('whoever is free takes one'),
    exported: MACHINE,
  },
})
