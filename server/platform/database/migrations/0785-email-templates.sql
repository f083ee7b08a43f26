-- An account's own texts of emails to its partners; the usual ones are in the code.
create table email_templates (
  account_id uuid not null,
  kind text not null check (length(kind) between 1 and 60),
  subject text not null check (length(subject) between 1 and 150),
  body text not null check (length(body) between 1 and 5000),
  updated_at timestamptz(3) not null,
  primary key (account_id, kind)
);
select place_with_account('email_templates');
alter table email_templates add foreign key (account_id) references accounts;

-- The name that emails to an account's partners come from, and where replies go.
create table email_senders (
  account_id uuid primary key,
  from_name text check (length(from_name) between 1 and 60),
  reply_to text check (length(reply_to) between 3 and 254)
);
select place_with_account('email_senders');
alter table email_senders add foreign key (account_id) references accounts;
