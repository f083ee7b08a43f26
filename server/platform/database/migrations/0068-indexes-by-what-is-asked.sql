-- Who administers and who owns is looked up among the people of all partners: those few have an index of their own, and
-- no partner who signs in writes it.
drop index user_roles_by_account;
create index user_roles_of_staff on user_roles (account_id, created_at) where type <> 'partner';

-- What one person did is looked up among what all of an account did. What own systems and providers bring is not audited,
-- so that no sale writes it.
create index events_by_actor on events (account_id, actor_id, at, id) where audited;

-- No statement asks by these: figures of a partner are read by the primary key, what is on hold by account, and partners of
-- a user by the user's roles.
drop index total_stats_by_partner;
drop index sales_held;
drop index partners_by_user;
