-- A cluster plans no statement of an SQL function that has parameters.
create or replace function is_erased_lead(account uuid, lead uuid) returns boolean stable language plpgsql as $$
begin
  return exists (select from leads where account_id = account and id = lead and erased_at is not null);
end $$;

create or replace function sale_of_erased_lead(account uuid, sale uuid) returns boolean stable language plpgsql as $$
begin
  return exists (select from sales s join leads l on l.account_id = s.account_id and l.id = s.lead_id
    where s.account_id = account and s.id = sale and l.erased_at is not null);
end $$;
