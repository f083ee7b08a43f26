import { z } from 'zod'
import { PromotionCodeRule } from '#contract/payment-providers.ts'
import { paymentProviders } from '#contract/sales.ts'
import { Currency } from '#contract/values.ts'
import {
  declareTables,
  emptyColumns,
  LOGIN,
  MACHINE,
  OF_BODIES,
  placeEverywhere,
  placeOnFirst,
  SEARCHED_BODIES,
  SECRET,
  splitNames,
} from '../../platform/database/declare-tables.ts'
import { hasId, joinTexts } from '../../platform/database/erased-rows.ts'
import { Applied, anyText, eachColumn, ProviderFacts, provider } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

const RAW_EVENT = joinTexts('t.body', 't.error')
const UNPROCESSED = sql`t.state in ('received', 'failed', 'waiting')`
/** Ids that name nothing else by chance. */
const long = (ids: string[]) => ids.filter((id) => id.length >= 4)

declareTables({
  provider_shops: {
    columns: 'id account_id provider livemode external_id created_at code_rule code_rules',
    place: placeEverywhere('read beside each event of theirs'),
    exported: {
      // an archive of the previous release lacks the list
      arrives: () => ({
        code_rules: sql`coalesce(r.code_rules, case when r.code_rule is null then '[]' else jsonb_build_array(r.code_rule) end)`,
      }),
      shapes: {
        ...provider,
        external_id: anyText(),
        code_rule: PromotionCodeRule,
        code_rules: z.array(PromotionCodeRule),
      },
    },
  },
  shop_customers: {
    columns: 'account_id shop_id customer_id lead_id created_at',
    exported: { order: 'shop_id, customer_id collate "C"', shapes: { customer_id: anyText() } },
  },
  lead_customers: {
    columns: 'account_id provider customer_id lead_id created_at',
    exported: {
      // after shops: those in an archive of the previous release are assigned to each
      order: 'provider collate "C", customer_id collate "C"',
      shapes: { ...provider, customer_id: anyText() },
    },
  },
  provider_connections: {
    columns: `id account_id provider method account_name default_currency provider_account_id livemode hook_key
      endpoint_id trouble endpoint_trouble disconnected_at created_at updated_at shop_id credentials_sealed
      webhook_secret_set webhook_url authorized_at revoked_at refresh_at checked_at silent_since reconciled_at`,
    place: placeEverywhere('found by the key in the address that a provider sends to'),
    exported: {
      first: splitNames('id shop_id'),
      stays: {
        [SECRET]: ['hook_key', 'webhook_url', 'webhook_secret_set'],
        'it sends to this install': ['endpoint_id', 'endpoint_trouble'],
        'an owner’s consent to this install': ['authorized_at', 'revoked_at'],
        [MACHINE]: ['silent_since', 'refresh_at', 'checked_at', 'reconciled_at'],
      },
      // ended without its key; the next connection takes over its shop's data
      arrives: (now) => ({
        disconnected_at: sql`coalesce(r.disconnected_at, ${now}::timestamptz)`,
        trouble: sql`null`,
      }),
      shapes: {
        ...eachColumn(z.enum(paymentProviders), 'provider'),
        ...eachColumn(anyText(), 'account_name provider_account_id trouble'),
        default_currency: Currency,
      },
    },
  },
  provider_consents: {
    columns: 'state_hash account_id user_id provider expires_at used_at',
    place: placeOnFirst('found by the hash of a state alone, for minutes'),
    exported: LOGIN,
  },
  provider_events: {
    columns: `id connection_id external_id type at state tries received_at processed_at shop_id waits_for sale_id
      remembered account_id`,
    personal: [emptyColumns('lead', 'body error'), emptyColumns('partner', 'body error')],
    exported: {
      atOnce: OF_BODIES,
      first: splitNames('id shop_id connection_id external_id type at body state waits_for error tries remembered'),
      // unfinished events wait here for the key of the next connection
      arrives: () => ({
        state: sql`case when r.state in ('received', 'failed', 'waiting') and r.body is not null then 'waiting'
        when r.state in ('received', 'waiting') then 'failed' else r.state end`,
        waits_for: sql`case when r.state in ('received', 'failed', 'waiting') and r.body is not null then 'key' end`,
        remembered: sql`coalesce(r.remembered, false)`,
      }),
      names: { connection_id: ['provider_connections'], sale_id: ['sales'] },
      shapes: { ...eachColumn(anyText(), 'external_id type error'), body: anyText(1_000_000) },
    },
    erased: {
      lead({ saleIds, providerIds }, { says, saysOne }) {
        const ofSales = hasId('t.sale_id', saleIds)
        return {
          // one that came before its payment is linked by the payment's id in its text
          which: sql`(${ofSales} or ${says(RAW_EVENT)} or ${saysOne({ values: long(providerIds), ids: [] })('t.body')})`,
          scanned: true,
          atOnce: SEARCHED_BODIES,
          waiting: UNPROCESSED,
        }
      },
      partner: (_, { says }) => ({
        which: says(RAW_EVENT),
        scanned: true,
        atOnce: SEARCHED_BODIES,
        waiting: UNPROCESSED,
      }),
    },
  },
  provider_objects: {
    columns: 'payment_key kind object_id group_key rank at shop_id account_id',
    personal: [emptyColumns('lead', 'data', 'without_payer(t.data)')],
    exported: {
      first: splitNames('shop_id'),
      order: 'shop_id, payment_key collate "C", kind collate "C", object_id collate "C"',
      shapes: { ...eachColumn(anyText(), 'payment_key kind object_id group_key'), data: ProviderFacts },
    },
    erased: {
      lead: ({ accountId, leadIds, saleIds }, { says }) => ({
        key: [
          ['shop_id', 'uuid'],
          ['payment_key', 'text'],
          ['kind', 'text'],
          ['object_id', 'text'],
        ],
        which: sql`(exists (select from provider_payments p
          where p.account_id = ${accountId} and p.shop_id = t.shop_id and p.payment_key = t.payment_key and ${hasId('p.sale_id', saleIds)})
        or exists (select from shop_customers c
          where c.account_id = ${accountId} and c.shop_id = t.shop_id and c.customer_id = coalesce(t.data ->> 'customer', t.data ->> 'customerId')
            and ${hasId('c.lead_id', leadIds)})
        or ${says('t.data::text')})`,
        scanned: true,
      }),
    },
  },
  provider_payments: {
    columns: 'payment_key sale_id credited applied shop_id account_id read_again',
    exported: {
      first: splitNames('shop_id'),
      order: 'shop_id, payment_key collate "C"',
      names: { sale_id: ['sales'] },
      shapes: { payment_key: anyText(), applied: Applied },
    },
  },
})
