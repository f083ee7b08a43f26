-- What is a part of something of an account says whose it is, as that does: rows are found, and compared by the database,
-- within their account. A table of millions is written anew by this, which takes its time.
set local statement_timeout = 0;

alter table former_emails drop constraint former_emails_partner_id_fkey, add column account_id uuid;
update former_emails t set account_id = p.account_id from partners p where p.id = t.partner_id;
alter table import_files drop constraint import_files_import_id_fkey, add column account_id uuid;
update import_files t set account_id = i.account_id from imports i where i.id = t.import_id;
alter table import_rows drop constraint import_rows_import_id_fkey, add column account_id uuid;
update import_rows t set account_id = i.account_id from imports i where i.id = t.import_id;
alter table import_payments drop constraint import_payments_import_id_fkey, add column account_id uuid;
update import_payments t set account_id = i.account_id from imports i where i.id = t.import_id;
alter table import_objects drop constraint import_objects_import_id_fkey, add column account_id uuid;
update import_objects t set account_id = i.account_id from imports i where i.id = t.import_id;
alter table payout_attempts drop constraint payout_attempts_payout_id_fkey, add column account_id uuid;
update payout_attempts t set account_id = o.account_id from payouts o where o.id = t.payout_id;
alter table payout_events drop constraint payout_events_payout_id_fkey, add column account_id uuid, disable trigger user;
update payout_events t set account_id = o.account_id from payouts o where o.id = t.payout_id;
alter table payout_events enable trigger user;
alter table wise_batch_payouts drop constraint wise_batch_payouts_payout_id_fkey, add column account_id uuid;
update wise_batch_payouts t set account_id = o.account_id from payouts o where o.id = t.payout_id;
alter table wise_recipients drop constraint wise_recipients_partner_id_fkey, add column account_id uuid;
update wise_recipients t set account_id = s.account_id from payout_settings s where s.partner_id = t.partner_id;

alter table provider_events drop constraint provider_events_shop_id_fkey, add column account_id uuid;
update provider_events t set account_id = s.account_id from provider_shops s where s.id = t.shop_id;
alter table provider_objects drop constraint provider_objects_shop_id_fkey, add column account_id uuid;
update provider_objects t set account_id = s.account_id from provider_shops s where s.id = t.shop_id;
alter table provider_payments drop constraint provider_payments_shop_id_fkey, add column account_id uuid;
update provider_payments t set account_id = s.account_id from provider_shops s where s.id = t.shop_id;

alter table imports drop constraint imports_pkey, add primary key (id, account_id);
alter table partners drop constraint partners_pkey, add primary key (id, account_id);
alter table payouts drop constraint payouts_pkey, add primary key (id, account_id);
alter table payout_settings drop constraint payout_settings_pkey, add primary key (partner_id, account_id);

alter table former_emails alter column account_id set not null,
  add foreign key (account_id, partner_id) references partners (account_id, id) on delete cascade;
alter table import_files alter column account_id set not null,
  drop constraint import_files_pkey, add primary key (import_id, account_id),
  add foreign key (import_id, account_id) references imports (id, account_id) on delete cascade;
alter table import_rows alter column account_id set not null,
  drop constraint import_rows_pkey, add primary key (import_id, row, account_id),
  add foreign key (import_id, account_id) references imports (id, account_id) on delete cascade;
alter table import_payments alter column account_id set not null,
  drop constraint import_payments_pkey, add primary key (import_id, payment_key, account_id),
  add foreign key (import_id, account_id) references imports (id, account_id) on delete cascade;
alter table import_objects alter column account_id set not null,
  drop constraint import_objects_pkey, add primary key (import_id, payment_key, kind, object_id, account_id),
  add foreign key (import_id, account_id) references imports (id, account_id) on delete cascade;
alter table payout_attempts alter column account_id set not null,
  drop constraint payout_attempts_pkey, add primary key (id, account_id),
  drop constraint payout_attempts_customer_transaction_id_key, add unique (customer_transaction_id, account_id),
  drop constraint payout_attempts_payout_id_number_key, add unique (payout_id, number, account_id),
  add foreign key (account_id, payout_id) references payouts (account_id, id);
drop index payout_attempts_one_live;
create unique index payout_attempts_one_live on payout_attempts (payout_id, account_id) where stage <> 'over';
alter table payout_events alter column account_id set not null,
  drop constraint payout_events_pkey, add primary key (id, account_id),
  add foreign key (account_id, payout_id) references payouts (account_id, id);
alter table wise_batch_payouts alter column account_id set not null,
  drop constraint wise_batch_payouts_pkey, add primary key (payout_id, account_id),
  add foreign key (account_id, payout_id) references payouts (account_id, id);
alter table wise_recipients alter column account_id set not null,
  drop constraint wise_recipients_pkey, add primary key (partner_id, account_id),
  add foreign key (partner_id, account_id) references payout_settings (partner_id, account_id) on delete cascade;

alter table provider_events alter column account_id set not null,
  drop constraint provider_events_pkey, add primary key (id, account_id),
  drop constraint provider_events_shop_id_external_id_key, add unique (shop_id, external_id, account_id),
  add foreign key (account_id, shop_id) references provider_shops (account_id, id);
alter table provider_objects alter column account_id set not null,
  drop constraint provider_objects_pkey, add primary key (shop_id, payment_key, kind, object_id, account_id),
  add foreign key (account_id, shop_id) references provider_shops (account_id, id);
alter table provider_payments alter column account_id set not null,
  drop constraint provider_payments_pkey, add primary key (shop_id, payment_key, account_id),
  add foreign key (account_id, shop_id) references provider_shops (account_id, id);
