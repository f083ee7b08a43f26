import { declareTables, emptyColumns, MACHINE, splitNames } from '../database/declare-tables.ts'
import { hasId } from '../database/erased-rows.ts'
import { EventData, eachColumn, Kind, Network } from '../database/shapes.ts'
import { rawSql, sql } from '../database/sql.ts'
import { isShownEvent } from './emit-event.ts'

/** Events as shown and as sent. */
const eventTable = {
  shapes: { ...eachColumn(Kind, 'type subject_type'), network: Network, data: EventData },
  stays: { 'a name in the logs of this install': ['request_id'] },
  scope: (accountId: string) => sql`t.account_id = ${accountId} and t.kind <> 'internal'`,
  names: {
    subject_id: splitNames(`leads partners sales commission_entries payouts invoices link_blueprints groups
      incoming_webhooks outgoing_webhooks provider_connections embed_codes`),
  },
}

declareTables({
  event_relays: {
    columns: 'position event_id account_id tries next_at error parked_at',
    exported: MACHINE,
  },
  events: {
    columns: `id account_id at type kind audited actor_type actor_id network request_id subject_type subject_id`,
    personal: [
      emptyColumns('lead', 'data', `emptied(t.data, 'lead')`),
      emptyColumns('partner', 'data', `emptied(t.data, 'partner')`),
    ],
    exported: {
      ...eventTable,
      scope: (accountId) => sql`t.account_id = ${accountId} and ${isShownEvent(sql`t`)}`,
      // their objects are exported with the events themselves
      arrives: () => ({ data: sql`r.data - 'object'` }),
    },
    erased: {
      lead({ leadIds, saleIds, refundIds, otherIds }, { says }) {
        const all = [...leadIds, ...saleIds, ...refundIds]
        const ofEvents = sql`(${hasId('t.subject_id', all)} or ${rawSql("t.data -> 'object' ->> 'leadId'")} = any(${leadIds})
    or ${rawSql("t.data -> 'object' ->> 'saleId'")} = any(${saleIds})
    or (${says('t.data::text')} and (${hasId('t.subject_id', otherIds)}) is not true))`
        return { which: ofEvents, scanned: true }
      },
      partner({ partnerId, payoutIds }, { says }) {
        const all = [partnerId, ...payoutIds]
        const ofEvents = sql`(${hasId('t.subject_id', all)} or position(${partnerId} in t.data::text) > 0 or ${says('t.data::text')})`
        return { which: ofEvents, own: hasId('t.subject_id', all), scanned: true }
      },
    },
  },
  passing_events: {
    columns: `id account_id at type kind audited actor_type actor_id network request_id subject_type subject_id`,
    personal: [
      emptyColumns('lead', 'data', `emptied(t.data, 'lead')`),
      emptyColumns('partner', 'data', `emptied(t.data, 'partner')`),
    ],
    exported: { ...eventTable, view: 'told_events' },
    erased: {
      lead({ leadIds, saleIds, refundIds, otherIds }, { says }) {
        const all = [...leadIds, ...saleIds, ...refundIds]
        const ofEvents = sql`(${hasId('t.subject_id', all)} or ${rawSql("t.data -> 'object' ->> 'leadId'")} = any(${leadIds})
    or ${rawSql("t.data -> 'object' ->> 'saleId'")} = any(${saleIds})
    or (${says('t.data::text')} and (${hasId('t.subject_id', otherIds)}) is not true))`
        return { which: ofEvents, scanned: true }
      },
      partner({ partnerId, payoutIds }, { says }) {
        const all = [partnerId, ...payoutIds]
        const ofEvents = sql`(${hasId('t.subject_id', all)} or position(${partnerId} in t.data::text) > 0 or ${says('t.data::text')})`
        return { which: ofEvents, scanned: true }
      },
    },
  },
})
