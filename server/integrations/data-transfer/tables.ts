import type { z } from 'zod'
import { TimeZone } from '#contract/accounts.ts'
import { Currency, Email } from '#contract/values.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { isShownEvent } from '../../platform/events/happened.ts'

/** A table whose rows are exported per account, a file each, in the order in which they can be written. */
export type PortableTable = {
  name: string
  /** A view with the same columns, read instead of the table. */
  view?: string
  /** The first columns of its file; the others follow in the table's order, so that a new one is the last. */
  first?: readonly string[]
  /** Columns that are not exported, by the reason. Sealed and hashed ones never are. */
  stays?: Readonly<Record<string, readonly string[]>>
  /** Total order of the file's rows, stable between installs; by id if omitted. */
  order?: string
  /** Condition for the account's rows of `t`; by `account_id` if omitted. */
  scope?: (accountId: string) => Sql
  /** Values set on import instead of the file's, or beside them; `r` is the row of the file, with the table's types. */
  arrives?: (now: Date) => Readonly<Record<string, Sql>>
  /** Columns that refer to rows of these tables without the database enforcing that they are the account's. */
  names?: Readonly<Record<string, readonly string[]>>
  /** Rows read at once, if they are large. */
  atOnce?: number
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
const NAME = 'names that lead to this install alone'
const MACHINE = 'how this install works on it right now'

/** Rows with the body of a request, of up to 256 kB. */
const OF_BODIES = 16

const ofFigures = { partner_id: ['partners'], blueprint_id: ['link_blueprints'] }

/** Events as shown and as sent. */
const eventTable = {
  stays: { 'a name in the logs of this install': ['request_id'] },
  scope: (accountId: string) => sql`t.account_id = ${accountId} and t.kind <> 'internal'`,
  names: {
    subject_id: list(`leads partners sales commission_entries payouts invoices link_blueprints groups
      incoming_webhooks outgoing_webhooks provider_connections embed_codes`),
  },
}

export const portableTables: readonly PortableTable[] = [
  {
    name: 'accounts',
    stays: { [LOGIN]: ['owner_id'], [NAME]: ['portal_host'], [MACHINE]: ['born_in'] },
    // names given elsewhere since the export are unknown
    arrives: () => ({ born_in: sql`null` }),
    scope: (accountId) => sql`t.id = ${accountId}`,
    shapes: { default_currency: Currency, time_zone: TimeZone },
  },
  { name: 'groups' },
  { name: 'account_exchange_rates', first: list('id currency date rate account_currency') },
  {
    name: 'partners',
    first: list(`id parent_partner_id first_name last_name email referral_code layer_rates_ppm approved_payout_years
      payout_method state paused state_reason void_reason tax_form note`),
    stays: { [LOGIN]: ['user_id'] },
    // a signed form stays behind: its partner signs another, as the account holds none
    arrives: () => ({
      tax_form: sql`case when r.tax_form ->> 'source' is distinct from 'partner' then r.tax_form end`,
    }),
    names: { invited_by_partner_id: ['partners'] },
    shapes: { email: Email },
    after: 'parent_partner_id',
  },
  { name: 'promotion_codes' },
  { name: 'referral_codes', order: 'code collate "C"' },
  { name: 'former_emails', order: 'partner_id, until, email collate "C"' },
  {
    name: 'invitations',
    // members of the team and of partners are invited again by their owners
    scope: (accountId) => sql`t.account_id = ${accountId} and t.kind in ('owner', 'partner')`,
    first: list('id kind partner_id email first_name last_name'),
    stays: { [LOGIN]: ['user_id', 'invited_by'], [MACHINE]: ['sent_today', 'shareable'] },
    leftByImport: 'a link of another install opens nothing: people are invited anew',
  },
  { name: 'link_blueprints' },
  {
    name: 'terms_log',
    order: 'number',
    stays: { [MACHINE]: ['tell_partners'] },
    names: {
      subject_id: ['groups', 'link_blueprints', 'partners'],
      partner_id: ['partners'],
      group_id: ['groups'],
      goal_id: ['goals'],
    },
  },
  { name: 'goals' },
  {
    name: 'goal_awards',
    // an archive of the previous release lacks it
    arrives: (now) => ({ final: sql`coalesce(r.final, r.due_at <= ${now})` }),
  },
  // the address is claimed afterwards if it is free
  { name: 'programs', order: 'account_id' },
  { name: 'agreement_versions', order: 'version', stays: { [LOGIN]: ['published_by'] } },
  { name: 'agreement_acceptances', order: 'partner_id, version', stays: { [LOGIN]: ['user_id'] } },
  {
    name: 'applications',
    stays: { [LOGIN]: ['decided_by'] },
  },
  // their addresses are claimed afterwards if they are free
  { name: 'files', atOnce: 4 },
  { name: 'assets' },
  { name: 'announcements', stays: { [LOGIN]: ['sent_by'] } },
  { name: 'announcement_readers', order: 'announcement_id, partner_id' },
  { name: 'products_seen', order: 'kind, id collate "C"' },
  {
    name: 'embed_codes',
    stays: {
      'a name that another account of the next install may have': ['path'],
      'names that lead to this install alone': ['former_paths'],
    },
  },
  { name: 'partner_links', names: { partner_id: ['partners'], blueprint_id: ['link_blueprints'] } },
  {
    name: 'clicks',
    names: { ...ofFigures, link_id: ['partner_links'] },
  },
  {
    name: 'leads',
    names: { click_id: ['clicks'], link_id: ['partner_links'] },
    after: 'duplicate_of_id',
  },
  { name: 'lead_submissions' },
  { name: 'provider_shops' },
  {
    name: 'made_codes',
    names: { shop_id: ['provider_shops'], partner_id: ['partners'] },
    stays: { [MACHINE]: ['tries', 'next_at', 'claimed_until'] },
  },
  { name: 'shop_customers', order: 'shop_id, customer_id collate "C"' },
  // after shops: those in an archive of the previous release are assigned to each
  { name: 'lead_customers', order: 'provider collate "C", customer_id collate "C"' },
  {
    name: 'provider_connections',
    first: list('id shop_id'),
    stays: {
      [SECRET]: ['hook_key', 'webhook_url', 'webhook_secret_set'],
      'it sends to this install': ['endpoint_id', 'endpoint_trouble'],
      'an owner’s consent to this install': ['authorized_at', 'revoked_at'],
      [MACHINE]: ['silent_since', 'refresh_at', 'checked_at', 'reconciled_at'],
    },
    // ended without its key; the next connection takes over its shop's data
    arrives: (now) => ({ disconnected_at: sql`coalesce(r.disconnected_at, ${now}::timestamptz)`, trouble: sql`null` }),
  },
  {
    name: 'provider_events',
    atOnce: OF_BODIES,
    first: list('id shop_id connection_id external_id type at body state waits_for error tries remembered'),
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
    first: list('shop_id'),
    order: 'shop_id, payment_key collate "C", kind collate "C", object_id collate "C"',
  },
  {
    name: 'sales',
    first: list(`id lead_id is_test test_lead_id partner_id blueprint_id provider shop_id told_by_shop_id connection_id
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
      fraud_case_id: ['fraud_cases'],
      held_by: ['fraud_cases'],
    },
  },
  { name: 'fraud_cases', stays: { [LOGIN]: ['decided_by'] } },
  { name: 'claims', names: { sale_id: ['sales'], lead_id: ['leads'] }, stays: { [LOGIN]: ['decided_by'] } },
  { name: 'imported_sales', order: 'key collate "C"' },
  {
    name: 'provider_payments',
    first: list('shop_id'),
    order: 'shop_id, payment_key collate "C"',
    names: { sale_id: ['sales'] },
  },
  {
    name: 'refunds',
    first: list(`id sale_id kind provider external_id amount status reason at account_amount counted_on restored_amount
      restored_on created_by`),
  },
  { name: 'sale_corrections' },
  { name: 'commission_entries', first: list('id sale_id refund_id correction_id limit_sale_id settles_sale_id') },
  { name: 'voided_commissions', order: 'sale_id, partner_id' },
  { name: 'voided_lead_pay', order: 'lead_id, paid_for, partner_id' },
  { name: 'untold_entries', order: 'entry_id' },
  { name: 'early_entries', order: 'entry_id, user_id' },
  // what is left to empty can be found by its own install alone
  {
    name: 'erasures',
    arrives: () => ({ done: sql`true` }),
    names: { subject_id: ['leads', 'partners'], subject_ids: ['leads', 'partners'] },
  },
  {
    name: 'payout_accounts',
    first: list('enabled method'),
    stays: { [MACHINE]: ['trouble', 'trouble_kind', 'trouble_with', 'methods', 'numbered_in'] },
    order: 'account_id',
    // no payouts before the owner has connected a payout method here
    arrives: () => ({ enabled: sql`false`, method: sql`case when r.method = 'csv' then 'csv' else 'manual' end` }),
  },
  { name: 'payout_limits', order: 'in_force_at' },
  { name: 'account_days', order: 'task' },
  { name: 'tax_thresholds', order: 'year' },
  {
    name: 'payouts',
    first: list(`id partner_id statement_number status amount currency method period_start period_end details_version
      approved_at sent_at paid_at paid_on`),
    stays: {
      [LOGIN]: ['approved_by'],
      [MACHINE]: list('fund_again checked_at lease_id leased_until looks_refused look_after'),
      [BANK]: ['payee_hint'],
    },
  },
  {
    name: 'payout_entries',
    order: 'payout_id, entry_id',
    together: 'payout_id',
  },
  { name: 'payout_cash', order: 'payout_id, turn' },
  { name: 'invoicing_settings', order: 'account_id' },
  { name: 'invoice_series', order: 'account_id' },
  { name: 'invoice_details', order: 'partner_id, version', stays: { [LOGIN]: ['user_id'] } },
  { name: 'invoice_jumps', order: 'from_number', stays: { [LOGIN]: ['made_by'] } },
  { name: 'invoices', order: 'payout_id, turn' },
  {
    name: 'payment_files',
    first: list('id number method message_id execution_date count amount currency created_at'),
    stays: { [BANK]: ['profile_id'], [LOGIN]: ['created_by'], 'of bytes with bank details': ['sha256'] },
  },
  { name: 'payment_file_payouts', stays: { [BANK]: ['recipient_id'] }, order: 'file_id, payout_id' },
  {
    name: 'payout_attempts',
    first:
      list(`id payout_id number customer_transaction_id paid_from recipient_id quote_id quote_expires_at transfer_id
      state stage funded_at funding_problem fee rate error method details_version amount currency year
      announced_at memo payee_amount payee_currency payment_number`),
  },
  {
    name: 'incoming_webhooks',
    first: list(`id name target enabled auth mapping partner_match filters dedupe_path allowed_ips last_received_at`),
    stays: {
      [SECRET]: ['former_token_until'],
      'no longer used': ['payload_bytes'],
      [LOGIN]: ['created_by', 'changed_by'],
    },
    arrives: () => ({ enabled: sql`false` }),
  },
  {
    name: 'incoming_deliveries',
    atOnce: OF_BODIES,
    arrives: () => ({
      state: sql`case when r.state = 'received' then 'failed' else r.state end`,
      reason: sql`case when r.state = 'received' then 'The account was moved before this was processed.' else r.reason end`,
    }),
    names: { webhook_id: ['incoming_webhooks'], made_id: ['leads', 'sales', 'refunds'] },
  },
  { name: 'incoming_payloads', order: 'webhook_id', names: { webhook_id: ['incoming_webhooks'] } },
  {
    name: 'outgoing_webhooks',
    stays: { [SECRET]: ['former_secret_until'] },
    arrives: () => ({ enabled: sql`false`, header_names: sql`'{}'` }),
  },
  {
    name: 'outgoing_deliveries',
    arrives: () => ({
      state: sql`case when r.next_at is null then r.state else 'failed' end`,
      next_at: sql`null`,
    }),
    names: { webhook_id: ['outgoing_webhooks'], event_id: ['passing_events'] },
  },
  { name: 'push_requests' },
  {
    ...eventTable,
    name: 'events',
    scope: (accountId) => sql`t.account_id = ${accountId} and ${isShownEvent(sql`t`)}`,
    // their objects are exported with the events themselves
    arrives: () => ({ data: sql`r.data - 'object'` }),
  },
  { ...eventTable, name: 'passing_events', view: 'told_events' },
  {
    name: 'day_stats',
    order: 'partner_id, blueprint_id, day',
    names: ofFigures,
    arrives: () => ({ behind: sql`coalesce(r.behind, false)` }),
  },
  {
    name: 'report_days',
    order: 'dimension, day, part, kind, value collate "C", partner_id',
    names: { partner_id: ['partners'] },
  },
  { name: 'reported_days', order: 'day' },
  { name: 'saved_reports', stays: { [LOGIN]: ['user_id'] } },
  {
    name: 'total_stats',
    order: 'partner_id, blueprint_id',
    names: ofFigures,
  },
  {
    name: 'link_totals',
    order: 'link_id',
    names: { link_id: ['partner_links'] },
  },
  { name: 'code_totals', order: 'code collate "C"' },
  {
    name: 'lead_stats',
    order: 'lead_id',
    names: { lead_id: ['leads'] },
  },
]

/** Tables that are not exported at all, by the reason. */
export const staysWhole: Readonly<Record<string, readonly string[]>> = {
  [SECRET]: ['api_keys', 'method_secrets', 'wise_accounts'],
  [BANK]: ['payout_settings', 'wise_batch_payouts', 'wise_recipients'],
  'tax forms, with the numbers of people': ['tax_forms'],
  [LOGIN]:
    list(`member_visits oidc_identities passkeys password_resets payout_approvals portal_sessions provider_consents refresh_tokens refused_sign_ins sessions
    sign_in_attempts sign_in_challenges totp_and_codes user_roles user_tokens users`),
  [NAME]: ['file_keys', 'hosts', 'program_slugs'],
  [MACHINE]:
    list(`bulk_actions event_relays import_files import_objects import_payments import_rows imports mail_days mail_news
    outgoing_turns payout_reconciliations rehearsals transfers_read`),
  'mails of this install': ['mail_counts', 'mails', 'partner_reminders'],
  'this install itself': ['install', 'migrations'],
  'a minute’s work of this install': ['embed_checks'],
  'answers to calls of this install, sealed': ['idempotency_keys'],
  'published, and the same everywhere': ['euro_rates'],
  'follows from the days and the ledger, and is added up anew': ['month_stats'],
}

/** The ledger's tables: their rows have the same digest in every install. */
const LEDGER = new Set(
  list(`sales refunds sale_corrections commission_entries payouts payout_entries payout_cash invoices invoice_jumps
  payout_attempts`),
)

export const isOfLedger = ({ name }: PortableTable) => LEDGER.has(name)

export const scopeOf = ({ scope }: PortableTable, accountId: string) =>
  scope ? scope(accountId) : sql`t.account_id = ${accountId}`

/** The tables with everyone's earnings, debts and payments. */
export const ledgerTables = portableTables.filter(isOfLedger).map(({ name }) => name)
