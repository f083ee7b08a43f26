-- outside a transaction

-- Whoever pays for a sale that nobody is credited with is a customer already, whom nobody can register by their e-mail.
create index concurrently if not exists sales_by_uncredited_payer on sales (account_id, payer_email)
  where partner_id is null and payer_email is not null;

-- Since when is not kept: the last change of the partner is the latest that it can be.
-- in batches
update partners set paused = tstzmultirange(tstzrange(updated_at, null))
where (id, account_id) in (select id, account_id from partners where state <> 'active' and paused = '{}' limit 2000);
