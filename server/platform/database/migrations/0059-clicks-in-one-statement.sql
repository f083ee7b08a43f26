-- A click is written by one statement, which itself sees to it that its partner is there (server/program/clicks/queries.ts)
-- and takes its link from the blueprint's own row. Looked for row by row, both cost more than writing the click. Of a
-- partner deleted since, a click keeps the id, which then names nobody; so no index has to find a partner's clicks.
alter table clicks drop constraint clicks_account_id_blueprint_id_fkey, drop constraint clicks_account_id_partner_id_fkey;
drop index clicks_by_partner;

-- Visitors are known by 64 bits: as a number they are found and compared in a fraction of the time. The once-an-hour
-- look-up asks for visitor and partner together, since behind one address there may be thousands of visitors.
drop index clicks_by_visitor;
alter table clicks alter column ip_hash type bigint
  using ('x' || encode(substring(ip_hash from 1 for 8), 'hex'))::bit(64)::bigint;
create index clicks_by_visitor on clicks ((ip_hash # uuid_hash_extended(partner_id, 0))) where is_unique;
