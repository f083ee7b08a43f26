-- Whose a returning customer's order is: their partner's, or that of the latest click, code or promotion code.
alter table accounts add column returning_customers text not null default 'keep-partner'
  check (returning_customers in ('keep-partner', 'latest-click'));

-- Set on a sale that credits another partner than its customer's: the one whom the order names itself, or the one of
-- its subscription's first sale. With the click and the visit that the order, or that first sale, came by.
alter table sales add column latest_click text, add column click_id uuid, add column visit jsonb;
alter table sales
  add constraint sales_latest_click check (latest_click in ('order', 'renewal')) not valid,
  add constraint sales_latest_click_whose check (case when latest_click is null
    then click_id is null and visit is null else partner_id is not null end) not valid;

-- Also empties the visit.
create or replace function sale_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if is_erased_lead(new.account_id, coalesce(new.lead_id, new.test_lead_id)) then
    new.payer_email := null;
    new.description := null;
    new.void_reason := null;
    new.card_hash := null;
    new.visit := null;
    new.metadata := '{}';
    new.credit := without_facts(new.credit);
  end if;
  return new;
end $$;
