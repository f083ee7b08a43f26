import { z } from 'zod'
import { AccountChange, PartnerVisibility } from '#contract/accounts.ts'
import { NewAgreement } from '#contract/agreement.ts'
import { NewAnnouncement } from '#contract/announcements.ts'
import { ApplicationDecisions, applicationFlags, NewApplication, ProgramChange } from '#contract/applications.ts'
import { NewAsset } from '#contract/assets.ts'
import { NewClaim } from '#contract/claims.ts'
import { detailKinds } from '#contract/detail-kinds.ts'
import { EmbedCodeChange } from '#contract/embed.ts'
import { FraudRulesChange } from '#contract/fraud.ts'
import { FraudFinding } from '#contract/fraud-cases.ts'
import { NewGoal, NewGroup } from '#contract/groups.ts'
import { DeliveryRecord, IncomingAuth, NewIncomingWebhook } from '#contract/incoming-webhooks.ts'
import { InvoicingChange, NewInvoiceDetails } from '#contract/invoices.ts'
import { NewLead } from '#contract/leads.ts'
import { NewLinkBlueprint, NewPartnerLink } from '#contract/links.ts'
import { NewOutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { PartnerChange, TaxForm, taxFormSources } from '#contract/partners.ts'
import { PromotionCodeRule } from '#contract/payment-providers.ts'
import { payoutMethods } from '#contract/payouts.ts'
import { BrandChange } from '#contract/portal.ts'
import { NewSavedReport } from '#contract/reports.ts'
import { paymentProviders, RefundLine, SaleLine, saleProviders } from '#contract/sales.ts'
import { mistakeInTerms, Terms, TermsChange } from '#contract/terms.ts'
import { AttributionModel, Currency, Email, Reason, reportDimensions } from '#contract/values.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { isShownEvent } from '../../platform/events/emit-event.ts'
import { OthersId, SameId } from '../incoming-webhooks/others-id.ts'
import {
  Applied,
  Author,
  CountryCode,
  Counts,
  Digest,
  EventData,
  each,
  fieldsOf,
  Host,
  InvoiceContent,
  InvoiceTerms,
  Json,
  Kind,
  LeadCredits,
  LeadOrigin,
  Memo,
  Network,
  Page,
  ProviderFacts,
  PublicId,
  RatesPpm,
  SaleCredit,
  type Shapes,
  said,
  Tried,
} from './shapes.ts'

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
  /** The form of its texts, lists and JSON; those of a few words that the database knows need none. */
  shapes?: Shapes
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

const provider = each(z.enum(saleProviders), 'provider')
const currency = each(Currency, 'currency')
const rates = each(RatesPpm, 'layer_rates_ppm')
const invoiceTerms = each(InvoiceTerms, 'invoice_terms')
const dimension = z.enum(reportDimensions)

/** Events as shown and as sent. */
const eventTable = {
  shapes: { ...each(Kind, 'type subject_type'), network: Network, data: EventData },
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
    shapes: {
      ...fieldsOf(AccountChange, 'name defaultCurrency timeZone oldLinkParameters paydays'),
      ...fieldsOf(BrandChange, 'frameHosts'),
      ...rates,
      public_id: PublicId,
      partner_visibility: PartnerVisibility,
      fraud_rules: FraudRulesChange,
      disabled_reason: Reason,
    },
  },
  { name: 'groups', shapes: { ...fieldsOf(NewGroup, 'name publicName'), ...rates } },
  {
    name: 'account_exchange_rates',
    first: list('id currency date rate account_currency'),
    shapes: { ...each(Currency, 'currency account_currency') },
  },
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
    after: 'parent_partner_id',
    shapes: {
      ...fieldsOf(PartnerChange, 'firstName lastName email note externalId approvedPayoutYears'),
      ...rates,
      ...each(said(), 'state_reason void_reason'),
      tax_form: TaxForm.extend({ source: z.enum(taxFormSources).optional() }),
    },
  },
  { name: 'promotion_codes', shapes: { ...each(said(100), 'code used_code') } },
  { name: 'referral_codes', order: 'code collate "C"', shapes: { code: said(100) } },
  { name: 'former_emails', order: 'partner_id, until, email collate "C"', shapes: { email: Email } },
  {
    name: 'invitations',
    // members of the team and of partners are invited again by their owners
    scope: (accountId) => sql`t.account_id = ${accountId} and t.kind in ('owner', 'partner')`,
    first: list('id kind partner_id email first_name last_name'),
    stays: { [LOGIN]: ['user_id', 'invited_by'], [MACHINE]: ['sent_today', 'shareable'] },
    leftByImport: 'a link of another install opens nothing: people are invited anew',
  },
  {
    name: 'link_blueprints',
    shapes: {
      ...fieldsOf(NewLinkBlueprint, 'name destinationUrl parameterName utm moreDomains'),
      ...rates,
      domain: Host,
    },
  },
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
    shapes: {
      ...fieldsOf(TermsChange, 'note'),
      terms: Terms.refine((terms) => !mistakeInTerms(terms), 'These terms contradict themselves'),
      saved_by: Author,
    },
  },
  { name: 'goals', shapes: { ...fieldsOf(NewGoal, 'name') } },
  {
    name: 'goal_awards',
    // an archive of the previous release lacks it
    arrives: (now) => ({ final: sql`coalesce(r.final, r.due_at <= ${now})` }),
    shapes: { ...fieldsOf(NewGoal, 'name') },
  },
  // the address is claimed afterwards if it is free
  {
    name: 'programs',
    order: 'account_id',
    shapes: { ...fieldsOf(ProgramChange, 'slug headline text rules questions') },
  },
  {
    name: 'agreement_versions',
    order: 'version',
    stays: { [LOGIN]: ['published_by'] },
    shapes: { ...fieldsOf(NewAgreement, 'text changes') },
  },
  {
    name: 'agreement_acceptances',
    order: 'partner_id, version',
    stays: { [LOGIN]: ['user_id'] },
    shapes: { text_sha256: Digest, name: said(), email: Email, network: Network },
  },
  {
    name: 'applications',
    stays: { [LOGIN]: ['decided_by'] },
    shapes: {
      ...fieldsOf(NewApplication, 'firstName lastName email answers'),
      ...fieldsOf(ApplicationDecisions, 'reason message'),
      flags: z.array(z.enum(applicationFlags)).max(10),
      agreement_network: Network,
    },
  },
  // their addresses are claimed afterwards if they are free
  { name: 'files', atOnce: 4 },
  { name: 'assets', shapes: { ...fieldsOf(NewAsset, 'name body alt') } },
  { name: 'announcements', stays: { [LOGIN]: ['sent_by'] }, shapes: { ...fieldsOf(NewAnnouncement, 'subject body') } },
  { name: 'announcement_readers', order: 'announcement_id, partner_id' },
  { name: 'products_seen', order: 'kind, id collate "C"', shapes: { ...each(said(200), 'id name') } },
  {
    name: 'embed_codes',
    stays: {
      'a name that another account of the next install may have': ['path'],
      'names that lead to this install alone': ['former_paths'],
    },
    shapes: { ...fieldsOf(EmbedCodeChange, 'config domains checkoutDomains'), last_refused_origin: said() },
  },
  {
    name: 'partner_links',
    names: { partner_id: ['partners'], blueprint_id: ['link_blueprints'] },
    shapes: { ...fieldsOf(NewPartnerLink, 'name destinationUrl subId'), domain: Host },
  },
  {
    name: 'clicks',
    names: { ...ofFigures, link_id: ['partner_links'] },
    shapes: {
      ...each(said(), 'user_agent_class referrer_host landing_path sub_id'),
      country: CountryCode,
      paid_parameters: z.array(said(300)).max(100),
    },
  },
  {
    name: 'leads',
    names: { click_id: ['clicks'], link_id: ['partner_links'] },
    after: 'duplicate_of_id',
    shapes: {
      ...fieldsOf(NewLead, 'email externalId metadata'),
      ...each(
        said(),
        'first_name last_name phone phone_e164 company status_reason status_note shared_note referrer sub_id',
      ),
      landing_url: Page,
      attribution_model: AttributionModel,
      country: CountryCode,
      credit: LeadCredits,
      origin: LeadOrigin,
    },
  },
  { name: 'lead_submissions', shapes: { body: said(20_000) } },
  { name: 'provider_shops', shapes: { ...provider, external_id: said(), code_rule: PromotionCodeRule } },
  {
    name: 'made_codes',
    names: { shop_id: ['provider_shops'], partner_id: ['partners'] },
    stays: { [MACHINE]: ['tries', 'next_at', 'claimed_until'] },
    shapes: { ...each(said(), 'code made_id reason'), rule: PromotionCodeRule },
  },
  { name: 'shop_customers', order: 'shop_id, customer_id collate "C"', shapes: { customer_id: said() } },
  // after shops: those in an archive of the previous release are assigned to each
  {
    name: 'lead_customers',
    order: 'provider collate "C", customer_id collate "C"',
    shapes: { ...provider, customer_id: said() },
  },
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
    shapes: {
      ...each(z.enum(paymentProviders), 'provider'),
      ...each(said(), 'account_name provider_account_id trouble'),
      default_currency: Currency,
    },
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
    shapes: { ...each(said(), 'external_id type error'), body: said(1_000_000) },
  },
  {
    name: 'provider_objects',
    first: list('shop_id'),
    order: 'shop_id, payment_key collate "C", kind collate "C", object_id collate "C"',
    shapes: { ...each(said(), 'payment_key kind object_id group_key'), data: ProviderFacts },
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
      click_id: ['clicks'],
      fraud_case_id: ['fraud_cases'],
      held_by: ['fraud_cases'],
    },
    shapes: {
      ...provider,
      ...each(Currency, 'currency account_currency'),
      ...each(said(), 'external_id customer_id subscription_id hold_rule hold_reason void_reason'),
      payer_email: Email,
      description: said(10_000),
      credit: SaleCredit,
      match_evidence: Tried,
      ...fieldsOf(NewLead, 'metadata'),
      created_by: Author,
      lines: z.array(SaleLine).max(50),
      country: CountryCode,
      promotion_codes: z.array(said(200)).max(100),
      visit: LeadOrigin.extend({ subId: said().optional() }),
    },
  },
  {
    name: 'fraud_cases',
    stays: { [LOGIN]: ['decided_by'] },
    shapes: { findings: z.array(FraudFinding), ...each(said(), 'reason question answer') },
  },
  {
    name: 'claims',
    names: { sale_id: ['sales'], lead_id: ['leads'] },
    stays: { [LOGIN]: ['decided_by'] },
    shapes: { ...fieldsOf(NewClaim, 'orderId email note'), ...each(said(), 'order_key reason') },
  },
  { name: 'imported_sales', order: 'key collate "C"', shapes: { key: said(100) } },
  {
    name: 'provider_payments',
    first: list('shop_id'),
    order: 'shop_id, payment_key collate "C"',
    names: { sale_id: ['sales'] },
    shapes: { payment_key: said(), applied: Applied },
  },
  {
    name: 'refunds',
    first: list(`id sale_id kind provider external_id amount status reason at account_amount counted_on restored_amount
      restored_on created_by`),
    shapes: { ...provider, ...each(said(), 'external_id reason'), created_by: Author, lines: z.array(RefundLine) },
  },
  { name: 'sale_corrections', shapes: { reason: said(), actor: Author } },
  {
    name: 'commission_entries',
    first: list('id sale_id refund_id correction_id limit_sale_id settles_sale_id'),
    shapes: { ...currency, reason: said(), actor: Author, rule: said(60) },
    names: { held_by: ['fraud_cases'] },
  },
  { name: 'voided_commissions', order: 'sale_id, partner_id' },
  { name: 'voided_lead_pay', order: 'lead_id, paid_for, partner_id' },
  { name: 'untold_entries', order: 'entry_id' },
  { name: 'early_entries', order: 'entry_id, user_id' },
  // what is left to empty can be found by its own install alone
  {
    name: 'erasures',
    arrives: () => ({ done: sql`true` }),
    names: { subject_id: ['leads', 'partners'], subject_ids: ['leads', 'partners'] },
    shapes: { by: Author, counts: Counts },
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
  { name: 'account_days', order: 'task', shapes: { task: said(100) } },
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
    shapes: {
      ...currency,
      ...each(said(), 'failure_reason external_reference'),
      payee_kind: z.enum(detailKinds),
      payee_country: CountryCode,
      payee_currency: Currency,
      ...invoiceTerms,
    },
  },
  {
    name: 'payout_entries',
    order: 'payout_id, entry_id',
    together: 'payout_id',
  },
  { name: 'payout_cash', order: 'payout_id, turn', shapes: { ...invoiceTerms } },
  {
    name: 'invoicing_settings',
    order: 'account_id',
    shapes: { ...fieldsOf(InvoicingChange, 'legalName address vatId phone journalAccounts') },
  },
  { name: 'invoice_series', order: 'account_id' },
  {
    name: 'invoice_details',
    order: 'partner_id, version',
    stays: { [LOGIN]: ['user_id'] },
    shapes: { ...fieldsOf(NewInvoiceDetails, 'legalName address vatId'), agreed_words: said() },
  },
  { name: 'invoice_jumps', order: 'from_number', stays: { [LOGIN]: ['made_by'] }, shapes: { reason: Reason } },
  {
    name: 'invoices',
    order: 'payout_id, turn',
    shapes: { ...fieldsOf(InvoicingChange, 'prefix'), ...currency, snapshot: InvoiceContent },
  },
  {
    name: 'payment_files',
    first: list('id number method message_id execution_date count amount currency created_at'),
    stays: { [BANK]: ['profile_id'], [LOGIN]: ['created_by'], 'of bytes with bank details': ['sha256'] },
    shapes: { ...currency, message_id: said(35) },
  },
  {
    name: 'payment_file_payouts',
    stays: { [BANK]: ['recipient_id'] },
    order: 'file_id, payout_id',
    shapes: { reference: said(35), ...invoiceTerms },
  },
  {
    name: 'payout_attempts',
    first:
      list(`id payout_id number customer_transaction_id paid_from recipient_id quote_id quote_expires_at transfer_id
      state stage funded_at funding_problem fee rate error method details_version amount currency year
      announced_at memo payee_amount payee_currency payment_number`),
    shapes: {
      ...each(said(), 'paid_from recipient_id quote_id transfer_id state error'),
      method: z.enum(payoutMethods),
      ...each(Currency, 'currency payee_currency'),
      memo: Memo,
    },
  },
  {
    name: 'incoming_webhooks',
    first: list(
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
      ...fieldsOf(NewIncomingWebhook, 'name sender mapping partnerMatch filters rules dedupePath allowedIps'),
      auth: IncomingAuth,
      same_id: SameId,
    },
  },
  {
    name: 'incoming_deliveries',
    atOnce: OF_BODIES,
    arrives: () => ({
      state: sql`case when r.state = 'received' then 'failed' else r.state end`,
      reason: sql`case when r.state = 'received' then 'The account was moved before this was processed.' else r.reason end`,
    }),
    names: { webhook_id: ['incoming_webhooks'], made_id: ['leads', 'sales', 'refunds'] },
    shapes: {
      payload: Json,
      reason: said(),
      fields: z.record(z.string(), z.string()),
      records: z.array(DeliveryRecord),
      warnings: z.array(z.string()),
      others_id: OthersId,
    },
  },
  { name: 'incoming_payloads', order: 'webhook_id', names: { webhook_id: ['incoming_webhooks'] } },
  {
    name: 'outgoing_webhooks',
    stays: { [SECRET]: ['former_secret_until'] },
    // an archive of the previous release lacks the format
    arrives: () => ({ enabled: sql`false`, header_names: sql`'{}'`, format: sql`coalesce(r.format, 'json')` }),
    shapes: {
      ...fieldsOf(NewOutgoingWebhook, 'name url format events'),
      header_names: z.array(said(200)),
      disabled_reason: said(),
    },
  },
  {
    name: 'outgoing_deliveries',
    arrives: () => ({
      state: sql`case when r.next_at is null then r.state else 'failed' end`,
      next_at: sql`null`,
    }),
    names: { webhook_id: ['outgoing_webhooks'], event_id: ['passing_events'] },
    shapes: { ...each(said(), 'event answer') },
  },
  { name: 'push_requests', shapes: { ...each(said(), 'path error_code error_message') } },
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
    shapes: { dimension, value: said() },
  },
  { name: 'reported_days', order: 'day', shapes: { capped: z.array(dimension) } },
  {
    name: 'saved_reports',
    stays: { [LOGIN]: ['user_id'] },
    shapes: { ...fieldsOf(NewSavedReport, 'name period sort search'), dimension, ...each(said(), 'partner_ids') },
  },
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
  { name: 'code_totals', order: 'code collate "C"', shapes: { code: said(100) } },
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
