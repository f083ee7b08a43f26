/*
 * A search of an account asked every trigram of its id, each of which all of its rows hold: it read the account many times
 * over before it came to what was asked for. The id as a column of its own is read once.
 */
create extension if not exists btree_gin;

drop index leads_search;
create index leads_search on leads using gin (account_id, lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(company, '') || ' ' || coalesce(external_id, '') || ' ' || ltrim(coalesce(phone_e164, ''), '+')) gin_trgm_ops);

drop index partners_search;
create index partners_search on partners using gin (account_id, lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || email || ' ' || referral_code) gin_trgm_ops);
