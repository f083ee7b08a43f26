/** Whose a personal value is. */
export type PersonKind = 'lead' | 'partner' | 'user'

/**
 * Personal columns, and their value afterwards in SQL of row `t`: an empty or a made-up one, unchanged by emptying
 * again. `deleted`: the row goes whole, because nothing hangs on it. `untilRecordsEnd`: a record of a payment, which
 * stays as long as the books must.
 */
export type Personal = {
  of: PersonKind
  columns: readonly string[]
  becomes: string
  how: 'emptied' | 'deleted' | 'untilRecordsEnd'
}

type Facts = { personal: readonly Personal[]; rest: readonly string[] }

const list = (names: string) => names.trim().split(/\s+/)
const emptied = (of: PersonKind, becomes: string, columns: string): Personal => ({
  of,
  becomes,
  columns: list(columns),
  how: 'emptied',
})
const deleted = (of: PersonKind, columns: string): Personal => ({
  of,
  becomes: 'null',
  columns: list(columns),
  how: 'deleted',
})
const untilRecordsEnd = (of: PersonKind, columns: string): Personal => ({
  of,
  becomes: 'null',
  columns: list(columns),
  how: 'untilRecordsEnd',
})

const given = {
  account_days: {
    rest: 'account_id task done_on',
  },
  account_exchange_rates: {
    rest: 'id account_id currency date rate created_at account_currency',
  },
  accounts: {
    rest: `id name public_id default_currency layer_rates_ppm invitations_from_partners partner_lead_submission
      partner_visibility payout_delay minimum_payout time_zone lead_protection_days attribution_model
      recurring_months self_referral_policy owner_id disabled_at disabled_reason created_at updated_at
      attribution_order require_second_factor raw_data_days idle_lead_months payee_years frame_hosts accent
      portal_host paydays fraud_rules old_link_parameters born_in returning_customers`,
  },
  agreement_acceptances: {
    personal: [emptied('partner', 'null', 'name email network')],
    rest: 'account_id partner_id version text_sha256 through user_id at',
  },
  agreement_versions: {
    rest: 'account_id version text text_sha256 changes required_from published_at published_by',
  },
  api_keys: {
    rest: `id account_id name rights key_hash key_sealed last_four replaced_by last_used_at expires_at created_at
      deleted_at created_by`,
  },
  applications: {
    personal: [
      emptied('partner', 'null', 'first_name last_name email message network_hash email_hash agreement_network'),
      emptied('partner', `'[]'`, 'answers'),
    ],
    rest: `id account_id status flags parent_partner_id parent_problem group_id reason answered_at confirmed_at
      decided_at decided_by partner_id created_at updated_at agreement_version`,
  },
  announcement_readers: {
    rest: 'account_id announcement_id partner_id mail read_at',
  },
  announcements: {
    rest: 'id account_id subject body sent_by sent_on created_at deleted_at',
  },
  assets: {
    rest: 'id account_id kind name body alt file_id blueprint_id group_id created_at updated_at',
  },
  bulk_actions: {
    personal: [
      emptied('partner', 'null', 'reason parameters'),
      emptied('lead', 'null', 'parameters'),
      emptied('partner', `'[]'`, 'refusals'),
      emptied('lead', `'[]'`, 'refusals'),
    ],
    rest: `id account_id action subject_ids state done refused links unsent created_by created_at finished_at`,
  },
  claims: {
    personal: [emptied('lead', 'null', 'email note'), emptied('partner', 'null', 'email note reason')],
    rest: `id account_id partner_id state order_id order_key day sale_id lead_id decided_at decided_by created_at
      updated_at`,
  },
  clicks: {
    personal: [emptied('lead', 'null', 'ip_hash landing_path referrer_host sub_id')],
    rest: `id account_id blueprint_id partner_id link_id day user_agent_class country is_bot is_unique source at
      paid_parameters`,
  },
  code_totals: {
    rest: 'account_id code sales revenue last_used_at',
  },
  commission_entries: {
    personal: [emptied('lead', 'null', 'reason'), emptied('partner', 'null', 'reason')],
    rest: `id account_id sale_id refund_id partner_id layer rate_ppm base_amount amount currency kind clawback
      available_at day actor created_at correction_id limit_sale_id settles_sale_id flat_amount rule turn
      lead_id paid_for won_sale_id award_id goal_id held_by`,
  },
  day_stats: {
    rest: `account_id partner_id blueprint_id day partners leads sales clicks unique_clicks revenue share version behind`,
  },
  early_entries: {
    rest: 'account_id partner_id entry_id user_id until',
  },
  embed_checks: {
    rest: 'id account_id token_hash matched forms picked expires_at created_at',
  },
  embed_codes: {
    rest: `id account_id config domains only_if_referred consent_mode last_lead_at refused_leads
      last_refused_origin created_at updated_at path former_paths forms checkout_domains`,
  },
  erasures: {
    rest: `id account_id subject_type subject_id subject_ids at by reason counts records_until backups_until
      search_sealed done`,
  },
  euro_rates: {
    rest: 'currency date rate',
  },
  event_relays: {
    rest: 'position event_id tries next_at error parked_at',
  },
  events: {
    personal: [
      emptied('lead', `emptied(t.data, 'lead')`, 'data'),
      emptied('partner', `emptied(t.data, 'partner')`, 'data'),
    ],
    rest: `id account_id at type kind audited actor_type actor_id network request_id subject_type subject_id`,
  },
  file_keys: {
    rest: 'key account_id created_at',
  },
  fraud_cases: {
    personal: [emptied('lead', 'null', 'reason question answer'), emptied('partner', 'null', 'reason question answer')],
    rest: `id account_id sale_id lead_id partner_id findings action opened_at held_until decision decided_at decided_by
      asked_at answered_at`,
  },
  files: {
    rest: 'id account_id purpose key sha256 type width height bytes created_at updated_at',
  },
  former_emails: {
    personal: [deleted('partner', 'email')],
    rest: 'partner_id until account_id',
  },
  goal_awards: {
    rest: `id account_id goal_id partner_id period name metric at_least bonus figure due_at voided
      created_at final counts_from`,
  },
  goals: {
    rest: `id account_id group_id position name metric time_window at_least below bonus move_to_group_id applies_to
      created_at updated_at deleted_at set_at`,
  },
  groups: {
    rest: 'id account_id name public_name layer_rates_ppm created_at updated_at deleted_at join_slug',
  },
  hosts: {
    rest: `account_id name state problem failures counted_on changes checked_at proven_at given_up_at created_at
      updated_at`,
  },
  idempotency_keys: {
    personal: [emptied('lead', 'sealed anew, empty', 'answer_sealed')],
    rest: 'caller call key body_hash status created_at',
  },
  import_files: {
    rest: 'import_id content account_id',
  },
  import_objects: {
    personal: [emptied('lead', 'without_payer(t.data)', 'data')],
    rest: 'import_id payment_key kind object_id group_key rank at account_id',
  },
  import_payments: {
    personal: [emptied('lead', 'null', 'email')],
    rest: 'import_id payment_key outcome amount currency credited customer_id account_id',
  },
  import_rows: {
    personal: [
      emptied('lead', 'null', 'cells message'),
      emptied('partner', 'null', 'cells message'),
      emptied('partner', 'without_changes(t.made)', 'made'),
      emptied('lead', 'without_changes(t.made)', 'made'),
    ],
    rest: 'import_id row outcome field account_id',
  },
  imported_sales: {
    rest: 'account_id key sale_id',
  },
  imports: {
    personal: [emptied('partner', `'[]'`, 'warnings')],
    rest: `id account_id kind format connection_id dry_run state reason total done created skipped failed totals
      settings header progress created_by created_at finished_at unattributed settled assigned`,
  },
  incoming_deliveries: {
    personal: [
      emptied('lead', 'null', 'payload fields reason warnings records others_id'),
      emptied('partner', 'null', 'payload fields reason warnings records others_id'),
    ],
    rest: 'id account_id webhook_id state dedupe_key made_type made_id created_at',
  },
  incoming_payloads: {
    rest: 'webhook_id account_id bytes',
  },
  incoming_webhooks: {
    personal: [emptied('lead', 'null', 'same_id')],
    rest: `id account_id name sender target enabled token_hash token_sealed former_token_hash former_token_until auth
      auth_sealed mapping partner_match filters rules dedupe_path last_received_at last_ping_at created_at
      updated_at payload_bytes allowed_ips created_by changed_by`,
  },
  install: {
    rest: 'only_row key_check created_at backups_failing_since role_refusal',
  },
  invitations: {
    personal: [emptied('partner', 'null', 'email first_name last_name last_error')],
    rest: `id kind account_id partner_id user_id invited_by status send_count sent_today token_hash last_sent_at
      sent_at opened_at accepted_at expires_at created_at updated_at shareable role replaces holds_payouts`,
  },
  invoice_details: {
    personal: [emptied('partner', 'null', 'legal_name address vat_id')],
    rest: 'account_id partner_id version country small_business agreed_words user_id agreed_at',
  },
  invoice_jumps: {
    rest: 'account_id from_number to_number reason made_by at',
  },
  invoice_series: {
    rest: 'account_id prefix next_number unsure_since updated_at',
  },
  invoices: {
    personal: [untilRecordsEnd('partner', 'snapshot')],
    rest: `id account_id kind payout_id turn partner_id number prefix issued_on net tax_rate tax gross currency treatment
      credits created_at`,
  },
  invoicing_settings: {
    rest: `account_id enabled required legal_name address country vat_id vat_rate tax_forms ein phone journal_accounts
      updated_at`,
  },
  lead_customers: {
    rest: 'account_id provider customer_id lead_id created_at',
  },
  lead_stats: {
    rest: 'lead_id account_id sales revenue share',
  },
  lead_submissions: {
    personal: [emptied('lead', `'{}'`, 'body')],
    rest: 'id account_id lead_id source created_at client_id joins_client_id corrects',
  },
  leads: {
    personal: [
      emptied(
        'lead',
        'null',
        `first_name last_name email phone phone_e164 company external_id status_reason status_note
        shared_note landing_url referrer sub_id origin`,
      ),
      emptied('lead', `'{}'`, 'metadata'),
      emptied('lead', 'without_facts(t.credit)', 'credit'),
    ],
    rest: `id account_id partner_id blueprint_id click_id link_id source status protected_until duplicate_of_id
      attribution_model matched_by attributed_at last_seen_at created_on created_at updated_at country
      first_qualified_at first_won_at erased_at`,
  },
  link_blueprints: {
    rest: `id account_id key name destination_url domain parameter_name utm cookie_days attribution_model
      passthrough_query layer_rates_ppm enabled archived_at created_at updated_at more_domains partner_links`,
  },
  link_totals: {
    rest: 'account_id link_id clicks leads sales revenue',
  },
  made_codes: {
    personal: [emptied('partner', 'null', 'code')],
    rest: `id account_id shop_id partner_id turn refused made_id state reason rule removed_at tries next_at
      claimed_until created_at`,
  },
  mail_counts: {
    rest: 'key names forget_at',
  },
  mail_days: {
    rest: 'account_id done_on',
  },
  mail_news: {
    rest: 'id account_id partner_id kind subject_id occasion created_at mail_id mailed_at',
  },
  mails: {
    personal: [
      emptied('lead', 'null', 'subject text reason'),
      emptied('partner', 'null', 'subject text reason'),
      emptied('partner', `'erased@erased.invalid'`, 'email'),
    ],
    rest: 'id name kind state tries last_tried_at created_at account_id',
  },
  member_visits: {
    personal: [deleted('user', 'visitor_hash'), deleted('partner', 'visitor_hash')],
    rest: 'account_id partner_id user_id day',
  },
  method_secrets: {
    rest: 'account_id method settings_sealed hint automatic trouble trouble_kind updated_at paid_from next_call_at',
  },
  migrations: {
    rest: 'name hash applied_at',
  },
  month_stats: {
    rest: 'account_id month partner_id sales revenue earned',
  },
  oidc_identities: {
    personal: [deleted('user', 'subject')],
    rest: 'issuer user_id created_at',
  },
  outgoing_deliveries: {
    personal: [emptied('lead', 'null', 'answer'), emptied('partner', 'null', 'answer')],
    rest: 'id account_id webhook_id event_id event state tries next_at code duration_ms created_at',
  },
  outgoing_turns: {
    rest: 'webhook_id held_by held_until',
  },
  outgoing_webhooks: {
    rest: `id account_id name url format events secret_sealed former_secret_sealed former_secret_until header_names
      headers_sealed enabled disabled_reason failures last_delivery_at created_at updated_at deleted_at`,
  },
  partner_reminders: {
    rest: 'account_id partner_id kind reminded_at',
  },
  partner_links: {
    personal: [emptied('partner', `'Link'`, 'name'), emptied('partner', 'null', 'sub_id')],
    rest: 'id account_id partner_id blueprint_id key destination_url domain archived_at created_at updated_at',
  },
  partners: {
    personal: [
      emptied('partner', 'null', 'note state_reason tax_form external_id'),
      emptied('partner', `case when t.void_reason is not null then 'Erased' end`, 'void_reason'),
      emptied('partner', `'Erased partner'`, 'first_name'),
      emptied('partner', 'right(t.id::text, 4)', 'last_name'),
      emptied('partner', `'erased-' || t.id || '@erased.invalid'`, 'email'),
      // a trigger makes it a random one
      emptied(
        'partner',
        `case when t.referral_code ~ '^erased-[0-9a-f]{24}$' then t.referral_code else 'erased' end`,
        'referral_code',
      ),
    ],
    rest: `id account_id parent_partner_id user_id layer_rates_ppm approved_payout_years payout_method state
      invited_by_partner_id created_on created_at updated_at paused group_id keep_in_group erased_at`,
  },
  passing_events: {
    personal: [
      emptied('lead', `emptied(t.data, 'lead')`, 'data'),
      emptied('partner', `emptied(t.data, 'partner')`, 'data'),
    ],
    rest: `id account_id at type kind audited actor_type actor_id network request_id subject_type subject_id`,
  },
  passkeys: {
    personal: [deleted('user', 'name credential_id public_key')],
    rest: 'id user_id rp_id counter transports created_at last_used_at',
  },
  password_resets: {
    rest: 'id user_id token_hash created_at expires_at used_at sign_in_hash signed_in_at by_operator',
  },
  payment_file_payouts: {
    personal: [untilRecordsEnd('partner', 'recipient_id')],
    rest: 'account_id file_id payout_id turn reference amount pay_amount invoice_terms live by_name name_check name_checked_at',
  },
  payment_files: {
    rest: `account_id id number method message_id execution_date count amount currency head_sealed profile_id sha256
      created_by created_at`,
  },
  payout_accounts: {
    rest: `account_id enabled trouble trouble_kind max_per_payout max_per_run last_statement_number last_run_on
      due_told_until updated_at method trouble_with methods numbered_in file_numbers_after`,
  },
  payout_approvals: {
    rest: 'id account_id payout_id user_id at amount entries details_version completed_at',
  },
  payout_attempts: {
    personal: [emptied('partner', 'null', 'error')],
    rest: `id payout_id number customer_transaction_id paid_from recipient_id quote_id quote_expires_at transfer_id
      state funded_at funding_problem fee rate at updated_at method details_version amount currency year
      announced_at stage account_id memo payee_amount payee_currency payment_number`,
  },
  payout_cash: {
    rest: 'account_id payout_id partner_id turn kind amount tax_amount at fee invoice_terms',
  },
  payout_entries: {
    rest: 'payout_id entry_id account_id live approved_at',
  },
  payout_limits: {
    rest: 'account_id in_force_at max_per_payout approvals saved_at',
  },
  payout_reconciliations: {
    rest: `account_id agreed_in paused_at whole_install reading_id read_at problem updated_at restored`,
  },
  payout_settings: {
    personal: [
      emptied('partner', 'null', 'details_sealed routing_last4 account_last4 rejected_reason hint details_hash'),
    ],
    rest: 'partner_id account_id version changed_at created_at updated_at kind country currency',
  },
  payouts: {
    personal: [untilRecordsEnd('partner', 'details_sealed payee_hint'), emptied('partner', 'null', 'failure_reason')],
    rest: `id account_id partner_id statement_number status amount currency method period_start period_end
      details_version approved_by approved_at sent_at paid_at external_reference stop_reason fund_again
      checked_at lease_id leased_until created_at updated_at looks_refused look_after paid_on payee_kind payee_country
      payee_currency tax_amount pay_amount invoice_terms was_void`,
  },
  products_seen: {
    rest: 'account_id kind id name seen_at',
  },
  portal_sessions: {
    rest: 'account_id id partner_id key_id actor_id kind token_hash link_hash created_at expires_at ended_at',
  },
  program_slugs: {
    rest: 'slug account_id created_at',
  },
  programs: {
    rest: `account_id state slug headline text rules questions auto_approve reapply_after_days indexed created_at
      updated_at`,
  },
  promotion_codes: {
    personal: [deleted('partner', 'code used_code')],
    rest: 'id account_id partner_id created_at pending',
  },
  provider_connections: {
    rest: `id account_id provider method account_name default_currency provider_account_id livemode hook_key
      endpoint_id trouble endpoint_trouble disconnected_at created_at updated_at shop_id credentials_sealed
      webhook_secret_set webhook_url authorized_at revoked_at refresh_at checked_at silent_since reconciled_at`,
  },
  provider_consents: {
    rest: 'state_hash account_id user_id provider expires_at used_at',
  },
  provider_events: {
    personal: [emptied('lead', 'null', 'body error'), emptied('partner', 'null', 'body error')],
    rest: `id connection_id external_id type at state tries received_at processed_at shop_id waits_for sale_id
      remembered account_id`,
  },
  provider_objects: {
    personal: [emptied('lead', 'without_payer(t.data)', 'data')],
    rest: 'payment_key kind object_id group_key rank at shop_id account_id',
  },
  provider_payments: {
    rest: 'payment_key sale_id credited applied shop_id account_id read_again',
  },
  provider_shops: {
    rest: 'id account_id provider livemode external_id created_at code_rule',
  },
  push_requests: {
    rest: 'id account_id path status error_code error_message rows failed_rows created_at',
  },
  referral_codes: {
    personal: [deleted('partner', 'code')],
    rest: 'account_id partner_id created_at',
  },
  refresh_tokens: {
    rest: 'hash session_id generation expires_at used_at',
  },
  refunds: {
    personal: [emptied('lead', 'null', 'reason')],
    rest: `id account_id sale_id kind provider external_id amount status at account_amount counted_on
      restored_amount restored_on created_at created_by lines`,
  },
  refused_sign_ins: {
    rest: 'id at kind user_id network request_id',
  },
  rehearsals: {
    rest: 'id account_id partner_id blueprint_id amount steps created_at finished_at',
  },
  sale_corrections: {
    personal: [emptied('lead', 'null', 'reason')],
    rest: `id account_id sale_id amount_before tax_amount_before gross_amount_before account_amount_before amount
      tax_amount gross_amount account_amount actor created_at`,
  },
  report_days: {
    rest: 'account_id day dimension part kind value partner_id clicks leads sales revenue share refunds',
  },
  reported_days: {
    rest: 'account_id day version capped',
  },
  sales: {
    personal: [
      emptied('lead', 'null', 'payer_email description void_reason card_hash visit'),
      emptied('lead', `'{}'`, 'metadata'),
      emptied('lead', 'without_facts(t.credit)', 'credit'),
    ],
    rest: `id account_id lead_id partner_id blueprint_id link_id provider connection_id external_id customer_id amount
      tax_amount gross_amount currency account_amount account_currency fx_rate fx_date sale_date
      subscription_id sequence refunded_amount status disputed hold_rule held_until credited matched_by
      created_by created_at recurring_months past_limit hold_policy hold_reason match_evidence
      given_commission shop_id told_by_shop_id is_test test_lead_id referred_at lines country promotion_codes
      partner_code customer_place customer_since fraud_case_id held_by restored_at latest_click click_id`,
  },
  saved_reports: {
    rest: 'id account_id name dimension period sort search partner_ids every user_id created_at updated_at',
  },
  sessions: {
    personal: [deleted('user', 'user_agent address')],
    rest: `id user_id access_hash access_expires_at generation confirmed_at created_at last_used_at expires_at
      ended_at method second_factor account_id`,
  },
  shop_customers: {
    rest: 'account_id shop_id customer_id lead_id created_at',
  },
  sign_in_attempts: {
    rest: 'key failures blocked_until forget_at',
  },
  sign_in_challenges: {
    rest: 'hash purpose user_id expires_at binding',
  },
  tax_forms: {
    personal: [
      untilRecordsEnd('partner', 'form_sealed'),
      emptied('partner', 'null', 'tin_type tin_last4 classification'),
    ],
    rest: 'id account_id partner_id number kind received_on replaced_at created_at',
  },
  tax_thresholds: {
    rest: 'account_id year amount updated_at',
  },
  terms_log: {
    personal: [emptied('partner', 'null', 'note')],
    rest: `account_id number subject subject_id terms applies_to saved_at saved_by partner_id group_id
      tell_partners goal_id`,
  },
  total_stats: {
    rest: 'account_id partner_id blueprint_id partners leads sales clicks unique_clicks revenue share',
  },
  totp_and_codes: {
    personal: [deleted('user', 'totp_sealed pending_sealed recovery_codes')],
    rest: 'user_id totp_created_at totp_step pending_until',
  },
  transfers_read: {
    rest: `account_id transfer_id reading_id paid_from transaction_id reference recipient_id quote_id amount state
      standing made_at decision method payment_number`,
  },
  untold_entries: {
    rest: 'entry_id account_id',
  },
  user_roles: {
    rest: 'user_id type account_id partner_id created_at pay_since',
  },
  user_tokens: {
    personal: [deleted('user', 'name token_hash last_four')],
    rest: 'id user_id last_used_at expires_at created_at second_factor',
  },
  users: {
    personal: [
      emptied('user', 'null', 'password_hash'),
      emptied('user', `'Erased person'`, 'first_name'),
      emptied('user', 'right(t.id::text, 4)', 'last_name'),
      emptied('user', `'{}'`, 'preferences'),
      emptied('user', `'erased-' || t.id || '@erased.invalid'`, 'email'),
    ],
    rest: 'id created_at updated_at verified_at erased_at',
  },
  voided_commissions: {
    rest: 'account_id sale_id partner_id kept kept_before',
  },
  voided_lead_pay: {
    rest: 'account_id lead_id paid_for partner_id kept kept_before',
  },
  wise_accounts: {
    rest: 'account_id token_sealed token_hint profile profiles updated_at subscription_ids',
  },
  wise_batch_payouts: {
    personal: [untilRecordsEnd('partner', 'recipient_id')],
    rest: 'payout_id profile_id exported_at account_id amount tax_amount invoice_terms',
  },
  wise_recipients: {
    personal: [deleted('partner', 'recipient_id')],
    rest: 'partner_id details_version profile_id account_id',
  },
} satisfies Record<string, { personal?: readonly Personal[]; rest: string }>

export type TableName = keyof typeof given & string

/** Every column of every table, personal or not: erasure, a person's file and the ledger's checks read this list. */
export const columnFacts: Readonly<Record<string, Facts>> = Object.fromEntries(
  Object.entries<{ personal?: readonly Personal[]; rest: string }>(given).map(([table, { personal = [], rest }]) => [
    table,
    { personal, rest: list(rest) },
  ]),
)

/** Returns the personal columns of a table that are emptied, each with its value afterwards. */
export const emptiedOf = (table: string, person: PersonKind): [column: string, becomes: string][] =>
  columnFacts[table]!.personal.filter(({ of, how }) => of === person && how === 'emptied').flatMap(
    ({ columns, becomes }) => columns.map((column): [string, string] => [column, becomes]),
  )

/** Returns all personal columns of a table, of any person. */
export const personalOf = (table: string): readonly string[] =>
  columnFacts[table]?.personal.flatMap(({ columns }) => columns) ?? []
