-- A search for leads also finds phone numbers, by their digits however they are written, and the account's own numbers.
drop index leads_search;
create index leads_search on leads using gin ((account_id::text || ' ' || lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(company, '') || ' ' || coalesce(external_id, '') || ' ' || ltrim(coalesce(phone_e164, ''), '+'))) gin_trgm_ops);
