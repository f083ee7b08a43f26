/** Error codes with their HTTP status. An error thrown without a code is a bug: `internal_error`, logged, no detail. */
export const statusOf = {
  malformed_request: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  second_factor_required: 401,
  token_expired: 401,
  forbidden: 403,
  account_disabled: 403,
  recent_sign_in_required: 403,
  second_factor_missing: 403,
  not_found: 404,
  not_acceptable: 406,
  conflict: 409,
  duplicate: 409,
  invalid_state: 409,
  payout_blocked: 409,
  payout_changed: 409,
  idempotency_mismatch: 409,
  in_use: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limited: 429,
  internal_error: 500,
  provider_failed: 502,
  unavailable: 503,
} as const

export type RefusalCode = keyof typeof statusOf

/**
 * Every sentence that refuses a call, by its reason: the error code and the words, with `{{name}}` as placeholder for a
 * value. A released reason keeps its name, since translations and clients depend on it.
 */
export const refusals = {
  // any call
  not_found: ['not_found', 'This doesn’t exist, or you don’t have access to it.'],
  internal_error: ['internal_error', 'Something went wrong on our side. Please try again.'],
  row_failed: ['internal_error', 'Something went wrong on our side.'],
  invalid_fields: ['validation_failed', '{{mistake}}.'],
  many_invalid_fields: ['validation_failed', '{{mistake}}. Other invalid fields in this call: {{more}}.'],
  invalid_cursor: [
    'validation_failed',
    'This cursor doesn’t match this list and sort. Start again from the first page.',
  ],
  value_refused: ['validation_failed', '{{problem}}'],
  too_many_calls: ['rate_limited', 'Too many calls. Please try again in {{wait}}.'],
  idempotency_key_invalid: ['validation_failed', 'Idempotency-Key must be 1 to 255 printable characters.'],
  idempotency_key_running: ['conflict', 'The first call with this key is still in progress.'],
  idempotency_key_reused: [
    'idempotency_mismatch',
    'This key was already used with a different body or role. Use a new key for a new call.',
  ],
  media_type_not_offered: ['not_acceptable', 'This endpoint returns {{offered}}. Set Accept to one of these.'],
  body_not_accepted: ['validation_failed', 'This call doesn’t accept a body.'],

  // unreadable requests
  request_unreadable: ['malformed_request', 'This request can’t be read.'],
  url_too_long: ['malformed_request', 'The URL is too long.'],
  url_or_headers_too_long: ['malformed_request', 'The URL or the headers are too long.'],
  url_unreadable: ['malformed_request', 'The URL contains characters that can’t be read.'],
  not_json: ['malformed_request', 'The body isn’t valid JSON in UTF-8.'],
  body_too_deep: ['malformed_request', 'The body is nested too deeply.'],
  too_many_values: ['malformed_request', 'The body has too many fields or items. Send at most {{max}} at once.'],
  body_too_large: ['payload_too_large', 'The body is too large. Send less at a time.'],
  wrong_media_type: ['unsupported_media_type', 'Send JSON, as application/json.'],

  // temporary
  service_starting: ['unavailable', 'The service is starting. Please try again in a moment.'],
  service_stopping: ['unavailable', 'The service is stopping. Please try again in a moment.'],
  database_away: ['unavailable', 'The database is temporarily unavailable. Please try again.'],
  database_full: ['unavailable', 'The database is full, so nothing can be saved. Please try again later.'],
  server_busy: ['unavailable', 'The server is busy. Please try again.'],

  // access
  sign_in_first: ['unauthenticated', 'Sign in first: this call needs a valid token.'],
  token_not_valid: ['unauthenticated', 'Sign in first: this token isn’t valid.'],
  session_ended: ['token_expired', 'Your session has ended. Please sign in again.'],
  role_not_allowed: ['forbidden', 'Your role doesn’t allow this.'],
  account_disabled: ['account_disabled', 'This account is disabled.'],
  erased: ['invalid_state', 'This person was erased.'],
  not_settled: ['invalid_state', 'There is still {{amount}} to settle.'],
  partner_not_archived: ['invalid_state', 'Archive this partner first.'],
  password_first: ['recent_sign_in_required', 'You signed in a while ago. Please confirm your password first.'],
  partner_inactive: ['invalid_state', 'This partner is suspended or archived, so nothing new can be added.'],
  api_key_may_not_push: ['forbidden', 'This API key can’t send data. Use a key with the push right.'],
  api_key_may_not_read: ['forbidden', 'This API key can only send data. Use a key with the read right.'],
  api_key_may_not_write: ['forbidden', 'API keys can’t make this change. Sign in to do this.'],
  api_key_may_not_manage_partners: ['forbidden', 'Use a key with the partners right for this call.'],
  field_not_for_keys: ['validation_failed', 'API keys can’t set this'],
  api_key_may_not_call: ['forbidden', 'API keys can’t make this call. They can only read data in their own account.'],

  user_token_not_valid: ['unauthenticated', 'Send a valid access token. Create one on your profile.'],
  other_site: ['forbidden', 'Web pages of other sites can’t make this call.'],
  expiry_in_past: ['validation_failed', 'Choose a time in the future'],

  // signing in, passwords, invitations
  wrong_email_or_password: ['invalid_credentials', 'Email or password is incorrect.'],
  wrong_password: ['invalid_credentials', 'The password is incorrect.'],
  second_factor_required: ['second_factor_required', 'Enter the code of your authenticator app too.'],
  passkey_required: ['second_factor_required', 'Sign in with your passkey.'],
  code_wrong: ['invalid_credentials', 'That code is not valid. Codes change every 30 seconds.'],
  passkey_wrong: ['invalid_credentials', 'This passkey isn’t valid here. Try again, or sign in another way.'],
  passkeys_unavailable: [
    'invalid_state',
    'Passkeys need this server’s address to be a host name with https, set as APP_URL.',
  ],
  passkey_known: ['duplicate', 'This passkey is here already.'],
  too_many_passkeys: ['invalid_state', 'You can have at most {{max}} passkeys. Remove one first.'],
  totp_not_started: ['invalid_state', 'This setup has expired. Start again.'],
  second_factor_first: ['invalid_state', 'Recovery codes need a second factor. Set one up first.'],
  oidc_unavailable: ['invalid_state', 'This server has no single sign-on.'],
  oidc_away: ['provider_failed', '{{name}} can’t be reached. Try again, or sign in another way.'],
  oidc_refused: ['invalid_credentials', 'Signing in with {{name}} didn’t work. Start again.'],
  use_oidc: ['forbidden', 'Sign in with {{name}} instead.'],
  not_invited: ['forbidden', 'Nobody has invited {{email}} yet.'],
  oidc_identity_differs: ['forbidden', 'This sign-in belongs to somebody else here. Ask your administrator.'],
  email_not_verified: ['forbidden', 'Your email isn’t verified there. Ask your administrator.'],
  domain_not_listed: ['forbidden', 'People of {{domain}} can’t sign in this way.'],
  own_factor_first: ['invalid_state', 'Set up your own second factor first.'],
  second_factor_required_here: ['invalid_state', '{{accounts}} require a second factor. Add another one first.'],
  second_factor_missing: ['second_factor_missing', 'Set up a second factor to go on.'],
  requiring_second_factor: ['recent_sign_in_required', 'Confirm that it’s you to change who needs a second factor.'],
  too_many_attempts: ['rate_limited', 'Too many attempts. Try again in {{seconds}} seconds.'],
  too_many_signing_in: ['unavailable', 'Too many people are signing in at once. Please try again.'],
  password_too_common: ['validation_failed', 'This password is too common'],
  current_password_missing: ['validation_failed', 'Current Password is required'],
  password_just_changed: ['conflict', 'Your password was just changed elsewhere. Sign in again.'],
  email_missing: ['validation_failed', 'Email is required'],
  email_not_accepted: ['validation_failed', 'Only the first administrator’s link accepts an email'],
  email_has_login: ['invalid_state', 'This email already has a login. Sign in to accept the invitation.'],
  mailbox_unproven: [
    'invalid_state',
    'This email hasn’t been confirmed yet. Set a new password with “Forgot password?”, then open this link again.',
  ],
  link_expired: ['token_expired', 'This link has expired.'],
  invitation_for_other_email: [
    'forbidden',
    'This invitation is for a different email. Sign in with that email to accept it.',
  ],
  invitation_accepted: ['invalid_state', 'This invitation has already been accepted.'],
  invited_by_administrator: ['invalid_state', 'An administrator invited this person. Ask them to change it.'],
  already_member: ['duplicate', 'This person is here already.'],
  too_many_members: ['invalid_state', 'At most {{max}} people.'],
  invitation_of_partner: ['invalid_state', 'This is the partner’s own invitation. Manage it on the partner’s page.'],
  last_partner_owner: ['invalid_state', 'A partner needs an owner. Make somebody else owner first.'],
  last_owner: ['invalid_state', 'An account needs an owner. Make somebody else owner first.'],
  field_not_yours: ['forbidden', 'Your role does not allow changing this.'],
  just_sent: ['rate_limited', 'This was just sent. Try again in {{wait}}.'],
  daily_emails_sent: ['rate_limited', 'You’ve reached today’s limit for these emails. Try again tomorrow.'],
  too_many_user_tokens: ['invalid_state', 'You can have at most {{max}} access tokens. Delete one first.'],
  unsubscribe_link_unknown: ['not_found', 'This link isn’t valid. Open it from the email again.'],
  preferences_too_large: ['validation_failed', 'Use at most {{max}} bytes'],

  // accounts
  only_name_for_administrators: [
    'forbidden',
    'Administrators can only change an account’s name. The owner changes the rest.',
  ],
  currency_fixed_by_sale: ['invalid_state', 'The currency can’t be changed: the account already has a sale.'],
  currency_fixed_by_commission_entry: [
    'invalid_state',
    'The currency can’t be changed: the account already has a commission entry.',
  ],
  currency_fixed_by_payout: ['invalid_state', 'The currency can’t be changed: the account already has a payout.'],
  currency_fixed_by_exchange_rate: [
    'invalid_state',
    'The currency can’t be changed: the account already has an exchange rate.',
  ],

  currency_fixed_by_terms: [
    'invalid_state',
    'The currency can’t be changed: terms or a goal of the account had an amount in it.',
  ],

  // API keys
  api_key_name_taken: ['duplicate', 'Another API key already has this name.'],
  too_many_api_keys: ['invalid_state', 'An account can have at most {{max}} API keys. Delete one first.'],
  api_key_expired: ['invalid_state', 'This API key has expired. Create a new one.'],
  api_key_replaced: ['invalid_state', 'This API key has already been replaced. Rotate the new one.'],
  // export
  export_running: ['rate_limited', 'An export is already running. Try again when it finishes.'],
  exports_busy: ['unavailable', 'Other accounts are being exported right now. Please try again in a minute.'],

  // partners
  unknown_partner: ['validation_failed', 'This partner doesn’t exist'],
  partner_email_taken: ['duplicate', 'A partner with this email already exists.'],
  referral_code_taken: ['duplicate', 'This referral code is taken.'],
  promotion_code_listed: ['duplicate', 'This partner already has this promotion code.'],
  promotion_code_taken: ['duplicate', 'This promotion code belongs to {{partner}}.'],
  partners_may_not_invite: ['forbidden', 'This account doesn’t allow partners to invite sub-partners.'],
  only_owner_sets_more: ['validation_failed', 'Only the account owner can set more than names and email.'],
  only_owner_changes_partner: ['forbidden', 'Only the account owner can change this partner.'],
  only_owner_changes_more: ['validation_failed', 'Only the account owner can change more than names and email.'],
  only_owner_filters_by_approval: ['validation_failed', 'Only the account owner can filter by approval'],
  only_owner_sorts_by_revenue: ['validation_failed', 'Only the account owner can sort by revenue'],
  partner_below_itself: ['validation_failed', 'Partners can’t be their own parent or sub-partner'],
  too_many_layers: ['validation_failed', 'Partners can be at most {{max}} levels deep'],
  external_id_taken: ['duplicate', 'Another partner has this external ID.'],
  external_id_fixed: ['invalid_state', 'This partner has an external ID. Only people can change it.'],
  partner_archived: ['invalid_state', 'The partner with this external ID is archived.'],
  partner_is_archived: ['invalid_state', 'This partner is archived. Restore the partner first.'],
  partner_already_archived: ['invalid_state', 'This partner is already archived.'],
  partner_is_suspended: ['invalid_state', 'This partner is suspended. Restore the partner first.'],
  partner_not_joined: ['invalid_state', 'This partner hasn’t accepted the invitation yet. Send them a reminder first.'],
  partner_not_invited: ['invalid_state', 'This partner hasn’t been invited yet. Send the invitation first.'],
  invitation_is_revoked: ['invalid_state', 'This invitation was revoked. Send it again first.'],
  payout_details_given: ['invalid_state', 'This partner has already added payout details.'],
  reminded_this_week: [
    'rate_limited',
    'This partner was reminded less than a week ago. Remind them again from {{day}}.',
  ],
  unknown_group: ['validation_failed', 'This group doesn’t exist'],
  group_name_taken: ['duplicate', 'Another group already has this name.'],
  group_has_partners: ['in_use', 'Move its {{partners}} first.'],
  default_group_fixed: ['invalid_state', 'The default group has the account’s terms.'],
  too_many_goals: ['invalid_state', 'A group can have at most {{max}} goals. Delete one first.'],
  goal_shape: [
    'validation_failed',
    'A goal asks for at least a figure or for less than one. A bonus needs at least a figure in a month or of all time; less than a figure needs the last 90 days and a group',
  ],
  goal_same_group: ['validation_failed', 'Choose another group than the goal’s own'],
  too_many_groups: ['invalid_state', 'An account can have at most {{max}} groups. Delete one first.'],
  partner_has_activity: ['in_use', 'This partner has activity. Archive the partner instead.'],

  // links and clicks
  destination_not_https: ['validation_failed', 'Enter a full https address'],
  destination_without_domain: ['validation_failed', 'Enter a domain such as shop.example.com'],
  unknown_link: ['validation_failed', 'This link doesn’t exist'],
  link_disabled: ['validation_failed', 'This link is disabled'],
  no_active_partner_has_code: ['validation_failed', 'No active partner has this code'],
  click_in_future: ['validation_failed', 'Enter a time in the past'],
  click_too_old: ['validation_failed', 'Enter a time within the last {{days}} days'],
  unknown_click: ['validation_failed', 'This click doesn’t exist'],

  // leads
  unknown_referral_code: ['validation_failed', 'No partner has this code'],
  lead_unreachable: ['validation_failed', 'Enter an email, phone or external ID'],
  lead_exists: ['duplicate', 'This lead already exists.'],
  lead_has_sales: ['in_use', 'This lead has sales and can’t be deleted.'],
  lead_has_commissions: ['in_use', 'This lead has commissions and can’t be deleted.'],
  lead_status_not_next: ['invalid_state', 'A lead that is {{status}} can’t be changed to {{next}} manually.'],
  reopening_without_reason: ['validation_failed', 'Enter a reason for reopening this lead'],
  sale_amounts_not_shown: ['validation_failed', 'Sale amounts aren’t shown in this account'],
  partner_earns_nothing: ['validation_failed', 'This partner is suspended or archived and can’t get new credit'],
  leads_not_accepted: ['forbidden', 'This account doesn’t accept leads from partners.'],

  // sales
  unknown_lead_in_account: ['validation_failed', 'This lead doesn’t exist in this account'],
  unknown_partner_email: ['validation_failed', 'No partner has this email'],
  unknown_partner_in_account: ['validation_failed', 'This partner doesn’t exist in this account'],
  unknown_lead_without_code: ['validation_failed', 'This lead doesn’t exist. Send a referralCode to create one'],
  unknown_pushed_sale: ['validation_failed', 'No sale has this external ID'],
  account_needs_terms: ['validation_failed', 'An account always has terms. Change them instead'],
  one_kind_of_pay: ['validation_failed', 'Enter either percentages or amounts'],
  rule_without_condition: ['validation_failed', 'Add a condition, or change Otherwise.'],
  rule_without_name: ['validation_failed', 'Name this rule: partners read its name.'],
  amount_range_reversed: ['validation_failed', 'From must not be above To.'],
  lead_rule_pays_amounts: ['validation_failed', 'Leads pay amounts, not percent.'],
  lead_rule_condition: ['validation_failed', 'Leads have only a country and metadata: remove the other conditions.'],
  terms_too_large: ['validation_failed', 'Use fewer or shorter rules: terms have at most 6,000 bytes'],
  terms_changed_meanwhile: ['conflict', 'These terms were changed meanwhile. Reload to see version {{version}}.'],
  lead_is_rejected: ['invalid_state', 'This lead was rejected, so its sales earn nothing. Reopen the lead first.'],
  lead_without_partner: ['validation_failed', 'This lead has no partner. Reassign the lead first'],
  payer_has_other_partner: [
    'conflict',
    'The payer is already a lead of another partner. Attribute the sale to that lead, or reassign the lead first.',
  ],
  several_pushed_sales: [
    'validation_failed',
    'Several of your systems have a sale with this external ID. Record the refund manually',
  ],
  sale_external_id_taken: ['duplicate', 'Another sale already has this external ID.'],
  refund_external_id_taken: ['duplicate', 'A refund of another sale already has this external ID.'],
  sale_has_partner: ['invalid_state', 'This sale already has a partner.'],
  sale_is_void: ['invalid_state', 'This sale is void.'],
  sale_is_test: ['invalid_state', 'This sale was paid in test mode, so it can’t be credited to anyone.'],
  sale_already_void: ['invalid_state', 'This sale is already void.'],
  sale_not_on_hold: ['invalid_state', 'This sale isn’t on hold.'],
  void_sale_not_refunded: ['invalid_state', 'This sale is void, so there’s nothing to refund.'],
  sale_already_refunded: ['invalid_state', 'This sale is already refunded.'],
  sale_refunded_elsewhere: [
    'invalid_state',
    'This sale came from {{provider}}. Refund it there and it’s recorded here automatically.',
  ],
  lines_do_not_add_up: ['validation_failed', 'Lines must add up to the amount.'],
  unknown_line: ['validation_failed', 'The sale has no line with the ID {{line}}. Use the IDs of its lines'],
  refund_lines_above_refund: [
    'validation_failed',
    'Lines must not add up to more than the refund. Raise the amount, or leave it out',
  ],
  refund_above_rest: ['validation_failed', 'Only {{left}} is left to refund'],
  corrected_amount_too_large: ['invalid_state', 'The corrected amount is too large.'],
  total_too_large: [
    'validation_failed',
    'This amount would push an account total above {{max}} minor units. Nothing was recorded',
  ],
  day_too_early: ['validation_failed', 'Enter a date in 1970 or later'],
  day_in_future: ['validation_failed', 'The date cannot be in the future'],
  own_currency: ['validation_failed', 'This is the account’s own currency'],

  // year reports
  tax_year_wrong: ['validation_failed', 'Use a year from {{first}} to {{latest}}'],

  // payouts
  payout_blocked: ['payout_blocked', '{{blockers}}.'],
  payout_failed: ['unavailable', 'Something went wrong with this payout on our side. Try again.'],
  payout_not_approvable: ['invalid_state', 'A payout that is {{status}} can’t be approved.'],
  payout_not_cancelable: ['invalid_state', 'A payout that is {{status}} can’t be canceled.'],
  payout_not_markable: ['invalid_state', 'A payout that is {{status}} can’t be marked as paid.'],
  payout_not_retriable: ['invalid_state', 'A payout that is {{status}} can’t be retried.'],
  payout_not_canceled_yet: [
    'provider_failed',
    '{{carrier}} hasn’t canceled the transfer yet. The request is retried automatically.',
  ],
  payout_carrier_gone: ['invalid_state', '{{carrier}} is no longer connected. Cancel this payout or mark it as paid.'],
  payouts_paused: [
    'invalid_state',
    'Payouts are paused: this database may be an older copy. Compare the transfers and resume payouts first.',
  ],
  payouts_not_paused: ['invalid_state', 'Payouts aren’t paused.'],
  transfers_not_read: ['invalid_state', 'The transfers haven’t all been read yet. Please try again in a moment.'],
  resuming_payouts: [
    'recent_sign_in_required',
    'Confirm your password to resume payouts. Money can then be sent again.',
  ],
  transfer_decided: ['validation_failed', 'This transfer doesn’t need a decision'],
  transfer_needs_partner: ['validation_failed', 'Choose the partner it was paid to'],
  transfer_without_amount: ['validation_failed', 'The amount of this transfer isn’t known, so it can’t be recorded'],
  loosening_payouts: [
    'recent_sign_in_required',
    'Confirm your password first: this lets larger amounts be paid without approval.',
  ],
  payout_above_limit: [
    'recent_sign_in_required',
    'This payout is above your limit of {{limit}}. Confirm your password first.',
  ],
  run_above_limit: [
    'recent_sign_in_required',
    'This is above your limit of {{limit}} per run. Confirm your password first.',
  ],
  replacing_payout_details: ['recent_sign_in_required', 'Confirm your password to replace payout details.'],
  removing_payout_details: ['recent_sign_in_required', 'Confirm your password to remove payout details.'],
  payout_details_refused: ['validation_failed', 'These payout details can’t be used: {{said}}'],
  payout_details_unreadable: ['invalid_state', 'These payout details can’t be read. Enter them again.'],
  partner_payout_details_unreadable: [
    'invalid_state',
    'The payout details of {{partner}} can’t be read. Ask them to enter the details again.',
  ],
  paid_day_wrong: ['validation_failed', 'Enter the date it was paid'],

  ceiling_missing: ['validation_failed', 'Enter Most per Payout first'],
  second_person_missing: ['invalid_state', 'Two people need the role of owner or finance.'],
  second_person_needed: ['invalid_state', 'You approved this. Somebody else needs to approve it too.'],
  pay_too_new: ['invalid_state', 'Your approval counts here 72 hours after you got your role.'],
  payout_changed: ['payout_changed', 'The amount or the payout details have changed. Review the payout again.'],
  batch_by_person: ['forbidden', 'Downloading a batch file approves payouts. Sign in to download one.'],
  batch_columns: ['validation_failed', 'The columns of a batch file can’t be changed'],
  batch_empty: [
    'invalid_state',
    'Nothing is due for a new batch file. To download an earlier file’s payouts again, use status=approved.',
  ],
  payouts_unread: ['provider_failed', 'Earlier payouts couldn’t be checked with {{carrier}}: {{said}}'],
  batch_not_ready: [
    'provider_failed',
    'Not every recipient has been created yet. Download the file again in a minute.',
  ],
  results_columns: ['validation_failed', 'The file has no column named {{columns}}'],
  results_unreadable: ['validation_failed', 'Row {{row}} of the file can’t be read'],
  results_empty: ['validation_failed', 'The file has no rows'],
  results_too_many: ['validation_failed', 'Use at most {{max}} rows'],
  result_unknown: ['not_found', 'No payout in a batch file matches this row.'],
  result_paid_twice: [
    'duplicate',
    'This payout was paid twice: it was already paid with {{reference}}. Ask the partner to return one payment, or deduct it from their balance with an adjustment.',
  ],
  result_by_hand: ['invalid_state', 'This payout was marked as paid manually with {{reference}}.'],
  result_before_approval: ['invalid_state', 'The transfer is older than this payout’s approval.'],
  result_of_canceled: [
    'invalid_state',
    'This payout was canceled here. If the money was sent, mark it as paid so it isn’t paid again.',
  ],
  result_without_transfer: [
    'invalid_state',
    'This payout was paid with {{reference}}, but the row doesn’t name its transfer. Use a file with a transferId column.',
  ],
  result_of_other_method: ['invalid_state', 'This payout isn’t in a batch file.'],
  result_recipient_differs: ['invalid_state', 'The recipient isn’t the one in our file.'],
  result_amount_differs: ['invalid_state', 'The amount isn’t {{amount}}.'],
  result_too_late: ['invalid_state', 'This payout is {{status}} here. Check it in Wise.'],

  // Wise
  wise_token_not_sent: ['unauthenticated', 'Send the API token as `Authorization: wise:{token}`.'],
  wise_token_rejected: ['unauthenticated', 'Wise rejected this API token.'],
  wise_token_refused: ['validation_failed', 'Wise rejected this token: {{said}}'],
  wise_token_missing: ['validation_failed', 'Enter an API token'],
  wise_token_needed: ['validation_failed', 'Automatic payouts need an API token'],
  wise_profile_missing: ['validation_failed', 'Choose a profile'],
  wise_profile_out_of_reach: ['validation_failed', 'This token can’t access this profile'],
  wise_field_missing: ['validation_failed', 'Wise requires this: {{name}}'],
  wise_field_refused: ['validation_failed', 'Wise doesn’t accept this as {{name}}'],
  wise_not_connected: ['invalid_state', 'Connect Wise and choose a profile first.'],
  wise_refuses: ['provider_failed', 'Wise rejected the stored API token: {{said}}'],
  wise_not_served: ['provider_failed', '{{said}}'],
  wise_away: ['provider_failed', 'There was an error loading your Wise profiles.'],
  wise_signature_wrong: ['malformed_request', 'The signature doesn’t match the body.'],

  // statistics
  range_unreadable: ['validation_failed', 'Enter two dates as 2026-01-01..2026-01-31'],
  range_out_of_bounds: ['validation_failed', 'Use dates from 1900 to 2999'],
  range_backwards: ['validation_failed', 'The range ends before it starts'],
  range_too_long: ['validation_failed', 'Use a range of at most 10 years'],

  // embed code
  embed_path_taken: ['duplicate', 'This name is taken. Choose another one.'],
  too_many_embed_paths: ['invalid_state', 'This account has already used {{max}} names. Choose one of those.'],
  config_missing: ['validation_failed', 'Config is required'],
  page_on_other_domain: ['validation_failed', 'Use a page on one of the allowed domains'],

  // payment providers
  provider_not_available: ['validation_failed', 'This provider can’t be connected yet'],
  provider_needs_key: [
    'invalid_state',
    'This server isn’t set up to connect {{provider}} that way. Connect with a key instead.',
  ],
  consent_unknown: [
    'validation_failed',
    'This connection to {{provider}} wasn’t started here by you. Start again from Payment Providers.',
  ],
  consent_expired: [
    'validation_failed',
    'Connecting {{provider}} took longer than 10 minutes. Start again from Payment Providers.',
  ],
  consent_used: [
    'validation_failed',
    'This connection to {{provider}} has already been completed. If it’s missing, start again from Payment Providers.',
  ],
  consent_refused: ['validation_failed', '{{provider}} refused the connection: {{said}}'],
  connection_by_consent: ['invalid_state', 'This connection has no keys. To renew it, connect {{provider}} again.'],
  provider_away: ['provider_failed', '{{provider}} couldn’t be reached. Please try again.'],
  provider_account_connected: ['duplicate', 'This {{provider}} account is already connected.'],
  provider_account_unknown: ['validation_failed', 'We couldn’t tell which {{provider}} account this belongs to'],
  provider_key_account_unknown: [
    'validation_failed',
    'We couldn’t tell which {{provider}} account this key belongs to. Allow it to read the account, or disconnect and connect again',
  ],
  provider_credentials_refused: ['validation_failed', '{{said}}'],
  provider_credentials_malformed: ['validation_failed', '{{mistake}}'],
  unknown_connection: ['validation_failed', 'This connection doesn’t exist'],
  provider_forgets: ['invalid_state', 'Past sales can’t be imported from {{provider}}.'],
  connection_ended: ['invalid_state', 'This connection has ended. Connect the provider again to create a new one.'],
  test_key_for_live_connection: [
    'conflict',
    'This is a test mode {{provider}} key, but the connection uses live mode. To switch, disconnect and connect again.',
  ],
  key_of_other_account: [
    'conflict',
    'This key belongs to another {{provider}} account, {{account}}. To switch, disconnect and connect again.',
  ],
  account_connected_before: [
    'conflict',
    'This account is already connected separately. To switch, disconnect and connect again.',
  ],
  event_not_retriable: ['invalid_state', 'Only events that failed or are waiting can be retried.'],
  event_unreadable: ['malformed_request', '{{problem}}'],
  event_signature_wrong: ['malformed_request', 'The signature is wrong or too old.'],
  event_signature_unverified: ['provider_failed', '{{provider}} couldn’t be reached to verify the signature.'],
  event_of_other_mode: ['malformed_request', 'The event’s mode (live or test) doesn’t match the connection’s.'],
  event_of_other_account: [
    'malformed_request',
    'The event belongs to a different {{provider}} account than the connection.',
  ],

  // outgoing webhooks
  header_value_missing: ['validation_failed', 'Enter the value of this header.'],
  too_many_outgoing_webhooks: ['invalid_state', 'An account can have at most {{max}} outgoing webhooks.'],
  outgoing_webhook_twice: ['duplicate', 'Another outgoing webhook sends the same events to this URL.'],
  webhook_off: ['invalid_state', 'This webhook is turned off. Turn it on first.'],
  event_no_longer_kept: ['invalid_state', 'This event is older than 90 days and can no longer be sent.'],

  // incoming webhooks
  incoming_body_unreadable: ['malformed_request', 'The body isn’t valid JSON or form data.'],
  incoming_body_not_unicode: ['malformed_request', 'The body isn’t valid UTF-8.'],
  incoming_not_proven: ['unauthenticated', 'The signature or the password is missing or wrong.'],
  incoming_address_not_allowed: ['forbidden', 'This webhook doesn’t accept deliveries from your IP address.'],
  incoming_signature_late: ['unauthenticated', 'The signature’s timestamp is more than five minutes off.'],
  too_many_incoming_webhooks: ['invalid_state', 'An account can have at most {{max}} incoming webhooks.'],
  incoming_secret_missing: ['validation_failed', 'Enter the secret.'],
  incoming_path_unreadable: [
    'validation_failed',
    'Enter a path such as contact.email, items.0.name or fields[label=Email].value.',
  ],
  incoming_field_unknown: ['validation_failed', 'Use one of {{fields}}.'],
  incoming_field_twice: ['validation_failed', 'Map each field once.'],
  incoming_not_a_number: ['validation_failed', 'Send a number, or choose a transform that returns one.'],
  delivery_not_replayable: [
    'invalid_state',
    'Only failed or ignored deliveries that are still stored can be replayed.',
  ],

  // imports
  import_under_way: ['conflict', 'Another import is running. Wait for it to finish, or cancel it.'],
  import_not_text: ['validation_failed', 'This isn’t a text file. Save it as CSV and try again.'],
  import_not_unicode: ['validation_failed', 'Some characters are unreadable. Save the file as UTF-8 and try again.'],
  import_without_header: ['validation_failed', 'The first row must name the columns.'],
  import_too_wide: ['validation_failed', 'Use at most {{max}} columns.'],
  import_format_unknown: ['validation_failed', 'Use one of these formats: {{formats}}.'],
  import_unmapped: ['validation_failed', 'No column could be matched to a field. Choose the columns yourself.'],
  import_column_unknown: ['validation_failed', 'The file has no column “{{column}}”.'],
  total_below_parts: ['validation_failed', 'The total is less than its amount, tax and shipping'],
  import_row_type_unknown: ['validation_failed', 'Unknown type. Use sale, refund or chargeback.'],
  import_refund_unnamed: [
    'validation_failed',
    'A negative amount reverses a sale. Enter the ID of that sale, or remove the row.',
  ],
  import_refund_of_nothing: ['validation_failed', 'No sale has this ID. Import the sale first.'],
  import_sale_of_another_partner: ['validation_failed', 'The sale with this ID belongs to another partner'],
  import_share_of_rates: [
    'validation_failed',
    'The sale with this ID earns at your rates. A second partner can only be added to a sale whose commission is in the file.',
  ],
  import_lead_sold: ['invalid_state', 'A lead this import assigned to a partner has since made a purchase.'],
  commission_above_amount: ['validation_failed', 'The commission can’t be more than the amount of the sale'],
  customer_of_another_partner: ['validation_failed', 'This customer belongs to another partner'],
  rate_unknown_that_day: [
    'validation_failed',
    'There’s no exchange rate for this day, so the amount paid can’t be calculated. Enter the rate first.',
  ],
  import_status_unknown: ['validation_failed', 'Unknown status. Use paid, approved, pending or canceled.'],
  payouts_in_account_currency: ['validation_failed', 'Payouts are recorded in {{currency}}'],
  import_told_by_provider: [
    'invalid_state',
    '{{provider}} has since reported a sale from this import, so it can no longer be undone. Void the wrong sales instead.',
  ],
  import_paid_from: [
    'invalid_state',
    'A payout with entries from this import was approved, so it can no longer be undone.',
  ],
  bulk_action_ended: ['invalid_state', 'This has already ended.'],
  import_ended: ['invalid_state', 'This import has already ended.'],
  import_not_undoable: [
    'invalid_state',
    'Only an import that created something can be undone, and only within a day after it ended.',
  ],

  // the install
  not_parked: ['invalid_state', 'This is no longer parked. It was already retried.'],
  nothing_parked: ['invalid_state', 'Nothing is parked, so there’s nothing to retry.'],
} as const satisfies Record<string, readonly [RefusalCode, string]>

export type RefusalReason = keyof typeof refusals

type NamesIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** The placeholder names in a reason's sentence. */
export type ValueOf<R extends RefusalReason> = NamesIn<(typeof refusals)[R][1]>
