-- The contact of an account is an owner. One who is invited becomes it on acceptance.
update accounts a set owner_id = o.user_id
from (
  select distinct on (account_id) account_id, user_id from user_roles where type = 'account-owner'
  order by account_id, created_at, user_id) o
where o.account_id = a.id and not exists (
  select from user_roles c where c.account_id = a.id and c.user_id = a.owner_id and c.type = 'account-owner');
