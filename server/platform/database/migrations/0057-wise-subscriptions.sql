-- Wise tells of each kind of event by a subscription of its own.
alter table wise_accounts add column subscription_ids text[] not null default '{}';
update wise_accounts set subscription_ids = array[subscription_id] where subscription_id is not null;
alter table wise_accounts drop column subscription_id;
