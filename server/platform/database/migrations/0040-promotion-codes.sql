-- The discount codes of a shop that credit a partner when a buyer enters one. A code is one partner's, in any case.
create table promotion_codes (
  id uuid primary key,
  account_id uuid not null,
  partner_id uuid not null,
  code text not null check (length(code) between 1 and 100),
  created_at timestamptz(3) not null,
  foreign key (account_id, partner_id) references partners (account_id, id) on delete cascade
);
create unique index promotion_codes_by_code on promotion_codes (account_id, lower(code));
create index promotion_codes_by_partner on promotion_codes (partner_id, created_at, id);
