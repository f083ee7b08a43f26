-- When it first had one of these states, whatever it is now: each pays once.
alter table leads add column first_qualified_at timestamptz(3);
alter table leads add column first_won_at timestamptz(3);
-- by what it was paid as {"qualified-lead", "new-customer"}: the terms in force at that moment, and their rule
alter table leads add column credit jsonb check (octet_length(credit::text) <= 20000);

-- the lead that an entry without a sale pays for, and as what
alter table commission_entries add column lead_id uuid;
alter table commission_entries add column paid_for text check (paid_for in ('qualified-lead', 'new-customer'));
-- the sale that made it a customer: its hold is the entry's
alter table commission_entries add column won_sale_id uuid;
alter table commission_entries drop constraint commission_entries_check2;
alter table commission_entries add constraint commission_entries_check2
  check ((kind in ('adjustment', 'bonus')) = (sale_id is null and lead_id is null)) not valid;
alter table commission_entries add constraint commission_entries_of_leads check (
  (lead_id is null) = (paid_for is null)
  and (lead_id is null or (sale_id is null and layer is not null and flat_amount is not null
    and num_nonnulls(rate_ppm, base_amount) = 0))
  and (won_sale_id is null or paid_for is not distinct from 'new-customer')) not valid;
alter table commission_entries add constraint commission_entries_lead foreign key (account_id, lead_id)
  references leads (account_id, id) not valid;
alter table commission_entries add constraint commission_entries_won_sale foreign key (account_id, won_sale_id)
  references sales (account_id, id) not valid;

-- Like voided_commissions, of pay for leads.
create table voided_lead_pay (
  account_id uuid not null,
  lead_id uuid not null,
  paid_for text not null check (paid_for in ('qualified-lead', 'new-customer')),
  partner_id uuid not null,
  kept bigint not null,
  primary key (account_id, lead_id, paid_for, partner_id)
);
select place_with_account('voided_lead_pay');
alter table voided_lead_pay add foreign key (account_id, lead_id) references leads (account_id, id);
alter table voided_lead_pay add foreign key (account_id, partner_id) references partners (account_id, id);

create or replace function check_reversals() returns trigger language plpgsql as $$
declare
  earned bigint;
  net bigint;
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if new.lead_id is null then
    select coalesce(sum(amount) filter (where kind = 'earned'), 0), coalesce(sum(amount), 0) into earned, net
    from commission_entries
    where account_id = new.account_id and sale_id = new.sale_id and partner_id = new.partner_id and layer = new.layer;
  else
    select coalesce(sum(amount) filter (where kind = 'earned'), 0), coalesce(sum(amount), 0) into earned, net
    from commission_entries
    where account_id = new.account_id and lead_id = new.lead_id and paid_for = new.paid_for
      and partner_id = new.partner_id and layer = new.layer;
  end if;
  if net < 0 or net > earned then
    raise exception 'entries of sale or lead % would leave % of % earned', coalesce(new.sale_id, new.lead_id), net, earned
      using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- whether any terms of an account pay for leads
create index terms_log_by_lead_pay on terms_log (account_id)
  where jsonb_path_exists(terms, '$.rules[*] ? (@.on == "qualified-lead" || @.on == "new-customer")');
