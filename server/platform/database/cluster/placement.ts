// Placement of tables on several machines, in Citus's terms: everywhere (a reference table, written on each machine at
// once) or in one place (a table of the first machine). Tables with `account_id` that are not listed are placed with
// their account (distributed by it).

/** Small tables read by statements about any account, with the reason why they cannot be placed with one. */
export const everywhere: Readonly<Record<string, string>> = {
  accounts: 'read beside the rows of every account, and found by a public id',
  api_keys: 'whose a key is is found by its hash alone',
  embed_codes: 'found by a path that no two accounts may have',
  euro_rates: 'the same for every account',
  file_keys: 'found by a key that no two accounts may have',
  hosts: 'found by a name of which no two accounts may be the owner',
  incoming_webhooks: 'found by the hash of an address alone',
  invitations: 'found by the hash of a link alone; an administrator is invited into no account',
  link_blueprints: 'found by a key that no two accounts may have',
  partner_links: 'found by a key that no two accounts may have, like the links they belong to',
  outgoing_webhooks: 'couriers take turns among those of all accounts; written once a batch',
  program_slugs: 'found by a name that no two accounts may have',
  provider_connections: 'found by the key in the address that a provider sends to',
  provider_shops: 'read beside each event of theirs',
  user_roles: 'who signs in is asked for all their accounts at once; an administrator has none',
  users: 'a person has one e-mail in all accounts',
}

/** Tables that belong to no account, or are a queue from which any free worker takes. */
export const inOnePlace: Readonly<Record<string, string>> = {
  embed_checks: 'found by the hash of a token alone, for a minute',
  event_relays: 'a queue',
  idempotency_keys: 'by caller, who may have many accounts; for a day',
  install: 'the install itself',
  mail_counts: 'mails are counted by address',
  mails: 'mails go to people, who may have many accounts',
  migrations: 'the install itself',
  oidc_identities: 'of people',
  passkeys: 'of people',
  outgoing_turns: 'whoever is free takes one',
  password_resets: 'of people',
  provider_consents: 'found by the hash of a state alone, for minutes',
  refresh_tokens: 'of people',
  refused_sign_ins: 'of people',
  sessions: 'of people',
  sign_in_challenges: 'found by its hash alone, for minutes',
  totp_and_codes: 'of people',
  sign_in_attempts: 'by address',
  user_tokens: 'of people',
}
