import type { z } from 'zod'
import { TimeZone } from '#contract/accounts.ts'
import { Currency, Email } from '#contract/values.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { isShown } from '../../platform/events/happened.ts'

/** A table whose rows are exported per account, a file each, in the order in which they can be written. */
export type PortableTable = {
  name: string
  /** A view with the same columns, read instead of the table. */
  view?: string
  /** The exported columns, in the file's order. Never `account_id`, which the import sets. */
  columns: readonly string[]
  /** Why the other columns are not exported. */
  stays: Readonly<Record<string, string>>
  /** Total order of the file's rows, stable between installs. */
  order: string
  /** Condition for the account's rows of `t`; by `account_id` if omitted. */
  scope?: (accountId: string) => Sql
  /** Values set on import instead of the file's; `r` is the row of the file, with the table's types. */
  arrives?: (now: Date) => Readonly<Record<string, Sql>>
  /** Columns that refer to rows of these tables without the database enforcing that they are the account's. */
  names?: Readonly<Record<string, readonly string[]>>
  /** A column that refers to a row of the same table, which is written first. */
  after?: string
  /** Rows with the same value in this column are written by one statement: the database checks their sum. */
  together?: string
  /** Columns with rules, stricter than the database's, on which other accounts rely. */
  shapes?: Readonly<Record<string, z.ZodType<string>>>
  /** Exported for people only; the reason that an import skips it. */
  leftByImport?: string
}

const list = (names: string) => names.trim().split(/\s+/)

const SECRET = 'a secret'
const BANK = 'bank details'
const LOGIN = 'a login of this install'
const MACHINE = 'how this install works on it right now'

const figures = 'partners leads sales clicks unique_clicks revenue share'
const ofFigures = { partner_id: ['partners'], blueprint_id: ['link_blueprints'] }

/** Events as shown and as sent. */
const eventTable = {
  columns: list('id at type kind audited actor_type actor_id network subject_type subject_id data'),
  stays: { request_id: 'a name in the logs of this install' },
  order: 'id',
  scope: (accountId: string) => sql`t.account_id = ${accountId} and t.kind <> 'internal'`,
  names: {
    subject_id: [
      'leads',
      'partners',
      'sales',
      'commission_entries',
      'payouts',
      'link_blueprints',
      'incoming_webhooks',
      'outgoing_webhooks',
      'provider_connections',
      'embed_codes',
    ],
  },
}

export const portableTables: readonly PortableTable[] = [
  {
    name: 'accounts',
    columns: list(`id name public_id default_currency layer_rates_ppm invitations_from_partners partner_lead_submission
      partner_visibility payout_delay minimum_payout time_zone lead_protection_days attribution_model recurring_months
      self_referral_policy disabled_at disabled_reason created_at updated_at`),
    stays: { owner_id: LOGIN },
    order: 'id',
    scope: (accountId) => sql`t.id = ${accountId}`,
    shapes: { default_currency: Currency, time_zone: TimeZone },
  },
  {
    name: 'account_exchange_rates',
    columns: list('id currency date rate account_currency created_at'),
    stays: {},
    order: 'id',
  },
  {
    name: 'partners',
    columns: list(`id parent_partner_id first_name last_name email referral_code layer_rates_ppm approved_payout_years
      state paused state_reason void_reason tax_form note invited_by_partner_id created_on created_at updated_at`),
    stays: { user_id: LOGIN },
    order: 'id',
    names: { invited_by_partner_id: ['partners'] },
    shapes: { email: Email },
    after: 'parent_partner_id',
  },
  { name: 'promotion_codes', columns: list('id partner_id code created_at'), stays: {}, order: 'id' },
  { name: 'referral_codes', columns: list('code partner_id created_at'), stays: {}, order: 'code collate "C"' },
  {
    name: 'former_emails',
    columns: list('partner_id email until'),
    stays: {},
    order: 'partner_id, until, email collate "C"',
  },
  {
    name: 'invitations',
    columns: list(`id kind partner_id email first_name last_name status send_count last_sent_at sent_at opened_at
      accepted_at expires_at last_error created_at updated_at`),
    stays: {
      token_hash: SECRET,
      user_id: LOGIN,
      invited_by: LOGIN,
      sent_today: MACHINE,
      shareable: MACHINE,
    },
    order: 'id',
    leftByImport: 'a link of another install opens nothing: people are invited anew',
  },
  {
    name: 'link_blueprints',
    columns: list(`id key name destination_url domain parameter_name utm cookie_days attribution_model passthrough_query
      layer_rates_ppm enabled archived_at created_at updated_at`),
    stays: {},
    order: 'id',
  },
  {
    name: 'embed_codes',
    columns: list(`id config domains only_if_referred consent_mode last_lead_at refused_leads last_refused_origin
      created_at updated_at`),
    stays: {
      path: 'a name that another account of the next install may have',
      former_paths: 'names that lead to this install alone',
    },
    order: 'id',
  },
  {
    name: 'clicks',
    columns: list(`id blueprint_id partner_id day user_agent_class country referrer_host landing_path is_bot is_unique
      source at`),
    stays: { ip_hash: 'a visitor as this install alone can recognize them' },
    order: 'id',
    names: { partner_id: ['partners'], blueprint_id: ['link_blueprints'] },
  },
  {
    name: 'leads',
    columns: list(`id partner_id blueprint_id click_id first_name last_name email phone phone_e164 company external_id
      source status status_reason status_note shared_note protected_until landing_url referrer metadata duplicate_of_id
      attribution_model matched_by attributed_at last_seen_at created_on created_at updated_at`),
    stays: {},
    order: 'id',
    names: { click_id: ['clicks'] },
    after: 'duplicate_of_id',
  },
  {
    name: 'lead_submissions',
    columns: list('id lead_id source body created_at'),
    stays: {},
    order: 'id',
  },
  {
    name: 'provider_shops',
    columns: list('id provider livemode external_id created_at'),
    stays: {},
    order: 'id',
  },
  {
    name: 'shop_customers',
    columns: list('shop_id customer_id lead_id created_at'),
    stays: {},
    order: 'shop_id, customer_id collate "C"',
  },
  // after shops: those in an archive of the previous release are assigned to each
  {
    name: 'lead_customers',
    columns: list('provider customer_id lead_id created_at'),
    stays: {},
    order: 'provider collate "C", customer_id collate "C"',
  },
  {
    name: 'provider_connections',
    columns: list(`id shop_id provider method account_name default_currency provider_account_id livemode trouble
      disconnected_at created_at updated_at`),
    stays: {
      hook_key: SECRET,
      webhook_url: SECRET,
      credentials_sealed: SECRET,
      webhook_secret_set: SECRET,
      endpoint_id: 'it sends to this install',
      endpoint_trouble: 'it sends to this install',
      authorized_at: 'an owner’s consent to this install',
      revoked_at: 'an owner’s consent to this install',
      silent_since: MACHINE,
      refresh_at: MACHINE,
      checked_at: MACHINE,
      reconciled_at: MACHINE,
    },
    order: 'id',
    // ended without its key; the next connection takes over its shop's data
    arrives: (now) => ({ disconnected_at: sql`coalesce(r.disconnected_at, ${now}::timestamptz)`, trouble: sql`null` }),
  },
  {
    name: 'provider_events',
    columns: list(`id shop_id connection_id external_id type at body state waits_for error tries remembered
      received_at processed_at sale_id`),
    stays: {},
    order: 'id',
    // unfinished events wait here for the key of the next connection
    arrives: () => ({
      state: sql`case when r.state in ('received', 'failed', 'waiting') and r.body is not null then 'waiting'
        when r.state in ('received', 'waiting') then 'failed' else r.state end`,
      waits_for: sql`case when r.state in ('received', 'failed', 'waiting') and r.body is not null then 'key' end`,
      remembered: sql`coalesce(r.remembered, false)`,
    }),
    names: { connection_id: ['provider_connections'], sale_id: ['sales'] },
  },
  {
    name: 'provider_objects',
    columns: list('shop_id payment_key kind object_id group_key rank at data'),
    stays: {},
    order: 'shop_id, payment_key collate "C", kind collate "C", object_id collate "C"',
  },
  {
    name: 'sales',
    columns:
      list(`id lead_id is_test test_lead_id partner_id blueprint_id provider shop_id told_by_shop_id connection_id external_id customer_id payer_email amount
      tax_amount gross_amount currency account_amount account_currency fx_rate fx_date sale_date description
      subscription_id sequence refunded_amount status disputed hold_rule hold_policy hold_reason held_until credited
      credit recurring_months given_commission past_limit matched_by match_evidence metadata void_reason created_by created_at`),
    stays: {},
    order: 'id',
    // an archive of the previous release lacks it
    arrives: () => ({ is_test: sql`coalesce(r.is_test, false)` }),
    names: {
      connection_id: ['provider_connections'],
      shop_id: ['provider_shops', 'incoming_webhooks'],
      told_by_shop_id: ['provider_shops'],
    },
  },
  {
    name: 'imported_sales',
    columns: list('key sale_id'),
    stays: {},
    order: 'key collate "C"',
  },
  {
    name: 'provider_payments',
    columns: list('shop_id payment_key sale_id credited applied'),
    stays: {},
    order: 'shop_id, payment_key collate "C"',
    names: { sale_id: ['sales'] },
  },
  {
    name: 'refunds',
    columns:
      list(`id sale_id kind provider external_id amount status reason at account_amount counted_on restored_amount
      restored_on created_by created_at`),
    stays: {},
    order: 'id',
  },
  {
    name: 'sale_corrections',
    columns:
      list(`id sale_id amount_before tax_amount_before gross_amount_before account_amount_before amount tax_amount
      gross_amount account_amount reason actor created_at`),
    stays: {},
    order: 'id',
  },
  {
    name: 'commission_entries',
    columns:
      list(`id sale_id refund_id correction_id limit_sale_id settles_sale_id partner_id layer rate_ppm base_amount amount
      currency kind clawback available_at day reason actor created_at`),
    stays: {},
    order: 'id',
  },
  {
    name: 'voided_commissions',
    columns: list('sale_id partner_id kept'),
    stays: {},
    order: 'sale_id, partner_id',
  },
  {
    name: 'untold_entries',
    columns: list('entry_id'),
    stays: {},
    order: 'entry_id',
  },
  {
    name: 'payout_accounts',
    columns: list(`enabled method max_per_payout max_per_run last_statement_number last_run_on due_told_until
      updated_at`),
    stays: { trouble: MACHINE, trouble_kind: MACHINE, trouble_with: MACHINE },
    order: 'account_id',
    // no payouts before the owner has connected a payout method here
    arrives: () => ({ enabled: sql`false`, method: sql`case when r.method = 'csv' then 'csv' else 'manual' end` }),
  },
  {
    name: 'tax_thresholds',
    columns: list('year amount updated_at'),
    stays: {},
    order: 'year',
  },
  {
    name: 'payouts',
    columns: list(`id partner_id statement_number status amount currency method period_start period_end details_version
      approved_at sent_at paid_at paid_on failure_reason external_reference stop_reason created_at updated_at`),
    stays: {
      details_sealed: BANK,
      approved_by: LOGIN,
      fund_again: MACHINE,
      checked_at: MACHINE,
      lease_id: MACHINE,
      leased_until: MACHINE,
      looks_refused: MACHINE,
      look_after: MACHINE,
    },
    order: 'id',
  },
  {
    name: 'payout_entries',
    columns: list('payout_id entry_id live approved_at'),
    stays: {},
    order: 'payout_id, entry_id',
    together: 'payout_id',
  },
  {
    name: 'payout_attempts',
    columns: list(`id payout_id number customer_transaction_id paid_from recipient_id quote_id quote_expires_at
      transfer_id state stage funded_at funding_problem fee rate error method details_version amount currency year
      announced_at at updated_at`),
    stays: {},
    order: 'id',
  },
  {
    name: 'payout_events',
    columns: list('payout_id at from_status to_status actor reason'),
    stays: { id: 'numbered anew, in the same order' },
    order: 'id',
  },
  {
    name: 'incoming_webhooks',
    columns: list(`id name target enabled auth mapping partner_match filters dedupe_path allowed_ips last_received_at
      payload_bytes created_at updated_at`),
    stays: {
      token_hash: SECRET,
      token_sealed: SECRET,
      former_token_hash: SECRET,
      former_token_until: SECRET,
      auth_sealed: SECRET,
    },
    order: 'id',
    arrives: () => ({ enabled: sql`false` }),
  },
  {
    name: 'incoming_deliveries',
    columns: list('id webhook_id state payload dedupe_key reason fields made_type made_id created_at'),
    stays: {},
    order: 'id',
    arrives: () => ({
      state: sql`case when r.state = 'received' then 'failed' else r.state end`,
      reason: sql`case when r.state = 'received' then 'The account was moved before this was processed.' else r.reason end`,
    }),
    names: { webhook_id: ['incoming_webhooks'], made_id: ['leads', 'sales', 'refunds'] },
  },
  {
    name: 'outgoing_webhooks',
    columns: list(`id name url events header_names enabled disabled_reason failures last_delivery_at created_at
      updated_at deleted_at`),
    stays: { secret_sealed: SECRET, former_secret_sealed: SECRET, former_secret_until: SECRET, headers_sealed: SECRET },
    order: 'id',
    arrives: () => ({ enabled: sql`false`, header_names: sql`'{}'` }),
  },
  {
    name: 'outgoing_deliveries',
    columns: list('id webhook_id event_id event state tries next_at code duration_ms answer created_at'),
    stays: {},
    order: 'id',
    arrives: () => ({
      state: sql`case when r.next_at is null then r.state else 'failed' end`,
      next_at: sql`null`,
    }),
    names: { webhook_id: ['outgoing_webhooks'], event_id: ['passing_events'] },
  },
  {
    name: 'push_requests',
    columns: list('id path status error_code error_message rows failed_rows created_at'),
    stays: {},
    order: 'id',
  },
  {
    ...eventTable,
    name: 'events',
    scope: (accountId) => sql`t.account_id = ${accountId} and ${isShown(sql`t`)}`,
    // their objects are exported with the events themselves
    arrives: () => ({ data: sql`r.data - 'object'` }),
  },
  { ...eventTable, name: 'passing_events', view: 'told_events' },
  {
    name: 'day_stats',
    columns: list(`partner_id blueprint_id day ${figures}`),
    stays: {},
    order: 'partner_id, blueprint_id, day',
    names: ofFigures,
  },
  {
    name: 'total_stats',
    columns: list(`partner_id blueprint_id ${figures}`),
    stays: {},
    order: 'partner_id, blueprint_id',
    names: ofFigures,
  },
  {
    name: 'lead_stats',
    columns: list('lead_id sales revenue share'),
    stays: {},
    order: 'lead_id',
    names: { lead_id: ['leads'] },
  },
]

/** Tables that are not exported at all, and why. */
export const staysWhole: Readonly<Record<string, string>> = {
  api_keys: SECRET,
  embed_checks: 'a minute’s work of this install',
  euro_rates: 'published, and the same everywhere',
  event_relays: MACHINE,
  idempotency_keys: 'answers to calls of this install, sealed',
  import_files: MACHINE,
  import_objects: MACHINE,
  import_payments: MACHINE,
  import_rows: MACHINE,
  imports: MACHINE,
  install: 'this install itself',
  month_stats: 'follows from the days, and is added up anew',
  mail_counts: 'mails of this install',
  mail_days: MACHINE,
  mail_news: MACHINE,
  mails: 'mails of this install',
  migrations: 'this install itself',
  outgoing_turns: MACHINE,
  partner_reminders: 'mails of this install',
  password_resets: LOGIN,
  payout_reconciliations: MACHINE,
  payout_settings: BANK,
  provider_consents: LOGIN,
  refresh_tokens: LOGIN,
  rehearsals: MACHINE,
  refused_sign_ins: LOGIN,
  sessions: LOGIN,
  sign_in_attempts: LOGIN,
  transfers_read: MACHINE,
  user_roles: LOGIN,
  user_tokens: LOGIN,
  users: LOGIN,
  wise_accounts: SECRET,
  wise_batch_payouts: BANK,
  wise_recipients: BANK,
}

/** The ledger's tables: their rows have the same digest in every install. */
const LEDGER = new Set([
  'sales',
  'refunds',
  'sale_corrections',
  'commission_entries',
  'payouts',
  'payout_entries',
  'payout_attempts',
  'payout_events',
])

export const isOfLedger = ({ name }: PortableTable) => LEDGER.has(name)

export const scopeOf = ({ scope }: PortableTable, accountId: string) =>
  scope ? scope(accountId) : sql`t.account_id = ${accountId}`

/** The tables with everyone's earnings, debts and payments. */
export const ledgerTables = portableTables.filter(isOfLedger).map(({ name }) => name)
