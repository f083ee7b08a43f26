-- A partner belongs to one account. Without knowing it, PostgreSQL takes the rows of both together for far fewer than they
-- are, and rather asks each of them for the text of a search than the index of searches.
create statistics leads_of_partners (dependencies) on account_id, partner_id from leads;
create statistics sales_of_partners (dependencies) on account_id, partner_id from sales;
create statistics partners_of_parents (dependencies) on account_id, parent_partner_id from partners;

-- gathered at once where there is anything: a large table may not change enough for that in weeks
do $$
begin
  if exists (select from leads) then analyze leads; end if;
  if exists (select from sales) then analyze sales; end if;
  if exists (select from partners) then analyze partners; end if;
end $$;
