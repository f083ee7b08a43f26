-- outside a transaction
create unique index concurrently if not exists commission_entries_each on commission_entries (account_id, sale_id,
  coalesce(refund_id, correction_id, limit_sale_id, sale_id), partner_id, layer, kind, turn) where sale_id is not null;

drop index concurrently if exists commission_entries_once;
