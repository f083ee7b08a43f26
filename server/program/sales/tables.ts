import { z } from 'zod'
import { NewLead } from '#contract/leads.ts'
import { RefundLine, SaleLine } from '#contract/sales.ts'
import { Currency, Email } from '#contract/values.ts'
import { declareTables, emptyColumns, placeEverywhere, splitNames } from '../../platform/database/declare-tables.ts'
import { hasId, isErasedSql } from '../../platform/database/erased-rows.ts'
import {
  Author,
  anyText,
  CountryCode,
  callFields,
  eachColumn,
  LeadOrigin,
  provider,
  SaleCredit,
  Tried,
} from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  sales: {
    columns: `id account_id lead_id partner_id blueprint_id link_id provider connection_id external_id customer_id amount
      tax_amount gross_amount currency account_amount account_currency fx_rate fx_date sale_date
      subscription_id sequence refunded_amount status disputed hold_rule held_until credited matched_by
      created_by created_at recurring_months past_limit hold_policy hold_reason match_evidence
      given_commission shop_id told_by_shop_id is_test test_lead_id referred_at lines country promotion_codes
      partner_code customer_place customer_since fraud_case_id held_by restored_at latest_click click_id`,
    personal: [
      emptyColumns('lead', 'payer_email description void_reason card_hash visit'),
      emptyColumns('lead', 'metadata', `'{}'`),
      emptyColumns('lead', 'credit', 'without_facts(t.credit)'),
    ],
    exported: {
      first:
        splitNames(`id lead_id is_test test_lead_id partner_id blueprint_id provider shop_id told_by_shop_id connection_id
      external_id customer_id payer_email amount tax_amount gross_amount currency account_amount
      account_currency fx_rate fx_date sale_date description subscription_id sequence refunded_amount status
      disputed hold_rule hold_policy hold_reason held_until credited credit recurring_months given_commission
      past_limit matched_by match_evidence`),
      stays: { 'made with the key of this install': ['card_hash'] },
      // an archive of the previous release lacks it
      arrives: () => ({ is_test: sql`coalesce(r.is_test, false)` }),
      names: {
        connection_id: ['provider_connections'],
        shop_id: ['provider_shops', 'incoming_webhooks'],
        told_by_shop_id: ['provider_shops'],
        link_id: ['partner_links'],
        click_id: ['clicks'],
        fraud_case_id: ['fraud_cases'],
        held_by: ['fraud_cases'],
      },
      shapes: {
        ...provider,
        ...eachColumn(Currency, 'currency account_currency'),
        ...eachColumn(anyText(), 'external_id customer_id subscription_id hold_rule hold_reason void_reason'),
        payer_email: Email,
        description: anyText(10_000),
        credit: SaleCredit,
        match_evidence: Tried,
        ...callFields(NewLead, 'metadata'),
        created_by: Author,
        lines: z.array(SaleLine).max(50),
        country: CountryCode,
        promotion_codes: z.array(anyText(200)).max(100),
        visit: LeadOrigin.extend({ subId: anyText().optional() }),
      },
    },
    erased: { lead: ({ saleIds }) => ({ which: hasId('t.id', saleIds) }) },
    ofErased: { lead: isErasedSql('lead', 't.id') },
  },
  refunds: {
    columns: `id account_id sale_id kind provider external_id amount status at account_amount counted_on
      restored_amount restored_on created_at created_by lines`,
    personal: [emptyColumns('lead', 'reason')],
    exported: {
      first:
        splitNames(`id sale_id kind provider external_id amount status reason at account_amount counted_on restored_amount
      restored_on created_by`),
      shapes: {
        ...provider,
        ...eachColumn(anyText(), 'external_id reason'),
        created_by: Author,
        lines: z.array(RefundLine),
      },
    },
    erased: {
      lead({ saleIds }) {
        const ofSales = hasId('t.sale_id', saleIds)
        return { which: ofSales }
      },
    },
    ofErased: { lead: isErasedSql('lead', 't.sale_id') },
  },
  sale_corrections: {
    columns: `id account_id sale_id amount_before tax_amount_before gross_amount_before account_amount_before amount
      tax_amount gross_amount account_amount actor created_at`,
    personal: [emptyColumns('lead', 'reason')],
    exported: { shapes: { reason: anyText(), actor: Author } },
    erased: {
      lead({ saleIds }) {
        const ofSales = hasId('t.sale_id', saleIds)
        return { which: ofSales }
      },
    },
    ofErased: { lead: isErasedSql('lead', 't.sale_id') },
  },
  imported_sales: {
    columns: 'account_id key sale_id',
    exported: { order: 'key collate "C"', shapes: { key: anyText(100) } },
  },
  products_seen: {
    columns: 'account_id kind id name seen_at',
    exported: { order: 'kind, id collate "C"', shapes: { ...eachColumn(anyText(200), 'id name') } },
  },
  account_exchange_rates: {
    columns: 'id account_id currency date rate created_at account_currency',
    exported: {
      first: splitNames('id currency date rate account_currency'),
      shapes: { ...eachColumn(Currency, 'currency account_currency') },
    },
  },
  euro_rates: {
    columns: 'currency date rate',
    place: placeEverywhere('the same for every account'),
    exported: 'published, and the same everywhere',
  },
})
