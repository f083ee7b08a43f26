-- A sale of a provider's test mode is kept with the lead that a live one would belong to, and is nobody's: whatever adds
-- up, numbers, wins or credits sales follows lead_id, partner_id and credit, which stay empty. 0113 validates, 0114 finds.
alter table sales
  add column is_test boolean not null default false,
  add column test_lead_id uuid,
  add constraint sales_test_lead_fkey foreign key (account_id, test_lead_id) references leads (account_id, id) not valid,
  add constraint sales_test_is_no_money check (
    case when is_test then num_nonnulls(lead_id, partner_id, blueprint_id, credit) = 0 else test_lead_id is null end) not valid;
