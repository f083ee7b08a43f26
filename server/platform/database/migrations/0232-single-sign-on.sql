-- A person's identity at an issuer of single sign-on. From the first sign-in on, the subject decides, not the e-mail.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null,
  primary key (issuer, subject),
  unique (issuer, user_id)
);

-- The hash of a secret that stays in the browser which began.
alter table sign_in_challenges add column binding bytea;
alter table sign_in_challenges drop constraint sign_in_challenges_purpose_check;
alter table sign_in_challenges add constraint sign_in_challenges_purpose
  check (purpose in ('passkey', 'new-passkey', 'oidc', 'oidc-confirm'));
alter table sign_in_challenges add constraint sign_in_challenges_binding
  check ((binding is not null) = (purpose in ('oidc', 'oidc-confirm')));

-- Made on the command line, the way in while the issuer is away.
alter table password_resets add column by_operator boolean not null default false;
