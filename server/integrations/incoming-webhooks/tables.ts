import { z } from 'zod'
import { DeliveryRecord, IncomingAuth, NewIncomingWebhook } from '#contract/incoming-webhooks.ts'
import {
  declareTables,
  emptyColumns,
  LOGIN,
  OF_BODIES,
  placeEverywhere,
  SEARCHED_BODIES,
  SECRET,
  splitNames,
} from '../../platform/database/declare-tables.ts'
import { hasId, joinTexts } from '../../platform/database/erased-rows.ts'
import { anyText, callFields, Json } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'
import { OthersId, SameId } from './others-id.ts'

const RAW_DELIVERY = joinTexts('t.payload', 't.fields::text', 't.reason', 't.others_id::text')
const amongRecords = (ids: string[]) => sql`exists (
  select from jsonb_array_elements(coalesce(t.records, '[]')) r where r ->> 'id' = any(${ids}))`

declareTables({
  incoming_webhooks: {
    subject: 'incoming-webhook',
    columns: `id account_id name sender target enabled token_hash token_sealed former_token_hash former_token_until auth
      auth_sealed mapping partner_match filters rules dedupe_path last_received_at last_ping_at created_at
      updated_at payload_bytes allowed_ips created_by changed_by`,
    personal: [emptyColumns('lead', 'same_id')],
    place: placeEverywhere('found by the hash of an address alone'),
    exported: {
      first: splitNames(
        `id name sender target enabled auth mapping partner_match filters rules dedupe_path allowed_ips last_received_at
      last_ping_at`,
      ),
      stays: {
        [SECRET]: ['former_token_until'],
        'no longer used': ['payload_bytes'],
        [LOGIN]: ['created_by', 'changed_by'],
      },
      arrives: () => ({ enabled: sql`false` }),
      shapes: {
        ...callFields(NewIncomingWebhook, 'name sender mapping partnerMatch filters rules dedupePath allowedIps'),
        auth: IncomingAuth,
        same_id: SameId,
      },
    },
    erased: { lead: (_, { says }) => ({ which: says('t.same_id::text') }) },
  },
  incoming_deliveries: {
    columns: 'id account_id webhook_id state dedupe_key made_type made_id created_at',
    personal: [
      emptyColumns('lead', 'payload fields reason warnings records others_id'),
      emptyColumns('partner', 'payload fields reason warnings records others_id'),
    ],
    exported: {
      atOnce: OF_BODIES,
      arrives: () => ({
        state: sql`case when r.state = 'received' then 'failed' else r.state end`,
        reason: sql`case when r.state = 'received' then 'The account was moved before this was processed.' else r.reason end`,
      }),
      names: { webhook_id: ['incoming_webhooks'], made_id: ['leads', 'sales', 'refunds'] },
      shapes: {
        payload: Json,
        reason: anyText(),
        fields: z.record(z.string(), z.string()),
        records: z.array(DeliveryRecord),
        warnings: z.array(z.string()),
        others_id: OthersId,
      },
    },
    erased: {
      lead({ leadIds, saleIds, refundIds }, { says }) {
        const all = [...leadIds, ...saleIds, ...refundIds]
        return {
          which: sql`(${hasId('t.made_id', all)} or ${says(RAW_DELIVERY)} or ${amongRecords(all)}
        or exists (select from jsonb_array_elements(coalesce(t.others_id, '[]')) o where o ->> 'leadId' = any(${leadIds})))`,
          scanned: true,
          atOnce: SEARCHED_BODIES,
          waiting: sql`t.state = 'received'`,
        }
      },
      partner: (_, { says }) => ({
        which: says(RAW_DELIVERY),
        scanned: true,
        atOnce: SEARCHED_BODIES,
        waiting: sql`t.state = 'received'`,
      }),
    },
  },
  incoming_payloads: {
    columns: 'webhook_id account_id bytes',
    exported: { order: 'webhook_id', names: { webhook_id: ['incoming_webhooks'] } },
  },
})
