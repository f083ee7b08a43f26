import {
  declareTables,
  deleteRow,
  emptyColumns,
  LOGIN,
  MACHINE,
  placeEverywhere,
  placeOnFirst,
  splitNames,
} from '../../platform/database/declare-tables.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  users: {
    columns: 'id created_at updated_at verified_at erased_at',
    personal: [
      emptyColumns('user', 'password_hash'),
      emptyColumns('user', 'first_name', `'Erased person'`),
      emptyColumns('user', 'last_name', 'right(t.id::text, 4)'),
      emptyColumns('user', 'preferences', `'{}'`),
      emptyColumns('user', 'email', `'erased-' || t.id || '@erased.invalid'`),
    ],
    place: placeEverywhere('a person has one e-mail in all accounts'),
    exported: LOGIN,
  },
  user_roles: {
    columns: 'user_id type account_id partner_id created_at pay_since',
    place: placeEverywhere('who signs in is asked for all their accounts at once; an administrator has none'),
    exported: LOGIN,
  },
  invitations: {
    columns: `id kind account_id partner_id user_id invited_by status send_count sent_today token_hash last_sent_at
      sent_at opened_at accepted_at expires_at created_at updated_at shareable role replaces holds_payouts`,
    personal: [emptyColumns('partner', 'email first_name last_name last_error')],
    place: placeEverywhere('found by the hash of a link alone; an administrator is invited into no account'),
    exported: {
      // members of the team and of partners are invited again by their owners
      scope: (accountId) => sql`t.account_id = ${accountId} and t.kind in ('owner', 'partner')`,
      first: splitNames('id kind partner_id email first_name last_name'),
      stays: { [LOGIN]: ['user_id', 'invited_by'], [MACHINE]: ['sent_today', 'shareable'] },
      leftByImport: 'a link of another install opens nothing: people are invited anew',
    },
    erased: {
      partner({ partnerId }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return { which: ofPartner }
      },
    },
    ofErased: {
      // in a cluster, invitations and partners are on different machines
      partner: sql`t.partner_id in (select id from partners where erased_at is not null)`,
    },
  },
  sessions: {
    columns: `id user_id access_hash access_expires_at generation confirmed_at created_at last_used_at expires_at
      ended_at method second_factor account_id`,
    personal: [deleteRow('user', 'user_agent address')],
    place: placeOnFirst('of people'),
    exported: LOGIN,
  },
  refresh_tokens: {
    columns: 'hash session_id generation expires_at used_at',
    place: placeOnFirst('of people'),
    exported: LOGIN,
  },
  password_resets: {
    columns: 'id user_id token_hash created_at expires_at used_at sign_in_hash signed_in_at by_operator',
    place: placeOnFirst('of people'),
    exported: LOGIN,
  },
  passkeys: {
    columns: 'id user_id rp_id counter transports created_at last_used_at',
    personal: [deleteRow('user', 'name credential_id public_key')],
    place: placeOnFirst('of people'),
    exported: LOGIN,
  },
  totp_and_codes: {
    columns: 'user_id totp_created_at totp_step pending_until',
    personal: [deleteRow('user', 'totp_sealed pending_sealed recovery_codes')],
    place: placeOnFirst('of people'),
    exported: LOGIN,
  },
  sign_in_attempts: {
    columns: 'key failures blocked_until forget_at',
    place: placeOnFirst('by address'),
    exported: LOGIN,
  },
  sign_in_challenges: {
    columns: 'hash purpose user_id expires_at binding',
    place: placeOnFirst('found by its hash alone, for minutes'),
    exported: LOGIN,
  },
  refused_sign_ins: {
    columns: 'id at kind user_id network request_id',
    place: placeOnFirst('of people'),
    exported: LOGIN,
  },
  oidc_identities: {
    columns: 'issuer user_id created_at',
    personal: [deleteRow('user', 'subject')],
    place: placeOnFirst('of people'),
    exported: LOGIN,
  },
  user_tokens: {
    columns: 'id user_id last_used_at expires_at created_at second_factor',
    personal: [deleteRow('user', 'name token_hash last_four')],
    place: placeOnFirst('of people'),
    exported: LOGIN,
  },
  member_visits: {
    columns: 'account_id partner_id user_id day',
    personal: [deleteRow('user', 'visitor_hash'), deleteRow('partner', 'visitor_hash')],
    exported: LOGIN,
  },
})
