-- Leads and partners by name, as an owner's list sorts them: without it each page works all names out and sorts them.
create index leads_by_name on leads (account_id, lower(coalesce(
  nullif(trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), nullif(company, ''),
  nullif(split_part(email, '@', 1), ''), nullif(phone, ''), nullif(external_id, ''), 'Lead ' || right(id::text, 6))), id);
create index partners_by_name on partners (account_id, lower(coalesce(
  nullif(trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), split_part(email, '@', 1))), id);

-- The lead of a click, which a payment that names only its click asks for.
create index leads_by_click on leads (click_id) where click_id is not null;

-- Which of a page's leads have referred themselves.
create index sales_of_self_referrals on sales (lead_id) where hold_rule = 'self-referral';
