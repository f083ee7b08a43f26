-- domains of payment links, to which the script hands the referral over
alter table embed_codes add column checkout_domains text[] not null default '{}'
  check (cardinality(checkout_domains) <= 10);
